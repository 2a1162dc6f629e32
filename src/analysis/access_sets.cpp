// What edges move, collected over states, then carried through loops and branches.
#include "analysis/access_sets.h"

#include <algorithm>
#include <set>

#include "analysis/edge_accesses.h"
#include "analysis/loop_range.h"
#include "analysis/projection.h"
#include "analysis/scopes.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

using code::Overloaded;
using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Subset;

namespace {

void add(std::map<std::string, AccessSet>& sets, const std::string& data, AccessSet set, const ir::Container& container,
         const Assumptions& known) {
    const auto [at, added] = sets.try_emplace(data, set);
    if (added) return;
    AccessSet& present = at->second;
    const Moved both =
        together({.subset = present.subset, .exact = present.exact}, {.subset = set.subset, .exact = set.exact}, container, known);
    present = {.subset = both.subset, .exact = both.exact, .must = present.must || set.must};
}

Accesses accesses_in(const ir::Sdfg& sdfg, const ir::State& state, const Assumptions& known) {
    const EdgeAccesses edges(sdfg, state, known);
    Accesses all;
    const auto collect = [&](ir::EdgeId id, const std::string& data, bool reading) {
        const std::optional<EdgeAccess> access = edges.at_top(id, data, reading);
        if (!access) return;
        const AccessSet set{
            .subset = access->moved.subset, .exact = access->moved.exact && !access->moved.dynamic, .must = !access->moved.dynamic};
        const ir::Container& container = container_at(sdfg, data);
        add(reading ? all.reads : all.writes, data, set, container, known);
        if (access->updates) add(all.reads, data, set, container, known);
    };
    for (auto [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        for (const ir::EdgeId edge : edges.adjacency().out(id)) collect(edge, access->data, true);
        for (const ir::EdgeId edge : edges.adjacency().in(id)) collect(edge, access->data, false);
    }
    return all;
}

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
                set.subset = leave({.subset = set.subset}, binder, container_at(sdfg_, data), known_).subset;
                set.exact = false;
            }
        return all;
    }

private:
    static bool is_jump(const ir::Block& block) {
        return std::holds_alternative<ir::BreakBlock>(block.kind) || std::holds_alternative<ir::ContinueBlock>(block.kind) ||
               std::holds_alternative<ir::ReturnBlock>(block.kind);
    }
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
        }
        return !ir::any_block(region, is_jump);
    }
    static void make_optional(Accesses& accesses) {
        for (auto* sets : {&accesses.reads, &accesses.writes})
            for (auto& [data, set] : *sets) set.exact = set.must = false;
    }
    void merge(Accesses& all, Accesses part) {
        for (auto& [data, set] : part.reads) add(all.reads, data, std::move(set), container_at(sdfg_, data), known_);
        for (auto& [data, set] : part.writes) add(all.writes, data, std::move(set), container_at(sdfg_, data), known_);
    }
    void read_data(Accesses& all, const std::set<std::string>& names) {
        for (const std::string& name : names) {
            const ir::Container& container = container_at(sdfg_, name);
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
                              [&](const Cow<ir::State>& state) { return accesses_in(sdfg_, *state, known); },
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
                        leave({.subset = set.subset, .exact = set.exact}, binder, container_at(sdfg_, data), inside);
                    set = {.subset = moved.subset, .exact = moved.exact && !moved.dynamic, .must = set.must};
                }
            if (ir::any_block(loop.body, is_jump)) make_optional(all);
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

}  // namespace

Accesses accesses_of(const ir::Sdfg& sdfg, const ir::State& state) {
    return accesses_in(sdfg, state, assumptions_of(sdfg));
}

Accesses accesses_of(const ir::Sdfg& sdfg) {
    return accesses_of(sdfg, assumptions_of(sdfg));
}

Accesses accesses_of(const ir::Sdfg& sdfg, const symbolic::Assumptions& known) {
    Flow flow(sdfg, known);
    return flow.finish(flow.of(sdfg.body, known));
}

}  // namespace sluice::analysis
