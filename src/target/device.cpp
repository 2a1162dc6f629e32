#include "target/device.h"

#include <algorithm>
#include <map>
#include <set>

#include "code/walk.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "support/words.h"

namespace sluice::target {

namespace {

enum class Place { Host, Device, Value, Own };  // Value: a scalar of the host, passed by value. Own: of a thread or a block.
using Places = std::map<std::string, Place>;

bool is_device_storage(ir::Storage storage) {
    return storage == ir::Storage::GPU_Global || storage == ir::Storage::GPU_Shared;
}

const ir::MapEntry* map_of(const ir::State& state, ir::NodeId node) {
    return node.valid() ? std::get_if<ir::MapEntry>(&state.nodes[node].kind) : nullptr;
}

/// The scope that holds each node; of an entry and its exit the one around.
std::map<ir::NodeId, ir::NodeId> parents_of(const ir::State& state, const ir::Adjacency& adjacency) {
    std::map<ir::NodeId, ir::NodeId> parents;
    std::vector<std::pair<ir::NodeId, ir::NodeId>> open;
    for (auto [id, node] : state.nodes)
        if (adjacency.in(id).empty()) open.emplace_back(id, ir::NodeId());
    while (!open.empty()) {
        const auto [id, inside] = open.back();
        open.pop_back();
        const ir::Node& node = state.nodes[id];
        // Inside is an exit's own entry: what it stands in is what that stands in.
        const ir::NodeId scope = ir::is_exit(node) && inside.valid() ? parents.at(inside) : inside;
        if (!parents.emplace(id, scope).second) continue;
        for (const ir::EdgeId edge : adjacency.out(id)) open.emplace_back(state.edges[edge].dst, ir::is_entry(node) ? id : scope);
    }
    return parents;
}

bool holds_assertion(const code::Body& body) {
    return std::ranges::any_of(body, [](const code::StmtPtr& s) {
        bool inner = std::holds_alternative<code::AssertStmt>(s->node);
        code::for_each_body(*s, [&](const code::Body& one) { inner = inner || holds_assertion(one); });
        return inner;
    });
}

class DeviceCheck {
public:
    DeviceCheck(std::string phrase, ir::Language spoken) : phrase_(std::move(phrase)), spoken_(spoken) {}
    std::vector<Diagnostic> found;

    void sdfg(const ir::Sdfg& graph, const std::string& path, bool on_device, const Places& arguments) {
        const Places places = places_of(graph, on_device, arguments);
        std::set<std::string> there;
        for (const auto& [name, place] : places)
            if (place == Place::Device) there.insert(name);
        if (!on_device)
            for (Diagnostic& one : control_violations(graph, path, there)) found.push_back(std::move(one));
        ir::for_each_block(graph.body, [&](const ir::Block& block) {
            if (const ir::State* inner = ir::as_state(block)) state(graph, *inner, path + "/" + block.label, on_device, places);
        });
    }

private:
    static Places places_of(const ir::Sdfg& graph, bool on_device, const Places& arguments) {
        Places places;
        std::map<std::string, std::set<std::pair<const ir::State*, ir::NodeId>>> users;
        ir::for_each_state(graph.body, [&](const ir::State& state) {
            const ir::Adjacency adjacency(state);
            const auto parents = parents_of(state, adjacency);
            for (auto [id, node] : state.nodes)
                if (const auto* access = std::get_if<ir::Access>(&node.kind))
                    users[std::string(ir::root_name(access->data))].insert({&state, device_around(state, parents, id)});
        });
        for (const auto& [name, container] : graph.containers) {
            const auto argument = arguments.find(name);
            const auto& used = users[name];
            const bool inside = used.size() == 1 && used.begin()->second.valid();
            if (argument != arguments.end())
                places[name] = argument->second;
            else if (on_device)
                places[name] = Place::Own;
            else if (container.transient && container.lifetime == ir::Lifetime::Scope && inside &&
                     container.storage != ir::Storage::GPU_Global)
                places[name] = Place::Own;
            else if (is_device_storage(container.storage))
                places[name] = Place::Device;
            else
                places[name] = std::holds_alternative<ir::Scalar>(container.kind) ? Place::Value : Place::Host;
        }
        return places;
    }
    static ir::NodeId device_around(const ir::State& state, const std::map<ir::NodeId, ir::NodeId>& parents, ir::NodeId node) {
        for (ir::NodeId at = parents.at(node); at.valid(); at = parents.at(at))
            if (is_launch(state.nodes[at])) return at;
        return {};
    }
    static bool is_launch(const ir::Node& node) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
        return (map && map->schedule == ir::Schedule::GPU_Device) || (consume && consume->schedule == ir::Schedule::GPU_Device);
    }
    static Place place_of(const Places& places, const std::string& data) {
        const auto found = places.find(std::string(ir::root_name(data)));
        return found == places.end() ? Place::Value : found->second;
    }

    // ---- dataflow ----
    void state(const ir::Sdfg& graph, const ir::State& state, const std::string& path, bool on_device, const Places& places) {
        const ir::Adjacency adjacency(state);
        const auto parents = parents_of(state, adjacency);
        for (auto [id, node] : state.nodes) {
            const Span where = node.metadata.where;
            const std::string at = path + "/n" + std::to_string(id.value);
            const ir::NodeId launch = device_around(state, parents, id);
            const bool inside = on_device || launch.valid();
            if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
                scope(state, parents, id, *map, inside, launch, where, at, places);
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind)) {
                const bool of_device = consume->schedule == ir::Schedule::GPU_Device;
                if (inside) cannot("a consume scope", where, at, "let the host run it, or use an array");
                for (const ir::EdgeId edge : adjacency.in(id))
                    if (const ir::Memlet& memlet = state.edges[edge].memlet;
                        state.edges[edge].dst_connector == ir::kStreamIn &&
                        of_device != (place_of(places, memlet.data) == Place::Device))
                        refuse(
                            "L026", "consume scope `" + consume->label + "` and its stream `" + memlet.data + "` lie on two sides",
                            where, at, "give the scope the schedule GPU_Device and let the stream lie in GPU_Global, or neither");
            }
            if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind); library && inside)
                cannot("a call of `" + library->label + "`", where, at, "let the host run the map around it, with SetSchedule");
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) code(*tasklet, inside, where, at);
            if (const auto* access = std::get_if<ir::Access>(&node.kind)) {
                if (inside) contents(graph, access->data, where, at);
                constants(graph, state, adjacency, id, access->data, inside, on_device, where, at);
            }
            const bool is_code = std::holds_alternative<ir::Tasklet>(node.kind) ||
                                 std::holds_alternative<ir::LibraryNode>(node.kind) ||
                                 std::holds_alternative<ir::NestedSdfg>(node.kind);
            if (!is_code) continue;
            if (launch.valid() && !among_threads(state, parents, id) && has_threads(state, parents, launch))
                cannot("`" + ir::label_of(state, id) + "`, in one scope with a GPU_ThreadBlock map", where, at,
                       "put it into the GPU_ThreadBlock map, or into a map of its own");
            Places arguments;
            for (const bool out : {false, true})
                for (const ir::EdgeId edge : out ? adjacency.out(id) : adjacency.in(id))
                    access(graph, state, edge, out, inside, where, at, places, arguments);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) sdfg(*nested->sdfg, at, inside, arguments);
        }
    }

    void scope(const ir::State& state, const std::map<ir::NodeId, ir::NodeId>& parents, ir::NodeId id, const ir::MapEntry& map,
               bool inside, ir::NodeId launch, const Span& where, const std::string& at, const Places& places) {
        if (map.schedule == ir::Schedule::GPU_Device && inside)
            cannot("map `" + map.label + "` with schedule GPU_Device", where, at,
                   "give it the schedule Sequential, with SetSchedule");
        if (map.schedule == ir::Schedule::GPU_ThreadBlock && (!launch.valid() || among_threads(state, parents, id)))
            refuse("L025", "map `" + map.label + "` has schedule GPU_ThreadBlock, but no block of a GPU_Device map around it",
                   where, at, "put it directly into a map with schedule GPU_Device, or give it the schedule Sequential");
        if (inside) return;
        for (auto [edge, e] : state.edges)
            if (e.dst == id && !e.dst_connector.empty() && !ir::is_port_in(e.dst_connector) && !e.memlet.empty() &&
                place_of(places, e.memlet.data) == Place::Device)
                refuse("L026", "the range of map `" + map.label + "` reads `" + e.memlet.data + "`, which lies on the device",
                       where, at, "copy it to a container of the host first, as GPUTransformSDFG does");
    }
    static bool among_threads(const ir::State& state, const std::map<ir::NodeId, ir::NodeId>& parents, ir::NodeId node) {
        for (ir::NodeId at = parents.at(node); at.valid(); at = parents.at(at))
            if (const auto* map = map_of(state, at); map && map->schedule == ir::Schedule::GPU_ThreadBlock) return true;
        return false;
    }
    static bool has_threads(const ir::State& state, const std::map<ir::NodeId, ir::NodeId>& parents, ir::NodeId launch) {
        return std::ranges::any_of(parents, [&](const auto& entry) {
            const auto* map = map_of(state, entry.first);
            return map && map->schedule == ir::Schedule::GPU_ThreadBlock && device_around(state, parents, entry.first) == launch;
        });
    }

    void code(const ir::Tasklet& tasklet, bool inside, const Span& where, const std::string& at) {
        if (auto unspoken = language_violation(tasklet, inside, phrase_, spoken_, where, at)) return found.push_back(*unspoken);
        if (inside && !(tasklet.environments.empty() && tasklet.code_global.text.empty()))
            cannot("tasklet `" + tasklet.label + "`, which brings code of its own", where, at, "let the host run it");
        if (inside && asserts(tasklet, where))
            cannot("the assertion of tasklet `" + tasklet.label + "`", where, at, "let the host check it, in a map that it runs");
    }

    void access(const ir::Sdfg& graph, const ir::State& state, ir::EdgeId id, bool out, bool inside, const Span& where,
                const std::string& at, const Places& places, Places& arguments) {
        const ir::Edge& edge = state.edges[id];
        if (edge.memlet.empty()) return;
        const ir::Node& node = state.nodes[out ? edge.src : edge.dst];
        const std::string what = "`" + ir::label_of(state, out ? edge.src : edge.dst) + "`";
        const Place place = place_of(places, edge.memlet.data);
        const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
        const std::string& connector = out ? edge.src_connector : edge.dst_connector;
        const ir::Container* inner = nested ? nested->sdfg->containers.find(connector) : nullptr;
        const bool by_value = nested && inner && std::holds_alternative<ir::Scalar>(inner->kind) && !node.out.contains(connector);
        if (inside) {
            if (edge.memlet.prefetch)
                cannot("a prefetch of `" + edge.memlet.data + "`", where, at,
                       "take it off: other threads run while one waits, and GPU_Shared memory holds what they read again");
            contents(graph, edge.memlet.data, where, at);
            const ir::Container* queue = ir::find_container(graph, edge.memlet.data);
            if (!out && queue && is_queue_of_device(*queue) && edge.src_connector != ir::kStreamOut)
                cannot("a pop from the stream `" + edge.memlet.data + "`", where, at,
                       "copy it to an array first, or use a consume scope");
            if (place == Place::Host || (place == Place::Value && out))
                refuse("L026", what + " of a map that the device runs touches `" + edge.memlet.data + "`, which lies on the host",
                       where, at, "let it lie in GPU_Global (SetStorage) and copy it there, as GPUTransformSDFG does");
            arguments[connector] = place == Place::Device ? Place::Device : Place::Own;
            return;
        }
        if (place == Place::Device && (!nested || by_value))
            refuse("L026", what + " of the host touches `" + edge.memlet.data + "`, which lies on the device", where, at,
                   "let the device run it, in a map with schedule GPU_Device, or copy to a container of the host first");
        if (nested) arguments[connector] = place;
    }

    /// Memory of constants: the host copies arrays of its own to it, kernels read it.
    void constants(const ir::Sdfg& graph, const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node,
                   const std::string& data, bool inside, bool in_call, const Span& where, const std::string& at) {
        const ir::Container* container = ir::find_container(graph, data);
        if (!container || !ir::lies_in_constant_memory(*container)) return;
        if (in_call) return cannot("`" + data + "` in constant memory", where, at, "let it lie outside of the map");
        const auto container_at = [&](ir::NodeId other) -> const ir::Container* {
            const auto* access = std::get_if<ir::Access>(&state.nodes[other].kind);
            return access ? ir::find_container(graph, access->data) : nullptr;
        };
        const std::string remedy = "take location['memory'] off";
        for (const ir::EdgeId edge : adjacency.in(node)) {
            if (state.edges[edge].memlet.empty()) continue;
            const ir::Container* from = container_at(state.edges[edge].src);
            const bool of_host = from && !is_device_storage(from->storage) && std::holds_alternative<ir::Array>(from->kind) &&
                                 from->binding == ir::Binding::Own && !state.edges[edge].memlet.wcr;
            if (inside || !of_host)
                cannot("a write of `" + data + "`, which lies in constant memory", where, at,
                       remedy + ", or copy to it from an array of the host");
        }
        for (const ir::EdgeId edge : adjacency.out(node)) {
            const ir::Container* to = container_at(state.edges[edge].dst);
            const bool is_call = std::holds_alternative<ir::NestedSdfg>(state.nodes[state.edges[edge].dst].kind);
            if (!inside && (is_call || (to && to->binding != ir::Binding::Own)))
                cannot("`" + data + "` in constant memory, of which the host has a " + (is_call ? "call" : "view"), where, at,
                       remedy + ", or inline the nested SDFG");
        }
    }

    /// What a kernel has no type for.
    void contents(const ir::Sdfg& graph, const std::string& data, const Span& where, const std::string& at) {
        const ir::Container* container = ir::find_container(graph, data);
        if (!container) return;
        if (std::holds_alternative<ir::Stream>(container->kind) && !is_queue_of_device(*container))
            cannot("the stream `" + data + "`", where, at, "let it be one queue in GPU_Global, or use an array");
        if (const auto untyped = without_type(*container, data, true)) cannot(untyped->what, where, at, untyped->remedy);
    }

    void cannot(const std::string& what, const Span& where, const std::string& path, const std::string& remedy) {
        refuse("L025", "a kernel of " + phrase_ + " cannot hold " + what, where, path, remedy);
    }
    void refuse(std::string code, std::string message, const Span& where, const std::string& path, std::string remedy) {
        found.push_back({std::move(code), std::move(message), where, path, std::move(remedy), {}});
    }

    std::string phrase_;
    ir::Language spoken_;
};

}  // namespace

bool is_queue_of_device(const ir::Container& container) {
    const bool one = std::ranges::all_of(container.shape, [](const symbolic::Expr& extent) { return extent.is_integer(1); });
    return std::holds_alternative<ir::Stream>(container.kind) && container.storage == ir::Storage::GPU_Global && one;
}

bool has_device_parts(const ir::Sdfg& sdfg) {
    bool found = std::ranges::any_of(sdfg.containers, [](const auto& entry) {
        return entry.second.transient && entry.second.storage == ir::Storage::GPU_Global;
    });
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (auto [id, node] : state.nodes) {
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
            const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            found = found || (map && map->schedule == ir::Schedule::GPU_Device) ||
                    (consume && consume->schedule == ir::Schedule::GPU_Device) || (nested && has_device_parts(*nested->sdfg));
        }
    });
    return found;
}

std::optional<Diagnostic> language_violation(const ir::Tasklet& tasklet, bool in_kernel, const std::string& phrase,
                                             ir::Language spoken, const Span& where, const std::string& path) {
    const ir::Language language = tasklet.code.language, other = in_kernel ? spoken : ir::Language::CPP;
    if (language == ir::Language::Python || language == other) return std::nullopt;
    const std::string words = other == ir::Language::Python ? "Python" : "Python or " + std::string(ir::to_string(other));
    return Diagnostic{"L005",
                      "a tasklet in " + std::string(ir::to_string(language)) + " cannot run on " +
                          (in_kernel ? "the device of " : "the host of ") + phrase,
                      where,
                      path,
                      "write it in " + words + ", or let " + (in_kernel ? "the host" : "the device") + " run it",
                      {}};
}

bool asserts(const ir::Tasklet& tasklet, const Span& where) {
    const auto body = ir::parsed_body(tasklet.code, where);
    return body.ok() && holds_assertion(*body);
}

std::optional<WithoutType> without_type(const ir::Container& container, const std::string& data, bool has_complex) {
    const code::DType& type = container.dtype;
    if (std::holds_alternative<ir::Structure>(container.kind) || std::holds_alternative<ir::ContainerArray>(container.kind) ||
        type.compound)
        return WithoutType{"the structure `" + data + "`", "pass its members as arrays"};
    if (type.lanes > 1) return WithoutType{"the vectors of `" + data + "`", "undo Vectorization"};
    if ((code::is_complex(type.scalar) && !has_complex) || type.scalar == code::Scalar::Float16)
        return WithoutType{"`" + data + "` of type " + code::to_string(type), "let the host run the map, with SetSchedule"};
    return std::nullopt;
}

std::vector<Diagnostic> control_violations(const ir::Sdfg& sdfg, const std::string& path, const std::set<std::string>& on_device) {
    std::vector<Diagnostic> found;
    const auto asks = [&](const std::string& text, const std::string& what, const Span& where) {
        for (const std::string& name : on_device)
            if (mentions_word(text, name))
                found.push_back({"L026",
                                 what + " reads `" + name + "`, which lies on the device",
                                 where,
                                 path,
                                 "copy it to a container of the host first, as GPUTransformSDFG and FPGATransformSDFG do",
                                 {}});
    };
    const auto region = [&](const auto& self, const ir::Region& one) -> void {
        for (auto [id, transition] : one.transitions) {
            asks(transition.condition.text, "a condition", transition.metadata.where);
            for (const auto& [symbol, value] : transition.assignments)
                asks(value, "the value of `" + symbol + "`", transition.metadata.where);
        }
        for (auto [id, block] : one.blocks) {
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
                for (const auto* code : {&loop->init, &loop->condition, &loop->update})
                    if (*code) asks((*code)->text, "loop `" + block.label + "`", block.metadata.where);
            if (const auto* branches = std::get_if<ir::ConditionalBlock>(&block.kind))
                for (const ir::Branch& branch : branches->branches)
                    if (branch.condition) asks(branch.condition->text, "a condition", block.metadata.where);
            ir::for_each_inner_region(block, [&](const ir::Region& inner) { self(self, inner); });
        }
    };
    region(region, sdfg.body);
    return found;
}

std::vector<Diagnostic> device_violations(const ir::Sdfg& sdfg, const std::string& phrase, ir::Language spoken) {
    DeviceCheck check(phrase, spoken);
    check.sdfg(sdfg, sdfg.name, false, {});
    return std::move(check.found);
}

}  // namespace sluice::target
