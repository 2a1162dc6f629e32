// GPUTransformState: move one state to a device.
//     state { A -> map i { B } -> C }   ->   A => gpu_A; gpu_A -> map i @GPU_Device { B } -> gpu_C; gpu_C => C
// What GPUTransformSDFG does, of one state: its arrays get copies there, filled before and copied back behind it; transients that
// only it uses lie there. G1 no part of the state is on a device yet, and there is something to move. G2 library nodes are
// expanded.
#include "transform/device/move.h"

namespace sluice::transform {

rewrite::Transformation gpu_transform_state() {
    return rewrite::transformation(
        {.name = "GPUTransformState",
         .summary = "Moves one state to a device: maps become kernels, its arrays get copies there.",
         .drawing = "state { A -> map i { B } -> C }   ->   A => gpu_A; gpu_A -> map i @GPU_Device { B } -> gpu_C; gpu_C => C",
         .decided_by = {.structural = "What is in the state keeps its order, and each side reads what was copied to it behind the "
                                      "write."},
         .patterns = {{.nodes = {{"state", rewrite::kind::state}}, .edges = {}}},
         .conditions = {{"G1", "no part of the state is on a device yet, and there is something to move"},
                        {"G2", "library nodes are expanded"}}},
        [](const rewrite::Site& site) { return plan_state_move(site, kGpu); }, apply_state_move);
}

}  // namespace sluice::transform
