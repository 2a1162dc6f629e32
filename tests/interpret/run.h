// Runs a graph over vectors of doubles, and what tests ask of the outcome.
#pragma once

#include <gtest/gtest.h>

#include "interpret/interpret.h"
#include "ir/builder.h"
#include "ir/verify.h"

namespace sluice::interpret {

using code::Scalar;
using symbolic::symbol;

/// Memory by name; symbols by name.
struct Call {
    std::map<std::string, std::vector<double>> doubles = {};
    std::map<std::string, std::vector<std::int64_t>> integers = {};
    std::map<std::string, SymbolValue, std::less<>> symbols = {};
    Options options = {};

    Result<Report> operator()(const ir::Sdfg& sdfg) {
        for (const Diagnostic& problem : ir::verify(sdfg)) ADD_FAILURE() << render(problem);
        Arguments arguments;
        for (auto& [name, values] : doubles) arguments.memory[name] = values.data();
        for (auto& [name, values] : integers) arguments.memory[name] = values.data();
        arguments.symbols = symbols;
        return interpret(sdfg, arguments, options);
    }
    /// The run succeeds and finds nothing.
    Report clean(const ir::Sdfg& sdfg) {
        Result<Report> report = (*this)(sdfg);
        if (!report.ok()) {
            ADD_FAILURE() << render(report.error());
            return {};
        }
        for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
        return *report;
    }
};

inline ir::Sdfg with_arrays(const std::string& name,
                            const std::vector<std::pair<std::string, std::vector<symbolic::Expr>>>& arrays) {
    ir::Sdfg sdfg{.name = name};
    ir::add_symbol(sdfg, "N");
    for (const auto& [array, shape] : arrays) ir::add_array(sdfg, array, Scalar::Float64, shape);
    return sdfg;
}

using Doubles = std::vector<double>;

}  // namespace sluice::interpret
