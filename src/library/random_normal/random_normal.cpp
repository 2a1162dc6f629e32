// RandomNormal: Normally distributed draws, as Generator.normal makes them.
#include "library/shared/random.h"
#include "runtime/mt19937.h"

namespace sluice::library {

Operation random_normal() {
    return random_draws({.name = "RandomNormal",
                         .function = "normal",
                         .summary = "Normally distributed draws, as Generator.normal makes them.",
                         .parameters = {"_loc", "_scale"},
                         .define = [](auto& generator, const auto& parameters) {
                             return one_by_one(parameters, [&](const auto& one) -> ir::Number {
                                 return one[0].real.real() + random::product(one[1].real.real(), generator.normal());
                             });
                         }});
}

}  // namespace sluice::library
