// Draws from the random streams of NumPy's default_rng (runtime/pcg64.h) and of its legacy generator (runtime/mt19937.h):
// operations that move the state of a generator, whose size says which it is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "library/operation.h"

namespace sluice::random {
class Mt19937;
class Pcg64;
}  // namespace sluice::random

namespace sluice::library {

/// All draws, given the parameters of each, for either generator.
struct DrawDefinition {
    using Parameters = std::vector<std::vector<ir::Number>>;
    std::function<std::vector<ir::Number>(random::Pcg64&, const Parameters&)> of_pcg64;
    std::function<std::vector<ir::Number>(random::Mt19937&, const Parameters&)> of_mt19937;

    /// Of a function that takes both.
    template <class Define> explicit(false) DrawDefinition(Define define) : of_pcg64(define), of_mt19937(define) {}
};

struct RandomDraws {
    std::string name;      ///< Of the operation.
    std::string function;  ///< Of runtime/random.h.
    std::string summary;
    std::vector<std::string> parameters = {};   ///< Connectors: numbers that all draws share, or one for each.
    code::Scalar type = code::Scalar::Float64;  ///< Of the parameters and of what is drawn.
    bool parameters_differ = true;              ///< Each draw may have parameters of its own.
    DrawDefinition define;
};
/// `_state[6], <parameters> -> _state[6], _b[N]`, and `_b` for a single draw; `_state[627]` of the legacy generator.
Operation random_draws(const RandomDraws& draws);

/// The definition of draws that do not depend on each other.
std::vector<ir::Number> one_by_one(const std::vector<std::vector<ir::Number>>& parameters,
                                   const std::function<ir::Number(const std::vector<ir::Number>&)>& draw);
/// A function of runtime/random.h for one of the generators.
std::string name_of_draws(const std::string& function, bool legacy);
/// A call of it in the node's place.
void become_draws(NodeDraft& draft, const std::string& function);
/// The definition of draws from the state that the call has.
void define_draws(ReferenceCall& call, const std::vector<std::string>& parameters, const DrawDefinition& define);
/// Forms for each number of `parameters`; `differ`: each draw may have parameters of its own.
std::vector<Form> forms_of_draws(const std::vector<std::string>& parameters, bool differ);
/// The definitions of RandomSeed and RandomSeedLegacy.
void define_seed(ReferenceCall& call);
void define_legacy_seed(ReferenceCall& call);
void become_seed(NodeDraft& draft, const std::string& function);

}  // namespace sluice::library
