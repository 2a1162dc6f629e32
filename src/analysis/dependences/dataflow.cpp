// States in the table of statements: scopes, tasklets, copies, library nodes, nested SDFGs, views.
#include <algorithm>

#include "analysis/dependences/builder.h"
#include "analysis/edge_accesses.h"
#include "analysis/liveness.h"
#include "analysis/symbols.h"
#include "code/assignments.h"
#include "code/reduction.h"
#include "code/walk.h"
#include "ir/messages.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/views.h"
#include "ir/walk.h"

namespace sluice::analysis {

using ir::NodeId;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

/// The access node at the far end of a path through scope nodes; invalid if code is there. `edge` gives the end's own edge.
NodeId far_end(const StateWalk& walk, ir::EdgeId at, bool towards_source) {
    while (true) {
        const ir::Edge& edge = walk.state.edges[at];
        const NodeId end = towards_source ? edge.src : edge.dst;
        const ir::Node& node = walk.state.nodes[end];
        if (std::holds_alternative<ir::Access>(node.kind)) return end;
        const std::string& connector = towards_source ? edge.src_connector : edge.dst_connector;
        const bool passes =
            towards_source ? is_entry(node) && ir::is_port_out(connector) : is_exit(node) && ir::is_port_in(connector);
        if (!passes) return {};
        const std::string across = ir::across(connector);
        const auto next = towards_source ? walk.adjacency.in_at(end, across) : walk.adjacency.out_at(end, across);
        if (!next) return {};
        at = *next;
    }
}

std::set<std::string> names_in(const Subset& subset) {
    return symbolic::free_symbols(subset);
}

std::set<std::string> names_in(const ir::Memlet& memlet) {
    std::set<std::string> names;
    if (memlet.subset) names.merge(names_in(*memlet.subset));
    if (memlet.other_subset) names.merge(names_in(*memlet.other_subset));
    return names;
}

const std::string& data_of(const StateWalk& walk, NodeId node) {
    return std::get<ir::Access>(walk.state.nodes[node].kind).data;
}

std::optional<ir::Resolution> resolution_along(const StateWalk& walk, ir::EdgeId at) {
    while (true) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.wcr) return edge.memlet.wcr;
        if (!is_exit(walk.state.nodes[edge.dst]) || !ir::is_port_in(edge.dst_connector)) return std::nullopt;
        const auto next = walk.adjacency.out_at(edge.dst, ir::across(edge.dst_connector));
        if (!next) return std::nullopt;
        at = *next;
    }
}

/// Uses of a connector in a tasklet's code: `name[index]` with its indices, or the bare name.
struct Uses {
    std::vector<std::vector<code::ExprPtr>> indexed_reads, indexed_writes;
    bool bare_read = false, bare_write = false;
    bool conditional = false;  ///< Under an if or a loop of the tasklet.
};

class UseWalk {
public:
    UseWalk(const std::string& name, Uses& uses) : name_(name), uses_(uses) {}
    void body(const code::Body& body, bool conditional) {
        for (const code::StmtPtr& s : body) statement(*s, conditional);
    }

private:
    void statement(const code::Stmt& s, bool conditional) {
        conditional_ = conditional;
        if (const auto* assign = std::get_if<code::AssignStmt>(&s.node)) {
            for (const code::ExprPtr& target : assign->targets) expression(*target, true);
            expression(*assign->value, false);
        } else if (const auto* augmented = std::get_if<code::AugAssignStmt>(&s.node)) {
            expression(*augmented->target, true);
            expression(*augmented->target, false);
            expression(*augmented->value, false);
        } else if (const auto* annotated = std::get_if<code::AnnAssignStmt>(&s.node)) {
            expression(*annotated->target, true);
            if (annotated->value) expression(*annotated->value, false);
        } else if (const auto* value = std::get_if<code::ExprStmt>(&s.node)) {
            expression(*value->value, false);
        } else if (const auto* branch = std::get_if<code::IfStmt>(&s.node)) {
            expression(*branch->condition, false);
            body(branch->then_body, true);
            body(branch->else_body, true);
        } else if (const auto* loop = std::get_if<code::ForStmt>(&s.node)) {
            expression(*loop->iterable, false);
            body(loop->body, true);
        } else if (const auto* turns = std::get_if<code::WhileStmt>(&s.node)) {
            expression(*turns->condition, false);
            body(turns->body, true);
        }
    }
    void expression(const code::Expr& e, bool writes) {
        if (const auto* subscript = std::get_if<code::SubscriptExpr>(&e.node)) {
            const auto* object = std::get_if<code::NameExpr>(&subscript->object->node);
            if (object && object->id == name_) {
                std::vector<code::ExprPtr> indices{subscript->index};
                if (const auto* tuple = std::get_if<code::TupleExpr>(&subscript->index->node)) indices = tuple->elements;
                (writes ? uses_.indexed_writes : uses_.indexed_reads).push_back(indices);
                uses_.conditional |= conditional_;
                expression(*subscript->index, false);
                return;
            }
        }
        if (const auto* plain = std::get_if<code::NameExpr>(&e.node); plain && plain->id == name_) {
            (writes ? uses_.bare_write : uses_.bare_read) = true;
            uses_.conditional |= conditional_;
            return;
        }
        code::for_each_child(e, [&](const code::ExprPtr& child) { expression(*child, writes); });
    }

    const std::string& name_;
    Uses& uses_;
    bool conditional_ = false;
};

}  // namespace

// ---- scopes -------------------------------------------------------------------------------------------------------------

void ModelBuilder::state(Frame frame, const ir::State& state, const Span&) {
    StateWalk walk(state);
    own_transients(frame, {}, &state);
    scope(std::move(frame), walk, {});
}

/// Is the node, of a scope in a state of the root or below, part of what was asked about?
bool ModelBuilder::describes(const Frame& frame, const ir::State& state, NodeId node) const {
    const auto some = frame.top.valid() ? described_.end() : described_.find(&state);
    return some == described_.end() || some->second.contains(node);
}

void ModelBuilder::scope(Frame frame, StateWalk& walk, NodeId entry) {
    bind_views(frame, walk, entry);
    set_to_zero(frame, walk, entry);
    std::int64_t position = 0;
    for (const NodeId id : walk.scopes.children(entry)) {
        const ir::Node& node = walk.state.nodes[id];
        if (is_exit(node)) continue;
        ++position;
        if (!describes(frame, walk.state, id)) continue;
        Frame here = frame;
        here.order.push_back({.kind = OrderStep::Kind::Dataflow, .position = position, .state = &walk.state, .node = id});
        if (!here.top.valid()) here.top = id;
        std::visit(code::Overloaded{
                       [&](const ir::Access&) { copies(here, walk, id); },
                       [&](const ir::Tasklet&) { leaf(here, walk, id); },
                       [&](const ir::LibraryNode&) { leaf(here, walk, id); },
                       [&](const ir::MapEntry&) { map_scope(here, walk, id); },
                       [&](const ir::ConsumeEntry&) { consume_scope(here, walk, id); },
                       [&](const ir::NestedSdfg&) { nested(here, walk, id); },
                       [](const ir::MapExit&) {},
                       [](const ir::ConsumeExit&) {},
                   },
                   node.kind);
    }
}

/// Symbols of a dynamic range: read from memory where the scope is entered.
void ModelBuilder::dynamic_ranges(Frame& frame, StateWalk& walk, NodeId entry) {
    std::set<std::string> symbols;
    Statement* statement = nullptr;
    for (const ir::EdgeId id : walk.adjacency.in(entry)) {
        const ir::Edge& edge = walk.state.edges[id];
        if (edge.dst_connector.empty() || ir::is_port_in(edge.dst_connector) || edge.memlet.empty()) continue;
        symbols.insert(edge.dst_connector);
        const NodeId source = far_end(walk, id, true);
        if (!source.valid()) continue;
        if (!statement) statement = &add_statement(frame, "range of " + ir::label_of(walk.state, entry), &walk.state, entry, {});
        const ir::Container& container = container_at(*frame.sdfg, data_of(walk, source));
        touch(
            *statement, frame,
            {.data = data_of(walk, source), .subset = side_of(edge.memlet, data_of(walk, source), container, true, known_).subset});
    }
    forget(frame, symbols, "is read from memory for the range");
    frame.bound.merge(symbols);
}

void ModelBuilder::map_scope(Frame frame, StateWalk& walk, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(walk.state.nodes[entry].kind);
    std::set<std::string> used = names_in(map.range);
    {
        Statement& range =
            add_statement(frame, "range of " + map.label, &walk.state, entry, walk.state.nodes[entry].metadata.where);
        use_symbols(range, frame, used);
        if (range.accesses.empty()) model_.statements.pop_back();
    }
    dynamic_ranges(frame, walk, entry);
    const std::size_t owner = owners_++;
    for (std::size_t at = 0; at < map.params.size() && at < map.range.rank(); ++at) {
        const Range range = symbolic::substitute(map.range.dims[at], frame.values);
        iterate(frame, map.params[at], Iterator::Kind::Map, 1, owner);
        Range untiled = range;
        untiled.tile = 1;
        restrict_to(frame, untiled, "the range of " + map.label);
    }
    own_transients(frame, entry, &walk.state);
    scope(std::move(frame), walk, entry);
}

void ModelBuilder::consume_scope(Frame frame, StateWalk& walk, NodeId entry) {
    const auto& consume = std::get<ir::ConsumeEntry>(walk.state.nodes[entry].kind);
    dynamic_ranges(frame, walk, entry);
    const std::size_t owner = owners_++;
    const Range range = symbolic::substitute(Range::extent(consume.num_pes), frame.values);
    iterate(frame, consume.pe_index, Iterator::Kind::Map, 1, owner);
    restrict_to(frame, range, "the number of processing elements");
    iterate(frame, "", Iterator::Kind::Map, 1, owner);  // Elements that one of them pops.
    guard(frame, "the stream of " + consume.label + " holds an element");
    Statement& pop = add_statement(frame, "pop of " + consume.label, &walk.state, entry, {});
    for (const ir::EdgeId id : walk.adjacency.in(entry)) {
        const ir::Edge& edge = walk.state.edges[id];
        const NodeId source = far_end(walk, id, true);
        if (edge.dst_connector != ir::kStreamIn || !source.valid()) continue;
        touch(pop, frame,
              {.data = data_of(walk, source),
               .subset = edge.memlet.subset.value_or(whole(*ir::find_container(*frame.sdfg, data_of(walk, source))))});
    }
    own_transients(frame, entry, &walk.state);
    scope(std::move(frame), walk, entry);
}

/// Transients that are new for each execution of this scope.
void ModelBuilder::own_transients(Frame& frame, NodeId entry, const ir::State* state) {
    if (!entry.valid()) return;
    const auto [at, added] = allocation_scopes_.try_emplace(frame.sdfg);
    if (added) at->second = allocation_scopes(*frame.sdfg);
    std::shared_ptr<Windows> windows;
    for (const auto& [name, allocation] : at->second) {
        if (allocation.level != AllocationScope::Level::Scope || allocation.entry != entry || allocation.state != state) continue;
        if (!windows) windows = std::make_shared<Windows>(*frame.windows);
        windows->insert_or_assign(name,
                                  Window{.container = name_in_model(frame, name), .fresh = true, .depth = frame.iterators.size()});
    }
    if (windows) frame.windows = std::move(windows);
}

void ModelBuilder::bind_views(Frame& frame, StateWalk& walk, NodeId entry) {
    std::shared_ptr<Windows> windows;
    const auto bind = [&](NodeId id) {
        const std::string& view = data_of(walk, id);
        const ir::Container* inner = ir::find_container(*frame.sdfg, view);
        if (!inner || inner->binding != ir::Binding::View) return false;
        const auto edge = ir::view_edge(*frame.sdfg, walk.state, walk.adjacency, id);
        if (!edge) return false;
        const bool in = walk.state.edges[*edge].dst == id;
        const NodeId base = far_end(walk, *edge, in);
        if (!base.valid()) return false;
        const std::string& viewed = data_of(walk, base);
        const ir::Memlet& memlet = walk.state.edges[*edge].memlet;
        const Moved moved = side_of(memlet, viewed, container_at(*frame.sdfg, viewed), in, known_);
        if (!windows) windows = std::make_shared<Windows>(*frame.windows);
        windows->insert_or_assign(view, window(frame, viewed, !in, moved.subset, *inner, frame.values));
        frame.windows = std::make_shared<Windows>(*windows);
        return true;
    };
    std::vector<NodeId> views;
    for (const NodeId id : walk.scopes.children(entry))
        if (const auto* access = std::get_if<ir::Access>(&walk.state.nodes[id].kind))
            if (const auto* container = ir::find_container(*frame.sdfg, access->data);
                container && container->binding == ir::Binding::View)
                views.push_back(id);
    // A view of a view may stand on either side of it: twice there and back settles chains as long as anybody writes.
    for (int round = 0; round < (views.size() > 1 ? 2 : 1); ++round) {
        for (const NodeId id : views) bind(id);
        if (views.size() > 1)
            for (auto at = views.rbegin(); at != views.rend(); ++at) bind(*at);
    }
}

// ---- code ---------------------------------------------------------------------------------------------------------------

void ModelBuilder::leaf(const Frame& frame, StateWalk& walk, NodeId id) {
    const ir::Node& node = walk.state.nodes[id];
    const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
    const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
    Statement& statement = add_statement(frame, tasklet ? tasklet->label : library->label, &walk.state, id, node.metadata.where);
    std::set<std::string> symbols;
    if (tasklet && tasklet->code.language == ir::Language::Python)
        if (const Result<code::Body> body = ir::parsed_body(tasklet->code); body.ok()) symbols = ir::free_names(*body);
    if (tasklet && tasklet->code.language != ir::Language::Python)
        for (const std::string& symbol : ir::assigned_symbols(frame.sdfg->body))
            if (tasklet->code.text.find(symbol) != std::string::npos) symbols.insert(symbol);
    for (const auto& connectors : {node.in, node.out})
        for (const auto& [connector, type] : connectors) symbols.erase(connector);
    for (const bool reading : {true, false})
        for (const ir::EdgeId at : reading ? walk.adjacency.in(id) : walk.adjacency.out(id)) {
            const ir::Edge& edge = walk.state.edges[at];
            if (edge.memlet.empty()) continue;
            symbols.merge(names_in(edge.memlet));
            const NodeId end = far_end(walk, at, reading);
            if (!end.valid()) continue;  // From code to code: nothing lies in memory between.
            const std::string& data = data_of(walk, end);
            const ir::Container* container = ir::find_container(*frame.sdfg, data);
            if (!container) continue;
            const Moved moved = side_of(edge.memlet, data, *container, reading, known_);
            if (tasklet) {
                tasklet_access(statement, frame, walk, *tasklet, edge, data, moved, reading);
                continue;
            }
            const std::optional<ir::Resolution> wcr = reading ? std::nullopt : resolution_along(walk, at);
            Touch what{.data = data, .subset = moved.subset, .connector = reading ? edge.dst_connector : edge.src_connector};
            if (moved.dynamic) {
                what.certainty = Certainty::Approximate;
                what.why = "how much `" + library->label + "` moves of `" + data + "` depends on data";
            }
            if (!reading) {
                const bool reduces = wcr && code::updates_commute(wcr->type());
                // What stands there takes part: beta of a product, a reduction without identity, a rank that receives nothing.
                if (!reduces && (wcr || ir::updates_output(*library) || ir::is_message(*library))) {
                    Touch old = what;
                    old.certainty = std::max(old.certainty, Certainty::Guarded);
                    old.why = "`" + library->label + "` may read what it writes";
                    touch(statement, frame, std::move(old));
                }
                what.kind = reduces ? StatementAccess::Kind::Reduce : StatementAccess::Kind::Write;
                if (reduces) what.reduction = wcr->type();
            }
            touch(statement, frame, std::move(what));
        }
    use_symbols(statement, frame, symbols);
    if (tasklet && ir::has_side_effects(*tasklet)) touch_order(statement, frame);
    if (library && ir::is_message(*library)) touch_order(statement, frame);
}

namespace {

bool is_one_element(const Subset& subset) {
    return std::ranges::all_of(subset.dims, [](const Range& range) { return symbolic::num_elements(range).is_integer(1); });
}

}  // namespace

void ModelBuilder::tasklet_access(Statement& statement, const Frame& frame, StateWalk& walk, const ir::Tasklet& tasklet,
                                  const ir::Edge& edge, const std::string& data, const Moved& moved, bool reading) {
    const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
    const Result<code::Body> body =
        tasklet.code.language == ir::Language::Python ? ir::parsed_body(tasklet.code) : Result<code::Body>(Diagnostic{});
    const ir::EdgeId at = reading ? *walk.adjacency.in_at(edge.dst, connector) : *walk.adjacency.out_at(edge.src, connector);
    const std::optional<ir::Resolution> wcr = reading ? std::nullopt : resolution_along(walk, at);
    const auto add = [&](bool reads, Subset subset, Certainty certainty, const std::string& why) {
        Touch what{.data = data, .subset = std::move(subset), .certainty = certainty, .why = why, .connector = connector};
        if (!reads) what.kind = StatementAccess::Kind::Write;
        if (!reads && wcr) {
            const code::ReductionType type = wcr->type();
            if (code::updates_commute(type)) {
                what.kind = StatementAccess::Kind::Reduce;
                what.reduction = type;
            } else if (type != code::ReductionType::Exchange) {
                Touch old = what;
                old.kind = StatementAccess::Kind::Read;
                touch(statement, frame, std::move(old));
            }
        }
        touch(statement, frame, std::move(what));
    };
    if (is_one_element(moved.subset) || moved.subset.rank() == 0) {
        const bool certain = reading || !body.ok() || code::assigned_on_every_path(*body, connector);
        const bool sure = certain && !edge.memlet.dynamic;
        add(reading, moved.subset, sure ? Certainty::Must : Certainty::Guarded,
            sure ? "" : "`" + tasklet.label + "` decides whether it does");
        return;
    }
    if (!body.ok()) {
        add(reading, moved.subset, Certainty::Approximate, "`" + tasklet.label + "` is not in Python");
        if (!reading) add(true, moved.subset, Certainty::Approximate, "`" + tasklet.label + "` is not in Python");
        return;
    }
    Uses uses;
    UseWalk(connector, uses).body(*body, false);
    const auto bare = [&](bool reads) {
        add(reads, moved.subset, uses.conditional || edge.memlet.dynamic ? Certainty::Approximate : Certainty::Must,
            "`" + tasklet.label + "` decides what it touches of `" + data + "`");
    };
    if (uses.bare_read) bare(true);
    if (uses.bare_write) bare(false);
    for (const bool reads : {true, false})
        for (const std::vector<code::ExprPtr>& indices : reads ? uses.indexed_reads : uses.indexed_writes) {
            // Positions within the subset, of its dimensions that are no single index.
            Subset element = moved.subset;
            std::size_t next = 0;
            bool exact = true;
            for (Range& range : element.dims) {
                if (range.is_index() && element.rank() != indices.size()) continue;
                const Result<Expr> index = next < indices.size() ? ir::to_symbolic(*indices[next]) : Result<Expr>(Diagnostic{});
                ++next;
                bool local = !index.ok();
                if (index.ok())
                    for (const std::string& name : symbolic::free_symbols(*index)) {
                        const ir::Node& node = walk.state.nodes[statement.node];
                        local |= node.in.contains(name) || node.out.contains(name) ||
                                 !(frame.bound.contains(name) || frame.sdfg->symbols.contains(name));
                    }
                if (local)
                    exact = false;
                else
                    range = Range::index(range.begin + *index * range.step);
            }
            exact &= next == indices.size();
            std::string text = "an index of `" + data + "` in `" + tasklet.label + "` is read from memory";
            if (!exact)
                add(reads, next == indices.size() ? element : moved.subset, Certainty::Approximate, text);
            else
                add(reads, element, uses.conditional ? Certainty::Guarded : Certainty::Must,
                    "`" + tasklet.label + "` decides whether it does");
        }
}

// ---- copies -------------------------------------------------------------------------------------------------------------

namespace {

Expr elements_of(const ir::Container& container) {
    Expr all = 1;
    for (const Expr& extent : container.shape) all = all * extent;
    return all;
}

}  // namespace

/// Before anything else in the scope.
void ModelBuilder::set_to_zero(Frame& frame, StateWalk& walk, NodeId entry) {
    std::int64_t count = 0;
    for (const NodeId id : walk.scopes.children(entry)) {
        const auto* access = std::get_if<ir::Access>(&walk.state.nodes[id].kind);
        const ir::Container* container = access && access->setzero ? ir::find_container(*frame.sdfg, access->data) : nullptr;
        if (!container || !describes(frame, walk.state, id)) continue;
        Frame here = frame;
        here.order.push_back({.kind = OrderStep::Kind::Sequence, .position = 0});
        here.order.push_back({.kind = OrderStep::Kind::Dataflow, .position = count++, .state = &walk.state, .node = id});
        if (!here.top.valid()) here.top = id;
        Statement& statement = add_statement(here, access->data + " = 0", &walk.state, id, walk.state.nodes[id].metadata.where);
        touch(statement, here, {.data = access->data, .kind = StatementAccess::Kind::Write, .subset = whole(*container)});
    }
    if (count > 0) frame.order.push_back({.kind = OrderStep::Kind::Sequence, .position = 1});
}

void ModelBuilder::copies(const Frame& frame, StateWalk& walk, NodeId id) {
    const auto views = [&](ir::EdgeId edge) { return ir::is_view_edge(*frame.sdfg, walk.state, walk.adjacency, edge); };
    for (const ir::EdgeId at : walk.adjacency.in(id)) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.empty() || is_exit(walk.state.nodes[edge.src]) || views(at)) continue;
        const NodeId source = far_end(walk, at, true);
        if (source.valid()) copy(frame, walk, at, source, id, id);
    }
    for (const ir::EdgeId at : walk.adjacency.out(id)) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.empty() || !is_exit(walk.state.nodes[edge.dst]) || views(at)) continue;
        const NodeId destination = far_end(walk, at, false);
        if (destination.valid()) copy(frame, walk, at, id, destination, id);
    }
}

void ModelBuilder::copy(const Frame& frame, StateWalk& walk, ir::EdgeId at, NodeId source, NodeId destination, NodeId node) {
    const ir::Edge& edge = walk.state.edges[at];
    const std::string &from = data_of(walk, source), &to = data_of(walk, destination);
    const ir::Container *from_container = ir::find_container(*frame.sdfg, from),
                        *to_container = ir::find_container(*frame.sdfg, to);
    if (!from_container || !to_container) return;
    ir::Memlet memlet = edge.memlet;
    if (from == to && !memlet.is_data_src) memlet.is_data_src = true;
    Span where = memlet.metadata.where.known() ? memlet.metadata.where : walk.state.nodes[node].metadata.where;
    Statement& statement = add_statement(frame, "copy " + from + " -> " + to, &walk.state, node, where);
    statement.edge = at;
    use_symbols(statement, frame, names_in(memlet));
    const std::optional<ir::Resolution> wcr = resolution_along(walk, at);
    for (const bool reading : {true, false}) {
        const Moved moved = side_of(memlet, reading ? from : to, reading ? *from_container : *to_container, reading, known_);
        Touch what{.data = reading ? from : to, .subset = moved.subset};
        const bool whole_of_both =
            !memlet.subset && !memlet.other_subset && elements_of(*from_container) == elements_of(*to_container);
        if (moved.dynamic || (!moved.exact && !whole_of_both)) {
            what.certainty = Certainty::Approximate;
            what.why = "how much is copied from `" + from + "` to `" + to + "` is not said";
        }
        if (!reading) what.kind = StatementAccess::Kind::Write;
        if (!reading && wcr) {
            const code::ReductionType type = wcr->type();
            if (code::updates_commute(type)) {
                what.kind = StatementAccess::Kind::Reduce;
                what.reduction = type;
            } else {
                Touch old = what;
                old.kind = StatementAccess::Kind::Read;
                touch(statement, frame, std::move(old));
            }
        }
        touch(statement, frame, std::move(what));
    }
}

// ---- nested SDFGs -------------------------------------------------------------------------------------------------------

void ModelBuilder::nested(const Frame& frame, StateWalk& walk, NodeId id) {
    const auto& node = std::get<ir::NestedSdfg>(walk.state.nodes[id].kind);
    const ir::Sdfg& inner = *node.sdfg;
    Frame inside = frame;
    inside.sdfg = &inner;
    inside.prefix = frame.prefix + node.label + "/";
    inside.place = frame.place + (frame.place.empty() ? "" : "/") + node.label;
    inside.values.clear();
    inside.bound.clear();
    std::set<std::string> used;
    for (const auto& [symbol, value] : node.symbol_mapping) {
        used.merge(symbolic::free_symbols(value));
        const Expr known = known_value(frame, value);
        if (!(known == symbolic::symbol(symbol))) inside.values.insert_or_assign(symbol, known);
    }
    auto windows = std::make_shared<Windows>();
    std::vector<Touch> taken;  // By value, when the call begins.
    for (const bool reading : {true, false})
        for (const ir::EdgeId at : reading ? walk.adjacency.in(id) : walk.adjacency.out(id)) {
            const ir::Edge& edge = walk.state.edges[at];
            const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
            const ir::Container* container = inner.containers.find(connector);
            const NodeId end = far_end(walk, at, reading);
            if (!container || !end.valid()) continue;
            used.merge(names_in(edge.memlet));
            const std::string& data = data_of(walk, end);
            const Moved moved = side_of(edge.memlet, data, container_at(*frame.sdfg, data), reading, known_);
            if (std::holds_alternative<ir::Scalar>(container->kind) && !walk.adjacency.out_at(id, connector)) {
                taken.push_back({.data = data, .subset = moved.subset});
                continue;
            }
            windows->insert_or_assign(reading ? connector : connector + ">",
                                      window(frame, data, !reading, moved.subset, *container, inside.values));
        }
    // An array that is only written may still be read by the nested SDFG itself.
    for (const auto& [name, container] : inner.containers)
        if (const auto written = windows->find(name + ">"); written != windows->end() && !windows->contains(name))
            windows->emplace(name, written->second);
    const auto own = [&](const std::string& name) {
        windows->try_emplace(name, Window{.container = inside.prefix + name, .fresh = true, .depth = frame.iterators.size()});
    };
    for (const auto& [name, container] : inner.containers)
        if (container.lifetime == ir::Lifetime::Persistent || container.lifetime == ir::Lifetime::Global)
            continue;
        else
            own(name);
    for (const std::string& symbol : ir::assigned_symbols(inner.body)) own(symbol);
    inside.windows = std::move(windows);
    {
        Statement& call = add_statement(frame, "call " + node.label, &walk.state, id, walk.state.nodes[id].metadata.where);
        use_symbols(call, frame, used);
        for (Touch& value : taken) touch(call, frame, std::move(value));
        if (call.accesses.empty()) model_.statements.pop_back();
    }
    region(inside, inner.body);
}

}  // namespace sluice::analysis
