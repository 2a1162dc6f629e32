// FPGATransformSDFG: move a whole SDFG to an FPGA.
//     A -> map i { B } -> C   ->   A => fpga_A; fpga_A -> map i @FPGA_Device { B } -> fpga_C; fpga_C => C
// Each array argument gets a transient in off-chip memory: copied there first if something of it is needed, and back if it is
// written. What a state that uses such memory accesses lies there as a whole, but for scalars that it only reads, so that the state
// is a kernel; transients of scopes lie on the chip. What conditions and assignments read is copied back where it is written. F1
// the SDFG has no part on a device yet, and something to move. F2 library nodes are expanded. F3 a kernel can hold each part. F4
// what is left out of the copies is neither needed on the FPGA nor written there.
#include "transform/device/move.h"

namespace sluice::transform {

namespace {

rewrite::Planned<Move> plan_fpga_transform(const rewrite::Site& site) {
    return plan_move(site, kFpga);
}

void apply_fpga_transform(rewrite::Draft& draft, const Move& move) {
    apply_move(draft, move, kFpga);
}

}  // namespace

rewrite::Transformation fpga_transform_sdfg() {
    return rewrite::transformation(
        {.name = "FPGATransformSDFG",
         .summary = "Moves a whole SDFG to an FPGA: states become kernels, arrays get copies in off-chip memory.",
         .drawing = "A -> map i { B } -> C   ->   A => fpga_A; fpga_A -> map i @FPGA_Device { B } -> fpga_C; fpga_C => C",
         .decided_by = {.structural =
                            "States keep their order and what is in them, and each side reads what was copied to it behind "
                            "the write."},
         .patterns = {{}},
         .conditions = {{"F1", "the SDFG has no part on a device yet, and something to move"},
                        {"F2", "library nodes are expanded"},
                        {"F3", "a kernel can hold each part"},
                        {"F4", "what is left out of the copies is neither needed on the FPGA nor written there"}},
         .parameters = {{"exclude_copyin", std::string(), "Arguments that are not copied to the FPGA: `A, B`."},
                        {"exclude_copyout", std::string(), "Arguments that are not copied back."}}},
        plan_fpga_transform, apply_fpga_transform);
}

}  // namespace sluice::transform
