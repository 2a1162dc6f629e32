// What lies on a device in a container's place, and the copies there and back.
#pragma once

#include <string>

#include "ir/sdfg.h"

namespace sluice::rewrite {

/// A transient in the memory of a device that is like the container, allocated once unless its sizes change; returns its name.
std::string add_device_copy(ir::Sdfg& sdfg, const std::string& name, const std::string& prefix, ir::Storage memory);
ir::Memlet whole_of(const ir::Sdfg& sdfg, const std::string& name);
/// A copy of the whole container.
void copy_whole(const ir::Sdfg& sdfg, ir::State& state, const std::string& from, const std::string& to);

/// The same of some of its elements, which lie at the same places of both; of a container without dimensions, its only one.
void copy_part(const ir::Sdfg& sdfg, ir::State& state, const std::string& from, const std::string& to,
               const symbolic::Subset& part);

}  // namespace sluice::rewrite
