// FPGATransformState: move one state to an FPGA.
//     state { A -> map i { B } -> C }   ->   A => fpga_A; fpga_A -> map i @FPGA_Device { B } -> fpga_C; fpga_C => C
// What FPGATransformSDFG does, of one state: its arrays get copies there, filled before and copied back behind it; transients that
// only it uses lie there. F1 no part of the state is on a device yet, and there is something to move. F2 library nodes are
// expanded. F3 a kernel can hold each part.
#include "transform/device/move.h"

namespace sluice::transform {

rewrite::Transformation fpga_transform_state() {
    return rewrite::transformation(
        {.name = "FPGATransformState",
         .summary = "Moves one state to an FPGA: it becomes a kernel, its arrays get copies there.",
         .drawing = "state { A -> map i { B } -> C }   ->   A => fpga_A; fpga_A -> map i @FPGA_Device { B } -> fpga_C; fpga_C => C",
         .decided_by = {.structural = "What is in the state keeps its order, and each side reads what was copied to it behind the "
                                      "write."},
         .patterns = {{.nodes = {{"state", rewrite::kind::state}}, .edges = {}}},
         .conditions = {{"F1", "no part of the state is on a device yet, and there is something to move"},
                        {"F2", "library nodes are expanded"},
                        {"F3", "a kernel can hold each part"}}},
        [](const rewrite::Site& site) { return plan_state_move(site, kFpga); }, apply_state_move);
}

}  // namespace sluice::transform
