// RandomPermutation: The places 0, ..., N-1 in the order in which Generator.shuffle leaves them.
#include "library/shared/random.h"
#include "runtime/mt19937.h"

namespace sluice::library {

Operation random_permutation() {
    return random_draws({.name = "RandomPermutation",
                         .function = "permutation",
                         .summary = "The places 0, ..., N-1 in the order in which Generator.shuffle leaves them.",
                         .type = code::Scalar::Int64,
                         .define = [](auto& generator, const auto& parameters) {
                             std::vector<ir::Number> places;
                             for (std::size_t at = 0; at < parameters.size(); ++at)
                                 places.emplace_back(static_cast<std::int64_t>(at));
                             for (std::size_t at = places.size(); at-- > 1;)
                                 std::swap(places[at], places[generator.masked_up_to(at)]);
                             return places;
                         }});
}

}  // namespace sluice::library
