#include "tiramisu/expr.h"

#include <fmt/format.h>

#include <iostream>
#include <map>

#include "tiramisu/record.h"

namespace tiramisu {

namespace {

struct Settings {
    function* implicit = nullptr;
    primitive_t iterator = p_int32;
    std::map<std::string, primitive_t> variables;
    int unnamed = 0;
};
Settings& settings() {
    static Settings of_process;
    return of_process;
}

bool is_comparison(op_t op) {
    return (op >= o_eq && op <= o_gt) || op == o_logical_and || op == o_logical_or || op == o_logical_not;
}

}  // namespace

function* global::get_implicit_function() {
    return settings().implicit;
}
void global::set_implicit_function(function* fct) {
    settings().implicit = fct;
}
void global::set_loop_iterator_type(primitive_t type) {
    settings().iterator = type;
}
primitive_t global::get_loop_iterator_data_type() {
    return settings().iterator;
}

expr::expr(op_t op, primitive_t type, expr operand) : kind_(e_op), op_(op), type_(type), operands_{std::move(operand)} {}
expr::expr(op_t op, expr a) : kind_(e_op), op_(op), type_(is_comparison(op) ? p_boolean : a.type_), operands_{std::move(a)} {}
expr::expr(op_t op, std::string name) : kind_(e_op), op_(op), name_(std::move(name)) {}
expr::expr(op_t op, expr a, expr b)
    : kind_(e_op), op_(op), type_(is_comparison(op) ? p_boolean : a.type_), operands_{std::move(a), std::move(b)} {}
expr::expr(op_t op, expr a, expr b, expr c)
    : kind_(e_op), op_(op), type_(op == o_select ? b.type_ : a.type_), operands_{std::move(a), std::move(b), std::move(c)} {}
expr::expr(op_t op, std::string name, std::vector<expr> arguments, primitive_t type)
    : kind_(e_op), op_(op), type_(type), name_(std::move(name)), operands_(std::move(arguments)) {}

bool expr::is_equal(const expr& other) const {
    return to_str() == other.to_str() && type_ == other.type_;
}

expr expr::with_operands(std::vector<expr> operands) const {
    expr made = *this;
    made.operands_ = std::move(operands);
    return made;
}

std::string expr::to_str() const {
    if (kind_ == e_val) return is_integer() || type_ == p_boolean ? std::to_string(integer_) : fmt::format("{}", real_);
    if (kind_ == e_var) return name_;
    if (kind_ == e_none) return "";
    std::string arguments;
    for (const expr& one : operands_) arguments += (arguments.empty() ? "" : ", ") + one.to_str();
    return fmt::format("{}({})", name_.empty() ? "op" + std::to_string(static_cast<int>(op_)) : name_, arguments);
}
void expr::dump(bool) const {
    std::cout << to_str() << std::endl;
}

expr value_cast(primitive_t type, const expr& value) {
    if (!value.is_constant() || type == p_none || type == p_boolean) return value;
    expr made = value;
    made.type_ = type;
    const bool was_real = value.type_ == p_float32 || value.type_ == p_float64;
    if (type == p_float32 || type == p_float64) {
        if (!was_real) made.real_ = static_cast<double>(value.integer_);
    } else if (was_real) {
        made.integer_ = static_cast<std::int64_t>(value.real_);
    }
    return made;
}

var::var() : var("t" + std::to_string(settings().unnamed++)) {}
var::var(std::string name) : var(settings().iterator, name) {
    type_ = settings().variables.at(name_);
}
var::var(primitive_t type, std::string name) {
    kind_ = e_var;
    name_ = std::move(name);
    settings().variables.emplace(name_, type);
    type_ = type;
}
var::var(std::string name, expr lower, expr upper) : var(std::move(name)) {
    lower_ = {std::move(lower), std::move(upper)};
}

}  // namespace tiramisu
