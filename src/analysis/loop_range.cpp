#include "analysis/loop_range.h"

#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::analysis {

using symbolic::Expr;
using symbolic::Range;

namespace {

/// The value that a one-line assignment to `name` gives it.
std::optional<Expr> assigned_value(const std::optional<ir::CodeBlock>& code, const std::string& name) {
    if (!code || code->language != ir::Language::Python) return std::nullopt;
    const Result<code::Body> body = ir::parsed_body(*code);
    if (!body.ok() || body->size() != 1) return std::nullopt;
    const auto is_name = [&](const code::Expr& target) {
        const auto* found = std::get_if<code::NameExpr>(&target.node);
        return found && found->id == name;
    };
    const auto symbolic_of = [](const code::Expr& e) -> std::optional<Expr> {
        const Result<Expr> value = ir::to_symbolic(e);
        return value.ok() ? std::optional(*value) : std::nullopt;
    };
    if (const auto* assign = std::get_if<code::AssignStmt>(&(*body)[0]->node)) {
        if (assign->targets.size() != 1 || !is_name(*assign->targets[0])) return std::nullopt;
        return symbolic_of(*assign->value);
    }
    if (const auto* augmented = std::get_if<code::AugAssignStmt>(&(*body)[0]->node)) {
        const std::optional<Expr> by = is_name(*augmented->target) ? symbolic_of(*augmented->value) : std::nullopt;
        if (by && augmented->op == code::BinaryOp::Add) return symbolic::symbol(name) + *by;
        if (by && augmented->op == code::BinaryOp::Sub) return symbolic::symbol(name) - *by;
    }
    return std::nullopt;
}

/// The exclusive end that a condition on `name` sets, for a step of the given sign.
std::optional<Expr> end_of(const std::string& text, const std::string& name, bool upwards) {
    const Result<code::ExprPtr> parsed = ir::parsed_expr(text);
    if (!parsed.ok()) return std::nullopt;
    const auto* compare = std::get_if<code::CompareExpr>(&(*parsed)->node);
    if (!compare || compare->ops.size() != 1) return std::nullopt;
    Result<Expr> left = ir::to_symbolic(*compare->operands[0]), right = ir::to_symbolic(*compare->operands[1]);
    if (!left.ok() || !right.ok()) return std::nullopt;
    using code::CompareOp;
    CompareOp op = compare->ops[0];
    if (right->is_symbol(name)) {
        std::swap(*left, *right);
        op = op == CompareOp::Lt   ? CompareOp::Gt
             : op == CompareOp::Le ? CompareOp::Ge
             : op == CompareOp::Gt ? CompareOp::Lt
             : op == CompareOp::Ge ? CompareOp::Le
                                   : op;
    }
    if (!left->is_symbol(name) || symbolic::depends_on(*right, name)) return std::nullopt;
    if (upwards && op == CompareOp::Lt) return *right;
    if (upwards && op == CompareOp::Le) return *right + 1;
    if (!upwards && op == CompareOp::Gt) return *right;
    if (!upwards && op == CompareOp::Ge) return *right - 1;
    return std::nullopt;
}

bool reads_data(const Expr& e) {
    if (e.kind() == symbolic::Kind::Call) return true;
    for (const Expr& part : e.operands())
        if (reads_data(part)) return true;
    return false;
}

}  // namespace

std::optional<Range> loop_range(const ir::LoopRegion& loop) {
    if (loop.variable.empty() || !loop.condition || loop.inverted) return std::nullopt;
    const std::optional<Expr> begin = assigned_value(loop.init, loop.variable);
    const std::optional<Expr> next = assigned_value(loop.update, loop.variable);
    if (!begin || !next) return std::nullopt;
    const std::optional<std::int64_t> step = (*next - symbolic::symbol(loop.variable)).constant();
    if (!step || *step == 0) return std::nullopt;
    const std::optional<Expr> end = end_of(loop.condition->text, loop.variable, *step > 0);
    if (!end || reads_data(*begin) || reads_data(*end)) return std::nullopt;
    ir::Sdfg body;
    body.body = loop.body;
    for (const std::string& name : ir::assigned_symbols(body))
        if (name == loop.variable || symbolic::depends_on(*begin, name) || symbolic::depends_on(*end, name)) return std::nullopt;
    return Range{*begin, *end, Expr(*step), 1};
}

void assume_in(symbolic::Assumptions& known, const std::string& name, const Range& range) {
    const std::optional<std::int64_t> step = range.step.constant(), extent = (range.end - range.begin).constant();
    if (step && extent && (*step > 0 ? *extent <= 0 : *extent >= 0))
        known.assume_any(name);  // never reached: facts that contradict one another would prove anything
    else if (step && *step > 0)
        known.assume_in(name, range.begin, range.end);
    else if (step && *step < 0)
        known.assume_in(name, range.end + 1, range.begin + 1);
    else
        known.assume_any(name);
}

}  // namespace sluice::analysis
