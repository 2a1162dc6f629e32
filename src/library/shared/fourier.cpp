#include "library/shared/fourier.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "library/contract.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

/// The sum as it is written in books; the angle is reduced so that it stays exact.
void define_transform(ReferenceCall& call, int sign) {
    const ir::Operand& x = call.input("_inp");
    ir::Operand& y = call.output("_out");
    const std::size_t n = x.values.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < n; ++j)
            sum += x.values[j].complex() *
                   std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
        y.values[k] = call.number("factor").complex() * sum;
    }
}

void become_transform(NodeDraft& draft, int sign) {
    const Binding binding = bind(draft);
    const BoundOperand &x = binding.input("_inp"), &y = binding.output("_out");
    const ExternCall call{.environment = "fourier",
                          .function = "sluice::fourier::transform",
                          .arguments = {binding.sizes.at("N"), ir::Expr(sign),
                                        ExternCall::Constant{code::Scalar::Float64, *number_in(draft.factor("factor", "1"))},
                                        ExternCall::Address{"_inp"}, ExternCall::Stride{"_inp", 0, 1}, ExternCall::Address{"_out"},
                                        ExternCall::Stride{"_out", 0, 1}}};
    become_call(draft, call, {{x.edge, "_inp"}}, {{y.edge, "_out"}}, false);
}

}  // namespace

Operation fourier_transform(const std::string& name, int sign, const std::string& summary) {
    return {.name = name,
            .classpath = "dace.libraries.fft.nodes." + name,
            .summary = summary,
            .forms = {form("_inp[N] -> _out[N]")},
            .properties = {{"factor", 1.0, "What the result is multiplied by."}},
            .types = {code::Scalar::Complex128, code::Scalar::Complex64},
            .one_type = true,
            .flops = [](const Form&) { return std::string("5*N*log2(N)"); },
            .reference = [sign](ReferenceCall& call) { define_transform(call, sign); },
            .expansions = {{.name = "native",
                            .summary = "Mixed radices, and Bluestein's algorithm for large prime factors, of the runtime.",
                            .aliases = {"pure"},
                            .requirement = {"fourier", false},
                            .why_not =
                                [](const NodeContext& context) {
                                    return std::string(number_in(context.factor("factor", "1")) ? "" : "the factor is no number");
                                },
                            .expand = [sign](NodeDraft& draft) { become_transform(draft, sign); }}}};
}

}  // namespace sluice::library
