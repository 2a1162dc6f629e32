// What an engineer asks next when a transformation finds no place or is refused.
#pragma once

#include <string>
#include <vector>

#include "driver/session.h"

namespace sluice::driver {

struct Advice {
    std::vector<Application> applications;
    /// Everything was looked at; false: the budget of one advice, some seconds counted in operations, ended before.
    bool complete = true;
};

/// Applications after each of which the transformation applies in a place where it does not now, or, where its pattern has no place
/// at all, has one: tried on copies of the session, at most `most` of them, of different transformations first. Decisions of a
/// target are not tried. `places`: what the session matches() of it now.
Advice ways_to(const Session& session, const std::string& transformation, const std::vector<Proposal>& places,
               std::size_t most = 5);

/// For each refused application those of other transformations that the program admits now in its place, to all of its maps, or to
/// a part around them for the same purpose.
std::vector<Advice> instead_of(const Session& session, const std::vector<Application>& refused);

}  // namespace sluice::driver
