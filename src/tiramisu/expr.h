// Expressions: literals, variables, accesses of computations, operators.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "tiramisu/type.h"

namespace tiramisu {

class function;
class var;

/// Settings of the process.
class global {
public:
    static function* get_implicit_function();
    static void set_implicit_function(function* fct);
    static void set_default_tiramisu_options() { set_loop_iterator_type(p_int32); }
    static void set_loop_iterator_type(primitive_t type);
    static primitive_t get_loop_iterator_data_type();
};

class expr {
public:
    expr() = default;
    expr(primitive_t type) : type_(type) {}
    expr(op_t op, primitive_t type, expr operand);  ///< A cast.
    expr(op_t op, expr a);
    expr(op_t op, std::string name);
    expr(op_t op, expr a, expr b);
    expr(op_t op, expr a, expr b, expr c);
    /// An access of a computation at these indices, or a call of a function.
    expr(op_t op, std::string name, std::vector<expr> arguments, primitive_t type);
    expr(std::uint8_t value) : expr(p_uint8, value) {}
    expr(std::int8_t value) : expr(p_int8, value) {}
    expr(std::uint16_t value) : expr(p_uint16, value) {}
    expr(std::int16_t value) : expr(p_int16, value) {}
    expr(std::uint32_t value) : expr(p_uint32, value) {}
    expr(std::int32_t value) : expr(p_int32, value) {}
    expr(std::uint64_t value) : expr(p_uint64, static_cast<std::int64_t>(value)) {}
    expr(std::int64_t value) : expr(p_int64, value) {}
    expr(float value) : kind_(e_val), type_(p_float32), real_(value) {}
    expr(double value) : kind_(e_val), type_(p_float64), real_(value) {}

    bool is_defined() const { return kind_ != e_none; }
    expr_t get_expr_type() const { return kind_; }
    op_t get_op_type() const { return op_; }
    primitive_t get_data_type() const { return type_; }
    const std::string& get_name() const { return name_; }
    const expr& get_operand(int i) const { return operands_.at(static_cast<std::size_t>(i)); }
    int get_n_arg() const { return static_cast<int>(operands_.size()); }
    /// Indices of an access, arguments of a call.
    const std::vector<expr>& get_access() const { return operands_; }
    const std::vector<expr>& get_arguments() const { return operands_; }
    std::int64_t get_int_val() const { return integer_; }
    std::int32_t get_int32_value() const { return static_cast<std::int32_t>(integer_); }
    std::uint8_t get_uint8_value() const { return static_cast<std::uint8_t>(integer_); }
    float get_float32_value() const { return static_cast<float>(real_); }
    double get_float64_value() const { return real_; }
    double get_double_val() const { return real_; }
    bool is_constant() const { return kind_ == e_val; }
    bool is_equal(const expr& other) const;
    bool is_integer() const { return type_ < p_float32; }
    /// As people write it.
    std::string to_str() const;
    void dump(bool exhaustive = false) const;
    /// The same with these operands.
    expr with_operands(std::vector<expr> operands) const;

    expr operator-() const { return {o_minus, *this}; }
    expr operator!() const { return {o_logical_not, *this}; }

protected:
    expr(primitive_t type, std::int64_t value) : kind_(e_val), type_(type), integer_(value) {}

    expr_t kind_ = e_none;
    op_t op_ = o_none;
    primitive_t type_ = p_none;
    std::int64_t integer_ = 0;
    double real_ = 0;
    std::string name_;
    std::vector<expr> operands_;

    friend expr value_cast(primitive_t type, const expr& value);
};

/// A literal of another type.
expr value_cast(primitive_t type, const expr& value);

/// An iterator, with bounds `lower <= name < upper` where they are given. All of one name have one type.
class var : public expr {
public:
    var();
    var(std::string name);
    var(const char* name) : var(std::string(name)) {}
    var(primitive_t type, std::string name);
    var(std::string name, expr lower, expr upper);
    expr get_lower() const { return lower_ ? lower_->front() : expr(); }
    expr get_upper() const { return lower_ ? lower_->back() : expr(); }
    bool has_bounds() const { return lower_.has_value(); }

private:
    std::optional<std::vector<expr>> lower_;  ///< Both bounds.
};

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

// Between an expression and a number, the number has the expression's type.
#define SLUICE_TIRAMISU_OPERATOR(symbol, op)                       \
    inline expr operator symbol(const expr& a, const expr& b) {    \
        return {op, a, b};                                         \
    }                                                              \
    template <Number T> expr operator symbol(const expr& a, T b) { \
        return {op, a, value_cast(a.get_data_type(), expr(b))};    \
    }                                                              \
    template <Number T> expr operator symbol(T a, const expr& b) { \
        return {op, value_cast(b.get_data_type(), expr(a)), b};    \
    }
SLUICE_TIRAMISU_OPERATOR(+, o_add)
SLUICE_TIRAMISU_OPERATOR(-, o_sub)
SLUICE_TIRAMISU_OPERATOR(*, o_mul)
SLUICE_TIRAMISU_OPERATOR(/, o_div)
SLUICE_TIRAMISU_OPERATOR(%, o_mod)
SLUICE_TIRAMISU_OPERATOR(>>, o_right_shift)
SLUICE_TIRAMISU_OPERATOR(<<, o_left_shift)
SLUICE_TIRAMISU_OPERATOR(&&, o_logical_and)
SLUICE_TIRAMISU_OPERATOR(||, o_logical_or)
SLUICE_TIRAMISU_OPERATOR(==, o_eq)
SLUICE_TIRAMISU_OPERATOR(!=, o_ne)
SLUICE_TIRAMISU_OPERATOR(<, o_lt)
SLUICE_TIRAMISU_OPERATOR(<=, o_le)
SLUICE_TIRAMISU_OPERATOR(>, o_gt)
SLUICE_TIRAMISU_OPERATOR(>=, o_ge)
#undef SLUICE_TIRAMISU_OPERATOR

inline expr cast(primitive_t type, const expr& value) {
    return {o_cast, type, value};
}
inline expr floor(const expr& value) {
    return {o_floor, value};
}
inline expr max(const expr& a, const expr& b) {
    return {o_max, a, b};
}
inline expr min(const expr& a, const expr& b) {
    return {o_min, a, b};
}
inline expr clamp(const expr& value, const expr& low, const expr& high) {
    return max(min(value, high), low);
}
inline expr select(const expr& condition, const expr& a, const expr& b) {
    return {o_select, condition, a, b};
}

}  // namespace tiramisu
