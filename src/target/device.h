// Which parts of a graph a device runs, and what of it they cannot hold.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/sdfg.h"
#include "support/diagnostic.h"

namespace sluice::target {

/// Has the graph, or one nested in it, a map with schedule GPU_Device or a transient in GPU_Global? What threads of a block share
/// is no part by itself, nor is an argument that lies there.
bool has_device_parts(const ir::Sdfg& sdfg);
/// What lies where the part that uses it cannot reach it (L026), and what no kernel holds (L025), each with its place. The device
/// has the schedule GPU_Device, and the memory GPU_Global and, of a block, GPU_Shared. Library nodes have been expanded.
/// `spoken`: what tasklets of kernels may be written in besides Python.
std::vector<Diagnostic> device_violations(const ir::Sdfg& sdfg, const std::string& phrase,
                                          ir::Language spoken = ir::Language::Python);

/// Is it a stream of one queue in the device's memory, which kernels push into?
bool is_queue_of_device(const ir::Container& container);

// ---- what devices of every kind ask ----
/// Conditions, loops and values of symbols that read what lies on the device (L026): the host decides.
std::vector<Diagnostic> control_violations(const ir::Sdfg& sdfg, const std::string& path, const std::set<std::string>& on_device);
/// Who does not speak the tasklet's language (L005): kernels, which have Python and `spoken`, or the host, which has Python and
/// C++.
std::optional<Diagnostic> language_violation(const ir::Tasklet& tasklet, bool in_kernel, const std::string& phrase,
                                             ir::Language spoken, const Span& where, const std::string& path);
/// Has the tasklet an assertion?
bool asserts(const ir::Tasklet& tasklet, const Span& where);
/// What no kernel has a type for, and what to do instead; nullopt: it has. `has_complex`: it has complex numbers.
struct WithoutType {
    std::string what, remedy;
};
std::optional<WithoutType> without_type(const ir::Container& container, const std::string& data, bool has_complex);

}  // namespace sluice::target
