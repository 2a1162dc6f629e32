// Where paths meet, a number has the type that its types have with each other (numbers.cpp). Python's caller may tell the
// difference:
//     best = 0
//     for v in x:
//         if v > best: best = v
//     return best                          an integer of Python's if no v is positive
// Values therefore know the types that they have on other paths, and what decides among these: names and choices (TypeSource).
// Where the caller sees one, by its own type or by that of an array computed of it, what decides is kept apart from the start.
// A choice is a statement for each of its cases (choices.cpp). Of integers and floats of 64 bits, of Python's or NumPy's, the
// type_code lies beside a name's number, as that of an element beside a list (Numbers::tell_type), and is returned with it. Where
// it is not known what is assigned, or the types are others, a name is two meanings where paths meet outside of loops, and what
// it was in front of an outermost loop is assigned again behind it if the loop has not assigned the name:
//     if not assigned: best = 0            `assigned` is noted by iterations, or follows from the bounds of loops
// Such a loop stays what it is. If that is not enough, because it assigns several types, the name is two meanings in loops as
// well: the loop is translated once for each type that an iteration begins with. What is still unknown then is refused (F015).
#include "frontend/python/types_by_path.h"

#include <algorithm>
#include <utility>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/lists.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::size_t kMostNames = 4;  ///< Each may double what follows.

/// As Python calls it.
std::string to_text(const Type& type) {
    const std::string name = code::to_string(type.dtype);
    if (!type.weak) return "numpy." + name;
    return code::is_integer(type.dtype.scalar)    ? "int"
           : code::is_floating(type.dtype.scalar) ? "float"
           : code::is_complex(type.dtype.scalar)  ? "complex"
                                                  : name;
}

}  // namespace

void TypesByPath::ask(const Value& seen, const Span& span) {
    for (const Value& element : seen.elements) ask(element, span);
    if (seen.other_types.empty() || !t_.context_.tells_places || seen.which) return;
    FunctionContext& context = t_.context_;
    bool added = false;
    const auto is_wide = [](const Type& type) {
        return type.dtype == DType(Scalar::Int64) || type.dtype == DType(Scalar::Float64);
    };
    const bool has_code = seen.rank() == 0 && is_wide(seen.type) && std::ranges::all_of(seen.other_types, is_wide);
    for (const TypeSource& source : seen.type_sources)
        if (source.list)
            added |= Lists(t_).tell_types(source.name, source.column);
        else if (source.line > 0)
            added |= context.inlined_calls.insert({source.line, source.column, source.name}).second;
        else if (has_code && context.tells_types)
            added |= context.types_recorded.insert(source.name).second;
    if (added) throw StartAgain{};
    if (std::exchange(context.tells_types, false) && !context.types_recorded.empty()) {
        context.types_recorded.clear();
        throw StartAgain{};
    }
    for (const TypeSource& source : seen.type_sources)
        if (source.list || source.line > 0)
            continue;
        else if (context.types_apart.contains(source.name))
            added |= context.types_apart_in_loops.insert(source.name).second;
        else if (!context.one_type && context.types_apart.size() < kMostNames)
            added |= context.types_apart.insert(source.name).second;
    if (added) throw StartAgain{};
    std::string types = to_text(seen.type);
    for (const Type& type : seen.other_types) types += " or " + to_text(type);
    refuse("F015", "the path decides the type of what the caller sees: " + types, span,
           "give it one type on all paths: 0.0 instead of 0, float(x), np.float64(x)");
}

void TypesByPath::add_choice(Value& value, const std::vector<Value>& arms, const Span& span) {
    if (!value.is_elements()) return;
    const auto which = value.which;
    for (const Value& arm : arms)
        if (arm.is_elements() && arm.rank() == value.rank()) add_types_of(value, arm);
    value.which = which;
    if (!value.other_types.empty()) value.type_sources.insert({span.line, span.column, t_.inline_prefix_});
}

bool TypesByPath::keeps_apart(const std::string& name) const {
    return (outside_of_loops() && t_.context_.types_apart.contains(name)) || keeps_apart_in_loops(name);
}

bool TypesByPath::keeps_apart_in_loops(const std::string& name) const {
    return t_.context_.types_apart_in_loops.contains(name);
}

void TypesByPath::enter_loop() {
    if (!outside_of_loops()) return;
    for (const std::string& name : t_.context_.types_apart) {
        const auto known = t_.variables_.find(name);
        if (known == t_.variables_.end() || !known->second.value.is_scalar() || known->second.unsure || known->second.stale)
            continue;
        if (keeps_apart_in_loops(name) || !known->second.value.other_types.empty()) continue;
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

void TypesByPath::note(const std::string& name, const Value& value) {
    const auto known = t_.entering_.find(name);
    if (known == t_.entering_.end()) return;
    EnteringNumber& number = known->second;
    std::vector<Type> types = value.other_types;
    types.push_back(value.type);
    for (const Type& type : types)
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
        Variable& variable = known->second;
        const std::string own = t_.inline_prefix_ + "__assigned_" + name;
        const bool other = !(variable.value.type == number.assigned[0]);  // The loop had the type that both have with each other.
        variable.value.other_types.clear();
        variable.value.type_sources.clear();
        Body otherwise;
        if (other) {
            Value assigned = t_.cast(variable.value, number.assigned[0].dtype, span);
            assigned.type.weak = number.assigned[0].weak;
            otherwise.push_back(make_assignment(make_name(name, span), make_name(own, span), span));
            t_.bind(own, assigned);
        }
        if (none.empty()) {  // It surely has.
            t_.translate(otherwise);
            continue;
        }
        const std::string unassigned = t_.inline_prefix_ + "__unassigned_" + name;
        const ExprPtr condition =
            none.size() == 1 ? none[0] : std::make_shared<const code::Expr>(code::Expr{BoolExpr{false, none}, span});
        t_.bind(unassigned, frontend::number(condition, Type{DType(Scalar::Bool), true}));
        const Body again{make_assignment(make_name(name, span), number.before, span)};
        t_.translate(Body{std::make_shared<const Stmt>(Stmt{IfStmt{make_name(unassigned, span), again, otherwise}, span})});
    }
}

}  // namespace sluice::frontend
