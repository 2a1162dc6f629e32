#include "certify/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/proof.h"
#include "poly/convert.h"

namespace sluice::certify {

using poly::Map;
using symbolic::Expr;

namespace {

using Clock = std::chrono::steady_clock;
using Parameters = std::map<std::string, std::int64_t>;

bool is_written(const Model& model, const std::string& container) {
    return std::ranges::any_of(model.assignments, [&](const Assignment& one) { return one.container == container; });
}

/// Arguments that one of them writes; a sentence if the two have not the same.
struct Results {
    std::vector<std::string> names = {};
    std::string obstacle = {};
};
Results results_of(const Model& before, const Model& after) {
    Results results;
    std::set<std::string> names;
    for (const Model* model : {&before, &after})
        for (const auto& [name, held] : model->containers)
            if (held.argument && (is_written(before, name) || is_written(after, name))) names.insert(name);
    for (const std::string& name : names) {
        const auto a = before.containers.find(name), b = after.containers.find(name);
        const bool both = a != before.containers.end() && b != after.containers.end() && a->second.argument && b->second.argument;
        if (!both || !(a->second.dtype == b->second.dtype) || a->second.shape != b->second.shape ||
            a->second.layout != b->second.layout) {
            results.obstacle = "the argument " + name + ", which is not the same in both";
            return results;
        }
        results.names.push_back(name);
    }
    for (const auto& [name, held] : before.containers)
        if (const auto other = after.containers.find(name);
            other != after.containers.end() && held.constant != other->second.constant)
            results.obstacle = "the " + name + ", which is not the same in both";
    return results;
}

/// What is left of the argument at the end, as one more assignment.
std::size_t add_result(Model& model, const std::string& name) {
    const std::size_t number = model.assignments.size();
    Assignment result{.label = "the result " + name, .order = {{.kind = Step::Kind::Sequence, .position = std::int64_t{1} << 40}}};
    poly::Set domain = poly::Set::universe({});
    Tree read{.kind = Tree::Kind::Read, .owner = number, .container = name, .type = {model.containers.at(name).dtype}};
    for (const Expr& extent : model.containers.at(name).shape) {
        result.iterators.push_back("element" + std::to_string(result.iterators.size()));
        domain = domain.add_dimension();
        const auto range =
            poly::in_range(symbolic::Range::extent(extent), result.iterators.back(), {.tuple = {}, .dims = result.iterators});
        if (!range.ok()) throw BudgetEnded{};
        domain = domain.intersect(*range.value);
        read.indices.push_back(symbolic::symbol(result.iterators.back()));
    }
    result.domain = domain.with_tuple(tuple_of(number));
    result.stores_at = result.order;
    result.value = std::make_shared<const Tree>(std::move(read));
    model.assignments.push_back(std::move(result));
    return number;
}

/// Values of the parameters to try: where the proof ended, then small ones.
std::vector<Parameters> trials(const Model& before, const Model& after, const Parameters& found) {
    std::set<std::string> names(before.symbols.begin(), before.symbols.end());
    names.insert(after.symbols.begin(), after.symbols.end());
    std::vector<Parameters> all(6);
    std::int64_t at = 0;
    for (const std::string& name : names) {
        const auto known = found.find(name);
        all[0][name] = known == found.end() || known->second < 1 || known->second > 70 ? 4 + at % 3 : known->second;
        all[1][name] = 5 + at % 4;
        all[2][name] = 7 - at % 4;
        all[3][name] = 3;
        all[4][name] = 1 + at % 2;
        all[5][name] = 35 - at % 3;
        ++at;
    }
    return all;
}

class Question {
public:
    Question(const Model& before, const Model& after, const CertifyOptions& options)
        : before_(before),
          after_(after),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds))),
          operations_(options.operations) {}

    Certificate answer() {
        Certificate certificate;
        const Results results = results_of(before_, after_);
        if (!results.obstacle.empty()) {
            certificate.construct = results.obstacle;
            return certificate;
        }
        Parting parting;
        {
            const poly::Budget budget(operations_);
            try {
                if (prove(results.names, true, certificate, parting)) return certificate;
            } catch (const BudgetEnded&) {
                certificate.construct = "sets that are too large for the budget";
            }
        }
        if (disprove(certificate, parting.parameters)) return certificate;
        {
            const poly::Budget budget(operations_);
            try {
                prove(results.names, false, certificate, parting);
            } catch (const BudgetEnded&) {
                certificate.construct = "sets that are too large for the budget";
            }
        }
        return certificate;
    }

private:
    /// `greedy`: operands of commutative operators are paired as they look.
    bool prove(const std::vector<std::string>& names, bool greedy, Certificate& certificate, Parting& parting) {
        Model before = before_, after = after_;
        std::vector<std::pair<std::size_t, std::size_t>> results;
        for (const std::string& name : names) results.emplace_back(add_result(before, name), add_result(after, name));
        std::vector<std::string> symbols = before_.symbols;
        symbols.insert(symbols.end(), after_.symbols.begin(), after_.symbols.end());
        poly::Set context = poly::to_parameters({}, symbols);
        // Asked is only what the first program does within its arrays.
        Construct outside;
        context = context.subtract(leaving(before_, context, outside));
        if (context.is_empty() != poly::Answer::No) return refused(certificate, outside);
        outside = {};
        if (leaving(after_, context, outside).is_empty() != poly::Answer::Yes) return refused(certificate, outside);
        Sources of_before(before, context), of_after(after, context);
        for (Sources* sources : {&of_before, &of_after})
            if (const std::optional<Construct> order = sources->unordered()) return refused(certificate, *order);
        Proof proof(of_before, of_after, context, end_);
        for (const auto& [x, y] : results) {
            const Map pairs = Map::identity(before.assignments[x].domain).with_range_tuple(tuple_of(y));
            if (proof.equal(before.assignments[x].value, after.assignments[y].value, pairs, greedy)) continue;
            parting = proof.parting();
            certificate.construct =
                parting.construct.empty() ? fmt::format("`{}` against `{}`", parting.before, parting.after) : parting.construct;
            return false;
        }
        certificate.verdict = Verdict::Equal;
        certificate.reassociated = proof.reassociated();
        return true;
    }

    static bool refused(Certificate& certificate, const Construct& construct) {
        certificate.construct = construct.text.empty() ? "sets that are too large for the budget" : construct.text;
        certificate.where = construct.where;
        return false;
    }

    bool disprove(Certificate& certificate, const Parameters& found) {
        const poly::Budget budget(operations_);
        for (const Parameters& trial : trials(before_, after_, found)) {
            if (Clock::now() > end_) return false;
            certificate.witness = difference(before_, after_, trial);
            if (!certificate.witness) continue;
            certificate.verdict = Verdict::Different;
            certificate.construct.clear();
            certificate.where = {};
            return true;
        }
        return false;
    }

    const Model &before_, &after_;
    Clock::time_point end_;
    unsigned long operations_;
};

}  // namespace

Certificate certify(const ir::Sdfg& before, const ir::Sdfg& after, const CertifyOptions& options) {
    std::vector<Model> models;
    for (const ir::Sdfg* sdfg : {&before, &after}) {
        const poly::Budget budget(options.operations);
        std::variant<Model, Construct> read = read_model(*sdfg);
        if (const auto* none = std::get_if<Construct>(&read)) return {.construct = none->text, .where = none->where};
        models.push_back(std::move(std::get<Model>(read)));
    }
    return Question(models[0], models[1], options).answer();
}

std::string to_string(const Certificate& certificate) {
    switch (certificate.verdict) {
        case Verdict::Equal:
            return certificate.reassociated ? "equal, if the terms of sums, products, minima and maxima may change places\n"
                                            : "equal\n";
        case Verdict::Unknown:
            return "unknown: " + certificate.construct + "\n";
        case Verdict::Different:
            break;
    }
    const Witness& witness = *certificate.witness;
    std::string sizes;
    for (const auto& [name, value] : witness.parameters)
        sizes += fmt::format("{}{}={}", sizes.empty() ? " for " : " ", name, value);
    if (witness.outside) return fmt::format("different: the second leaves its arrays at {}{}\n", witness.element, sizes);
    return fmt::format("different: {}{}\n  before: {} = {:.9g}\n  after:  {} = {:.9g}\n", witness.element, sizes, witness.before,
                       witness.value_before, witness.after, witness.value_after);
}

}  // namespace sluice::certify
