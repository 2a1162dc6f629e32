// What the topics of the verifier share: the list of violations and the names of the SDFG at hand.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/adjacency.h"
#include "ir/sdfg.h"
#include "ir/verify.h"

namespace sluice::ir::verification {

/// Violations so far, and where in the graph we are.
class Report {
public:
    void add(std::string_view code, std::string message, const Span& where, const std::string& leaf = {});

    std::vector<Diagnostic> violations;
    std::size_t elements = 0;        ///< Nodes, edges, blocks and transitions that were looked at.
    std::size_t levels = 0;          ///< Of regions, structures and nested SDFGs around the place.
    std::vector<std::string> place;  ///< SDFG, blocks, nodes that hold SDFGs: the path without its last part.

    /// Enters a part of the graph for as long as it lives.
    class Enter {
    public:
        Enter(Report& report, std::string part) : report_(report) { report_.place.push_back(std::move(part)); }
        ~Enter() { report_.place.pop_back(); }
        Enter(const Enter&) = delete;
        Enter& operator=(const Enter&) = delete;

    private:
        Report& report_;
    };
};

constexpr std::size_t kMostLevels = 200;

/// The names of one SDFG.
struct Names {
    Names(const Sdfg& graph, bool is_program) : sdfg(graph), of_program(is_program) {}

    const Sdfg& sdfg;
    bool of_program;             ///< No node calls it here.
    std::set<std::string> used;  ///< Symbols that some expression reads.

    /// Symbols that a transition or a loop gives a value. Found when somebody asks, as the whole control flow is looked through.
    const std::unordered_set<std::string>& assigned() const;
    /// Is the symbol declared, constant, or assigned?
    bool defines(const std::string& symbol) const {
        return sdfg.symbols.contains(symbol) || sdfg.constants.contains(symbol) || assigned().contains(symbol);
    }

    /// A container or a constant's container, members by path; null if there is none. Memoised: states ask for few names often.
    const Container* container(const std::string& dotted) const;

private:
    mutable std::unordered_map<std::string, const Container*> found_;
    mutable std::optional<std::unordered_set<std::string>> assigned_;
};

/// A state's graph, once it is known to be one: ends exist, no cycle.
struct Dataflow {
    const State& state;
    Adjacency adjacency;
    std::vector<NodeId> order;
    std::vector<NodeId> scope;    ///< By node: the entry it lies in (an exit: its entry); invalid at the top.
    std::vector<NodeId> exit_of;  ///< By entry.
    /// By edge: where the memlet path through scopes begins and ends; of a path that branches, its first end.
    std::vector<NodeId> source, sink;

    /// The scope in which the memlet of the edge is read.
    NodeId scope_of_edge(const Edge& edge) const;
};

/// `n3 (tasklet mul)`; `n0 -> n1.IN_x`.
std::string node_place(const State& state, NodeId id);
std::string edge_place(const Edge& edge);
const Span& span_of(const State& state, const Edge& edge);

/// Everything of one SDFG and what it holds. Returns the symbols that it needs from outside.
std::set<std::string> check_sdfg(Report& report, const Sdfg& sdfg);

void check_declarations(Report& report, Names& names);
void check_containers(Report& report, Names& names);
void check_control_flow(Report& report, Names& names);
void check_touched(Report& report, Names& names, const Touched::InRegion& touched);
void check_state(Report& report, Names& names, const State& state, const Span& where);
/// Nodes and edges one by one, by every topic.
void check_parts(Report& report, Names& names, const Dataflow& flow, std::span<const NodeId> nodes, std::span<const EdgeId> edges);
void check_touched(Report& report, Names& names, const Touched::InState& touched);

void check_connectors(Report& report, const State& state, const Adjacency& adjacency, NodeId id);
void check_scopes(Report& report, Dataflow& flow);
void check_memlet(Report& report, Names& names, const Dataflow& flow, EdgeId id);
void check_tasklet(Report& report, Names& names, const Dataflow& flow, NodeId id, const Tasklet& tasklet);
void check_map(Report& report, Names& names, const Dataflow& flow, NodeId id, const MapEntry& map);
void check_consume(Report& report, Names& names, const Dataflow& flow, NodeId id, const ConsumeEntry& consume);
void check_nested(Report& report, Names& names, const Dataflow& flow, NodeId id, const NestedSdfg& nested);
void check_bindings(Report& report, Names& names, const Dataflow& flow, NodeId id, const Access& access);

/// V701 for each free symbol that neither the SDFG nor a scope from `scope` outwards defines. With a null flow: no scopes.
template <class Symbolic> void check_symbols(Report& report, Names& names, const Dataflow* flow, NodeId scope,
                                             const Symbolic& expression, const Span& where, const std::string& what,
                                             const std::string& leaf);
bool is_defined(Names& names, const Dataflow* flow, NodeId scope, const std::string& symbol);

/// V701 for the symbols of a vector of expressions, a subset or one expression.
std::set<std::string> symbols_of(const Expr& e);
std::set<std::string> symbols_of(const Subset& subset);
std::set<std::string> symbols_of(const std::vector<Expr>& expressions);

template <class Symbolic> void check_symbols(Report& report, Names& names, const Dataflow* flow, NodeId scope,
                                             const Symbolic& expression, const Span& where, const std::string& what,
                                             const std::string& leaf) {
    for (const std::string& symbol : symbols_of(expression))
        if (!is_defined(names, flow, scope, symbol))
            report.add("V701", "the symbol " + symbol + " of " + what + " is not defined", where, leaf);
}

}  // namespace sluice::ir::verification
