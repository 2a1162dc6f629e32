// Free symbols: a walk over the graph that knows at every read which names the graph has given a value by then. Two kinds of
// definition are distinguished. Scoped ones (map parameters, dynamic ranges, loop variables) hold inside a scope; assignments
// of transitions hold wherever every path from the start has passed one: a forward must-dataflow over each region.
#include "analysis/symbols.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analysis/loop_range.h"
#include "analysis/scopes.h"
#include "analysis/signed_symbols.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "support/words.h"

namespace sluice::analysis {

using code::Overloaded;

namespace {

using Names = std::set<std::string>;
/// Names that hold a value on every path to a point; nullopt where no path leads.
using Defined = std::optional<Names>;

Defined meet(const Defined& a, const Defined& b) {
    if (!a) return b;
    if (!b) return a;
    Names both;
    std::ranges::set_intersection(*a, *b, std::inserter(both, both.end()));
    return both;
}

/// Identifiers of text in another language than Python.
Names identifiers(std::string_view text) {
    Names names;
    for (const std::string_view word : words_in(text))
        if (!is_digit(word[0])) names.emplace(word);
    return names;
}

/// Blocks after which control may leave the region, by block index.
std::vector<bool> may_leave(const ir::Region& region) {
    std::vector<bool> may(region.blocks.id_bound(), true);
    for (auto [id, transition] : region.transitions)
        if (transition.condition.text.empty()) may[transition.src.value] = false;
    return may;
}

class Walk {
public:
    explicit Walk(const ir::Sdfg& sdfg) : sdfg_(sdfg) {}

    Names free;

    void whole() {
        for (const std::string& name : ir::assigned_symbols(sdfg_)) assigned_.insert(name);
        has_assignments_ = !assigned_.empty();
        walk(sdfg_.body, Names{});
        const Names used = free;
        for (const auto& [name, container] : sdfg_.containers) {
            free.clear();
            read_layout(container);
            for (const std::string& symbol : std::exchange(free, {}))
                if (!container.transient || (!assigned_.contains(symbol) && !scoped_ever_.contains(symbol))) layout_.insert(symbol);
        }
        free = used;
        free.merge(layout_);
    }

    void read(const ir::State& state) {
        const ir::Adjacency adjacency(state);
        const ScopeTree scopes(state, adjacency);
        by_scope_.assign(state.nodes.id_bound() + 1, {});
        for (auto [id, edge] : state.edges) by_scope_[slot(scopes.parent(edge.dst))].push_back(id);
        read_scope(state, adjacency, scopes, ir::NodeId());
    }

private:
    // ---- names ----------------------------------------------------------------------------------------------------------
    void read(const std::string& name) {
        // Where no path leads, whatever is assigned anywhere is as good as assigned.
        if (flow_ ? flow_->contains(name) : assigned_.contains(name)) return;
        if (const auto at = scoped_.find(name); at != scoped_.end() && at->second > 0) return;
        if (sdfg_.constants.contains(name) || sdfg_.containers.contains(std::string(ir::root_name(name)))) return;
        free.insert(name);
    }
    void read_all(const Names& names) {
        for (const std::string& name : names) read(name);
    }
    void read(const symbolic::Expr& e) {
        if (e.constant()) return;
        read_all(symbolic::free_symbols(e));
    }
    void read(const symbolic::Subset& subset) {
        for (const symbolic::Range& range : subset.dims) read(range);
    }
    void read(const symbolic::Range& range) {
        for (const symbolic::Expr& e : {range.begin, range.end, range.step, range.tile}) read(e);
    }
    void read(const ir::Memlet& memlet) {
        if (memlet.subset) read(*memlet.subset);
        if (memlet.other_subset) read(*memlet.other_subset);
        if (memlet.prefetch) read(*memlet.prefetch);
        if (memlet.wcr) read_python(*memlet.wcr);
    }
    /// An expression.
    void read_python(const std::string& text) {
        if (text.empty()) return;
        const auto [at, added] = expression_names_.try_emplace(text);
        if (added)
            if (const Result<code::ExprPtr> parsed = ir::parsed_expr(text); parsed.ok()) at->second = ir::free_names(**parsed);
        read_all(at->second);
    }
    /// A body; `bound` names are its connectors.
    void read_body(const ir::CodeBlock& code, const ir::Connectors& in, const ir::Connectors& out) {
        if (code.text.empty()) return;
        const bool python = code.language == ir::Language::Python;
        auto& known = python ? body_names_ : foreign_names_;
        const auto [at, added] = known.try_emplace(code.text);
        if (added && python) {
            if (const Result<code::Body> parsed = ir::parsed_body(code); parsed.ok()) at->second = ir::free_names(*parsed);
        } else if (added) {
            std::ranges::set_intersection(identifiers(code.text), declared(), std::inserter(at->second, at->second.end()));
        }
        for (const std::string& name : at->second)
            if (!in.contains(name) && !out.contains(name)) read(name);
    }
    const Names& declared() {
        if (declared_.empty())
            for (const auto& [name, type] : sdfg_.symbols) declared_.insert(name);
        return declared_;
    }
    void read_layout(const ir::Container& container) {
        for (const symbolic::Expr& extent : container.shape) read(extent);
        const auto array = [this](const ir::Array& layout) {
            for (const symbolic::Expr& e : layout.strides) read(e);
            for (const symbolic::Expr& e : layout.offset) read(e);
            read(layout.total_size);
            read(layout.start_offset);
        };
        std::visit(Overloaded{
                       [&](const ir::Array& layout) { array(layout); },
                       [](const ir::Scalar&) {},
                       [this](const ir::Stream& stream) {
                           read(stream.buffer_size);
                           for (const symbolic::Expr& e : stream.offset) read(e);
                       },
                       [this](const ir::Structure& structure) {
                           for (const auto& [name, member] : structure.members) read_layout(*member);
                       },
                       [&](const ir::ContainerArray& array_of) {
                           array(array_of.layout);
                           if (array_of.element) read_layout(**array_of.element);
                       },
                       [](const ir::ForeignContainer&) {},
                   },
                   container.kind);
    }

    // ---- a state --------------------------------------------------------------------------------------------------------
    static std::size_t slot(ir::NodeId entry) { return entry.valid() ? entry.value + 1 : 0; }

    void open(const std::string& name) {
        ++scoped_[name];
        scoped_ever_.insert(name);
    }
    void close(const std::string& name) { --scoped_[name]; }

    void read_scope(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId entry) {
        for (const ir::EdgeId id : by_scope_[slot(entry)]) read(state.edges[id].memlet);
        for (const ir::NodeId id : scopes.children(entry)) read_node(state, adjacency, scopes, id);
    }
    void read_node(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId id) {
        const ir::Node& node = state.nodes[id];
        std::visit(Overloaded{
                       [](const ir::Access&) {},
                       [&](const ir::Tasklet& tasklet) { read_body(tasklet.code, node.in, node.out); },
                       [&](const ir::MapEntry& map) { read_map(state, adjacency, scopes, id, map); },
                       [](const ir::MapExit&) {},
                       [&](const ir::ConsumeEntry& consume) {
                           read(consume.num_pes);
                           open(consume.pe_index);
                           if (consume.condition) read_body(*consume.condition, node.out, {});
                           read_scope(state, adjacency, scopes, id);
                           close(consume.pe_index);
                       },
                       [](const ir::ConsumeExit&) {},
                       [this](const ir::NestedSdfg& nested) {
                           for (const auto& [inner, outer] : nested.symbol_mapping) read(outer);
                           for (const std::string& name : free_symbols(*nested.sdfg))
                               if (!nested.symbol_mapping.contains(name)) read(name);
                       },
                       [this](const ir::LibraryNode& library) {
                           for (const auto& [name, property] : library.properties)
                               if (const auto* e = std::get_if<symbolic::Expr>(&property)) read(*e);
                       },
                   },
                   node.kind);
    }
    void read_map(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId id,
                  const ir::MapEntry& map) {
        std::vector<std::string> opened;
        for (const auto& [connector, type] : state.nodes[id].in)
            if (!ir::is_port_in(connector)) opened.push_back(connector);
        for (const std::string& name : opened) open(name);
        read(map.omp_if);
        for (std::size_t at = 0; at < map.params.size(); ++at) {
            if (at < map.range.rank()) read(map.range.dims[at]);
            open(map.params[at]);
            opened.push_back(map.params[at]);
        }
        read_scope(state, adjacency, scopes, id);
        for (const std::string& name : opened) close(name);
    }

    // ---- control flow ---------------------------------------------------------------------------------------------------
    /// What holds at the start of each block, by block index.
    std::vector<Defined> defined_at_blocks(const ir::Region& region, const Defined& at_start) {
        std::vector<Defined> at(region.blocks.id_bound());
        if (!region.start.valid()) return at;
        at[region.start.value] = at_start;
        if (!has_assignments_) {
            std::ranges::fill(at, at_start);
            return at;
        }
        std::vector<std::vector<ir::TransitionId>> leaving(at.size());
        for (auto [id, transition] : region.transitions) leaving[transition.src.value].push_back(id);
        std::vector<ir::BlockId> pending{region.start};
        while (!pending.empty()) {
            const ir::BlockId block = pending.back();
            pending.pop_back();
            const Defined after = defined_after(region.blocks[block], at[block.value]);
            if (!after) continue;
            for (const ir::TransitionId id : leaving[block.value]) {
                const ir::Transition& transition = region.transitions[id];
                Names out = *after;
                for (const auto& [symbol, value] : transition.assignments) out.insert(symbol);
                Defined& target = at[transition.dst.value];
                Defined merged = meet(target, out);
                if (target && merged == target) continue;
                target = std::move(merged);
                pending.push_back(transition.dst);
            }
        }
        return at;
    }
    Defined defined_after(const ir::Region& region, const Defined& at_start) {
        if (!region.start.valid()) return at_start;
        const std::vector<Defined> at = defined_at_blocks(region, at_start);
        const std::vector<bool> may = may_leave(region);
        Defined result;
        for (auto [id, block] : region.blocks)
            if (may[id.value]) result = meet(result, defined_after(block, at[id.value]));
        return result;
    }
    Defined defined_after(const ir::Block& block, const Defined& before) {
        if (!has_assignments_ || !before) return before;
        return std::visit(Overloaded{
                              [&](const Cow<ir::State>&) { return before; },
                              [&](const ir::LoopRegion& loop) {
                                  Defined after = before;
                                  if (!loop.variable.empty() && loop.init) after->insert(loop.variable);
                                  return after;
                              },
                              [&](const ir::ConditionalBlock& conditional) {
                                  Defined after;
                                  bool total = false;
                                  for (const ir::Branch& branch : conditional.branches) {
                                      after = meet(after, defined_after(branch.body, before));
                                      total |= !branch.condition.has_value();
                                  }
                                  return total ? after : meet(after, before);
                              },
                              [](const ir::BreakBlock&) { return Defined(); },
                              [](const ir::ContinueBlock&) { return Defined(); },
                              [](const ir::ReturnBlock&) { return Defined(); },
                              [&](const ir::NamedRegion& named) { return defined_after(named.body, before); },
                          },
                          block.kind);
    }

    void walk(const ir::Region& region, const Defined& at_start) {
        const std::vector<Defined> at = defined_at_blocks(region, at_start);
        for (auto [id, block] : region.blocks) {
            flow_ = at[id.value];
            walk(block);
        }
        for (auto [id, transition] : region.transitions) {
            flow_ = defined_after(region.blocks[transition.src], at[transition.src.value]);
            read_python(transition.condition.text);
            for (const auto& [symbol, value] : transition.assignments) read_python(value);
        }
    }
    void walk(const ir::Block& block) {
        const Defined before = flow_;
        std::visit(Overloaded{
                       [this](const Cow<ir::State>& state) { read(*state); },
                       [&](const ir::LoopRegion& loop) { walk_loop(loop, before); },
                       [&](const ir::ConditionalBlock& conditional) {
                           for (const ir::Branch& branch : conditional.branches) {
                               flow_ = before;
                               if (branch.condition) read_python(branch.condition->text);
                               walk(branch.body, before);
                           }
                       },
                       [](const ir::BreakBlock&) {},
                       [](const ir::ContinueBlock&) {},
                       [](const ir::ReturnBlock&) {},
                       [&](const ir::NamedRegion& named) { walk(named.body, before); },
                   },
                   block.kind);
    }
    void walk_loop(const ir::LoopRegion& loop, const Defined& before) {
        if (loop.init) read_body(*loop.init, {}, {});
        const bool binds = !loop.variable.empty() && loop.init;
        if (binds) open(loop.variable);
        if (loop.condition) read_python(loop.condition->text);
        walk(loop.body, before);
        flow_ = before;
        if (loop.update) read_body(*loop.update, {}, {});
        if (binds) close(loop.variable);
    }

    const ir::Sdfg& sdfg_;
    bool has_assignments_ = false;
    Defined flow_;
    std::unordered_map<std::string, int> scoped_;
    std::unordered_set<std::string> scoped_ever_;
    Names assigned_, declared_, layout_;
    std::unordered_map<std::string, Names> expression_names_, body_names_, foreign_names_;
    std::vector<std::vector<ir::EdgeId>> by_scope_;
};

}  // namespace

std::set<std::string> free_symbols(const ir::Sdfg& sdfg) {
    Walk walk(sdfg);
    walk.whole();
    return std::move(walk.free);
}

std::set<std::string> free_symbols(const ir::Sdfg& sdfg, const ir::State& state) {
    Walk walk(sdfg);
    walk.read(state);
    return std::move(walk.free);
}

std::set<std::string> free_symbols(const ir::Container& container) {
    ir::Sdfg alone;
    alone.containers.set("it", container);
    return free_symbols(alone);
}

namespace {

/// By name, results by their number: `__return_2` comes before `__return_10`.
bool argument_before(const std::string& a, const std::string& b) {
    const bool results = a.starts_with("__return_") && b.starts_with("__return_");
    return results && a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

std::vector<std::string> argument_order(const ir::Sdfg& sdfg) {
    const Names symbols = free_symbols(sdfg);
    std::vector<std::string> order;
    Names placed;
    const auto place = [&](const std::string& name) {
        if (placed.insert(name).second) order.push_back(name);
    };
    for (const std::string& name : sdfg.arg_names) {
        const ir::Container* container = sdfg.containers.find(name);
        if (container ? !container->transient : symbols.contains(name) || sdfg.symbols.contains(name)) place(name);
    }
    std::vector<std::string> rest;
    for (const auto& [name, container] : sdfg.containers)
        if (!container.transient) rest.push_back(name);
    std::ranges::sort(rest, argument_before);
    for (const std::string& name : rest) place(name);
    for (const std::string& name : symbols) place(name);
    return order;
}

namespace {

void assume_scope(symbolic::Assumptions& known, const ir::Node& node) {
    for (const auto& [connector, type] : node.in)
        if (!ir::is_port_in(connector)) known.assume_any(connector);
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind)) known.assume_in(consume->pe_index, 0, consume->num_pes);
    const auto* map = std::get_if<ir::MapEntry>(&node.kind);
    if (!map) return;
    for (std::size_t at = 0; at < map->params.size() && at < map->range.rank(); ++at)
        assume_in(known, map->params[at], map->range.dims[at]);
}

}  // namespace

symbolic::Assumptions assumptions_in(const ir::State& state, const ScopeTree& scopes, ir::NodeId scope,
                                     symbolic::Assumptions outside) {
    std::vector<ir::NodeId> chain;
    for (ir::NodeId at = scope; at.valid(); at = scopes.parent(at)) chain.push_back(at);
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) assume_scope(outside, state.nodes[*at]);
    return outside;
}

symbolic::Assumptions assumptions_of(const ir::Sdfg& sdfg) {
    symbolic::Assumptions known;
    for (const std::string& name : ir::assigned_symbols(sdfg)) known.assume_any(name);
    for (const std::string& name : signed_symbols(sdfg)) known.assume_any(name);
    return known;
}

symbolic::Assumptions assumptions_wherever_called(const ir::Sdfg& sdfg) {
    symbolic::Assumptions known = assumptions_of(sdfg);
    for (const auto& [name, type] : sdfg.symbols) known.assume_any(name);
    return known;
}

}  // namespace sluice::analysis
