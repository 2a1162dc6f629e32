// The kernels of a module: its launches, and what each names from outside, which a target hands it as arguments.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "loop/ir.h"

namespace sluice::loop {

struct Kernel {
    const Launch* launch;
    /// Buffers, then values, each in the order of their names. A buffer that the body, or a function that it calls, may write is
    /// `written`. Constants of the module are not among them.
    std::vector<Parameter> parameters;
};
/// A processing element of a dataflow launch.
struct Element {
    std::string name;
    const Body* body;
    std::vector<Parameter> parameters;  ///< As of a kernel; streams behind them.
};
std::vector<Element> elements(const Module& module, const Kernel& kernel);
/// What a body names of the module's buffers, variables and streams, and which buffers it may write.
struct Uses {
    std::set<std::string> named, written;
};
Uses uses_of(const Module& module, const Body& body);
/// Ends of queues that several elements have, each as a sentence. Two constant places of an array of streams are two queues.
std::vector<std::string> ends_in_common(const ParallelSections& elements);
/// In the order of the functions, the program last. The module has been verified.
std::vector<Kernel> kernels(const Module& module);
/// The module's functions that the kernels call, by way of others too.
std::set<std::string> called_by(const Module& module, const std::vector<Kernel>& kernels);
/// What the host fills in the device's memory of constants, in the order of the functions.
std::vector<const Allocate*> constant_buffers(const Module& module);
/// Has the module a launch, or a function or memory of the device?
bool uses_device(const Module& module);

}  // namespace sluice::loop
