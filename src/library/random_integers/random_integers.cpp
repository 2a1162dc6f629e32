// RandomIntegers: Integers from low to last, as Generator.integers draws them.
#include "library/shared/random.h"
#include "runtime/mt19937.h"

namespace sluice::library {

Operation random_integers() {
    return random_draws({.name = "RandomIntegers",
                         .function = "integers",
                         .summary = "Integers from low to last, as Generator.integers draws them.",
                         .parameters = {"_low", "_last"},
                         .type = code::Scalar::Int64,
                         .define = [](auto& generator, const auto& parameters) {
                             return one_by_one(parameters, [&](const auto& one) -> ir::Number {
                                 const auto low = static_cast<std::uint64_t>(one[0].integer),
                                            last = static_cast<std::uint64_t>(one[1].integer);
                                 return static_cast<std::int64_t>(low + generator.up_to(last - low));
                             });
                         }});
}

}  // namespace sluice::library
