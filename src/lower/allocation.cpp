#include "lower/allocation.h"

#include <algorithm>
#include <set>

#include "analysis/symbols.h"
#include "ir/query.h"
#include "ir/streams.h"
#include "ir/walk.h"
#include "lower/device_streams.h"
#include "lower/flow_graph.h"
#include "target/fpga.h"

namespace sluice::lower {

namespace {

// Scalars reached by a pointer: at a nested SDFG that writes them or takes them as an array, under a view or reference.
void find_addressed(FunctionContext& function) {
    ir::for_each_state(function.sdfg.body, [&](const ir::State& state) {
        for (auto [id, edge] : state.edges) {
            if (edge.memlet.empty()) continue;
            const auto* caller = std::get_if<ir::NestedSdfg>(&state.nodes[edge.src].kind);
            const auto* callee = std::get_if<ir::NestedSdfg>(&state.nodes[edge.dst].kind);
            if (caller) function.addressed.insert(edge.memlet.data);
            for (const ir::NodeId end : {edge.src, edge.dst})
                if (std::holds_alternative<ir::LibraryNode>(state.nodes[end].kind)) function.addressed.insert(edge.memlet.data);
            if (callee) {
                const ir::Container* inner = callee->sdfg->containers.find(edge.dst_connector);
                if (!inner || !std::holds_alternative<ir::Scalar>(inner->kind) ||
                    state.nodes[edge.dst].out.contains(edge.dst_connector))
                    function.addressed.insert(edge.memlet.data);
            }
            for (const auto& [one, other] : {std::pair(edge.src, edge.dst), std::pair(edge.dst, edge.src)}) {
                const auto* access = std::get_if<ir::Access>(&state.nodes[one].kind);
                const auto* viewed = std::get_if<ir::Access>(&state.nodes[other].kind);
                const ir::Container* container = access ? ir::find_container(function.sdfg, access->data) : nullptr;
                if (container && container->binding != ir::Binding::Own && viewed) function.addressed.insert(viewed->data);
            }
            const auto* tasklet = std::get_if<ir::Tasklet>(&state.nodes[edge.src].kind);
            const auto type = state.nodes[edge.src].out.find(edge.src_connector);
            if (tasklet && type != state.nodes[edge.src].out.end() && type->second.compound)
                function.addressed.insert(edge.memlet.data);
        }
    });
}

bool is_of_device(const ir::Container& container) {
    return container.storage == ir::Storage::GPU_Global || container.storage == ir::Storage::GPU_Shared ||
           container.storage == ir::Storage::FPGA_Global;
}

bool is_persistent(const ir::Container& container) {
    return container.lifetime == ir::Lifetime::Persistent || container.lifetime == ir::Lifetime::External;
}

Expr elements_of(const FunctionContext& function, const ir::Container& container) {
    return resolve(function, layout_of(container).total);
}

// In a launch: of each thread, or of a block. On the host: memory of the device.
void place_for_device(FunctionContext& function, const ir::Container& container, loop::Allocate buffer, Body& body) {
    buffer.alignment = 0;
    if (buffer.size.is_integer(0)) buffer.size = 1;
    if (!function.on_device) {
        buffer.space = ir::lies_in_constant_memory(container) ? loop::Space::Constant : loop::Space::Global;
        if (container.storage == ir::Storage::FPGA_Global) buffer.bank = target::bank_of(buffer.name, container).or_fail();
        return emit(body, std::move(buffer), container.metadata.where);
    }
    const std::string path = function.path + "/" + buffer.name;
    if (!buffer.size.constant())
        refuse({"L025", "transient `" + buffer.name + "` of a kernel has no constant size", container.metadata.where, path,
                "let it lie outside of the map that the device runs, with a dimension for the map's points, or fix its size"});
    const bool registers = container.storage == ir::Storage::FPGA_Registers || container.storage == ir::Storage::FPGA_ShiftRegister;
    buffer.place = registers ? loop::Place::Registers : loop::Place::Stack;
    if (container.storage != ir::Storage::GPU_Shared) return emit(body, std::move(buffer), container.metadata.where);
    if (!function.launch)
        refuse({"L025", "shared memory `" + buffer.name + "` is taken in a call", container.metadata.where, path,
                "let it lie in the scope of the map that the device runs"});
    buffer.space = loop::Space::Shared;
    emit(function.launch->shared, std::move(buffer), container.metadata.where);
}

// Memory where the container says, for `buffer`: the container itself or a part of it. `outgrows`: its size is another one when it
// is used; of addresses that are reserved only the pages exist that are touched.
void place_buffer(FunctionContext& function, const ir::Container& container, loop::Allocate buffer, Body& body, bool outgrows) {
    if (const auto* array = std::get_if<ir::Array>(&container.kind)) buffer.alignment = array->alignment;
    if (function.on_device || is_of_device(container)) return place_for_device(function, container, std::move(buffer), body);
    if (const auto file = container.location.find("file"); file != container.location.end()) {
        if (function.in_parallel())
            refuse({"L024", "`" + buffer.name + "` is a file, and several points of a map, each with one, run at the same time",
                    container.metadata.where, function.path + "/" + buffer.name, "let it lie outside of the map, with SetStorage"});
        buffer.place = loop::Place::Mapped;
        buffer.file = file->second;
        buffer.alignment = 0;
        return emit(body, std::move(buffer), container.metadata.where);
    }
    const target::Target& target = *function.module.options.target;
    if (container.storage == ir::Storage::CPU_Pinned && target::holds(target.maps, ir::Schedule::GPU_Device) &&
        !function.in_parallel()) {
        buffer.place = loop::Place::Pinned;
        return emit(body, std::move(buffer), container.metadata.where);
    }
    const bool persistent = is_persistent(container);
    if (persistent && !function.parallel_caller) {
        buffer.place = loop::Place::Persistent;
        (function.nested ? function.kept : function.module.module.persistent).push_back(buffer);
        return;
    }
    const bool on_stack = container.storage == ir::Storage::Register ||
                          (container.storage == ir::Storage::Default && std::holds_alternative<ir::Scalar>(container.kind));
    // Iterations that run at the same time cannot share one buffer: each thread keeps its own.
    if (container.storage == ir::Storage::CPU_ThreadLocal || persistent)
        buffer.place = loop::Place::ThreadLocal;
    else if (outgrows || (!container.shape.empty() && container.shape[0].is_integer(ir::kReservedExtent)))
        buffer.place = loop::Place::Reserved;
    else if (buffer.size.constant() && on_stack)
        buffer.place = loop::Place::Stack;
    if (outgrows && buffer.place == loop::Place::Reserved) buffer.size = ir::kReservedExtent;
    if (buffer.size.is_integer(0)) buffer.size = 1;
    emit(body, std::move(buffer), container.metadata.where);
}

}  // namespace

void plan_allocation(FunctionContext& function) {
    function.allocated = function.nested ? analysis::allocation_scopes(function.sdfg)
                                         : analysis::allocation_scopes(function.sdfg, analysis::assumptions_of(function.sdfg));
    if (!function.on_device)
        std::erase_if(function.allocated, [&](const auto& one) {
            const bool own = one.second.level != analysis::AllocationScope::Level::Scope &&
                             target::is_on_chip(function.sdfg.containers.at(one.first).storage);
            if (own) function.on_chip.insert(one.first);
            return own;
        });
    for (const auto& [name, allocation] : function.allocated) {
        if (allocation.level == analysis::AllocationScope::Level::State)
            function.allocated_in_state[allocation.state].push_back(name);
        if (allocation.level == analysis::AllocationScope::Level::Scope)
            function.allocated_in_scope[{allocation.state, allocation.entry}].push_back(name);
    }
    find_addressed(function);
}

namespace {

bool size_is_assigned(const FunctionContext& function, const std::string& name, const std::vector<std::string>& assigned) {
    const ir::Container* container = function.sdfg.containers.find(name);
    if (!container) return false;
    const auto symbols = symbolic::free_symbols(layout_of(*container).total);
    return std::ranges::any_of(assigned, [&](const std::string& symbol) { return symbols.contains(symbol); });
}

// Blocks of a region, with everything inside them, that access the container.
bool uses(const ir::Block& block, const std::string& name);
bool uses(const ir::Region& region, const std::string& name) {
    return std::ranges::any_of(region.blocks, [&](const auto& entry) { return uses(entry.second, name); });
}
bool uses(const ir::Block& block, const std::string& name) {
    if (const ir::State* state = ir::as_state(block))
        return std::ranges::any_of(state->nodes, [&](const auto& entry) {
            const auto* access = std::get_if<ir::Access>(&entry.second.kind);
            return access && ir::root_name(access->data) == name;
        });
    if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) return uses(loop->body, name);
    if (const auto* named = std::get_if<ir::NamedRegion>(&block.kind)) return uses(named->body, name);
    const auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind);
    return conditional &&
           std::ranges::any_of(conditional->branches, [&](const ir::Branch& branch) { return uses(branch.body, name); });
}

using Symbols = std::set<std::string>;

bool assigns(const ir::Block& block, const Symbols& symbols) {
    const auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
    bool found = loop && symbols.contains(loop->variable);
    ir::for_each_inner_region(block, [&](const ir::Region& inner) {
        for (const std::string& name : ir::assigned_symbols(inner)) found = found || symbols.contains(name);
    });
    return found;
}

/// The outermost loop of transitions that holds the block and assigns none of the symbols; -1 if there is none.
int unassigning_loop(const ir::Region& region, const FlowGraph& graph, int block, const Symbols& symbols) {
    for (int header = 0; header <= block; ++header) {
        if (!graph.is_loop_header(header) || !graph.in_loop(header, block)) continue;
        bool assigned = false;
        for (int at = header; at < graph.exit(); ++at) {
            if (!graph.in_loop(header, at)) continue;
            assigned = assigned || assigns(region.blocks[graph.blocks[static_cast<std::size_t>(at)]], symbols);
            for (const FlowGraph::Jump& jump : graph.jumps[static_cast<std::size_t>(at)])
                if (jump.transition && graph.in_loop(header, jump.target))
                    for (const auto& [symbol, value] : jump.transition->assignments)
                        assigned = assigned || symbols.contains(symbol);
        }
        if (!assigned) return header;
    }
    return -1;
}

/// Does a block or a transition from the first to the last user assign one of the symbols?
bool assigns_between(const ir::Region& region, const FlowGraph& graph, const std::vector<int>& users, const Symbols& symbols) {
    for (int at = users.front(); at <= users.back(); ++at) {
        if (assigns(region.blocks[graph.blocks[static_cast<std::size_t>(at)]], symbols)) return true;
        for (const FlowGraph::Jump& jump : graph.jumps[static_cast<std::size_t>(at)])
            if (jump.transition && jump.target >= users.front() && jump.target <= users.back())
                for (const auto& [symbol, value] : jump.transition->assignments)
                    if (symbols.contains(symbol)) return true;
    }
    return false;
}

/// Where the container is allocated: in the innermost region that holds all uses, before the first block that uses it. Iterations
/// of a loop that leaves the symbols of its size alone share it, so that they see what earlier ones wrote.
void place(const ir::Region& region, const std::string& name, const Symbols& symbols, BlockAllocations& into,
           std::set<std::string>& outgrowing) {
    const FlowGraph graph(region);
    std::vector<int> users;
    for (int at = 0; at < graph.exit(); ++at)
        if (uses(region.blocks[graph.blocks[static_cast<std::size_t>(at)]], name)) users.push_back(at);
    if (users.empty()) return;
    const ir::Block& first = region.blocks[graph.blocks[static_cast<std::size_t>(users[0])]];
    if (const int header = unassigning_loop(region, graph, users[0], symbols); header >= 0) {
        into.before_loop[&region.blocks[graph.blocks[static_cast<std::size_t>(header)]]].push_back(name);
        return;
    }
    const ir::Region* inner = nullptr;
    if (users.size() == 1) {
        const auto* loop = std::get_if<ir::LoopRegion>(&first.kind);
        const bool assigned = assigns(first, symbols);
        if (std::holds_alternative<ir::ConditionalBlock>(first.kind) && assigned) {  // One branch runs: each has memory of its own.
            ir::for_each_inner_region(first, [&](const ir::Region& one) { place(one, name, symbols, into, outgrowing); });
            return;
        }
        if (!loop || assigned)
            ir::for_each_inner_region(first, [&](const ir::Region& one) {
                if (uses(one, name)) inner = inner ? &region : &one;
            });
    }
    if (inner && inner != &region) return place(*inner, name, symbols, into, outgrowing);
    if (assigns_between(region, graph, users, symbols)) outgrowing.insert(name);
    into.before_block[&first].push_back(name);
}

}  // namespace

std::vector<std::string> allocated_at_start(const FunctionContext& function) {
    const std::vector<std::string> assigned = ir::assigned_symbols(function.sdfg);
    std::vector<std::string> result;
    for (const auto& [name, allocation] : function.allocated)
        if (allocation.level == analysis::AllocationScope::Level::Sdfg && !size_is_assigned(function, name, assigned))
            result.push_back(name);
    return result;
}

BlockAllocations allocated_at_blocks(FunctionContext& function) {
    const std::vector<std::string> assigned = ir::assigned_symbols(function.sdfg);
    BlockAllocations result;
    for (const auto& [name, allocation] : function.allocated)
        if (allocation.level == analysis::AllocationScope::Level::Sdfg && size_is_assigned(function, name, assigned))
            place(function.sdfg.body, name, symbolic::free_symbols(layout_of(function.sdfg.containers.at(name)).total), result,
                  function.outgrowing);
    return result;
}

namespace {

/// A name that nothing else of the module has: kernels find memory of constants by it.
std::string name_in_module(FunctionContext& function, const std::string& name) {
    std::string unique;
    do unique = function.module.function_names.fresh(name);
    while (function.names.taken(unique));
    return function.names.fresh(unique);
}

}  // namespace

void allocate(FunctionContext& function, const std::string& name, ScopedBindings* bindings, Body& body) {
    const ir::Container& container = function.sdfg.containers.at(name);
    Slot slot;
    slot.container = &container;
    slot.depth = function.loops.size();
    const bool of_block = container.storage == ir::Storage::GPU_Shared;  // Visible in the whole launch.
    const bool of_constants = ir::lies_in_constant_memory(container) && !function.on_device;
    slot.name = of_block       ? function.names.fresh_everywhere(name)
                : of_constants ? name_in_module(function, name)
                               : function.names.fresh(name);
    if (is_of_device(container))
        slot.space = of_block ? loop::Space::Shared : of_constants ? loop::Space::Constant : loop::Space::Global;
    const bool scalar = std::holds_alternative<ir::Scalar>(container.kind);
    if (container.binding == ir::Binding::Reference) {
        if (std::holds_alternative<ir::Structure>(container.kind))
            refuse({"L004", "reference `" + name + "` to a structure cannot be bound at run time on a CPU",
                    container.metadata.where, function.path + "/" + name, "use a view, or references to its members"});
        emit(body, loop::Alias{slot.name, memory_type(container), nullptr, false}, container.metadata.where);
    } else if (const auto* stream = std::get_if<ir::Stream>(&container.kind)) {
        slot.kind = Slot::Kind::Stream;
        if (slot.space == loop::Space::Global) {
            slot.count = function.names.fresh(name + "_count");
            allocate_device_stream(slot, container, body);
            if (bindings) return bindings->bind(name, std::move(slot));
            function.slots.insert_or_assign(name, std::move(slot));
            return;
        }
        // Where the two sides cannot run at the same time, all that one pushes has to fit.
        const bool bounded =
            target::is_on_chip(container.storage) || (function.may_share() && !ir::feeds_consume_scope(function.sdfg, name));
        const Expr capacity = bounded ? resolve(function, stream->buffer_size) : Expr(0);
        emit(body, loop::AllocateStream{slot.name, container.dtype, elements_of(function, container), capacity},
             container.metadata.where);
    } else if (scalar && !function.addressed.contains(name) && !is_persistent(container) && !is_of_device(container)) {
        slot.kind = Slot::Kind::Variable;
        emit(body, loop::Declare{slot.name, container.dtype, nullptr, false}, container.metadata.where);
    } else if (scalar || std::holds_alternative<ir::Array>(container.kind)) {
        place_buffer(function, container, {slot.name, container.dtype, elements_of(function, container)}, body,
                     function.outgrowing.contains(name));
    } else if (!std::holds_alternative<ir::ForeignContainer>(container.kind)) {
        const auto make = [&](const std::string& hint, const DType& type, const Expr& elements) {
            std::string buffer = hint == name ? slot.name : function.names.fresh(hint);
            place_buffer(function, container, {buffer, type, elements}, body, function.outgrowing.contains(name));
            return buffer;
        };
        const auto bind = [&](const std::string& path, Slot own) {
            if (bindings)
                bindings->bind(path, std::move(own));
            else
                function.slots.insert_or_assign(path, std::move(own));
        };
        return StructureAllocation(function, make, bind, body).allocate(name, container, slot);
    } else {
        refuse({"L004", "container `" + name + "` is of a kind that has no memory of its own on a CPU", container.metadata.where,
                function.path + "/" + name, "pass it in as an argument, or use arrays"});
    }
    if (bindings)
        bindings->bind(name, std::move(slot));
    else
        function.slots.insert_or_assign(name, std::move(slot));
}

void clear_at_start(StateContext& state, NodeId node, Body& body) {
    const auto* access = std::get_if<ir::Access>(&state.node(node).kind);
    if (!access || !access->setzero) return;
    const Location location = locate(state, access->data, std::nullopt, node);
    const DType& type = location.element_type();
    if (location.slot->kind == Slot::Kind::Variable)
        return emit(body, loop::Assign{location.slot->name, convert(loop::integer_value(0), type)});
    if (location.slot->kind == Slot::Kind::Stream) return;
    const Expr total = resolve(state.function, layout_of(*location.slot->container).total);
    emit(body, loop::ZeroFill{loop::address(location.slot->name, loop::index_value(0), type), total, type});
}

}  // namespace sluice::lower
