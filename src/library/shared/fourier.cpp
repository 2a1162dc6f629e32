#include "library/shared/fourier.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "library/contract.h"
#include "library/extern_call.h"
#include "library/shared/blas.h"

namespace sluice::library {

namespace {

/// The sum as it is written in books; the angle is reduced so that it stays exact.
void define_transform(ReferenceCall& call, int sign) {
    const ir::Operand& x = call.input("_inp");
    ir::Operand& y = call.output("_out");
    const auto n = static_cast<std::size_t>(x.shape.back());
    for (std::size_t at = 0; at < x.values.size(); ++at) {
        const std::size_t k = at % n, row = at - k;
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < n; ++j)
            sum += x.values[row + j].complex() *
                   std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
        y.values[at] = call.number("factor").complex() * sum;
    }
}

void define_real_transform(ReferenceCall& call, bool inverse) {
    const ir::Operand& x = call.input("_inp");
    ir::Operand& y = call.output("_out");
    const auto from = static_cast<std::size_t>(x.shape.back()), to = static_cast<std::size_t>(y.shape.back()),
               n = inverse ? to : from;
    const double factor = call.number("factor").complex().real();
    const auto root = [&](std::size_t j, std::size_t k) {
        return std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
    };
    for (std::size_t at = 0; at < y.values.size(); ++at) {
        const ir::Number* const row = x.values.data() + at / to * from;
        const std::size_t own = at % to;
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < from && !inverse; ++j) sum += row[j].complex().real() * std::conj(root(j, own));
        for (std::size_t k = 0; inverse && k < from && 2 * k <= n; ++k)
            sum += (row[k].complex() * root(own, k)).real() * (k == 0 || 2 * k == n ? 1 : 2);
        y.values[at] = inverse ? ir::Number(factor * sum.real()) : ir::Number(factor * sum);
    }
}

bool transforms_rows(const NodeContext& context) {
    return bind(context).input("_inp").sizes.size() > 1;
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

/// The same between real and complex numbers.
void become_real_transform(NodeDraft& draft, bool inverse) {
    const Binding binding = bind(draft);
    const BoundOperand &x = binding.input("_inp"), &y = binding.output("_out");
    const ExternCall call{.environment = "fourier",
                          .function = inverse ? "sluice::fourier::to_real" : "sluice::fourier::of_real",
                          .arguments = {binding.sizes.at("N"), binding.sizes.at("K"),
                                        ExternCall::Constant{code::Scalar::Float64, *number_in(draft.factor("factor", "1"))},
                                        ExternCall::Address{"_inp"}, ExternCall::Stride{"_inp", 0, 1}, ExternCall::Address{"_out"},
                                        ExternCall::Stride{"_out", 0, 1}}};
    become_call(draft, call, {{x.edge, "_inp"}}, {{y.edge, "_out"}}, false);
}

void expand_row_transforms(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const BoundOperand &x = binding.input("_inp"), &y = binding.output("_out");
    ir::Sdfg body{.name = "rows"};
    for (const BoundOperand* one : {&x, &y}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    ir::StateBuilder state = ir::add_state(body.body, "rows");
    const auto [entry, exit] =
        state.map("rows", {{"__row", symbolic::Range::extent(binding.sizes.at("M"))}}, draft.library().schedule);
    const ir::NodeId transform = state.library(draft.operation->name, "transform", {"_inp"}, {"_out"}, draft.library().properties);
    const auto row = [&](const BoundOperand& one) {
        const symbolic::Range all = symbolic::Range::extent(binding.sizes.at(one.sizes.back()));
        return ir::memlet(one.connector, ir::Subset{{symbolic::Range::index(symbolic::symbol("__row")), all}});
    };
    state.memlet_path({state.access("_inp"), entry, transform}, "", "_inp", row(x));
    state.memlet_path({transform, exit, state.access("_out")}, "_out", "", row(y));
    replace_by(draft, std::move(body), {{x.edge, "_inp"}}, {{y.edge, "_out"}});
}

std::string why_not_call(const NodeContext& context) {
    if (transforms_rows(context)) return "there is more than one vector";
    return number_in(context.factor("factor", "1")) ? "" : "the factor is no number";
}

std::vector<Expansion> transform_expansions(const std::string& summary, std::function<void(NodeDraft&)> become_call_of_row) {
    return {{.name = "rows",
             .summary = "A map over the rows around transforms of one row.",
             .why_not = [](const NodeContext& context) -> std::string {
                 return transforms_rows(context) ? "" : "there is one vector only";
             },
             .expand = expand_row_transforms},
            {.name = "native",
             .summary = summary,
             .aliases = {"pure"},
             .requirement = {"fourier", false},
             .why_not = why_not_call,
             .expand = std::move(become_call_of_row)}};
}

}  // namespace

Operation fourier_transform(const std::string& name, int sign, const std::string& summary) {
    return {
        .name = name,
        .classpath = "dace.libraries.fft.nodes." + name,
        .summary = summary,
        .forms = {form("_inp[N] -> _out[N]"), form("_inp[M, N] -> _out[M, N]")},
        .properties = {{"factor", 1.0, "What the result is multiplied by."}},
        .types = {code::Scalar::Complex128, code::Scalar::Complex64},
        .one_type = true,
        .flops = [](const Form& form) { return std::string(form.inputs[0].sizes.size() > 1 ? "5*M*N*log2(N)" : "5*N*log2(N)"); },
        .reference = [sign](ReferenceCall& call) { define_transform(call, sign); },
        .expansions = transform_expansions("Mixed radices, and Bluestein's algorithm for large prime factors, of the runtime.",
                                           [sign](NodeDraft& draft) { become_transform(draft, sign); })};
}

Operation real_fourier_transform(const std::string& name, bool inverse, const std::string& summary) {
    const std::string from = inverse ? "K" : "N", to = inverse ? "N" : "K";
    return {.name = name,
            .classpath = {},
            .summary = summary,
            .forms = {form("_inp[" + from + "] -> _out[" + to + "]"), form("_inp[M, " + from + "] -> _out[M, " + to + "]")},
            .properties = {{"factor", 1.0, "What the result is multiplied by."}},
            .types = {code::Scalar::Float64},
            .operand_types = {{inverse ? "_out" : "_inp", code::Scalar::Float64},
                              {inverse ? "_inp" : "_out", code::Scalar::Complex128}},
            .flops =
                [](const Form& form) { return std::string(form.inputs[0].sizes.size() > 1 ? "2.5*M*N*log2(N)" : "2.5*N*log2(N)"); },
            .reference = [inverse](ReferenceCall& call) { define_real_transform(call, inverse); },
            .expansions = transform_expansions("A transform of half as many complex numbers, of the runtime.",
                                               [inverse](NodeDraft& draft) { become_real_transform(draft, inverse); })};
}

}  // namespace sluice::library
