// Integers of Python's have 64 bits here. Where a sum, product, power or shift of them becomes a value (indices, sizes and bounds
// of loops are compared elsewhere), the largest magnitudes of what it is computed from say whether it is checked:
//     a size, and what a loop adds to its counter: 1.5e9        a parameter, and what nobody knows: 2**63
//     a variable that is bound once: what it is bound to        another one: 2**62, unless more is assigned to it
//     what has been checked: less than 2**63                     what a `while` compares with its bound: that
// In a `for` the check stands in front of the loop, with the largest magnitudes that its counters have, if every iteration computes
// the value and moves nothing else of it; otherwise in its own place.
//     for i in range(n): x[i] = i * i * n   ->   assert not 0 < n or |n| * |n| * |n| < 2**63; for ...
#include "frontend/python/magnitudes.h"

#include <algorithm>
#include <cmath>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/domain.h"
#include "frontend/python/overflow.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr double kCounted = 1.5e9;  // Four of its squares fit, too.
const double kVariable = std::ldexp(1.0, 62), kAny = std::ldexp(1.0, 63);
const double kChecked = std::nextafter(kAny, 0);  // What is compared with the ends is not -2**63.

bool is_python_integer(const Value& value) {
    return value.is_scalar() && value.type.weak && value.type.dtype == DType(Scalar::Int64);
}

std::optional<double> constant_of(const ExprPtr& e) {
    const auto constant = constant_value(*e, {});
    if (const auto* real = constant ? std::get_if<double>(&constant->value) : nullptr) return *real;
    const auto* integer = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

double most_of(BinaryOp op, double left, double right, std::optional<double> constant) {
    const double known = std::min(std::abs(constant.value_or(1024)), 1024.0);
    switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
            return left + right;
        case BinaryOp::Mul:
            return left == 0 || right == 0 ? 0 : left * right;
        case BinaryOp::Pow:
            return left <= 1 ? 1 : std::pow(left, known);
        case BinaryOp::ShiftLeft:
            return left == 0 ? 0 : left * std::exp2(known);
        case BinaryOp::Div:
        case BinaryOp::FloorDiv:
            return constant && *constant != 0 ? left / std::abs(*constant) : left;
        case BinaryOp::ShiftRight:
            return left;
        case BinaryOp::Mod:
            return right;
        case BinaryOp::BitAnd:
            return constant && *constant >= 0 ? *constant : std::max(left, right);
        default:
            return 2 * std::max(left, right);
    }
}

/// What is compared with the ends of 64 bits.
bool may_grow(BinaryOp op) {
    return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || op == BinaryOp::Pow || op == BinaryOp::ShiftLeft;
}

/// Whether the name is a factor of something.
bool multiplies(const ExprPtr& e, const std::string& name) {
    const auto* n = std::get_if<BinaryExpr>(&e->node);
    const bool grows = n && (n->op == BinaryOp::Mul || n->op == BinaryOp::Pow || n->op == BinaryOp::ShiftLeft);
    bool found = grows && ir::free_names(*e).contains(name);
    for_each_child(*e, [&](const ExprPtr& child) { found = found || multiplies(child, name); });
    return found;
}

}  // namespace

double Magnitudes::most(const ExprPtr& e, const Resolve& of_name) const {
    if (const auto constant = constant_of(e)) return std::abs(*constant);
    if (const std::string name(name_of(e)); !name.empty()) return of_name(name);
    const auto largest = [&](const std::vector<ExprPtr>& list) {
        double result = 0;
        for (const ExprPtr& one : list) result = std::max(result, most(one, of_name));
        return result;
    };
    if (const auto* n = std::get_if<UnaryExpr>(&e->node)) {
        if (n->op == UnaryOp::Not) return 1;
        return std::min(n->op == UnaryOp::Minus ? kChecked : kAny, most(n->operand, of_name));
    }
    if (const auto* n = std::get_if<BinaryExpr>(&e->node)) {
        const double size = most_of(n->op, most(n->left, of_name), most(n->right, of_name), constant_of(n->right));
        return std::min(may_grow(n->op) ? kChecked : kAny, size);
    }
    if (const auto* n = std::get_if<ConditionalExpr>(&e->node)) return largest({n->if_true, n->if_false});
    if (std::holds_alternative<CompareExpr>(e->node)) return 1;
    if (const auto* n = std::get_if<CallExpr>(&e->node)) {
        const auto function = name_of(n->function);
        if (function == "len") return kCounted;
        if (function == "sqrt") return std::sqrt(most(n->arguments[0], of_name));
        if (function == "int64") return std::floor(most(n->arguments[0], of_name));
        if (function == "min" || function == "max") return largest(n->arguments);
        if (function == "abs") return std::min(kChecked, largest(n->arguments));
    }
    return kAny;
}

/// Of an array or a list, which lies in memory.
bool Magnitudes::is_extent(const Expr& symbol) const {
    const auto has = [&](const auto& entry) { return std::ranges::find(entry.second.shape, symbol) != entry.second.shape.end(); };
    return std::ranges::any_of(t_.sdfg_.containers, has) ||
           std::ranges::any_of(t_.lists_, [&](const auto& entry) { return entry.second.length == symbol; });
}

double Magnitudes::most_of_symbol(const std::string& name) const {
    if (const auto loop = t_.counters_.find(name); loop != t_.counters_.end()) {
        const auto of = [&](const Expr& e) {
            return most(ir::to_code(e), [&](const std::string& other) { return other == name ? kAny : most_of_symbol(other); });
        };
        const symbolic::Range& range = loop->second;
        const double begin = of(range.begin), end = of(range.end);
        const double moved = std::max(begin < kCounted ? 0 : begin, kCounted * of(range.step));
        return std::min(std::max(begin, end), moved);
    }
    if (const auto known = t_.magnitudes_.find(name); known != t_.magnitudes_.end())
        return t_.context_.wide_integers.contains(name) ? kAny : known->second.most;
    if (t_.context_.number_symbols.contains(name)) return kAny;
    return t_.defined_symbols_.contains(name) && !is_extent(symbolic::symbol(name)) ? kAny : kCounted;
}

double Magnitudes::most(const Value& value, const std::string& own, double most_of_own) const {
    return most(value.code, [&](const std::string& name) {
        if (name == own) return most_of_own;
        const auto operand = value.operands.find(name);
        if (operand == value.operands.end()) return most_of_symbol(name);
        const bool variable = operand->second.index.empty() && t_.magnitudes_.contains(operand->second.data);
        const auto bits = static_cast<int>(8 * code::size_in_bytes(operand->second.dtype));
        return variable ? most_of_symbol(operand->second.data) : std::ldexp(1.0, std::min(bits, 63));
    });
}

bool Magnitudes::starts_wide(const Value& sum) const {
    return std::ranges::any_of(ir::free_names(*sum.code), [&](const std::string& name) {
        const auto operand = sum.operands.find(name);
        const bool symbol = operand == sum.operands.end();
        const std::string own = symbol ? name : operand->second.data;
        if (t_.magnitudes_.contains(own)) return t_.context_.wide_starts.contains(own);
        return !symbol || most_of_symbol(own) >= kAny;
    });
}

bool Magnitudes::may_leave(BinaryOp op, double left, double right, std::optional<double> constant) const {
    if (t_.counts_ || Domain(t_).place() == Domain::Place::Nowhere) return false;
    const double larger = std::max(left, right), smaller = std::min(left, right);
    switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:  // 0 - n as well.
            return larger >= kAny || (smaller > 0 && larger + smaller >= kChecked);
        case BinaryOp::Mul:
            return (larger >= kAny && smaller > 0) || (smaller > 1 && larger * smaller >= kChecked);
        case BinaryOp::FloorDiv:
            return left >= kAny && constant.value_or(-1) == -1;
        case BinaryOp::ShiftLeft:
            return most_of(op, left, right, constant) >= kChecked;
        case BinaryOp::Pow:
            return constant.value_or(0) >= 0 && most_of(op, left, right, constant) >= kChecked;
        default:
            return false;
    }
}

namespace {

/// Whether `name > e` or `name >= e` with a constant e, or `name > e` where `by_one`, is one of the comparisons; with `up`, below.
bool compares(const CompareExpr& n, const std::string& name, bool up, bool by_one) {
    for (std::size_t at = 0; at < n.ops.size(); ++at)
        for (const bool turned : {false, true}) {
            const ExprPtr &one = n.operands[turned ? at + 1 : at], &other = n.operands[turned ? at : at + 1];
            const bool below = up != turned;
            const bool strictly = n.ops[at] == (below ? CompareOp::Lt : CompareOp::Gt);
            const bool or_equal = n.ops[at] == (below ? CompareOp::Le : CompareOp::Ge);
            if (name_of(one) != name || (!strictly && !or_equal)) continue;
            if ((strictly && by_one) || constant_of(other).value_or(kAny) < kCounted) return true;
        }
    return false;
}

bool implies(const ExprPtr& condition, const std::string& name, bool up, bool by_one) {
    if (const auto* n = std::get_if<CompareExpr>(&condition->node)) return compares(*n, name, up, by_one);
    const auto* all = std::get_if<BoolExpr>(&condition->node);
    return all && all->is_and &&
           std::ranges::any_of(all->operands, [&](const ExprPtr& one) { return implies(one, name, up, by_one); });
}

}  // namespace

/// while i < n: ...; i += 1, where nothing else binds i: n fits, and so does i.
bool Magnitudes::kept_by_condition(const BinaryExpr& n) const {
    const auto* loop = t_.frame_ ? std::get_if<WhileStmt>(&t_.frame_->statement->node) : nullptr;
    const std::string name(name_of(n.left));
    const auto step = constant_of(n.right);
    if (!loop || !t_.statement_ || name.empty() || !step || std::abs(*step) > kCounted ||
        (n.op != BinaryOp::Add && n.op != BinaryOp::Sub))
        return false;
    const auto* plain = std::get_if<AssignStmt>(&t_.statement_->node);
    const auto* update = std::get_if<AugAssignStmt>(&t_.statement_->node);
    const bool binds =
        (plain && plain->targets.size() == 1 && name_of(plain->targets[0]) == name) || (update && name_of(update->target) == name);
    const auto bound = binding_counts(loop->body);
    if (!binds || !bound.contains(name) || bound.at(name) != 1) return false;
    return implies(loop->condition, name, (n.op == BinaryOp::Add) == (*step > 0), std::abs(*step) <= 1);
}

bool Magnitudes::may_leave(const BinaryExpr& n, const Value& left, const Value& right) const {
    return is_python_integer(left) && is_python_integer(right) &&
           may_leave(n.op, most(left), most(right), constant_of(right.code)) && !kept_by_condition(n);
}

bool Magnitudes::may_leave(const BinaryExpr& n) const {
    bool integers = true;
    const auto of_name = [&](const std::string& name) {
        const auto known = t_.variables_.find(name);
        if (known == t_.variables_.end()) return kCounted;
        integers = integers && is_python_integer(known->second.value);
        return is_python_integer(known->second.value) ? most(known->second.value) : 0.0;
    };
    const double left = most(n.left, of_name), right = most(n.right, of_name);
    return integers && may_leave(n.op, left, right, constant_of(n.right));
}

/// What a loop adds to a variable in each iteration, it adds as often as loops run.
void Magnitudes::note(const std::string& name, const std::string& own, const Value& value) {
    if (!is_python_integer(value)) {
        t_.magnitudes_.erase(own);
        return;
    }
    const double size = most(value, own);
    if (t_.context_.bound_once(name)) {
        Magnitude once{.most = size, .of = {{}, {}, {}, t_.where_}};
        const auto real = as_real(value.code, value, once.of);
        const auto stays = [&](const std::string& one) { return t_.counters_.contains(one) || !t_.defined_symbols_.contains(one); };
        if (real && std::ranges::all_of(ir::free_names(**real), stays)) once.of.most = *real;
        t_.magnitudes_[own] = std::move(once);
        return;
    }
    t_.magnitudes_[own] = {kVariable, {}};
    const bool adds = ir::free_names(*value.code).contains(own);
    const bool grows = (adds ? size * kCounted : size) > kVariable || multiplies(value.code, own);
    if (!grows || (adds && most(value, own, kAny) <= kVariable)) return;
    const bool first = t_.context_.wide_integers.insert(own).second;
    if ((!adds && t_.context_.wide_starts.insert(own).second) || first) t_.start_again();
}

/// What a variable that is bound once is at most; null where that is no longer known.
ExprPtr Magnitudes::as_real(const std::string& own, GrowingInteger& result) const {
    const auto known = t_.magnitudes_.find(own);
    if (known == t_.magnitudes_.end() || !known->second.of.most) return nullptr;
    const GrowingInteger& of = known->second.of;
    for (const std::string& name : ir::free_names(*of.most))
        if (t_.defined_symbols_.contains(name) && !t_.counters_.contains(name)) return nullptr;
    result.numbers.insert(of.numbers.begin(), of.numbers.end());
    return of.most;
}

std::optional<ExprPtr> Magnitudes::as_real(const ExprPtr& e, const Value& value, GrowingInteger& result) const {
    const Span& span = e->span;
    const auto largest = [&](const std::vector<ExprPtr>& list) -> std::optional<ExprPtr> {
        std::vector<ExprPtr> parts;
        for (const ExprPtr& one : list) {
            const auto part = as_real(one, value, result);
            if (!part) return std::nullopt;
            parts.push_back(*part);
        }
        return make_call("max", parts, span);
    };
    if (const auto constant = constant_of(e)) return make_real(std::abs(*constant), span);
    if (const std::string name(name_of(e)); !name.empty()) {
        if (const auto operand = value.operands.find(name); operand != value.operands.end()) {
            const auto& container = t_.container(operand->second.data);
            if (const ExprPtr once = operand->second.index.empty() ? as_real(operand->second.data, result) : nullptr) return once;
            if (name != operand->second.data || container.transient) return std::nullopt;
            result.numbers.insert(name);
        } else if (const ExprPtr once = as_real(name, result)) {
            return once;
        }
        return make_call("abs", {make_binary(BinaryOp::Mul, make_real(1.0, span), e, span)}, span);
    }
    if (const auto* n = std::get_if<UnaryExpr>(&e->node); n && n->op == UnaryOp::Minus) return as_real(n->operand, value, result);
    if (const auto* n = std::get_if<ConditionalExpr>(&e->node)) return largest({n->if_true, n->if_false});
    if (const auto* n = std::get_if<CallExpr>(&e->node); n && (name_of(n->function) == "min" || name_of(n->function) == "max"))
        return largest(n->arguments);
    const auto* n = std::get_if<BinaryExpr>(&e->node);
    if (!n) return std::nullopt;
    const auto left = as_real(n->left, value, result), right = as_real(n->right, value, result);
    const auto constant = constant_of(n->right);
    if (!left || !right) return std::nullopt;
    switch (n->op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
            return make_binary(BinaryOp::Add, *left, *right, span);
        case BinaryOp::Mul:
            return make_binary(BinaryOp::Mul, *left, *right, span);
        case BinaryOp::FloorDiv:
            return left;
        case BinaryOp::Mod:
            return right;
        case BinaryOp::Pow:
            if (constant) return make_binary(BinaryOp::Pow, *left, *right, span);
            return std::nullopt;
        case BinaryOp::ShiftLeft:
            if (constant) return make_binary(BinaryOp::Mul, *left, make_real(std::exp2(*constant), span), span);
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

bool Magnitudes::left_to_loop(const BinaryExpr& n, const Value& left, const Value& right, const Span& span) {
    if (Domain(t_).place() != Domain::Place::BehindLoops || !t_.reached_by_all_ || t_.frame_->chooses) return false;
    if (t_.context_.growing_in_place.contains({span.line, span.column})) return false;
    Value both = left;
    both.operands.insert(right.operands.begin(), right.operands.end());
    GrowingInteger growing{{}, {}, {}, span};
    const auto most = as_real(make_binary(n.op, left.code, right.code, span), both, growing);
    if (!most) return false;
    growing.most = *most;
    t_.frame_->growing.push_back(std::move(growing));
    return true;
}

void Magnitudes::ask_in_place(const std::vector<GrowingInteger>& growing) {
    for (const GrowingInteger& one : growing) t_.context_.growing_in_place.insert({one.span.line, one.span.column});
    if (!growing.empty()) throw StartAgain{};
}

void Magnitudes::in_front(const LoopFrame& frame, const symbolic::Range& range) {
    if (frame.chooses) ask_in_place(frame.growing);
    const auto reads_any = [](const ExprPtr& e, const std::set<std::string>& names) {
        return std::ranges::any_of(ir::free_names(*e), [&](const std::string& name) { return names.contains(name); });
    };
    std::set<std::string> moved = frame.moved;
    for (const std::string& counter : frame.counters) moved.erase(counter);
    for (GrowingInteger one : frame.growing) {
        GrowingInteger of_range{{}, {}, {}, one.span};
        const Span& span = one.span;
        const auto begin = as_real(ir::to_code(range.begin), {}, of_range), end = as_real(ir::to_code(range.end), {}, of_range);
        if (reads_any(one.most, moved) || !begin || !end) ask_in_place({one});
        std::map<std::string, ExprPtr> extremes;
        for (const std::string& counter : frame.counters) extremes.emplace(counter, make_call("max", {*begin, *end}, span));
        one.most = replace_names(one.most, extremes);
        std::erase_if(one.reached, [&](const Expr& condition) { return reads_any(ir::to_code(condition), frame.counters); });
        one.reached.push_back(range.step.integer() > 0 ? symbolic::less(range.begin, range.end)
                                                       : symbolic::less(range.end, range.begin));
        const bool hands_on = Domain(t_).place() == Domain::Place::BehindLoops && t_.reached_by_all_ && !t_.frame_->chooses &&
                              !reads_any(one.most, t_.moved_);
        if (hands_on) {
            t_.frame_->growing.push_back(std::move(one));
            continue;
        }
        std::map<std::string, ExprPtr> numbers;
        for (const std::string& name : one.numbers)
            numbers.emplace(name, ir::to_code(t_.integer_of(t_.read_container(name), span)));
        std::vector<ExprPtr> all;
        for (const Expr& condition : one.reached)
            if (!symbolic::is_yes(symbolic::decide(condition, t_.assumptions_))) all.push_back(ir::to_code(condition));
        all.push_back(Overflow::too_large(replace_names(one.most, numbers), span));
        const ExprPtr wrong = all.size() == 1 ? all[0] : make_expression(BoolExpr{true, all}, span);
        t_.need_symbols(ir::free_names(*wrong));
        Domain(t_).require_none(number(wrong, {Scalar::Bool, true}), Overflow::kMessage, span);
    }
}

}  // namespace sluice::frontend
