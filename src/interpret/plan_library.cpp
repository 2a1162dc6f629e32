// Library nodes whose meaning is given directly; others are expanded by the caller first.
#include <algorithm>

#include "code/walk.h"
#include "interpret/plan_builder.h"

namespace sluice::interpret {

namespace {

std::optional<double> number_of(const ir::Property& property) {
    if (const auto* value = std::get_if<bool>(&property)) return *value;
    if (const auto* value = std::get_if<std::int64_t>(&property)) return static_cast<double>(*value);
    if (const auto* value = std::get_if<double>(&property)) return *value;
    if (const auto* value = std::get_if<symbolic::Expr>(&property)) {
        if (value->is_integer()) return static_cast<double>(value->integer());
        if (value->kind() == symbolic::Kind::Real) return value->real();
        return std::nullopt;
    }
    const auto* text = std::get_if<std::string>(&property);
    if (!text) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text->c_str(), &end);
    return end == text->c_str() ? std::nullopt : std::optional(value);
}

const ir::Property* property_of(const ir::LibraryNode& node, const std::string& name) {
    const auto found = node.properties.find(name);
    return found == node.properties.end() || std::holds_alternative<std::monostate>(found->second) ? nullptr : &found->second;
}

}  // namespace

DefinitionPlan PlanBuilder::definition(const StateView& view, ir::NodeId id, ir::Meaning meaning, const std::string& path) {
    DefinitionPlan plan{.inputs = {}, .outputs = {}, .reads_outputs = meaning.reads_outputs, .run = std::move(meaning.run)};
    for (const bool in : {true, false})
        for (const ir::EdgeId e : in ? view.adjacency.in(id) : view.adjacency.out(id)) {
            const auto operand = meaning.operands.find(e);
            if (operand == meaning.operands.end()) continue;
            const ir::Memlet& memlet = view.state.edges[e].memlet;
            SectionPlan at = section(memlet.data, memlet.subset, path);
            const ContainerPlan& container = plan_of(at.container);
            std::optional<Index> streamed;
            if (container.kind == ContainerPlan::Kind::Stream) streamed = index(memlet.volume);
            if (container.lanes != 1)
                fail({"I007",
                      "an operand of a library node is no array of numbers",
                      view.node(id).metadata.where,
                      path,
                      "expand the node first",
                      {}});
            auto resolves = in || streamed ? nullptr : resolution(memlet.wcr, at.container, path);
            (in ? plan.inputs : plan.outputs).push_back({operand->second, std::move(at), std::move(resolves), std::move(streamed)});
        }
    return plan;
}

CallPlan PlanBuilder::library_call(const StateView& view, ir::Call call, const std::string& path) {
    CallPlan plan{.arguments = {}, .run = std::move(call.run)};
    for (const auto& argument : call.arguments)
        std::visit(code::Overloaded{
                       [&](ir::EdgeId edge) {
                           const ir::Memlet& memlet = view.state.edges[edge].memlet;
                           plan.arguments.emplace_back(section(memlet.data, memlet.subset, path));
                       },
                       [&](const ir::Number& number) { plan.arguments.emplace_back(number); },
                       [&](const symbolic::Expr& size) { plan.arguments.emplace_back(index(size)); },
                   },
                   argument);
    return plan;
}

void PlanBuilder::library(const StateView& view, ir::NodeId id, NodePlan& plan) {
    const auto& node = std::get<ir::LibraryNode>(view.node(id).kind);
    const auto section_at = [&](bool in, const std::string& connector) -> std::optional<SectionPlan> {
        for (const ir::EdgeId e : in ? view.adjacency.in(id) : view.adjacency.out(id)) {
            const ir::Edge& edge = view.state.edges[e];
            if (edge.memlet.empty() || (!connector.empty() && (in ? edge.dst_connector : edge.src_connector) != connector))
                continue;
            return section(edge.memlet.data, edge.memlet.subset, plan.path);
        }
        return std::nullopt;
    };
    const auto refuse = [&](const std::string& why) {
        fail({"I007", "library node `" + node.label + "` " + why, view.node(id).metadata.where, plan.path, "expand it first", {}});
    };
    if (options_.library) {
        ir::Meaning meaning = options_.library(sdfg_, view.state, id, plan.path);
        if (meaning.call) return plan.kind = library_call(view, std::move(*meaning.call), plan.path), void();
        if (meaning.run) return plan.kind = definition(view, id, std::move(meaning), plan.path), void();
    }
    if (node.operation == "Reduce") {
        const auto source = section_at(true, ""), destination = section_at(false, "");
        const ir::Property* wcr = property_of(node, "wcr");
        const auto* text = wcr ? std::get_if<std::string>(wcr) : nullptr;
        if (!source || !destination || !text) return refuse("lacks an input, an output or its wcr");
        ReducePlan reduce{*source, *destination, {}, resolution(*text, destination->container, plan.path), {}};
        const std::size_t rank = plan_of(source->container).shape.size();
        const ir::Property* axes = property_of(node, "axes");
        const auto* listed = axes ? std::get_if<std::vector<std::int64_t>>(axes) : nullptr;
        reduce.reduced.assign(rank, !axes);
        const auto mark = [&](std::int64_t axis) {
            if (axis < 0) axis += static_cast<std::int64_t>(rank);
            if (axis >= 0 && axis < static_cast<std::int64_t>(rank)) reduce.reduced[static_cast<std::size_t>(axis)] = true;
        };
        if (listed)
            std::ranges::for_each(*listed, mark);
        else if (axes)
            if (const auto axis = number_of(*axes)) mark(static_cast<std::int64_t>(*axis));
        if (const ir::Property* identity = property_of(node, "identity")) {
            reduce.identity = number_of(*identity);
            if (!reduce.identity) return refuse("has an identity that is no number");
        }
        plan.kind = std::move(reduce);
        return;
    }
    refuse("(" + node.operation + ") has no meaning of its own here");
}

}  // namespace sluice::interpret
