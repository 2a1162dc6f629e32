// RandomUniform: Draws in [low, high), as Generator.uniform makes them.
#include "library/shared/random.h"
#include "runtime/mt19937.h"

namespace sluice::library {

Operation random_uniform() {
    return random_draws({.name = "RandomUniform",
                         .function = "uniform",
                         .summary = "Draws in [low, high), as Generator.uniform makes them.",
                         .parameters = {"_low", "_high"},
                         .define = [](auto& generator, const auto& parameters) {
                             return one_by_one(parameters, [&](const auto& one) -> ir::Number {
                                 const double low = one[0].real.real();
                                 return low + random::product(one[1].real.real() - low, generator.uniform());
                             });
                         }});
}

}  // namespace sluice::library
