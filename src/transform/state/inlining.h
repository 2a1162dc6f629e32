// What the inside of a nested SDFG means in the terms of the state that calls it: containers, symbols, memlets.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// Looks at a nested SDFG and answers why it could not lie outside; then carries it over. Keeps references to the graph before.
class Inlining {
public:
    Inlining(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, ir::NodeId nested);

    /// Arguments that are no aligned part of what they are connected to.
    std::optional<std::string> why_not_aligned() const;
    /// Names that would mean something else outside.
    std::optional<std::string> why_not_named() const;
    /// Transients whose size is not known where the SDFG allocates.
    std::optional<std::string> why_not_allocated() const;

    /// The body of the nested SDFG in outer terms. Its transients and constants are added to `target`.
    ir::Region translated_region(ir::Sdfg& target) const;
    /// The same of one that is a single state.
    ir::State translated(ir::Sdfg& target) const;

private:
    /// How an argument lies in an outer container.
    struct Argument {
        std::string data;
        std::vector<symbolic::Expr> begin;                  ///< One for each outer dimension.
        std::vector<std::optional<std::size_t>> dimension;  ///< The inner dimension that runs along it.
        std::vector<symbolic::Expr> extents;                ///< Inner shape in outer terms.
        bool plain = true;                                  ///< The whole container, dimension by dimension.
    };

    std::optional<std::string> connect(ir::EdgeId edge, const std::string& connector);
    std::optional<std::string> align(const std::string& connector, const ir::Memlet& memlet, Argument& argument) const;
    bool keeps_dimensions(const std::string& data) const;
    symbolic::Subset placed(const Argument& argument, const std::optional<symbolic::Subset>& inner) const;
    void translate(ir::State& state, const std::map<std::string, std::string>& names) const;
    std::map<std::string, std::string> new_names(ir::Sdfg& target) const;
    std::optional<std::string> why_code_differs(const ir::Node& node) const;

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const rewrite::StateView& view_;
    ir::NodeId id_;
    const ir::NestedSdfg& nested_;
    const ir::Sdfg& inner_;
    symbolic::Substitution mapping_;
    std::map<std::string, Argument> arguments_;
    std::optional<std::string> problem_;
    std::set<std::string> scope_names_;  ///< Parameters and dynamic inputs of the scopes around.
};

/// Why a scalar that the node `nested` of the site takes by value could not be read inside: the call changes what it is taken from.
std::optional<rewrite::Refusal> why_not_by_value(const rewrite::Site& site, const std::string& code);

}  // namespace sluice::transform
