#include "transform/device/device.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

#include "analysis/symbols.h"
#include "ir/adjacency.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "target/device.h"

namespace sluice::transform {

namespace {

std::optional<std::string> why_not(const ir::Container& container, const std::string& name, const KernelOptions& options) {
    const code::DType& type = container.dtype;
    const bool queue = target::is_queue_of_device(container);
    if (std::holds_alternative<ir::Stream>(container.kind) && !queue) return "`" + name + "` is a stream";
    if (!queue && !std::holds_alternative<ir::Array>(container.kind) && !std::holds_alternative<ir::Scalar>(container.kind))
        return "`" + name + "` is neither an array nor a scalar";
    if (type.compound) return "`" + name + "` holds structures";
    const bool complex = code::is_complex(type.scalar) && options.schedule != ir::Schedule::GPU_Device;
    const bool reserved = !container.shape.empty() && container.shape[0].is_integer(ir::kReservedExtent);
    if (reserved && options.schedule == ir::Schedule::GPU_Device) return "`" + name + "` has room for as many elements as come";
    if (type.lanes > 1 || complex || type.scalar == code::Scalar::Float16) return "`" + name + "` holds " + code::to_string(type);
    return std::nullopt;
}

std::optional<std::string> why_not(const ir::Tasklet& tasklet, const Span& where) {
    const std::string what = "tasklet `" + tasklet.label + "` ";
    const bool spoken = tasklet.code.language == ir::Language::Python || tasklet.code.language == ir::Language::CPP ||
                        tasklet.code.language == ir::Language::OpenCL;  // By the kernels of some target, which lowering knows.
    if (!spoken) return what + "is written in " + std::string(ir::to_string(tasklet.code.language));
    if (!tasklet.environments.empty() || !tasklet.code_global.text.empty()) return what + "brings code of its own";
    if (target::asserts(tasklet, where)) return what + "holds an assertion";
    return std::nullopt;
}

/// A transient of a call whose size is no constant, as far as the values of its symbols say: no thread has memory for it.
std::optional<std::string> unsized(const ir::NestedSdfg& nested) {
    const symbolic::Substitution values(nested.symbol_mapping.begin(), nested.symbol_mapping.end());
    for (const auto& [name, container] : nested.sdfg->containers) {
        if (!container.transient || container.binding != ir::Binding::Own) continue;
        for (const symbolic::Expr& extent : container.shape)
            if (!symbolic::substitute(extent, values).constant())
                return "`" + name + "`, which each point has, is of no constant size";
    }
    return std::nullopt;
}

/// The last names of what the code calls: `sin` of `np.sin(x)`.
std::set<std::string> called_in(const std::string& text) {
    std::set<std::string> names;
    std::string name;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            name += c;
            continue;
        }
        if (c == '(' && !name.empty()) names.insert(name);
        name.clear();
    }
    return names;
}

/// Kernels have these functions of complex numbers alone (codegen/device/complex_values.cpp), and of complex128 threads share sums.
constexpr std::array<std::string_view, 38> kOfComplexNumbers{
    "true_divide", "divide", "negative", "positive", "real",   "imag",       "conj",    "conjugate", "abs",         "absolute",
    "angle",       "isnan",  "isinf",    "isfinite", "square", "reciprocal", "minimum", "maximum",   "logical_and", "logical_or",
    "exp",         "log",    "sqrt",     "power",    "pow",    "min",        "max",     "complex64", "complex128",  "float32",
    "float64",     "float",  "int",      "int64",    "int32",  "bool",       "where",   "complex"};

std::optional<std::string> why_no_complex(const ir::Sdfg& sdfg, const ir::State& state, std::span<const ir::NodeId> nodes) {
    const auto is_complex = [&](const ir::Memlet& memlet) {
        const ir::Container* container = memlet.empty() ? nullptr : ir::find_container(sdfg, memlet.data);
        return container && code::is_complex(container->dtype.scalar);
    };
    bool any = false;
    for (const ir::EdgeId id : rewrite::edges_at(state, nodes)) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        if (!is_complex(memlet)) continue;
        any = true;
        const bool wide = ir::find_container(sdfg, memlet.data)->dtype.scalar == code::Scalar::Complex128;
        if (wide && memlet.wcr && memlet.wcr->type() != code::ReductionType::Sum && memlet.wcr->type() != code::ReductionType::Sub)
            return "points share `" + memlet.data + "` of complex128, and not by sums";
    }
    if (!any) return std::nullopt;
    for (const ir::NodeId id : nodes)
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&state.nodes[id].kind);
            tasklet && tasklet->code.language == ir::Language::Python)
            for (const std::string& name : called_in(tasklet->code.text))
                if (std::ranges::find(kOfComplexNumbers, name) == kOfComplexNumbers.end())
                    return "tasklet `" + tasklet->label + "` calls `" + name + "` and has complex numbers";
    return std::nullopt;
}

std::optional<std::string> why_not(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId id, const KernelOptions& options) {
    const ir::Node& node = state.nodes[id];
    if (std::holds_alternative<ir::ConsumeEntry>(node.kind)) return "it holds a consume scope";
    if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind)) return "it calls `" + library->label + "`";
    if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) return why_not(*tasklet, node.metadata.where);
    if (const auto* access = std::get_if<ir::Access>(&node.kind))
        if (const ir::Container* container = ir::find_container(sdfg, access->data))
            return why_not(*container, access->data, options);
    const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
    if (!nested) return std::nullopt;
    std::optional<std::string> reason;
    for (const auto& [name, container] : nested->sdfg->containers)
        if (auto why = why_not(container, name, options)) reason = why;
    if (options.schedule == ir::Schedule::GPU_Device)
        if (auto why = unsized(*nested)) reason = why;
    ir::for_each_state(nested->sdfg->body, [&](const ir::State& inner) {
        std::vector<ir::NodeId> all;
        for (auto [at, one] : inner.nodes) {
            all.push_back(at);
            if (auto why = why_not(*nested->sdfg, inner, at, options)) reason = why;
        }
        if (auto why = why_no_complex(*nested->sdfg, inner, all)) reason = why;
    });
    return reason;
}

/// On an FPGA a point of an unrolled map is hardware of its own.
bool stays_unrolled(const ir::MapEntry& map, const KernelOptions& options) {
    return options.schedule == ir::Schedule::FPGA_Device && (map.unroll || map.schedule == ir::Schedule::Unrolled);
}
/// Of a map inside of a kernel; so does one that the threads of a block share.
bool keeps_schedule(const ir::MapEntry& map, const KernelOptions& options) {
    const bool shared = options.schedule == ir::Schedule::GPU_Device && map.schedule == ir::Schedule::GPU_ThreadBlock;
    return shared || stays_unrolled(map, options);
}

void take_back(ir::MapEntry& map) {
    map.collapse = 1;
    map.omp_num_threads = map.omp_chunk_size = 0;
    map.omp_schedule = ir::OmpSchedule::Default;
    map.omp_if = symbolic::boolean(true);
    map.private_updates.clear();
    map.simd = map.nosync = false;
}

void make_own(ir::Container& container, const KernelOptions& options) {
    const bool open = container.storage == ir::Storage::Default || container.storage == ir::Storage::CPU_Heap ||
                      container.storage == ir::Storage::CPU_ThreadLocal;
    const bool own = container.transient && container.binding == ir::Binding::Own;
    if (own && open && std::holds_alternative<ir::Array>(container.kind)) {
        container.storage = options.own_memory;
        container.lifetime = ir::Lifetime::Scope;
    }
}

}  // namespace

std::optional<std::string> why_no_kernel(const ir::Container& container, const std::string& name) {
    return why_not(container, name, {});
}

std::optional<std::string> why_no_kernel(const ir::Sdfg& sdfg, const ir::State& state, const analysis::ScopeTree& scopes,
                                         ir::NodeId entry, const KernelOptions& options) {
    std::vector<ir::NodeId> nodes = rewrite::nodes_inside(scopes, entry);
    for (const ir::NodeId node : nodes)
        if (auto why = why_not(sdfg, state, node, options)) return why;
    nodes.push_back(entry);
    nodes.push_back(scopes.exit_of(entry));
    if (auto why = why_no_complex(sdfg, state, nodes)) return why;
    for (const ir::EdgeId id : rewrite::edges_at(state, nodes)) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        const ir::Container* container = memlet.empty() ? nullptr : ir::find_container(sdfg, memlet.data);
        if (container)
            if (auto why = why_not(*container, memlet.data, options)) return why;
    }
    return std::nullopt;
}

std::optional<std::string> why_no_kernel(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                         ir::NodeId id, const ir::Tasklet& tasklet, const KernelOptions& options) {
    for (const bool out : {false, true})
        for (const ir::EdgeId edge : out ? adjacency.out(id) : adjacency.in(id)) {
            const ir::Edge& e = state.edges[edge];
            if (e.memlet.empty() && e.src_connector.empty() && e.dst_connector.empty()) continue;
            if (!std::holds_alternative<ir::Access>(state.nodes[out ? e.dst : e.src].kind))
                return "tasklet `" + tasklet.label + "` exchanges values with another node directly";
            if (const ir::Container* container = ir::find_container(sdfg, e.memlet.data))
                if (auto why = why_not(*container, e.memlet.data, options)) return why;
        }
    if (auto why = why_no_complex(sdfg, state, {&id, 1})) return why;
    return why_not(tasklet, state.nodes[id].metadata.where);
}

void make_called(ir::Sdfg& sdfg, const KernelOptions& options) {
    if (options.register_trans)
        for (auto&& [name, container] : sdfg.containers) make_own(container, options);
    ir::for_each_block(sdfg.body, [&](ir::Block& block) {
        if (auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) loop->schedule = ir::Schedule::Default;
        ir::State* state = ir::as_state(block);
        if (!state) return;
        state->schedule = ir::Schedule::Default;
        for (auto [id, edge] : state->edges) edge.memlet.wcr_nonatomic = false, edge.memlet.schedule = ir::Schedule::Default;
        for (auto [id, node] : state->nodes) {
            if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) {
                take_back(*map);
                if (!keeps_schedule(*map, options)) map->schedule = options.inner_schedule;
            }
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) make_called(nested->sdfg.edit(), options);
        }
    });
}

void make_kernel(ir::Sdfg& sdfg, ir::State& state, ir::NodeId entry, const KernelOptions& options) {
    std::vector<ir::NodeId> nodes;
    {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        nodes = rewrite::nodes_inside(scopes, entry);
        nodes.push_back(scopes.exit_of(entry));
    }
    for (const ir::EdgeId id : rewrite::edges_at(state, nodes)) {
        state.edges[id].memlet.wcr_nonatomic = false;
        state.edges[id].memlet.schedule = ir::Schedule::Default;
    }
    for (const ir::NodeId id : nodes) {
        ir::Node& node = state.nodes[id];
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind); map && options.sequential_innermaps) {
            take_back(*map);
            if (!keeps_schedule(*map, options)) map->schedule = options.inner_schedule;
        }
        if (auto* access = std::get_if<ir::Access>(&node.kind); access && options.register_trans)
            if (sdfg.containers.contains(access->data)) make_own(sdfg.containers.at(access->data), options);
        if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) make_called(nested->sdfg.edit(), options);
    }
    if (auto* consume = std::get_if<ir::ConsumeEntry>(&state.nodes[entry].kind)) {
        consume->schedule = options.schedule;
        return;
    }
    auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    take_back(map);
    if (stays_unrolled(map, options)) return;
    map.unroll = false;
    map.unroll_factor = 0;
    map.schedule = options.schedule;
}

ir::NodeId wrap_in_map(ir::State& state, ir::NodeId code) {
    const ir::Adjacency adjacency(state);
    const std::vector<ir::EdgeId> in(adjacency.in(code).begin(), adjacency.in(code).end());
    const std::vector<ir::EdgeId> out(adjacency.out(code).begin(), adjacency.out(code).end());
    ir::StateBuilder builder(state);
    const std::string label = ir::label_of(state, code);
    const auto [entry, exit] = builder.map(label + "_kernel", {{"__" + label + "_point", "0:1"}});
    state.nodes[entry].metadata = state.nodes[code].metadata;
    bool enters = false, leaves = false;
    for (const ir::EdgeId id : in) {
        const ir::Edge edge = state.edges[id];
        state.edges[id].dst = entry;
        if (edge.memlet.empty()) continue;
        const std::string name = rewrite::add_passing_connector(state.nodes[entry], edge.memlet.data);
        state.edges[id].dst_connector = ir::port_in(name);
        builder.edge(entry, ir::port_out(name), code, edge.dst_connector, edge.memlet);
        enters = true;
    }
    for (const ir::EdgeId id : out) {
        const ir::Edge edge = state.edges[id];
        state.edges[id].src = exit;
        if (edge.memlet.empty()) continue;
        const std::string name = rewrite::add_passing_connector(state.nodes[exit], edge.memlet.data);
        state.edges[id].src_connector = ir::port_out(name);
        builder.edge(code, edge.src_connector, exit, ir::port_in(name), edge.memlet);
        leaves = true;
    }
    if (!enters) builder.edge(entry, {}, code, {}, ir::no_memlet());
    if (!leaves) builder.edge(code, {}, exit, {}, ir::no_memlet());
    return entry;
}

void read_through_host(ir::Sdfg& sdfg, ir::State& state, ir::EdgeId id) {
    const ir::Edge edge = state.edges[id];
    const ir::Container* from = ir::find_container(sdfg, edge.memlet.data);
    const std::string name = ir::fresh_name(sdfg, "host_" + std::string(ir::root_name(edge.memlet.data)));
    ir::add_scalar(sdfg, name, from->dtype, true);
    ir::StateBuilder builder(state);
    const ir::NodeId value = builder.access(name);
    builder.edge(edge.src, edge.src_connector, value, {}, edge.memlet);
    builder.edge(value, {}, edge.dst, edge.dst_connector, ir::memlet(name));
    state.edges.erase(id);
}

}  // namespace sluice::transform
