#include "frontend/python/in_place.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// The name that `a[i].T[j]` begins with.
std::string_view root_of(const ExprPtr& e) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) return root_of(subscript->object);
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) return root_of(attribute->object);
    return name_of(e);
}

class InPlace {
public:
    InPlace(std::set<std::string> names, const Bindings& bindings) : names_(std::move(names)), bindings_(bindings) {}

    bool changes(const Body& body) {
        for (std::size_t before = 0; before != names_.size();) {
            before = names_.size();
            walk_statements(body, [&](const Stmt& statement) {
                add_names(statement);
                return true;
            });
        }
        bool found = false;
        walk_statements(body, [&](const Stmt& statement) {
            found = found || changes(statement);
            return !found;
        });
        return found;
    }

private:
    bool has(std::string_view name) const { return names_.contains(std::string(name)); }

    void add_target(const ExprPtr& target) {
        if (const auto root = root_of(target); !root.empty()) names_.emplace(root);
        if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node))
            for (const ExprPtr& one : elements_of(target)) add_target(one);
    }

    /// Other names for an array or its parts.
    void add_names(const Stmt& statement) {
        if (const auto* s = std::get_if<AssignStmt>(&statement.node); s && may_be(s->value))
            for (const ExprPtr& target : s->targets) add_target(target);
        if (const auto* s = std::get_if<AnnAssignStmt>(&statement.node); s && s->value && may_be(s->value)) add_target(s->target);
        if (const auto* s = std::get_if<ForStmt>(&statement.node); s && may_be(s->iterable)) add_target(s->target);
        for_each_expr(statement, [&](const ExprPtr& e) { add_names(e); });
    }
    void add_names(const ExprPtr& e) {
        if (const auto* named = std::get_if<NamedExpr>(&e->node); named && may_be(named->value)) add_target(named->target);
        if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node))
            for (const ComprehensionClause& clause : comprehension->clauses)
                if (may_be(clause.iterable)) add_target(clause.target);
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);  // `rows.append(x)`
            const bool given = std::ranges::any_of(call->arguments, [&](const ExprPtr& one) { return may_be(one); });
            if (method && given && qualified_name(*call->function, bindings_).empty()) add_target(method->object);
        }
        for_each_child(*e, [&](const ExprPtr& part) { add_names(part); });
    }

    /// Whether the value may share memory with an array of these names.
    bool may_be(const ExprPtr& e) const {
        if (const auto name = name_of(e); !name.empty()) return has(name);
        if (std::holds_alternative<BinaryExpr>(e->node) || std::holds_alternative<UnaryExpr>(e->node) ||
            std::holds_alternative<CompareExpr>(e->node))
            return false;
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            static const std::set<std::string> kNew{"copy", "astype", "sum", "mean", "min", "max", "std", "var", "dot", "tolist"};
            static const std::set<std::string> kNewOfNumpy{
                "array",  "copy",   "zeros",   "ones",    "empty", "full", "zeros_like", "ones_like", "empty_like",  "full_like",
                "where",  "exp",    "sin",     "cos",     "sqrt",  "abs",  "roll",       "clip",      "concatenate", "stack",
                "vstack", "hstack", "maximum", "minimum", "sum",   "mean", "dot",        "matmul",    "tanh",        "log"};
            const std::string name = qualified_name(*call->function, bindings_);
            if (name.starts_with("numpy.") && kNewOfNumpy.contains(name.substr(6))) return false;
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            if (name.empty() && method && kNew.contains(method->name)) return false;
        }
        bool found = false;
        for_each_child(*e, [&](const ExprPtr& part) { found = found || may_be(part); });
        return found;
    }

    bool changes(const Stmt& statement) const {
        const auto by_target = [&](const ExprPtr& target) {
            const auto targets = std::holds_alternative<NameExpr>(target->node) ? std::vector<ExprPtr>() : elements_of(target);
            return std::ranges::any_of(
                targets, [&](const ExprPtr& one) { return !std::holds_alternative<NameExpr>(one->node) && has(root_of(one)); });
        };
        if (const auto* s = std::get_if<AssignStmt>(&statement.node); s && std::ranges::any_of(s->targets, by_target)) return true;
        if (const auto* s = std::get_if<AugAssignStmt>(&statement.node); s && has(root_of(s->target))) return true;
        if (const auto* s = std::get_if<ForStmt>(&statement.node); s && by_target(s->target)) return true;
        bool found = false;
        for_each_expr(statement, [&](const ExprPtr& e) { found = found || changes(e); });
        return found;
    }

    bool changes(const ExprPtr& e) const {
        bool found = false;
        if (const auto* call = std::get_if<CallExpr>(&e->node)) found = changes(*call);
        for_each_child(*e, [&](const ExprPtr& part) { found = found || changes(part); });
        return found;
    }

    bool changes(const CallExpr& call) const {
        static const std::set<std::string> kPure{"len", "abs", "float", "int",  "range", "enumerate", "zip",  "min",
                                                 "max", "sum", "print", "list", "tuple", "bool",      "round"};
        static const std::set<std::string> kInPlace{"sort",      "fill",    "put",      "resize",
                                                    "partition", "itemset", "setflags", "setfield"};
        static const std::set<std::string> kInPlaceOfNumpy{"copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"};
        for (const Keyword& keyword : call.keywords)
            if (keyword.name == "out" && may_be(keyword.value)) return true;
        const std::string name = qualified_name(*call.function, bindings_);
        const bool given = std::ranges::any_of(call.arguments, [&](const ExprPtr& one) { return may_be(one); }) ||
                           std::ranges::any_of(call.keywords, [&](const Keyword& one) { return may_be(one.value); });
        if (name.starts_with("numpy."))
            return given && (kInPlaceOfNumpy.contains(name.substr(6)) || name.ends_with(".at") ||
                             name.starts_with("numpy.random") || call.arguments.size() > 2);  // ufuncs take `out` by position
        if (!name.empty() || kPure.contains(std::string(name_of(call.function)))) return false;
        if (const auto* method = std::get_if<AttributeExpr>(&call.function->node))
            return kInPlace.contains(method->name) && may_be(method->object);
        return given && !is_harmless(call);
    }

    /// A function around the program that changes none of the arrays that it is given.
    bool is_harmless(const CallExpr& call) const {
        const auto bound = bindings_.find(std::string(name_of(call.function)));
        const auto* program = bound == bindings_.end() ? nullptr : std::get_if<ProgramBinding>(&bound->second);
        if (!program || !call.keywords.empty() || depth_ > 4) return false;
        const auto& function = std::get<FunctionStmt>(program->program->function->node);
        if (call.arguments.size() > function.parameters.size()) return false;
        std::set<std::string> names;
        for (std::size_t at = 0; at < call.arguments.size(); ++at)
            if (may_be(call.arguments[at])) names.insert(function.parameters[at].name);
        InPlace inside(std::move(names), program->program->globals);
        inside.depth_ = depth_ + 1;
        return !inside.changes(function.body);
    }

    std::set<std::string> names_;
    const Bindings& bindings_;
    int depth_ = 0;
};

}  // namespace

bool may_change_in_place(const Body& body, std::set<std::string> names, const Bindings& bindings) {
    return InPlace(std::move(names), bindings).changes(body);
}

}  // namespace sluice::frontend
