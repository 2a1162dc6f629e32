#include "target/carries.h"

#include <concepts>

#include "ir/messages.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::target {

namespace {

class Check {
public:
    explicit Check(const Target& target) : target_(target) {}
    std::vector<Diagnostic> found;

    void sdfg(const ir::Sdfg& graph, const std::string& path, bool called = true) {
        for (const auto& [name, container] : graph.containers) {
            if (container.storage == ir::Storage::GPU_Global && !container.transient && !called)
                argument(name, container, path + "/" + name);
            else
                storage(name, container, path + "/" + name);
            contents(name, container, path + "/" + name);
        }
        for (const auto* code : {&graph.global_code, &graph.init_code, &graph.exit_code})
            for (const auto& [location, block] : *code)
                if (!block.text.empty() && !target_.own_code)
                    lacks("the program brings code of its own", {}, path, "leave it out, or choose another target");
        timer("the program", graph.instrument, {}, path);
        ir::for_each_block(graph.body, [&](const ir::Block& block) {
            const std::string at = path + "/" + block.label;
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
                schedule("loop `" + block.label + "`", loop->schedule, target_.loops, block.metadata.where, at);
            if (const ir::State* inner = ir::as_state(block)) {
                timer("state `" + block.label + "`", inner->instrument, block.metadata.where, at);
                schedule("state `" + block.label + "`", inner->schedule, target_.states, block.metadata.where, at);
                state(*inner, at);
            }
        });
    }

private:
    void state(const ir::State& state, const std::string& path) {
        const auto place = [&](ir::NodeId id) { return path + "/n" + std::to_string(id.value); };
        for (auto [id, node] : state.nodes) {
            const Span where = node.metadata.where;
            if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
                schedule("map `" + map->label + "`", map->schedule, target_.maps, where, place(id), "SetSchedule");
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind))
                schedule("consume scope `" + consume->label + "`", consume->schedule, target_.consumes, where, place(id));
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
                language(*tasklet, where, place(id));
                const bool brings = !tasklet->code_global.text.empty() || !tasklet->code_init.text.empty() ||
                                    !tasklet->code_exit.text.empty() || !tasklet->environments.empty();
                if (brings && !target_.own_code)
                    lacks("tasklet `" + tasklet->label + "` brings code of its own", where, place(id),
                          "leave it out, or choose another target");
            }
            const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
            if (library && ir::is_message(*library)) {
                if (!target_.messages)
                    lacks("`" + library->label + "` sends messages between ranks", where, place(id), "choose the target mpi");
            } else if (library && !target_.libraries)
                lacks("`" + library->label + "` calls a library", where, place(id), "expand the operation to loops");
            std::visit(
                [&](const auto& kind) {
                    if constexpr (requires {
                                      { kind.instrument } -> std::convertible_to<ir::Instrumentation>;
                                  })
                        timer("`" + kind.label + "`", kind.instrument, where, place(id));
                },
                node.kind);
            if (const auto* access = std::get_if<ir::Access>(&node.kind);
                access && access->instrument != ir::DataInstrumentation::No_Instrumentation)
                lacks("what `" + access->data + "` holds is kept or restored", where, place(id), "take its instrumentation off");
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) sdfg(*nested->sdfg, place(id));
        }
        for (auto [id, edge] : state.edges)
            if (!edge.memlet.empty())
                schedule("a copy of `" + edge.memlet.data + "`", edge.memlet.schedule, target_.copies, edge.memlet.metadata.where,
                         place(edge.src));
    }

    // `by`: the transformation that changes it, if there is one.
    void schedule(const std::string& what, ir::Schedule schedule, const std::vector<ir::Schedule>& carried, const Span& where,
                  const std::string& path, const std::string& by = {}) {
        if (holds(carried, schedule)) return;
        refuse("L001",
               what + " has schedule " + std::string(ir::to_string(schedule)) + ", which " + target_.phrase + " cannot carry out",
               where, path, "give it the schedule " + listed(carried) + (by.empty() ? "" : ", with " + by));
    }

    void storage(const std::string& name, const ir::Container& container, const std::string& path) {
        if (holds(target_.storages, container.storage)) return;
        refuse("L002",
               "container `" + name + "` lies in " + std::string(ir::to_string(container.storage)) + ", which " + target_.phrase +
                   " does not have",
               container.metadata.where, path, "let it lie in " + listed(target_.storages) + ", with SetStorage");
    }

    /// Of the program, in memory of a device: the caller passes its address.
    void argument(const std::string& name, const ir::Container& container, const std::string& path) {
        const bool is_array = std::holds_alternative<ir::Array>(container.kind);
        if (target_.addresses && is_array) return;
        const std::string why = !holds(target_.storages, container.storage) ? "which " + target_.phrase + " does not have"
                                : target_.addresses                         ? "and is no array"
                                                    : "and memory of a device has no address in " + target_.phrase;
        refuse("L002", "argument `" + name + "` lies in " + std::string(ir::to_string(container.storage)) + ", " + why,
               container.metadata.where, path,
               "let it lie on the host" + std::string(is_array ? ", or choose the target cuda" : ""));
    }

    void contents(const std::string& name, const ir::Container& container, const std::string& path) {
        const Span where = container.metadata.where;
        const std::string what = "container `" + name + "` ";
        const code::DType& type = container.dtype;
        if (!type.compound && !target_.types.empty() && !holds(target_.types, type.scalar)) {
            std::string all;
            for (const code::Scalar one : target_.types) all += (all.empty() ? "" : ", ") + std::string(code::scalar_name(one));
            lacks(what + "holds " + code::to_string(type), where, path, "use one of the types " + all);
        }
        if (container.location.contains("file")) {
            const bool of_host = container.storage == ir::Storage::Default || container.storage == ir::Storage::CPU_Heap;
            const bool kept = container.lifetime == ir::Lifetime::Persistent || container.lifetime == ir::Lifetime::External;
            if (!container.transient || !of_host || kept || !std::holds_alternative<ir::Array>(container.kind))
                lacks(what + "is a file and no array of one call in memory of the host", where, path,
                      "take location['file'] off, or make it a transient in CPU_Heap");
            else if (!target_.reservations)
                lacks(what + "is a file", where, path, "take location['file'] off, or choose another target");
        }
        constants(name, container, path);
        if (type.lanes > 1 && !target_.vectors) lacks(what + "holds vectors", where, path, "undo Vectorization");
        if (std::holds_alternative<ir::Stream>(container.kind) && !target_.streams)
            lacks(what + "is a stream", where, path, "use an array, or choose another target");
        const bool reserved = !container.shape.empty() && container.shape[0].is_integer(ir::kReservedExtent);
        if (reserved && (!target_.reservations || container.storage == ir::Storage::GPU_Global ||
                         container.storage == ir::Storage::FPGA_Global))
            lacks(what + "has room for as many elements as come", where, path, "give it a size, or choose another target");
    }

    /// Of memory of constants kernels need to know how much there is before they are compiled.
    void constants(const std::string& name, const ir::Container& container, const std::string& path) {
        const auto memory = container.location.find(ir::kMemoryLocation);
        if (memory == container.location.end()) return;
        const Span where = container.metadata.where;
        const std::string what = "container `" + name + "` ";
        if (!ir::lies_in_constant_memory(container))
            return lacks(what + "lies in the memory `" + memory->second + "`", where, path,
                         "let location['memory'] be `constant`, or take it off");
        const auto* array = std::get_if<ir::Array>(&container.kind);
        const bool kept = container.lifetime == ir::Lifetime::Persistent || container.lifetime == ir::Lifetime::External;
        if (!array || !container.transient || kept || container.binding != ir::Binding::Own ||
            container.storage != ir::Storage::GPU_Global)
            return lacks(what + "lies in constant memory and is no array of one call in memory of a GPU", where, path,
                         "give it the storage GPU_Global, as GPUTransformSDFG does with a copy of an argument, or take "
                         "location['memory'] off");
        symbolic::Expr elements = array->total_size.is_integer(0) ? symbolic::Expr(1) : array->total_size;
        if (array->total_size.is_integer(0))
            for (const symbolic::Expr& extent : container.shape) elements = elements * extent;
        const auto size = elements.constant();
        if (!size)
            return lacks(what + "lies in constant memory and has a size that only the call knows", where, path,
                         "give its dimensions numbers, or take location['memory'] off");
        constant_bytes_ += *size * static_cast<std::int64_t>(code::size_in_bytes(container.dtype));
        if (constant_bytes_ > ir::kConstantMemoryBytes)
            lacks(what + "lies in constant memory, which is " + std::to_string(ir::kConstantMemoryBytes) +
                      " bytes, and with it the program needs " + std::to_string(constant_bytes_),
                  where, path, "take location['memory'] off");
    }

    void timer(const std::string& what, ir::Instrumentation instrument, const Span& where, const std::string& path) {
        const bool counts = instrument == ir::Instrumentation::PAPI_Counters || instrument == ir::Instrumentation::LIKWID_CPU ||
                            instrument == ir::Instrumentation::LIKWID_Counters;
        if (instrument == ir::Instrumentation::No_Instrumentation) return;
        if (instrument != ir::Instrumentation::Timer && !counts)
            lacks(what + " is measured by " + std::string(ir::to_string(instrument)), where, path,
                  "measure it by Timer or PAPI_Counters");
        else if (!target_.timers)
            lacks(what + (counts ? " is counted" : " is timed"), where, path,
                  "take its instrumentation off, or choose another target");
    }

    void lacks(const std::string& what, const Span& where, const std::string& path, const std::string& remedy) {
        refuse("L024", what + ", which " + target_.phrase + " does not have here", where, path, remedy);
    }

    void language(const ir::Tasklet& tasklet, const Span& where, const std::string& path) {
        if (holds(target_.languages, tasklet.code.language)) return;
        refuse("L005", "a tasklet in " + std::string(ir::to_string(tasklet.code.language)) + " cannot run on " + target_.phrase,
               where, path, "write it in " + listed(target_.languages));
    }

    void refuse(std::string code, std::string message, const Span& where, const std::string& path, std::string remedy) {
        found.push_back({.code = std::move(code),
                         .message = std::move(message),
                         .where = where,
                         .path = path,
                         .remedy = std::move(remedy),
                         .notes = {}});
    }

    const Target& target_;
    std::int64_t constant_bytes_ = 0;
};

template <class Holds> bool any_node(const ir::Sdfg& sdfg, const Holds& holds) {
    bool found = false;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) found = found || holds(node);
    });
    return found;
}

}  // namespace

std::vector<Diagnostic> violations(const ir::Sdfg& sdfg, const Target& target) {
    Check check(target);
    check.sdfg(sdfg, sdfg.name, false);
    return std::move(check.found);
}

bool has_messages(const ir::Sdfg& sdfg) {
    if (sdfg.symbols.contains(ir::kRankPlace) || sdfg.symbols.contains(ir::kRanks)) return true;
    return any_node(sdfg, [](const ir::Node& node) {
        const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
        const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
        return (library && ir::is_message(*library)) || (nested && has_messages(*nested->sdfg));
    });
}

bool has_maps_for_ranks(const ir::Sdfg& sdfg) {
    return any_node(sdfg, [](const ir::Node& node) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
        return (map && map->schedule == ir::Schedule::MPI) || (nested && has_maps_for_ranks(*nested->sdfg));
    });
}

}  // namespace sluice::target
