// Which parts are measured, and what the graph says of one execution of each.
#include <algorithm>

#include "analysis/cost/cost.h"
#include "analysis/scopes.h"
#include "analysis/symbols.h"
#include "driver/profile/profile.h"
#include "ir/walk.h"

namespace sluice::driver {

namespace {

/// Does the text fit the pattern, where `*` is any text?
bool fits(std::string_view text, std::string_view pattern) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] == '*') return fits(text, pattern.substr(1)) || (!text.empty() && fits(text.substr(1), pattern));
    return !text.empty() && text[0] == pattern[0] && fits(text.substr(1), pattern.substr(1));
}

template <class Kind> constexpr bool kHasInstrument = requires(Kind kind) {
    { kind.instrument } -> std::convertible_to<ir::Instrumentation>;
};

struct Marker {
    ir::Instrumentation how;
    const std::set<Part>& parts;
    const std::string& filter;
    std::size_t count = 0;

    void mark(ir::Instrumentation& instrument, const std::string& label, Part part) {
        if (!parts.contains(part) || !fits(label, filter)) return;
        instrument = how;
        ++count;
    }
    void graph(ir::Sdfg& sdfg) {
        ir::edit_each_state(sdfg.body, [&](ir::State& state) { nodes(state); });
        ir::for_each_block(sdfg.body, [&](ir::Block& block) {
            if (ir::State* state = ir::as_state(block)) mark(state->instrument, block.label, Part::State);
        });
    }
    void nodes(ir::State& state) {
        for (auto [id, node] : state.nodes) {
            if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) mark(map->instrument, map->label, Part::Map);
            if (auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind)) mark(consume->instrument, consume->label, Part::Map);
            if (auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) mark(tasklet->instrument, tasklet->label, Part::Tasklet);
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) graph(nested->sdfg.edit());
        }
    }
};

/// The symbols that every part of the graph sees with the value that the call gave them.
std::set<std::string> fixed_symbols(const ir::Sdfg& sdfg) {
    std::set<std::string> fixed = analysis::free_symbols(sdfg);
    for (const std::string& assigned : ir::assigned_symbols(sdfg.body)) fixed.erase(assigned);
    return fixed;
}

struct Predictor {
    std::vector<Prediction>& found;

    void graph(const ir::Sdfg& sdfg, const std::string& path, const std::set<std::string>& fixed) {
        const symbolic::Assumptions known = analysis::assumptions_of(sdfg);
        if (sdfg.instrument != ir::Instrumentation::No_Instrumentation)
            add(path, "program " + sdfg.name, sdfg.metadata.where, analysis::cost_of(sdfg, known), {}, fixed);
        ir::for_each_block(sdfg.body, [&](const ir::Block& block) {
            if (const ir::State* state = ir::as_state(block)) state_of(sdfg, block, *state, path + "/" + block.label, fixed, known);
        });
    }

    void state_of(const ir::Sdfg& sdfg, const ir::Block& block, const ir::State& state, const std::string& path,
                  const std::set<std::string>& fixed, const symbolic::Assumptions& known) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        const auto cost = [&](ir::NodeId id) { return analysis::cost_of(sdfg, state, adjacency, scopes, id, known); };
        if (state.instrument != ir::Instrumentation::No_Instrumentation) {
            analysis::Cost total;
            for (const ir::NodeId child : scopes.children({})) total += cost(child);
            add(path, "state " + block.label, block.metadata.where, total, {}, fixed);
        }
        for (const auto& [id, node] : state.nodes) {
            const std::string place = path + "/n" + std::to_string(id.value);
            std::visit(
                [&](const auto& kind) {
                    using Kind = std::decay_t<decltype(kind)>;
                    if constexpr (kHasInstrument<Kind>) {
                        if (kind.instrument == ir::Instrumentation::No_Instrumentation) return;
                        constexpr bool is_scope = std::is_same_v<Kind, ir::MapEntry>;
                        const char* what = is_scope                                 ? "map "
                                           : std::is_same_v<Kind, ir::Tasklet>      ? "tasklet "
                                           : std::is_same_v<Kind, ir::ConsumeEntry> ? "consume "
                                                                                    : "nested ";
                        std::optional<symbolic::Expr> distinct;
                        if constexpr (is_scope) distinct = analysis::footprint(sdfg, state, adjacency, scopes, id);
                        add(place, what + kind.label, node.metadata.where, cost(id), distinct, fixed);
                    }
                },
                node.kind);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) {
                // One lowered function may serve several calls: what they call otherwise differs among them.
                std::set<std::string> inside = fixed_symbols(*nested->sdfg);
                std::erase_if(inside, [&](const std::string& symbol) {
                    const auto value = nested->symbol_mapping.find(symbol);
                    return !fixed.contains(symbol) || value == nested->symbol_mapping.end() ||
                           !(value->second == symbolic::symbol(symbol));
                });
                graph(*nested->sdfg, place, inside);
            }
        }
    }

    void add(const std::string& path, const std::string& label, const Span& where, const analysis::Cost& cost,
             const std::optional<symbolic::Expr>& footprint, const std::set<std::string>& fixed) {
        const auto if_fixed = [&](const symbolic::Expr& e) -> std::optional<symbolic::Expr> {
            if (!cost.unknown.is_integer(0)) return std::nullopt;
            const auto symbols = symbolic::free_symbols(e);
            if (!std::ranges::all_of(symbols, [&](const std::string& one) { return fixed.contains(one); })) return std::nullopt;
            return e;
        };
        found.push_back({path, label, where, if_fixed(cost.operations + cost.calls), if_fixed(footprint.value_or(cost.bytes))});
    }
};

}  // namespace

std::size_t instrument(ir::Sdfg& sdfg, ir::Instrumentation how, const std::set<Part>& parts, const std::string& filter) {
    Marker marker{how, parts, filter};
    marker.mark(sdfg.instrument, sdfg.name, Part::Program);
    marker.graph(sdfg);
    return marker.count;
}

bool is_instrumented(const ir::Sdfg& sdfg) {
    bool found = false;
    ir::for_each_sdfg(sdfg, [&](const ir::Sdfg& each) {
        found = found || each.instrument != ir::Instrumentation::No_Instrumentation;
        ir::for_each_state(each.body, [&](const ir::State& state) {
            found = found || state.instrument != ir::Instrumentation::No_Instrumentation;
            for (const auto& [id, node] : state.nodes)
                std::visit(
                    [&](const auto& kind) {
                        if constexpr (kHasInstrument<std::decay_t<decltype(kind)>>)
                            found = found || kind.instrument != ir::Instrumentation::No_Instrumentation;
                    },
                    node.kind);
        });
    });
    return found;
}

std::vector<Prediction> predictions(const ir::Sdfg& sdfg) {
    std::vector<Prediction> found;
    Predictor{found}.graph(sdfg, sdfg.name, fixed_symbols(sdfg));
    return found;
}

}  // namespace sluice::driver
