#include "certify/meaning.h"

#include <cmath>
#include <functional>
#include <map>

namespace sluice::certify {

namespace {

using Operands = const std::vector<double>&;
using Function = std::function<double(Operands)>;

double floor_mod(double a, double b) {
    return a - b * std::floor(a / b);
}

const std::map<std::string, Function>& functions() {
    static const std::map<std::string, Function> all = {
        {"add", [](Operands x) { return x[0] + x[1]; }},
        {"multiply", [](Operands x) { return x[0] * x[1]; }},
        {"divide", [](Operands x) { return x[0] / x[1]; }},
        {"floor_divide", [](Operands x) { return std::floor(x[0] / x[1]); }},
        {"mod", [](Operands x) { return floor_mod(x[0], x[1]); }},
        {"power", [](Operands x) { return std::pow(x[0], x[1]); }},
        {"negative", [](Operands x) { return -x[0]; }},
        {"minimum", [](Operands x) { return std::min(x[0], x[1]); }},
        {"maximum", [](Operands x) { return std::max(x[0], x[1]); }},
        {"and",
         [](Operands x) {
             bool every = true;
             for (const double value : x) every = every && value != 0;
             return every ? 1.0 : 0.0;
         }},
        {"or",
         [](Operands x) {
             bool any = false;
             for (const double value : x) any = any || value != 0;
             return any ? 1.0 : 0.0;
         }},
        {"not", [](Operands x) { return x[0] == 0 ? 1.0 : 0.0; }},
        {"equal", [](Operands x) { return x[0] == x[1] ? 1.0 : 0.0; }},
        {"not_equal", [](Operands x) { return x[0] != x[1] ? 1.0 : 0.0; }},
        {"less", [](Operands x) { return x[0] < x[1] ? 1.0 : 0.0; }},
        {"less_equal", [](Operands x) { return x[0] <= x[1] ? 1.0 : 0.0; }},
        {"where", [](Operands x) { return x[0] != 0 ? x[1] : x[2]; }},
        {"abs", [](Operands x) { return std::abs(x[0]); }},
        {"square", [](Operands x) { return x[0] * x[0]; }},
        {"sqrt", [](Operands x) { return std::sqrt(x[0]); }},
        {"exp", [](Operands x) { return std::exp(x[0]); }},
        {"log", [](Operands x) { return std::log(x[0]); }},
        {"sin", [](Operands x) { return std::sin(x[0]); }},
        {"cos", [](Operands x) { return std::cos(x[0]); }},
        {"tan", [](Operands x) { return std::tan(x[0]); }},
        {"tanh", [](Operands x) { return std::tanh(x[0]); }},
        {"floor", [](Operands x) { return std::floor(x[0]); }},
        {"ceil", [](Operands x) { return std::ceil(x[0]); }},
        {"sign", [](Operands x) { return x[0] > 0   ? 1.0
                                         : x[0] < 0 ? -1.0
                                                    : 0.0; }},
    };
    return all;
}

}  // namespace

std::optional<double> meaning(const std::string& name, const std::vector<double>& operands, code::Scalar type) {
    double value = 0;
    if (name.starts_with("to_") && operands.size() == 1) {
        value = code::is_integer(type)       ? std::trunc(operands[0])
                : type == code::Scalar::Bool ? (operands[0] != 0 ? 1.0 : 0.0)
                                             : operands[0];
    } else {
        const auto function = functions().find(name);
        if (function == functions().end() || operands.empty()) return std::nullopt;
        value = function->second(operands);
    }
    if (type == code::Scalar::Float32) return static_cast<float>(value);
    // Where an integer would wrap, or a narrower type round, nothing is said.
    if (code::is_integer(type) && !(std::abs(value) < 1e9)) return std::nullopt;
    if (code::is_integer(type) && code::size_in_bytes(type) < 4 && !(std::abs(value) < 100)) return std::nullopt;
    if (code::is_floating(type) && type != code::Scalar::Float64) return std::nullopt;
    return value;
}

}  // namespace sluice::certify
