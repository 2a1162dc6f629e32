// RandomSeed: the state of numpy.random.default_rng(seed).
#include "library/contract.h"
#include "library/extern_call.h"
#include "library/shared/random.h"

namespace sluice::library {

namespace {

void expand_seed(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const ExternCall call{
        .environment = "random",
        .function = "sluice::random::seed",
        .arguments = {ExternCall::Address{"_seed"}, ExternCall::Address{"_state"}, ExternCall::Stride{"_state", 0, 1}}};
    become_call(draft, call, {{binding.inputs[0].edge, "_seed"}}, {{binding.outputs[0].edge, "_state"}}, false);
}

}  // namespace

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
                            .expand = expand_seed}}};
}

}  // namespace sluice::library
