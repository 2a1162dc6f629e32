// Moving a whole SDFG, or one of its states, to a device: which containers get copies there, and where they are filled and copied
// back.
#pragma once

#include <set>
#include <string>

#include "transform/device/device.h"

namespace sluice::transform {

/// Where to.
struct Destination {
    char letter;         ///< Of the conditions.
    const char* prefix;  ///< Of a copy's name.
    ir::Storage memory;
    KernelOptions kernels;
    bool whole_states;  ///< A kernel is a state and not a map: what a state writes lies there as soon as it uses anything there.

    std::string code(int number) const { return letter + std::to_string(number); }
};
inline constexpr Destination kGpu{'G', "gpu_", ir::Storage::GPU_Global, {}, false};
inline constexpr Destination kFpga{'F',
                                   "fpga_",
                                   ir::Storage::FPGA_Global,
                                   {true, true, ir::Schedule::FPGA_Device, ir::Storage::FPGA_Local, ir::Schedule::FPGA_Device},
                                   true};

struct Move {
    KernelOptions options;
    std::set<std::string> no_copy_in, no_copy_out;
};
/// Refused, by the conditions: the SDFG has no part on a device yet and something to move; library nodes are expanded; of an FPGA,
/// a kernel can hold each part; what is left out of the copies is not needed.
rewrite::Planned<Move> plan_move(const rewrite::Site& site, const Destination& to);
void apply_move(rewrite::Draft& draft, const Move& move, const Destination& to);

/// What became of one state: its kernels between states that copy to the device and back.
struct MovedState {
    ir::Sdfg alone;             ///< An SDFG of nothing else, moved.
    std::set<std::string> own;  ///< Transients of the state that nobody else uses, and new ones.
};
/// Refused as of a whole SDFG.
rewrite::Planned<MovedState> plan_state_move(const rewrite::Site& site, const Destination& to);
/// A region takes the place of the state of the match.
void apply_state_move(rewrite::Draft& draft, const MovedState& moved);

}  // namespace sluice::transform
