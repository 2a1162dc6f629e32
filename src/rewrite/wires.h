// Values that go straight from code to code. A memlet on such an edge moves nothing: it names a container for its element type at
// most, and where that container goes the edge stays.
#pragma once

#include <functional>
#include <string>

#include "ir/sdfg.h"

namespace sluice::rewrite {

/// Such edges in the states of the region lose the memlets whose container (the name, or the structure that holds it) is `gone`; a
/// connector that had its type from one now says it. `sdfg` still declares the containers.
void release_wires(const ir::Sdfg& sdfg, ir::Region& region, const std::function<bool(const std::string&)>& gone);

/// Removes the declaration of a container that no access node names.
void erase_container(ir::Sdfg& sdfg, const std::string& name);

}  // namespace sluice::rewrite
