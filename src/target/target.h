// A target as a value: what a graph may say that is to run there.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/dtype.h"
#include "ir/enums.h"

namespace sluice::target {

struct Target {
    std::string name;    ///< `cpu`
    std::string phrase;  ///< In sentences: `a CPU`.
    std::vector<ir::Schedule> maps, consumes, states, loops, copies;
    std::vector<ir::Storage> storages;
    std::vector<ir::Language> languages;             ///< Of tasklets.
    ir::Language of_kernels = ir::Language::Python;  ///< What tasklets of kernels may be written in besides Python.
    bool threads = true;                             ///< False: a schedule that asks for threads is carried out by one.
    std::vector<code::Scalar> types = {};            ///< Of elements; empty: every one.
    /// Does a device run the maps that are GPU_Device? What such a map cannot hold is refused (device.h).
    bool device = false;
    /// Has its memory addresses, so that a caller can pass arrays that lie there?
    bool addresses = false;
    /// Is that device an FPGA, whose kernels are states (fpga.h)?
    bool fpga = false;
    /// Do ranks send each other messages?
    bool messages = false;
    /// Has it vectors, streams and arrays whose room is reserved (ir::kReservedExtent), libraries, code of the user's own around
    /// the program, timers?
    bool vectors = true, streams = true, reservations = true, libraries = true, own_code = true, timers = true;
};

/// Multicore CPUs: C++ with OpenMP.
const Target& cpu();
/// Every target, the default one first.
std::span<const Target> targets();
/// The one of that name, which there is.
const Target& named(std::string_view name);

/// Does the list of a target hold the value?
template <class Value> bool holds(const std::vector<Value>& list, Value value) {
    return std::ranges::find(list, value) != list.end();
}
/// `Default, Sequential or CPU_Multicore`
template <class Value> std::string listed(const std::vector<Value>& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i)
        text += (i == 0 ? "" : i + 1 == list.size() ? " or " : ", ") + std::string(ir::to_string(list[i]));
    return text;
}
/// What any target carries out, each value once, in the order of the table: `every(&Target::maps)`.
template <class Value> std::vector<Value> every(std::vector<Value> Target::*list) {
    std::vector<Value> all;
    for (const Target& one : targets())
        for (const Value value : one.*list)
            if (!holds(all, value)) all.push_back(value);
    return all;
}

}  // namespace sluice::target
