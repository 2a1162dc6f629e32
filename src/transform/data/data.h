// What transformations of containers share: who else uses the memory, and which storages there are.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// A container that the SDFG allocates for itself, used at this one access node and nowhere else: by no other node, condition,
/// range, subset or symbol mapping.
bool used_only_at(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId access);

/// Arguments that may be the same memory as this one: both say `may_alias`.
std::set<std::string> aliases(const ir::Sdfg& sdfg, const std::string& name);

/// A storage that some target has, by its name.
std::optional<ir::Storage> storage_of(const std::string& name);

}  // namespace sluice::transform
