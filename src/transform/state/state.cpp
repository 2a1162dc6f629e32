#include "transform/state/state.h"

namespace sluice::transform {

std::vector<rewrite::Transformation> state_transformations() {
    return {
        inline_multistate_sdfg(),
        inline_sdfg(),
        nest_sdfg(),
        state_fusion(),
    };
}

}  // namespace sluice::transform
