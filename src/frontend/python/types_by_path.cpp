// Where paths meet, a number has the type that its types have with each other (numbers.cpp). Python's caller may tell the
// difference:
//     best = 0
//     for v in x:
//         if v > best: best = v
//     return best                          an integer of Python's if no v is positive
// A name that is returned is therefore two meanings where paths meet outside of loops, and what it was in front of an outermost
// loop is assigned again behind it if the loop has not assigned the name:
//     if not assigned: best = 0            `assigned` is noted by iterations, or follows from the bounds of loops
// Loops stay what they are. Where names would mean too many things, their numbers have one type.
#include "frontend/python/types_by_path.h"

#include <algorithm>
#include <cmath>

#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::size_t kMostNames = 3;  ///< Each may double what follows.

}  // namespace

void TypesByPath::ask(const ExprPtr& returned) {
    if (!returned || !t_.context_.tells_places || t_.context_.one_type) return;
    for (const ExprPtr& one : elements_of(returned)) {
        const std::string name(name_of(one));
        const auto known = t_.variables_.find(name);
        if (known == t_.variables_.end() || !known->second.mixed || t_.context_.types.contains(name)) continue;
        if (t_.context_.types_apart.size() < kMostNames && t_.context_.types_apart.insert(name).second) throw StartAgain{};
    }
}

bool TypesByPath::keeps_apart(const std::string& name) const {
    return outside_of_loops() && t_.context_.types_apart.contains(name);
}

void TypesByPath::enter_loop() {
    if (!outside_of_loops()) return;
    for (const std::string& name : t_.context_.types_apart) {
        const auto known = t_.variables_.find(name);
        if (known == t_.variables_.end() || !known->second.value.is_scalar() || known->second.unsure || known->second.stale)
            continue;
        const Value value = known->second.value;
        const std::string kept = t_.inline_prefix_ + "__entering_" + name;
        Value copy = value;
        if (!value.is_symbolic() || !known->second.literal) {
            copy = t_.read_container(t_.add_temporary("entering", strong(value.type), {}));
            t_.assign(t_.target_of(copy, t_.where_), value, "keep");
            copy.type.weak = value.type.weak;
        }
        t_.bind(kept, copy);
        t_.entering_.emplace(name, EnteringNumber{make_name(kept, t_.where_), value.type, {}, {}, {}});
    }
}

/// Every iteration of all loops around comes here: what says that there is one.
bool TypesByPath::reached_by_all(std::vector<Expr>& conditions) const {
    std::set<std::string> counters;
    std::size_t frames = 0;
    for (const LoopFrame* frame = t_.frame_; frame; frame = frame->around, ++frames) {
        if (frame->chooses) return false;
        counters.insert(frame->counters.begin(), frame->counters.end());
    }
    if (frames != t_.sure_loops_.size()) return false;
    for (const SureLoop& loop : t_.sure_loops_) {
        if (!counters.contains(loop.variable)) return false;
        conditions.push_back(loop.step.integer() > 0 ? symbolic::less(loop.begin, loop.end) : symbolic::less(loop.end, loop.begin));
        for (const std::string& symbol : symbolic::free_symbols(conditions.back()))
            if (counters.contains(symbol)) return false;
    }
    return true;
}

void TypesByPath::note(const std::string& name, const Type& type) {
    const auto known = t_.entering_.find(name);
    if (known == t_.entering_.end()) return;
    EnteringNumber& number = known->second;
    if (std::ranges::find(number.assigned, type) == number.assigned.end()) number.assigned.push_back(type);
    std::vector<Expr> conditions;
    if (!t_.context_.types_noted.contains(name) && number.flag.empty() && reached_by_all(conditions)) {
        if (number.reached.empty()) number.reached = std::move(conditions);
        return;
    }
    if (number.flag.empty()) {
        number.flag = t_.fresh_container("assigned");
        ir::add_scalar(t_.sdfg_, number.flag, Scalar::Int64, true).metadata.where = t_.where_;
        t_.flags_.push_back(number.flag);
    }
    const Value before = t_.read_container(number.flag);
    const Value now = t_.combine({before}, t_.where_, [&](const auto& c) {
        return make_binary(BinaryOp::BitOr, c[0], make_integer(1, t_.where_), t_.where_);
    });
    t_.assign(t_.target_of(before, t_.where_), now, "note");
}

void TypesByPath::leave_loop(const LoopFrame& frame, const Span& span) {
    if (!outside_of_loops() || t_.entering_.empty()) return;
    for (const auto& [name, number] : std::exchange(t_.entering_, {})) {
        const auto known = t_.variables_.find(name);
        if (number.assigned.size() != 1 || !t_.endings_.empty() || known == t_.variables_.end()) continue;
        if (!known->second.value.is_scalar() || number.assigned[0] == number.type) continue;
        std::vector<ExprPtr> none;  // Any of these: the loop has not assigned it.
        symbolic::Assumptions facts = t_.assumptions_;
        if (number.flag.empty()) {
            for (const Expr& condition : number.reached)
                for (const std::string& symbol : symbolic::free_symbols(condition)) {
                    if (frame.moved.contains(symbol) && t_.context_.types_noted.insert(name).second) throw StartAgain{};
                    if (!t_.defined_symbols_.contains(symbol)) facts.assume_any(symbol);
                }
            for (const Expr& condition : number.reached)
                if (!symbolic::is_yes(symbolic::decide(condition, facts)))
                    none.push_back(make_unary(UnaryOp::Not, ir::to_code(condition), span));
        } else {
            const Expr flag = t_.integer_of(t_.read_container(number.flag), span, "assigned");
            none.push_back(make_compare(ir::to_code(flag), CompareOp::Eq, make_integer(0, span), span));
        }
        if (none.empty()) {  // It surely has.
            known->second.mixed = false;
            continue;
        }
        const std::string unassigned = t_.inline_prefix_ + "__unassigned_" + name;
        const ExprPtr condition =
            none.size() == 1 ? none[0] : std::make_shared<const code::Expr>(code::Expr{BoolExpr{false, none}, span});
        t_.bind(unassigned, frontend::number(condition, Type{DType(Scalar::Bool), true}));
        const Body again{make_assignment(make_name(name, span), number.before, span)};
        Body otherwise;
        if (!(known->second.value.type == number.assigned[0])) {  // The loop had the type that both have with each other.
            const std::string own = t_.inline_prefix_ + "__assigned_" + name;
            Value assigned = t_.cast(known->second.value, number.assigned[0].dtype, span);
            assigned.type.weak = number.assigned[0].weak;
            t_.bind(own, assigned);
            otherwise.push_back(make_assignment(make_name(name, span), make_name(own, span), span));
        }
        t_.translate(Body{std::make_shared<const Stmt>(Stmt{IfStmt{make_name(unassigned, span), again, otherwise}, span})});
    }
}

}  // namespace sluice::frontend
