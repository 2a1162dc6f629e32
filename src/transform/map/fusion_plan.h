// Vertical fusion of two maps: what has to be known, and the edit. The conditions are those of fusion.cpp.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "transform/map/boundary.h"
#include "transform/map/merge.h"

namespace sluice::transform {

/// A container that the second map reads from the first.
struct Intermediate {
    ir::NodeId node;  ///< The access node between the maps.
    std::string container;
    std::vector<BoundaryMemlet> written, read;   ///< In terms of the first map's parameters.
    bool stays = false;                          ///< Others look at it: it is still written.
    bool private_memory = false;                 ///< Nobody else uses the container: it shrinks in place.
    std::vector<symbolic::Expr> origin, extent;  ///< Of what one point of the first map writes.
    bool scalar = false;                         ///< One element, and only tasklets look at it.
};

struct FusionPlan {
    Scope first, second;
    symbolic::Substitution parameters;      ///< Of the second map -> of the first.
    std::vector<ir::NodeId> inside_second;  ///< Nodes.
    std::vector<Intermediate> intermediates;
};

/// `known` holds at the top of the state. The maps have the same dimensions up to `pairing`.
std::variant<FusionPlan, rewrite::Refusal> plan_fusion(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                                       ir::NodeId first, ir::NodeId second, const Pairing& pairing,
                                                       const symbolic::Assumptions& known);

void fuse(ir::Sdfg& sdfg, ir::State& state, const FusionPlan& plan);

/// Two maps in the state of the site, of its program or of a changed copy of it.
struct MapPair {
    const ir::Sdfg& root;
    const rewrite::StateView& view;
    ir::NodeId first, second;
};
/// A pairing under which two maps may be fused.
struct FusionChoice {
    MapScopes maps;
    Pairing pairing;
    FusionPlan fusion;  ///< In the state after both maps were split to the dimensions of the pairing.
};
/// The first pairing that may be; without one, why the first that was tried is refused.
std::variant<FusionChoice, rewrite::Refusal> choose_fusion(const rewrite::Site& site, const MapPair& maps);
/// The fusion that was chosen, in the draft: its state is that of the pair.
void fuse_chosen(rewrite::Draft& draft, const FusionChoice& choice);
/// F1 to F6.
std::vector<rewrite::Condition> fusion_conditions();

}  // namespace sluice::transform
