// RandomSeed: the state of numpy.random.default_rng(seed).
#include "library/shared/random.h"

namespace sluice::library {

Operation random_seed() {
    return {.name = "RandomSeed",
            .classpath = {},
            .summary = "The state of a generator of random numbers, PCG64, that NumPy's default_rng makes of a seed.",
            .forms = {form("_seed -> _state[6]")},
            .types = {code::Scalar::UInt64},
            .operand_types = {{"_state", code::Scalar::UInt64}},
            .reference = define_seed,
            .expansions = {{.name = "native",
                            .summary = "NumPy's SeedSequence, of the runtime.",
                            .aliases = {"pure"},
                            .requirement = {"random", false},
                            .expand = [](NodeDraft& draft) { become_seed(draft, "seed"); }}}};
}

}  // namespace sluice::library
