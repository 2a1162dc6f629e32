#include "transform/registry.h"

#include "transform/data/data.h"
#include "transform/loop/loop.h"
#include "transform/map/map.h"
#include "transform/reduce/reduce.h"
#include "transform/state/state.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

const rewrite::Registry& builtin() {
    static const rewrite::Registry registry = [] {
        rewrite::Registry all;
        for (const auto& group : {map_transformations(), state_transformations(), loop_transformations(), data_transformations(),
                                  reduce_transformations(), tasklet_transformations()})
            for (const rewrite::Transformation& transformation : group) all.add(transformation);
        return all;
    }();
    return registry;
}

}  // namespace sluice::transform
