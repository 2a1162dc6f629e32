#include "poly/ast.h"

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <memory>

#include "poly/raw.h"

namespace sluice::poly {

using symbolic::Expr;

namespace {

using OwnedExpr = std::unique_ptr<isl_ast_expr, decltype(&isl_ast_expr_free)>;
using OwnedNode = std::unique_ptr<isl_ast_node, decltype(&isl_ast_node_free)>;

OwnedExpr owned(isl_ast_expr* e) {
    return {e, isl_ast_expr_free};
}
OwnedNode owned(isl_ast_node* node) {
    return {node, isl_ast_node_free};
}

constexpr const char* kParallel = "parallel";
constexpr const char* kOrdered = "ordered";

/// No dependence between iterations of the innermost loop of the build that agree in the loops around it.
bool is_parallel(isl_ast_build* build, const UnionMap& dependences) {
    const UnionMap times(isl_ast_build_get_schedule(build));
    const UnionMap between = times.reverse().then(dependences).then(times);
    for (const Map& map : between.maps()) {
        const unsigned depth = map.domain_dimensions();
        if (depth == 0 || map.range_dimensions() != depth) return false;
        Map same = map;
        for (unsigned at = 0; at + 1 < depth; ++at) same = same.equate(at, at);
        const Map carried = same.order_less(depth - 1, depth - 1).unite(same.order_greater(depth - 1, depth - 1));
        if (carried.is_empty() != Answer::Yes) return false;
    }
    return between.known();
}

isl_id* before_each_for(isl_ast_build* build, void* user) {
    const bool parallel = is_parallel(build, *static_cast<const UnionMap*>(user));
    return isl_id_alloc(context(), parallel ? kParallel : kOrdered, nullptr);
}

class Reader {
public:
    std::optional<AstNode> node(isl_ast_node* raw, const symbolic::Substitution& values) const {
        switch (isl_ast_node_get_type(raw)) {
            case isl_ast_node_for:
                return loop(raw, values);
            case isl_ast_node_if:
                return condition(raw, values);
            case isl_ast_node_block:
                return block(raw, values);
            case isl_ast_node_mark:
                return node(owned(isl_ast_node_mark_get_node(raw)).get(), values);
            case isl_ast_node_user:
                return call(raw, values);
            default:
                return std::nullopt;
        }
    }

private:
    static std::optional<Expr> expression(isl_ast_expr* e, const symbolic::Substitution& values) {
        const OwnedExpr keeps = owned(e);
        std::optional<Expr> value = e ? expression_of(e) : std::nullopt;
        if (value && !values.empty()) value = symbolic::substitute(*value, values);
        return value;
    }

    std::optional<AstNode> loop(isl_ast_node* raw, symbolic::Substitution values) const {
        const std::optional<Expr> iterator = expression(isl_ast_node_for_get_iterator(raw), {});
        const std::optional<Expr> begin = expression(isl_ast_node_for_get_init(raw), values);
        const OwnedNode body = owned(isl_ast_node_for_get_body(raw));
        if (!iterator || !iterator->is_symbol() || !begin || !body) return std::nullopt;
        if (isl_ast_node_for_is_degenerate(raw) == isl_bool_true) {
            values.insert_or_assign(iterator->name(), *begin);
            return node(body.get(), values);
        }
        const std::optional<Expr> step = expression(isl_ast_node_for_get_inc(raw), {});
        const OwnedExpr bound = owned(isl_ast_node_for_get_cond(raw));
        if (!step || !step->constant() || !bound || isl_ast_expr_get_type(bound.get()) != isl_ast_expr_op) return std::nullopt;
        const isl_ast_expr_op_type compare = isl_ast_expr_get_op_type(bound.get());
        if (compare != isl_ast_expr_op_le && compare != isl_ast_expr_op_lt) return std::nullopt;
        const std::optional<Expr> left = expression(isl_ast_expr_get_op_arg(bound.get(), 0), {});
        const std::optional<Expr> last = expression(isl_ast_expr_get_op_arg(bound.get(), 1), values);
        if (!left || !(*left == *iterator) || !last) return std::nullopt;
        std::optional<AstNode> inner = node(body.get(), values);
        if (!inner) return std::nullopt;
        isl_id* annotation = isl_ast_node_get_annotation(raw);
        const bool parallel = annotation && std::string(isl_id_get_name(annotation)) == kParallel;
        // Names are dealt out by dimension, those of dimensions without a loop included.
        const std::string name = iterator->name();
        const auto dimension = static_cast<unsigned>(std::stoul(name.substr(name.find_last_not_of("0123456789") + 1)));
        isl_id_free(annotation);
        return AstNode{.kind = AstNode::Kind::For,
                       .variable = iterator->name(),
                       .begin = *begin,
                       .end = compare == isl_ast_expr_op_le ? *last + 1 : *last,
                       .step = *step->constant(),
                       .parallel = parallel,
                       .dimension = dimension,
                       .children = {std::move(*inner)}};
    }

    std::optional<AstNode> condition(isl_ast_node* raw, const symbolic::Substitution& values) const {
        const std::optional<Expr> holds = expression(isl_ast_node_if_get_cond(raw), values);
        std::optional<AstNode> then = node(owned(isl_ast_node_if_get_then(raw)).get(), values);
        if (!holds || !then) return std::nullopt;
        AstNode result{.kind = AstNode::Kind::If, .condition = *holds, .children = {std::move(*then)}};
        if (isl_ast_node_if_has_else(raw) == isl_bool_true) {
            std::optional<AstNode> otherwise = node(owned(isl_ast_node_if_get_else(raw)).get(), values);
            if (!otherwise) return std::nullopt;
            result.children.push_back(std::move(*otherwise));
        }
        return result;
    }

    std::optional<AstNode> block(isl_ast_node* raw, const symbolic::Substitution& values) const {
        AstNode result;
        isl_ast_node_list* parts = isl_ast_node_block_get_children(raw);
        const isl_size count = isl_ast_node_list_n_ast_node(parts);
        bool complete = parts != nullptr;
        for (int at = 0; at < count && complete; ++at) {
            std::optional<AstNode> part = node(owned(isl_ast_node_list_get_at(parts, at)).get(), values);
            complete = part.has_value();
            if (part) result.children.push_back(std::move(*part));
        }
        isl_ast_node_list_free(parts);
        return complete ? std::optional(std::move(result)) : std::nullopt;
    }

    std::optional<AstNode> call(isl_ast_node* raw, const symbolic::Substitution& values) const {
        const OwnedExpr e = owned(isl_ast_node_user_get_expr(raw));
        const std::optional<Expr> callee = e ? expression(isl_ast_expr_get_op_arg(e.get(), 0), {}) : std::nullopt;
        if (!callee || !callee->is_symbol()) return std::nullopt;
        AstNode result{.kind = AstNode::Kind::Call, .statement = callee->name()};
        const isl_size count = isl_ast_expr_get_op_n_arg(e.get());
        for (int at = 1; at < count; ++at) {
            const std::optional<Expr> argument = expression(isl_ast_expr_get_op_arg(e.get(), at), values);
            if (!argument) return std::nullopt;
            result.arguments.push_back(*argument);
        }
        return result;
    }
};

/// Names for as many loops as stand in each other.
isl_id_list* variables(const std::string& prefix) {
    constexpr int kMost = 64;
    isl_id_list* names = isl_id_list_alloc(context(), kMost);
    for (int at = 0; at < kMost; ++at)
        names = isl_id_list_add(names, isl_id_alloc(context(), (prefix + std::to_string(at)).c_str(), nullptr));
    return names;
}

void print(const AstNode& node, const std::string& margin, std::string& text) {
    const auto show = [](const Expr& e) { return symbolic::to_string(e); };
    switch (node.kind) {
        case AstNode::Kind::For:
            text += margin + (node.parallel ? "parallel for (" : "for (") + node.variable + " = " + show(node.begin) + "; " +
                    node.variable + " < " + show(node.end) + "; " + node.variable + " += " + std::to_string(node.step) + ")\n";
            print(node.children[0], margin + "  ", text);
            break;
        case AstNode::Kind::If:
            text += margin + "if (" + show(node.condition) + ")\n";
            print(node.children[0], margin + "  ", text);
            if (node.children.size() < 2) break;
            text += margin + "else\n";
            print(node.children[1], margin + "  ", text);
            break;
        case AstNode::Kind::Block:
            for (const AstNode& part : node.children) print(part, margin, text);
            break;
        case AstNode::Kind::Call:
            text += margin + node.statement + "(";
            for (std::size_t at = 0; at < node.arguments.size(); ++at) text += (at ? ", " : "") + show(node.arguments[at]);
            text += ")\n";
            break;
    }
}

}  // namespace

std::optional<AstNode> build_ast(const AstQuestion& question) {
    if (!question.schedule.known() || !question.dependences.known()) return std::nullopt;
    isl_ast_build* build = isl_ast_build_from_context(raw_parameters(question.context));
    build = isl_ast_build_set_iterators(build, variables(question.prefix));
    build = isl_ast_build_set_before_each_for(build, before_each_for, const_cast<UnionMap*>(&question.dependences));
    const OwnedNode root = owned(isl_ast_build_node_from_schedule(build, question.schedule.copy()));
    isl_ast_build_free(build);
    if (!root) return std::nullopt;
    return Reader().node(root.get(), {});
}

std::string to_string(const AstNode& node) {
    std::string text;
    print(node, "", text);
    return text;
}

}  // namespace sluice::poly
