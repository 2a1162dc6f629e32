// Gives the interpreter what library nodes mean: the references of their contracts.
#pragma once

#include "ir/meaning.h"

namespace sluice::library {

/// For interpret::Options::library. Failures as of bind(); a node whose operation has no reference has no `run`.
ir::Meaning meaning_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId node, const std::string& path);

}  // namespace sluice::library
