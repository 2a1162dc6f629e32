// Numbers that names mean. Each assignment has its own type, as in Python:
//     k = 2; y = A // k; k = 0.5        y is an array of integers
// Where paths meet with numbers of two types, or a loop turns one into the other, the value is converted to the type that both have
// with each other under NEP 50, if that changes neither the value nor what is computed from it:
//     s = 0.0                           s = 0.0; s_0 = float32(s)
//     for v in A32: s += v       ->     for v in A32: s_0 += v
// Anything else is two meanings of one name (references.cpp).
#include <algorithm>
#include <cmath>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/magnitudes.h"
#include "frontend/python/numbers.h"
#include "frontend/python/overflow.h"
#include "frontend/python/types_by_path.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_number(const Value& value) {
    return value.is_scalar() && !value.type.dtype.is_void();
}

/// Whether the type has the literal.
bool holds(const DType& type, double literal) {
    if (code::is_integer(type.scalar)) {
        const auto bits = static_cast<int>(8 * code::size_in_bytes(type)) - (code::is_signed(type.scalar) ? 1 : 0);
        return literal == std::floor(literal) && literal < std::ldexp(1.0, bits) &&
               literal >= (code::is_signed(type.scalar) ? -std::ldexp(1.0, bits) : 0.0);
    }
    if (type == DType(Scalar::Float16)) {  // 11 bits between 2**-14 and 2**16.
        int exponent = 0;
        const double scaled = std::ldexp(std::frexp(literal, &exponent), 11);
        return literal == 0 || !std::isfinite(literal) || (scaled == std::floor(scaled) && exponent > -14 && exponent <= 16);
    }
    return type == DType(Scalar::Float64) || type == DType(Scalar::Complex128) || std::isnan(literal) ||
           static_cast<double>(static_cast<float>(literal)) == literal;
}

/// Whether a number of Python's may count as NumPy's `type` from the start: what is computed from it stays the same.
bool may_become(const Variable& variable, const Type& type) {
    const Type& own = variable.value.type;
    if (own.dtype == type.dtype || own.dtype == DType(Scalar::Bool)) return true;
    const bool wide =
        type.dtype == DType(Scalar::Int64) || type.dtype == DType(Scalar::Float64) || type.dtype == DType(Scalar::Complex128);
    const bool integer = code::is_integer(own.dtype.scalar);
    if (wide && (own.weak || (integer && own.dtype == DType(Scalar::Int64)))) return true;
    if (!variable.literal) return false;
    static constexpr double kSmall = 1 << 15;  // Sums of literals like it stay in an int32.
    const double literal = *variable.literal;
    if (type.dtype == DType(Scalar::Int32)) return std::abs(literal) < kSmall;
    if (code::is_integer(type.dtype.scalar) && !wide) return holds(type.dtype, literal);
    const bool narrow = type.dtype == DType(Scalar::Float32) || type.dtype == DType(Scalar::Complex64);
    return wide || (narrow && holds(type.dtype, literal));
}

/// Whether the type that a loop gives to a number is one for this value: where a name means two numbers, it is that of one of them.
bool takes(const Type& type, const Variable& variable) {
    return may_become(variable, type) || code::promote(strong(variable.value.type), type.dtype) == type.dtype;
}

}  // namespace

std::optional<double> literal_value(const Value& value) {
    if (!value.is_symbolic()) return std::nullopt;
    const auto constant = constant_value(*value.code, {});
    if (!constant) return std::nullopt;
    if (const auto* real = std::get_if<double>(&constant->value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&constant->value); integer && std::abs(*integer) < (1LL << 53))
        return static_cast<double>(*integer);
    return std::nullopt;
}

void Numbers::assign(const std::string& name, const Value& value) {
    DType type = strong(value.type);
    const auto annotated = t_.context_.types.find(name);
    if (annotated != t_.context_.types.end()) type = annotated->second;
    const auto literal = literal_value(value);
    TypesByPath(t_).note(name, value);
    Value fresh = t_.read_container(t_.storage_for(name, type, {}, {}));
    t_.assign(t_.target_of(fresh, t_.where_), value, "assign_" + name);
    if (const Operand* memory = as_view(fresh)) {
        Overflow(t_).note_variable(memory->data, value);
        Magnitudes(t_).note(name, memory->data, value);
    }
    fresh.type.weak = value.type.weak && annotated == t_.context_.types.end();
    fresh.of_rank_0 = value.of_rank_0;
    if (annotated == t_.context_.types.end()) {
        fresh.other_types = value.other_types;
        fresh.type_sources = value.type_sources;
        if (value.which || tells_type(name)) tell_type(name, fresh, value);
    }
    t_.bind(name, fresh);
    t_.variables_.at(name).literal = literal;
}

/// Whether the type_code of the name's number lies beside it: TypesByPath::ask.
bool Numbers::tells_type(const std::string& name) const {
    return t_.context_.types_recorded.contains(name);
}
/// Beside the name's number `fresh`: the type that `value` has, where anybody knows.
void Numbers::tell_type(const std::string& name, Value& fresh, const Value& value) {
    if (!value.which && !value.other_types.empty()) return;
    if (code::is_floating(fresh.type.dtype.scalar)) Overflow(t_).require_exact(value, t_.where_);
    // As wide as the numbers, so that a loop that assigns both is one of vectors.
    const Value which = t_.read_container(t_.storage_for(name + "__type", Scalar::Int64, {}, {}));
    if (!value.which || !same_meaning(*value.which, which))
        t_.assign(t_.target_of(which, t_.where_), value.which ? *value.which : integer(type_code(value.type)), "assign_" + name);
    fresh.which = std::make_shared<const Value>(which);
}

/// The type that a name has behind both paths; nullopt where it means one thing, or two.
std::optional<Type> Numbers::joint(const std::string& name, const Variable& a, const Variable& b) const {
    if (!is_number(a.value) || !is_number(b.value) || same_meaning(a.value, b.value)) return std::nullopt;
    if (!tells_type(name) && a.value.type == b.value.type && (a.value.is_symbolic() || b.value.is_symbolic())) return std::nullopt;
    if (a.value.of_rank_0 != b.value.of_rank_0) return std::nullopt;  // An array on one path, a number on the other.
    const Type joint = code::promote(a.value.type, b.value.type);
    if (joint.dtype.is_void() || t_.context_.types.contains(name)) return std::nullopt;
    if (t_.chosen_values_.contains(name) || (may_become(a, joint) && may_become(b, joint))) return joint;
    return std::nullopt;
}

/// The name means a number of this type from here on: in `data`, where it is given, else in a container of its own.
void Numbers::convert(const std::string& name, const Type& type, std::string data) {
    const Variable before = t_.variables_.at(name);
    if (data.empty()) data = t_.storage_for(name, type.dtype, {}, {});
    Value fresh = t_.read_container(data);
    const Operand* view = as_view(before.value);
    if (!view || view->data != data)
        t_.assign(t_.target_of(fresh, t_.where_), t_.cast(before.value, type.dtype, t_.where_), "assign_" + name);
    fresh.type.weak = type.weak;
    fresh.of_rank_0 = before.value.of_rank_0;
    add_types_of(fresh, before.value);
    if (!fresh.other_types.empty()) fresh.type_sources.insert({.name = name});
    if (tells_type(name)) tell_type(name, fresh, before.value);
    Variable& variable = t_.variables_.at(name);
    variable.value = std::move(fresh);
    variable.stale = false;
}

DType Numbers::returned_type(const std::string& name, const ExprPtr& e, const Value& value) {
    Variable now{value};
    now.literal = literal_value(value);
    if (const auto variable = t_.variables_.find(std::string(name_of(e))); variable != t_.variables_.end())
        if (variable->second.literal) now.literal = variable->second.literal;
    const auto [at, first] = t_.context_.returned_numbers.try_emplace(name, now);
    Variable& known = at->second;
    if (first) return strong(value.type);
    const Type joint = code::promote(known.value.type, now.value.type);
    const auto keeps = [&](const Variable& one) {
        return may_become(one, joint) || (one.literal && holds(joint.dtype, *one.literal));
    };
    const DType type = keeps(known) && keeps(now) ? joint.dtype : code::promote(strong(known.value.type), strong(now.value.type));
    const bool changes = !(known.value.type.dtype == type);
    known.value.type = {type, known.value.type.weak && now.value.type.weak};
    if (known.literal != now.literal) known.literal.reset();
    if (changes) throw StartAgain{};
    return type;
}

void Numbers::join(const std::vector<Path*>& paths) {
    std::map<std::string, std::vector<Path*>> having;
    for (Path* path : paths)
        if (path->endings.size() == 1 && path->endings.front().choices.empty())
            for (const auto& [name, variable] : path->endings.front().variables)
                if (is_number(variable.value)) having[name].push_back(path);
    for (const auto& [name, those] : having) {
        const auto meaning = [&](const Path* path) -> const Variable& { return path->endings.front().variables.at(name); };
        Variable common = meaning(those.front());
        bool differ = false, joins = true, mixed = false;
        std::string data;
        for (const Path* path : those) {
            if (same_meaning(meaning(path).value, meaning(those.front()).value)) continue;
            differ = true;
            mixed = mixed || !(meaning(path).value.type == meaning(those.front()).value.type);
            const auto type = joint(name, common, meaning(path));
            joins = joins && type;
            if (type) common.value.type = *type;
        }
        if (!differ || !joins || (mixed && TypesByPath(t_).keeps_apart(name))) continue;
        for (const Path* path : those)
            if (const Operand* view = as_view(meaning(path).value); view && view->dtype == common.value.type.dtype)
                if (std::ranges::find(t_.storage_[name], view->data) != t_.storage_[name].end()) data = view->data;
        if (data.empty()) data = t_.storage_for(name, common.value.type.dtype, {}, {});
        for (Path* path : those) at_end(*path, [&] { convert(name, common.value.type, data); });
    }
}

/// More statements at the end of a path.
void Numbers::at_end(Path& path, const std::function<void()>& fill) {
    check(t_.pending_.empty(), "symbols are to be assigned before a path");
    const Restored region(t_.region_, &path.region);
    const Restored last(t_.last_, path.last);
    const Restored depth(t_.depth_, t_.depth_ + 1);
    std::swap(t_.variables_, path.endings.front().variables);
    fill();
    t_.flush_symbols();
    std::swap(t_.variables_, path.endings.front().variables);
    path.last = t_.last_;
}

void Numbers::join(LoopFrame& frame) {
    const LoopMeaning& front = frame.meanings.front();
    std::map<std::string, Type>& known = t_.context_.loop_numbers[frame.statement];
    for (const auto& [name, variable] : Variables(t_.variables_)) {
        if (!is_number(variable.value) || TypesByPath(t_).keeps_apart_in_loops(name)) continue;
        const auto noted = known.find(name);
        const auto entry = front.variables.find(name), left = front.after.find(name);
        const bool enters = entry != front.variables.end();
        if (noted != known.end() && !enters && takes(noted->second, variable)) convert(name, noted->second, {});
        if (!enters && (!front.left || left == front.after.end())) continue;
        const Variable& other = enters ? entry->second : left->second;
        const auto type = joint(name, other, t_.variables_.at(name));
        if (!type) continue;
        if (noted == known.end() || !(noted->second == *type)) {
            known[name] = *type;
            throw StartAgain{};
        }
        const Operand* view = as_view(other.value);
        convert(name, *type, view && view->dtype == type->dtype ? view->data : std::string());
    }
    if (!frame.chooses) note_types(frame);
}

/// Types that an iteration ends with, the next one begins with.
void Numbers::note_types(const LoopFrame& frame) {
    bool added = false;
    for (const auto& [name, entry] : frame.meanings.front().variables) {
        const auto now = t_.variables_.find(name);
        if (now == t_.variables_.end() || now->second.value.other_types.empty() || !is_number(entry.value)) continue;
        if (TypesByPath(t_).keeps_apart_in_loops(name)) continue;
        Value begin = entry.value;
        add_types_of(begin, now->second.value);
        if (begin.other_types.size() == entry.value.other_types.size()) continue;
        t_.context_.loop_types[frame.statement][name] = begin;
        added = true;
    }
    if (added) throw StartAgain{};
}

void Numbers::widen(const code::Stmt& loop) {
    for (const auto& [name, type] : t_.context_.loop_numbers[&loop])
        if (const auto known = t_.variables_.find(name); known != t_.variables_.end() && is_number(known->second.value))
            if (!(known->second.value.type == type) && takes(type, known->second) && !TypesByPath(t_).keeps_apart_in_loops(name))
                convert(name, type, {});
    for (const std::string& name : t_.context_.types_recorded)
        if (const auto known = t_.variables_.find(name); known != t_.variables_.end() && tells_type(name))
            if (is_number(known->second.value) && !known->second.value.which) convert(name, known->second.value.type, {});
    for (const auto& [name, value] : t_.context_.loop_types[&loop])
        if (const auto known = t_.variables_.find(name); known != t_.variables_.end() && is_number(known->second.value))
            if (!TypesByPath(t_).keeps_apart_in_loops(name)) {
                const auto which = known->second.value.which;
                add_types_of(known->second.value, value);
                if (tells_type(name)) known->second.value.which = which;
                if (!known->second.value.other_types.empty()) known->second.value.type_sources.insert({.name = name});
            }
}

}  // namespace sluice::frontend
