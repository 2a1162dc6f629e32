// Finds the root of a model in its SDFG and what is known there; builds the table.
#include <algorithm>

#include "analysis/dependences/builder.h"
#include "analysis/loop_range.h"
#include "analysis/symbols.h"
#include "analysis/unchanged.h"
#include "code/walk.h"
#include "ir/query.h"

namespace sluice::analysis {

using code::Overloaded;

/// Walks down to the region or the state; the loops on the way bind their variables, as parameters. False if it is not below.
bool ModelBuilder::descend(Frame& frame, const ir::Region& region, const ir::Region* target, const ir::State* state) {
    if (&region == target) return true;
    for (auto [id, block] : region.blocks) {
        const bool found = std::visit(Overloaded{
                                          [&](const Cow<ir::State>& of) { return state != nullptr && &*of == state; },
                                          [&](const ir::LoopRegion& loop) {
                                              if (!descend(frame, loop.body, target, state)) return false;
                                              if (loop.variable.empty()) return true;
                                              names_.insert(loop.variable);
                                              frame.bound.insert(loop.variable);
                                              if (const auto range = loop_range(loop))
                                                  assume_in(known_, loop.variable, *range);
                                              else
                                                  known_.assume_any(loop.variable);
                                              return true;
                                          },
                                          [&](const ir::ConditionalBlock& conditional) {
                                              return std::ranges::any_of(conditional.branches, [&](const ir::Branch& branch) {
                                                  return descend(frame, branch.body, target, state);
                                              });
                                          },
                                          [](const ir::BreakBlock&) { return false; },
                                          [](const ir::ContinueBlock&) { return false; },
                                          [](const ir::ReturnBlock&) { return false; },
                                          [&](const ir::NamedRegion& named) { return descend(frame, named.body, target, state); },
                                      },
                                      block.kind);
        if (found) return true;
    }
    return false;
}

/// The scopes around, outermost first: their parameters are parameters of the model.
void ModelBuilder::around_scope(Frame& frame, StateWalk& walk, ir::NodeId scope) {
    if (!scope.valid()) {
        bind_views(frame, walk, scope);
        return;
    }
    around_scope(frame, walk, walk.scopes.parent(scope));
    name_parameters(frame, walk, scope);
    bind_views(frame, walk, scope);
}

void ModelBuilder::name_parameters(Frame& frame, const StateWalk& walk, ir::NodeId entry) {
    const auto* map = entry.valid() ? std::get_if<ir::MapEntry>(&walk.state.nodes[entry].kind) : nullptr;
    if (!map) return;
    for (const std::string& parameter : map->params) {
        names_.insert(parameter);
        frame.bound.insert(parameter);
    }
}

void ModelBuilder::finish() {
    std::set<std::string> names;
    for (const Statement& statement : model_.statements) {
        for (const std::string& name : statement.domain.parameter_names()) names.insert(name);
        for (const StatementAccess& access : statement.accesses)
            for (const std::string& name : access.elements.parameter_names()) names.insert(name);
    }
    model_.context = poly::to_parameters(known_, {names.begin(), names.end()});
}

AccessModel ModelBuilder::build(const ModelRoot& root) {
    Frame frame;
    frame.sdfg = &root_;
    frame.domain = poly::Set::universe({});
    thread_local OfUnchanged<std::set<std::string>> latest;
    names_ = latest.of(root_, [&] { return free_symbols(root_); });
    const auto at_region = [&](const ir::Region* region) {
        check(descend(frame, root_.body, region, nullptr), "the region is not one of ", root_.name);
    };
    const auto at_state = [&](const ir::State* state) {
        check(descend(frame, root_.body, nullptr, state), "the state is not one of ", root_.name);
    };
    std::visit(Overloaded{
                   [&](const WholeProgram&) { region(frame, root_.body); },
                   [&](const LoopRoot& of) {
                       at_region(of.region);
                       const ir::Block& block = of.region->blocks[of.loop];
                       loop_body(frame, std::get<ir::LoopRegion>(block.kind), block);
                   },
                   [&](const BlocksRoot& of) {
                       at_region(of.region);
                       for (std::size_t at = 0; at < of.nodes.size(); ++at)
                           if (const ir::State* state = ir::as_state(of.region->blocks[of.blocks[at]]))
                               described_.emplace(state, of.nodes[at]);
                       chain(frame, *of.region, of.blocks);
                   },
                   [&](const StateRoot& of) {
                       at_state(of.state);
                       state(frame, *of.state, {});
                   },
                   [&](const NodesRoot& of) {
                       at_state(of.state);
                       StateWalk walk(*of.state);
                       const ir::NodeId parent = of.nodes.empty() ? ir::NodeId() : walk.scopes.parent(*of.nodes.begin());
                       known_ = assumptions_in(*of.state, walk.scopes, parent, std::move(known_));
                       if (parent.valid()) around_scope(frame, walk, walk.scopes.parent(parent));
                       name_parameters(frame, walk, parent);
                       described_.emplace(of.state, of.nodes);
                       scope(frame, walk, parent);
                   },
                   [&](const ScopesRoot& of) {
                       at_state(of.state);
                       StateWalk walk(*of.state);
                       const ir::NodeId parent = of.entries.empty() ? ir::NodeId() : walk.scopes.parent(of.entries.front());
                       known_ = assumptions_in(*of.state, walk.scopes, parent, std::move(known_));
                       around_scope(frame, walk, parent);
                       std::int64_t position = 0;
                       for (const ir::NodeId entry : of.entries) {
                           Frame here = frame;
                           here.top = entry;
                           here.order.push_back(
                               {.kind = OrderStep::Kind::Dataflow, .position = position++, .state = of.state, .node = entry});
                           map_scope(here, walk, entry);
                       }
                   },
               },
               root);
    finish();
    return std::move(model_);
}

}  // namespace sluice::analysis
