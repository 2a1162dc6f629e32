#include "codegen/c_like/c_dialect.h"

#include <fmt/format.h>

#include <cmath>

#include "codegen/c_like/types.h"

namespace sluice::codegen {

using code::DType;
using code::Scalar;

std::string type_suffix(const DType& type) {
    return type.scalar == Scalar::Bool ? "boolean" : std::string(code::scalar_name(type.scalar));
}

std::string CDialectPrinter::type(const DType& t) {
    if (!t.compound && (t.lanes > 1 || t.scalar == Scalar::Float16 || code::is_complex(t.scalar)))
        refuse("values of type " + code::to_string(t));
    return c_type(t);
}

std::string CDialectPrinter::integer(std::int64_t value, const DType& t) {
    if (code::is_floating(t.scalar)) return real(static_cast<double>(value), 0, t);
    if (t.scalar == Scalar::Int32 && value != INT32_MIN) return std::to_string(value);
    if (t.scalar == Scalar::Bool) return value != 0 ? "true" : "false";
    if (t.scalar == Scalar::UInt64) return fmt::format("{}ULL", static_cast<std::uint64_t>(value));
    if (t.scalar == Scalar::Int64) return value == INT64_MIN ? "INT64_MIN" : fmt::format("{}LL", value);
    return fmt::format("({}){}LL", type(t), value);
}

std::string CDialectPrinter::real(double value, double, const DType& t) {
    const bool single = type(t) == "float";
    if (std::isnan(value) || std::isinf(value))
        return fmt::format("({})({})", type(t), value != value ? "NAN" : value < 0 ? "-INFINITY" : "INFINITY");
    std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + (single ? "f" : "");
}

std::string CDialectPrinter::converted(const std::string& type, const std::string& value) {
    return "(" + type + ")(" + value + ")";
}

std::string CDialectPrinter::pointer_cast(const std::string& target, const std::string& pointer, bool) {
    return converted(target, pointer);
}

Text CDialectPrinter::print_cast(const loop::Value& v, const loop::Cast& n) {
    type(n.operand->type);
    return {converted(type(v.type), value(n.operand)), Level::Unary};
}

Text CDialectPrinter::print_call(const loop::Value& v, const loop::Call& n) {
    const DType& of = v.type == DType(Scalar::Bool) ? n.arguments.at(0)->type : v.type;
    std::string arguments;
    for (const loop::ValuePtr& argument : n.arguments) arguments += (arguments.empty() ? "" : ", ") + value(argument);
    return {by_type(n.function, of) + "(" + arguments + ")"};
}

std::string CDialectPrinter::combined_by_function(const char* name, const DType& t, const std::string& before,
                                                  const std::string& incoming) {
    return by_type(name, t) + "(" + before + ", " + incoming + ")";
}

std::string CDialectPrinter::by_type(const std::string& function, const DType& t) {
    type(t);
    return "sluice_" + function + "_" + type_suffix(t);
}

std::string CDialectPrinter::table(const std::string& words, const std::string& element, const loop::ConstantTable& table) {
    std::string all;
    for (const std::int64_t each : table.integers) all += (all.empty() ? "" : ", ") + integer(each, table.type);
    for (const auto& [value, imaginary] : table.values) all += (all.empty() ? "" : ", ") + real(value, imaginary, table.type);
    return words + " " + element + " " + table.name + (table.scalar ? " = " + all : "[] = {" + (all.empty() ? "0" : all) + "}") +
           ";";
}

}  // namespace sluice::codegen
