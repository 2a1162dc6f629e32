// What transformations that move work to a device share.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "rewrite/transformation.h"

namespace sluice::transform {

struct KernelOptions {
    bool sequential_innermaps = true, register_trans = true;
    ir::Schedule schedule = ir::Schedule::GPU_Device;
    ir::Storage own_memory = ir::Storage::Register;          ///< Of transients inside.
    ir::Schedule inner_schedule = ir::Schedule::Sequential;  ///< Of maps inside.
};

/// Why no kernel of a GPU can touch the container; nullopt: it can.
std::optional<std::string> why_no_kernel(const ir::Container& container, const std::string& name);
/// Why no kernel can hold the scope of the entry, everything nested in it included; nullopt: it can.
std::optional<std::string> why_no_kernel(const ir::Sdfg& sdfg, const ir::State& state, const analysis::ScopeTree& scopes,
                                         ir::NodeId entry, const KernelOptions& options);
/// The same of a tasklet.
std::optional<std::string> why_no_kernel(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                         ir::NodeId tasklet, const ir::Tasklet& kind, const KernelOptions& options);

/// The map of the entry becomes one of the device: what a CPU decided of it and of its inside is taken back.
void make_kernel(ir::Sdfg& sdfg, ir::State& state, ir::NodeId entry, const KernelOptions& options);
/// The same of everything in a call.
void make_called(ir::Sdfg& sdfg, const KernelOptions& options);
/// Puts the tasklet or call of a state, with its edges, into a map of one point; returns its entry.
ir::NodeId wrap_in_map(ir::State& state, ir::NodeId code);
/// What the edge brings to its end, a value of the host, lies on the device: it comes by way of a scalar of the host.
void read_through_host(ir::Sdfg& sdfg, ir::State& state, ir::EdgeId edge);

}  // namespace sluice::transform
