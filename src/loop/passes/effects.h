// What a body may do beside computing: fail, wait for a stream, meet its team. Every printer asks it, none finds it out by itself.
#pragma once

#include <map>
#include <set>
#include <string>

#include "loop/ir.h"

namespace sluice::loop {

/// Has the body a barrier or a loop that a team shares, however deep: every thread of the team must come to it.
bool meets_team(const Body& statements);

/// Of a module, whose functions are looked at once.
class Effects {
public:
    /// Callees stand before callers.
    explicit Effects(const Module& module);
    /// May control leave the body by a failure?
    bool may_fail(const Body& statements) const;
    /// May the body wait for another thread's element or for room in a stream?
    bool may_wait(const Body& statements) const;
    /// Does one run of the body take long enough for a look at a flag to cost nothing?
    bool takes_long(const Body& statements) const;
    /// Streams that the body only pushes into, each always into one queue, and does not wait for, with the queue's index: their
    /// pushes can be collected.
    std::map<std::string, ValuePtr> collectable_pushes(const Body& statements) const;

private:
    std::set<std::string> failing_, waiting_, long_;  ///< Functions.
};

}  // namespace sluice::loop
