// Copies between the caller's buffers and those of a device. C1 a copy is of a whole buffer to another of the same size and type,
// outside of all loops.  C2 each buffer has one on the other side, and computations use that of the device alone.  C3 what is
// copied there is before all computations run, what comes back when all have.  C4 what computations store comes back.
#include <fmt/format.h>

#include <algorithm>

#include "tiramisu/record.h"

namespace tiramisu {

namespace {

const char* const kRemedy =
    "Copy whole buffers to the device before all computations, and back behind them, with `then` at the root.";

const BufferRecord& buffer_of(const Recording& in, const std::string& name) {
    const auto at = std::ranges::find(in.buffers, name, &BufferRecord::name);
    if (at == in.buffers.end()) refuse("M001", fmt::format("there is no buffer `{}` to copy", name), "Declare it.");
    return *at;
}

/// Those that a chain of `after` puts before it.
std::set<const ComputationRecord*> before(const ComputationRecord& of) {
    std::set<const ComputationRecord*> all;
    for (const ComputationRecord* at = of.predecessor; at && all.insert(at).second;) at = at->predecessor;
    return all;
}

bool computes(const ComputationRecord& of) {
    return !of.is_place && !is_copy(of) && of.is_scheduled && !of.is_inlined;
}

bool same_sizes(const BufferRecord& a, const BufferRecord& b) {
    return a.sizes.size() == b.sizes.size() && std::ranges::equal(a.sizes, b.sizes, [](const expr& x, const expr& y) {
               const bool numbers = x.get_expr_type() == e_val && y.get_expr_type() == e_val;
               return numbers ? x.get_int_val() == y.get_int_val() : x.to_str() == y.to_str();
           });
}

}  // namespace

bool is_copy(const ComputationRecord& of) {
    return of.value.is_defined() && of.value.get_expr_type() == e_op && of.value.get_op_type() == o_memcpy;
}

std::map<const BufferRecord*, const BufferRecord*> twins_of(const Recording& in) {
    std::map<const BufferRecord*, const BufferRecord*> twins, hosts;
    std::set<const BufferRecord*> come_back;
    for (const ComputationRecord& copy : in.computations) {
        if (!is_copy(copy)) continue;
        const BufferRecord &from = buffer_of(in, copy.value.get_name()), &to = buffer_of(in, copy.value.get_operand(0).get_name());
        const auto never = [&](const std::string& why) {
            refuse("M018", fmt::format("the copy of `{}` to `{}` is not carried out: {}", from.name, to.name, why), kRemedy);
        };
        if (!copy.iterators.empty() || !copy.domain.empty()) never("it is in a loop");
        if (from.on_device == to.on_device) never("one of them lies on a device, tagged by tag_gpu_global, and the other does not");
        const BufferRecord &there = from.on_device ? from : to, &here = from.on_device ? to : from;
        if (!in.arguments.empty() && (!in.is_passed(here) || in.is_passed(there)))
            never(fmt::format("`{}` is not the caller's alone", here.name));
        if (!same_sizes(there, here) || (there.type != here.type && there.type != p_none))
            never("they have different sizes or types");
        if (twins.emplace(&there, &here).first->second != &here || hosts.emplace(&here, &there).first->second != &there)
            never("one of them is copied from or to others");
        const auto earlier = before(copy);
        for (const ComputationRecord& other : in.computations) {
            if (!computes(other)) continue;
            if (from.on_device ? !earlier.contains(&other) : !before(other).contains(&copy))
                never(fmt::format("`{}` does not run {} it", other.name, from.on_device ? "before" : "behind"));
        }
        if (from.on_device) come_back.insert(&there);
    }
    for (const ComputationRecord& of : in.computations) {
        if (!computes(of)) continue;
        const BufferRecord& memory = said_memory(in, of);
        if (hosts.contains(&memory))
            refuse("M018", fmt::format("`{}` is stored in `{}`, of which a device has a copy", of.name, memory.name), kRemedy);
        if (twins.contains(&memory) && !come_back.contains(&memory))
            refuse("M018", fmt::format("what `{}` stores in `{}` does not come back from the device", of.name, memory.name),
                   kRemedy);
    }
    return twins;
}

}  // namespace tiramisu
