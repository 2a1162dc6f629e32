#include "fuzz/generate.h"

#include <array>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

constexpr std::array<std::string_view, 14> kNames = {"branches", "conflicts",  "copies",   "dynamic-ranges", "indirection",
                                                     "layouts",  "loops",      "machines", "nested",         "parallel",
                                                     "products", "reductions", "streams",  "views"};

}  // namespace

std::string_view to_string(Feature feature) {
    return kNames[static_cast<std::size_t>(feature)];
}

std::optional<Feature> parse_feature(std::string_view name) {
    for (std::size_t at = 0; at < kNames.size(); ++at)
        if (kNames[at] == name) return static_cast<Feature>(at);
    return std::nullopt;
}

const std::set<Feature>& all_features() {
    static const std::set<Feature> all = [] {
        std::set<Feature> features;
        for (std::size_t at = 0; at < kNames.size(); ++at) features.insert(static_cast<Feature>(at));
        return features;
    }();
    return all;
}

TestCase generate(std::uint64_t seed, const GenerateOptions& options) {
    Random random(seed);
    std::set<Feature> features = options.features;
    if (options.swarm) std::erase_if(features, [&](Feature) { return random.chance(45); });
    Maker maker(random, options, features, "fuzz", options.depth);
    maker.declare_arguments();
    maker.fill(random.between(1, options.size));
    if (options.races) maker.plant_race();
    TestCase test{maker.take(), {}, random.next() % 1000000};
    test.symbols["N"] = random.between(1, 6);
    test.symbols["M"] = random.between(1, 5);
    return test;
}

}  // namespace sluice::fuzz
