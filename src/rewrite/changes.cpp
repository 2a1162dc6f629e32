#include "rewrite/changes.h"

#include "code/walk.h"

namespace sluice::rewrite {

namespace {

/// Two loops, conditionals or named regions that differ in nothing but what is inside of them.
bool same_header(const ir::Block& a, const ir::Block& b) {
    if (a.label != b.label || a.kind.index() != b.kind.index()) return false;
    return std::visit(
        code::Overloaded{
            [](const Cow<ir::State>&) { return true; },
            [&](const ir::LoopRegion& loop) {
                const auto& other = std::get<ir::LoopRegion>(b.kind);
                return loop.variable == other.variable && loop.init == other.init && loop.condition == other.condition &&
                       loop.update == other.update && loop.inverted == other.inverted &&
                       loop.update_before_condition == other.update_before_condition && loop.unroll == other.unroll &&
                       loop.unroll_factor == other.unroll_factor && loop.schedule == other.schedule;
            },
            [&](const ir::ConditionalBlock& choice) {
                const auto& other = std::get<ir::ConditionalBlock>(b.kind);
                return std::ranges::equal(choice.branches, other.branches,
                                          [](const ir::Branch& x, const ir::Branch& y) { return x.condition == y.condition; });
            },
            [&](const ir::NamedRegion& named) {
                const auto& other = std::get<ir::NamedRegion>(b.kind);
                return named.kind == other.kind && named.arguments == other.arguments;
            },
            [](const auto&) { return true; },
        },
        a.kind);
}

bool same_properties(const ir::NestedSdfg& a, const ir::NestedSdfg& b) {
    return a.label == b.label && a.symbol_mapping == b.symbol_mapping && a.no_inline == b.no_inline &&
           a.unique_name == b.unique_name && a.instrument == b.instrument;
}

bool same_declarations(const ir::Sdfg& a, const ir::Sdfg& b) {
    return a.containers == b.containers && a.constants == b.constants && a.symbols == b.symbols && a.arg_names == b.arg_names &&
           a.name == b.name && a.global_code == b.global_code && a.init_code == b.init_code && a.exit_code == b.exit_code &&
           a.instrument == b.instrument && a.openmp_sections == b.openmp_sections;
}

template <class Id> void make_set(std::vector<Id>& ids) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

class Comparison {
public:
    void sdfg(const ir::Sdfg& before, const ir::Sdfg& after) {
        if (!same_declarations(before, after)) changes_.declarations.push_back(here_);
        region(before.body, after.body);
    }
    Changes result() && { return std::move(changes_); }

private:
    void region(const ir::Region& before, const ir::Region& after) {
        RegionChange change{.place = here_, .blocks = {}, .joined = {}, .transitions = {}};
        using Blocks = Table<ir::BlockId, ir::Block>;
        Blocks::for_each_difference(before.blocks, after.blocks, [&](ir::BlockId id, const ir::Block* was, const ir::Block* is) {
            changes_.growth += (is ? 1 : 0) - (was ? 1 : 0);
            if (!was || !is || !same_header(*was, *is)) change.blocks.push_back(id);
            block(id, was, is);
        });
        using Transitions = Table<ir::TransitionId, ir::Transition>;
        Transitions::for_each_difference(before.transitions, after.transitions,
                                         [&](ir::TransitionId id, const ir::Transition* was, const ir::Transition* is) {
                                             changes_.growth += (is ? 1 : 0) - (was ? 1 : 0);
                                             if (was && is && *was == *is) return;
                                             change.transitions.push_back(id);
                                             for (const ir::Transition* each : {was, is})
                                                 if (each) change.joined.insert(change.joined.end(), {each->src, each->dst});
                                         });
        if (before.start != after.start)
            for (const ir::BlockId start : {before.start, after.start})
                if (start.valid()) change.blocks.push_back(start);
        make_set(change.blocks);
        make_set(change.joined);
        if (!change.blocks.empty() || !change.transitions.empty()) changes_.regions.push_back(std::move(change));
    }

    /// What is inside of a block; null where the block is not there.
    void block(ir::BlockId id, const ir::Block* was, const ir::Block* is) {
        static const ir::State kNothing;
        static const ir::Region kNowhere;
        const ir::State* old = was ? ir::as_state(*was) : nullptr;
        const ir::State* now = is ? ir::as_state(*is) : nullptr;
        if (old || now) {
            here_.state = id;
            state(old ? *old : kNothing, now ? *now : kNothing);
            here_.state = {};
        }
        const std::size_t branches = std::max(was ? bodies(*was).size() : 0, is ? bodies(*is).size() : 0);
        for (std::uint32_t branch = 0; branch < branches; ++branch) {
            const auto body = [&](const ir::Block* of) {
                const auto all = of ? bodies(*of) : std::vector<const ir::Region*>();
                return branch < all.size() ? all[branch] : &kNowhere;
            };
            here_.regions.push_back({id, branch});
            region(*body(was), *body(is));
            here_.regions.pop_back();
        }
    }

    void state(const ir::State& before, const ir::State& after) {
        if (&before == &after) return;
        StateChange change{.place = here_, .nodes = {}, .edges = {}};
        using Nodes = Table<ir::NodeId, ir::Node>;
        Nodes::for_each_difference(before.nodes, after.nodes, [&](ir::NodeId id, const ir::Node* was, const ir::Node* is) {
            changes_.growth += (is ? 1 : 0) - (was ? 1 : 0);
            if (node_differs(id, was, is)) change.nodes.push_back(id);
        });
        using Edges = Table<ir::EdgeId, ir::Edge>;
        Edges::for_each_difference(before.edges, after.edges, [&](ir::EdgeId id, const ir::Edge* was, const ir::Edge* is) {
            changes_.growth += (is ? 1 : 0) - (was ? 1 : 0);
            if (was && is && *was == *is) return;
            change.edges.push_back(id);
            for (const ir::Edge* each : {was, is})
                if (each) change.nodes.insert(change.nodes.end(), {each->src, each->dst});
        });
        make_set(change.nodes);
        if (!change.nodes.empty() || !change.edges.empty()) changes_.states.push_back(std::move(change));
    }

    bool node_differs(ir::NodeId id, const ir::Node* was, const ir::Node* is) {
        const auto* old = was ? std::get_if<ir::NestedSdfg>(&was->kind) : nullptr;
        const auto* now = is ? std::get_if<ir::NestedSdfg>(&is->kind) : nullptr;
        if (!old && !now) return !was || !is || !(*was == *is);
        static const ir::Sdfg kNone{};
        const ir::Sdfg& from = old ? *old->sdfg : kNone;
        const ir::Sdfg& to = now ? *now->sdfg : kNone;
        if (&from != &to) {
            Place inner;
            inner.nested = here_.nested;
            inner.nested.push_back({here_.regions, here_.state, id});
            std::swap(here_, inner);
            sdfg(from, to);
            std::swap(here_, inner);
        }
        return !old || !now || was->in != is->in || was->out != is->out || !same_properties(*old, *now);
    }

    Changes changes_;
    Place here_;
};

}  // namespace

std::size_t Changes::elements() const {
    std::size_t count = 0;
    for (const RegionChange& change : regions) count += change.blocks.size() + change.transitions.size();
    for (const StateChange& change : states) count += change.nodes.size() + change.edges.size();
    return count;
}

Changes changes_between(const ir::Sdfg& before, const ir::Sdfg& after) {
    Comparison comparison;
    comparison.sdfg(before, after);
    return std::move(comparison).result();
}

}  // namespace sluice::rewrite
