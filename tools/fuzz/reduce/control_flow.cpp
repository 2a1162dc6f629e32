// Fewer blocks, flatter regions, simpler conditions.
#include <algorithm>

#include "fuzz/reduce/edits.h"
#include "ir/builder.h"
#include "ir/walk.h"

namespace sluice::fuzz {

namespace {

using ir::BlockId;
using ir::Region;
using symbolic::Expr;

std::vector<ir::TransitionId> transitions_at(const Region& region, BlockId block, bool out) {
    std::vector<ir::TransitionId> found;
    for (auto [id, transition] : region.transitions)
        if ((out ? transition.src : transition.dst) == block) found.push_back(id);
    return found;
}

/// Control that came to the block goes on behind it.
void remove_block(Region& region, BlockId block) {
    std::optional<BlockId> next;
    for (const ir::TransitionId id : transitions_at(region, block, true)) {
        const BlockId target = region.transitions[id].dst;
        if (!next && target != block) next = target;
        region.transitions.erase(id);
    }
    for (const ir::TransitionId id : transitions_at(region, block, false)) {
        if (next)
            region.transitions[id].dst = *next;
        else
            region.transitions.erase(id);
    }
    region.blocks.erase(block);
    if (region.start != block) return;
    region.start = next ? *next : BlockId();
    if (!region.start.valid() && !region.blocks.empty()) region.start = (*region.blocks.begin()).first;
}

bool is_empty_state(const ir::Block& block) {
    const ir::State* state = ir::as_state(block);
    return state && state->nodes.empty();
}

/// Half, a quarter, ... and single blocks of a region.
bool drop_blocks(TestCase& test, std::size_t at) {
    for (Region* region : regions_of(test.sdfg)) {
        std::vector<BlockId> ids;
        for (auto [id, block] : region->blocks) ids.push_back(id);
        for (std::size_t size = std::max<std::size_t>(ids.size() / 2, 1);; size /= 2) {
            const std::size_t groups = (ids.size() + size - 1) / size;
            if (at < groups) {
                const std::size_t begin = at * size, end = std::min(begin + size, ids.size());
                if (end - begin == ids.size()) {
                    // A region keeps one block.
                    if (ids.size() == 1 && is_empty_state(region->blocks[ids[0]])) return true;
                    const std::string label = region->blocks[ids[0]].label;
                    *region = {};
                    ir::add_block(*region, {.label = label, .kind = Cow<ir::State>(), .metadata = {}});
                    return true;
                }
                for (std::size_t k = begin; k < end; ++k) remove_block(*region, ids[k]);
                return true;
            }
            at -= groups;
            if (size <= 1) break;
        }
    }
    return false;
}

void define(TestCase& test, ir::Sdfg& graph, const std::string& name, const std::string& init) {
    if (name.empty() || graph.symbols.contains(name)) return;
    ir::add_symbol(graph, name);
    const std::size_t equals = init.find('=');
    const auto value = equals == std::string::npos ? Result<Expr>(Expr(0)) : symbolic::parse(init.substr(equals + 1));
    const auto number = value ? symbolic::evaluate(*value, test.symbols) : Result<std::int64_t>(std::int64_t{0});
    if (&graph == &test.sdfg) test.symbols.try_emplace(name, number ? *number : 0);
}

/// The blocks of `inner` take the place of `block`.
void splice(Region& region, BlockId block, Region inner, int& suffix) {
    std::map<std::uint32_t, BlockId> moved;
    std::vector<BlockId> ends;
    for (auto [id, each] : inner.blocks) {
        ir::Block copy = each;
        copy.label += "_" + std::to_string(suffix++);
        moved[id.value] = region.blocks.add(std::move(copy));
    }
    for (auto [id, transition] : inner.transitions) {
        ir::Transition copy = transition;
        copy.src = moved.at(transition.src.value), copy.dst = moved.at(transition.dst.value);
        region.transitions.add(std::move(copy));
    }
    for (auto [id, each] : inner.blocks)
        if (transitions_at(inner, id, true).empty()) ends.push_back(moved.at(id.value));
    const BlockId first = moved.at(inner.start.value);
    for (const ir::TransitionId id : transitions_at(region, block, false)) region.transitions[id].dst = first;
    for (const ir::TransitionId id : transitions_at(region, block, true)) {
        const ir::Transition after = region.transitions[id];
        region.transitions.erase(id);
        for (const BlockId end : ends) {
            ir::Transition copy = after;
            copy.src = end;
            region.transitions.add(std::move(copy));
        }
    }
    region.blocks.erase(block);
    if (region.start == block) region.start = first;
}

/// A loop, a branch or a named region becomes its body, once.
bool flatten(TestCase& test, std::size_t at) {
    int suffix = 0;
    for (ir::Sdfg* graph : graphs_of(test.sdfg)) {
        bool done = false;
        ir::for_each_region(graph->body, [&](Region& region) {
            if (done) return;
            for (auto [id, block] : region.blocks) {
                std::vector<Region> bodies;
                ir::for_each_inner_region(block, [&](Region& inner) { bodies.push_back(inner); });
                if (at >= bodies.size()) {
                    at -= bodies.size();
                    continue;
                }
                if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
                    define(test, *graph, loop->variable, loop->init ? loop->init->text : "");
                suffix = static_cast<int>(region.blocks.id_bound());
                splice(region, id, std::move(bodies[at]), suffix);
                done = true;
                return;
            }
        });
        if (done) return true;
    }
    return false;
}

bool drop_branch(TestCase& test, std::size_t at) {
    for (Region* region : regions_of(test.sdfg))
        for (auto [id, block] : region->blocks) {
            auto* choice = std::get_if<ir::ConditionalBlock>(&block.kind);
            if (!choice) continue;
            if (at < choice->branches.size()) {
                choice->branches.erase(choice->branches.begin() + static_cast<std::ptrdiff_t>(at));
                return true;
            }
            at -= choice->branches.size();
        }
    return false;
}

bool simplify_transition(TestCase& test, std::size_t at) {
    for (Region* region : regions_of(test.sdfg))
        for (auto [id, transition] : region->transitions) {
            const std::size_t options = 2 + transition.assignments.size();
            if (at >= options) {
                at -= options;
                continue;
            }
            if (at == 0)
                region->transitions.erase(id);
            else if (at == 1)
                transition.condition.text.clear();
            else
                transition.assignments.erase(transition.assignments.begin() + static_cast<std::ptrdiff_t>(at - 2));
            return true;
        }
    return false;
}

bool simplify_condition(TestCase& test, std::size_t at) {
    for (Region* region : regions_of(test.sdfg))
        for (auto [id, block] : region->blocks)
            if (auto* choice = std::get_if<ir::ConditionalBlock>(&block.kind))
                for (ir::Branch& branch : choice->branches) {
                    if (!branch.condition) continue;
                    if (at-- > 0) continue;
                    branch.condition->text = "1 < 2";
                    return true;
                }
    return false;
}

bool shorten_loop(TestCase& test, std::size_t at) {
    for (Region* region : regions_of(test.sdfg))
        for (auto [id, block] : region->blocks) {
            auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
            if (!loop || loop->variable.empty()) continue;
            if (at >= 3) {
                at -= 3;
                continue;
            }
            if (at == 0) loop->condition = ir::CodeBlock{loop->variable + " < 1"};
            if (at == 1) loop->init = ir::CodeBlock{loop->variable + " = 0"};
            if (at == 2) loop->update = ir::CodeBlock{loop->variable + " = " + loop->variable + " + 1"};
            return true;
        }
    return false;
}

}  // namespace

std::vector<EditFamily> control_flow_edits() {
    return {{"drop blocks", drop_blocks},
            {"flatten regions", flatten},
            {"drop branches", drop_branch},
            {"simplify transitions", simplify_transition},
            {"simplify conditions", simplify_condition},
            {"shorten loops", shorten_loop}};
}

}  // namespace sluice::fuzz
