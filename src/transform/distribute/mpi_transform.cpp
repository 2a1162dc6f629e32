// MPITransform: let the ranks of a program share the points of a map, each a contiguous part of its first dimension.
//     map i @old { B } -> A   ->   map i @MPI { B } -> A
// Every rank calls the program with the same data and has all results; messages behind the map bring the elements that one rank
// wrote to all others, or combine what all have updated (transform/distribute/ranks.h).
// R1 the map is in no scope and in no nested SDFG, is not shared by ranks yet, and the program sends no messages of its own. R2 its
// points do not conflict. R3 the range of its first dimension reads no data, and its step is positive. R4 of what it writes, each
// point has elements of its own, or all update it by one commutative operator that has an identity, and read it nowhere. R5 what
// else the state does with a container that the map writes comes earlier or later.
#include "analysis/legality/parallel.h"
#include "ir/messages.h"
#include "rewrite/transformation.h"
#include "target/carries.h"
#include "transform/distribute/ranks.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

std::optional<Refusal> why_not_shared(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const auto refused = [&](const char* code, std::string why) {
        return Refusal{.code = code, .why = std::move(why), .nodes = {entry}};
    };
    if (map.schedule == ir::Schedule::MPI) return refused("R1", "the ranks share the map already");
    if (!site.match().place.nested.empty()) return refused("R1", "the map lies in a nested SDFG");
    if (target::has_messages(site.root()))
        return refused("R1", "the program sends messages, so that its ranks hold different data");
    const auto found = exchanges_of(site.sdfg(), site.state(), entry, site.assumptions());
    if (const auto* no = std::get_if<NoShare>(&found)) return refused(no->code.c_str(), no->why);
    const analysis::Verdict verdict = analysis::map_parallel(site.sdfg(), site.state(), entry, site.assumptions());
    if (verdict.yes()) return std::nullopt;
    Refusal conflict = refused("R2", verdict.why);
    if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return site.unless_assumed(std::move(conflict));
}

void apply_mpi_transform(rewrite::Draft& draft) {
    draft.get<ir::MapEntry>("map").schedule = ir::Schedule::MPI;
}

}  // namespace

rewrite::Transformation mpi_transform() {
    return rewrite::CheckedEdit{
        {.name = "MPITransform",
         .summary = "Lets the ranks of a program share the points of a map.",
         .drawing = "map i @old { B } -> A   ->   map i @MPI { B } -> A",
         .decided_by = {.predicates = {"map_parallel"}},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"R1",
                         "the map is in no scope and in no nested SDFG, is not shared by ranks yet, and the program sends no "
                         "messages of its own"},
                        {"R2", "its points do not conflict"},
                        {"R3", "the range of its first dimension reads no data, and its step is positive"},
                        {"R4",
                         "of what it writes, each point has elements of its own, or all update it by one commutative operator "
                         "that has an identity, and read it nowhere"},
                        {"R5", "what else the state does with a container that the map writes comes earlier or later"}}},
        why_not_shared,
        apply_mpi_transform};
}

}  // namespace sluice::transform
