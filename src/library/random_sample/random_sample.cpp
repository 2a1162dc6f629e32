// RandomSample: different ones of the places 0, ..., count-1, as Generator.choice draws them.
#include <algorithm>
#include <numeric>

#include "library/shared/random.h"
#include "runtime/mt19937.h"

namespace sluice::library {

namespace {

using Places = std::vector<std::int64_t>;

template <class Generator> void shuffle(Generator& generator, Places& places, std::size_t first) {
    for (std::size_t at = places.size(); at-- > first;) std::swap(places[at], places[generator.up_to(at)]);
}

template <class Generator>
std::vector<ir::Number> define_sample(Generator& generator, const std::vector<std::vector<ir::Number>>& parameters) {
    const std::size_t n = parameters.size();
    if (n == 0) return {};
    const auto count = static_cast<std::size_t>(parameters[0][0].integer);
    Places places;
    if (count > 10000 && n > count / 50) {
        places.resize(count);
        std::iota(places.begin(), places.end(), 0);
        shuffle(generator, places, std::max<std::size_t>(count - n, 1));
        places.erase(places.begin(), places.end() - static_cast<std::ptrdiff_t>(n));
    } else {
        for (std::size_t last = count - n; last < count; ++last) {
            const auto drawn = static_cast<std::int64_t>(generator.up_to(last));
            const bool taken = std::ranges::find(places, drawn) != places.end();
            places.push_back(taken ? static_cast<std::int64_t>(last) : drawn);
        }
        shuffle(generator, places, 1);
    }
    return {places.begin(), places.end()};
}

/// There are as many places as are drawn, and some more.
void make_enough(ir::Operands& operands) {
    const auto n = static_cast<std::int64_t>(operands.at("_b").values.size());
    ir::Number& count = operands.at("_count").values[0];
    count = n + (count.integer % 7 + 7) % 7;
}

}  // namespace

Operation random_sample() {
    Operation operation =
        random_draws({.name = "RandomSample",
                      .function = "sample",
                      .summary = "Different ones of the places 0, ..., count-1, as Generator.choice draws them.",
                      .parameters = {"_count"},
                      .type = code::Scalar::Int64,
                      .parameters_differ = false,
                      .define = [](auto& generator, const auto& parameters) { return define_sample(generator, parameters); }});
    operation.make_valid = make_enough;
    return operation;
}

}  // namespace sluice::library
