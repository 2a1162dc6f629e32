// States to scopes of ordered nodes.
#include <algorithm>
#include <queue>

#include "code/walk.h"
#include "interpret/plan_builder.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/stream_join.h"
#include "ir/views.h"

namespace sluice::interpret {

using ir::EdgeId;
using ir::NodeId;

StateView::StateView(const ir::State& graph) : state(graph), adjacency(graph), parent(graph.nodes.id_bound()) {
    for (const NodeId id : ir::topological_order(state, adjacency)) {
        if (is_exit(id)) {
            parent[id.value] = entry_of(id);
            continue;
        }
        for (const EdgeId edge : adjacency.in(id)) {
            const NodeId from = state.edges[edge].src;
            parent[id.value] = is_entry(from) ? from : is_exit(from) ? parent[entry_of(from).value] : parent[from.value];
            break;
        }
    }
}

bool StateView::is_entry(NodeId id) const {
    return ir::is_entry(node(id));
}
bool StateView::is_exit(NodeId id) const {
    return ir::is_exit(node(id));
}
NodeId StateView::entry_of(NodeId exit) const {
    if (const auto* map = std::get_if<ir::MapExit>(&node(exit).kind)) return map->entry;
    return std::get<ir::ConsumeExit>(node(exit).kind).entry;
}

EdgeId StateView::first_edge(EdgeId id) const {
    for (;;) {
        const ir::Edge& edge = state.edges[id];
        if (!(is_entry(edge.src) || is_exit(edge.src)) || !ir::is_port_out(edge.src_connector)) return id;
        if (std::holds_alternative<ir::ConsumeEntry>(node(edge.src).kind) && edge.src_connector == ir::kStreamOut) return id;
        const auto outer = adjacency.in_at(edge.src, ir::across(edge.src_connector));
        if (!outer) return id;
        id = *outer;
    }
}
EdgeId StateView::last_edge(EdgeId id) const {
    for (;;) {
        const ir::Edge& edge = state.edges[id];
        if (!is_exit(edge.dst) || !ir::is_port_in(edge.dst_connector)) return id;
        const auto outer = adjacency.out_at(edge.dst, ir::across(edge.dst_connector));
        if (!outer) return id;
        id = *outer;
    }
}

// ---- order --------------------------------------------------------------------------------------------------------------
// Kahn's algorithm over the members, a map standing for all that it holds; ties in id order. Only its elements order the two sides
// of a bounded stream.
void PlanBuilder::order(const StateView& view, const std::vector<NodeId>& members, ScopePlan& scope) {
    std::map<NodeId, std::set<NodeId>> next;
    std::map<NodeId, std::uint32_t> before;
    for (const NodeId id : members) before[id];
    for (const NodeId id : members) {
        if (ir::joins_parts(sdfg_, view.state, view.adjacency, id)) continue;
        const auto add = [&](NodeId from) {
            for (const EdgeId edge : view.adjacency.out(from)) {
                const NodeId to = view.state.edges[edge].dst;
                if (before.contains(to) && next[id].insert(to).second) ++before[to];
            }
        };
        if (!view.is_entry(id))
            add(id);
        else
            for (auto [exit, node] : view.state.nodes)
                if (view.is_exit(exit) && view.entry_of(exit) == id) add(exit);
    }
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (const auto& [id, count] : before)
        if (count == 0) ready.push(id);
    std::map<NodeId, std::uint32_t> place;
    auto waiting = before;
    std::vector<NodeId> sorted;
    while (!ready.empty()) {
        const NodeId id = ready.top();
        ready.pop();
        place[id] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(id);
        for (const NodeId to : next[id])
            if (--waiting[to] == 0) ready.push(to);
    }
    for (const NodeId id : sorted) {
        NodePlan plan;
        plan.id = id;
        plan.predecessors = before[id];
        for (const NodeId to : next[id]) plan.successors.push_back(place.at(to));
        scope.nodes.push_back(std::move(plan));
    }
}

void PlanBuilder::relate(ScopePlan& scope) {
    // Beyond this size a state is taken as ordered: the table of its pairs would not fit.
    constexpr std::size_t kMostNodes = 4000;
    const std::size_t count = scope.nodes.size();
    scope.is_chain = true;
    if (count > kMostNodes) return;
    scope.reaches.assign(count * count, false);
    for (std::size_t at = count; at-- > 0;)
        for (const std::uint32_t next : scope.nodes[at].successors) {
            scope.reaches[at * count + next] = true;
            for (std::size_t far = next + 1; far < count; ++far)
                if (scope.reaches[next * count + far]) scope.reaches[at * count + far] = true;
        }
    for (std::size_t at = 0; at + 1 < count; ++at) scope.is_chain = scope.is_chain && scope.reaches[at * count + at + 1];
}

std::shared_ptr<ScopePlan> PlanBuilder::scope(const StateView& view, NodeId entry) {
    auto scope = std::make_shared<ScopePlan>();
    std::vector<NodeId> members;
    for (auto [id, node] : view.state.nodes)
        if (view.parent[id.value] == entry && !view.is_exit(id)) members.push_back(id);
    order(view, members, *scope);
    if (const auto allocation = allocation_scopes_.find({&view.state, entry}); allocation != allocation_scopes_.end())
        for (const std::string& name : allocation->second)
            for (const auto& [container, at] : plan_->container_slots)
                if (container == name || container.starts_with(name + ".")) scope->privates.push_back(at);
    views(view, members, *scope);
    for (const NodeId id : members)
        if (const auto* access = std::get_if<ir::Access>(&view.node(id).kind); access && access->setzero)
            if (const auto at = container(access->data)) scope->zeroed.push_back(*at);
    for (NodePlan& plan : scope->nodes) {
        plan.path = view.path + "/n" + std::to_string(plan.id.value);
        plan.label = ir::label_of(view.state, plan.id);
        node(view, plan.id, plan);
        plan.blocks = blocks(plan);
        scope->blocks = scope->blocks || plan.blocks;
    }
    relate(*scope);
    return scope;
}

bool PlanBuilder::blocks(const NodePlan& plan) const {
    if (const auto* tasklet = std::get_if<TaskletPlan>(&plan.kind)) {
        const auto bounded = [&](const OutputPlan& output) {
            if (output.kind == OutputPlan::Kind::Wire) return false;
            const ContainerPlan& container = plan_of(output.section.container);
            const auto* stream = std::get_if<ir::Stream>(&container.container->kind);
            return stream && !stream->buffer_size.is_integer(0);
        };
        return std::ranges::any_of(tasklet->inputs, [](const InputPlan& input) { return input.kind == InputPlan::Kind::Pop; }) ||
               std::ranges::any_of(tasklet->outputs, bounded);
    }
    if (const auto* access = std::get_if<AccessPlan>(&plan.kind))
        return std::ranges::any_of(
            access->copies, [](const CopyPlan& copy) { return copy.from_stream && !copy.to_stream && copy.destination.single; });
    if (const auto* defined = std::get_if<DefinitionPlan>(&plan.kind)) {
        const auto waits = [](const DefinitionPlan::Port& port) { return port.streamed.has_value(); };
        return std::ranges::any_of(defined->inputs, waits) || std::ranges::any_of(defined->outputs, waits);
    }
    if (const auto* map = std::get_if<MapPlan>(&plan.kind)) return map->body->blocks;
    if (const auto* invoke = std::get_if<InvokePlan>(&plan.kind)) return invoke->sdfg->blocks;
    return std::holds_alternative<ConsumePlan>(plan.kind);
}

// ---- nodes --------------------------------------------------------------------------------------------------------------
void PlanBuilder::node(const StateView& view, NodeId id, NodePlan& plan) {
    std::visit(code::Overloaded{[&](const ir::Access&) { plan.kind = access(view, id); },
                                [&](const ir::Tasklet&) { plan.kind = tasklet(view, id, plan.path); },
                                [&](const ir::MapEntry&) { plan.kind = map(view, id); },
                                [&](const ir::ConsumeEntry&) { plan.kind = consume(view, id); },
                                [&](const ir::NestedSdfg&) { plan.kind = invoke(view, id, plan.path); },
                                [&](const ir::LibraryNode&) { library(view, id, plan); }, [](const ir::MapExit&) {},
                                [](const ir::ConsumeExit&) {}},
               view.node(id).kind);
}

AccessPlan PlanBuilder::access(const StateView& view, NodeId id) {
    const auto& node = std::get<ir::Access>(view.node(id).kind);
    AccessPlan plan;
    const auto at = container(node.data);
    if (!at) fail({"I007", "container `" + node.data + "` is not declared", {}, view.path, "declare it", {}});
    plan.container = *at;
    const auto is_copy = [&](EdgeId e) {
        const ir::Edge& edge = view.state.edges[e];
        if (edge.memlet.empty() || ir::is_view_edge(sdfg_, view.state, view.adjacency, e)) return false;
        const ir::Node& source = view.node(view.source(e));
        const bool popped = std::holds_alternative<ir::ConsumeEntry>(source.kind);
        return (popped || std::holds_alternative<ir::Access>(source.kind)) &&
               std::holds_alternative<ir::Access>(view.node(view.target(e)).kind);
    };
    for (const EdgeId e : view.adjacency.in(id))
        if (!view.is_exit(view.state.edges[e].src) && is_copy(e)) plan.copies.push_back(copy(view, e));
    // Out of a scope the copy runs where the data comes from, once for each execution of the scope.
    for (const EdgeId e : view.adjacency.out(id))
        if (view.is_exit(view.state.edges[e].dst) && is_copy(e)) plan.copies.push_back(copy(view, e));
    return plan;
}

CopyPlan PlanBuilder::copy(const StateView& view, EdgeId e) {
    const ir::Edge& edge = view.state.edges[e];
    const ir::Memlet& memlet = edge.memlet;
    const std::string to = std::get<ir::Access>(view.node(view.target(e)).kind).data;
    CopyPlan plan;
    plan.dynamic = memlet.dynamic;
    plan.rebinds = edge.dst_connector == "set";
    const auto* access = std::get_if<ir::Access>(&view.node(view.source(e)).kind);
    const auto stream = [&](std::uint32_t at) { return plan_of(at).kind == ContainerPlan::Kind::Stream; };
    if (!access) {
        plan.from_wire = wire(view, e)->first;
        plan.destination = section(to, memlet.data == to ? memlet.subset : memlet.other_subset, view.path);
        plan.to_stream = stream(plan.destination.container);
    } else {
        const std::string& from = access->data;
        const bool names_source = from == to ? memlet.is_data_src.value_or(true) : memlet.data == from || memlet.data != to;
        plan.source = section(from, names_source ? memlet.subset : memlet.other_subset, view.path);
        plan.destination = section(to, names_source ? memlet.other_subset : memlet.subset, view.path);
        plan.from_stream = stream(plan.source.container), plan.to_stream = stream(plan.destination.container);
        plan.implied_source = !names_source && !memlet.other_subset && !plan.from_stream;
        plan.implied_destination = names_source && !memlet.other_subset && !plan.to_stream;
        plan.source.allow_oob = plan.destination.allow_oob = memlet.allow_oob;
    }
    plan.resolution = resolution(memlet.wcr, plan.destination.container, view.path);
    return plan;
}

InputPlan PlanBuilder::scalar_input(const StateView& view, EdgeId e, Scalar type) {
    const ir::Edge& edge = view.state.edges[e];
    InputPlan input;
    input.name = edge.dst_connector;
    input.to_type = type;
    if (const Wire* from = wire(view, e)) {
        input.kind = InputPlan::Kind::Wire;
        input.source = from->first, input.from_type = from->scalar;
        return input;
    }
    input.section = section(edge.memlet.data, edge.memlet.subset, view.path);
    input.from_type = plan_of(input.section.container).scalar;
    return input;
}

std::vector<std::pair<std::uint32_t, InputPlan>> PlanBuilder::range_symbols(const StateView& view, NodeId id) {
    std::vector<std::pair<std::uint32_t, InputPlan>> result;
    for (const EdgeId e : view.adjacency.in(id)) {
        const std::string& name = view.state.edges[e].dst_connector;
        if (name.empty() || ir::is_port_in(name)) continue;
        result.emplace_back(slot(name), scalar_input(view, e, symbol(name).type));
        visible_.insert(name);
    }
    return result;
}

MapPlan PlanBuilder::map(const StateView& view, NodeId id) {
    const auto& node = std::get<ir::MapEntry>(view.node(id).kind);
    MapPlan plan;
    plan.in_order = std::get<ir::MapEntry>(view.state.nodes[id].kind).schedule == ir::Schedule::FPGA_Device;
    plan.dynamic = range_symbols(view, id);
    for (std::size_t d = 0; d < node.params.size(); ++d) {
        const symbolic::Range& range = node.range.dims[d];
        plan.ranges.push_back({index(range.begin), index(range.end), index(range.step), index(range.tile)});
        plan.slots.push_back(slot(node.params[d]));
        visible_.insert(node.params[d]);
    }
    plan.body = scope(view, id);
    for (const std::string& param : node.params) visible_.extract(param);
    for (const auto& [at, input] : plan.dynamic) visible_.extract(input.name);
    return plan;
}

ConsumePlan PlanBuilder::consume(const StateView& view, NodeId id) {
    const auto& node = std::get<ir::ConsumeEntry>(view.node(id).kind);
    ConsumePlan plan;
    const auto e = view.adjacency.in_at(id, ir::kStreamIn);
    if (!e) fail({"I007", "consume scope `" + node.label + "` has no stream", {}, view.path, "connect a stream to IN_stream", {}});
    const ir::Memlet& memlet = view.state.edges[*e].memlet;
    plan.dynamic = range_symbols(view, id);
    plan.stream = section(memlet.data, memlet.subset, view.path);
    plan.num_pes = index(node.num_pes);
    const ContainerPlan& stream = plan_of(plan.stream.container);
    plan.element = add_wire(view, id, ir::kStreamOut, stream.scalar, stream.lanes).first;
    const std::string pe = node.pe_index.empty() ? "consume " + std::to_string(id.value) : node.pe_index;
    plan.pe_slot = slot(pe);
    if (node.condition) {
        const CodePlan condition = code(*ir::parsed_expr(node.condition->text).or_fail(), true, view.path);
        plan.condition = condition.program;
        plan.condition_register = condition.result;
    }
    visible_.insert(pe);
    plan.body = scope(view, id);
    visible_.extract(pe);
    for (const auto& [at, input] : plan.dynamic) visible_.extract(input.name);
    return plan;
}

InvokePlan PlanBuilder::invoke(const StateView& view, NodeId id, const std::string& path) {
    const auto& node = std::get<ir::NestedSdfg>(view.node(id).kind);
    InvokePlan plan;
    PlanBuilder inner(*node.sdfg, options_, path + "/" + node.sdfg->name);
    plan.sdfg = inner.build();
    for (const auto& [name, value] : node.symbol_mapping) {
        const auto at = plan.sdfg->symbol_slots.find(name);
        if (at == plan.sdfg->symbol_slots.end()) continue;
        if (plan.sdfg->symbols[at->second].type == Scalar::Int64) {
            plan.symbols.emplace_back(at->second, index(value));
        } else {
            const auto number = std::make_shared<Program>();
            GlobalNames names(*this);
            CodeCompiler compiler(*number, names, path);
            const Value result = compiler.convert(compiler.expression(*ir::to_code(value)), plan.sdfg->symbols[at->second].type);
            compiler.finish();
            plan.real_symbols.push_back({at->second, number, result.registers[0]});
        }
    }
    std::set<std::string> written;
    for (const EdgeId e : view.adjacency.out(id)) written.insert(view.state.edges[e].src_connector);
    const auto connect = [&](EdgeId e, const std::string& connector) {
        const ir::Memlet& memlet = view.state.edges[e].memlet;
        for (const auto& [name, at] : plan.sdfg->container_slots) {
            if (name != connector && !name.starts_with(connector + ".")) continue;
            InvokePlan::Connection connection;
            connection.inner = at;
            const ContainerPlan& inside = plan.sdfg->containers[at];
            if (inside.kind == ContainerPlan::Kind::Structure) continue;
            connection.by_value = std::holds_alternative<ir::Scalar>(inside.container->kind) && !written.contains(connector);
            if (const Wire* from = wire(view, e))
                connection.wire = from->first;
            else if (name == connector)
                connection.section = section(memlet.data, memlet.subset, path);
            else
                connection.section = section(memlet.data + name.substr(connector.size()), {}, path);
            plan.connections.push_back(std::move(connection));
        }
    };
    for (const EdgeId e : view.adjacency.in(id))
        if (!view.state.edges[e].dst_connector.empty()) connect(e, view.state.edges[e].dst_connector);
    for (const EdgeId e : view.adjacency.out(id))
        if (!view.state.edges[e].src_connector.empty()) connect(e, view.state.edges[e].src_connector);
    return plan;
}

// ---- views --------------------------------------------------------------------------------------------------------------
void PlanBuilder::views(const StateView& view, const std::vector<NodeId>& members, ScopePlan& scope) {
    std::map<std::uint32_t, EdgeId> bound;
    const auto bind = [&](NodeId id, const auto& self) -> void {
        const auto e = ir::view_edge(sdfg_, view.state, view.adjacency, id);
        if (!e) return;
        const std::uint32_t at = *container(std::get<ir::Access>(view.node(id).kind).data);
        const ir::Edge& edge = view.state.edges[*e];
        const auto [before, added] = bound.emplace(at, *e);
        if (!added && ir::view_different_places(view.state.edges[before->second], edge))
            fail({"I007",
                  "`" + plan_of(at).name + "` views two places in one scope",
                  {},
                  view.path,
                  "give each place a view of its own",
                  {}});
        if (!added) return;
        const NodeId far = edge.dst == id ? view.source(*e) : view.target(*e);
        if (std::ranges::find(members, far) != members.end()) self(far, self);
        const std::string& data = std::get<ir::Access>(view.node(far).kind).data;
        scope.views.push_back(
            {at, section(data, edge.memlet.data == data ? edge.memlet.subset : edge.memlet.other_subset, view.path)});
    };
    for (const NodeId id : members) bind(id, bind);
}

}  // namespace sluice::interpret
