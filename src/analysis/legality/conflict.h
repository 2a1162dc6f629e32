// The question under every legality predicate: which pairs of executions that shall no longer be ordered touch one element, one of
// them writing? Private to the room.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/dependences/access_model.h"
#include "analysis/legality/verdict.h"

namespace sluice::analysis {

/// Some statements of a model, and by how many of their first iterators executions are distinguished.
struct Group {
    std::vector<const Statement*> statements;
    unsigned depth = 0;
};
struct ConflictQuestion {
    const AccessModel& model;
    Group first, second;
    /// `[first iterators] -> [first iterators]` of the two groups: executions that must not conflict.
    poly::Map together;
};
/// Of one container. Definite: a conflict that happens for some parameters and data.
struct Conflict {
    std::string container;
    Answer definite = Answer::Unknown;
    Witness witness;  ///< If definite.
    std::string why;  ///< If not: the construct.
    const Statement* first = nullptr;
    const Statement* second = nullptr;
};
/// One for each container that has any, or where that is not known.
std::vector<Conflict> find_conflicts(const ConflictQuestion& question);

/// `[a0, a1, ...]`: executions distinguished by `count` iterators.
/// How many iterators an execution of the statement has.
unsigned depth_of(const Statement& statement);

poly::Space executions(unsigned count, const std::string& base);
/// Pairs of executions that differ in some iterator; the first comes lexically first.
poly::Map distinct(unsigned count);

/// Does no read of the container in the group's executions see what another execution wrote? Asked as: has every read a certain
/// write before it in its own execution?
Answer sees_only_its_own(const AccessModel& model, const Group& group, const std::string& container);

/// The copy that an edge of the state carries out; null if the model has none.
const Statement* copy_along(const AccessModel& model, const ir::State& state, ir::EdgeId edge);

/// Containers that statements of both groups update through a write-conflict resolution.
std::vector<std::string> reduced(const Group& group);

/// All statements of the model, distinguished by `depth` iterators.
Group everything(const AccessModel& model, unsigned depth);

/// The first of the conflicts that decides: a definite one, else one that is not known. Yes without any.
Verdict verdict_of(const std::vector<Conflict>& found, const std::string& action);

/// Obstacles of the model as a verdict, if there are any.
std::optional<Verdict> obstacle(const AccessModel& model);

}  // namespace sluice::analysis
