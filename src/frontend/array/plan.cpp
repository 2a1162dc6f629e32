#include "frontend/array/plan.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "ir/port.h"

namespace sluice::frontend {

using code::Overloaded;
using ir::NodeId;

ir::Tasklet python_tasklet(const std::string& label, const std::string& code) {
    ir::Tasklet tasklet;
    tasklet.label = label;
    tasklet.code = {code, ir::Language::Python};
    return tasklet;
}

ir::Memlet element_memlet(const std::string& data, std::vector<ir::Expr> index) {
    return subset_memlet(data, ir::Subset::indices(index));
}

ir::Memlet subset_memlet(const std::string& data, ir::Subset subset) {
    ir::Memlet memlet;
    memlet.data = data;
    memlet.volume = symbolic::num_elements(subset);
    memlet.subset = std::move(subset);
    return memlet;
}

// ---- questions ----------------------------------------------------------------------------------------------------------
bool Touched::conflicts_with(const Touched& other) const {
    const auto meets = [](const std::set<std::string>& a, const std::set<std::string>& b) {
        return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
    };
    return meets(writes, other.reads) || meets(writes, other.writes) || meets(reads, other.writes);
}

Touched touched_by(const PlanItem& item) {
    Touched result;
    std::visit(Overloaded{
                   [&](const PlannedCode& code) {
                       for (const PlannedMemlet& in : code.in) result.reads.insert(in.memlet.data);
                       for (const PlannedMemlet& out : code.out) result.writes.insert(out.memlet.data);
                   },
                   [&](const PlannedScope& scope) {
                       for (const PlannedMemlet& in : scope.in) result.reads.insert(in.memlet.data);
                       for (const PlanItem& inner : scope.body) {
                           Touched more = touched_by(inner);
                           result.reads.merge(more.reads);
                           result.writes.merge(more.writes);
                       }
                   },
               },
               item);
    return result;
}

namespace {

void add_symbols(const std::vector<PlannedMemlet>& memlets, std::set<std::string>& result) {
    for (const PlannedMemlet& planned : memlets)
        if (planned.memlet.subset) result.merge(symbolic::free_symbols(*planned.memlet.subset));
}

}  // namespace

std::set<std::string> symbols_of(const Plan& plan) {
    std::set<std::string> result;
    for (const PlanItem& item : plan) {
        if (const auto* code = std::get_if<PlannedCode>(&item)) {
            add_symbols(code->in, result);
            add_symbols(code->out, result);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&code->node))
                for (const auto& [name, value] : nested->symbol_mapping) result.merge(symbolic::free_symbols(value));
            continue;
        }
        const auto& scope = std::get<PlannedScope>(item);
        std::set<std::string> inside = symbols_of(scope.body);
        add_symbols(scope.in, inside);
        if (const auto* map = std::get_if<ir::MapEntry>(&scope.entry)) {
            inside.merge(symbolic::free_symbols(map->range));
            for (const std::string& param : map->params) inside.erase(param);
            for (const PlannedMemlet& dynamic : scope.in) inside.erase(dynamic.connector);
        } else {
            const auto& consume = std::get<ir::ConsumeEntry>(scope.entry);
            inside.merge(symbolic::free_symbols(consume.num_pes));
            inside.erase(consume.pe_index);
        }
        result.merge(inside);
    }
    return result;
}

// ---- drawing ------------------------------------------------------------------------------------------------------------
namespace {

class Drawing {
public:
    Drawing(ir::StateBuilder state, const std::map<std::string, std::string>& views) : state_(state), views_(views) {}

    void draw(const Plan& plan) {
        for (const PlanItem& item : plan) std::visit([this](const auto& one) { draw(one); }, item);
    }

private:
    struct Scope {
        NodeId entry, exit;
        std::string element;
        bool consume;
    };

    NodeId access(std::map<std::string, NodeId>& nodes, const std::string& data) {
        if (const auto at = nodes.find(data); at != nodes.end()) return at->second;
        const NodeId node = state_.access(data);
        nodes.emplace(data, node);
        if (const auto view = views_.find(data); view != views_.end()) {
            const NodeId base = access(nodes, view->second);
            ir::Memlet whole;
            whole.data = view->second;
            if (&nodes == &reads_)
                state_.edge(base, "", node, "views", whole);
            else
                state_.edge(node, "views", base, "", whole);
            (&nodes == &reads_ ? state_.state().nodes[node].in : state_.state().nodes[node].out).emplace("views", code::DType());
        }
        return node;
    }
    NodeId add(decltype(ir::Node::kind) kind, ir::Connectors in, ir::Connectors out, const Span& where) {
        const NodeId id =
            state_.state().nodes.add(ir::Node{.kind = std::move(kind), .in = std::move(in), .out = std::move(out), .metadata = {}});
        state_.state().nodes[id].metadata.where = where;
        return id;
    }
    void read(NodeId node, const PlannedMemlet& in) {
        std::vector<NodeId> path{access(reads_, in.memlet.data)};
        for (const Scope& scope : scopes_) path.push_back(scope.entry);
        path.push_back(node);
        state_.memlet_path(path, "", in.connector, in.memlet);
    }
    void write(NodeId node, const PlannedMemlet& out) {
        std::vector<NodeId> path{node};
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) path.push_back(scope->exit);
        path.push_back(access(writes_, out.memlet.data));
        state_.memlet_path(path, out.connector, "", out.memlet);
    }

    void draw(const PlannedCode& code) {
        ir::Connectors in, out;
        for (const PlannedMemlet& one : code.in) in[one.connector] = one.dtype;
        for (const PlannedMemlet& one : code.out) out[one.connector] = one.dtype;
        const Scope* around = scopes_.empty() ? nullptr : &scopes_.back();
        if (around && around->consume && !around->element.empty()) in[around->element] = code::DType();
        const bool library = std::holds_alternative<ir::LibraryNode>(code.node);
        if (library) std::erase_if(in, [](const auto& c) { return c.first.empty(); });
        if (library) std::erase_if(out, [](const auto& c) { return c.first.empty(); });
        const NodeId node = std::visit([&](const auto& kind) { return add(kind, in, out, code.where); }, code.node);
        for (const PlannedMemlet& one : code.in) read(node, one);
        for (const PlannedMemlet& one : code.out) write(node, one);
        if (!around) return;
        if (around->consume && !around->element.empty())
            state_.edge(around->entry, ir::kStreamOut, node, around->element, stream_element_);
        else if (code.in.empty())
            state_.edge(around->entry, "", node, "", ir::no_memlet());
        if (code.out.empty()) state_.edge(node, "", around->exit, "", ir::no_memlet());
    }

    void draw(const PlannedScope& scope) {
        const NodeId entry = std::visit([&](const auto& kind) { return add(kind, {}, {}, scope.where); }, scope.entry);
        const bool consume = std::holds_alternative<ir::ConsumeEntry>(scope.entry);
        const NodeId exit =
            consume ? add(ir::ConsumeExit{entry}, {}, {}, scope.where) : add(ir::MapExit{entry}, {}, {}, scope.where);
        for (const PlannedMemlet& one : scope.in) {
            const std::string connector = consume ? ir::kStreamIn : one.connector;
            state_.state().nodes[entry].in[connector] = one.dtype;
            if (consume) state_.state().nodes[entry].out[ir::kStreamOut] = code::DType();
            if (consume) stream_element_ = one.memlet;
            PlannedMemlet in = one;
            in.connector = connector;
            read(entry, in);
        }
        if (scope.in.empty() && !scopes_.empty() && symbols_only(scope.body))
            state_.edge(scopes_.back().entry, "", entry, "", ir::no_memlet());
        scopes_.push_back({entry, exit, scope.element, consume});
        draw(scope.body);
        scopes_.pop_back();
    }
    /// No read inside connects the scope to the one around it.
    static bool symbols_only(const Plan& plan) {
        return std::ranges::all_of(plan, [](const PlanItem& item) { return touched_by(item).reads.empty(); });
    }

    ir::StateBuilder state_;
    const std::map<std::string, std::string>& views_;
    std::map<std::string, NodeId> reads_, writes_;
    std::vector<Scope> scopes_;
    ir::Memlet stream_element_;
};

}  // namespace

namespace {

/// The maps from the plan down to a memlet, outermost first.
using MapsAround = std::vector<const PlannedScope*>;

PlanItem initial_value(const PlannedMemlet& memlet, const MapsAround& maps, const std::set<std::string>& around,
                       const Span& where) {
    std::set<std::string> needed = symbolic::free_symbols(*memlet.memlet.subset);
    for (const std::string& param : around)
        if (!needed.contains(param))
            refuse("F012", "each iteration of the map over " + param + " would begin again with the identity", where,
                   "write the first value into the container before that map");
    PlannedCode code{python_tasklet("identity", memlet.connector + " = " + memlet.identity), {}, {memlet}, where};
    code.out[0].memlet.wcr.reset();
    code.out[0].identity.clear();
    PlanItem item = std::move(code);
    for (auto scope = maps.rbegin(); scope != maps.rend(); ++scope) {
        const auto& map = std::get<ir::MapEntry>((*scope)->entry);
        ir::MapEntry entry;
        entry.label = "identity";
        for (std::size_t at = map.params.size(); at-- > 0;) {  // A range may use the parameters before it.
            if (!needed.contains(map.params[at])) continue;
            needed.merge(symbolic::free_symbols(map.range.dims[at]));
            entry.params.insert(entry.params.begin(), map.params[at]);
            entry.range.dims.insert(entry.range.dims.begin(), map.range.dims[at]);
        }
        if (entry.params.empty()) continue;
        PlannedScope around_it{std::move(entry), {}, {}, {}, where};
        around_it.body.push_back(std::move(item));
        item = std::move(around_it);
    }
    return item;
}

void add_initial_values(const Plan& plan, MapsAround& maps, const std::set<std::string>& around,
                        const std::function<bool(const std::string&)>& own, Plan& found) {
    for (const PlanItem& item : plan) {
        if (const auto* scope = std::get_if<PlannedScope>(&item)) {
            maps.push_back(scope);
            add_initial_values(scope->body, maps, around, own, found);
            maps.pop_back();
            continue;
        }
        const auto& code = std::get<PlannedCode>(item);
        for (const PlannedMemlet& out : code.out) {
            if (out.identity.empty()) continue;
            const bool unknown = std::ranges::any_of(maps, [](const PlannedScope* scope) {
                return !std::holds_alternative<ir::MapEntry>(scope->entry) || !scope->in.empty();
            });
            if (unknown)
                refuse("F012", "an identity where only the run knows the iterations", code.where,
                       "write the first value into the container before");
            found.push_back(initial_value(out, maps, own(out.memlet.data) ? std::set<std::string>() : around, code.where));
        }
    }
}

}  // namespace

Plan initial_values(const Plan& plan, const std::set<std::string>& around, const std::function<bool(const std::string&)>& own) {
    Plan found;
    MapsAround maps;
    add_initial_values(plan, maps, around, own, found);
    return found;
}

void emit(ir::StateBuilder state, const Plan& plan, const std::map<std::string, std::string>& views) {
    Drawing(state, views).draw(plan);
}

}  // namespace sluice::frontend
