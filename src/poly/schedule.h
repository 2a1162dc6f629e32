// Schedule trees: in which order the instances of several statements run (Grosser, Verdoolaege, Cohen, "Polyhedral AST generation
// is more than scanning polyhedra", TOPLAS 2015; Verdoolaege et al., "Schedule trees", IMPACT 2014), by isl's implementation, and
// isl's scheduler, which finds one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poly/relation.h"

namespace sluice::poly {

/// A tree over a domain. Without a node below it, a domain's instances run in any order.
class Schedule : public Handle<isl_schedule> {
public:
    using Handle::Handle;
    /// isl's notation, YAML in one line or in several.
    static Schedule parse(std::string_view text);
    /// These instances, in no order.
    static Schedule of(const UnionSet& domain);

    /// All of this before all of the other, whose domain is another.
    Schedule then(const Schedule& next) const;
    /// Around this a band of loops: `times` gives each instance its place in them, as a vector, one for all. A member is coincident
    /// if its iterations may run at the same time.
    Schedule within(const UnionMap& times, const std::vector<bool>& coincident) const;
    /// Each of these members of the outermost band is one loop, however its iterations differ.
    Schedule with_whole_loops(const std::vector<unsigned>& members) const;

    UnionSet domain() const;
    /// Instance -> time, one space of vectors compared lexicographically.
    UnionMap times() const;
    /// In one line.
    std::string to_string() const;
    /// One node a line.
    std::string to_block() const;
};

/// Dependences that a schedule violates: whose source does not come strictly before their sink.
UnionMap violated(const UnionMap& dependences, const UnionMap& times);
/// Those of the pairs of which the first comes before the second.
UnionMap before(const UnionMap& pairs, const UnionMap& times);

struct SchedulingProblem {
    UnionSet domain;
    Set context;           ///< What holds of the parameters.
    UnionMap validity;     ///< Source -> sink: must come first.
    UnionMap proximity;    ///< Pairs that are better close to each other.
    UnionMap coincidence;  ///< Pairs that keep a loop from being parallel.
    enum class Fusion : std::uint8_t {
        Maximal,  ///< Statements share a loop wherever they may.
        Minimal,  ///< Only those that depend on each other in a cycle.
    } fusion = Fusion::Maximal;
};
/// A legal schedule with bands of permutable loops that are as wide as possible, close pairs close
/// (isl_schedule_constraints_compute_schedule, a variant of Bondhugula et al., "A practical automatic polyhedral parallelizer and
/// locality optimizer", PLDI 2008). Not known beyond the budget.
Schedule schedule(const SchedulingProblem& problem);

}  // namespace sluice::poly
