#include "analysis/scop/rebuild.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "analysis/liveness.h"
#include "analysis/propagate.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "rewrite/iterations.h"
#include "rewrite/nest.h"

namespace sluice::analysis {

using poly::AstNode;
using symbolic::Expr;

namespace {

/// An integer with fractions in it, n**2/2 - n/2, as one division of whole numbers: code divides numbers of Python's.
Expr in_whole_numbers(const Expr& e) {
    std::int64_t denominator = 1;
    const std::function<void(const Expr&)> look = [&](const Expr& part) {
        if (part.kind() == symbolic::Kind::Rational) denominator = std::lcm(denominator, part.denominator());
        if (part.kind() == symbolic::Kind::Add || part.kind() == symbolic::Kind::Multiply)
            std::ranges::for_each(part.operands(), look);
    };
    look(e);
    return denominator == 1 ? e : symbolic::floor_divide(Expr(denominator) * e, Expr(denominator));
}

/// A state that runs one instance, in the symbols of the graph.
ir::State state_of(const ScopStatement& statement) {
    ir::State state;
    ir::StateBuilder build(state);
    if (const auto* copy = std::get_if<Copy>(&statement.body)) {
        const ir::NodeId from = build.access(copy->from), to = build.access(copy->to);
        build.edge(from, "", to, "", copy->memlet);
        return state;
    }
    const auto& operation = std::get<Operation>(statement.body);
    const ir::NodeId node = state.nodes.add(ir::Node(operation.node));
    std::map<std::string, ir::NodeId> sources, sinks;
    for (const Operation::Wire& wire : operation.wires) {
        auto& ends = wire.output ? sinks : sources;
        if (!ends.contains(wire.container)) ends.emplace(wire.container, build.access(wire.container));
        const ir::NodeId end = ends.at(wire.container);
        if (wire.output)
            build.edge(node, wire.connector, end, "", wire.memlet);
        else
            build.edge(end, "", node, wire.connector, wire.memlet);
    }
    // What was proven of the order in the graph says nothing of this one.
    for (auto [id, edge] : state.edges) edge.memlet.wcr_nonatomic = false;
    return state;
}

class Emission {
public:
    Emission(ir::Sdfg& sdfg, const Scop& scop) : sdfg_(sdfg), scop_(scop) {}

    ir::Region region(const AstNode& root) {
        ir::Region region;
        emit(region, root);
        return region;
    }
    std::vector<std::string> variables() const { return {declared_.begin(), declared_.end()}; }

private:
    void emit(ir::Region& region, const AstNode& node) {
        switch (node.kind) {
            case AstNode::Kind::Block:
                for (const AstNode& part : node.children) emit(region, part);
                break;
            case AstNode::Kind::Call:
                append(region, call(node));
                break;
            case AstNode::Kind::If: {
                ir::ConditionalBlock choice;
                choice.branches.push_back(
                    {.condition = ir::CodeBlock{symbolic::to_string(renamed(node.condition)), ir::Language::Python},
                     .body = this->region(node.children[0])});
                if (node.children.size() > 1) choice.branches.push_back({.condition = {}, .body = this->region(node.children[1])});
                append(region, {.label = "if", .kind = std::move(choice), .metadata = {}});
                break;
            }
            case AstNode::Kind::For:
                if (!runs_in_lanes(node))
                    append(region, loop(node));
                else
                    for (const AstNode& part : lanes(node, node.children[0]))
                        part.kind == AstNode::Kind::For&& part.variable == node.variable ? append(region, loop(part))
                                                                                         : emit(region, part);
                break;
        }
    }

    /// Iterations in lanes, each without memory of its own.
    bool runs_in_lanes(const AstNode& loop) const {
        return loop.parallel && kind_of(scop_, loop) == LoopKind::Vector &&
               std::ranges::none_of(scop_.allocated, [&](const auto& entry) { return loop.dimension < entry.second; });
    }
    /// They run statement by statement, inside of the loops and conditions that are the same for all lanes.
    std::vector<AstNode> lanes(const AstNode& loop, const AstNode& body) const {
        const auto varies = [&](const Expr& e) { return symbolic::free_symbols(e).contains(loop.variable); };
        std::vector<AstNode> parts;
        if (body.kind == AstNode::Kind::Block) {
            for (const AstNode& part : body.children)
                for (AstNode& one : lanes(loop, part)) parts.push_back(std::move(one));
        } else if (body.kind != AstNode::Kind::Call && !(body.kind == AstNode::Kind::For && runs_in_lanes(body)) &&
                   !varies(body.begin) && !varies(body.end) && !varies(body.condition)) {
            AstNode outer = body;
            for (AstNode& inner : outer.children) inner = {.kind = AstNode::Kind::Block, .children = lanes(loop, inner)};
            parts.push_back(std::move(outer));
        } else {
            parts.push_back(loop);
            parts.back().children = {body};
        }
        return parts;
    }

    ir::Block loop(const AstNode& outermost) {
        const LoopKind kind = kind_of(scop_, outermost);
        const std::vector<const AstNode*> loops = of_one_map(outermost, kind);
        std::vector<std::string> variables;
        symbolic::Subset range;
        for (const AstNode* each : loops) {
            range.dims.push_back({.begin = renamed(each->begin), .end = renamed(each->end), .step = each->step});
            variables.push_back(declare(*each));
            names_.insert_or_assign(each->variable, symbolic::symbol(variables.back()));
            taken_.insert(variables.back());
        }
        if (kind == LoopKind::Blocks) block_.clear();
        ir::Region body = region(loops.back()->children[0]);
        for (std::size_t at = 0; at < loops.size(); ++at) {
            taken_.erase(variables[at]);
            names_.erase(loops[at]->variable);
        }
        const std::string label = "for_" + variables.front();
        if (!outermost.parallel) {
            ir::Block block = ir::for_loop(label, variables[0], range.dims[0].begin, range.dims[0].end, Expr(outermost.step));
            auto& loop = std::get<ir::LoopRegion>(block.kind);
            loop.unroll = kind == LoopKind::Unrolled;
            loop.body = std::move(body);
            return block;
        }
        ir::MapEntry map;
        map.label = label;
        map.params = variables;
        map.range = std::move(range);
        map.schedule = schedule_of(kind);
        map.unroll = kind == LoopKind::Unrolled;
        map.simd = kind == LoopKind::Vector;
        if (kind == LoopKind::BlockThreads) block_ = threads_for(map.range);
        if (kind == LoopKind::Blocks) map.gpu_block_size = block_;
        const std::set<std::string> own = own_in(body, *loops.back());
        ir::State state = rewrite::all_iterations(sdfg_, std::move(body), std::move(map), own, {});
        propagate_memlets(sdfg_, state, assumptions_of(sdfg_));  // Else the next scope around would take the variable for a symbol.
        return {.label = label, .kind = Cow<ir::State>(std::move(state)), .metadata = {}};
    }

    static ir::Schedule schedule_of(LoopKind kind) {
        switch (kind) {
            case LoopKind::Plain:
                return ir::Schedule::Default;
            case LoopKind::Threads:
                return ir::Schedule::CPU_Multicore;
            case LoopKind::Blocks:
                return ir::Schedule::GPU_Device;
            case LoopKind::BlockThreads:
                return ir::Schedule::GPU_ThreadBlock;
            default:
                return ir::Schedule::Sequential;
        }
    }

    /// As many threads as a map has iterations at most, along x first; empty if that is not known.
    static std::vector<std::int64_t> threads_for(const symbolic::Subset& range) {
        std::vector<std::int64_t> threads;
        for (auto dimension = range.dims.rbegin(); dimension != range.dims.rend(); ++dimension) {
            std::optional<std::int64_t> most;
            for (const Expr& end : ends_of(dimension->end))
                if (const auto count = (end - dimension->begin).constant(); count && (!most || *count < *most)) most = count;
            if (!most) return {};
            threads.push_back(*most);
        }
        return threads;
    }
    /// Expressions of which an end is the smallest: min(a, b) + c is at most a + c and b + c.
    static std::vector<Expr> ends_of(const Expr& end) {
        if (end.kind() == symbolic::Kind::Minimum) return {end.operands().begin(), end.operands().end()};
        if (end.kind() != symbolic::Kind::Add) return {end};
        for (const Expr& part : end.operands()) {
            if (part.kind() != symbolic::Kind::Minimum) continue;
            std::vector<Expr> ends;
            for (const Expr& one : part.operands()) ends.push_back(end - part + one);
            return ends;
        }
        return {end};
    }

    /// Blocks, or threads of a block, that are perfectly nested and whose ranges do not depend on each other.
    std::vector<const AstNode*> of_one_map(const AstNode& outermost, LoopKind kind) const {
        std::vector<const AstNode*> loops{&outermost};
        while (kind == LoopKind::Blocks || kind == LoopKind::BlockThreads) {
            const AstNode* next = &loops.back()->children[0];
            while (next->kind == AstNode::Kind::Block && next->children.size() == 1) next = &next->children[0];
            if (next->kind != AstNode::Kind::For || !next->parallel || kind_of(scop_, *next) != kind) break;
            const auto fixed = [&](const Expr& e) {
                const auto symbols = symbolic::free_symbols(e);
                return std::ranges::none_of(loops, [&](const AstNode* loop) { return symbols.contains(loop->variable); });
            };
            if (!fixed(next->begin) || !fixed(next->end)) break;
            loops.push_back(next);
        }
        return loops;
    }

    /// The memory that each point of a parallel loop has for itself; what other loops have too becomes a container of its own.
    std::set<std::string> own_in(ir::Region& body, const AstNode& loop) {
        std::set<std::string> own;
        ir::Sdfg within = sdfg_;
        within.body = body;
        for (const auto& [name, dimensions] : scop_.allocated) {
            if (loop.dimension >= dimensions || rewrite::count_accesses(within, name) == 0) continue;
            const auto first = containers_.try_emplace(name, std::as_const(sdfg_).containers.at(name));
            std::string here = name;
            if (!first.second) {
                here = rewrite::fresh_symbol(sdfg_, name);
                sdfg_.containers.set(here, ir::Container(first.first->second));
                rewrite::rename_data(body, name, here);
            }
            sdfg_.containers.at(here).lifetime = ir::Lifetime::Scope;
            own.insert(here);
        }
        return own;
    }

    ir::Block call(const AstNode& node) const {
        const ScopStatement& statement = *scop_.find(node.statement);
        symbolic::Substitution at, values;
        for (std::size_t d = 0; d < node.arguments.size(); ++d) at.emplace(statement.iterators[d], renamed(node.arguments[d]));
        for (const auto& [symbol, value] : statement.values)
            values.emplace(symbol, in_whole_numbers(symbolic::substitute(value, at)));
        ir::State state = state_of(statement);
        std::vector<ir::NodeId> nodes;
        std::vector<ir::EdgeId> edges;
        for (const auto& [id, any] : state.nodes) nodes.push_back(id);
        for (const auto& [id, any] : state.edges) edges.push_back(id);
        rewrite::substitute(state, nodes, edges, values);
        ir::Metadata place;
        place.where = statement.where;
        return {.label = identifier(statement.label), .kind = Cow<ir::State>(std::move(state)), .metadata = place};
    }

    /// The variable of the graph that this loop counts, if it is one, else a new one.
    std::string declare(const AstNode& loop) {
        std::string name;
        const auto look = [&](const auto& self, const AstNode& node) -> void {
            for (std::size_t d = 0; node.kind == AstNode::Kind::Call && d < node.arguments.size() && name.empty(); ++d) {
                const std::string& iterator = scop_.find(node.statement)->iterators[d];
                const std::string base = iterator.substr(0, iterator.find('$'));
                if (node.arguments[d].is_symbol(loop.variable) && free(base)) name = base;
            }
            for (const AstNode& child : node.children)
                if (name.empty()) self(self, child);
        };
        look(look, loop);
        if (name.empty()) name = rewrite::fresh_symbol(sdfg_, "t");
        if (!sdfg_.symbols.contains(name)) ir::add_symbol(sdfg_, name);
        declared_.insert(name);
        return name;
    }
    /// Only the part itself gives the name a value, and no loop around.
    bool free(const std::string& name) const {
        if (taken_.contains(name) || sdfg_.containers.contains(name) || sdfg_.constants.contains(name)) return false;
        return declared_.contains(name) || std::ranges::any_of(scop_.statements, [&](const ScopStatement& statement) {
                   const auto& own = statement.iterators;
                   return std::ranges::find(own, name) != own.end();
               });
    }

    Expr renamed(const Expr& e) const { return symbolic::substitute(e, names_); }

    static std::string identifier(const std::string& label) {
        std::string name;
        for (const char c : label) {
            const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
            if (fits) name += c;
            if (!fits && !name.empty() && name.back() != '_') name += '_';
        }
        return name.empty() || (name[0] >= '0' && name[0] <= '9') ? "statement" + name : name;
    }

    static void append(ir::Region& region, ir::Block block) {
        const std::string base = block.label;
        const auto taken = [&] {
            return std::ranges::any_of(region.blocks, [&](const auto& entry) { return entry.second.label == block.label; });
        };
        for (int k = 0; taken(); ++k) block.label = base + "_" + std::to_string(k);
        ir::BlockId last;
        for (const auto& [id, other] : region.blocks) last = id;
        const ir::BlockId added = ir::add_block(region, std::move(block));
        if (last.valid()) ir::add_transition(region, last, added);
    }

    ir::Sdfg& sdfg_;
    const Scop& scop_;
    symbolic::Substitution names_;  ///< Of the loops around.
    std::set<std::string> taken_, declared_;
    std::vector<std::int64_t> block_;                  ///< What the last threads of the blocks around are.
    std::map<std::string, ir::Container> containers_;  ///< Those that a loop has for itself already.
};

}  // namespace

std::optional<AstNode> loops_of(const Scop& scop, const poly::Schedule& schedule, const poly::UnionMap& dependences) {
    return poly::build_ast({.schedule = schedule, .context = scop.context, .dependences = dependences, .prefix = "loop__"});
}

LoopKind kind_of(const Scop& scop, const AstNode& loop) {
    std::set<LoopKind> kinds;
    const auto look = [&](const auto& self, const AstNode& node) -> void {
        if (node.kind == AstNode::Kind::Call) {
            const auto& loops = scop.find(node.statement)->loops;
            const auto at = loops.find(loop.dimension);
            kinds.insert(at == loops.end() ? LoopKind::Plain : at->second);
        }
        for (const AstNode& child : node.children) self(self, child);
    };
    look(look, loop);
    for (const LoopKind one : {LoopKind::Blocks, LoopKind::BlockThreads, LoopKind::Threads})
        if (kinds.contains(one)) return loop.parallel ? one : LoopKind::Plain;
    const bool constant = (loop.end - loop.begin).constant().has_value();
    return constant && kinds.size() == 1 ? *kinds.begin() : LoopKind::Plain;
}

bool allocates_in_loops(const Scop& scop, const AstNode& loops) {
    std::map<std::string, std::vector<const AstNode*>> places;
    bool same = true;
    std::vector<const AstNode*> around;
    const auto look = [&](const auto& self, const AstNode& node) -> void {
        if (node.kind == AstNode::Kind::Call)
            for (const ScopAccess& access : scop.find(node.statement)->accesses) {
                const auto allocated = scop.allocated.find(access.container);
                if (allocated == scop.allocated.end()) continue;
                std::vector<const AstNode*> here;
                for (const AstNode* loop : around)
                    if (loop->dimension < allocated->second) here.push_back(loop);
                same = same && places.try_emplace(access.container, here).first->second == here;
            }
        if (node.kind == AstNode::Kind::For) around.push_back(&node);
        for (const AstNode& child : node.children) self(self, child);
        if (node.kind == AstNode::Kind::For) around.pop_back();
    };
    look(look, loops);
    return same;
}

Rebuilt rebuild(ir::Sdfg& sdfg, const Scop& scop, const AstNode& loops) {
    Emission emission(sdfg, scop);
    Rebuilt rebuilt{.region = emission.region(loops), .variables = {}};
    rebuilt.variables = emission.variables();
    if (rebuilt.region.blocks.size() == 0) ir::add_state(rebuilt.region, "nothing");
    return rebuilt;
}

namespace {

/// How many states use a container, and whether one of them runs several times.
struct Users {
    int states = 0;
    bool repeat = false;
};

void count_users(const ir::Region& region, bool repeats, std::map<std::string, Users>& users) {
    for (const auto& [id, block] : region.blocks) {
        if (const ir::State* state = ir::as_state(block)) {
            std::set<std::string> here;
            for (const auto& [node, kind] : state->nodes)
                if (const auto* access = std::get_if<ir::Access>(&kind.kind)) here.insert(access->data);
            for (const std::string& name : here) users[name].states += 1, users[name].repeat |= repeats;
        }
        const bool within = repeats || std::holds_alternative<ir::LoopRegion>(block.kind);
        ir::for_each_inner_region(block, [&](const ir::Region& inner) { count_users(inner, within, users); });
    }
}

}  // namespace

void keep_memory(ir::Sdfg& sdfg, const Scop& scop) {
    std::map<std::string, Users> users;
    count_users(sdfg.body, false, users);
    const auto allocated = allocation_scopes(sdfg);
    for (const ScopStatement& statement : scop.statements)
        for (const ScopAccess& access : statement.accesses) {
            if (!sdfg.containers.contains(access.container)) continue;  // Of a nested SDFG now.
            ir::Container& container = sdfg.containers.at(access.container);
            if (!container.transient || container.lifetime != ir::Lifetime::Scope) continue;
            const auto at = allocated.find(access.container);
            const bool in_scope = at != allocated.end() && at->second.level == AllocationScope::Level::Scope;
            if (in_scope && scop.allocated.contains(access.container)) continue;  // New in each iteration.
            const Users& by = users[access.container];
            if (in_scope || (by.states == 1 && by.repeat)) container.lifetime = ir::Lifetime::SDFG;
        }
}

void rebuild_program(ir::Sdfg& sdfg, const Scop& scop, const AstNode& loops) {
    Rebuilt rebuilt = rebuild(sdfg, scop, loops);
    sdfg.body = std::move(rebuilt.region);
    keep_memory(sdfg, scop);
    std::vector<std::string> symbols(scop.assigned.begin(), scop.assigned.end());
    symbols.insert(symbols.end(), rebuilt.variables.begin(), rebuilt.variables.end());
    propagate_memlets(sdfg);
    rewrite::forget_unused(sdfg, {}, symbols);
}

}  // namespace sluice::analysis
