#include "target/fpga.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/adjacency.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "target/device.h"

namespace sluice::target {

namespace {

const ir::Container* container_of(const ir::Sdfg& sdfg, const ir::Node& node) {
    const auto* access = std::get_if<ir::Access>(&node.kind);
    return access ? ir::find_container(sdfg, access->data) : nullptr;
}

/// Access nodes that no scope holds. What a node's path to the top opens and does not close holds it.
std::vector<ir::NodeId> outer_accesses(const ir::State& state, const ir::Adjacency& adjacency) {
    std::map<ir::NodeId, int> depth;
    std::vector<ir::NodeId> open;
    for (auto [id, node] : state.nodes)
        if (adjacency.in(id).empty()) depth[id] = 0, open.push_back(id);
    while (!open.empty()) {
        const ir::NodeId id = open.back();
        open.pop_back();
        const int behind = depth.at(id) + (ir::is_entry(state.nodes[id]) ? 1 : 0);
        for (const ir::EdgeId edge : adjacency.out(id)) {
            const ir::NodeId next = state.edges[edge].dst;
            if (depth.emplace(next, behind - (ir::is_exit(state.nodes[next]) ? 1 : 0)).second) open.push_back(next);
        }
    }
    std::vector<ir::NodeId> accesses;
    for (auto [id, node] : state.nodes)
        if (std::holds_alternative<ir::Access>(node.kind) && depth.at(id) == 0) accesses.push_back(id);
    return accesses;
}

class FpgaCheck {
public:
    FpgaCheck(std::string phrase, ir::Language spoken) : phrase_(std::move(phrase)), spoken_(spoken) {}
    std::vector<Diagnostic> found;

    void program(const ir::Sdfg& sdfg, const std::string& path) {
        std::set<std::string> there;
        for (const auto& [name, container] : sdfg.containers) {
            if (!is_fpga_storage(container.storage)) continue;
            there.insert(name);
            memory(name, container, path + "/" + name);
        }
        for (Diagnostic& one : control_violations(sdfg, path, there)) found.push_back(std::move(one));
        std::map<std::string, std::set<const ir::State*>> users;
        ir::for_each_block(sdfg.body, [&](const ir::Block& block) {
            const ir::State* state = ir::as_state(block);
            if (!state) return;
            const std::string at = path + "/" + block.label;
            is_fpga_kernel(sdfg, *state) ? kernel(sdfg, *state, at) : host(sdfg, *state, at, there);
            for (auto [id, node] : state->nodes)
                if (const auto* access = std::get_if<ir::Access>(&node.kind)) users[access->data].insert(state);
        });
        for (const std::string& name : there)
            if (const ir::Container& container = sdfg.containers.at(name); is_on_chip(container.storage) && users[name].size() > 1)
                refuse("L030", "`" + name + "` lies on the chip and is used by several kernels, which begin with new memory",
                       container.metadata.where, path + "/" + name, "let it lie in FPGA_Global, with SetStorage");
    }

private:
    void memory(const std::string& name, const ir::Container& container, const std::string& path) {
        const Span where = container.metadata.where;
        if (container.storage == ir::Storage::FPGA_Global)
            if (const auto bank = bank_of(name, container); !bank)
                found.push_back({bank.error().code, bank.error().message, where, path, bank.error().remedy, {}});
        const auto* stream = std::get_if<ir::Stream>(&container.kind);
        if (stream && !(stream->buffer_size.constant() && *stream->buffer_size.constant() > 0))
            refuse("L030", "stream `" + name + "` on the FPGA has no bound", where, path, "give it a buffer_size");
        if (stream && !is_on_chip(container.storage))
            refuse("L030", "stream `" + name + "` lies off the chip", where, path, "let it lie in FPGA_Local, with SetStorage");
        if (!container.transient)
            refuse("L030", "`" + name + "` is an argument and lies on the FPGA", where, path,
                   "copy it from and to an array of the host, as FPGATransformSDFG does");
        if (const auto untyped = without_type(container, name, false)) cannot(untyped->what, where, path, untyped->remedy);
    }

    void host(const ir::Sdfg& sdfg, const ir::State& state, const std::string& path, const std::set<std::string>& there) {
        for (auto [id, node] : state.nodes) {
            const std::string at = path + "/n" + std::to_string(id.value);
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind))
                if (auto unspoken = language_violation(*tasklet, false, phrase_, spoken_, node.metadata.where, at))
                    found.push_back(*unspoken);
            if (nested && has_fpga_parts(*nested->sdfg))
                refuse("L030", "`" + nested->label + "` is called by the host and has a part on the FPGA", node.metadata.where, at,
                       "inline the call, with InlineSDFG or InlineMultistateSDFG");
            if (map && map->schedule == ir::Schedule::FPGA_Device)
                refuse("L026", "map `" + map->label + "` is for the FPGA, but its state is no kernel: " + hindrance(sdfg, state),
                       node.metadata.where, at, "move it, with FPGATransformSDFG");
        }
        for (auto [id, edge] : state.edges) {
            between_devices(sdfg, state, edge, path);
            if (edge.memlet.empty() || !there.contains(std::string(ir::root_name(edge.memlet.data)))) continue;
            const auto is_access = [&](ir::NodeId node) { return std::holds_alternative<ir::Access>(state.nodes[node].kind); };
            const bool on_chip = is_on_chip(sdfg.containers.at(edge.memlet.data).storage);
            if (is_access(edge.src) && is_access(edge.dst) && !on_chip) continue;
            const ir::NodeId who = is_access(edge.src) ? edge.dst : edge.src;
            refuse("L026",
                   "`" + ir::label_of(state, who) + "` of the host touches `" + edge.memlet.data + "`, which lies on the FPGA; " +
                       hindrance(sdfg, state),
                   state.nodes[who].metadata.where, path + "/n" + std::to_string(who.value),
                   "let all that the state accesses lie on the FPGA, as FPGATransformSDFG does, or copy to the host first");
        }
    }
    void between_devices(const ir::Sdfg& sdfg, const ir::State& state, const ir::Edge& edge, const std::string& path) {
        const ir::Container *from = container_of(sdfg, state.nodes[edge.src]), *to = container_of(sdfg, state.nodes[edge.dst]);
        if (!from || !to) return;
        const bool leads_away = from->storage == ir::Storage::GPU_Global && is_fpga_storage(to->storage);
        if (!leads_away && !(to->storage == ir::Storage::GPU_Global && is_fpga_storage(from->storage))) return;
        refuse("L026",
               "no copy leads from `" + ir::label_of(state, edge.src) + "` to `" + ir::label_of(state, edge.dst) +
                   "`, from one device to another",
               edge.memlet.metadata.where, path + "/n" + std::to_string(edge.src.value), "copy it by way of an array of the host");
    }
    /// Why a state that touches the FPGA is not run there.
    static std::string hindrance(const ir::Sdfg& sdfg, const ir::State& state) {
        const ir::Adjacency adjacency(state);
        for (const ir::NodeId id : outer_accesses(state, adjacency)) {
            const ir::Container* container = container_of(sdfg, state.nodes[id]);
            if (!container || is_fpga_storage(container->storage)) continue;
            if (std::holds_alternative<ir::Scalar>(container->kind) && adjacency.in(id).empty()) continue;
            return "`" + std::get<ir::Access>(state.nodes[id].kind).data + "` lies on the host";
        }
        return "nothing that it accesses lies on the FPGA";
    }

    /// A kernel, or what one calls.
    void kernel(const ir::Sdfg& sdfg, const ir::State& state, const std::string& path) {
        for (auto [id, node] : state.nodes) {
            const Span where = node.metadata.where;
            const std::string at = path + "/n" + std::to_string(id.value);
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind))
                cannot("consume scope `" + consume->label + "`", where, at, "use a map that pops from a stream");
            if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind))
                cannot("the call `" + library->label + "`", where, at, "expand the operation to loops");
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
                if (auto unspoken = language_violation(*tasklet, true, phrase_, spoken_, where, at))
                    found.push_back(*unspoken);
                else if (asserts(*tasklet, where))
                    cannot("the assertion of tasklet `" + tasklet->label + "`", where, at,
                           "let the host check it, in a state of its own");
            }
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) called(*nested->sdfg, at);
        }
        for (auto [id, edge] : state.edges) {
            stream_ends(sdfg, state, id, path);
            if (edge.memlet.prefetch)
                cannot("a prefetch of `" + edge.memlet.data + "`", edge.memlet.metadata.where,
                       path + "/n" + std::to_string(edge.dst.value), "take it off, and stream the memory with StreamingMemory");
        }
    }
    void stream_ends(const ir::Sdfg& sdfg, const ir::State& state, ir::EdgeId id, const std::string& path) {
        const ir::Edge& edge = state.edges[id];
        const auto is_stream = [&](ir::NodeId node) {
            const ir::Container* container = container_of(sdfg, state.nodes[node]);
            return container && std::holds_alternative<ir::Stream>(container->kind);
        };
        const std::string at = path + "/n" + std::to_string(edge.src.value);
        const Span where = edge.memlet.metadata.where;
        if (is_stream(edge.src) && is_stream(edge.dst))
            cannot("a copy from stream `" + ir::label_of(state, edge.src) + "` to `" + ir::label_of(state, edge.dst) +
                       "`, whose number of elements nobody says",
                   where, at, "pop and push in a map");
        if (edge.memlet.dynamic && is_stream(edge.src) && std::holds_alternative<ir::Access>(state.nodes[edge.dst].kind))
            cannot("a copy of as many elements as wait in stream `" + ir::label_of(state, edge.src) + "`", where, at,
                   "say how many there are");
        for (const bool out : {false, true}) {
            const ir::Node& node = state.nodes[out ? edge.src : edge.dst];
            if (std::holds_alternative<ir::NestedSdfg>(node.kind) && !edge.memlet.empty())
                if (const ir::Container* one = ir::find_container(sdfg, edge.memlet.data);
                    one && std::holds_alternative<ir::Stream>(one->kind))
                    cannot("the stream `" + edge.memlet.data + "` as the argument of a call", where, at,
                           "inline the call, with InlineSDFG");
        }
    }
    void called(const ir::Sdfg& sdfg, const std::string& path) {
        for (const auto& [name, container] : sdfg.containers) {
            const Span where = container.metadata.where;
            if (const auto untyped = without_type(container, name, false))
                cannot(untyped->what, where, path + "/" + name, untyped->remedy);
            if (std::holds_alternative<ir::Stream>(container.kind))
                cannot("the stream `" + name + "` of a call", where, path + "/" + name, "inline the call, with InlineSDFG");
            if (container.transient && container.storage == ir::Storage::FPGA_Global)
                cannot("memory off the chip, `" + name + "`, that a call takes", where, path + "/" + name,
                       "let it lie in FPGA_Local, with SetStorage, or pass it as an argument");
        }
        ir::for_each_block(sdfg.body, [&](const ir::Block& block) {
            if (const ir::State* state = ir::as_state(block)) kernel(sdfg, *state, path + "/" + block.label);
        });
    }

    void cannot(const std::string& what, const Span& where, const std::string& path, const std::string& remedy) {
        refuse("L030", "a kernel of " + phrase_ + " cannot hold " + what, where, path, remedy);
    }
    void refuse(std::string code, std::string message, const Span& where, const std::string& path, std::string remedy) {
        found.push_back({std::move(code), std::move(message), where, path, std::move(remedy), {}});
    }

    std::string phrase_;
    ir::Language spoken_;
};

}  // namespace

bool is_on_chip(ir::Storage storage) {
    return storage == ir::Storage::FPGA_Local || storage == ir::Storage::FPGA_Registers ||
           storage == ir::Storage::FPGA_ShiftRegister;
}

bool is_fpga_storage(ir::Storage storage) {
    return storage == ir::Storage::FPGA_Global || is_on_chip(storage);
}

Result<std::string> bank_of(const std::string& name, const ir::Container& container) {
    const auto given = [&](const char* key) {
        const auto found = container.location.find(key);
        return found == container.location.end() ? std::string() : found->second;
    };
    const std::string memory = given("memorytype").empty() ? "DDR" : given("memorytype"), bank = given("bank");
    const auto refusal = [&](const std::string& what, const std::string& remedy) {
        return Diagnostic{"L030", "`" + name + "` lies in " + what, container.metadata.where, {}, remedy, {}};
    };
    if (memory != "DDR" && memory != "HBM") return refusal("the memory " + memory + ", which no FPGA has", "name HBM or DDR");
    if (bank.empty() && given("memorytype").empty()) return std::string();
    if (bank.empty()) return refusal("no bank of " + memory, "name one: location['bank'] = '0'");
    if (!std::ranges::all_of(bank, [](char c) { return c >= '0' && c <= '9'; }))
        return refusal("the bank `" + bank + "`", "give each bank an array of its own, and a number: location['bank'] = '0'");
    return memory + "[" + bank + "]";
}

bool is_fpga_kernel(const ir::Sdfg& sdfg, const ir::State& state) {
    const ir::Adjacency adjacency(state);
    bool any = false;
    for (const ir::NodeId id : outer_accesses(state, adjacency)) {
        const ir::Container* container = container_of(sdfg, state.nodes[id]);
        if (sdfg.constants.contains(std::get<ir::Access>(state.nodes[id].kind).data)) continue;
        if (container && is_fpga_storage(container->storage))
            any = true;
        else if (!container || !std::holds_alternative<ir::Scalar>(container->kind) || !adjacency.in(id).empty())
            return false;
    }
    return any;
}

bool has_fpga_parts(const ir::Sdfg& sdfg) {
    bool found =
        std::ranges::any_of(sdfg.containers, [](const auto& entry) { return entry.second.storage == ir::Storage::FPGA_Global; });
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (auto [id, node] : state.nodes) {
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            found = found || (map && map->schedule == ir::Schedule::FPGA_Device) || (nested && has_fpga_parts(*nested->sdfg));
        }
    });
    return found;
}

std::vector<Diagnostic> fpga_violations(const ir::Sdfg& sdfg, const std::string& phrase, ir::Language spoken) {
    FpgaCheck check(phrase, spoken);
    check.program(sdfg, sdfg.name);
    return std::move(check.found);
}

}  // namespace sluice::target
