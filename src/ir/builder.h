// Builds SDFGs in code that reads like the graph. Used by front ends, tests and tool builders.
//
//     ir::Sdfg g{.name = "axpy"};
//     ir::add_symbol(g, "N", code::Scalar::Int64);
//     ir::add_array(g, "x", code::Scalar::Float64, {symbol("N")});
//     ir::StateBuilder state = ir::add_state(g, "main");
//     state.mapped_tasklet("axpy", {{"i", "0:N"}}, {{"xi", "x[i]"}}, "yo = 2 * xi", {{"yo", "y[i]"}});
//
// Ranges, memlets and bounds are values, or texts that say them; a text that does not parse is an InternalError (the caller is
// code).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

void add_symbol(Sdfg& sdfg, const std::string& name, DType type = code::Scalar::Int64);
/// Each returns the new container for further settings. A name that is taken is an InternalError; `fresh_name` finds a free one.
Container& add_array(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape);
Container& add_transient(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape);
Container& add_scalar(Sdfg& sdfg, const std::string& name, DType type, bool transient = false);
Container& add_stream(Sdfg& sdfg, const std::string& name, DType type, Expr buffer_size = 0, std::vector<Expr> shape = {1});
Container& add_view(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape);
/// `base`, `base_0`, `base_1`, ...: the first that names no container, symbol or constant of the SDFG.
std::string fresh_name(const Sdfg& sdfg, const std::string& base);

/// A memlet from `A[i, 0:N]`, volume its number of elements (or `A`: the whole, volume 0 until propagation). Options by designated
/// initialisers.
struct MemletOptions {
    std::string wcr = {};
    bool dynamic = false;
    std::string other_subset = {};
};
Memlet memlet(std::string_view text, const MemletOptions& options = {});
Memlet memlet(const std::string& data, std::optional<Subset> subset, const MemletOptions& options = {});
/// Pure ordering.
Memlet no_memlet();

/// `"0:N"` or `symbolic::Range::extent(n)`.
struct RangeArgument {
    symbolic::Range value;
    RangeArgument(const std::string& text);
    RangeArgument(const char* text) : RangeArgument(std::string(text)) {}
    RangeArgument(symbolic::Range range) : value(std::move(range)) {}
};
/// `"A[i]"` or `memlet("A", Subset::indices({i}))`.
struct MemletArgument {
    Memlet value;
    MemletArgument(const std::string& text) : value(memlet(text)) {}
    MemletArgument(const char* text) : value(memlet(text)) {}
    MemletArgument(Memlet memlet) : value(std::move(memlet)) {}
};
/// `"n + 1"`, which is Python and may read scalars, or `n + 1`.
struct BoundArgument {
    std::string text;
    BoundArgument(std::string code) : text(std::move(code)) {}
    BoundArgument(const char* code) : text(code) {}
    BoundArgument(const Expr& value) : text(symbolic::to_string(value)) {}
};
using MapRanges = std::vector<std::pair<std::string, RangeArgument>>;
using NamedMemlets = std::vector<std::pair<std::string, MemletArgument>>;

/// Edits one state. Keeps a pointer to the state: valid until the region's blocks table grows or is copied, so finish one state
/// before adding the next, or look it up again with edit_state.
class StateBuilder {
public:
    explicit StateBuilder(State& state) : state_(&state) {}
    State& state() { return *state_; }

    NodeId access(const std::string& data);
    NodeId tasklet(const std::string& label, Connectors in, Connectors out, const std::string& code,
                   Language language = Language::Python);
    /// Entry and exit of a map; params with their ranges, `{{"i", "0:N"}, {"j", "0:M"}}`.
    std::pair<NodeId, NodeId> map(const std::string& label, const MapRanges& params, Schedule schedule = Schedule::Default);
    std::pair<NodeId, NodeId> consume(const std::string& label, const std::string& pe_index, Expr num_pes,
                                      std::optional<std::string> condition = {});
    NodeId nested(const std::string& label, Sdfg sdfg, const std::vector<std::string>& in, const std::vector<std::string>& out,
                  std::map<std::string, Expr> symbol_mapping = {});
    NodeId library(const std::string& operation, const std::string& label, const std::vector<std::string>& in,
                   const std::vector<std::string>& out, std::map<std::string, Property> properties = {});

    EdgeId edge(NodeId src, std::string src_connector, NodeId dst, std::string dst_connector, Memlet memlet);
    /// Connects through scope nodes: adds IN_x/OUT_x pairs on every scope node of the path and one edge between each pair of
    /// neighbours. `memlet` is the innermost one; those outside of scopes get its image over their parameters, so that the graph is
    /// valid at once (analysis::propagate_memlets makes them exact). Paths that read one container from one node share the
    /// edges into the scope.
    void memlet_path(const std::vector<NodeId>& path, std::string src_connector, std::string dst_connector, const Memlet& memlet);

    struct Mapped {
        NodeId entry, tasklet, exit;
    };
    /// A tasklet in a map with access nodes around it: inputs and outputs are connector -> memlet, `{{"a", "A[i]"}}`. One
    /// access node per container and direction; `wcr` (if not empty) goes on every output.
    Mapped mapped_tasklet(const std::string& label, const MapRanges& params, const NamedMemlets& inputs, const std::string& code,
                          const NamedMemlets& outputs, const std::string& wcr = {}, Schedule schedule = Schedule::Default);

private:
    State* state_;
};

/// Appends blocks to a region. The first block becomes its start.
BlockId add_block(Region& region, Block block);
StateBuilder add_state(Sdfg& sdfg, const std::string& label);
StateBuilder add_state(Region& region, const std::string& label, BlockId* id = nullptr);
StateBuilder edit_state(Region& region, BlockId id);
/// Adds a state after the block, joined by an unconditional transition.
StateBuilder add_state_after(Region& region, BlockId before, const std::string& label, BlockId* id = nullptr);
TransitionId add_transition(Region& region, BlockId src, BlockId dst, const std::string& condition = {},
                            std::vector<std::pair<std::string, std::string>> assignments = {});
/// `for variable in range(begin, end, step)` as a LoopRegion block with an empty body.
Block for_loop(const std::string& label, const std::string& variable, const BoundArgument& begin, const BoundArgument& end,
               const BoundArgument& step = "1");
Block while_loop(const std::string& label, const std::string& condition);

}  // namespace sluice::ir
