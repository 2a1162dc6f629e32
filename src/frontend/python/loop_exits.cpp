#include "frontend/python/loop_exits.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::int64_t kGoesOn = 0, kIterationEnded = 1, kLoopLeft = 2;

bool is_exit(const StmtPtr& one) {
    return std::holds_alternative<BreakStmt>(one->node) || std::holds_alternative<ContinueStmt>(one->node);
}

StmtPtr statement_of(auto node, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}

StmtPtr set(const ExprPtr& left, std::int64_t value, const Span& span) {
    return make_assignment(left, make_integer(value), span);
}

/// Every path through the body ends with an exit.
bool always_leaves(const Body& body) {
    return std::ranges::any_of(body, [](const StmtPtr& one) {
        const auto* choice = std::get_if<IfStmt>(&one->node);
        return is_exit(one) || (choice && always_leaves(choice->then_body) && always_leaves(choice->else_body));
    });
}

Body joined(Body first, const Body& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace

bool leaves_iteration(const Body& body) {
    return std::ranges::any_of(body, [](const StmtPtr& one) {
        const auto* loop = std::get_if<ForStmt>(&one->node);
        const auto* repeated = std::get_if<WhileStmt>(&one->node);
        if ((loop && leaves_iteration(loop->else_body)) || (repeated && leaves_iteration(repeated->else_body)))
            unsupported("break and continue of a loop over a tuple in the else clause of another loop", one->span, "use a flag");
        const auto* choice = std::get_if<IfStmt>(&one->node);
        return is_exit(one) || (choice && (leaves_iteration(choice->then_body) || leaves_iteration(choice->else_body)));
    });
}

Body without_exits(const Body& iteration, const ExprPtr& left) {
    Body result;
    for (std::size_t at = 0; at < iteration.size(); ++at) {
        const StmtPtr& one = iteration[at];
        if (is_exit(one)) {
            const bool breaks = std::holds_alternative<BreakStmt>(one->node);
            result.push_back(set(left, breaks ? kLoopLeft : kIterationEnded, one->span));
            return result;
        }
        const auto* choice = std::get_if<IfStmt>(&one->node);
        if (!choice || !leaves_iteration({one})) {
            result.push_back(one);
            continue;
        }
        const Body rest(iteration.begin() + static_cast<std::ptrdiff_t>(at) + 1, iteration.end());
        const bool then_leaves = always_leaves(choice->then_body), else_leaves = always_leaves(choice->else_body);
        if (then_leaves || else_leaves) {
            const Body then_body = then_leaves ? choice->then_body : joined(choice->then_body, rest);
            const Body else_body = else_leaves ? choice->else_body : joined(choice->else_body, rest);
            result.push_back(
                statement_of(IfStmt{choice->condition, without_exits(then_body, left), without_exits(else_body, left)}, one->span));
            return result;
        }
        result.push_back(statement_of(
            IfStmt{choice->condition, without_exits(choice->then_body, left), without_exits(choice->else_body, left)}, one->span));
        const ExprPtr goes_on = make_compare(left, CompareOp::Eq, make_integer(kGoesOn), one->span);
        if (!rest.empty()) result.push_back(statement_of(IfStmt{goes_on, without_exits(rest, left), {}}, one->span));
        return result;
    }
    return result;
}

Body one_by_one(const std::vector<Body>& iterations, const ExprPtr& left) {
    Body result;
    for (auto iteration = iterations.rbegin(); iteration != iterations.rend(); ++iteration) {
        const Span& span = left->span;
        Body next{set(left, kGoesOn, span)};
        next = joined(std::move(next), without_exits(*iteration, left));
        const ExprPtr stays = make_compare(left, CompareOp::Ne, make_integer(kLoopLeft), span);
        if (!result.empty() && has_break(*iteration))
            next.push_back(statement_of(IfStmt{stays, std::move(result), {}}, span));
        else
            next = joined(std::move(next), result);
        result = std::move(next);
    }
    return result;
}

bool leaves_early(const Body& body) {
    bool leaves = false;
    walk_statements(body, [&](const Stmt& statement) {
        leaves = leaves || std::holds_alternative<BreakStmt>(statement.node) ||
                 std::holds_alternative<ContinueStmt>(statement.node) || std::holds_alternative<ReturnStmt>(statement.node);
        return !leaves;
    });
    return leaves;
}

std::optional<Body> counted_without_end(const ForStmt& loop, const CallExpr& count, const std::string& counter, const Span& span) {
    const auto statement = [&](auto node) { return std::make_shared<const Stmt>(Stmt{std::move(node), span}); };
    ExprPtr begin = make_integer(0, span), step = make_integer(1, span);
    if (count.arguments.size() > 2) return std::nullopt;
    if (!count.arguments.empty()) begin = count.arguments[0];
    if (count.arguments.size() > 1) step = count.arguments[1];
    for (const Keyword& keyword : count.keywords)
        if (keyword.name == "start" && count.arguments.empty())
            begin = keyword.value;
        else if (keyword.name == "step" && count.arguments.size() < 2)
            step = keyword.value;
        else
            return std::nullopt;
    const ExprPtr next = make_name(counter, span), by = make_name(counter + "_step", span);
    Body turn{make_assignment(loop.target, next, span), make_assignment(next, make_binary(BinaryOp::Add, next, by, span), span)};
    turn.insert(turn.end(), loop.body.begin(), loop.body.end());
    return Body{make_assignment(next, begin, span), make_assignment(by, step, span),
                statement(WhileStmt{make_boolean(true, span), std::move(turn), {}})};
}

}  // namespace sluice::frontend
