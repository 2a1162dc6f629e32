// Builds the table of statements: control flow in regions.cpp, dataflow in dataflow.cpp, elements in elements.cpp. Private.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/dependences/access_model.h"
#include "analysis/liveness.h"
#include "analysis/projection.h"
#include "analysis/scopes.h"
#include "code/ast.h"
#include "code/reduction.h"
#include "ir/adjacency.h"
#include "poly/convert.h"

namespace sluice::analysis {

/// What a container's name stands for where it is not a container of the root SDFG itself.
struct Window {
    std::string container;  ///< The name in the model.
    /// Executions, by their first `depth` iterators, have elements of their own.
    bool fresh = false;
    std::size_t depth = 0;
    /// Unless fresh: `[first depth iterators, indices] -> container[indices]`.
    poly::Map elements = {};
    Certainty certainty = Certainty::Must;
    std::string why = {};
};
/// By name; a name with `>` behind it for writing, where that differs.
using Windows = std::map<std::string, Window>;

/// Where the walk stands: everything that a statement here inherits.
struct Frame {
    const ir::Sdfg* sdfg = nullptr;
    std::string prefix;  ///< Of names of the nested SDFG's own containers: `call/`.
    std::string place;
    std::vector<std::size_t> iterators;
    poly::Set domain;  ///< Over the iterators, in a space without name.
    std::vector<std::size_t> guards;
    symbolic::Substitution values;  ///< Symbols that are not parameters, in terms of iterators and parameters.
    std::set<std::string> bound;    ///< Loop variables and map parameters around.
    std::vector<OrderStep> order;
    std::shared_ptr<const Windows> windows = std::make_shared<Windows>();
    ir::NodeId top;
};

/// One state on the way.
struct StateWalk {
    StateWalk(const ir::State& of) : state(of), adjacency(of), scopes(of, adjacency) {}
    const ir::State& state;
    ir::Adjacency adjacency;
    ScopeTree scopes;
};

class ModelBuilder {
public:
    ModelBuilder(const ir::Sdfg& sdfg, symbolic::Assumptions known) : root_(sdfg), known_(std::move(known)) {}
    AccessModel build(const ModelRoot& root);

private:
    // ---- the root (root.cpp) ----
    bool descend(Frame& frame, const ir::Region& region, const ir::Region* target, const ir::State* state);
    void around_scope(Frame& frame, StateWalk& walk, ir::NodeId scope);
    void name_parameters(Frame& frame, const StateWalk& walk, ir::NodeId entry);
    void finish();

    // ---- control flow (regions.cpp) ----
    void region(Frame& frame, const ir::Region& region);
    void chain(Frame& frame, const ir::Region& region, std::span<const ir::BlockId> blocks);
    void acyclic(Frame& frame, const ir::Region& region, std::span<const ir::BlockId> order);
    void cyclic(Frame& frame, const ir::Region& region);
    void block(Frame& frame, const ir::Block& block);
    void loop(Frame& frame, const ir::LoopRegion& loop, const ir::Block& block);
    void conditional(Frame& frame, const ir::ConditionalBlock& conditional, const ir::Block& block);
    void summarise(const Frame& frame, const std::vector<std::pair<std::size_t, std::size_t>>& branches,
                   const std::vector<std::size_t>& guards);
    void transition(Frame& frame, const ir::Transition& transition);
    void jump(const Frame& frame, const std::string& word, Statement::Leaves leaves, const Span& where);
    void forget(Frame& frame, const std::set<std::string>& symbols, const std::string& why);
    /// A statement that reads what the expressions mention, if that is anything that may change.
    void reads(const Frame& frame, const std::string& label, std::span<const std::string> texts, const Span& where);
    /// Narrows the domain; what cannot be expressed becomes a guard.
    void require(Frame& frame, const std::string& text, const symbolic::Expr& condition);
    /// A symbol that each iteration of a loop changes once, by an amount that grows evenly with the loop's variable, or not at all.
    struct Induction {
        std::string symbol;
        symbolic::Expr base, change;  ///< Before the loop; by the first iteration.
        symbolic::Expr growth;        ///< By how much more each further iteration changes it.
        symbolic::Expr after(const symbolic::Expr& iterations) const;
    };
    std::vector<Induction> inductions(const Frame& before, const ir::LoopRegion& loop) const;  // induction.cpp
    void follow(Frame& inner, const std::vector<Induction>& inductions, const std::optional<symbolic::Range>& range);
    void leave(Frame& frame, const std::vector<Induction>& inductions, const ir::LoopRegion& loop);
    std::optional<symbolic::Expr> condition_of(const Frame& frame, const std::string& text) const;
    std::size_t guard(Frame& frame, const std::string& text);
    void iterate(Frame& frame, const std::string& variable, Iterator::Kind kind, std::int64_t direction, std::size_t owner);
    void restrict_to(Frame& frame, const symbolic::Range& range, const std::string& text);
    void loop_body(Frame& frame, const ir::LoopRegion& loop, const ir::Block& block);

    // ---- dataflow (dataflow.cpp) ----
    void state(Frame frame, const ir::State& state, const Span& where);
    void scope(Frame frame, StateWalk& walk, ir::NodeId entry);
    bool describes(const Frame& frame, const ir::State& state, ir::NodeId node) const;
    void map_scope(Frame frame, StateWalk& walk, ir::NodeId entry);
    void consume_scope(Frame frame, StateWalk& walk, ir::NodeId entry);
    void dynamic_ranges(Frame& frame, StateWalk& walk, ir::NodeId entry);
    void leaf(const Frame& frame, StateWalk& walk, ir::NodeId node);
    void tasklet_access(Statement& statement, const Frame& frame, StateWalk& walk, const ir::Tasklet& tasklet, const ir::Edge& edge,
                        const std::string& data, const Moved& moved, bool reading);
    void set_to_zero(Frame& frame, StateWalk& walk, ir::NodeId entry);
    void copies(const Frame& frame, StateWalk& walk, ir::NodeId node);
    void copy(const Frame& frame, StateWalk& walk, ir::EdgeId edge, ir::NodeId source, ir::NodeId destination, ir::NodeId at);
    void nested(const Frame& frame, StateWalk& walk, ir::NodeId node);
    void bind_views(Frame& frame, StateWalk& walk, ir::NodeId entry);
    void own_transients(Frame& frame, ir::NodeId entry, const ir::State* state);

    // ---- elements (elements.cpp) ----
    Statement& add_statement(const Frame& frame, const std::string& label, const ir::State* state, ir::NodeId node,
                             const Span& where);
    struct Touch {
        std::string data;
        StatementAccess::Kind kind = StatementAccess::Kind::Read;
        code::ReductionType reduction = code::ReductionType::Custom;
        symbolic::Subset subset = {};
        Certainty certainty = Certainty::Must;
        std::string why = {};
        std::string connector = {};
    };
    void touch(Statement& statement, const Frame& frame, Touch touch);
    void apply_guards(StatementAccess& access, const Frame& frame) const;
    void touch_symbol(Statement& statement, const Frame& frame, const std::string& name, bool writes);
    void touch_order(Statement& statement, const Frame& frame);
    void use_symbols(Statement& statement, const Frame& frame, const std::set<std::string>& names);
    void read_code(Statement& statement, const Frame& frame, const code::Expr& e);
    poly::Space space_of(const Frame& frame, const std::string& tuple) const;
    /// What holds at the root; the iterators around may be any integers.
    symbolic::Assumptions known_at(const Frame& frame) const;
    symbolic::Expr known_value(const Frame& frame, const symbolic::Expr& e) const;
    symbolic::Subset known_subset(const Frame& frame, const symbolic::Subset& subset) const;
    /// From the iterators (and `extra` dimensions) to elements; a dimension that is not affine is whole.
    poly::Map relation(const Frame& frame, const poly::Space& space, const symbolic::Subset& subset, const ir::Container& container,
                       const std::string& tuple, Certainty& certainty, std::string& why);
    /// How indices of a container inside (a view, a connector) correspond to those of the container that `subset` is part of.
    Window window(const Frame& frame, const std::string& outer, bool writing, const symbolic::Subset& subset,
                  const ir::Container& inner, const symbolic::Substitution& inner_symbols);
    const Window* window_of(const Frame& frame, const std::string& name, bool writing) const;
    std::string name_in_model(const Frame& frame, const std::string& name) const;
    bool is_assigned(const Frame& frame, const std::string& symbol);
    /// The value of a symbol that is unknown: a call, which no conversion accepts. Two of them are never known to be equal.
    symbolic::Expr unknown_value(const std::string& symbol);
    std::string reason(const Frame& frame, const symbolic::Expr& e, const std::string& why) const;

    const ir::Sdfg& root_;
    symbolic::Assumptions known_;
    AccessModel model_;
    std::set<std::string> names_;  ///< Of iterators.
    std::set<std::string> parameters_;
    std::map<const ir::Sdfg*, std::set<std::string>> assigned_;
    std::map<const ir::Sdfg*, std::map<std::string, AllocationScope>> allocation_scopes_;
    std::map<const ir::State*, std::set<ir::NodeId>> described_;  ///< Nodes at the top of a state; of others all are.
    std::map<std::string, std::string> unknown_;                  ///< Symbol -> why its value is not known.
    std::size_t owners_ = 0;
    std::int64_t unknown_values_ = 0;
};

/// The blocks in the order of execution if each runs once, one after the other.
std::optional<std::vector<ir::BlockId>> straight_line(const ir::Region& region);
/// May a `continue` of the region's loop skip a part of it?
bool may_continue(const ir::Region& region);

}  // namespace sluice::analysis
