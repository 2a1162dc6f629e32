#include "certify/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "certify/meaning.h"

namespace sluice::certify {

using symbolic::Expr;

namespace {

constexpr std::size_t kMostInstances = 40'000;
using Index = std::vector<std::int64_t>;
using Parameters = std::map<std::string, std::int64_t>;

/// It cannot be run. An access of this element leaves its container.
struct NoRun {
    std::string outside = {};
};

/// A value and how it was computed.
struct Term {
    double value = 0;
    bool undefined = false;  ///< Of memory that nobody wrote.
    std::uint64_t hash = 0;  ///< Of the computation.
    std::string name;        ///< Operator, or an input or number as text.
    std::vector<std::shared_ptr<const Term>> operands = {};
};
using TermPtr = std::shared_ptr<const Term>;

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
    seed ^= value + 0x9e3779b97f4a7c15U + (seed << 6U) + (seed >> 2U);
    seed *= 0xbf58476d1ce4e5b9U;
    return seed ^ (seed >> 29U);
}

TermPtr term(double value, const std::string& name, std::vector<TermPtr> operands = {}) {
    Term made{.value = value, .hash = std::hash<std::string>{}(name), .name = name, .operands = std::move(operands)};
    for (const TermPtr& operand : made.operands) {
        made.hash = mixed(made.hash, operand->hash);
        made.undefined |= operand->undefined;
    }
    return std::make_shared<const Term>(std::move(made));
}

std::string element_text(const std::string& container, const Index& index) {
    return fmt::format("{}[{}]", container, fmt::join(index, ", "));
}

class Run {
public:
    /// `backwards`: the points of maps from the last to the first.
    Run(const Model& model, const Parameters& parameters, bool backwards, int side)
        : model_(model), parameters_(parameters), backwards_(backwards), side_(side) {}

    void run() {
        struct Event {
            Index time;
            std::size_t assignment, point;
            bool stores;
        };
        std::vector<Event> events;
        std::vector<std::vector<Index>> points;
        for (std::size_t at = 0; at < model_.assignments.size(); ++at) {
            const Assignment& assignment = model_.assignments[at];
            points.push_back(points_of(assignment.domain));
            if (events.size() + 2 * points.back().size() > 2 * kMostInstances) throw NoRun{};
            if (assignment.container.empty() && !points.back().empty()) throw NoRun{};
            for (std::size_t point = 0; point < points.back().size(); ++point) {
                events.push_back({time(assignment.order, points.back()[point]), at, point, false});
                events.push_back({time(assignment.stores_at, points.back()[point]), at, point, true});
            }
        }
        std::ranges::stable_sort(events, {}, &Event::time);
        std::map<std::pair<std::size_t, std::size_t>, TermPtr> computed;
        for (const Event& event : events) {
            const Assignment& assignment = model_.assignments[event.assignment];
            symbols_ = parameters_;
            for (std::size_t at = 0; at < assignment.iterators.size(); ++at)
                symbols_.insert_or_assign(assignment.iterators[at], points[event.assignment][event.point][at]);
            if (event.stores)
                store(assignment, computed.at({event.assignment, event.point}));
            else
                computed[{event.assignment, event.point}] = compute(assignment);
        }
    }

    TermPtr at(const std::string& container, const Index& index) {
        const auto memory = memory_.find(container);
        if (memory != memory_.end())
            if (const auto found = memory->second.find(index); found != memory->second.end()) return found->second;
        return input(container, index);
    }
    const std::map<Index, TermPtr>& written(const std::string& container) { return memory_[container]; }

private:
    std::vector<Index> points_of(const poly::Set& domain) const {
        Parameters values;
        for (const std::string& name : domain.parameter_names()) {
            const Result<Expr> value = symbolic::parse(name);
            if (!value.ok()) throw NoRun{};
            values[name] = number(*value, parameters_);
        }
        auto points = domain.points(values, kMostInstances);
        if (!points) throw NoRun{};
        return std::move(*points);
    }
    static std::int64_t number(const Expr& e, const Parameters& symbols) {
        const Result<std::int64_t> value = symbolic::evaluate(e, symbols);
        if (!value.ok()) throw NoRun{};
        return *value;
    }
    Index time(const std::vector<Step>& steps, const Index& point) const {
        Index time;
        for (const Step& step : steps) {
            const bool iterates = step.kind == Step::Kind::Loop || step.kind == Step::Kind::Map;
            const std::int64_t sign = step.kind == Step::Kind::Map && backwards_ ? -1 : 1;
            time.push_back(iterates ? point[step.iterator] * step.position * sign : step.position);
        }
        return time;
    }

    Index index_of(const std::string& container, const std::vector<Expr>& indices) {
        Index index;
        for (const Expr& e : indices) index.push_back(number(e, symbols_));
        const Held& held = model_.containers.at(container);
        const std::size_t executions = held.executions.size();
        if (index.size() != executions + held.shape.size()) throw NoRun{};
        for (std::size_t d = 0; d < held.shape.size(); ++d)
            if (index[executions + d] < 0 || index[executions + d] >= number(held.shape[d], symbols_))
                throw NoRun{element_text(container, index)};
        return index;
    }
    TermPtr input(const std::string& container, const Index& index) const {
        const Held& held = model_.containers.at(container);
        if (held.constant) throw NoRun{};
        std::uint64_t hash = std::hash<std::string>{}(container);
        for (const std::int64_t i : index) hash = mixed(hash, static_cast<std::uint64_t>(i));
        if (!held.argument) hash = mixed(hash, static_cast<std::uint64_t>(side_) + 17);
        const double unit = static_cast<double>(hash % 1000003) / 1000003.0;
        // A diagonal that dominates keeps factorisations away from roots of negative numbers.
        const bool diagonal = index.size() > 1 && std::ranges::adjacent_find(index, std::not_equal_to<>()) == index.end();
        double value = 0.5 + unit + (diagonal ? 8 : 0);
        if (code::is_integer(held.dtype.scalar)) value = static_cast<double>(1 + hash % 7);
        if (held.dtype.scalar == code::Scalar::Bool) value = static_cast<double>(hash % 2);
        if (held.dtype.scalar == code::Scalar::Float32) value = static_cast<float>(value);
        Term made = *term(value, held.argument ? element_text(container, index) : "unwritten " + element_text(container, index));
        made.undefined = !held.argument;
        made.hash = hash;
        return std::make_shared<const Term>(std::move(made));
    }

    TermPtr compute(const Assignment& assignment) {
        for (const TreePtr& read : assignment.touched) index_of(read->container, read->indices);
        return evaluate(*assignment.value);
    }
    TermPtr evaluate(const Tree& tree) {
        switch (tree.kind) {
            case Tree::Kind::Read:
                return at(tree.container, index_of(tree.container, tree.indices));
            case Tree::Kind::Constant:
                return term(std::stod(tree.name), tree.name);
            case Tree::Kind::Index: {
                const std::int64_t value = number(tree.indices[0], symbols_);
                return term(static_cast<double>(value), std::to_string(value));
            }
            case Tree::Kind::Apply: {
                std::vector<TermPtr> operands;
                std::vector<double> values;
                for (const TreePtr& part : tree.operands) {
                    operands.push_back(evaluate(*part));
                    values.push_back(operands.back()->value);
                }
                const std::optional<double> value = meaning(tree.name, values, tree.type.dtype.scalar);
                if (!value) throw NoRun{};
                return term(*value, tree.name, std::move(operands));
            }
            default:
                throw NoRun{};
        }
    }
    void store(const Assignment& assignment, TermPtr value) {
        const Index index = index_of(assignment.container, assignment.indices);
        if (!assignment.update.empty()) {
            const TermPtr old = at(assignment.container, index);
            const code::Scalar type = model_.containers.at(assignment.container).dtype.scalar;
            const std::optional<double> combined = meaning(assignment.update, {old->value, value->value}, type);
            if (!combined) throw NoRun{};
            value = term(*combined, assignment.update, {old, value});
        }
        memory_[assignment.container][index] = std::move(value);
    }

    const Model& model_;
    const Parameters& parameters_;
    bool backwards_;
    int side_;
    Parameters symbols_;
    std::map<std::string, std::map<Index, TermPtr>> memory_;
};

/// The computation, but for what the other has too.
std::string text_of(const Term& term, const std::set<std::uint64_t>& others, int depth) {
    if (term.operands.empty()) return term.name;
    if (others.contains(term.hash) || depth == 0) return "...";
    std::string all;
    for (const TermPtr& operand : term.operands) all += (all.empty() ? "" : ", ") + text_of(*operand, others, depth - 1);
    return term.name + "(" + all + ")";
}

void hashes_of(const Term& term, std::set<std::uint64_t>& hashes) {
    if (!hashes.insert(term.hash).second || hashes.size() > 100'000) return;
    for (const TermPtr& operand : term.operands) hashes_of(*operand, hashes);
}

/// From the element down to where the two part: what they have in common above is left out.
std::pair<std::string, std::string> parting_of(const TermPtr& a, const TermPtr& b) {
    constexpr int kDepth = 4;
    TermPtr x = a, y = b;
    std::string above;
    while (x->name == y->name && x->operands.size() == y->operands.size() && !x->operands.empty()) {
        std::vector<std::size_t> apart;
        for (std::size_t at = 0; at < x->operands.size(); ++at)
            if (x->operands[at]->hash != y->operands[at]->hash) apart.push_back(at);
        if (apart.size() != 1 || x->operands[apart[0]]->operands.empty() || y->operands[apart[0]]->operands.empty()) break;
        above += x->name + " of ";
        x = x->operands[apart[0]];
        y = y->operands[apart[0]];
    }
    if (above.size() > 60) above = "... of ";
    std::set<std::uint64_t> left, right;
    hashes_of(*x, left);
    hashes_of(*y, right);
    return {above + text_of(*x, right, kDepth), above + text_of(*y, left, kDepth)};
}

bool differs(const Term& a, const Term& b, const code::DType& type) {
    if (a.undefined || std::isnan(a.value) || std::isinf(a.value)) return false;
    if (std::isnan(b.value) || std::isinf(b.value)) return false;
    if (!code::is_floating(type.scalar)) return a.value != b.value;
    const double narrow = type.scalar == code::Scalar::Float64 ? 1e-6 : 1e-2;
    return std::abs(a.value - b.value) > narrow * std::max({std::abs(a.value), std::abs(b.value), 1e-2});
}

std::optional<Witness> compared(const Model& model, Run& before, Run& after, const Parameters& parameters) {
    for (const auto& [name, held] : model.containers) {
        if (!held.argument) continue;
        std::set<Index> elements;
        for (const auto& [index, value] : before.written(name)) elements.insert(index);
        for (const auto& [index, value] : after.written(name)) elements.insert(index);
        for (const Index& index : elements) {
            const TermPtr a = before.at(name, index), b = after.at(name, index);
            if (!differs(*a, *b, held.dtype)) continue;
            const auto [x, y] = parting_of(a, b);
            return Witness{.element = element_text(name, index),
                           .parameters = parameters,
                           .before = x,
                           .after = y,
                           .value_before = a->value,
                           .value_after = b->value};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Witness> difference(const Model& before, const Model& after, const Parameters& parameters) {
    try {
        Run first(before, parameters, false, 0);
        first.run();
        try {
            // Points of maps may come in any order: two of them show what depends on it.
            for (const bool backwards : {false, true}) {
                Run second(after, parameters, backwards, 1);
                second.run();
                if (const auto found = compared(before, first, second, parameters)) return found;
            }
        } catch (const NoRun& no) {
            if (!no.outside.empty()) return Witness{.element = no.outside, .parameters = parameters, .outside = true};
        }
    } catch (const NoRun&) {
    }
    return std::nullopt;
}

}  // namespace sluice::certify
