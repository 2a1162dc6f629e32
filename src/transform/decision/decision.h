// Transformations that take the decisions of a CPU: they set properties that change no result.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/cost/machine.h"
#include "analysis/lanes.h"
#include "analysis/liveness.h"
#include "analysis/scopes.h"
#include "ir/adjacency.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// The machine that transformations decide for, one for the process: the default unless somebody has said otherwise.
analysis::Machine decided_for();
void decide_for(const analysis::Machine& machine);

/// A loop; one that does not count has no variable here.
struct CountedLoop {
    std::string variable;
    symbolic::Range range;
};

/// A state in which decisions are taken, and what is known around it.
struct Surroundings {
    const ir::Sdfg& sdfg;
    const ir::State& state;
    const ir::Adjacency& adjacency;
    const analysis::ScopeTree& scopes;
    symbolic::Assumptions known;  ///< At the top of the state.
    bool in_team = false;         ///< The SDFG is called by threads of a team.
    analysis::Machine machine = decided_for();
    /// The loop that one team runs around the state, and those inside of it, outermost first; empty: there is none.
    std::vector<CountedLoop> team_loops = {};
};

/// What is chosen, in the words of a property, and why. A plan: `reason()` is what a list of matches shows.
struct Choice {
    std::string choice, why;
    std::string reason() const { return choice + ": " + why; }
};

struct ScheduleChoice : Choice {
    ir::Schedule schedule = ir::Schedule::Sequential;
    symbolic::Expr condition = symbolic::boolean(true);  ///< Of a team.
    std::int64_t collapse = 1;
    ir::OmpSchedule order = ir::OmpSchedule::Default;
    std::int64_t chunk = 0;
};
/// For a map or consume scope whose schedule is open, or a map shared by a team whose condition is. The scopes around it are
/// decided.
ScheduleChoice scheduled(const Surroundings& around, ir::NodeId entry);
bool schedule_is_open(const ir::Node& entry);
bool changes(const ir::Node& entry, const ScheduleChoice& choice);
void take(ir::Node& entry, const ScheduleChoice& choice);

struct CopyChoice : Choice {
    ir::Schedule schedule = ir::Schedule::Sequential;
    std::int64_t least = 0;  ///< Elements from which on a team shares it.
};
/// Does the edge copy an array to another, and is it open who does?
bool copy_is_open(const Surroundings& around, ir::EdgeId edge);
CopyChoice scheduled_copy(const Surroundings& around, ir::EdgeId edge);
void take(ir::Edge& edge, const CopyChoice& choice);

struct SectionsChoice : Choice {
    ir::Schedule schedule = ir::Schedule::Sequential;
};
/// Is it open whether parts of the state run at the same time? Only where bounded streams join some.
bool sections_are_open(const Surroundings& around);
SectionsChoice scheduled_sections(const Surroundings& around);

struct LoopChoice : Choice {
    ir::Schedule schedule = ir::Schedule::CPU_Persistent;
    std::vector<std::string> kept;  ///< Transients that then live as long as the SDFG.
};
/// For a loop of the SDFG that no team runs yet, nor a loop around it, or why one cannot or does not pay, which is not asked where
/// somebody `wished` for one. `known` holds where it stands.
std::variant<LoopChoice, rewrite::Refusal> scheduled_loop(const ir::Sdfg& sdfg, const ir::LoopRegion& loop,
                                                          const symbolic::Assumptions& known, bool in_team,
                                                          const analysis::Machine& machine, bool wished = false);
void take(ir::Sdfg& sdfg, ir::LoopRegion& loop, const LoopChoice& choice);
/// The loops around the place from the one on that a team runs.
CountedLoop counted(const ir::LoopRegion& loop);
std::vector<CountedLoop> team_loops_at(const ir::Sdfg& root, const rewrite::Place& place);
/// What is known at the site, the ranges of the loops around it in its SDFG too.
symbolic::Assumptions assumptions_in_loops(const rewrite::Site& site);
Surroundings surroundings_of(const rewrite::Site& site);

/// Maps right in a loop that a team runs, or in a loop inside of it, by block and entry: those whose threads need not wait.
struct SynchronizationChoice : Choice {
    std::vector<std::pair<ir::BlockId, ir::NodeId>> maps;
};
/// `loop` is a block of `region`; `known` holds everywhere in the SDFG.
SynchronizationChoice synchronized(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop,
                                   const symbolic::Assumptions& known);
bool changes(const ir::LoopRegion& loop, const SynchronizationChoice& choice);
void take(ir::LoopRegion& loop, const SynchronizationChoice& choice);

struct ConflictChoice : Choice {
    std::vector<std::string> private_updates;
    std::vector<ir::EdgeId> apart;  ///< Updates of a team that do not meet.
    std::int64_t collapse = 1;
    symbolic::Expr condition = symbolic::boolean(true);  ///< Of a team: `omp_if`.
};
/// For a map whose schedule is decided. Private updates that have become wrong are left out.
ConflictChoice resolved(const Surroundings& around, ir::NodeId entry);
bool changes(const ir::State& state, ir::NodeId entry, const ConflictChoice& choice);
void take(ir::State& state, ir::NodeId entry, const ConflictChoice& choice);

struct StorageChoice : Choice {
    ir::Storage storage = ir::Storage::CPU_Heap;
    std::optional<ir::Lifetime> lifetime = {};  ///< Another one: SDFG, and not each iteration of a loop around its state.
};
bool storage_is_open(const ir::Container& container);
/// Where a container whose storage is open lies, and how long. `scopes`: where the SDFG's containers are allocated otherwise.
StorageChoice allocated(const ir::Sdfg& sdfg, const std::string& name,
                        const std::map<std::string, analysis::AllocationScope>& scopes, const analysis::Machine& machine);
void take(ir::Container& container, const StorageChoice& choice);

/// Why lanes pay, in words.
std::string why_lanes(const analysis::Lanes& lanes);

/// Can the expression be evaluated before a scope begins: over integers that have a value there?
bool can_be_asked_before(const ir::Sdfg& sdfg, const symbolic::Expr& e);
/// The innermost scope around the node whose schedule nobody has decided; an invalid id: none.
ir::NodeId undecided_around(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId node);
/// Do threads of a team call the SDFG of the place?
bool called_by_team(const ir::Sdfg& root, const rewrite::Place& place);
/// Does a team of threads run what lies in the scope of `entry` (an invalid id: the top level)?
bool in_team(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId entry);

/// A decision that was taken: as a line of a recipe says it, and why.
struct Decision {
    std::string transformation, place, choice, reason;
};
/// Takes back private updates of what a map also reads, or no longer updates, and decides nothing: whoever takes a graph at its
/// word still gets its results.
void take_back_wrong_decisions(ir::Sdfg& sdfg);
/// Takes all decisions that are open, those of outer scopes first. Library nodes are to be expanded before.
std::vector<Decision> decide(ir::Sdfg& sdfg, const analysis::Machine& machine = {});

}  // namespace sluice::transform
