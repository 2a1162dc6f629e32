// What an engineer asks next when a transformation finds no place or is refused.
#pragma once

#include <string>
#include <vector>

#include "driver/session.h"

namespace sluice::driver {

/// Applications after each of which the transformation applies in a place where it does not now, or, where its pattern has no place
/// at all, has one: tried on copies of the session, at most for
/// some seconds, at most `most` of them, of different transformations first. Decisions of a target are not tried.
std::vector<Application> ways_to(const Session& session, const std::string& transformation, std::size_t most = 5);

/// Applications of other transformations that the program admits now in the place of a refused one, to all of its maps.
std::vector<Application> instead_of(const Session& session, const Application& refused);

}  // namespace sluice::driver
