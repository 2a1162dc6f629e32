// How many elements code pushes into streams.
#pragma once

#include <optional>
#include <string>

#include "ir/sdfg.h"

namespace sluice::analysis {

/// At most how many elements one run of a tasklet pushes into the stream at its output: in Python, as often as the code assigns it.
/// Nullopt: nobody can tell, as in a loop or in another language.
std::optional<std::int64_t> most_pushes(const ir::Tasklet& tasklet, const std::string& output);
/// At most how many elements one run of the body of the scope of that exit pushes into the stream; only its own tasklets may.
/// Nullopt: nobody can tell.
std::optional<std::int64_t> most_pushes(const ir::State& state, ir::NodeId exit, const std::string& stream);

}  // namespace sluice::analysis
