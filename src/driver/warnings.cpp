#include "driver/warnings.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/legality/parallel.h"
#include "analysis/scopes.h"
#include "ir/adjacency.h"
#include "ir/walk.h"
#include "rewrite/place.h"

namespace sluice::driver {

namespace {

bool has_order(ir::Schedule schedule) {
    return schedule == ir::Schedule::Sequential || schedule == ir::Schedule::Unrolled || schedule == ir::Schedule::FPGA_Device;
}

/// The answer for most maps, which need no sets: there is nothing between code and the scope's ends, and what leaves has an index
/// that is each parameter, and comes in, if it does, as the same part.
bool is_plain(const ir::State& state, const ir::Adjacency& edges, const analysis::ScopeTree& scopes, ir::NodeId entry) {
    for (auto [id, node] : state.nodes)
        if (std::holds_alternative<ir::Access>(node.kind) && scopes.encloses(entry, id)) return false;
    std::map<std::string, symbolic::Subset> left;
    for (const ir::EdgeId id : edges.in(scopes.exit_of(entry))) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        if (memlet.data.empty()) continue;
        if (!memlet.subset || left.contains(memlet.data)) return false;
        for (const std::string& parameter : std::get<ir::MapEntry>(state.nodes[entry].kind).params)
            if (std::ranges::none_of(memlet.subset->dims, [own = symbolic::Range::index(symbolic::symbol(parameter))](
                                                              const symbolic::Range& dim) { return dim == own; }))
                return false;
        left.emplace(memlet.data, *memlet.subset);
    }
    return std::ranges::all_of(edges.out(entry), [&](ir::EdgeId id) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        const auto written = left.find(memlet.data);
        return written == left.end() || memlet.subset == written->second;
    });
}

/// A called graph's symbols may have any values to who looks at it alone.
bool gives_symbols_other_values(const ir::State& state, const analysis::ScopeTree&, ir::NodeId call) {
    const auto& nested = std::get<ir::NestedSdfg>(state.nodes[call].kind);
    return std::ranges::any_of(nested.symbol_mapping, [](const auto& one) { return symbolic::symbol(one.first) != one.second; });
}

/// `A[i] = A[i + M]` races if M is small. As an answer for all sizes stand those for rising and for falling ones.
bool races_for_all_sizes(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, const symbolic::Assumptions& known) {
    const auto races = [&](std::int64_t first, std::int64_t step) {
        symbolic::Assumptions with_sizes = known;
        for (const auto& [symbol, type] : sdfg.symbols)
            with_sizes.assume(symbolic::equal(symbolic::symbol(symbol), std::exchange(first, first + step)));
        return analysis::map_parallel(sdfg, state, entry, with_sizes).no();
    };
    return races(8, 3) && races(8 + 3 * static_cast<std::int64_t>(sdfg.symbols.size()), -3);
}

/// Updates by a function of the user's are taken for sums: that their order means nothing is what a conflict resolution says.
void take_for_sums(ir::Sdfg& sdfg) {
    const auto is_custom = [](const auto& edge) {
        return edge.second.memlet.wcr && edge.second.memlet.wcr->type() == code::ReductionType::Custom;
    };
    bool any = false;
    ir::for_each_sdfg(sdfg, [&](const ir::Sdfg& each) {
        ir::for_each_state(each.body, [&](const ir::State& state) { any = any || std::ranges::any_of(state.edges, is_custom); });
    });
    if (!any) return;
    ir::edit_each_state(sdfg.body, [&](ir::State& state) {
        for (auto [id, edge] : state.edges)
            if (edge.memlet.wcr && edge.memlet.wcr->type() == code::ReductionType::Custom) edge.memlet.wcr = "lambda x, y: x + y";
        for (auto [id, node] : state.nodes)
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) take_for_sums(nested->sdfg.edit());
    });
}

Diagnostic warning(const ir::Sdfg& program, const rewrite::Place& place, const ir::State& state, ir::NodeId entry,
                   const analysis::Witness& witness) {
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    return {"L043",
            "what the map `" + map.label + "` gives depends on the order of its points, and it has none: " + to_string(witness),
            witness.first.where.known() ? witness.first.where : witness.second.where,
            rewrite::to_string(program, place),
            "update with a conflict resolution (`+=`, `wcr`), write to another array, or let a loop give the order",
            {}};
}

}  // namespace

std::string warning_text(const Diagnostic& diagnostic) {
    static constexpr std::string_view kError = "error ";
    std::string text = render(diagnostic);
    return text.replace(text.find(std::string(kError) + diagnostic.code), kError.size(), "warning ");
}

std::vector<Diagnostic> racing_maps(const ir::Sdfg& given) {
    ir::Sdfg program = given;
    take_for_sums(program);
    std::vector<Diagnostic> found;
    rewrite::for_each_region(program, [&](const rewrite::Place& around, const ir::Region& region) {
        if (rewrite::any_call_around(program, around, gives_symbols_other_values)) return;
        for (auto [block, contents] : region.blocks) {
            const ir::State* state = ir::as_state(contents);
            if (!state) continue;
            rewrite::Place place = around;
            place.state = block;
            const ir::Adjacency edges(*state);
            const analysis::ScopeTree scopes(*state, edges);
            for (auto [id, node] : state->nodes) {
                const auto* map = std::get_if<ir::MapEntry>(&node.kind);
                if (!map || has_order(map->schedule) || is_plain(*state, edges, scopes, id)) continue;
                const ir::Sdfg& sdfg = rewrite::sdfg_at(program, place);
                const symbolic::Assumptions known = rewrite::assumptions_at(program, place);
                const analysis::Verdict verdict = analysis::map_parallel(sdfg, *state, id, known);
                if (!verdict.no() || !verdict.witness) continue;
                const bool of_data = !verdict.witness->first.guard.empty() || !verdict.witness->second.guard.empty();
                if (of_data || !races_for_all_sizes(sdfg, *state, id, known)) continue;
                found.push_back(warning(program, place, *state, id, *verdict.witness));
            }
        }
    });
    return found;
}

}  // namespace sluice::driver
