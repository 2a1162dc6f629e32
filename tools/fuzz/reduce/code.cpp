// Simpler tasklets: an expression becomes one of its operands or 1, a statement goes.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "fuzz/reduce/edits.h"
#include "ir/code_block.h"

namespace sluice::fuzz {

namespace {

using code::Body;
using code::ExprPtr;
using code::StmtPtr;

ExprPtr constant(std::int64_t value) {
    return std::make_shared<const code::Expr>(code::Expr{code::ConstantExpr{value}, {}});
}

/// Numbers what can be done to a tree and does one of it.
class Simplification {
public:
    explicit Simplification(std::size_t at) : left_(at) {}
    bool done() const { return done_; }
    std::size_t left() const { return left_; }

    Body body(const Body& statements) {
        Body result;
        for (const StmtPtr& statement : statements) {
            if (take()) continue;
            if (const auto* branch = std::get_if<code::IfStmt>(&statement->node)) {
                if (take()) {
                    result.insert(result.end(), branch->then_body.begin(), branch->then_body.end());
                    continue;
                }
                if (take()) {
                    result.insert(result.end(), branch->else_body.begin(), branch->else_body.end());
                    continue;
                }
            }
            result.push_back(this->statement(statement));
        }
        return result;
    }

    ExprPtr expression(const ExprPtr& e) {
        if (done_ || !e) return e;
        const bool leaf = std::holds_alternative<code::ConstantExpr>(e->node);
        if (!leaf && take()) return constant(1);
        ExprPtr chosen;
        if (!std::holds_alternative<code::CallExpr>(e->node) && !std::holds_alternative<code::SubscriptExpr>(e->node))
            code::for_each_child(*e, [&](const ExprPtr& child) {
                if (!chosen && take()) chosen = child;
            });
        if (const auto* call = std::get_if<code::CallExpr>(&e->node))
            for (const ExprPtr& argument : call->arguments)
                if (!chosen && take()) chosen = argument;
        if (chosen) return chosen;
        return rebuilt(e);
    }

private:
    bool take() {
        if (done_) return false;
        if (left_ > 0) {
            --left_;
            return false;
        }
        return done_ = true;
    }

    StmtPtr statement(const StmtPtr& s) {
        if (done_) return s;
        code::Stmt copy = *s;
        std::visit(code::Overloaded{
                       [&](code::AssignStmt& n) { n.value = expression(n.value); },
                       [&](code::AugAssignStmt& n) { n.value = expression(n.value); },
                       [&](code::IfStmt& n) {
                           n.condition = expression(n.condition);
                           n.then_body = body(n.then_body);
                           n.else_body = body(n.else_body);
                       },
                       [&](code::ForStmt& n) {
                           n.iterable = expression(n.iterable);
                           n.body = body(n.body);
                       },
                       [&](code::WhileStmt& n) { n.body = body(n.body); },
                       [](auto&) {},
                   },
                   copy.node);
        return std::make_shared<const code::Stmt>(std::move(copy));
    }

    ExprPtr rebuilt(const ExprPtr& e) {
        code::Expr copy = *e;
        const auto all = [&](std::vector<ExprPtr>& children) {
            for (ExprPtr& child : children) child = expression(child);
        };
        std::visit(code::Overloaded{
                       [&](code::UnaryExpr& n) { n.operand = expression(n.operand); },
                       [&](code::BinaryExpr& n) { n.left = expression(n.left), n.right = expression(n.right); },
                       [&](code::BoolExpr& n) { all(n.operands); },
                       [&](code::CompareExpr& n) { all(n.operands); },
                       [&](code::ConditionalExpr& n) {
                           n.condition = expression(n.condition);
                           n.if_true = expression(n.if_true), n.if_false = expression(n.if_false);
                       },
                       [&](code::CallExpr& n) { all(n.arguments); },
                       [&](code::SubscriptExpr& n) { n.index = expression(n.index); },
                       [](auto&) {},
                   },
                   copy.node);
        return std::make_shared<const code::Expr>(std::move(copy));
    }

    std::size_t left_;
    bool done_ = false;
};

bool simplify_code(TestCase& test, std::size_t at) {
    for (const auto& [graph, state] : states_of(test.sdfg))
        for (auto [id, node] : state->nodes) {
            auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
            if (!tasklet || tasklet->code.language != ir::Language::Python) continue;
            const Result<Body> body = ir::parsed_body(tasklet->code);
            if (!body) continue;
            Simplification simplification(at);
            const Body simpler = simplification.body(*body);
            at = simplification.left();
            if (!simplification.done()) continue;
            tasklet->code.text = code::to_string(simpler);
            while (tasklet->code.text.ends_with('\n')) tasklet->code.text.pop_back();
            return true;
        }
    return false;
}

}  // namespace

std::vector<EditFamily> code_edits() {
    return {{"simplify code", simplify_code}};
}

}  // namespace sluice::fuzz
