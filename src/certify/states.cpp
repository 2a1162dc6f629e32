// States: scopes, calls of nested SDFGs, views, copies.
#include <algorithm>

#include "certify/reader.h"
#include "certify/tasklet.h"
#include "code/walk.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/views.h"
#include "ir/walk.h"

namespace sluice::certify {

using ir::NodeId;
using symbolic::Expr;

void ModelReader::state(Frame frame, const ir::State& state) {
    StateWalk walk(state);
    scope(frame, walk, {});
}

/// Transients whose access nodes all lie in this scope (in it or deeper, in no smaller one): new for each execution.
void ModelReader::own_transients(Frame& frame, StateWalk& walk, NodeId entry) {
    const auto around = [&](NodeId node) {
        std::vector<NodeId> entries{walk.scopes.parent(node)};
        while (entries.back().valid()) entries.push_back(walk.scopes.parent(entries.back()));
        std::ranges::reverse(entries);
        return entries;
    };
    std::map<std::string, std::vector<NodeId>> common;
    for (auto [id, node] : walk.state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        const std::vector<NodeId> entries = around(id);
        const auto [at, added] = common.try_emplace(access->data, entries);
        if (added) continue;
        std::size_t same = 0;
        while (same < entries.size() && same < at->second.size() && entries[same] == at->second[same]) ++same;
        at->second.resize(same);
    }
    for (const auto& [name, entries] : common) {
        const ir::Container* of = frame.sdfg->containers.find(name);
        if (!of || !of->transient || of->binding != ir::Binding::Own || of->lifetime != ir::Lifetime::Scope) continue;
        if (entries.empty() || entries.back() != entry) continue;
        bool elsewhere = false;
        ir::for_each_state(frame.sdfg->body, [&](const ir::State& other) {
            if (&other == &walk.state) return;
            for (auto [id, node] : other.nodes)
                if (const auto* access = std::get_if<ir::Access>(&node.kind)) elsewhere |= access->data == name;
        });
        if (elsewhere) continue;
        Place place{.container = frame.prefix + name};
        for (const std::string& iterator : frame.iterators) place.executions.push_back(symbolic::symbol(iterator));
        if (!std::holds_alternative<ir::Scalar>(of->kind))
            for (std::size_t d = 0; d < of->shape.size(); ++d) place.dimensions.push_back({.along = d});
        hold(frame, place.container, *of, false, place.executions);
        frame.places.insert_or_assign(name, std::move(place));
    }
}

void ModelReader::views(Frame& frame, StateWalk& walk, NodeId entry) {
    std::vector<NodeId> open;
    for (const NodeId id : walk.scopes.children(entry))
        if (const auto* access = std::get_if<ir::Access>(&walk.state.nodes[id].kind))
            if (const ir::Container* of = frame.sdfg->containers.find(access->data); of && of->binding == ir::Binding::View)
                open.push_back(id);
    // A view of a view waits for the other.
    for (std::size_t rounds = open.size() + 1; !open.empty() && rounds > 0; --rounds)
        std::erase_if(open, [&](NodeId id) {
            const std::string& view = data_of(walk, id);
            const auto edge = ir::view_edge(*frame.sdfg, walk.state, walk.adjacency, id);
            if (!edge) refuse("the view " + view, {});
            const bool in = walk.state.edges[*edge].dst == id;
            const NodeId base = far_end(walk, *edge, in);
            if (!base.valid()) refuse("the view " + view, {});
            const std::string& viewed = data_of(walk, base);
            const ir::Container& of = container(frame, viewed, {});
            if (of.binding == ir::Binding::View && !frame.places.contains(viewed)) return false;
            ir::Memlet memlet = walk.state.edges[*edge].memlet;
            memlet.dynamic = false;
            symbolic::Subset subset = side(frame, memlet, viewed, in, {});
            const ir::Container& inner = *frame.sdfg->containers.find(view);
            if (!(inner.dtype == of.dtype)) refuse("the view " + view + " as another type", {});
            frame.places.insert_or_assign(view, window(frame, viewed, subset, inner, frame.values, {}));
            return true;
        });
    if (!open.empty()) refuse("the view " + data_of(walk, open.front()), {});
}

void ModelReader::zeros(Frame& frame, StateWalk& walk, NodeId entry) {
    std::int64_t count = 0;
    for (const NodeId id : walk.scopes.children(entry)) {
        const auto* access = std::get_if<ir::Access>(&walk.state.nodes[id].kind);
        if (!access || !access->setzero) continue;
        Frame here = frame;
        here.order.push_back({.kind = Step::Kind::Sequence, .position = count++});
        outer_iterators_ = here.iterators.size();
        const ir::Container& of = container(frame, access->data, {});
        const symbolic::Subset whole =
            std::holds_alternative<ir::Scalar>(of.kind) ? symbolic::Subset{} : symbolic::Subset::extents(of.shape);
        const std::vector<Expr> indices = count_elements(here, symbolic::substitute(whole, frame.values), {});
        Assignment& assignment = add(here, access->data + " = 0", {});
        store(here, assignment, access->data, indices, constant_tree(model_.assignments.size() - 1, 0), std::nullopt);
    }
    if (count > 0) frame.order.push_back({.kind = Step::Kind::Sequence, .position = count});
}

void ModelReader::scope(const Frame& outer, StateWalk& walk, NodeId entry) {
    Frame frame = outer;
    own_transients(frame, walk, entry);
    views(frame, walk, entry);
    zeros(frame, walk, entry);
    std::int64_t position = 0;
    for (const NodeId id : walk.scopes.children(entry)) {
        const ir::Node& node = walk.state.nodes[id];
        if (ir::is_exit(node)) continue;
        Frame here = frame;
        here.order.push_back({.kind = Step::Kind::Dataflow, .position = position++, .state = &walk.state, .node = id});
        outer_iterators_ = here.iterators.size();
        std::visit(
            code::Overloaded{
                [&](const ir::Access&) { copies(here, walk, id); },
                [&](const ir::Tasklet&) { tasklet(here, walk, id); },
                [&](const ir::LibraryNode&) { library(here, walk, id); },
                [&](const ir::MapEntry&) { map_scope(here, walk, id); },
                [&](const ir::ConsumeEntry&) { refuse("the consume scope " + ir::label_of(walk.state, id), node.metadata.where); },
                [&](const ir::NestedSdfg&) { nested(here, walk, id); },
                [](const ir::MapExit&) {},
                [](const ir::ConsumeExit&) {},
            },
            node.kind);
    }
}

void ModelReader::map_scope(Frame frame, StateWalk& walk, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(walk.state.nodes[entry].kind);
    const Span& where = walk.state.nodes[entry].metadata.where;
    for (const ir::EdgeId id : walk.adjacency.in(entry)) {
        const ir::Edge& edge = walk.state.edges[id];
        if (!edge.dst_connector.empty() && !ir::is_port_in(edge.dst_connector) && !edge.memlet.empty())
            refuse("the range of " + map.label + ", which data decide", where);
    }
    for (std::size_t at = 0; at < map.params.size() && at < map.range.rank(); ++at)
        iterate(frame, map.params[at], map.range.dims[at], Step::Kind::Map, "the map " + map.label, where);
    scope(frame, walk, entry);
}

void ModelReader::nested(Frame frame, StateWalk& walk, NodeId id) {
    const auto& node = std::get<ir::NestedSdfg>(walk.state.nodes[id].kind);
    const Span& where = walk.state.nodes[id].metadata.where;
    const ir::Sdfg& inner = *node.sdfg;
    Frame inside = frame;
    inside.sdfg = &inner;
    inside.prefix = frame.prefix + node.label + (calls_ > 0 ? "$" + std::to_string(calls_) : "") + "/";
    ++calls_;
    inside.values.clear();
    inside.places.clear();
    for (const auto& [symbol, value] : node.symbol_mapping)
        inside.values.insert_or_assign(symbol, symbolic::substitute(value, frame.values));
    for (const auto& [name, value] : inner.symbols)
        if (!node.symbol_mapping.contains(name)) forget(inside, name);
    const auto own = [&](const std::string& name, const ir::Container& of) {
        Place place{.container = inside.prefix + name};
        for (const std::string& iterator : frame.iterators) place.executions.push_back(symbolic::symbol(iterator));
        if (!std::holds_alternative<ir::Scalar>(of.kind))
            for (std::size_t d = 0; d < of.shape.size(); ++d) place.dimensions.push_back({.along = d});
        hold(inside, place.container, of, false, place.executions);
        inside.places.insert_or_assign(name, std::move(place));
    };
    std::int64_t position = 0;
    const auto at = [&](std::int64_t where_in) {
        Frame here = frame;
        here.order.push_back({.kind = Step::Kind::Sequence, .position = where_in});
        return here;
    };
    std::map<std::string, std::string> joined;
    for (const bool reading : {true, false})
        for (const ir::EdgeId edge_id : reading ? walk.adjacency.in(id) : walk.adjacency.out(id)) {
            const ir::Edge& edge = walk.state.edges[edge_id];
            if (edge.memlet.empty()) continue;
            const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
            const ir::Container* of = inner.containers.find(connector);
            const NodeId end = far_end(walk, edge_id, reading);
            if (!of || !end.valid()) refuse("the connector " + connector + " of " + node.label, where);
            if (resolution_along(walk, edge_id) && !reading) refuse("the resolution at the call " + node.label, where);
            const std::string& data = data_of(walk, end);
            const symbolic::Subset subset = side(frame, edge.memlet, data, reading, where);
            if (std::holds_alternative<ir::Scalar>(of->kind) && reading && !walk.adjacency.out_at(id, connector)) {
                own(connector, *of);
                Frame here = at(position++);
                outer_iterators_ = here.iterators.size();
                std::vector<Expr> indices;
                for (const symbolic::Range& range : subset.dims) indices.push_back(range.begin);
                Assignment& taken = add(here, "argument " + connector, where);
                const std::size_t owner = model_.assignments.size() - 1;
                TreePtr value = read_tree(here, owner, data, indices);
                Frame target = inside;
                store(target, taken, connector, {}, value, std::nullopt);
                continue;
            }
            if (!(of->dtype == container(frame, data, where).dtype))
                refuse("the connector " + connector + " as another type", where);
            const Place seen = window(frame, data, subset, *of, inside.values, where);
            const auto known = inside.places.find(connector);
            if (known != inside.places.end()) {
                const auto same = [](const Place& a, const Place& b) {
                    return a.container == b.container && a.executions == b.executions &&
                           std::ranges::equal(a.dimensions, b.dimensions, [](const auto& x, const auto& y) {
                               return x.begin == y.begin && x.step == y.step && x.along == y.along;
                           });
                };
                if (!same(known->second, seen)) refuse("the connector " + connector + " of two places", where);
                continue;
            }
            inside.places.insert_or_assign(connector, seen);
        }
    for (const auto& [name, of] : inner.containers) {
        if (inside.places.contains(name) || of.binding == ir::Binding::View) continue;
        if (of.lifetime != ir::Lifetime::Scope && of.lifetime != ir::Lifetime::SDFG && of.lifetime != ir::Lifetime::State)
            refuse("the container " + name + " of " + node.label + ", which lives on", where);
        if (std::holds_alternative<ir::Array>(of.kind) || std::holds_alternative<ir::Scalar>(of.kind)) own(name, of);
    }
    inside.order.push_back({.kind = Step::Kind::Sequence, .position = position});
    region(inside, inner.body);
}

// ---- copies -------------------------------------------------------------------------------------------------------------

void ModelReader::copies(const Frame& frame, StateWalk& walk, NodeId id) {
    std::int64_t count = 0;
    const auto moves = [&](ir::EdgeId at) {
        return !walk.state.edges[at].memlet.empty() && !ir::is_view_edge(*frame.sdfg, walk.state, walk.adjacency, at);
    };
    const auto here = [&] {
        Frame next = frame;
        next.order.push_back({.kind = Step::Kind::Sequence, .position = count++});
        return next;
    };
    for (const ir::EdgeId at : walk.adjacency.in(id)) {
        if (!moves(at) || ir::is_exit(walk.state.nodes[walk.state.edges[at].src])) continue;
        const NodeId source = far_end(walk, at, true);
        if (source.valid()) copy(here(), walk, at, source, id);
    }
    for (const ir::EdgeId at : walk.adjacency.out(id)) {
        if (!moves(at) || !ir::is_exit(walk.state.nodes[walk.state.edges[at].dst])) continue;
        const NodeId destination = far_end(walk, at, false);
        if (destination.valid()) copy(here(), walk, at, id, destination);
    }
}

void ModelReader::copy(Frame frame, StateWalk& walk, ir::EdgeId at, NodeId source, NodeId destination) {
    const ir::Edge& edge = walk.state.edges[at];
    const std::string from = data_of(walk, source), to = data_of(walk, destination);
    const std::string label = "copy " + from + " -> " + to;
    const symbolic::Subset read = side(frame, edge.memlet, from, true, {}), written = side(frame, edge.memlet, to, false, {});
    if (edge.memlet.dynamic) refuse("the dynamic " + label, {});
    const auto wide = [](const symbolic::Subset& subset) {
        std::vector<Expr> sizes;
        for (const symbolic::Range& range : subset.dims)
            if (const Expr size = symbolic::count(range); !size.is_integer(1)) sizes.push_back(size);
        return sizes;
    };
    const std::vector<Expr> sizes = wide(read);
    if (!(sizes == wide(written))) refuse("the " + label + ", which changes the shape", {});
    outer_iterators_ = frame.iterators.size();
    const std::vector<Expr> elements = count_elements(frame, read, {});
    std::vector<Expr> targets;
    std::size_t next = outer_iterators_;
    for (const symbolic::Range& range : written.dims)
        targets.push_back(symbolic::count(range).is_integer(1)
                              ? range.begin
                              : range.begin + range.step * symbolic::symbol(frame.iterators[next++]));
    Assignment& assignment = add(frame, label, {});
    const TreePtr value = read_tree(frame, model_.assignments.size() - 1, from, elements);
    store(frame, assignment, to, targets, value, resolution_along(walk, at));
}

}  // namespace sluice::certify
