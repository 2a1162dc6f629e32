// Replaces library nodes by native subgraphs, or calls of vendor libraries. Before: a verified SDFG. After: a valid SDFG without
// library nodes.
#pragma once

#include <optional>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::library {

struct ExpandOptions {
    /// Products outside of map scopes call OpenBLAS; missing: if it is installed.
    std::optional<bool> openblas = {};
    /// Whether the linker finds OpenBLAS; missing: it is looked for. A node that asks for it by name is refused where it is not.
    std::optional<bool> openblas_installed = {};
};
/// Expands every library node in place, nested SDFGs included. Errors B001 unknown library node (with its class path), B002 the
/// node's connectors do not fit its contract, B003 shapes do not go together, B004 an implementation
/// that is unknown or not installed.
Result<Done> expand_library_nodes(ir::Sdfg& sdfg, const ExpandOptions& options = {});

}  // namespace sluice::library
