// The order of execution as relations between instances.
#pragma once

#include <vector>

#include "analysis/dependences/access_model.h"

namespace sluice::analysis {

/// `S[iterators] -> [time]`: one order that the program may run in. Points of maps count upwards, nodes of a state come
/// topologically: any other order that the program allows gives the same results if it is free of races.
poly::Map time_of(const AccessModel& model, const Statement& statement);

/// The pairs of instances of which the first is bound to end before the second begins: an earlier iteration of a loop around
/// both, an earlier part of a region, a path of edges in a state. Points of a map are in no order.
poly::Map happens_before(const AccessModel& model, const Statement& first, const Statement& second);

/// The names of a statement's iterators as a space.
poly::Space space_of(const AccessModel& model, const Statement& statement);

}  // namespace sluice::analysis
