// What only the run can tell is checked once, in front of what relies on it: a state with one tasklet, `assert N == M, "..."`. It
// ends the program with the sentence and the line (A009). What is known already needs no check, what is known to be wrong is
// refused.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

ExprPtr text_literal(const std::string& text, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{ConstantExpr{text}, span});
}

std::string in_words(const Expr& size) {
    return symbolic::to_string(size);
}

}  // namespace

/// Whether the condition is the same at the beginning of the program, which surely comes here: nothing but arguments decides.
bool ArrayProgram::holds_throughout(const ExprPtr& condition) const {
    if (!surely_reached()) return false;
    return std::ranges::none_of(ir::free_names(*condition),
                                [&](const std::string& name) { return defined_symbols_.contains(name); });
}

/// Whether the check stands in front of everything: an exception comes before those behind it, and behind what is changed before.
bool ArrayProgram::stands_in_front(const ExprPtr& condition, const Exception& exception) const {
    if (std::holds_alternative<ConstantExpr>(condition->node)) return false;  // `raise`.
    const auto at_entry = [&](const ExprPtr& value) { return holds_throughout(value); };
    if (!at_entry(condition) || !std::ranges::all_of(exception.values, at_entry)) return false;
    const Ahead ahead = ahead_of_changes();
    if (loop_raises_ && ahead == Ahead::Repeats) return true;
    if (!exception.name.empty()) return !raises_;
    return !program_raises_ && (!raises_ || ahead != Ahead::Never);
}

namespace {

/// What the check says. `repeats`: to a caller that begins again.
ExprPtr sentence_of(const std::string& message, const ArrayProgram::Exception& exception, bool repeats, const Span& span) {
    const std::string& name = exception.name;
    if (name.empty() && !repeats) return text_literal(message, span);
    const bool has_type = name == "raised";  // In its sentence.
    std::vector<ExprPtr> arguments{
        text_literal((repeats && !has_type ? (name.empty() ? "ValueError" : name) + ": " : "") + message, span)};
    arguments.insert(arguments.end(), exception.values.begin(), exception.values.end());
    return make_call(repeats ? "ahead" : name, std::move(arguments), span);
}

}  // namespace

/// `condition` is code over symbols.
void ArrayProgram::require(const ExprPtr& condition, const std::string& message, const Span& span, const Exception& exception) {
    if (const Span blamed = reported_at(span); !(blamed == span)) return require(condition, message, blamed, exception);
    refuse_flat();
    const std::pair<std::string, std::set<std::string>> made{code::to_string(*condition), ir::free_names(*condition)};
    if (std::ranges::find(checks_made_, made) != checks_made_.end()) return;
    const bool in_front = stands_in_front(condition, exception);
    // In front of everything, or in front of a loop that is the first to change anything.
    const bool overtakes = in_front ? raises_ || loop_raises_ : loop_raises_ && !raises_ && surely_reached();
    const bool repeats = overtakes && ahead_of_changes() == Ahead::Repeats;
    const Body body{
        std::make_shared<const Stmt>(Stmt{AssertStmt{condition, sentence_of(message, exception, repeats, span)}, span})};
    std::string text = code::to_string(body);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    ir::Tasklet tasklet = python_tasklet("check", text);
    tasklet.side_effects = true;
    need_symbols(ir::free_names(*condition));
    for (const ExprPtr& value : exception.values) need_symbols(ir::free_names(*value));
    checks_made_.push_back(made);
    PlannedCode check{std::move(tasklet), {}, {}, span};
    if (in_front) return entry_checks_.push_back(std::move(check));
    raises_ = raises_ || !repeats;
    program_raises_ = program_raises_ || exception.name == "raised";
    const Restored place(where_, span);
    emit_state("check", {std::move(check)});
}

/// What the arguments decide stands in front, where it keeps no states of the program apart.
void ArrayProgram::emit_entry_checks() {
    for (std::size_t at = entry_checks_.size(); at-- > 0;) {
        const ir::BlockId next = sdfg_.body.start;
        ir::Block block{.label = fresh_label("check"), .kind = Cow<ir::State>(), .metadata = {}};
        block.metadata.where = entry_checks_[at].where;
        const ir::BlockId first = ir::add_block(sdfg_.body, std::move(block));
        emit(ir::edit_state(sdfg_.body, first), {entry_checks_[at]}, view_of_);
        ir::add_transition(sdfg_.body, first, next, {}, {});
        sdfg_.body.start = first;
    }
}

/// The sizes are equal, or the program ends: whoever goes on may take one for the other.
void ArrayProgram::require_equal(const Expr& a, const Expr& b, const std::string& what, const Span& span) {
    if (same_size(a, b)) return;
    const std::string message = what + ": sizes " + in_words(a) + " and " + in_words(b) + " differ";
    if (symbolic::is_no(symbolic::decide(symbolic::equal(a, b), assumptions_)))
        refuse("F004", message, span, "make both sizes the same expression");
    require(make_compare(ir::to_code(a), CompareOp::Eq, ir::to_code(b), span), message, span);
    checked_.emplace_back(a, b);
}

/// The index lies in its dimension, counted from its end where it is negative.
void ArrayProgram::require_inside(const Expr& at, const Expr& size, std::size_t axis, const Span& span) {
    if (at.is_integer() && size.is_integer() && at.integer() < size.integer() && -size.integer() <= at.integer()) return;
    const ExprPtr index = ir::to_code(at), extent = ir::to_code(size);
    const ExprPtr inside = std::make_shared<const code::Expr>(
        code::Expr{CompareExpr{{CompareOp::Le, CompareOp::Lt}, {make_unary(UnaryOp::Minus, extent, span), index, extent}}, span});
    require(inside, "index {} is out of bounds for axis " + std::to_string(axis) + " with size {}", span,
            {"IndexError", {index, extent}});
}

void ArrayProgram::require_inside(const Value& indices, const Expr& size, std::size_t axis, const Span& span) {
    Reduction all;
    all.initial = integer(0);
    Expr count = 1;
    for (std::size_t dim = 0; dim < indices.rank(); ++dim) {
        all.axes.push_back(static_cast<std::int64_t>(dim));
        count = count * indices.shape[dim];
    }
    const Value whole = cast(indices, Scalar::Int64, span);
    const Expr largest = integer_of(reduce(whole, "max", all, span), span, "largest");
    const Expr least = integer_of(reduce(whole, "min", all, span), span, "least");
    const auto either = [&](bool is_and, const ExprPtr& a, const ExprPtr& b) {
        return std::make_shared<const code::Expr>(code::Expr{BoolExpr{is_and, {a, b}}, span});
    };
    const ExprPtr extent = ir::to_code(size);
    const ExprPtr below = make_compare(ir::to_code(largest), CompareOp::Lt, extent, span);
    const ExprPtr above = make_compare(ir::to_code(least), CompareOp::Ge, make_unary(UnaryOp::Minus, extent, span), span);
    const ExprPtr none = make_compare(ir::to_code(count), CompareOp::Eq, make_integer(0), span);
    const ExprPtr worst = make_conditional(below, ir::to_code(least), ir::to_code(largest), span);
    require(either(false, either(true, below, above), none),
            "index {} is out of bounds for axis " + std::to_string(axis) + " with size {}", span, {"IndexError", {worst, extent}});
}

/// The size is not 0. A symbol of the caller's counts as positive elsewhere, but an array may be empty.
void ArrayProgram::require_positive(const Expr& size, const std::string& what, const Span& span) {
    if (size.is_integer()) {
        if (!size.is_integer(0)) return;
        refuse("F004", what, span, "pass an array with elements");
    }
    require(make_compare(ir::to_code(size), CompareOp::Gt, make_integer(0), span), what, span);
}

void ArrayProgram::require_not_negative(const Expr& size, const std::string& what, const Span& span) {
    const Expr fine = symbolic::less_equal(0, size);
    if (symbolic::is_yes(symbolic::decide(fine, assumptions_))) return;
    if (symbolic::is_no(symbolic::decide(fine, assumptions_))) refuse("F004", what, span, "use sizes of 0 and more");
    require(make_compare(ir::to_code(size), CompareOp::Ge, make_integer(0), span), what, span);
}

/// A reduction along the axes that has no neutral element needs elements.
void ArrayProgram::require_elements(const Value& value, const std::vector<std::int64_t>& axes, const std::string& what,
                                    const Span& span) {
    Expr count = 1;
    for (const std::int64_t axis : axes) count = count * value.shape[static_cast<std::size_t>(axis)];
    require_positive(count, what, span);
}
}  // namespace sluice::frontend
