// Loops whose iterations overlap on an FPGA: which may, and a cycle apart from each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loop/ir.h"

namespace sluice::loop {

/// What an iteration of the loop may read that an earlier one wrote, or the stream of whose queue it uses an end twice; nullopt: it
/// is proven that there is nothing. What the proof does not follow (names for the same memory, places that no index names) counts.
std::optional<std::string> carried_by(const For& loop);
/// Innermost sequential loops become pipelines, of interval 1 where carried_by finds nothing. Loops that are unrolled are none, and
/// those that run once at most are unrolled.
void pipeline_loops(Body& body);
/// The buffers that an iteration of such a loop reads and writes, each at another place than every other iteration.
std::vector<std::string> reread(const For& loop);

}  // namespace sluice::loop
