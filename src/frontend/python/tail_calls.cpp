// A call of the function itself that is all that a return returns is the next turn of a loop:
//     def gcd(a, b):                    def gcd(a, b):
//         if b == 0:                        while True:
//             return a             ->           if b == 0:
//         return gcd(b, a % b)                      return a
//                                               a, b = b, a % b
// Values are assigned all at once, as arguments are evaluated before any parameter has its new value.
#include "frontend/python/tail_calls.h"

#include <functional>

#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

struct OtherCall {};

class TailCalls {
public:
    explicit TailCalls(const FunctionStmt& function) : function_(function) {}

    Body loop() {
        Body turn = of(function_.body);
        if (!ends(turn)) turn.push_back(statement(ReturnStmt{nullptr}, function_.body.back()->span));
        return {statement(WhileStmt{make_boolean(true), std::move(turn), {}}, function_.body.front()->span)};
    }
    bool found() const { return found_; }

private:
    static StmtPtr statement(auto node, const Span& span) { return std::make_shared<const Stmt>(Stmt{std::move(node), span}); }
    bool calls_itself(const ExprPtr& e) const {
        bool calls = name_of(e) == function_.name;
        for_each_child(*e, [&](const ExprPtr& child) { calls = calls || calls_itself(child); });
        return calls;
    }
    void refuse_calls(const StmtPtr& one) const {
        walk_statements({one}, [&](const Stmt& inner) {
            for_each_expr(inner, [&](const ExprPtr& e) {
                if (calls_itself(e)) throw OtherCall{};
            });
            return true;
        });
    }
    static bool ends(const Body& body) {
        if (body.empty()) return false;
        const Stmt& last = *body.back();
        if (const auto* choice = std::get_if<IfStmt>(&last.node)) return ends(choice->then_body) && ends(choice->else_body);
        const auto* asserts = std::get_if<AssertStmt>(&last.node);
        return std::holds_alternative<ReturnStmt>(last.node) || std::holds_alternative<ContinueStmt>(last.node) ||
               (asserts && asserts->raises);
    }
    Body of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) {
            if (const auto* choice = std::get_if<IfStmt>(&one->node)) {
                if (calls_itself(choice->condition)) throw OtherCall{};
                out.push_back(statement(IfStmt{choice->condition, of(choice->then_body), of(choice->else_body)}, one->span));
            } else if (const auto* done = std::get_if<ReturnStmt>(&one->node); done && done->value) {
                add_return(done->value, one->span, out);
            } else {
                refuse_calls(one);
                out.push_back(one);
            }
        }
        return out;
    }
    void add_return(const ExprPtr& value, const Span& span, Body& out) {
        if (!calls_itself(value)) return out.push_back(statement(ReturnStmt{value}, span));
        if (const auto* choice = std::get_if<ConditionalExpr>(&value->node)) {
            if (calls_itself(choice->condition)) throw OtherCall{};
            Body first, second;
            add_return(choice->if_true, span, first);
            add_return(choice->if_false, span, second);
            return out.push_back(statement(IfStmt{choice->condition, std::move(first), std::move(second)}, span));
        }
        const auto* call = std::get_if<CallExpr>(&value->node);
        if (!call || name_of(call->function) != function_.name || !call->keywords.empty() ||
            call->arguments.size() != function_.parameters.size())
            throw OtherCall{};
        TupleExpr targets, values;
        for (std::size_t at = 0; at < call->arguments.size(); ++at) {
            const Parameter& parameter = function_.parameters[at];
            const ExprPtr& argument = call->arguments[at];
            if (calls_itself(argument) || parameter.kind != Parameter::Kind::Either) throw OtherCall{};
            if (name_of(argument) == parameter.name) continue;  // It stays what it is.
            targets.elements.push_back(make_name(parameter.name, span));
            values.elements.push_back(argument);
        }
        found_ = true;
        const auto tuple = [&](TupleExpr& all) {
            return all.elements.size() == 1 ? all.elements[0] : std::make_shared<const code::Expr>(code::Expr{all, span});
        };
        if (!targets.elements.empty()) out.push_back(make_assignment(tuple(targets), tuple(values), span));
        out.push_back(statement(ContinueStmt{}, span));
    }

    const FunctionStmt& function_;
    bool found_ = false;
};

}  // namespace

StmtPtr as_loop(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    try {
        TailCalls calls(before);
        definition.body = calls.loop();
        if (!calls.found()) return nullptr;
    } catch (const OtherCall&) {
        return nullptr;
    }
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
