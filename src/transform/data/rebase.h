// Puts a section of one container in place of another: the indices of what is left out become indices of what stays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transform/data/data.h"

namespace sluice::transform {

/// Where the elements of a container lie in an array.
struct Placement {
    symbolic::Subset section;                       ///< Of the array: what stands for the container.
    std::vector<std::optional<std::size_t>> along;  ///< The container's dimension that runs along each one of the array's.
    std::vector<symbolic::Expr> origin;             ///< Index of the container at which the section begins.
};
/// Of a copy between `section` of the array and `part` of the container. Nothing where the two are not of one shape, dimensions of
/// one index aside.
std::optional<Placement> placement(const symbolic::Subset& section, const symbolic::Subset& part,
                                   const symbolic::Assumptions& known);
symbolic::Subset placed(const Placement& placement, const symbolic::Subset& subset);

/// The edges at the access node and all those on the way from or to them through scopes.
std::vector<ir::EdgeId> edges_of_access(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId at);

/// The side of the memlet that concerns the container at the source (destination) of its path, if the memlet says it exactly.
std::optional<symbolic::Subset> exact_side(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const std::string& container,
                                           bool source, const symbolic::Assumptions& known);

/// Elements lie one behind the other in C order, without offsets.
bool is_packed(const ir::Container& container);

}  // namespace sluice::transform
