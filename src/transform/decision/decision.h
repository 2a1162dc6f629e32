// Transformations that take the decisions of a CPU: they set properties that change no result.
#pragma once

#include <string>
#include <vector>

#include "analysis/cost/machine.h"
#include "analysis/scopes.h"
#include "ir/adjacency.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// A state in which decisions are taken, and what is known around it.
struct Surroundings {
    const ir::Sdfg& sdfg;
    const ir::State& state;
    const ir::Adjacency& adjacency;
    const analysis::ScopeTree& scopes;
    symbolic::Assumptions known;  ///< At the top of the state.
    bool in_team = false;         ///< The SDFG is called by threads of a team.
    analysis::Machine machine = {};
};

struct ScheduleChoice {
    ir::Schedule schedule = ir::Schedule::Sequential;
    symbolic::Expr condition = symbolic::boolean(true);  ///< Of a team.
    std::int64_t collapse = 1;
    std::string reason;
};
/// For a map or consume scope whose schedule is open, or a map shared by a team whose condition is. The scopes around it are
/// decided.
ScheduleChoice scheduled(const Surroundings& around, ir::NodeId entry);
bool schedule_is_open(const ir::Node& entry);
bool changes(const ir::Node& entry, const ScheduleChoice& choice);
void take(ir::Node& entry, const ScheduleChoice& choice);

struct ConflictChoice {
    std::vector<std::string> private_updates;
    std::vector<ir::EdgeId> apart;  ///< Updates of a team that do not meet.
    std::int64_t collapse = 1;
};
/// For a map whose schedule is decided.
ConflictChoice resolved(const Surroundings& around, ir::NodeId entry);
bool changes(const ir::State& state, ir::NodeId entry, const ConflictChoice& choice);
void take(ir::State& state, ir::NodeId entry, const ConflictChoice& choice);

bool storage_is_open(const ir::Container& container);
/// Where a container whose storage is open lies.
ir::Storage allocated(const ir::Container& container, const analysis::Machine& machine);

/// Does it pay to run the innermost dimension of the map in vector lanes? Its other decisions are taken.
bool fills_lanes(const Surroundings& around, ir::NodeId entry);

/// Do threads of a team call the SDFG of the place?
bool called_by_team(const ir::Sdfg& root, const rewrite::Place& place);
/// Does a team of threads run what lies in the scope of `entry` (an invalid id: the top level)?
bool in_team(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId entry);

/// A decision that was taken: as a line of a recipe says it, and why.
struct Decision {
    std::string transformation, place, choice, reason;
};
/// Takes all decisions that are open, those of outer scopes first. Library nodes are to be expanded before.
std::vector<Decision> decide(ir::Sdfg& sdfg, const analysis::Machine& machine = {});

}  // namespace sluice::transform
