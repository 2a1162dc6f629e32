// Draws from the random streams of NumPy's default_rng (runtime/pcg64.h): operations that move the state of a generator.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "library/operation.h"

namespace sluice::random {
class Pcg64;
}

namespace sluice::library {

struct RandomDraws {
    std::string name;      ///< Of the operation.
    std::string function;  ///< Of runtime/random.h.
    std::string summary;
    std::vector<std::string> parameters = {};   ///< Connectors: numbers that all draws share, or one for each.
    code::Scalar type = code::Scalar::Float64;  ///< Of the parameters and of what is drawn.
    bool parameters_differ = true;              ///< Each draw may have parameters of its own.
    /// All draws, given the parameters of each.
    std::function<std::vector<ir::Number>(random::Pcg64&, const std::vector<std::vector<ir::Number>>&)> define;
};
/// `_state[6], <parameters> -> _state[6], _b[N]`, and `_b` for a single draw.
Operation random_draws(const RandomDraws& draws);

/// The definition of draws that do not depend on each other.
std::vector<ir::Number> one_by_one(const std::vector<std::vector<ir::Number>>& parameters,
                                   const std::function<ir::Number(const std::vector<ir::Number>&)>& draw);
/// The definition of RandomSeed.
void define_seed(ReferenceCall& call);

}  // namespace sluice::library
