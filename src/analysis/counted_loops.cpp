#include "analysis/counted_loops.h"

#include "analysis/loop_range.h"
#include "analysis/symbols.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

namespace {

void collect_written(const ir::Region& region, std::set<std::string>& names) {
    ir::for_each_state(region, [&](const ir::State& state) {
        for (auto [id, edge] : state.edges)
            if (const auto* access = std::get_if<ir::Access>(&state.nodes[edge.dst].kind); access && !edge.memlet.empty())
                names.insert(std::string(ir::root_name(access->data)));
        for (auto [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind); access && access->setzero) names.insert(access->data);
    });
}

// A view that is written writes what it views, and a reference whatever it may be bound to.
void collect_written_through(const ir::Sdfg& sdfg, std::set<std::string>& names) {
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (auto [id, edge] : state.edges) {
            const auto* target = std::get_if<ir::Access>(&state.nodes[edge.dst].kind);
            if (!target || edge.memlet.empty()) continue;
            const ir::Container* container = ir::find_container(sdfg, target->data);
            if (container && container->binding != ir::Binding::Own && names.contains(target->data))
                names.insert(std::string(ir::root_name(edge.memlet.data)));
            if (const auto* source = std::get_if<ir::Access>(&state.nodes[edge.src].kind);
                source && container && container->binding != ir::Binding::Own && names.contains(target->data))
                names.insert(std::string(ir::root_name(source->data)));
        }
    });
}

}  // namespace

std::set<std::string> written_containers(const ir::Sdfg& sdfg) {
    std::set<std::string> names;
    collect_written(sdfg.body, names);
    for (std::size_t before = 0; before != names.size();) {
        before = names.size();
        collect_written_through(sdfg, names);
    }
    return names;
}

std::optional<symbolic::Range> range_before(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    const auto range = loop_range(loop);
    if (!range) return std::nullopt;
    ir::Sdfg body;
    body.body = loop.body;
    const std::set<std::string> written = written_containers(body);
    for (const std::string& name : symbolic::free_symbols(*range))
        if (sdfg.containers.contains(name) && written.contains(name)) return std::nullopt;
    return range;
}

namespace {

struct VariableUse {
    std::set<std::string> counted;       ///< Variables of loops that count.
    std::set<std::string> disqualified;  ///< Assigned otherwise, or read outside of their loops.
};

void read_names(const std::set<std::string>& names, const std::set<std::string>& bound, VariableUse& use) {
    for (const std::string& name : names)
        if (!bound.contains(name)) use.disqualified.insert(name);
}

void read_expression(const std::string& text, const std::set<std::string>& bound, VariableUse& use) {
    if (text.empty()) return;
    if (const auto parsed = ir::parsed_expr(text)) read_names(ir::free_names(**parsed), bound, use);
}

void read_statement(const std::optional<ir::CodeBlock>& code, const std::set<std::string>& bound, VariableUse& use) {
    if (!code) return;
    if (const auto parsed = ir::parsed_body(*code)) read_names(ir::free_names(*parsed), bound, use);
}

void collect_use(const ir::Sdfg& sdfg, const ir::Region& region, const std::set<std::string>& bound, VariableUse& use) {
    for (auto [id, transition] : region.transitions) {
        read_expression(transition.condition.text, bound, use);
        for (const auto& [symbol, value] : transition.assignments) {
            use.disqualified.insert(symbol);
            read_expression(value, bound, use);
        }
    }
    for (auto [id, block] : region.blocks) {
        if (const ir::State* state = ir::as_state(block)) read_names(free_symbols(sdfg, *state), bound, use);
        if (const auto* named = std::get_if<ir::NamedRegion>(&block.kind)) collect_use(sdfg, named->body, bound, use);
        if (const auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind))
            for (const ir::Branch& branch : conditional->branches) {
                if (branch.condition) read_expression(branch.condition->text, bound, use);
                collect_use(sdfg, branch.body, bound, use);
            }
        const auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
        if (!loop) continue;
        std::set<std::string> inside = bound;
        if (!loop->variable.empty()) {
            (bound.contains(loop->variable) || !range_before(sdfg, *loop) ? use.disqualified : use.counted).insert(loop->variable);
            inside.insert(loop->variable);
        }
        read_statement(loop->init, bound, use);
        if (loop->condition) read_expression(loop->condition->text, inside, use);
        read_statement(loop->update, inside, use);
        collect_use(sdfg, loop->body, inside, use);
    }
}

}  // namespace

std::set<std::string> counted_variables(const ir::Sdfg& sdfg) {
    VariableUse use;
    collect_use(sdfg, sdfg.body, {}, use);
    for (const std::string& name : use.disqualified) use.counted.erase(name);
    return use.counted;
}

}  // namespace sluice::analysis
