#include "frontend/python/single_exit.h"

#include <algorithm>
#include <set>

#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

template <class Node> StmtPtr as_statement(Node node, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}

/// Nothing behind the body is reached.
bool always_ends(const Body& body) {
    if (body.empty()) return false;
    const Stmt& last = *body.back();
    if (const auto* choice = std::get_if<IfStmt>(&last.node))
        return always_ends(choice->then_body) && always_ends(choice->else_body);
    if (const auto* assertion = std::get_if<AssertStmt>(&last.node)) return assertion->raises;
    return std::holds_alternative<ReturnStmt>(last.node) || std::holds_alternative<BreakStmt>(last.node) ||
           std::holds_alternative<ContinueStmt>(last.node);
}

bool breaks(const Body& body) {
    return std::ranges::any_of(body, [](const StmtPtr& one) {
        if (const auto* choice = std::get_if<IfStmt>(&one->node)) return breaks(choice->then_body) || breaks(choice->else_body);
        if (const auto* with = std::get_if<WithStmt>(&one->node)) return breaks(with->body);
        return std::holds_alternative<BreakStmt>(one->node);
    });
}
/// `while True` without a break of its own.
bool is_left_by_returns(const Stmt& one) {
    const auto* loop = std::get_if<WhileStmt>(&one.node);
    const auto* condition = loop ? std::get_if<ConstantExpr>(&loop->condition->node) : nullptr;
    const auto* truth = condition ? std::get_if<bool>(&condition->value) : nullptr;
    return truth && *truth && !breaks(loop->body);
}

class SingleExit {
public:
    SingleExit(const std::string& result, const std::string& returned)
        : result_(make_name(result)), returned_(make_name(returned)) {}

    /// `first`: where to begin. `in_loop`: a return must leave a loop.
    Body of(const Body& body, std::size_t first, bool in_loop) const {
        Body out;
        for (std::size_t at = first; at < body.size(); ++at) {
            const StmtPtr& one = body[at];
            if (const auto* done = std::get_if<ReturnStmt>(&one->node)) {
                out.push_back(make_assignment(result_, done->value ? done->value : none(one->span), one->span));
                if (in_loop) {
                    out.push_back(make_assignment(returned_, make_boolean(true, one->span), one->span));
                    out.push_back(as_statement(BreakStmt{}, one->span));
                }
                return out;
            }
            if (!has_return({one})) {
                out.push_back(one);
                continue;
            }
            if (const auto* choice = std::get_if<IfStmt>(&one->node)) {
                out.push_back(as_statement(IfStmt{choice->condition, followed(choice->then_body, body, at + 1, in_loop),
                                                  followed(choice->else_body, body, at + 1, in_loop)},
                                           one->span));
                return out;
            }
            Stmt loop = *one;
            Body rest = of(body, at + 1, in_loop);
            if (auto* counted = std::get_if<ForStmt>(&loop.node)) enter(*counted);
            if (auto* tested = std::get_if<WhileStmt>(&loop.node)) enter(*tested);
            out.push_back(make_assignment(returned_, make_boolean(false, one->span), one->span));
            out.push_back(std::make_shared<const Stmt>(std::move(loop)));
            if (is_left_by_returns(*one)) {
                if (in_loop) out.push_back(as_statement(BreakStmt{}, one->span));
                return out;
            }
            Body leave;
            leave.push_back(in_loop ? as_statement(BreakStmt{}, one->span) : as_statement(PassStmt{}, one->span));
            out.push_back(as_statement(IfStmt{returned_, std::move(leave), std::move(rest)}, one->span));
            return out;
        }
        if (!in_loop && !always_ends(body)) out.push_back(make_assignment(result_, none({}), {}));
        return out;
    }

private:
    static ExprPtr none(const Span& span) {
        return std::make_shared<const code::Expr>(code::Expr{ConstantExpr{NoneValue{}}, span});
    }
    /// The branch, and behind it the rest of the body if its end is reached.
    Body followed(const Body& branch, const Body& body, std::size_t rest, bool in_loop) const {
        Body all = branch;
        if (!always_ends(branch)) all.insert(all.end(), body.begin() + static_cast<std::ptrdiff_t>(rest), body.end());
        return of(all, 0, in_loop);
    }
    template <class Loop> void enter(Loop& loop) const { loop.body = of(loop.body, 0, true); }

    ExprPtr result_, returned_;
};

/// What a function inside of the body binds itself is its own.
StmtPtr renamed_function(const StmtPtr& one, const FunctionStmt& function, const std::map<std::string, ExprPtr>& names) {
    std::map<std::string, ExprPtr> inside = names;
    for (const auto& [local, count] : binding_counts(function.body)) inside.erase(local);
    for (const Parameter& parameter : function.parameters) inside.erase(parameter.name);
    const auto rename = [&](const ExprPtr& e) { return replace_names(e, names); };
    Stmt copy = *with_parts(one, rename, [&](const Body& body) { return renamed(body, inside); });
    if (const auto own = names.find(function.name); own != names.end())
        std::get<FunctionStmt>(copy.node).name = std::string(name_of(own->second));
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace

bool returns_value(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& one) {
        const auto* done = std::get_if<ReturnStmt>(&one.node);
        found = found || (done && done->value && !is_none(done->value));
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return found;
}

StmtPtr raise_for_none(const Span& span, const std::string& why) {
    const ExprPtr error =
        make_call("NotImplementedError", {std::make_shared<const code::Expr>(code::Expr{ConstantExpr{why}, span})}, span);
    return as_statement(AssertStmt{make_boolean(false, span), error, true}, span);
}

bool has_return(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& one) {
        found = found || std::holds_alternative<ReturnStmt>(one.node);
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return found;
}

Body single_exit(const Body& body, const std::string& result, const std::string& returned) {
    return SingleExit(result, returned).of(body, 0, false);
}

namespace {

/// The tuple that the statement assigns to the name; null for any other statement.
const TupleExpr* tuple_for(const Stmt& one, const std::string& name) {
    const auto* assign = std::get_if<AssignStmt>(&one.node);
    const bool of_name = assign && assign->targets.size() == 1 && name_of(assign->targets[0]) == name;
    return of_name ? std::get_if<TupleExpr>(&assign->value->node) : nullptr;
}

Body with_names_for_parts(const Body& body, const std::string& result) {
    Body out;
    for (const StmtPtr& one : body) {
        const TupleExpr* tuple = tuple_for(*one, result);
        if (!tuple) {
            out.push_back(with_parts(
                one, [](const ExprPtr& e) { return e; }, [&](const Body& inside) { return with_names_for_parts(inside, result); }));
            continue;
        }
        for (std::size_t at = 0; at < tuple->elements.size(); ++at)
            out.push_back(make_assignment(make_name(result + "_" + std::to_string(at)), tuple->elements[at], one->span));
    }
    return out;
}

}  // namespace

Body with_parts_of_result(const Body& body, const std::string& result) {
    std::set<std::size_t> sizes;
    bool tuples = true;
    walk_statements(body, [&](const Stmt& one) {
        const auto* assign = std::get_if<AssignStmt>(&one.node);
        if (!assign || assign->targets.size() != 1 || name_of(assign->targets[0]) != result) return true;
        const TupleExpr* tuple = tuple_for(one, result);
        tuples = tuples && tuple && std::ranges::none_of(tuple->elements, [](const ExprPtr& e) {
                     return std::holds_alternative<StarredExpr>(e->node) || is_none(e);
                 });
        if (tuple) sizes.insert(tuple->elements.size());
        return true;
    });
    if (!tuples || sizes.size() != 1 || *sizes.begin() == 0) return body;
    Body out = with_names_for_parts(body, result);
    TupleExpr whole;
    for (std::size_t at = 0; at < *sizes.begin(); ++at) whole.elements.push_back(make_name(result + "_" + std::to_string(at)));
    out.push_back(make_assignment(make_name(result), make_expression(std::move(whole), {}), {}));
    return out;
}

Body renamed(const Body& body, const std::map<std::string, ExprPtr>& names) {
    Body result;
    const auto rename = [&](const ExprPtr& e) { return replace_names(e, names); };
    for (const StmtPtr& one : body) {
        const auto* function = std::get_if<FunctionStmt>(&one->node);
        result.push_back(function ? renamed_function(one, *function, names)
                                  : with_parts(one, rename, [&](const Body& inside) { return renamed(inside, names); }));
    }
    return result;
}

}  // namespace sluice::frontend
