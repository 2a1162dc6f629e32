// Reads a graph as a model: control flow in control.cpp, states in states.cpp, code in leaves.cpp, memlets in places.cpp. Private.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/scopes.h"
#include "certify/model.h"
#include "certify/tasklet.h"
#include "ir/adjacency.h"
#include "symbolic/subset.h"

namespace sluice::certify {

/// Thrown where the graph has no model; read_model catches it.
struct NoModel {
    Construct construct;
};

/// Where the elements of a container lie: index d of the container that holds them is begin + step * index `along` of the name's
/// own.
struct Place {
    struct Dimension {
        symbolic::Expr begin = 0, step = 1;
        std::optional<std::size_t> along = {};
    };
    std::string container;
    std::vector<symbolic::Expr> executions = {};  ///< Iterators that tell executions apart: the first indices.
    std::vector<Dimension> dimensions = {};
};

/// What holds at a point of the walk.
struct Frame {
    const ir::Sdfg* sdfg = nullptr;
    std::string prefix;  ///< Of names of a nested SDFG's own containers.
    symbolic::Substitution values = {};
    std::vector<std::string> iterators = {};
    poly::Set domain = {};  ///< Over the iterators, without a name.
    std::vector<Step> order = {};
    std::map<std::string, Place> places = {};  ///< Of names that stand for something else, or for memory of each execution.
};

/// A state on the way.
struct StateWalk {
    StateWalk(const ir::State& of) : state(of), adjacency(of), scopes(of, adjacency) {}
    const ir::State& state;
    ir::Adjacency adjacency;
    analysis::ScopeTree scopes;
};

class ModelReader {
public:
    explicit ModelReader(const ir::Sdfg& sdfg) : root_(sdfg) {}
    Model read();

private:
    // ---- control.cpp ----
    void region(Frame& frame, const ir::Region& region);
    void block(Frame& frame, const ir::Block& block);
    void loop(Frame& frame, const ir::LoopRegion& loop, const ir::Block& block);
    void conditional(Frame& frame, const ir::ConditionalBlock& conditional, const ir::Block& block);
    symbolic::Expr value_of(const Frame& frame, const std::string& text, const Span& where) const;
    void iterate(Frame& frame, const std::string& variable, const symbolic::Range& range, Step::Kind kind, const std::string& what,
                 const Span& where);
    /// Its value is not followed.
    static void forget(Frame& frame, const std::string& symbol);

    // ---- states.cpp ----
    void state(Frame frame, const ir::State& state);
    void scope(const Frame& frame, StateWalk& walk, ir::NodeId entry);
    void map_scope(Frame frame, StateWalk& walk, ir::NodeId entry);
    void own_transients(Frame& frame, StateWalk& walk, ir::NodeId entry);
    void nested(Frame frame, StateWalk& walk, ir::NodeId node);
    void views(Frame& frame, StateWalk& walk, ir::NodeId entry);
    void zeros(Frame& frame, StateWalk& walk, ir::NodeId entry);
    void copies(const Frame& frame, StateWalk& walk, ir::NodeId node);
    void copy(Frame frame, StateWalk& walk, ir::EdgeId edge, ir::NodeId source, ir::NodeId destination);

    // ---- leaves.cpp ----
    /// A connector of a tasklet.
    struct Port {
        std::string connector, data;
        symbolic::Subset subset = {};
        code::DType type = {};  ///< Of one element; void: the container's.
        std::optional<ir::Resolution> resolution = {};
    };
    void tasklet(Frame frame, StateWalk& walk, ir::NodeId node);
    std::optional<symbolic::Expr> count_lanes(Frame& frame, const ir::Node& node, const Span& where);
    static symbolic::Subset lane_of(const symbolic::Subset& subset, const symbolic::Expr& lane, std::uint32_t lanes,
                                    const std::string& label, const Span& where);
    TaskletNames names_in(const Frame& frame, const std::vector<Port>& inputs, const std::vector<Port>& outputs);
    void library(const Frame& frame, StateWalk& walk, ir::NodeId node);

    // ---- places.cpp ----
    const ir::Container& container(const Frame& frame, const std::string& name, const Span& where) const;
    /// The element of a name: container and indices in the model.
    struct Element {
        std::string container;
        std::vector<symbolic::Expr> indices;
    };
    Element element(const Frame& frame, const std::string& name, const std::vector<symbolic::Expr>& indices);
    TreePtr read_tree(const Frame& frame, std::size_t owner, const std::string& name, const std::vector<symbolic::Expr>& indices);
    Place window(const Frame& frame, const std::string& outer, const symbolic::Subset& subset, const ir::Container& inner,
                 const symbolic::Substitution& inner_values, const Span& where);
    void hold(const Frame& frame, const std::string& name, const ir::Container& container, bool argument,
              const std::vector<symbolic::Expr>& executions);
    /// The side of the edge's memlet that concerns `data`.
    symbolic::Subset side(const Frame& frame, const ir::Memlet& memlet, const std::string& data, bool source_side,
                          const Span& where);
    /// One more iterator for each dimension of more than one element; the elements in terms of them.
    std::vector<symbolic::Expr> count_elements(Frame& frame, const symbolic::Subset& subset, const Span& where);
    Assignment& add(const Frame& frame, const std::string& label, const Span& where);
    /// Stores a value, or updates by the resolution. `frame` counts `positions` further iterators.
    void store(const Frame& frame, Assignment& assignment, const std::string& name, const std::vector<symbolic::Expr>& indices,
               TreePtr value, const std::optional<ir::Resolution>& resolution);
    void recognise_update(Assignment& assignment) const;
    [[noreturn]] static void refuse(const std::string& construct, const Span& where);

    const ir::Sdfg& root_;
    Model model_;
    std::set<std::string> names_;  ///< Of iterators and symbols.
    std::size_t calls_ = 0;
    std::size_t outer_iterators_ = 0;  ///< Of the statement that is being read, its positions not counted.
};

/// The access node at the end of the path through scopes; invalid if it is code.
ir::NodeId far_end(const StateWalk& walk, ir::EdgeId at, bool towards_source);
/// Of the innermost edge, which says it; throws NoModel if only others do.
std::optional<ir::Resolution> resolution_along(const StateWalk& walk, ir::EdgeId at);
const std::string& data_of(const StateWalk& walk, ir::NodeId node);

}  // namespace sluice::certify
