// Transformations of containers: which memory holds what, and for how long.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

std::vector<rewrite::Transformation> data_transformations();

rewrite::Transformation accumulate_transient();
rewrite::Transformation double_buffering();
rewrite::Transformation in_local_storage();
rewrite::Transformation out_local_storage();
rewrite::Transformation redundant_array();
rewrite::Transformation redundant_array_copying();
rewrite::Transformation redundant_read_slice();
rewrite::Transformation redundant_second_array();
rewrite::Transformation redundant_write_slice();
rewrite::Transformation refine_nested_access();
rewrite::Transformation set_schedule();
rewrite::Transformation set_storage();
rewrite::Transformation stream_transient();
rewrite::Transformation transient_reuse();

/// A container that the SDFG allocates for itself, used at this one access node and nowhere else: by no other node, condition,
/// range, subset or symbol mapping.
bool used_only_at(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId access);

/// Arguments that may be the same memory as this one: both say `may_alias`.
std::set<std::string> aliases(const ir::Sdfg& sdfg, const std::string& name);

/// A storage that a CPU has, by its name.
std::optional<ir::Storage> storage_of(const std::string& name);

}  // namespace sluice::transform
