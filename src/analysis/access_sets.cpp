// Access sets from the innermost memlets outwards: what an edge moves is carried through its scopes by the same projection that
// propagates memlets, then through loops, so that outer memlets need not be up to date.
#include "analysis/access_sets.h"

#include <algorithm>
#include <set>

#include "analysis/loop_range.h"
#include "analysis/projection.h"
#include "analysis/scopes.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::analysis {

using code::Overloaded;
using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Subset;

namespace {

Accesses accesses_within(const ir::Sdfg& sdfg, const Assumptions& known);

const ir::Container& container_of(const ir::Sdfg& sdfg, const std::string& data) {
    const ir::Container* container = ir::find_container(sdfg, data);
    check(container != nullptr, "access of ", data, ", which is no container of ", sdfg.name);
    return *container;
}

void add(std::map<std::string, AccessSet>& sets, const std::string& data, AccessSet set, const ir::Container& container,
         const Assumptions& known) {
    const auto [at, added] = sets.try_emplace(data, set);
    if (added) return;
    AccessSet& present = at->second;
    const Moved both =
        together({.subset = present.subset, .exact = present.exact}, {.subset = set.subset, .exact = set.exact}, container, known);
    present = {.subset = both.subset, .exact = both.exact, .must = present.must || set.must};
}

class StateAccesses {
public:
    StateAccesses(const ir::Sdfg& sdfg, const ir::State& state, const Assumptions& known)
        : sdfg_(sdfg), state_(state), adjacency_(state), scopes_(state, adjacency_), known_(known) {}

    Accesses run() {
        for (auto [id, node] : state_.nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            if (!access) continue;
            const ir::Container& container = container_of(sdfg_, access->data);
            for (const ir::EdgeId edge : adjacency_.out(id)) collect(result_.reads, edge, id, access->data, container, true);
            for (const ir::EdgeId edge : adjacency_.in(id)) collect(result_.writes, edge, id, access->data, container, false);
        }
        return std::move(result_);
    }

private:
    void collect(std::map<std::string, AccessSet>& sets, ir::EdgeId edge, ir::NodeId node, const std::string& data,
                 const ir::Container& container, bool reading) {
        std::optional<Moved> moved = moved_by(edge, data, container, reading);
        if (!moved) return;
        for (ir::NodeId scope = scopes_.parent(node); scope.valid(); scope = scopes_.parent(scope))
            moved = leave(std::move(*moved), binder_of(state_.nodes[scope]), container, inside(scope));
        const AccessSet set{.subset = moved->subset, .exact = moved->exact && !moved->dynamic, .must = !moved->dynamic};
        add(sets, data, set, container, known_);
        // Resolving a conflict reads the old value.
        if (!reading && state_.edges[edge].memlet.wcr) add(result_.reads, data, set, container, known_);
    }

    Assumptions inside(ir::NodeId scope) const { return assumptions_in(state_, scopes_, scope, known_); }

    /// What an edge next to an access node of `data`, or further inside on its path, moves of it; nullopt: nothing.
    std::optional<Moved> moved_by(ir::EdgeId id, const std::string& data, const ir::Container& container, bool reading) {
        const ir::Edge& edge = state_.edges[id];
        if (edge.memlet.empty()) return std::nullopt;
        const ir::NodeId far = reading ? edge.dst : edge.src;
        const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
        const ir::Node& node = state_.nodes[far];
        const Assumptions here = inside(scopes_.parent(edge.dst));
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
            return moved_by_nested(*nested, edge.memlet, connector, data, container, reading, here);
        const bool enters = reading ? std::holds_alternative<ir::MapEntry>(node.kind) || is_consume_entry(node) : ir::is_exit(node);
        if (enters && connector.starts_with(reading ? "IN_" : "OUT_"))
            return moved_by_scope(far, connector, data, container, reading, here);
        ir::Memlet memlet = edge.memlet;
        if (const auto* other = std::get_if<ir::Access>(&node.kind); other && other->data == data && !memlet.is_data_src)
            memlet.is_data_src = true;
        Moved moved = side_of(memlet, data, container, reading, here);
        if (const auto* other = std::get_if<ir::Access>(&node.kind))
            moved.exact &= container_of(sdfg_, other->data).binding == ir::Binding::Own;
        return moved;
    }
    static bool is_consume_entry(const ir::Node& node) { return std::holds_alternative<ir::ConsumeEntry>(node.kind); }

    std::optional<Moved> moved_by_scope(ir::NodeId node, const std::string& connector, const std::string& data,
                                        const ir::Container& container, bool reading, const Assumptions& here) {
        const ir::NodeId entry = reading ? node : scopes_.parent(node);
        const Binder binder = binder_of(state_.nodes[entry]);
        const Assumptions within = inside(entry);
        const std::string across = (reading ? "OUT_" : "IN_") + connector.substr(connector.find('_') + 1);
        std::optional<Moved> all;
        for (const ir::EdgeId id : reading ? adjacency_.out(node) : adjacency_.in(node)) {
            const ir::Edge& edge = state_.edges[id];
            if ((reading ? edge.src_connector : edge.dst_connector) != across) continue;
            std::optional<Moved> moved = moved_by(id, data, container, reading);
            if (!moved) continue;
            moved = leave(std::move(*moved), binder, container, within);
            all = all ? together(*all, *moved, container, here) : *moved;
        }
        return all;
    }

    /// Through a nested SDFG: what it touches of its container, placed within the memlet, where both have the same dimensions.
    std::optional<Moved> moved_by_nested(const ir::NestedSdfg& nested, const ir::Memlet& memlet, const std::string& connector,
                                         const std::string& data, const ir::Container& container, bool reading,
                                         const Assumptions& here) {
        const Accesses& inner = nested_accesses(nested);
        const auto& sets = reading ? inner.reads : inner.writes;
        const auto at = sets.find(connector);
        if (at == sets.end()) return std::nullopt;
        Moved moved = side_of(memlet, data, container, reading, here);
        moved.dynamic |= !at->second.must;
        std::optional<Subset> placed =
            memlet.data == data ? place(moved.subset, at->second.subset, nested, connector, here) : std::nullopt;
        if (placed) moved.subset = std::move(*placed);
        moved.exact = moved.exact && at->second.exact && placed;
        return moved;
    }
    const Accesses& nested_accesses(const ir::NestedSdfg& nested) {
        const auto [at, added] = nested_.try_emplace(&*nested.sdfg);
        if (added) {
            Assumptions known = assumptions_of(*nested.sdfg);
            for (const auto& [symbol, value] : nested.symbol_mapping) known.assume_any(symbol);
            at->second = accesses_within(*nested.sdfg, known);
        }
        return at->second;
    }
    static std::optional<Subset> place(const Subset& outer, const Subset& inner, const ir::NestedSdfg& nested,
                                       const std::string& connector, const Assumptions& known) {
        const ir::Container* container = nested.sdfg->containers.find(connector);
        if (!container) return std::nullopt;
        symbolic::Substitution mapping;
        for (const auto& [symbol, value] : nested.symbol_mapping) mapping.emplace(symbol, value);
        std::vector<std::size_t> wide;
        for (std::size_t d = 0; d < outer.rank(); ++d)
            if (!outer.dims[d].is_index() || outer.rank() == inner.rank()) wide.push_back(d);
        if (wide.size() != inner.rank() || container->shape.size() != inner.rank()) return std::nullopt;
        Subset within = outer;
        for (std::size_t d = 0; d < outer.rank(); ++d)
            if (outer.dims[d].is_index()) within.dims[d] = symbolic::Range::index(0);
        for (std::size_t k = 0; k < wide.size(); ++k) {
            const Expr extent = symbolic::substitute(container->shape[k], mapping);
            if (!(extent == symbolic::num_elements(outer.dims[wide[k]], known))) return std::nullopt;
            within.dims[wide[k]] = symbolic::substitute(inner.dims[k], mapping);
        }
        return symbolic::compose(outer, within);
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    ir::Adjacency adjacency_;
    ScopeTree scopes_;
    const Assumptions& known_;
    Accesses result_;
    std::map<const ir::Sdfg*, Accesses> nested_;
};

// ---- control flow -------------------------------------------------------------------------------------------------------

void names_in(const code::Expr& e, const ir::Sdfg& sdfg, std::set<std::string>& found) {
    for (const std::string& name : ir::free_names(e))
        if (sdfg.containers.contains(name)) found.insert(name);
}

class Flow {
public:
    Flow(const ir::Sdfg& sdfg, Assumptions known) : sdfg_(sdfg), known_(std::move(known)) {
        for (const std::string& name : ir::assigned_symbols(sdfg)) assigned_.insert(name);
    }

    Accesses of(const ir::Region& region, const Assumptions& known) {
        Accesses all;
        const bool straight = is_straight(region);
        for (auto [id, block] : region.blocks) {
            Accesses part = of(block, known);
            if (!straight && id != region.start) make_optional(part);
            merge(all, std::move(part));
        }
        for (auto [id, transition] : region.transitions) {
            read_text(all, transition.condition.text);
            for (const auto& [symbol, value] : transition.assignments) read_text(all, value);
        }
        return all;
    }

    /// Nothing that the SDFG itself assigns may stay in a subset.
    Accesses finish(Accesses all) {
        for (auto* sets : {&all.reads, &all.writes})
            for (auto& [data, set] : *sets) {
                const std::set<std::string> symbols = symbolic::free_symbols(set.subset);
                if (std::ranges::none_of(symbols, [this](const std::string& name) { return assigned_.contains(name); })) continue;
                Binder binder;
                binder.data_dependent = assigned_;
                set.subset = leave({.subset = set.subset}, binder, container_of(sdfg_, data), known_).subset;
                set.exact = false;
            }
        return all;
    }

private:
    /// Every block runs once, one after the other.
    static bool is_straight(const ir::Region& region) {
        std::vector<int> leaving(region.blocks.id_bound()), entering(region.blocks.id_bound());
        for (auto [id, transition] : region.transitions) {
            if (!transition.condition.text.empty()) return false;
            ++leaving[transition.src.value];
            ++entering[transition.dst.value];
        }
        for (auto [id, block] : region.blocks) {
            if (leaving[id.value] > 1 || entering[id.value] != (id == region.start ? 0 : 1)) return false;
            if (may_jump(block)) return false;
        }
        return true;
    }
    static bool may_jump(const ir::Region& region) {
        return std::ranges::any_of(region.blocks, [](const auto& entry) { return may_jump(entry.second); });
    }
    static bool may_jump(const ir::Block& block) {
        return std::visit(Overloaded{
                              [](const Cow<ir::State>&) { return false; },
                              [](const ir::LoopRegion& loop) { return may_jump(loop.body); },
                              [](const ir::ConditionalBlock& conditional) {
                                  return std::ranges::any_of(conditional.branches,
                                                             [](const ir::Branch& branch) { return may_jump(branch.body); });
                              },
                              [](const ir::BreakBlock&) { return true; },
                              [](const ir::ContinueBlock&) { return true; },
                              [](const ir::ReturnBlock&) { return true; },
                              [](const ir::NamedRegion& named) { return may_jump(named.body); },
                          },
                          block.kind);
    }

    static void make_optional(Accesses& accesses) {
        for (auto* sets : {&accesses.reads, &accesses.writes})
            for (auto& [data, set] : *sets) set.exact = set.must = false;
    }
    void merge(Accesses& all, Accesses part) {
        for (auto& [data, set] : part.reads) add(all.reads, data, std::move(set), container_of(sdfg_, data), known_);
        for (auto& [data, set] : part.writes) add(all.writes, data, std::move(set), container_of(sdfg_, data), known_);
    }
    void read_data(Accesses& all, const std::set<std::string>& names) {
        for (const std::string& name : names) {
            const ir::Container& container = container_of(sdfg_, name);
            add(all.reads, name, {.subset = whole(container), .exact = container.shape.empty(), .must = true}, container, known_);
        }
    }
    void read_text(Accesses& all, const std::string& text) {
        if (text.empty()) return;
        std::set<std::string> names;
        if (const Result<code::ExprPtr> parsed = ir::parsed_expr(text); parsed.ok()) names_in(**parsed, sdfg_, names);
        read_data(all, names);
    }
    void read_code(Accesses& all, const std::optional<ir::CodeBlock>& code) {
        if (!code) return;
        std::set<std::string> names;
        if (const Result<code::Body> parsed = ir::parsed_body(*code); parsed.ok())
            for (const std::string& name : ir::free_names(*parsed))
                if (sdfg_.containers.contains(name)) names.insert(name);
        read_data(all, names);
    }

    Accesses of(const ir::Block& block, const Assumptions& known) {
        return std::visit(Overloaded{
                              [&](const Cow<ir::State>& state) { return StateAccesses(sdfg_, *state, known).run(); },
                              [&](const ir::LoopRegion& loop) { return of_loop(loop, known); },
                              [&](const ir::ConditionalBlock& conditional) {
                                  Accesses all;
                                  for (const ir::Branch& branch : conditional.branches) {
                                      Accesses part = of(branch.body, known);
                                      make_optional(part);
                                      merge(all, std::move(part));
                                      if (branch.condition) read_text(all, branch.condition->text);
                                  }
                                  return all;
                              },
                              [](const ir::BreakBlock&) { return Accesses(); },
                              [](const ir::ContinueBlock&) { return Accesses(); },
                              [](const ir::ReturnBlock&) { return Accesses(); },
                              [&](const ir::NamedRegion& named) { return of(named.body, known); },
                          },
                          block.kind);
    }
    Accesses of_loop(const ir::LoopRegion& loop, const Assumptions& known) {
        const std::optional<symbolic::Range> range = loop_range(loop);
        Assumptions inside = known;
        if (range) assume_in(inside, loop.variable, *range);
        Accesses all = of(loop.body, inside);
        if (!range) {
            make_optional(all);
        } else {
            Binder binder;
            binder.parameters.emplace_back(loop.variable, *range);
            for (auto* sets : {&all.reads, &all.writes})
                for (auto& [data, set] : *sets) {
                    const Moved moved =
                        leave({.subset = set.subset, .exact = set.exact}, binder, container_of(sdfg_, data), inside);
                    set = {.subset = moved.subset, .exact = moved.exact && !moved.dynamic, .must = set.must};
                }
            if (may_jump(loop.body)) make_optional(all);
        }
        read_code(all, loop.init);
        read_code(all, loop.update);
        if (loop.condition) read_text(all, loop.condition->text);
        return all;
    }

    const ir::Sdfg& sdfg_;
    Assumptions known_;
    std::set<std::string> assigned_;
};

Accesses accesses_within(const ir::Sdfg& sdfg, const Assumptions& known) {
    Flow flow(sdfg, known);
    return flow.finish(flow.of(sdfg.body, known));
}

}  // namespace

Accesses accesses_of(const ir::Sdfg& sdfg, const ir::State& state) {
    const Assumptions known = assumptions_of(sdfg);
    return StateAccesses(sdfg, state, known).run();
}

Accesses accesses_of(const ir::Sdfg& sdfg) {
    return accesses_within(sdfg, assumptions_of(sdfg));
}

Accesses accesses_of(const ir::Sdfg& sdfg, const symbolic::Assumptions& known) {
    return accesses_within(sdfg, known);
}

}  // namespace sluice::analysis
