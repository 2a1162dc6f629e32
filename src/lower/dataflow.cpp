#include "lower/dataflow.h"

#include <algorithm>

#include "analysis/sections.h"
#include "ir/query.h"
#include "loop/identifier.h"
#include "loop/passes/kernels.h"
#include "loop/passes/pipelines.h"
#include "lower/allocation.h"
#include "lower/launches.h"
#include "lower/sections.h"
#include "lower/state.h"
#include "lower/views.h"
#include "target/fpga.h"

namespace sluice::lower {

namespace {

using Members = std::vector<NodeId>;

/// The points of an unrolled map whose ranges are constant, in order; none: it is no such map.
std::vector<std::vector<std::int64_t>> points_of(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    if (!map.unroll && map.schedule != ir::Schedule::Unrolled) return {};
    std::vector<std::vector<std::int64_t>> points{{}};
    for (const symbolic::Range& dimension : map.range.dims) {
        const symbolic::Range range = resolve(state.function, dimension);
        const auto begin = range.begin.constant(), end = range.end.constant(), step = range.step.constant();
        if (!begin || !end || !step || *step <= 0) return {};
        std::vector<std::vector<std::int64_t>> longer;
        for (const auto& point : points)
            for (std::int64_t at = *begin; at < *end; at += *step) {
                longer.push_back(point);
                longer.back().push_back(at);
            }
        points = std::move(longer);
    }
    return points;
}

class Dataflow {
public:
    Dataflow(StateContext& state, ScopedBindings& bindings) : state_(state), function_(state.function), bindings_(bindings) {}

    void lower(const std::string& label, Body& body) {
        for (const auto& [id, node] : state_.state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind)) bind_scalar(state_, access->data, bindings_, body);
        loop::Launch launch;
        launch.kernel = fresh(function_.sdfg.name + "_" + label);
        launch.dataflow = true;
        const bool by_one = std::exchange(function_.by_one, true);
        function_.on_device = true;
        const auto separates = [&](NodeId node) {
            return is_stream(node) && !state_.adjacency.in(node).empty() && !state_.adjacency.out(node).empty();
        };
        const auto parts = analysis::components(state_.state, state_.adjacency, state_.scopes, separates);
        streams(launch.body);
        find_owners(parts);
        for (const Members& part : parts) elements(part, separates);
        function_.on_device = false;
        function_.by_one = by_one;
        if (elements_.sections.empty()) return;
        check_ends();
        check_memory();
        emit(launch.body, std::move(elements_));
        emit(body, std::move(launch));
    }

private:
    bool is_stream(NodeId node) const {
        const auto* access = std::get_if<ir::Access>(&state_.node(node).kind);
        const ir::Container* container = access ? ir::find_container(function_.sdfg, access->data) : nullptr;
        return container && std::holds_alternative<ir::Stream>(container->kind);
    }
    /// Of a function, which no variable of the caller hides.
    std::string fresh(const std::string& base) {
        std::string name = function_.module.function_names.fresh(loop::identifier(base));
        while (function_.names.taken(name)) name = function_.module.function_names.fresh(loop::identifier(base));
        return name;
    }

    // ---- memory ----
    std::set<std::string> names_in(const Members& part) const {
        std::set<std::string> names;
        std::vector<NodeId> open(part.begin(), part.end());
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            if (const auto* access = std::get_if<ir::Access>(&state_.node(id).kind)) names.insert(access->data);
            for (const auto& edges : {state_.adjacency.in(id), state_.adjacency.out(id)})
                for (const ir::EdgeId edge : edges) names.insert(state_.state.edges[edge].memlet.data);
            if (ir::is_entry(state_.node(id)))
                for (const NodeId child : state_.scopes.children(id)) open.push_back(child);
        }
        return names;
    }
    void streams(Body& body) {
        std::set<std::string> names;
        for (const auto& [id, node] : state_.state.nodes)
            if (is_stream(id)) names.insert(std::get<ir::Access>(node.kind).data);
        for (const std::string& name : names)
            if (function_.on_chip.contains(name)) allocate(function_, name, &bindings_, body);
    }
    void find_owners(const std::vector<Members>& parts) {
        for (std::size_t at = 0; at < parts.size(); ++at)
            for (const std::string& name : names_in(parts[at])) {
                if (!function_.on_chip.contains(name)) continue;
                const ir::Container& container = function_.sdfg.containers.at(name);
                if (std::holds_alternative<ir::Stream>(container.kind)) continue;
                if (!owners_.emplace(name, at).second)
                    refuse({"L031", "two processing elements use `" + name + "`, which lies on the chip", container.metadata.where,
                            state_.path + "/" + name, "let a stream join them, or let it lie in FPGA_Global, with SetStorage"});
            }
        number_ = 0;
    }
    void own_memory(Body& body, ScopedBindings& bindings) {
        for (const auto& [name, owner] : owners_)
            if (owner == number_) allocate(function_, name, &bindings, body);
    }

    // ---- elements ----
    void elements(const Members& part, const std::function<bool(NodeId)>& separates) {
        Members code;
        for (const NodeId node : part)
            if (!std::holds_alternative<ir::Access>(state_.node(node).kind) && !ir::is_exit(state_.node(node)))
                code.push_back(node);
        const auto points = code.size() == 1 && std::holds_alternative<ir::MapEntry>(state_.node(code[0]).kind)
                                ? points_of(state_, code[0])
                                : std::vector<std::vector<std::int64_t>>();
        if (points.empty()) {
            Body section;
            ScopedBindings scope(function_);
            own_memory(section, scope);
            bind_views(state_, part, scope, section);
            for (const NodeId node : part) clear_at_start(state_, node, section);
            for (const NodeId node : part) lower_node(state_, node, code.size() <= 1, section);
            lower_feeds(state_, part, separates, section);
            add(name_of(part, code), std::move(section));
        }
        for (const auto& point : points) replicate(code[0], point);
        ++number_;
    }
    void replicate(NodeId entry, const std::vector<std::int64_t>& point) {
        const auto& map = std::get<ir::MapEntry>(state_.node(entry).kind);
        for (const auto& [name, owner] : owners_)
            if (owner == number_)
                refuse({"L031", "the points of unrolled map `" + map.label + "` share `" + name + "`, which lies on the chip",
                        state_.node(entry).metadata.where, state_.path_of(entry), "let it lie in the scope of the map"});
        Body section;
        ScopedBindings scope(function_);
        std::string name = map.label;
        for (std::size_t d = 0; d < point.size(); ++d) {
            scope.bind(map.params[d], SymbolSlot{map.params[d], code::Scalar::Int64, true, point[d]});
            name += "_" + std::to_string(point[d]);
        }
        lower_children(state_, entry, section);
        add(name, std::move(section));
    }
    void add(const std::string& name, Body section) {
        if (section.empty()) return;
        loop::pipeline_loops(section);
        elements_.names.push_back(fresh(name));
        elements_.sections.push_back(std::move(section));
    }
    std::string name_of(const Members& part, const Members& code) const {
        if (code.empty()) return "copy_" + ir::label_of(state_.state, part.front());
        const auto* map = std::get_if<ir::MapEntry>(&state_.node(code.front()).kind);
        return map ? map->label : ir::label_of(state_.state, code.front());
    }

    // ---- what elements have in common ----
    void check_ends() const {
        const std::vector<std::string> shared = loop::ends_in_common(elements_);
        if (!shared.empty())
            refuse({"L031",
                    "a stream on an FPGA has one end of each kind, but " + shared.front(),
                    {},
                    state_.path,
                    "let each element have a stream of its own"});
    }
    void check_memory() const {
        std::vector<loop::Uses> uses;
        for (const Body& section : elements_.sections) uses.push_back(loop::uses_of(function_.module.module, section));
        for (const auto& [name, slot] : function_.slots) {
            if (slot.space != loop::Space::Global) continue;
            for (std::size_t one = 0; one < uses.size(); ++one)
                for (std::size_t other = 0; uses[one].written.contains(slot.name) && other < uses.size(); ++other)
                    if (other != one && uses[other].named.contains(slot.name))
                        refuse({"L031",
                                "processing element `" + elements_.names[one] + "` writes `" + name + "`, which `" +
                                    elements_.names[other] + "` uses at the same time",
                                slot.container->metadata.where, state_.path,
                                "let a stream carry the values, or let two states, one behind the other, use it"});
        }
    }

    StateContext& state_;
    FunctionContext& function_;
    ScopedBindings& bindings_;
    loop::ParallelSections elements_;
    std::map<std::string, std::size_t> owners_;  ///< Memory on the chip, by the number of its component.
    std::size_t number_ = 0;
};

}  // namespace

bool is_kernel(const StateContext& state) {
    const FunctionContext& function = state.function;
    return function.module.options.target->fpga && !function.on_device && target::is_fpga_kernel(function.sdfg, state.state);
}

void lower_dataflow(StateContext& state, const std::string& label, ScopedBindings& bindings, Body& body) {
    Dataflow(state, bindings).lower(label, body);
}

}  // namespace sluice::lower
