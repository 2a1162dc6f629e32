// E1 a level that was unrolled or vectorized has full tiles.  E2 each of them is a loop of that many iterations, which all of its
// statements want so.  E3 a level that is parallel is a parallel loop.  E4 what runs in lanes is straight-line code.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/lanes.h"
#include "analysis/scop/rebuild.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "schedule/program.h"

namespace sluice::schedule {

using analysis::LoopKind;
using poly::AstNode;

namespace {

Diagnostic without_effect(const std::string& level, const std::string& of, LoopKind kind, const std::string& why,
                          const std::string& remedy) {
    const char* wanted = kind == LoopKind::Vector         ? "in lanes"
                         : kind == LoopKind::Unrolled     ? "without a loop"
                         : kind == LoopKind::Blocks       ? "in blocks of a device"
                         : kind == LoopKind::BlockThreads ? "in threads of a block"
                                                          : "in threads";
    return {.code = "M009",
            .message = fmt::format("the level `{}` of `{}` would not run {}: {}", level, of, wanted, why),
            .where = {},
            .path = {},
            .remedy = remedy,
            .notes = {}};
}

std::vector<const AstNode*> calls_in(const AstNode& node) {
    if (node.kind == AstNode::Kind::Call) return {&node};
    std::vector<const AstNode*> calls;
    for (const AstNode& child : node.children)
        for (const AstNode* call : calls_in(child)) calls.push_back(call);
    return calls;
}

class Effects {
public:
    Effects(const Program& program, const Nest& nest) : program_(program), nest_(nest) {}

    std::optional<Diagnostic> missing() {
        look(*nest_.loops);
        if (missing_) return missing_;
        for (const Definition& of : program_.definitions)
            for (const auto& [level, lanes] : of.lanes)
                if (!of.is_inlined && lanes.second > 1 && !carried_out_.contains({of.name, dimension(of, level)}))
                    return without_effect(level, of.name, kind(lanes.first),
                                          fmt::format("no tile of {} iterations is full", lanes.second),
                                          "Give a smaller factor, or take the command away.");
        return std::nullopt;
    }

private:
    static LoopKind kind(Lanes lanes) { return lanes == Lanes::Vector ? LoopKind::Vector : LoopKind::Unrolled; }

    void look(const AstNode& node) {
        if (node.kind == AstNode::Kind::Call) call(node);
        if (node.kind == AstNode::Kind::For) around_.push_back(&node);
        for (const AstNode& child : node.children) look(child);
        if (node.kind == AstNode::Kind::For) around_.pop_back();
    }

    void call(const AstNode& node) {
        const analysis::ScopStatement& statement = *nest_.scop.find(node.statement);
        const Definition& of = *program_.find(statement.label);
        for (const auto& [at, wanted] : statement.loops) {
            const auto loop = std::ranges::find(around_, at, &AstNode::dimension);
            const std::string& level = of.levels[at / 2];
            if (of.lanes.contains(level) && of.lanes.at(level).second == 1) continue;
            if (loop == around_.end()) {  // One iteration needs no loop, and is no vector.
                if (wanted == LoopKind::Unrolled) carried_out_.emplace(of.name, at);
                continue;
            }
            const auto iterations = ((*loop)->end - (*loop)->begin).constant();
            if (of.lanes.contains(level) && !nest_.tiles_apart && iterations &&
                *iterations <= of.lanes.at(level).second - (*loop)->step)
                continue;
            carried_out_.emplace(of.name, at);
            if (analysis::kind_of(nest_.scop, **loop) == wanted && ((*loop)->parallel || wanted == LoopKind::Unrolled)) continue;
            if (wanted != LoopKind::Unrolled && !(*loop)->parallel) {
                report(level, of, wanted, "that no dependence crosses its loop is not known", "Give simpler schedules or layouts.");
                continue;
            }
            report_shared(level, of, wanted, **loop);
        }
    }

    void report_shared(const std::string& level, const Definition& of, LoopKind wanted, const AstNode& loop) {
        for (const AstNode* other : calls_in(loop)) {
            const analysis::ScopStatement& shares = *nest_.scop.find(other->statement);
            const auto theirs = shares.loops.find(loop.dimension);
            if (shares.label == of.name || (theirs != shares.loops.end() && theirs->second == wanted)) continue;
            if (wants(*program_.find(shares.label), loop.dimension, wanted)) continue;
            report(level, of, wanted, fmt::format("`{}` runs in the same loop and has another command", shares.label),
                   fmt::format("Give `{}` the same command, or order it outside of the loop.", shares.label));
        }
        report(level, of, wanted, "its full tiles cannot be distinguished from the others",
               "Allocate memory in a loop further out, or split by a factor of the number of iterations.");
    }

    static bool wants(const Definition& of, unsigned at, LoopKind wanted) {
        return std::ranges::any_of(
            of.lanes, [&](const auto& entry) { return dimension(of, entry.first) == at && kind(entry.second.first) == wanted; });
    }

    void report(const std::string& level, const Definition& of, LoopKind wanted, const std::string& why,
                const std::string& remedy) {
        if (!missing_) missing_ = without_effect(level, of.name, wanted, why, remedy);
    }

    const Program& program_;
    const Nest& nest_;
    std::vector<const AstNode*> around_;
    std::set<std::pair<std::string, unsigned>> carried_out_;
    std::optional<Diagnostic> missing_;
};

}  // namespace

std::optional<Diagnostic> command_without_effect(const Program& program, const Nest& nest) {
    return Effects(program, nest).missing();
}

namespace {

/// The definition of a tasklet.
const Definition* first_in(const Program& program, const ir::Sdfg& sdfg) {
    const Definition* found = nullptr;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind); nested && !found)
                found = first_in(program, *nested->sdfg);
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind); tasklet && !found) found = program.find(tasklet->label);
        }
    });
    return found;
}

/// Why lanes cannot run the node.
std::optional<std::string> obstacle(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                    const std::string& parameter, ir::NodeId id) {
    const ir::Node& node = state.nodes[id];
    if (ir::is_exit(node)) return std::nullopt;
    const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
    if (!tasklet || !analysis::is_straight_line(*tasklet)) return "its iterations are not one assignment each";
    if (analysis::prefetches(state, adjacency, id)) return "its iterations prefetch";
    for (const ir::EdgeId edge : adjacency.out(id)) {
        const auto distance = analysis::element_stride(sdfg, state.edges[edge].memlet, parameter);
        if (!distance) return "its elements have no constant distance from one lane to the next";
    }
    return std::nullopt;
}

}  // namespace

void expect_lanes(const Program& program, const ir::Sdfg& sdfg) {
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        for (const auto& [id, node] : state.nodes) {
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) expect_lanes(program, *nested->sdfg);
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            if (!map || !map->simd) continue;
            for (const ir::NodeId child : scopes.children(id)) {
                const auto why = obstacle(sdfg, state, adjacency, map->params.back(), child);
                if (!why) continue;
                const ir::Node& inner = state.nodes[child];
                const auto* nested = std::get_if<ir::NestedSdfg>(&inner.kind);
                const auto* tasklet = std::get_if<ir::Tasklet>(&inner.kind);
                const Definition* of = tasklet ? program.find(tasklet->label) : first_in(program, nested ? *nested->sdfg : sdfg);
                std::string level;
                for (const std::string& one : of ? of->levels : std::vector<std::string>{})
                    if (const auto at = of->lanes.find(one); at != of->lanes.end() && at->second.first == Lanes::Vector)
                        level = one;
                fail(without_effect(level, of ? of->name : map->label, LoopKind::Vector, *why,
                                    "Vectorize an innermost level, whose memory is allocated outside of it."));
            }
        }
    });
}

}  // namespace sluice::schedule
