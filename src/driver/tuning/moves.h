// What a tuner may change about a program before the CPU's decisions are taken.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/session.h"

namespace sluice::driver {

/// One change to how -O3 makes a program: a transformation that is left out, or a line of a recipe that is applied before the
/// last decisions.
struct Change {
    std::string left_out;  ///< The name of a transformation; empty: none.
    std::string line;      ///< Of a recipe; empty: none.
    bool operator==(const Change&) const = default;
};
std::string to_string(const Change& change);

/// -O3 with these changes, in their order. Errors as of Session::run and Session::apply: one of them does not fit any more.
Result<Session> with_changes(const Session& given, const std::vector<Change>& changes);

/// What may be tried on top of the changes, most promising first: transformations left out, order of dimensions, tiles, who runs
/// maps and loops, expansions. The session is that of `with_changes` before its decisions.
std::vector<Change> further_changes(const Session& given, const std::vector<Change>& changes);

}  // namespace sluice::driver
