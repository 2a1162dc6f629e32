#include "library/shared/distributions.h"

#include <algorithm>
#include <cmath>
#include <concepts>

#include "library/contract.h"
#include "library/shared/random.h"
#include "runtime/counts.h"
#include "runtime/distributions.h"
#include "support/check.h"

namespace sluice::library {

namespace {

constexpr const char* kConnectors[] = {"_p", "_q", "_r"};

struct Row {
    NamedDistribution named;
    bool counts;
    DrawDefinition define;
};

template <class Distribution> auto draw_with(auto& generator, const std::vector<ir::Number>& parameters) {
    const auto at = [&](std::size_t place) { return parameters[place].complex().real(); };
    if constexpr (requires { Distribution::draw(generator, 0.0, 0.0, 0.0); })
        return Distribution::draw(generator, at(0), at(1), at(2));
    else if constexpr (requires { Distribution::draw(generator, 0.0, 0.0); })
        return Distribution::draw(generator, at(0), at(1));
    else
        return Distribution::draw(generator, at(0));
}

template <class Distribution> Row row(const std::string& name, std::size_t parameters) {
    using Drawn = decltype(draw_with<Distribution>(std::declval<random::Mt19937&>(), {}));
    constexpr bool kCounts = std::integral<Drawn>;
    const auto define = [](auto& generator, const auto& all) {
        return one_by_one(all, [&](const auto& one) -> ir::Number { return draw_with<Distribution>(generator, one); });
    };
    return {{name, kCounts ? "RandomCounts" : "RandomVariates", std::vector<std::string>(kConnectors, kConnectors + parameters)},
            kCounts,
            define};
}

const std::vector<Row>& rows() {
    using namespace random;
    static const std::vector<Row> kRows{
        row<Gamma>("gamma", 2),
        row<Beta>("beta", 2),
        row<ChiSquare>("chisquare", 1),
        row<F>("f", 2),
        row<StandardT>("standard_t", 1),
        row<StandardCauchy>("standard_cauchy", 1),
        row<Lognormal>("lognormal", 2),
        row<Pareto>("pareto", 1),
        row<Weibull>("weibull", 1),
        row<Power>("power", 1),
        row<Laplace>("laplace", 2),
        row<Gumbel>("gumbel", 2),
        row<Logistic>("logistic", 2),
        row<Rayleigh>("rayleigh", 1),
        row<Triangular>("triangular", 3),
        row<Poisson>("poisson", 1),
        row<NegativeBinomial>("negative_binomial", 2),
        row<Geometric>("geometric", 1),
        row<Binomial>("binomial", 2),
    };
    return kRows;
}

const Row& row_of(const ir::Property* property) {
    const auto* name = property ? std::get_if<std::string>(property) : nullptr;
    const auto found = std::ranges::find_if(rows(), [&](const Row& one) { return name && one.named.name == *name; });
    check(found != rows().end(), "the form of a node names its distribution");
    return *found;
}

void define_variates(ReferenceCall& call) {
    const Row& row = row_of(&call.properties.at("distribution"));
    define_draws(call, row.named.parameters, row.define);
}

void become_variates(NodeDraft& draft) {
    bind(draft);
    become_draws(draft, row_of(draft.property("distribution")).named.name);
}

/// Parameters between 0 and 1, in order: every distribution has such.
void make_small(ir::Operands& operands) {
    double least = 0.1;
    for (const char* connector : kConnectors) {
        const auto operand = operands.find(connector);
        if (operand == operands.end()) continue;
        for (ir::Number& one : operand->second.values) one = least + 0.1 * std::abs(std::sin(one.complex().real()));
        least += 0.3;
    }
}

}  // namespace

Operation draws_from_distributions(const std::string& name, const std::string& summary, bool counts) {
    std::vector<Form> forms;
    for (const Row& row : rows()) {
        if (row.counts != counts) continue;
        for (Form& form : forms_of_draws(row.named.parameters, true)) {
            form.properties = {{"distribution", row.named.name}};
            forms.push_back(std::move(form));
        }
    }
    const ir::Property first = forms.front().properties.at("distribution");
    return {.name = name,
            .classpath = {},
            .summary = summary,
            .forms = forms,
            .properties = {{"distribution", first, "The method of NumPy's Generator that draws from it."}},
            .types = {code::Scalar::Float64},
            .operand_types = {{"_state", code::Scalar::UInt64}, {"_b", counts ? code::Scalar::Int64 : code::Scalar::Float64}},
            .make_valid = make_small,
            .reference = define_variates,
            .expansions = {{.name = "native",
                            .summary = "A loop of the runtime over the stream.",
                            .aliases = {"pure"},
                            .requirement = {"random", false},
                            .expand = become_variates}}};
}

const std::vector<NamedDistribution>& named_distributions() {
    static const std::vector<NamedDistribution> kAll = [] {
        std::vector<NamedDistribution> all;
        for (const Row& row : rows()) all.push_back(row.named);
        return all;
    }();
    return kAll;
}

}  // namespace sluice::library
