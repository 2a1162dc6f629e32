// The questions of Tiramisu's legality checks, asked of the proof that code generation makes.
#include <algorithm>
#include <numeric>

#include "support/result.h"
#include "tiramisu/record.h"

namespace tiramisu {

namespace schedule = sluice::schedule;

namespace {

/// These codes say that a schedule is illegal; others, that a program is wrong.
bool is_illegal(const std::string& code) {
    return code == "M005" || code == "M006" || code == "M009" || code == "M016" || code == "M017";
}

std::set<const ComputationRecord*> records(const std::vector<computation*>& computations) {
    std::set<const ComputationRecord*> all;
    for (const computation* one : computations) all.insert(&one->record());
    return all;
}

using Commands = std::function<void(Translation&)>;

bool holds(const Recording& of, const std::set<const ComputationRecord*>* only, const Commands& more, bool in_threads) {
    bool legal = true;
    reporting([&] {
        Translation to(of, only);
        more(to);
        std::optional<sluice::Diagnostic> wrong;
        if (in_threads) {
            if (auto built = to.function().build({}, {.suggest = false}); !built.ok()) wrong = built.error();
        } else if (auto checked = to.function().check({}); !checked.ok()) {
            wrong = checked.error();
        }
        legal = !wrong;
        if (wrong && !is_illegal(wrong->code)) sluice::fail(*wrong);
    });
    return legal;
}

}  // namespace

bool function::check_legality_of_function() const {
    return holds(
        *recording_, nullptr, [](Translation&) {}, false);
}
bool function::check_partial_legality_in_function(const std::vector<computation*>& computations) const {
    const auto only = records(computations);
    return holds(
        *recording_, &only, [](Translation&) {}, false);
}
bool function::loop_parallelization_is_legal(const LoopLevel& level, const std::vector<computation*>& computations) const {
    const auto only = records(computations);
    return holds(
        *recording_, &only,
        [&](Translation& to) {
            for (const ComputationRecord* of : only) to[*of].parallelize(to.level(*of, level));
        },
        true);
}
bool function::loop_unrolling_is_legal(const LoopLevel& level, const std::vector<computation*>& computations) const {
    bool constant = true;
    reporting([&] {
        Translation to(*recording_);
        for (const computation* one : computations)
            constant = constant && to[one->record()].is_uniform(to.level(one->record(), level));
    });
    return constant;
}
bool function::loop_vectorization_is_legal(const LoopLevel& level, const std::vector<computation*>& computations) const {
    return loop_unrolling_is_legal(level, computations) && loop_parallelization_is_legal(level, computations);
}
bool computation::involved_subset_of_dependencies_is_legal(computation* other) const {
    const std::set<const ComputationRecord*> only{record_, &other->record()};
    return holds(
        record_->in, &only, [](Translation&) {}, false);
}

bool check_legality_of_function() {
    return global::get_implicit_function()->check_legality_of_function();
}
bool loop_parallelization_is_legal(const var& level, const std::vector<computation*>& computations) {
    return global::get_implicit_function()->loop_parallelization_is_legal(level, computations);
}
bool loop_unrolling_is_legal(const var& level, const std::vector<computation*>& computations) {
    return global::get_implicit_function()->loop_unrolling_is_legal(level, computations);
}
bool loop_vectorization_is_legal(const var& level, const std::vector<computation*>& computations) {
    return global::get_implicit_function()->loop_vectorization_is_legal(level, computations);
}

namespace {

/// Factors are looked for up to this size.
constexpr int kMostFactor = 3;

/// Those of i' = a * i + b * j, smallest first.
std::vector<std::pair<int, int>> candidates() {
    std::vector<std::pair<int, int>> all;
    for (int a = 0; a <= kMostFactor; ++a)
        for (int b = -kMostFactor; b <= kMostFactor; ++b)
            if (std::gcd(a, b) == 1 && b != 0) all.emplace_back(a, b);
    std::ranges::stable_sort(all, {}, [](const auto& one) { return std::pair(one.first + std::abs(one.second), -one.second); });
    return all;
}

schedule::Computation::Factors completed(int a, int b) {
    int c = 0;
    while (a == 0 ? b * c != -1 : (1 + b * c) % a != 0) c = c > 0 ? -c : 1 - c;
    return {a, b, c, a == 0 ? 0 : (1 + b * c) / a};
}

enum class Parallel : std::uint8_t { None, Outer, Inner };
enum class Also : std::uint8_t { Nothing, Interchanged, Reversed };

/// Is it legal to skew, and to do this as well?
bool skewed(const Recording& of, const std::set<const ComputationRecord*>& only, const var& outer, const var& inner,
            const schedule::Computation::Factors& factors, Parallel parallel, Also also = Also::Nothing) {
    return holds(
        of, &only,
        [&](Translation& to) {
            for (const ComputationRecord* one : only) {
                schedule::Computation& made = to[*one];
                made.transform(outer.get_name(), inner.get_name(), factors, "outer_", "inner_");
                if (also == Also::Interchanged) made.interchange("outer_", "inner_");
                if (also == Also::Reversed) made.reverse("inner_", "reversed_");
                if (parallel != Parallel::None) made.parallelize(parallel == Parallel::Outer ? "outer_" : "inner_");
            }
        },
        parallel != Parallel::None);
}

}  // namespace

std::tuple<function::skewings, function::skewings, function::skewings> function::skewing_local_solver(
    const std::vector<computation*>& computations, const var& outer, const var& inner, int count) const {
    const auto only = records(computations);
    skewings outside, inside, neither;
    const auto wanted = static_cast<std::size_t>(count);
    for (const auto& [a, b] : candidates()) {
        const auto factors = completed(a, b);
        if (inside.size() >= 2 * wanted) break;
        if (!skewed(*recording_, only, outer, inner, factors, Parallel::None)) {
            if (neither.size() < wanted && skewed(*recording_, only, outer, inner, factors, Parallel::None, Also::Reversed))
                neither.emplace_back(a, b);
            continue;
        }
        if (outside.empty() && skewed(*recording_, only, outer, inner, factors, Parallel::Outer))
            outside.emplace_back(a, b);
        else if (skewed(*recording_, only, outer, inner, factors, Parallel::Inner))
            inside.emplace_back(a, b);
        else if (neither.size() < wanted)
            neither.emplace_back(a, b);
    }
    return {outside, inside, neither};
}

std::tuple<function::transformations, function::transformations, function::transformations> function::skewing_local_solver_positive(
    const std::vector<computation*>& computations, const var& outer, const var& inner, int count) const {
    const auto only = records(computations);
    transformations outside, inside, neither;
    const auto wanted = static_cast<std::size_t>(count);
    std::vector<std::pair<int, int>> all = candidates();
    all.insert(all.begin(), {1, 0});
    for (const auto& [a, b] : all)
        for (const auto& [c, d] : all) {
            const int determinant = a * d - b * c;
            if (inside.size() >= wanted || (determinant != 1 && determinant != -1)) continue;
            const schedule::Computation::Factors factors{a, b, c, d};
            const bool tiles = skewed(*recording_, only, outer, inner, factors, Parallel::None) &&
                               skewed(*recording_, only, outer, inner, factors, Parallel::None, Also::Interchanged);
            if (!tiles) continue;
            if (a == 1 && b == 0) {
                if (neither.size() < wanted) neither.emplace_back(a, b, c, d);
            } else if (outside.empty() && skewed(*recording_, only, outer, inner, factors, Parallel::Outer)) {
                outside.emplace_back(a, b, c, d);
            } else if (skewed(*recording_, only, outer, inner, factors, Parallel::Inner)) {
                inside.emplace_back(a, b, c, d);
            }
        }
    return {outside, inside, neither};
}

std::vector<std::tuple<var, int>> function::correcting_loop_fusion_with_shifting(const std::vector<computation*>& before,
                                                                                 const computation& shifted,
                                                                                 const std::vector<var>& levels) const {
    auto only = records(before);
    only.insert(&shifted.record());
    constexpr int kMostShift = 4;
    std::vector<int> shifts(levels.size(), 0);
    const auto legal = [&] {
        return holds(
            *recording_, &only,
            [&](Translation& to) {
                for (std::size_t at = 0; at < levels.size(); ++at)
                    if (shifts[at] != 0) to[shifted.record()].shift(levels[at].get_name(), shifts[at]);
            },
            false);
    };
    // All shifts, the least sum first.
    for (int sum = 0; sum <= kMostShift; ++sum) {
        std::function<bool(std::size_t, int)> search = [&](std::size_t at, int left) {
            if (at + 1 == levels.size()) {
                shifts[at] = left;
                return legal();
            }
            for (int own = 0; own <= left; ++own) {
                shifts[at] = own;
                if (search(at + 1, left - own)) return true;
            }
            return false;
        };
        if (levels.empty() || !search(0, sum)) continue;
        std::vector<std::tuple<var, int>> made;
        for (std::size_t at = 0; at < levels.size(); ++at) made.emplace_back(levels[at], shifts[at]);
        return made;
    }
    return {};
}

}  // namespace tiramisu
