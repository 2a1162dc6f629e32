// Blocks of a region into a nested SDFG.
#include <algorithm>

#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "rewrite/nest_parts.h"
#include "rewrite/wires.h"

namespace sluice::rewrite {

using ir::BlockId;
using ir::NodeId;
using ir::TransitionId;

namespace {

// ---- jumps --------------------------------------------------------------------------------------------------------------
std::string described(const ir::Block& jump) {
    if (std::holds_alternative<ir::BreakBlock>(jump.kind)) return "`" + jump.label + "` leaves a loop around them";
    if (std::holds_alternative<ir::ContinueBlock>(jump.kind)) return "`" + jump.label + "` continues a loop around them";
    return "`" + jump.label + "` returns from the SDFG";
}

// ---- names --------------------------------------------------------------------------------------------------------------
/// The blocks with the transitions among them, as a region of their own.
ir::Region part_of(const ir::Region& region, std::span<const BlockId> blocks, BlockId start) {
    const std::set<BlockId> wanted(blocks.begin(), blocks.end());
    ir::Region part;
    std::map<BlockId, BlockId> copies;
    for (const auto& [id, block] : region.blocks)
        if (wanted.contains(id)) copies[id] = part.blocks.add(block);
    for (const auto& [id, transition] : region.transitions) {
        if (!wanted.contains(transition.src) || !wanted.contains(transition.dst)) continue;
        ir::Transition copy = transition;
        copy.src = copies.at(transition.src);
        copy.dst = copies.at(transition.dst);
        part.transitions.add(std::move(copy));
    }
    part.start = copies.at(start);
    return part;
}

/// Where control enters the blocks; invalid if there are several ways in, or none.
BlockId way_in(const ir::Region& region, const std::set<BlockId>& blocks) {
    std::set<BlockId> entered;
    if (blocks.contains(region.start)) entered.insert(region.start);
    for (const auto& [id, transition] : region.transitions)
        if (!blocks.contains(transition.src) && blocks.contains(transition.dst)) entered.insert(transition.dst);
    return entered.size() == 1 ? *entered.begin() : BlockId();
}

void collect_symbols(const ir::Sdfg& sdfg, const ir::Region& region, const ir::Region* within, const std::set<BlockId>& but,
                     Names& names) {
    const auto text = [&](const std::string& python) {
        if (python.empty()) return;
        if (const auto parsed = ir::parsed_expr(python)) names.merge(ir::free_names(**parsed));
    };
    const auto code = [&](const std::optional<ir::CodeBlock>& block) {
        if (!block) return;
        if (const auto parsed = ir::parsed_body(*block)) names.merge(ir::free_names(*parsed));
    };
    const auto left_out = [&](BlockId id) { return &region == within && but.contains(id); };
    for (const auto& [id, transition] : region.transitions) {
        if (left_out(transition.src) && left_out(transition.dst)) continue;
        text(transition.condition.text);
        for (const auto& [symbol, value] : transition.assignments) text(value);
    }
    for (const auto& [id, block] : region.blocks) {
        if (left_out(id)) continue;
        std::visit(code::Overloaded{
                       [&](const Cow<ir::State>& state) { names.merge(analysis::free_symbols(sdfg, *state)); },
                       [&](const ir::LoopRegion& loop) {
                           code(loop.init);
                           Names inside;
                           std::swap(inside, names);
                           code(loop.condition);
                           code(loop.update);
                           collect_symbols(sdfg, loop.body, within, but, names);
                           std::swap(inside, names);
                           // The loop sets its own variable before anything in it reads it.
                           if (loop.init) inside.erase(loop.variable);
                           names.merge(inside);
                       },
                       [&](const ir::ConditionalBlock& choice) {
                           for (const ir::Branch& branch : choice.branches) {
                               code(branch.condition);
                               collect_symbols(sdfg, branch.body, within, but, names);
                           }
                       },
                       [&](const ir::NamedRegion& named) { collect_symbols(sdfg, named.body, within, but, names); },
                       [](const auto&) {},
                   },
                   block.kind);
    }
}

ir::Sdfg as_sdfg(const ir::Sdfg& sdfg, ir::Region body) {
    ir::Sdfg part = sdfg;
    part.body = std::move(body);
    return part;
}

std::optional<std::string> why_not_left(const ir::Region& region, const std::set<BlockId>& blocks) {
    std::set<BlockId> targets;
    std::map<BlockId, bool> always_left;
    for (const auto& [id, transition] : region.transitions) {
        if (!blocks.contains(transition.src)) continue;
        const bool always = transition.condition.text.empty();
        always_left[transition.src] |= always;
        if (blocks.contains(transition.dst)) continue;
        targets.insert(transition.dst);
        if (!always || !transition.assignments.empty()) return "control leaves them under a condition or with an assignment";
    }
    if (targets.size() > 1) return "control leaves them to several blocks";
    if (targets.empty()) return {};
    for (const BlockId id : blocks)
        if (!always_left[id]) return "control may end in `" + region.blocks[id].label + "` or go on after it";
    return {};
}

}  // namespace

std::set<std::string> symbols_read_outside(const ir::Sdfg& sdfg, const ir::Region& region, const std::set<BlockId>& blocks) {
    Names names;
    collect_symbols(sdfg, sdfg.body, &region, blocks, names);
    ir::Sdfg inside{.name = sdfg.name};
    for (const BlockId id : blocks) inside.body.blocks.add(ir::Block(region.blocks[id]));
    for (const auto& [name, container] : sdfg.containers)
        if (const std::size_t here = count_accesses(inside, name); here == 0 || here != count_accesses(sdfg, name))
            names.merge(analysis::free_symbols(container));
    return names;
}

std::optional<std::string> why_not_nested(const ir::Sdfg& sdfg, const ir::Region& region, std::span<const BlockId> blocks) {
    if (blocks.empty()) return "no block is named";
    if (auto reason = why_nothing_nests(sdfg)) return reason;
    const std::set<BlockId> part(blocks.begin(), blocks.end());
    const BlockId start = way_in(region, part);
    if (!start.valid()) return "control enters them at several blocks, or nowhere";
    if (auto reason = why_not_left(region, part)) return reason;
    for (const BlockId id : blocks)
        if (const auto jumps = ir::jumps_out(region.blocks[id]); !jumps.empty()) return described(*jumps.front());
    const ir::Sdfg within = as_sdfg(sdfg, part_of(region, blocks, start));
    const Names read = symbols_read_outside(sdfg, region, part), needed = analysis::free_symbols(within);
    for (const std::string& name : ir::assigned_symbols(within))
        if (read.contains(name) || needed.contains(name))
            return "the symbol " + name + ", which they assign, is read outside of them";
    std::optional<std::string> reference;
    ir::for_each_state(within.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                if (const ir::Container* container = sdfg.containers.find(ir::root_name(access->data));
                    container && container->binding == ir::Binding::Reference)
                    reference = access->data + " is a reference";
    });
    return reference;
}

std::set<std::string> transients_only_in(const ir::Sdfg& sdfg, const ir::Region& region, std::span<const BlockId> blocks) {
    std::set<std::string> found;
    const std::set<BlockId> part(blocks.begin(), blocks.end());
    const Names read = symbols_read_outside(sdfg, region, part);
    ir::Sdfg within{.name = sdfg.name};
    for (const BlockId id : blocks) within.body.blocks.add(region.blocks[id]);
    for (const auto& [name, container] : sdfg.containers) {
        if (!container.transient || container.lifetime != ir::Lifetime::Scope || read.contains(name)) continue;
        const std::size_t here = count_accesses(within, name);
        if (here > 0 && here == count_accesses(sdfg, name)) found.insert(name);
    }
    return found;
}

ir::State nest_region(ir::Sdfg& sdfg, ir::Region body, const std::string& label, const std::set<std::string>& inside) {
    Names moved = inside;
    ir::for_each_state(std::as_const(body), [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind); access && sdfg.containers.contains(access->data))
                if (sdfg.containers.at(access->data).binding == ir::Binding::View) moved.insert(access->data);
    });
    MadeNested made = make_nested(sdfg, std::move(body), label, moved, sdfg.symbols);
    ir::State state;
    ir::Node node{.kind = std::move(made.nested), .in = {}, .out = {}, .metadata = {}};
    for (const std::string& name : made.in) node.in.emplace(name, code::DType());
    for (const std::string& name : made.out) node.out.emplace(name, code::DType());
    const auto add_access = [&](const std::string& name) {
        return state.nodes.add({.kind = ir::Access{.data = name}, .in = {}, .out = {}, .metadata = {}});
    };
    std::vector<std::pair<std::string, NodeId>> sources;
    for (const std::string& name : made.in) sources.emplace_back(name, add_access(name));
    const NodeId nested = state.nodes.add(std::move(node));
    for (const auto& [name, source] : sources)
        state.edges.add({source, "", nested, name, whole_memlet(name, sdfg.containers.at(name))});
    for (const std::string& name : made.out)
        state.edges.add({nested, name, add_access(name), "", whole_memlet(name, sdfg.containers.at(name))});
    return state;
}

ir::BlockId nest_blocks(ir::Sdfg& sdfg, ir::Region& region, std::span<const BlockId> blocks, const std::string& label,
                        const std::set<std::string>& inside) {
    const std::set<BlockId> part(blocks.begin(), blocks.end());
    const BlockId start = way_in(region, part);
    ir::Region body = part_of(region, blocks, start);
    ir::Sdfg assigning{.name = label};
    assigning.body = body;
    const std::vector<std::string> assigned = ir::assigned_symbols(assigning);
    ir::State state = nest_region(sdfg, std::move(body), label, inside);

    std::vector<TransitionId> gone;
    std::optional<BlockId> target;
    std::vector<TransitionId> entering;
    for (const auto& [id, transition] : region.transitions) {
        const bool from = part.contains(transition.src), to = part.contains(transition.dst);
        if (from) gone.push_back(id);
        if (from && !to) target = transition.dst;
        if (!from && to) entering.push_back(id);
    }
    for (const TransitionId id : gone) region.transitions.erase(id);
    const bool was_start = part.contains(region.start);
    ir::Metadata place = region.blocks[start].metadata;
    place.guid.clear();
    for (const BlockId id : part) region.blocks.erase(id);
    std::string name = label;
    const auto taken = [&](const std::string& wanted) {
        return std::ranges::any_of(region.blocks, [&](const auto& entry) { return entry.second.label == wanted; });
    };
    for (std::size_t i = 0; taken(name); ++i) name = label + "_" + std::to_string(i);
    const BlockId made = region.blocks.add({.label = name, .kind = Cow<ir::State>(std::move(state)), .metadata = place});
    for (const TransitionId id : entering) region.transitions[id].dst = made;
    if (was_start) region.start = made;
    if (target) region.transitions.add({.src = made, .dst = *target, .condition = {}, .assignments = {}, .metadata = {}});
    forget_unused(sdfg, inside, assigned);
    return made;
}

void forget_unused(ir::Sdfg& sdfg, const std::set<std::string>& containers, const std::vector<std::string>& symbols) {
    for (const auto& [name, container] : std::vector(sdfg.containers.begin(), sdfg.containers.end()))
        if ((containers.contains(name) || container.binding == ir::Binding::View) && count_accesses(sdfg, name) == 0 &&
            container.transient && !used_in_control(sdfg, name))
            erase_container(sdfg, name);
    const Names free = analysis::free_symbols(sdfg);
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    for (const std::string& name : symbols)
        if (!free.contains(name) && !std::ranges::binary_search(assigned, name)) sdfg.symbols.erase(name);
}

}  // namespace sluice::rewrite
