// A graph as Python holds it: the SDFG value, and paths that name its regions and states.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bindings/convert.h"
#include "driver/python_source.h"
#include "driver/session.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/sdfg.h"

namespace sluice::bindings {

/// Names a region: pairs (block, branch) from the body inwards; branch is 0 but for conditional blocks. A state is its region's
/// path followed by its block.
using Path = std::vector<std::uint32_t>;

struct Graph {
    ir::Sdfg sdfg;
    std::uint64_t version = 0;           ///< Counts edits, so that a compiled program knows whether it is still this graph's.
    std::set<Path> unpropagated = {};    ///< States whose memlet paths were added since the last propagation.
    std::set<Path> portless = {};        ///< States with edges that name no port of a scope node.
    std::set<Path> implied_starts = {};  ///< Regions whose start is the block added first: nobody gave one (start.h).
    std::map<Path, ir::BlockId> given_starts = {};  ///< Starts of regions in place of which another block became it (start.h).
    driver::python::ReturnedForms forms = {};       ///< Of a program: what its return containers hold for the caller.
    /// A graph that a node calls and that Python holds as well: its edits are the node's.
    struct Called {
        Path path;
        std::uint32_t node;
        nb::object graph;
        std::uint64_t version;  ///< As the node has it.
    };
    std::vector<Called> called = {};
    std::string recipe = {};  ///< The transformations that were applied, one line each.
    /// Of the transformations since the last edit by hand, which undo() can take back.
    struct Work {
        driver::Session session;
        std::uint64_t version;    ///< The graph's, as the session has it.
        std::uint64_t known;      ///< Version of transformations() that the session knows.
        std::string recipe = {};  ///< What was applied before.
    };
    std::optional<Work> work = {};

    const ir::Region& region(const Path& path) const;
    /// A transformation may have taken it.
    bool has_region(const Path& path) const;
    const ir::Block& block(const Path& path) const;
    const ir::State& state(const Path& path) const;
    const ir::Node& node(const Path& path, std::uint32_t id) const;
    const ir::Edge& edge(const Path& path, std::uint32_t id) const;
    /// The same, to be changed: each counts as an edit.
    ir::Region& edit_region(const Path& path);
    ir::Block& edit_block(const Path& path);
    ir::State& edit_state(const Path& path);
    ir::Node& edit_node(const Path& path, std::uint32_t id);
    ir::Edge& edit_edge(const Path& path, std::uint32_t id);
    ir::StateBuilder edit(const Path& path) { return ir::StateBuilder(edit_state(path)); }
    /// Declares the free symbols that are not, as int64: those of a graph that is called get values from where it is.
    void declare_mapped();
    /// Takes over what was edited in called graphs.
    void adopt();
    /// Called graphs become what their nodes call now; of nodes that are gone, or no longer alike where they shared one, graphs of
    /// their own.
    void release();
    /// Takes over called graphs, completes ports and brings outer memlets of edited states up to date; done before the graph leaves
    /// Python's hands.
    void propagate();
    /// Throws Failure V601 where no edge enters several blocks of a region, of a called graph's too, and nobody gave the start.
    void expect_starts() const;
    /// The first violation of the verifier, thrown.
    void validate();
};

[[noreturn]] inline void refuse_removed(const std::string& kind) {
    throw nb::value_error(("this " + kind + " was removed from its graph: take another one from there").c_str());
}
/// Throws ValueError where the element was removed since Python took a handle of it.
template <class Elements, class Id> auto& present(Elements& elements, Id id, const char* kind) {
    if (!elements.contains(id)) refuse_removed(kind);
    return elements[id];
}

/// Adds the connectors that edges name to their nodes. Edges at a scope node that name none join there by their containers, as in
/// DaCe; where several bring the same one, they stay without.
void fill_ports(ir::State& state);

/// The built-in transformations, and those that Python has added.
driver::Transformations& transformations();
/// Counts what Python has added, so that a session knows whether its copy is still the same.
std::uint64_t& transformations_version();
/// The graph's program after the pipeline of the level. At `decide` it is as it was: what is open is decided when it is compiled.
/// At O3, what was tuned for the class of sizes is taken (driver/tuning/store.h).
ir::Sdfg optimised(Graph& graph, driver::Level level, const std::string& size_class = {}, const std::string& target = "cpu");

}  // namespace sluice::bindings
