#include "analysis/cost/operations.h"

#include <algorithm>

#include "code/walk.h"

namespace sluice::analysis {

namespace {

// Functions that are a handful of instructions; all others are calls.
bool is_cheap(const std::string& name) {
    const auto dot = name.rfind('.');
    static constexpr std::string_view cheap[] = {
        "abs",  "fabs",  "min",   "max",   "minimum", "maximum", "fmin",   "fmax",   "where",   "sqrt",    "square",  "floor",
        "ceil", "conj",  "real",  "imag",  "int",     "float",   "bool",   "sign",   "rint",    "clip",    "isnan",   "isinf",
        "int8", "int16", "int32", "int64", "uint8",   "uint16",  "uint32", "uint64", "float32", "float64", "isfinite"};
    return std::ranges::find(cheap, std::string_view(name).substr(dot == std::string::npos ? 0 : dot + 1)) != std::end(cheap);
}

class OperationCounter {
public:
    void statement(const code::Stmt& s) {
        std::visit(code::Overloaded{
                       [&](const code::AssignStmt& n) {
                           for (const code::ExprPtr& target : n.targets) expression(*target);
                           expression(*n.value);
                       },
                       [&](const code::AugAssignStmt& n) {
                           ++cost.operations;
                           expression(*n.target), expression(*n.target), expression(*n.value);
                       },
                       [&](const code::AnnAssignStmt& n) {
                           if (n.value) expression(*n.value);
                       },
                       [&](const code::ExprStmt& n) { expression(*n.value); },
                       [&](const code::IfStmt& n) {
                           expression(*n.condition);
                           dearer([&] { body(n.then_body); }, [&] { body(n.else_body); });
                       },
                       [&](const code::ForStmt& n) {
                           cost.loops = true;
                           body(n.body);
                       },
                       [&](const code::WhileStmt& n) {
                           cost.loops = true;
                           expression(*n.condition);
                           body(n.body);
                       },
                       [](const auto&) {},
                   },
                   s.node);
    }
    void body(const code::Body& statements) {
        for (const code::StmtPtr& s : statements) statement(*s);
    }

    CodeCost cost;

private:
    template <class One, class Other> void dearer(One&& one, Other&& other) {
        const CodeCost before = cost;
        one();
        const CodeCost first = std::exchange(cost, before);
        other();
        cost.operations = std::max(cost.operations, first.operations);
        cost.calls = std::max(cost.calls, first.calls);
        for (const auto& [name, count] : first.subscripts) cost.subscripts[name] = std::max(cost.subscripts[name], count);
        cost.loops = cost.loops || first.loops;
        cost.branches = true;
    }

    void expression(const code::Expr& e) {
        if (const auto* choice = std::get_if<code::ConditionalExpr>(&e.node)) {
            ++cost.operations;
            expression(*choice->condition);
            return dearer([&] { expression(*choice->if_true); }, [&] { expression(*choice->if_false); });
        }
        std::visit(
            code::Overloaded{
                [&](const code::UnaryExpr& n) {
                    cost.operations += std::holds_alternative<code::ConstantExpr>(n.operand->node) ? 0 : 1;
                },
                [&](const code::BinaryExpr& n) { ++(n.op == code::BinaryOp::Pow ? cost.calls : cost.operations); },
                [&](const code::BoolExpr& n) { cost.operations += static_cast<std::int64_t>(n.operands.size()) - 1; },
                [&](const code::CompareExpr& n) { cost.operations += static_cast<std::int64_t>(n.ops.size()); },
                [&](const code::CallExpr& n) { ++(is_cheap(code::dotted_name(*n.function)) ? cost.operations : cost.calls); },
                [&](const code::SubscriptExpr& n) {
                    if (const auto* name = std::get_if<code::NameExpr>(&n.object->node)) ++cost.subscripts[name->id];
                },
                [](const auto&) {},
            },
            e.node);
        code::for_each_child(e, [&](const code::ExprPtr& child) { expression(*child); });
    }
};

}  // namespace

CodeCost cost_of(const code::Body& body) {
    OperationCounter counter;
    counter.body(body);
    return std::move(counter.cost);
}

}  // namespace sluice::analysis
