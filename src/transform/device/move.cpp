#include "transform/device/move.h"

#include <algorithm>
#include <map>

#include "analysis/counted_loops.h"
#include "analysis/liveness.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/views.h"
#include "ir/walk.h"
#include "library/extern_call.h"
#include "rewrite/device_copy.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "support/words.h"
#include "target/device.h"
#include "target/fpga.h"
#include "transform/device/host_parts.h"
#include "transform/device/host_regions.h"
#include "transform/device/serial_loops.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;
using Names = std::set<std::string>;

std::vector<ir::NodeId> top_level(const ir::State& state, const analysis::ScopeTree& scopes) {
    std::vector<ir::NodeId> nodes;
    for (auto [id, node] : state.nodes)
        if (!scopes.parent(id).valid()) nodes.push_back(id);
    return nodes;
}

bool is_array(const ir::Container& container) {
    return std::holds_alternative<ir::Array>(container.kind);
}

bool inside_of_scope(const ir::State& state, ir::NodeId node) {
    const ir::Adjacency adjacency(state);
    return analysis::ScopeTree(state, adjacency).parent(node).valid();
}

/// The states of which something is on the device. An FPGA's kernels are states, and nothing stays.
template <class Visit> void for_each_moved_state(const ir::Sdfg& sdfg, bool whole_states, const Visit& visit) {
    if (whole_states)
        ir::for_each_state(sdfg.body, visit);
    else
        HostParts(sdfg).for_each_device_state(sdfg.body, visit);
}

/// What a state writes that accesses anything of the device.
void add_results(const ir::Sdfg& sdfg, Names& names) {
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        const auto there = [&](const auto& edge) { return names.contains(edge.second.memlet.data); };
        if (std::ranges::none_of(state.edges, there)) return;
        for (auto [id, edge] : state.edges)
            if (const auto* access = std::get_if<ir::Access>(&state.nodes[edge.dst].kind); access && !edge.memlet.empty())
                if (const ir::Container* container = sdfg.containers.find(access->data);
                    container &&
                    !(container->transient && container->lifetime == ir::Lifetime::Scope && inside_of_scope(state, edge.dst)))
                    names.insert(access->data);
    });
}

/// Which containers lie on the device.
Names on_device(const ir::Sdfg& sdfg, const Names& given, bool whole_states) {
    Names names = given;
    const auto kept = whole_states ? std::map<std::string, std::string>() : HostParts(sdfg).kept();
    // What lies in a scope alone is of a kernel's threads.
    for_each_moved_state(sdfg, whole_states, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        for (const ir::NodeId id : top_level(state, scopes))
            if (const auto* access = std::get_if<ir::Access>(&state.nodes[id].kind))
                if (const ir::Container* container = sdfg.containers.find(access->data);
                    container && is_array(*container) && !kept.contains(access->data))
                    names.insert(access->data);
    });
    for (bool again = true; again;) {
        const std::size_t before = names.size();
        for_each_moved_state(sdfg, whole_states, [&](const ir::State& state) {
            const ir::Adjacency adjacency(state);
            const analysis::ScopeTree scopes(state, adjacency);
            for (const ir::NodeId id : top_level(state, scopes)) {
                const ir::Node& node = state.nodes[id];
                const bool is_map = ir::is_entry(node);
                const bool writes_there = is_map || std::holds_alternative<ir::NestedSdfg>(node.kind);
                bool uses = false;
                for (const bool out : {false, true})
                    for (const ir::EdgeId edge : out ? adjacency.out(id) : adjacency.in(id))
                        uses = uses || names.contains(state.edges[edge].memlet.data);
                if (!writes_there && !(std::holds_alternative<ir::Tasklet>(node.kind) && uses)) continue;
                for (const ir::EdgeId edge : adjacency.out(is_map ? scopes.exit_of(id) : id))
                    if (!state.edges[edge].memlet.empty()) names.insert(state.edges[edge].memlet.data);
            }
        });
        if (whole_states) add_results(sdfg, names);
        again = names.size() > before;
    }
    return names;
}

/// Does code of the control flow, or a shape, mention the name?
bool read_by_host(const ir::Sdfg& sdfg, const std::string& name) {
    return rewrite::used_in_control(sdfg, name);
}

/// Transient scalars that are new in each execution of the one state that uses them: a kernel keeps them on the chip.
Names scalars_of_one_state(const ir::Sdfg& sdfg) {
    Names names;
    for (const auto& [name, scope] : analysis::allocation_scopes(sdfg))
        if (scope.level == analysis::AllocationScope::Level::State && !read_by_host(sdfg, name) &&
            std::holds_alternative<ir::Scalar>(sdfg.containers.at(name).kind))
            names.insert(name);
    return names;
}

class Mover {
public:
    Mover(const Destination& to, const KernelOptions& options, Names no_copy_in, Names no_copy_out)
        : to_(to), options_(options), no_copy_in_(std::move(no_copy_in)), no_copy_out_(std::move(no_copy_out)) {}

    /// `given`: arguments that lie on the device already.
    void sdfg(ir::Sdfg& sdfg, const Names& given) {
        if (!to_.whole_states) place_streams(sdfg), divide_states(sdfg), gather_serial_loops(sdfg);
        const Names names = on_device(sdfg, given, to_.whole_states);
        if (!to_.whole_states) host_parts_.emplace(sdfg);
        const Names written = analysis::written_containers(sdfg);
        const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
        const Names of_one_state = scalars_of_one_state(sdfg);
        std::map<std::string, std::string> mirrors;  // By the name on the device: the host's.
        std::vector<std::pair<std::string, std::string>> copies, in, out;
        for (const std::string& name : names) {
            if (!sdfg.containers.contains(name)) continue;
            ir::Container& container = sdfg.containers.at(name);
            if (std::holds_alternative<ir::Stream>(container.kind)) continue;
            const bool is_read = read_by_host(sdfg, name);
            if (container.transient || given.contains(name)) {
                if (target::is_on_chip(container.storage)) continue;
                if (to_.whole_states && of_one_state.contains(name)) {
                    container.storage = ir::Storage::FPGA_Local;
                    continue;
                }
                if (container.storage != ir::Storage::GPU_Shared) container.storage = to_.memory;
                allocate_once(container, assigned);
                if (!is_read) continue;
                const std::string mirror = mirror_of(sdfg, name);
                rewrite::substitute(sdfg.body, {{name, symbolic::symbol(mirror)}});
                mirrors[name] = hosts_[name] = mirror;
                if (given.contains(name)) in.emplace_back(name, mirror);
                continue;
            }
            const std::string there = rewrite::add_device_copy(sdfg, name, to_.prefix, to_.memory);
            hosts_[there] = name;
            if (!written.contains(name)) unchanged_.insert(name);
            ir::edit_each_state(sdfg.body, [&](ir::State& state) { rewrite::rename_data(state, name, there); });
            if (!no_copy_in_.contains(name)) copies.emplace_back(name, there);
            if (is_read && written.contains(name))
                mirrors[there] = name;  // What is copied back where it is written is there at the end.
            else if (written.contains(name) && !no_copy_out_.contains(name))
                out.emplace_back(there, name);
        }
        region(sdfg, sdfg.body, names_after(sdfg), mirrors);
        copy_out(sdfg, out);
        // What is copied back as a whole is needed as far as it is not overwritten.
        const Names needed = analysis::needed_at_start(sdfg, analysis::assumptions_of(sdfg));
        for (const auto& copy : copies)
            if (needed.contains(copy.second)) in.push_back(copy);
        copy_in(sdfg, in);
        for (const auto& [here, there] : in) copied_in_.insert(here);
        for (const auto& [there, here] : out) copied_out_.insert(here);
    }
    const Names& copied_in() const { return copied_in_; }
    const Names& copied_out() const { return copied_out_; }

private:
    using Copies = std::vector<std::pair<std::string, std::string>>;  // From, to.

    static void allocate_once(ir::Container& container, const std::vector<std::string>& assigned) {
        const Names symbols = analysis::free_symbols(container);
        const bool changes = std::ranges::any_of(assigned, [&](const std::string& name) { return symbols.contains(name); });
        const bool own = container.transient && container.binding == ir::Binding::Own;
        if (own && !changes && container.lifetime == ir::Lifetime::Scope) container.lifetime = ir::Lifetime::SDFG;
    }
    static std::string mirror_of(ir::Sdfg& sdfg, const std::string& name) {
        const std::string mirror = ir::fresh_name(sdfg, "host_" + name);
        ir::Container container = sdfg.containers.at(name);
        container.transient = true;
        container.storage = ir::Storage::Default;
        if (container.binding != ir::Binding::View) container.binding = ir::Binding::Own;
        sdfg.containers.set(mirror, std::move(container));
        return mirror;
    }
    Names names_after(const ir::Sdfg& sdfg) const {
        Names names;
        for (const auto& [name, container] : sdfg.containers)
            if (container.storage == to_.memory) names.insert(name);
        return names;
    }

    void region(ir::Sdfg& sdfg, ir::Region& region, const Names& names, const std::map<std::string, std::string>& mirrors) {
        std::vector<ir::BlockId> blocks;
        for (auto [id, block] : region.blocks) blocks.push_back(id);
        for (const ir::BlockId id : blocks) {
            ir::Block& block = region.blocks[id];
            if (host_parts_ && host_parts_->keeps(block)) {
                between_copies(sdfg, region, id, names);
                continue;
            }
            if (auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) loop->schedule = ir::Schedule::Default;
            ir::for_each_inner_region(block, [&](ir::Region& inner) { this->region(sdfg, inner, names, mirrors); });
            if (ir::State* state = ir::as_state(block)) {
                this->state(sdfg, *state, names);
                copy_back(sdfg, region, id, mirrors);
            }
        }
    }
    /// The host runs the block on its own containers: what lies on the device comes from there and goes back.
    void between_copies(ir::Sdfg& sdfg, ir::Region& region, ir::BlockId id, const Names& names) {
        ir::Block& block = region.blocks[id];
        std::map<std::string, bool> used;  // Is it written?
        const auto look = [&](const ir::State& state) { add_uses(sdfg, state, names, used); };
        if (const ir::State* state = ir::as_state(std::as_const(block))) look(*state);
        ir::for_each_inner_region(std::as_const(block), [&](const ir::Region& inner) { ir::for_each_state(inner, look); });
        const std::map<std::string, HostRegion> regions = host_regions(sdfg, block, used);
        ir::State here, there;
        for (const auto& [name, written] : used) {
            if (!hosts_.contains(name)) hosts_[name] = mirror_of(sdfg, name);
            const std::string& host = hosts_.at(name);
            const auto rename = [&](ir::State& state) { rewrite::rename_data(state, name, host); };
            if (ir::State* state = ir::as_state(block)) rename(*state);
            ir::for_each_inner_region(block, [&](ir::Region& inner) { ir::edit_each_state(inner, rename); });
            if (sdfg.containers.at(name).binding == ir::Binding::View) continue;
            const HostRegion& part = regions.at(name);
            if (part.in && !unchanged_.contains(host)) rewrite::copy_part(sdfg, here, name, host, *part.in);
            if (part.out) rewrite::copy_part(sdfg, there, host, name, *part.out);
        }
        const std::string label = block.label;
        if (!here.nodes.empty()) put_in_front(region, id, add_state(region, label + "_from_device", std::move(here)));
        if (!there.nodes.empty()) put_behind(region, id, add_state(region, label + "_to_device", std::move(there)));
    }
    /// What of the names the state uses, and whether it is written, by way of a view too.
    static void add_uses(const ir::Sdfg& sdfg, const ir::State& state, const Names& names, std::map<std::string, bool>& used) {
        const ir::Adjacency adjacency(state);
        const auto add = [&](ir::NodeId node, bool written) {
            const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
            if (access && names.contains(access->data)) used[access->data] |= written;
        };
        for (auto [id, node] : state.nodes) {
            if (!std::holds_alternative<ir::Access>(node.kind)) continue;
            const bool written = std::ranges::any_of(
                adjacency.in(id), [&](ir::EdgeId edge) { return !ir::is_view_edge(sdfg, state, adjacency, edge); });
            add(id, written);
            auto edge = ir::view_edge(sdfg, state, adjacency, id);
            for (ir::NodeId viewed = id; written && edge; edge = ir::view_edge(sdfg, state, adjacency, viewed)) {
                viewed = state.edges[*edge].src == viewed ? state.edges[*edge].dst : state.edges[*edge].src;
                add(viewed, true);
            }
        }
    }

    void state(ir::Sdfg& sdfg, ir::State& state, const Names& names) {
        state.schedule = ir::Schedule::Default;
        std::vector<ir::NodeId> nodes;
        {
            const ir::Adjacency adjacency(state);
            const analysis::ScopeTree scopes(state, adjacency);
            nodes = top_level(state, scopes);
            for (const ir::NodeId id : nodes)
                for (const ir::EdgeId edge : adjacency.out(id)) state.edges[edge].memlet.schedule = ir::Schedule::Default;
        }
        for (const ir::NodeId id : nodes) {
            if (std::holds_alternative<ir::Tasklet>(state.nodes[id].kind) && !to_.whole_states && uses(state, id, names))
                make_kernel(sdfg, state, wrap_in_map(state, id), options_);
            else if (ir::is_entry(state.nodes[id]))
                make_kernel(sdfg, state, id, options_);
            if (auto* nested = std::get_if<ir::NestedSdfg>(&state.nodes[id].kind)) {
                if (!to_.whole_states)
                    call(sdfg, state, id, *nested, names);
                else if (uses(state, id, names))
                    make_called(nested->sdfg.edit(), options_);
            }
            if (std::holds_alternative<ir::MapEntry>(state.nodes[id].kind) && !to_.whole_states)
                read_ranges(sdfg, state, id, names);
        }
    }
    static bool uses(const ir::State& state, ir::NodeId node, const Names& names) {
        for (auto [id, edge] : state.edges)
            if ((edge.src == node || edge.dst == node) && names.contains(edge.memlet.data)) return true;
        return false;
    }
    static void read_ranges(ir::Sdfg& sdfg, ir::State& state, ir::NodeId entry, const Names& names) {
        std::vector<ir::EdgeId> read;
        for (auto [id, edge] : state.edges)
            if (edge.dst == entry && !edge.dst_connector.empty() && !ir::is_port_in(edge.dst_connector) &&
                names.contains(edge.memlet.data))
                read.push_back(id);
        for (const ir::EdgeId edge : read) read_through_host(sdfg, state, edge);
    }
    /// The called SDFG takes scalars that it only reads by value, and memory of the device as it is.
    void call(ir::Sdfg& sdfg, ir::State& state, ir::NodeId node, ir::NestedSdfg& nested, const Names& names) {
        Names given;
        std::vector<ir::EdgeId> by_value;
        for (auto [id, edge] : state.edges) {
            const std::string& connector = edge.dst == node   ? edge.dst_connector
                                           : edge.src == node ? edge.src_connector
                                                              : std::string();
            if (connector.empty() || !names.contains(edge.memlet.data)) continue;
            const ir::Container& inner = nested.sdfg->containers.at(connector);
            if (std::holds_alternative<ir::Scalar>(inner.kind) && !state.nodes[node].out.contains(connector))
                by_value.push_back(id);
            else
                given.insert(connector);
        }
        Mover(to_, options_, {}, {}).sdfg(nested.sdfg.edit(), given);
        for (const ir::EdgeId edge : by_value) read_through_host(sdfg, state, edge);
    }

    /// Behind a state that writes what the host reads.
    static void copy_back(const ir::Sdfg& sdfg, ir::Region& region, ir::BlockId block,
                          const std::map<std::string, std::string>& mirrors) {
        const ir::State& state = *ir::as_state(region.blocks[block]);
        Copies copies;
        for (const auto& [there, here] : mirrors) {
            const bool writes = std::ranges::any_of(state.nodes, [&](const auto& entry) {
                const auto* access = std::get_if<ir::Access>(&entry.second.kind);
                return access && access->data == there &&
                       std::ranges::any_of(state.edges, [&](const auto& edge) { return edge.second.dst == entry.first; });
            });
            if (writes) copies.emplace_back(there, here);
        }
        if (copies.empty()) return;
        put_behind(region, block, add_state(sdfg, region, region.blocks[block].label + "_to_host", copies));
    }
    static void put_in_front(ir::Region& region, ir::BlockId block, ir::BlockId added) {
        for (auto [id, transition] : region.transitions)
            if (transition.dst == block) transition.dst = added;
        if (region.start == block) region.start = added;
        ir::add_transition(region, added, block);
    }
    static void put_behind(ir::Region& region, ir::BlockId block, ir::BlockId added) {
        for (auto [id, transition] : region.transitions)
            if (transition.src == block) transition.src = added;
        ir::add_transition(region, block, added);
    }
    static std::string fresh_label(const ir::Region& region, const std::string& base) {
        std::string label = base;
        for (int at = 0; std::ranges::any_of(region.blocks, [&](const auto& entry) { return entry.second.label == label; }); ++at)
            label = base + "_" + std::to_string(at);
        return label;
    }

    static ir::BlockId add_state(const ir::Sdfg& sdfg, ir::Region& region, const std::string& label, const Copies& copies) {
        ir::State state;
        for (const auto& [from, to] : copies) rewrite::copy_whole(sdfg, state, from, to);
        return add_state(region, label, std::move(state));
    }
    static ir::BlockId add_state(ir::Region& region, const std::string& label, ir::State state) {
        return ir::add_block(region,
                             {.label = fresh_label(region, label), .kind = Cow<ir::State>(std::move(state)), .metadata = {}});
    }
    /// Behind every block where control leaves the SDFG, and in front of each return.
    static void copy_out(ir::Sdfg& sdfg, const Copies& copies) {
        if (copies.empty()) return;
        copy_before_returns(sdfg, sdfg.body, copies);
        leave_to(sdfg.body, add_state(sdfg, sdfg.body, "copy_out", copies));
    }
    static void copy_before_returns(const ir::Sdfg& sdfg, ir::Region& region, const Copies& copies) {
        std::vector<ir::BlockId> returns;
        for (auto [id, block] : region.blocks) {
            if (std::holds_alternative<ir::ReturnBlock>(block.kind)) returns.push_back(id);
            ir::for_each_inner_region(block, [&](ir::Region& inner) { copy_before_returns(sdfg, inner, copies); });
        }
        for (const ir::BlockId id : returns) put_in_front(region, id, add_state(sdfg, region, "copy_out", copies));
    }
    static void copy_in(ir::Sdfg& sdfg, const Copies& copies) {
        if (copies.empty()) return;
        const ir::BlockId start = sdfg.body.start, first = add_state(sdfg, sdfg.body, "copy_in", copies);
        ir::add_transition(sdfg.body, first, start);
        sdfg.body.start = first;
    }
    /// Whoever has no way that is always open leads there when none of its ways is.
    static void leave_to(ir::Region& body, ir::BlockId end) {
        std::vector<ir::BlockId> blocks;
        for (auto [id, block] : body.blocks)
            if (id != end && !std::holds_alternative<ir::ReturnBlock>(block.kind)) blocks.push_back(id);
        for (const ir::BlockId id : blocks) {
            const bool open = std::ranges::any_of(body.transitions, [&](const auto& entry) {
                return entry.second.src == id && (entry.second.condition.text.empty() || entry.second.condition.text == "1" ||
                                                  entry.second.condition.text == "True");
            });
            if (!open) ir::add_transition(body, id, end);
        }
    }

    const Destination& to_;
    KernelOptions options_;
    std::optional<HostParts> host_parts_;  // Where some stay.
    Names no_copy_in_, no_copy_out_;
    Names copied_in_, copied_out_;              // Arguments of the SDFG that was moved last.
    std::map<std::string, std::string> hosts_;  // Where the host has what lies on the device, by its name there.
    Names unchanged_;                           // Arguments that nobody writes.
};

/// The first part that no kernel holds. On a GPU the host keeps it; but for what nobody has expanded.
std::optional<Refusal> refusal_of(const ir::Sdfg& sdfg, const Destination& to) {
    std::optional<Refusal> refusal;
    const auto refuse = [&](const std::string& code, const std::string& why, const Span& where) {
        if (!refusal) refusal = Refusal{.code = code, .why = why, .nodes = {}, .notes = {}, .where = where};
    };
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        for (const ir::NodeId id : top_level(state, scopes)) {
            const ir::Node& node = state.nodes[id];
            const Span where = node.metadata.where;
            const std::string what = "`" + ir::label_of(state, id) + "`: ";
            const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
            if (library && (to.whole_states || !library::is_final(*library)))
                refuse(to.code(2), what + "it is not expanded", where);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                if (auto inner = refusal_of(*nested->sdfg, to)) refuse(inner->code, what + inner->why, inner->where);
            if (!to.whole_states) continue;
            if (std::holds_alternative<ir::ConsumeEntry>(node.kind)) refuse(to.code(3), what + "a consume scope", where);
            if (std::holds_alternative<ir::MapEntry>(node.kind))
                if (const auto why = why_no_kernel(sdfg, state, scopes, id, to.kernels)) refuse(to.code(3), what + *why, where);
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
                const bool arrays = std::ranges::any_of(state.edges, [&](const auto& entry) {
                    const auto& [edge, e] = entry;
                    const ir::Container* container = sdfg.containers.find(e.memlet.data);
                    return (e.src == id || e.dst == id) && container && !std::holds_alternative<ir::Scalar>(container->kind);
                });
                if (const auto why = why_no_kernel(sdfg, state, adjacency, id, *tasklet, to.kernels); why && arrays)
                    refuse(to.code(3), what + *why, where);
            }
        }
    });
    return refusal;
}

/// Conditions 1 to 3.
std::optional<Refusal> why_not_moved(const ir::Sdfg& sdfg, const Destination& to) {
    if (target::has_device_parts(sdfg) || target::has_fpga_parts(sdfg))
        return Refusal{.code = to.code(1), .why = "a part of it is on a device already"};
    ir::Sdfg divided = sdfg;
    if (!to.whole_states) place_streams(divided), divide_states(divided);
    const Names names = on_device(divided, {}, to.whole_states);
    if (auto refusal = refusal_of(sdfg, to)) return refusal;
    if (names.empty()) return Refusal{.code = to.code(1), .why = "it has no array and no map that the device takes"};
    if (!to.whole_states) return std::nullopt;
    // Copies of what may be one array would part.
    for (const auto& [name, container] : sdfg.containers)
        if (const auto* array = std::get_if<ir::Array>(&container.kind);
            array && array->may_alias && !container.transient && names.contains(name))
            return Refusal{.code = to.code(3),
                           .why = "`" + name + "` may share memory with another argument",
                           .where = container.metadata.where};
    return std::nullopt;
}

/// `A, B` as names.
Names names_in(const std::string& text) {
    Names names;
    std::string name;
    for (const char c : text + ",") {
        if (c == ',' && !name.empty()) names.insert(std::exchange(name, {}));
        if (c != ',' && c != ' ') name += c;
    }
    return names;
}

/// Arguments that lie there.
Names given_there(const ir::Sdfg& sdfg, const Destination& to) {
    Names names;
    for (const auto& [name, container] : sdfg.containers)
        if (!container.transient && container.storage == to.memory) names.insert(name);
    return names;
}

/// An argument that is left out although what it holds, or what is written to it, is needed.
std::optional<Refusal> missed_copy(const rewrite::Site& site, const Move& move, const Destination& to) {
    if (move.no_copy_in.empty() && move.no_copy_out.empty()) return std::nullopt;
    Mover all(to, move.options, {}, {});
    ir::Sdfg moved = site.sdfg();
    all.sdfg(moved, given_there(moved, to));
    std::string why;
    for (const std::string& name : move.no_copy_out)
        if (all.copied_out().contains(name)) why = "`" + name + "` is written on the device and would not be copied back";
    for (const std::string& name : move.no_copy_in)
        if (all.copied_in().contains(name)) why = "what `" + name + "` holds is needed on the device and would not be copied there";
    return why.empty() ? std::nullopt : site.unless_assumed({.code = to.code(to.whole_states ? 4 : 3), .why = why});
}

/// A view that other states use as well is another one in the state that is moved.
void give_own_views(ir::Sdfg& alone, Names& own) {
    Names views;
    ir::for_each_state(alone.body, [&](const ir::State& state) {
        for (auto [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                if (alone.containers.at(access->data).binding == ir::Binding::View && !own.contains(access->data))
                    views.insert(access->data);
    });
    for (const std::string& name : views) {
        const std::string fresh = ir::fresh_name(alone, name);
        alone.containers.set(fresh, alone.containers.at(name));
        ir::edit_each_state(alone.body, [&](ir::State& state) { rewrite::rename_data(state, name, fresh); });
        own.insert(fresh);
    }
}

}  // namespace

rewrite::Planned<Move> plan_move(const rewrite::Site& site, const Destination& to) {
    const ir::Sdfg& sdfg = site.sdfg();
    if (!site.match().place.nested.empty())
        return Refusal{.code = to.code(1), .why = "it is called; move the program that calls it"};
    if (auto refusal = why_not_moved(sdfg, to)) return std::move(*refusal);
    KernelOptions options = to.kernels;
    if (!to.whole_states)
        options.sequential_innermaps = site.flag("sequential_innermaps"), options.register_trans = site.flag("register_trans");
    Move move{options, names_in(site.text("exclude_copyin")), names_in(site.text("exclude_copyout"))};
    for (const Names* names : {&move.no_copy_in, &move.no_copy_out})
        for (const std::string& name : *names)
            if (!sdfg.containers.contains(name)) return Refusal{.code = to.code(1), .why = "it has no container " + name};
    if (auto refusal = missed_copy(site, move, to)) return std::move(*refusal);
    return move;
}

void apply_move(rewrite::Draft& draft, const Move& move, const Destination& to) {
    Mover(to, move.options, move.no_copy_in, move.no_copy_out).sdfg(draft.sdfg(), given_there(draft.sdfg(), to));
}

rewrite::Planned<MovedState> plan_state_move(const rewrite::Site& site, const Destination& to) {
    if (!site.match().place.nested.empty())
        return Refusal{.code = to.code(1), .why = "it is called; move a state of the program that calls it"};
    const ir::Sdfg& sdfg = site.sdfg();
    const ir::Block& block = site.region().blocks[site.block("state")];
    const std::vector<ir::BlockId> blocks = {site.block("state")};
    MovedState plan{.alone = sdfg, .own = rewrite::transients_only_in(sdfg, site.region(), blocks)};
    plan.alone.body = {};
    ir::add_block(plan.alone.body, block);
    give_own_views(plan.alone, plan.own);
    for (auto& [name, container] : plan.alone.containers)
        if (!plan.own.contains(name)) container.transient = false;
    if (auto refusal = why_not_moved(plan.alone, to)) return std::move(*refusal);
    Mover(to, to.kernels, {}, {}).sdfg(plan.alone, given_there(sdfg, to));
    for (const auto& [name, container] : plan.alone.containers)
        if (!sdfg.containers.contains(name)) plan.own.insert(name);
    // What the rest of the program assigns to sizes is not known to the state alone.
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    for (const std::string& name : plan.own) {
        ir::Container& container = plan.alone.containers.at(name);
        const Names symbols = analysis::free_symbols(container);
        if (container.lifetime == ir::Lifetime::SDFG &&
            std::ranges::any_of(assigned, [&](const std::string& one) { return symbols.contains(one); }))
            container.lifetime = ir::Lifetime::Scope;
    }
    return plan;
}

void apply_state_move(rewrite::Draft& draft, const MovedState& moved) {
    for (const std::string& name : moved.own) draft.sdfg().containers.set(name, moved.alone.containers.at(name));
    ir::Block& block = draft.region().blocks[draft.block("state")];
    ir::NamedRegion region;
    region.body = moved.alone.body;
    block.kind = std::move(region);
    // No team runs loops around kernels.
    rewrite::Place around = draft.before().match().place;
    while (!around.regions.empty()) {
        const ir::BlockId outer = around.regions.back().block;
        around.regions.pop_back();
        if (auto* loop = std::get_if<ir::LoopRegion>(&rewrite::region_at(draft.root(), around).blocks[outer].kind))
            loop->schedule = ir::Schedule::Default;
    }
}

}  // namespace sluice::transform
