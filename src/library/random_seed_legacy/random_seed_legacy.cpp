// RandomSeedLegacy: the state of numpy.random.RandomState(seed), in the place of another.
#include "library/shared/random.h"

namespace sluice::library {

Operation random_seed_legacy() {
    return {.name = "RandomSeedLegacy",
            .classpath = {},
            .summary = "The state of a generator of random numbers, MT19937, that NumPy's RandomState makes of a seed.",
            .forms = {form("_state[627], _seed -> _state[627]")},
            .types = {code::Scalar::UInt64},
            .operand_types = {{"_state", code::Scalar::UInt64}},
            .reference = define_legacy_seed,
            .expansions = {{.name = "native",
                            .summary = "Knuth's recurrence, of the runtime.",
                            .aliases = {"pure"},
                            .requirement = {"random", false},
                            .expand = [](NodeDraft& draft) { become_seed(draft, "seed_legacy"); }}}};
}

}  // namespace sluice::library
