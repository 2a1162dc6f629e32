// Symbols that one transition gives a value, which everything behind it can say instead.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rewrite/transformation.h"

namespace sluice::transform {

/// An assignment of a transition, and what takes the symbol's place.
struct Propagated {
    ir::TransitionId transition;
    std::string symbol;
    symbolic::Expr value;
};

/// The first assignment between the two blocks of the match whose value `takes` accepts, if its symbol can be left out: the blocks
/// up to the transition run once, one after the other, before everything else; the symbol is an integer that nothing else gives a
/// value and that nothing uses before; no scope, code or loop gives its name, or one in the value, another meaning. Refusals: P1
/// no such assignment; P2 the way to it; P3 other values or earlier uses; P4 names.
rewrite::Planned<Propagated> plan_propagation(const rewrite::Site& site, const std::function<bool(const symbolic::Expr&)>& takes);
void apply_propagation(rewrite::Draft& draft, const Propagated& found);

}  // namespace sluice::transform
