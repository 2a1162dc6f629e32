// GPUTransformSDFG: move a whole SDFG to a device.
//     A -> map i { B } -> C   ->   A => gpu_A; gpu_A -> map i @GPU_Device { B } -> gpu_C; gpu_C => C
// Each array argument gets a transient on the device: copied there first if something of it is needed, and back if it is written.
// Transients lie on the device, scalars where they are written: by the host only if a tasklet outside of maps computes them of
// other scalars of the host. What conditions, assignments and ranges read is copied back where it is written. A tasklet outside of
// maps that uses memory of the device becomes a map of one point. Calls outside of maps are moved in the same way.
// What a device cannot carry stays on the host, in states of its own between copies: calls of libraries, consume scopes,
// assertions, other types, what touches a stream, an array without a certain size, or arguments that may share memory; a loop of
// such states and of tasklets without a map stays as a whole. Arguments that lie on the device already get no copy; a loop of
// tasklets alone becomes one launch of one thread. G1 the SDFG has no part on a device yet, and something to move. G2 library nodes
// are expanded. G3 what is left out of the copies is neither needed on the device nor written there.
#include "transform/device/move.h"

namespace sluice::transform {

namespace {

rewrite::Planned<Move> plan_gpu_transform(const rewrite::Site& site) {
    return plan_move(site, kGpu);
}

void apply_gpu_transform(rewrite::Draft& draft, const Move& move) {
    apply_move(draft, move, kGpu);
}

}  // namespace

rewrite::Transformation gpu_transform_sdfg() {
    return rewrite::transformation(
        {.name = "GPUTransformSDFG",
         .summary = "Moves a whole SDFG to a device: maps become kernels, arrays get copies there.",
         .drawing = "A -> map i { B } -> C   ->   A => gpu_A; gpu_A -> map i @GPU_Device { B } -> gpu_C; gpu_C => C",
         .decided_by = {.structural =
                            "The points of a map may run in any order; everything else keeps its own, and each side reads "
                            "what was copied to it behind the write."},
         .patterns = {{}},
         .conditions = {{"G1", "the SDFG has no part on a device yet, and something to move"},
                        {"G2", "library nodes are expanded"},
                        {"G3", "what is left out of the copies is neither needed on the device nor written there"}},
         .parameters = {{"sequential_innermaps", true, "Maps inside of maps are run by one thread each."},
                        {"register_trans", true, "Transients inside of maps lie in the memory of a thread."},
                        {"exclude_copyin", std::string(), "Arguments that are not copied to the device: `A, B`."},
                        {"exclude_copyout", std::string(), "Arguments that are not copied back."}}},
        plan_gpu_transform, apply_gpu_transform);
}

}  // namespace sluice::transform
