#include "transform/loop/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analysis/liveness.h"
#include "analysis/loop_range.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "rewrite/nest.h"

namespace sluice::transform {

using ir::BlockId;
using ir::TransitionId;

std::optional<symbolic::Range> counted_range(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    const auto range = analysis::loop_range(loop);
    if (!range) return {};
    for (const std::string& name : symbolic::free_symbols(*range))
        if (sdfg.containers.contains(std::string(ir::root_name(name)))) return {};
    return range;
}

namespace {

/// The SDFG as if the body were all of it.
ir::Sdfg with_body(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    ir::Sdfg within = sdfg;
    within.body = loop.body;
    return within;
}

}  // namespace

bool used_elsewhere(const ir::Sdfg& sdfg, const ir::Region& region, BlockId block, const std::string& symbol) {
    return rewrite::symbols_read_outside(sdfg, region, {block}).contains(symbol);
}

std::vector<std::string> sized_by(const std::set<std::string>& symbols, const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    const ir::Sdfg within = with_body(sdfg, loop);
    std::vector<std::string> names;
    for (const auto& [name, container] : sdfg.containers) {
        const auto counts_by = [&](const std::string& symbol) { return symbols.contains(symbol); };
        if (std::ranges::any_of(analysis::free_symbols(container), counts_by) && rewrite::count_accesses(within, name) > 0)
            names.push_back(name);
    }
    return names;
}

std::string shared_and_sized_by(const std::set<std::string>& symbols, const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    const ir::Sdfg within = with_body(sdfg, loop);
    for (std::string& name : sized_by(symbols, sdfg, loop))
        if (!sdfg.containers.at(name).transient || rewrite::count_accesses(within, name) != rewrite::count_accesses(sdfg, name))
            return std::move(name);
    return {};
}

namespace {

/// Symbols that differ from one iteration to the next: the variable, and what the body gives a value.
std::set<std::string> symbols_of_iterations(const ir::LoopRegion& loop) {
    std::set<std::string> symbols = ir::assigned_symbols(loop.body);
    symbols.insert(loop.variable);
    return symbols;
}

}  // namespace

std::string why_not_copied(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    for (const ir::Block* jump : ir::jumps_out(loop.body))
        if (!std::holds_alternative<ir::ReturnBlock>(jump->kind)) return "`" + jump->label + "` leaves or continues the loop";
    if (const std::string name = shared_and_sized_by(symbols_of_iterations(loop), sdfg, loop); !name.empty())
        return "the layout of `" + name + "`, which is used outside of the loop too, changes from one iteration to the next";
    return {};
}

namespace {

void leave_out_dead_branches(ir::Region& region, const symbolic::Assumptions& known);

/// Of a conditional: branches whose condition is false, and those after one whose condition is true.
void leave_out_dead_branches(ir::ConditionalBlock& choice, const symbolic::Assumptions& known) {
    std::vector<ir::Branch> branches;
    for (ir::Branch& branch : choice.branches) {
        const auto parsed = branch.condition ? ir::parsed_expr(branch.condition->text) : Result<code::ExprPtr>(Diagnostic{});
        const auto condition = parsed.ok() ? ir::to_symbolic(**parsed) : Result<symbolic::Expr>(Diagnostic{});
        const symbolic::Truth holds = condition.ok() ? symbolic::decide(*condition, known) : symbolic::Truth::Unknown;
        if (symbolic::is_no(holds)) continue;
        if (symbolic::is_yes(holds)) branch.condition.reset();
        branches.push_back(std::move(branch));
        leave_out_dead_branches(branches.back().body, known);
        if (symbolic::is_yes(holds)) break;
    }
    choice.branches = std::move(branches);
}

void leave_out_dead_branches(ir::Region& region, const symbolic::Assumptions& known) {
    for (auto [id, block] : region.blocks) {
        if (auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) leave_out_dead_branches(loop->body, known);
        if (auto* named = std::get_if<ir::NamedRegion>(&block.kind)) leave_out_dead_branches(named->body, known);
        auto* choice = std::get_if<ir::ConditionalBlock>(&block.kind);
        if (!choice) continue;
        leave_out_dead_branches(*choice, known);
        if (choice->branches.empty()) {
            block.kind = Cow<ir::State>();
        } else if (!choice->branches.front().condition) {
            ir::NamedRegion taken;
            taken.body = std::move(choice->branches.front().body);
            block.kind = std::move(taken);
        }
    }
}

}  // namespace

std::string why_not_written_out(const ir::Sdfg& sdfg, const ir::LoopRegion& loop, const std::vector<symbolic::Expr>& values,
                                const symbolic::Assumptions& known) {
    ir::Sdfg written_out = sdfg;
    Iterations copies(written_out, loop, known);
    for (const symbolic::Expr& value : values) {
        written_out.body = copies.at(value);
        for (const Diagnostic& problem : ir::verify(written_out))
            if (problem.code == "V405") return "at " + loop.variable + " = " + symbolic::to_string(value) + ", " + problem.message;
    }
    return {};
}

Iterations::Iterations(ir::Sdfg& sdfg, const ir::LoopRegion& loop, const symbolic::Assumptions& known)
    : sdfg_(sdfg), loop_(loop), known_(known) {
    for (const auto& [name, container] : sdfg.containers) known_.assume_any(name);
    const ir::Sdfg within = with_body(sdfg, loop);
    for (const auto& [name, allocation] : analysis::allocation_scopes(within))
        if (allocation.level == analysis::AllocationScope::Level::Scope) own_.insert(name);
    for (std::string& name : sized_by(symbols_of_iterations(loop), sdfg, loop)) own_.insert(std::move(name));
}

ir::Region Iterations::at(const symbolic::Expr& value) {
    const symbolic::Substitution replacement{{loop_.variable, value}};
    ir::Region body = loop_.body;
    rewrite::substitute(body, replacement);
    leave_out_dead_branches(body, known_);
    for (const std::string& name : own_) {
        ir::Container copy = sdfg_.containers.at(name);
        rewrite::substitute(copy, replacement);
        const std::string called = rewrite::fresh_symbol(sdfg_, name);
        sdfg_.containers.set(called, std::move(copy));
        rewrite::rename_data(body, name, called);
    }
    return body;
}

namespace {

/// Labels of a region that grows.
class Labels {
public:
    explicit Labels(const ir::Region& region) {
        for (const auto& [id, block] : region.blocks) taken_.insert(block.label);
    }
    /// The base, or the base with the first number that makes it new; taken from then on.
    std::string take(const std::string& base) {
        std::string label = base;
        for (std::size_t& number = next_[base]; !taken_.insert(label).second; ++number) label = fmt::format("{}_{}", base, number);
        return label;
    }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> next_;
};

/// The one block after which control leaves the region; invalid if there are several, or a condition decides.
BlockId only_end(const ir::Region& region) {
    std::set<BlockId> goes_on;
    std::set<BlockId> has_transition;
    for (const auto& [id, transition] : region.transitions) {
        has_transition.insert(transition.src);
        if (transition.condition.text.empty()) goes_on.insert(transition.src);
    }
    BlockId end;
    for (const auto& [id, block] : region.blocks) {
        if (goes_on.contains(id)) continue;
        const bool jumps = std::holds_alternative<ir::ReturnBlock>(block.kind);
        if (end.valid() || has_transition.contains(id) || jumps) return {};
        end = id;
    }
    return end;
}

struct Ends {
    BlockId first, last;
};

/// Adds the blocks of a body to the region.
Ends insert(ir::Region& region, Labels& labels, ir::Region body, const std::string& label) {
    const BlockId end = only_end(body);
    if (body.blocks.empty()) {
        const BlockId empty = region.blocks.add({.label = labels.take(label), .kind = Cow<ir::State>(), .metadata = {}});
        return {empty, empty};
    }
    if (!end.valid()) {
        ir::NamedRegion named;
        named.body = std::move(body);
        const BlockId id = region.blocks.add({.label = labels.take(label), .kind = std::move(named), .metadata = {}});
        return {id, id};
    }
    std::map<BlockId, BlockId> placed;
    for (auto [id, block] : body.blocks) {
        ir::Block copy = std::move(block);
        copy.label = labels.take(copy.label);
        placed[id] = region.blocks.add(std::move(copy));
    }
    for (auto [id, transition] : body.transitions) {
        ir::Transition copy = std::move(transition);
        copy.src = placed.at(copy.src);
        copy.dst = placed.at(copy.dst);
        region.transitions.add(std::move(copy));
    }
    return {placed.at(body.start), placed.at(end)};
}

}  // namespace

void splice(ir::Region& region, BlockId block, std::vector<ir::Region> bodies, Splice where) {
    const std::string label = region.blocks[block].label;
    if (bodies.empty()) bodies.emplace_back();
    Labels labels(region);
    std::vector<Ends> placed;
    for (ir::Region& body : bodies) placed.push_back(insert(region, labels, std::move(body), label + "_body"));
    for (std::size_t at = 1; at < placed.size(); ++at) ir::add_transition(region, placed[at - 1].last, placed[at].first);
    const BlockId first = placed.front().first, last = placed.back().last;
    if (where != Splice::Behind) {
        for (auto [id, transition] : region.transitions)
            if (transition.dst == block) transition.dst = first;
        if (region.start == block) region.start = first;
    }
    if (where != Splice::Before)
        for (auto [id, transition] : region.transitions)
            if (transition.src == block) transition.src = last;
    if (where == Splice::Before) ir::add_transition(region, last, block);
    if (where == Splice::Behind) ir::add_transition(region, block, first);
    if (where == Splice::Instead) region.blocks.erase(block);
}

void assign_after(ir::Region& region, ir::BlockId block, const std::string& symbol, const symbolic::Expr& value) {
    std::string label = region.blocks[block].label + "_end";
    while (std::ranges::any_of(region.blocks, [&](const auto& entry) { return entry.second.label == label; })) label += "_end";
    const ir::BlockId end = region.blocks.add({.label = label, .kind = Cow<ir::State>(), .metadata = {}});
    for (auto [id, transition] : region.transitions)
        if (transition.src == block) transition.src = end;
    ir::add_transition(region, block, end, {}, {{symbol, symbolic::to_string(value)}});
}

}  // namespace sluice::transform
