#include "library/typed_number.h"

#include <charconv>

namespace sluice::library {

namespace {

/// The low bits, as an integer of so many bits holds them.
std::int64_t wrapped(std::int64_t value, std::size_t bits, bool is_signed) {
    if (bits >= 64) return value;
    const std::uint64_t low = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
    const bool negative = is_signed && (low >> (bits - 1)) != 0;
    return static_cast<std::int64_t>(negative ? low | ~((std::uint64_t{1} << bits) - 1) : low);
}

code::Type promoted(const TypedNumber& a, const TypedNumber& b) {
    return code::promote(a.type, b.type);
}

}  // namespace

ir::Number as_type(const ir::Number& number, code::Scalar type) {
    if (code::is_complex(type)) return number.complex();
    if (code::is_floating(type)) return number.complex().real();
    if (type == code::Scalar::Bool) return std::int64_t{number.integral ? number.integer != 0 : number.real != 0.0};
    const std::int64_t whole = number.integral ? number.integer : static_cast<std::int64_t>(number.real.real());
    return wrapped(whole, 8 * code::size_in_bytes(type), code::is_signed(type));
}

TypedNumber operator+(const TypedNumber& a, const TypedNumber& b) {
    const code::Type type = promoted(a, b);
    const code::Scalar scalar = type.dtype.scalar;
    return {as_type(as_type(a.value, scalar) + as_type(b.value, scalar), scalar), type};
}

TypedNumber operator*(const TypedNumber& a, const TypedNumber& b) {
    const code::Type type = promoted(a, b);
    const code::Scalar scalar = type.dtype.scalar;
    return {as_type(as_type(a.value, scalar) * as_type(b.value, scalar), scalar), type};
}

TypedNumber element(const ir::Operand& operand, std::size_t at) {
    return {operand.values[at], {operand.type, false}};
}

TypedNumber factor(const ReferenceCall& call, const std::string& property) {
    const ir::Number value = call.number(property);
    return {value, {value.integral ? code::Scalar::Int64 : code::Scalar::Float64, true}};
}

code::Type type_of_factor(const std::string& text) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return {code::Scalar::Int64, false};
    const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
    return {whole ? code::Scalar::Int64 : code::Scalar::Float64, true};
}

}  // namespace sluice::library
