// An index that leaves its dimension raises IndexError, as in Python, where a comparison costs next to nothing: outside of loops
// and in `while` in front of the statement, and once in front of `for` loops for what their iterations surely reach:
//     for i in range(a, b): s += x[i + k]   ->   assert not a < b or b - 1 + k < N; assert not a < b or -N <= a + k; for ...
// Each loop leaves the two iterations that may be extreme, so that what is compared is an index of some iteration: a comparison
// that fails is Python's error, of whatever form the index is; that of an affine index finds every error. Where a loop inside has
// bounds of the iteration, its end is what compares, and behind a condition the condition does:
//     for i in range(n):                        for i in range(n):
//         for j in range(p[i], p[i + 1]): x[j]      end = p[i + 1] if <j inside> else p[i]; for j in range(p[i], end): x[j]
//         if c[i]: x[i + k] = 1                     if c[i] and <i + k inside>: x[i + k] = 1
// so that subsets stay affine. An index that data decide, or symbols that the iteration moves, is compared by the code that reads
// or writes: x[checked_index(col[j], N, 0)], a pure function to every pass, which leaves compiled loops by an exception.
#include "frontend/python/bounds.h"

#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/domain.h"
#include "frontend/python/lazy.h"
#include "frontend/python/magnitudes.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Truth;

namespace {

std::set<std::string> symbols_of(const IndexInLoop& index) {
    std::set<std::string> symbols = symbolic::free_symbols(index.at);
    for (const Expr& part : {index.size, index.reported}) symbols.merge(symbolic::free_symbols(part));
    for (const Expr& condition : index.reached) symbols.merge(symbolic::free_symbols(condition));
    return symbols;
}

IndexInLoop substituted(const IndexInLoop& index, const symbolic::Substitution& values) {
    IndexInLoop result = index;
    for (Expr* part : {&result.at, &result.size, &result.reported}) *part = symbolic::substitute(*part, values);
    for (Expr& condition : result.reached) condition = symbolic::substitute(condition, values);
    return result;
}

/// The first index outside that goes `by` further with each iteration, of one that leaves the dimension on its way.
Expr first_outside(const Expr& from, const Expr& by, const Expr& size) {
    const Expr steps = by.integer() > 0 ? symbolic::ceil_divide(size - from, by) : symbolic::floor_divide(from + size, -by) + 1;
    return from + symbolic::maximum(0, steps) * by;
}

}  // namespace

/// The value of an index in some iteration of the loops from `loop` inwards that surely leaves the dimension. Affine indices are
/// extreme where every loop is at its first or last iteration.
std::optional<Expr> Bounds::outside_in_loops(const Expr& at, const Expr& size, std::size_t loop,
                                             symbolic::Substitution& values) const {
    const auto sure = [&](const Expr& condition, const symbolic::Assumptions& known) {
        return symbolic::is_yes(symbolic::decide(condition, known));
    };
    if (loop == t_.sure_loops_.size()) {
        const Expr value = symbolic::substitute(at, values), extent = symbolic::substitute(size, values);
        const bool outside = sure(symbolic::less_equal(extent, value), t_.assumptions_) ||
                             sure(symbolic::less(value, Expr(0) - extent), t_.assumptions_);
        return outside ? std::optional(value) : std::nullopt;
    }
    const SureLoop& around = t_.sure_loops_[loop];
    const Expr begin = symbolic::substitute(around.begin, values), end = symbolic::substitute(around.end, values);
    const bool up = around.step.integer() > 0;
    if (!sure(up ? symbolic::less(begin, end) : symbolic::less(end, begin), around.assumptions))
        return std::nullopt;  // May have no iteration.
    const Expr steps = symbolic::floor_divide(up ? end - 1 - begin : end + 1 - begin, around.step);
    for (const Expr& value : {begin + steps * around.step, begin}) {
        values.insert_or_assign(around.variable, value);
        auto found = outside_in_loops(at, size, loop + 1, values);
        values.erase(around.variable);
        if (found) return found;
    }
    return std::nullopt;
}

/// An index that surely lies outside, if it is reached: a path that need not be taken raises what Python does, and ends.
void Bounds::refuse_outside(const Expr& at, const Expr& size, std::size_t axis, const Span& span) {
    const std::string dimension = " lies outside of a dimension of size " + symbolic::to_string(size);
    const std::string remedy = "use an index between -size and size - 1";
    const auto sure = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, t_.assumptions_)); };
    const bool above = sure(symbolic::less_equal(size, at)), below = sure(symbolic::less(at, Expr(0) - size));
    const bool inside =
        sure(symbolic::less(at, size)) && sure(symbolic::less_equal(Expr(0) - size, at));  // Of a loop that never runs.
    if ((above || below) && !inside) {
        symbolic::Substitution values;
        const bool reached =
            t_.sure_loops_.empty() ? t_.depth_ == 0 && !t_.may_have_returned_ : outside_in_loops(at, size, 0, values).has_value();
        if (reached || !Domain(t_).may_end_path()) refuse("F007", "index " + symbolic::to_string(at) + dimension, span, remedy);
        t_.require(make_boolean(false, span), "index {} is out of bounds for axis " + std::to_string(axis) + " with size {}", span,
                   {"IndexError", {ir::to_code(at), ir::to_code(size)}});
        throw PathEnds{};
    }
    static constexpr std::size_t kDeepest = 6;  // Two iterations of each loop are looked at, in all combinations.
    const std::set<std::string> symbols = symbolic::free_symbols(at);
    const bool moves = std::ranges::any_of(t_.sure_loops_, [&](const SureLoop& loop) { return symbols.contains(loop.variable); });
    if (!moves || t_.sure_loops_.size() > kDeepest) return;
    symbolic::Substitution values;
    if (const auto value = outside_in_loops(at, size, 0, values))
        refuse("F007", "index " + symbolic::to_string(at) + " reaches " + symbolic::to_string(*value) + ", which" + dimension, span,
               remedy);
}

bool Bounds::at_once() const {
    if (Domain(t_).place() != Domain::Place::AtOnce) return false;
    for (const LoopFrame* frame = t_.frame_; frame; frame = frame->around)
        if (!std::holds_alternative<WhileStmt>(frame->statement->node)) return false;
    return true;
}

void Bounds::note(const Expr& at, const Expr& size, std::size_t axis, const Span& span) {
    if (Domain(t_).place() != Domain::Place::BehindLoops || !t_.reached_by_all_ || t_.frame_->chooses) return;
    if (Lazy(t_).surely_inside(at, size)) return;
    t_.frame_->indices.push_back({at, size, at, {}, {}, axis, IndexInLoop::Side::Either, {}, span});
}

void Bounds::note(const Value& at, const Expr& size, std::size_t axis, const Span& span) {
    std::map<std::string, std::string> numbers;
    const auto known = of_numbers(at, numbers);
    if (!known || !t_.frame_) return;
    const std::size_t before = t_.frame_->indices.size();
    note(*known, size, axis, span);
    if (t_.frame_->indices.size() > before) t_.frame_->indices.back().numbers = std::move(numbers);
}

/// An integer of symbols and of parameters that are numbers, which nothing assigns: an expression in their names.
std::optional<Expr> Bounds::of_numbers(const Value& value, std::map<std::string, std::string>& numbers) const {
    if (!value.is_scalar() || !(value.type.dtype == DType(Scalar::Int64))) return std::nullopt;
    for (const auto& [id, operand] : value.operands) {
        const auto& container = t_.container(operand.data);
        if (operand.whole || id != operand.data || container.transient || !(container.dtype == DType(Scalar::Int64)))
            return std::nullopt;
        numbers.emplace(id, operand.data);
    }
    const auto known = ir::to_symbolic(*value.code);
    return known.ok() ? std::optional(*known) : std::nullopt;
}

/// By its type, or by what was computed last: `x & 255`, `x % size`.
bool Bounds::surely_inside(const Value& at, const Expr& size) const {
    const auto below = [&](const Expr& largest) { return symbolic::is_yes(symbolic::decide(symbolic::less(largest, size), {})); };
    if (at.natural || (at.type.dtype == DType(Scalar::UInt8) && below(255))) return true;
    const auto* last = std::get_if<BinaryExpr>(&at.code->node);
    if (!last || (last->op != BinaryOp::BitAnd && last->op != BinaryOp::Mod)) return false;
    const auto bound = ir::to_symbolic(*last->right);
    if (!bound.ok()) return false;
    if (last->op == BinaryOp::Mod && *bound == size) return true;
    return bound->is_integer() && bound->integer() >= 0 && below(last->op == BinaryOp::Mod ? *bound - 1 : *bound);
}

/// Nothing else compares such an index.
bool Bounds::compares_in_place(const Value& at, const Expr& size) const {
    const bool compared = at_once() || (t_.context_.check_indices && !t_.lazy_);
    return !compared && t_.prelude_prefix_.empty() && !surely_inside(at, size);
}

ExprPtr Bounds::place_of(const Value& at, const Expr& size, std::size_t axis, const Span& span) const {
    if (!compares_in_place(at, size)) {
        if (!code::is_signed(at.type.dtype.scalar) || at.natural) return at.code;
        if (const auto known = t_.as_integer(at))
            return ir::to_code(symbolic::select(symbolic::less(*known, 0), *known + size, *known));
        return make_conditional(make_compare(at.code, CompareOp::Lt, make_integer(0)),
                                make_binary(BinaryOp::Add, at.code, ir::to_code(size)), at.code, span);
    }
    return inside(at, size, make_integer(static_cast<std::int64_t>(axis), span), span).code;
}

Value Bounds::inside(const Value& at, const Expr& size, const ExprPtr& axis, const Span& span) {
    Value place = at;
    const ExprPtr wide = at.type.dtype == DType(Scalar::Int64) ? at.code : make_call("int64", {at.code}, span);
    place.code = make_call("checked_index", {wide, ir::to_code(size), axis}, span);
    place.type = Type{DType(Scalar::Int64)};
    place.natural = true;
    return place;
}

Value Bounds::placed(const Value& at, const Expr& size, std::size_t axis, const Span& span) const {
    if (!compares_in_place(at, size)) return at;
    return inside(at, size, make_integer(static_cast<std::int64_t>(axis), span), span);
}

Expr Bounds::symbol_of_place(const Value& at, const Expr& size, std::size_t axis, const Span& span) const {
    if (t_.lazy_ || t_.flat_ || !compares_in_place(at, size)) return t_.integer_of(at, span, "at");
    const Expr symbol = t_.integer_of(placed(at, size, axis, span), span, "at");
    t_.assumptions_.assume(symbolic::less_equal(0, symbol));
    t_.assumptions_.assume(symbolic::less(symbol, size));
    return symbol;
}

bool Bounds::is_placed(const Span& span) const {
    return t_.context_.placed_indices.contains({span.line, span.column});
}

bool Bounds::only_in_place(const Expr& at, const Expr& size, const Span& span) const {
    const bool iterates = t_.frame_ && t_.prelude_prefix_.empty() && t_.map_params_.empty() && !t_.context_.check_indices;
    if (!iterates || at_once() || Lazy(t_).surely_inside(at, size)) return false;
    return !t_.reached_by_all_ || t_.frame_->chooses || t_.frame_->raises || is_placed(span);
}

/// Symbols that hold such numbers are replaced where the loop assigns them; false where it makes others.
bool Bounds::without(const std::set<std::string>& moved, IndexInLoop& index) const {
    for (const std::string& symbol : symbols_of(index)) {
        if (!moved.contains(symbol)) continue;
        const auto number = t_.integers_.find(symbol);
        const auto known = number == t_.integers_.end() ? std::nullopt : of_numbers(number->second, index.numbers);
        if (!known) return false;
        index = substituted(index, {{symbol, *known}});
    }
    return std::ranges::none_of(symbols_of(index), [&](const auto& one) { return moved.contains(one); });
}

std::vector<ExprPtr> Bounds::in_front(const LoopFrame& frame, const symbolic::Range& range) {
    std::vector<ExprPtr> inside;
    if (frame.chooses || !range.step.is_integer()) return inside;
    std::set<std::string> moved = frame.moved;
    for (const std::string& counter : frame.counters) moved.erase(counter);
    for (IndexInLoop index : frame.indices)
        if (without(moved, index))
            in_front(index, *frame.counters.begin(), range, inside);
        else
            place(index);
    return inside;
}

std::vector<ExprPtr> Bounds::in_branch(const Body& body, const std::string& condition, bool holds) {
    if (!t_.frame_) {
        t_.translate(body);
        return {};
    }
    const bool reached = Domain(t_).place() == Domain::Place::BehindLoops && !t_.frame_->chooses;
    std::vector<IndexInLoop> indices;
    const std::set<std::string> moved_before = std::exchange(t_.moved_, {});
    {
        const Restored collected(t_.frame_->indices, {});
        const Restored growing(t_.frame_->growing, {});
        const Restored by_all(t_.reached_by_all_, reached);
        t_.translate(body);
        indices = std::move(t_.frame_->indices);
        Magnitudes(t_).ask_in_place(t_.frame_->growing);
    }
    std::vector<ExprPtr> inside;
    const auto taken = ir::to_symbolic(*code::parse_expr(condition).or_fail());
    for (IndexInLoop& index : indices) {
        if (!without(t_.moved_, index) || !index.numbers.empty()) {  // A condition reads no containers.
            place(index);
            continue;
        }
        if (taken.ok()) index.taken = holds ? *taken : symbolic::logical_not(*taken);
        add(index, inside);
    }
    t_.moved_.insert(moved_before.begin(), moved_before.end());
    return inside;
}

std::string Bounds::text_of(const std::vector<ExprPtr>& inside) {
    std::string text;
    for (const ExprPtr& one : inside) text += (text.empty() ? "(" : " and (") + code::to_string(*one) + ")";
    return inside.size() == 1 ? text : "(" + text + ")";
}

/// Nothing in front of its loop can compare the index: the translation starts again, and its own place does.
void Bounds::place(const IndexInLoop& index) {
    if (t_.context_.placed_indices.insert({index.span.line, index.span.column}).second) throw StartAgain{};
}

/// The index in the first and in the last iteration, each only where it may leave the dimension there.
void Bounds::in_front(const IndexInLoop& index, const std::string& variable, const symbolic::Range& range,
                      std::vector<ExprPtr>& inside) {
    const bool up = range.step.integer() > 0;
    const Expr runs = up ? symbolic::less(range.begin, range.end) : symbolic::less(range.end, range.begin);
    const auto in_iteration = [&](const Expr& value) {
        IndexInLoop one = substituted(index, {{variable, value}});
        one.reached.push_back(runs);
        return one;
    };
    IndexInLoop first = in_iteration(range.begin);
    if (!symbols_of(index).contains(variable)) return leave(first, inside);
    const Expr steps = symbolic::floor_divide(up ? range.end - 1 - range.begin : range.end + 1 - range.begin, range.step);
    IndexInLoop last = in_iteration(range.begin + steps * range.step);
    const Expr moves = in_iteration(range.begin + range.step).at - first.at;
    if (moves.is_integer() && moves.integer() != 0) {  // In the order of Python's iterations.
        const bool rises = moves.integer() > 0;
        using Side = IndexInLoop::Side;
        const Side at_end = rises ? Side::Above : Side::Below, at_begin = rises ? Side::Below : Side::Above;
        if (index.side != at_begin) {
            last.side = at_end;
            last.reported = first_outside(first.at, moves, first.size);
            leave(std::move(last), inside);
        }
        if (index.side == at_end) return;
        first.side = at_begin;
        first.reported = first.at;
        return leave(std::move(first), inside);
    }
    leave(std::move(first), inside);
    leave(std::move(last), inside);
}

void Bounds::leave(IndexInLoop index, std::vector<ExprPtr>& inside) {
    if (at_once()) return require(index);
    IndexInLoop further = index;
    const bool hands_on =
        t_.frame_ && t_.reached_by_all_ && !t_.frame_->chooses && !t_.frame_->raises && without(t_.moved_, further);
    if (hands_on) return t_.frame_->indices.push_back(std::move(index));
    add(index, inside);
}

/// An expression that is true, or raises; none where the index surely lies inside.
void Bounds::add(const IndexInLoop& index, std::vector<ExprPtr>& inside) {
    const ExprPtr holds = compared(index);
    const auto is_same = [&](const ExprPtr& one) { return code::to_string(*one) == code::to_string(*holds); };
    if (holds && std::ranges::none_of(inside, is_same)) inside.push_back(holds);
}

ExprPtr Bounds::compared(const IndexInLoop& in_loop) {
    symbolic::Substitution values;
    for (const auto& [name, container] : in_loop.numbers)
        values.emplace(name, t_.integer_of(t_.read_container(container), in_loop.span));
    const IndexInLoop index = substituted(in_loop, values);
    const Span& span = index.span;
    symbolic::Assumptions known = t_.assumptions_;
    for (const std::string& symbol : symbols_of(index))
        if (!t_.defined_symbols_.contains(symbol)) known.assume_any(symbol);
    if (index.taken) known.assume(*index.taken);
    std::vector<ExprPtr> any;
    for (const Expr& condition : index.reached) {
        const Truth truth = symbolic::decide(condition, known);
        if (truth == Truth::No) return nullptr;
        known.assume(condition);
        if (truth == Truth::Unknown) any.push_back(make_unary(UnaryOp::Not, ir::to_code(condition), span));
    }
    if (symbolic::is_yes(symbolic::decide(symbolic::less(index.at, index.size), known)) &&
        symbolic::is_yes(symbolic::decide(symbolic::less_equal(Expr(0) - index.size, index.at), known)))
        return nullptr;
    const ExprPtr axis = make_integer(static_cast<std::int64_t>(index.axis), span), size = ir::to_code(index.size);
    if (index.side == IndexInLoop::Side::Above)
        any.push_back(make_compare(ir::to_code(index.at), CompareOp::Lt, size, span));
    else if (index.side == IndexInLoop::Side::Below)
        any.push_back(make_compare(make_unary(UnaryOp::Minus, size, span), CompareOp::Le, ir::to_code(index.at), span));
    const ExprPtr place = make_call("checked_index", {ir::to_code(index.reported), size, axis}, span);
    any.push_back(make_compare(place, CompareOp::Ge, make_integer(0), span));
    return any.size() == 1 ? any[0] : std::make_shared<const code::Expr>(code::Expr{BoolExpr{false, std::move(any)}, span});
}

void Bounds::require(const IndexInLoop& in_loop) {
    symbolic::Substitution values;
    for (const auto& [name, container] : in_loop.numbers)
        values.emplace(name, t_.integer_of(t_.read_container(container), in_loop.span));
    const IndexInLoop index = substituted(in_loop, values);
    symbolic::Assumptions known = t_.assumptions_;
    for (const std::string& symbol : symbols_of(index))  // An array of the caller's may be empty.
        if (!t_.defined_symbols_.contains(symbol)) known.assume_any(symbol);
    std::vector<ExprPtr> any;
    const auto either = [&](bool is_and, std::vector<ExprPtr> parts) {
        return parts.size() == 1 ? parts[0]
                                 : std::make_shared<const code::Expr>(code::Expr{BoolExpr{is_and, std::move(parts)}, index.span});
    };
    for (const Expr& condition : index.reached) {
        const Truth truth = symbolic::decide(condition, known);
        if (truth == Truth::No) return;
        known.assume(condition);
        if (truth == Truth::Unknown) any.push_back(make_unary(UnaryOp::Not, ir::to_code(condition), index.span));
    }
    const auto sure = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, known)); };
    using Side = IndexInLoop::Side;
    std::vector<ExprPtr> inside;
    if (index.side != Side::Below && !sure(symbolic::less(index.at, index.size)))
        inside.push_back(make_compare(ir::to_code(index.at), CompareOp::Lt, ir::to_code(index.size), index.span));
    if (index.side != Side::Above && !sure(symbolic::less_equal(Expr(0) - index.size, index.at)))
        inside.push_back(make_compare(make_unary(UnaryOp::Minus, ir::to_code(index.size), index.span), CompareOp::Le,
                                      ir::to_code(index.at), index.span));
    if (inside.empty()) return;
    any.push_back(either(true, std::move(inside)));
    t_.require(either(false, std::move(any)), "index {} is out of bounds for axis " + std::to_string(index.axis) + " with size {}",
               index.span, {"IndexError", {ir::to_code(index.reported), ir::to_code(index.size)}});
}

}  // namespace sluice::frontend
