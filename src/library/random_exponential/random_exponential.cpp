// RandomExponential: Exponentially distributed draws, as Generator.exponential makes them.
#include "library/shared/random.h"
#include "runtime/mt19937.h"

namespace sluice::library {

Operation random_exponential() {
    return random_draws({.name = "RandomExponential",
                         .function = "exponential",
                         .summary = "Exponentially distributed draws, as Generator.exponential makes them.",
                         .parameters = {"_scale"},
                         .define = [](auto& generator, const auto& parameters) {
                             return one_by_one(parameters, [&](const auto& one) -> ir::Number {
                                 return one[0].real.real() * generator.exponential();
                             });
                         }});
}

}  // namespace sluice::library
