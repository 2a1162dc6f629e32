// Recovers structured code from a region's blocks and transitions. Where the machine is reducible, a loop is the natural loop of a
// back edge and a branch ends where its sides join (the immediate postdominator); every jump is then a fall-through, a `break` or a
// `continue` of the innermost loop. A machine that does not fit is printed with labels and jumps instead: each block in a scope
// of its own, so that no jump passes a declaration.
#include <algorithm>

#include "lower/flow_graph.h"
#include "lower/regions.h"

namespace sluice::lower {

namespace {

/// Thrown when the machine does not fit the structured forms.
struct Unstructured {};

struct LoopContext {
    int header = -1, exit = -1;
};

bool is_empty_state(const ir::Block& block) {
    const ir::State* state = ir::as_state(block);
    return state && state->nodes.empty();
}

class StructuredWriter {
public:
    StructuredWriter(Regions& regions, const ir::Region& region, const FlowGraph& graph)
        : regions_(regions), region_(region), graph_(graph), written_(graph.blocks.size(), false) {}

    void write(Body& body) { sequence(0, graph_.exit(), {}, body); }

private:
    // Blocks from `at` on until control reaches `stop`.
    void sequence(int at, int stop, LoopContext loop, Body& body) {
        while (at != stop) {
            if (at == graph_.exit() || written_[static_cast<std::size_t>(at)]) throw Unstructured{};
            if (graph_.is_loop_header(at) && loop.header != at) {
                const int exit = loop_exit(at);
                write_loop(at, exit, body);
                at = exit;
                if (at != stop && (at == loop.header || at == loop.exit)) return leave(at, stop, loop, body);
                continue;
            }
            lower_block(regions_, block(at), body);
            written_[static_cast<std::size_t>(at)] = true;
            at = after_block(at, stop, loop, body);
            if (at < 0) return;
        }
    }

    // What follows a block: the next one of the sequence, or -1 if every way out is written.
    int after_block(int at, int stop, const LoopContext& loop, Body& body) {
        const std::vector<FlowGraph::Jump>& jumps = graph_.jumps[static_cast<std::size_t>(at)];
        if (jumps.size() == 1) {
            assign(jumps[0], body);
            const int target = jumps[0].target;
            if (target == stop) return stop;
            if (target == loop.header || target == loop.exit || target == graph_.exit()) return leave(target, stop, loop, body), -1;
            if (graph_.dominator[static_cast<std::size_t>(target)] != at) throw Unstructured{};
            return target;
        }
        int join = graph_.join[static_cast<std::size_t>(at)];
        // Sides that meet only outside of the innermost loop leave it one by one.
        if (join < 0 || join == stop || join == loop.exit || join == loop.header ||
            (loop.header >= 0 && !graph_.in_loop(loop.header, join)) || !graph_.dominates(at, join))
            join = stop;
        branches(at, 0, join, loop, body);
        return join;
    }

    void branches(int at, std::size_t next, int join, const LoopContext& loop, Body& body) {
        const FlowGraph::Jump& jump = graph_.jumps[static_cast<std::size_t>(at)][next];
        if (jump.otherwise) return side(at, jump, join, loop, body);
        loop::If choice{condition_of(regions_, jump.transition->condition), {}, {}};
        {
            ScopedBindings bindings(regions_.function);
            side(at, jump, join, loop, choice.then_body);
        }
        ScopedBindings bindings(regions_.function);
        branches(at, next + 1, join, loop, choice.else_body);
        emit(body, std::move(choice), jump.transition->metadata.where);
    }

    void side(int at, const FlowGraph::Jump& jump, int join, const LoopContext& loop, Body& body) {
        assign(jump, body);
        if (jump.target == join) return;
        if (jump.target == loop.header || jump.target == loop.exit || jump.target == graph_.exit())
            return leave(jump.target, join, loop, body);
        if (graph_.dominator[static_cast<std::size_t>(jump.target)] != at) throw Unstructured{};
        sequence(jump.target, join, loop, body);
    }

    void leave(int target, int stop, const LoopContext& loop, Body& body) {
        if (target == stop) return;
        if (target == loop.header) return emit(body, loop::Continue{});
        if (target == loop.exit) return emit(body, loop::Break{});
        throw Unstructured{};
    }

    int loop_exit(int header) const {
        int exit = graph_.join[static_cast<std::size_t>(header)];
        while (exit >= 0 && exit != graph_.exit() && graph_.in_loop(header, exit))
            exit = graph_.join[static_cast<std::size_t>(exit)];
        return exit < 0 ? graph_.exit() : exit;
    }

    void write_loop(int header, int exit, Body& body) {
        const auto& allocations = regions_.allocations.before_loop;
        if (const auto own = allocations.find(&block(header)); own != allocations.end())
            for (const std::string& name : own->second) allocate(regions_.function, name, nullptr, body);
        if (!regions_.loops.empty() && !regions_.loops.back().through_raw_loop) {
            regions_.loops.back().through_raw_loop = true;
            write_loop_inside(header, exit, body);
            regions_.loops.back().through_raw_loop = false;
            return;
        }
        write_loop_inside(header, exit, body);
    }

    void write_loop_inside(int header, int exit, Body& body) {
        const LoopContext inside{header, exit};
        loop::While loop{loop::integer_value(1, code::Scalar::Bool), false, {}};
        regions_.function.loops.push_back({"", {}, false});
        const FlowGraph::Jump* leaving = guard(header, exit, loop);
        {
            ScopedBindings bindings(regions_.function);
            if (leaving) {
                written_[static_cast<std::size_t>(header)] = true;
                const FlowGraph::Jump& entering = other_jump(header, *leaving);
                assign(entering, loop.body);
                if (entering.target != header) sequence(entering.target, header, inside, loop.body);
            } else {
                iterate(header, inside, loop.body);
            }
        }
        regions_.function.loops.pop_back();
        emit(body, std::move(loop));
        if (leaving) assign(*leaving, body);
    }

    // The body of an endless loop: the header's block, then on to the header again.
    void iterate(int header, const LoopContext& inside, Body& body) {
        lower_block(regions_, block(header), body);
        written_[static_cast<std::size_t>(header)] = true;
        const int next = after_block(header, header, inside, body);
        if (next >= 0 && next != header) sequence(next, header, inside, body);
    }

    // A header that only tests: `while (condition)`. Returns the jump that leaves the loop and sets the condition.
    const FlowGraph::Jump* guard(int header, int exit, loop::While& loop) {
        const std::vector<FlowGraph::Jump>& jumps = graph_.jumps[static_cast<std::size_t>(header)];
        if (!is_empty_state(block(header)) || jumps.size() != 2) return nullptr;
        const bool first_enters = graph_.in_loop(header, jumps[0].target), second_enters = graph_.in_loop(header, jumps[1].target);
        if (first_enters == second_enters) return nullptr;
        const FlowGraph::Jump& leaving = first_enters ? jumps[1] : jumps[0];
        if (leaving.target != exit) return nullptr;
        loop.condition = condition_of(regions_, jumps[0].transition->condition);
        if (!first_enters) loop.condition = loop::unary(loop::UnaryOp::LogicalNot, loop.condition);
        return &leaving;
    }

    const FlowGraph::Jump& other_jump(int header, const FlowGraph::Jump& jump) const {
        const std::vector<FlowGraph::Jump>& jumps = graph_.jumps[static_cast<std::size_t>(header)];
        return &jumps[0] == &jump ? jumps[1] : jumps[0];
    }

    void assign(const FlowGraph::Jump& jump, Body& body) {
        if (jump.transition) assign_symbols(regions_, *jump.transition, body);
    }
    const ir::Block& block(int at) const { return region_.blocks[graph_.blocks[static_cast<std::size_t>(at)]]; }

    Regions& regions_;
    const ir::Region& region_;
    const FlowGraph& graph_;
    std::vector<bool> written_;
};

// Labels and jumps.
void write_jumps(Regions& regions, const ir::Region& region, const FlowGraph& graph, Body& body) {
    const int first = regions.labels;
    regions.labels += graph.exit() + 1;
    const auto label = [&](int at) {
        const std::string name = at == graph.exit() ? "leave" : region.blocks[graph.blocks[static_cast<std::size_t>(at)]].label;
        return "state_" + std::to_string(first + at) + "_" + name;
    };
    for (int at = 0; at < graph.exit(); ++at) {
        const ir::Block& block = region.blocks[graph.blocks[static_cast<std::size_t>(at)]];
        emit(body, loop::Label{label(at)});
        if (regions.allocations.before_block.contains(&block) || regions.allocations.before_loop.contains(&block))
            refuse({"L014", "the size of a transient depends on a symbol that an irreducible state machine assigns",
                    block.metadata.where, regions.function.path + "/" + block.label,
                    "write the control flow with loop and conditional regions"});
        loop::Block scope{block.label, {}};
        {
            ScopedBindings bindings(regions.function);
            lower_block(regions, block, scope.body);
        }
        if (!scope.body.empty()) emit(body, std::move(scope));
        for (const FlowGraph::Jump& jump : graph.jumps[static_cast<std::size_t>(at)]) {
            Body taken;
            if (jump.transition) assign_symbols(regions, *jump.transition, taken);
            emit(taken, loop::Goto{label(jump.target)});
            if (!jump.otherwise)
                emit(body, loop::If{condition_of(regions, jump.transition->condition), std::move(taken), {}});
            else
                for (loop::Statement& statement : taken) body.push_back(std::move(statement));
        }
    }
    emit(body, loop::Label{label(graph.exit())});
}

}  // namespace

void lower_state_machine(Regions& regions, const ir::Region& region, Body& body) {
    const FlowGraph graph(region);
    if (graph.reducible) {
        // The attempt may fail halfway: what it emitted is dropped, and so are functions of nested SDFGs it added.
        Body structured;
        const auto functions = regions.function.module.module.functions.size();
        const auto persistent = regions.function.module.module.persistent.size();
        const auto open_loops = regions.function.loops.size();
        const auto region_loops = regions.loops;
        const auto slots = regions.function.slots;
        try {
            StructuredWriter(regions, region, graph).write(structured);
            for (loop::Statement& statement : structured) body.push_back(std::move(statement));
            return;
        } catch (const Unstructured&) {
            regions.function.module.module.functions.resize(functions);
            regions.function.module.module.persistent.resize(persistent);
            regions.function.loops.resize(open_loops);
            regions.loops = region_loops;
            regions.function.slots = slots;
        }
    }
    write_jumps(regions, region, graph, body);
}

}  // namespace sluice::lower
