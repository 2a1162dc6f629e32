#include "transform/data/local_storage.h"

#include <algorithm>

#include "analysis/legality/redundant_copy.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/strides.h"
#include "target/target.h"
#include "transform/map/boundary.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

/// `end - begin` without the names: itself, or an alternative of a minimum that bounds it.
std::optional<Expr> fixed_extent(const Expr& begin, const Expr& end, const std::set<std::string>& names, const Assumptions& known) {
    const auto free = [&](const Expr& e) {
        return std::ranges::none_of(symbolic::free_symbols(e), [&](const std::string& name) { return names.contains(name); });
    };
    if (const Expr extent = end - begin; free(extent)) return extent;
    if (end.kind() == symbolic::Kind::Minimum)
        for (const Expr& bound : end.operands())
            if (auto extent = fixed_extent(begin, bound, names, known)) return extent;
    if (begin.kind() == symbolic::Kind::Maximum)
        for (const Expr& bound : begin.operands())
            if (auto extent = fixed_extent(bound, end, names, known)) return extent;
    if (const auto bound = symbolic::upper_bound(end - begin, known)) return Expr(*bound);
    return {};
}

Subset moved(const Subset& subset, const Subset& box) {
    std::vector<Expr> by;
    for (const Range& range : box.dims) by.push_back(-range.begin);
    return symbolic::offset_by(subset, by);
}

Subset from_zero(const Subset& box) {
    return moved(box, box);
}

ir::Memlet part(const std::string& data, const Subset& subset) {
    ir::Memlet memlet;
    memlet.data = data;
    memlet.subset = subset;
    memlet.volume = symbolic::num_elements(subset);
    return memlet;
}

class LocalPlanner {
public:
    LocalPlanner(const rewrite::Site& site, const LocalQuestion& question)
        : site_(site),
          question_(question),
          state_(site.state()),
          adjacency_(site.view().adjacency),
          scope_(question.in ? question.outer : ir::entry_of_exit(state_.nodes[question.outer])),
          known_(site.assumptions(scope_)) {
        plan_.in = question.in;
        plan_.outer = question.outer;
        plan_.inner = question.inner;
    }

    std::variant<LocalPlan, Refusal> run() {
        if (auto refusal = find_edges()) return *refusal;
        if (auto refusal = check_box()) return *refusal;
        if (auto refusal = check_users()) return *refusal;
        if (auto refusal = check_legal()) return *refusal;
        return std::move(plan_);
    }

private:
    Refusal refuse(int number, std::string why) const {
        return {
            .code = question_.letter + std::to_string(number), .why = std::move(why), .nodes = {question_.outer, question_.inner}};
    }

    /// 1: what moves between the scopes, of which container.
    std::optional<Refusal> find_edges() {
        const NodeId from = question_.in ? question_.outer : question_.inner, to = question_.in ? question_.inner : question_.outer;
        const std::string& wanted = site_.text("array");
        for (const EdgeId id : adjacency_.out(from)) {
            const ir::Edge& edge = state_.edges[id];
            if (edge.dst != to || edge.memlet.empty() || !(question_.in ? ir::is_port_in(edge.dst_connector) : true)) continue;
            if (plan_.array.empty() && (wanted.empty() || edge.memlet.data == wanted) &&
                edge.memlet.wcr.has_value() == question_.accumulates)
                plan_.array = edge.memlet.data;
            if (edge.memlet.data == plan_.array) plan_.between.push_back(id);
        }
        if (plan_.between.empty())
            return refuse(1, wanted.empty() ? "nothing of that kind moves between the scopes"
                                            : "no such " + wanted + " moves between the scopes");
        const ir::Container* container = site_.sdfg().containers.find(plan_.array);
        if (!container || container->binding != ir::Binding::Own ||
            (!std::holds_alternative<ir::Array>(container->kind) && !std::holds_alternative<ir::Scalar>(container->kind)))
            return refuse(1, plan_.array + " is neither an array nor a scalar");
        if (!question_.in && plan_.between.size() != 1)
            return refuse(1, plan_.array + " is written by two ways between the scopes");
        for (const EdgeId id : plan_.between) {
            const ir::Edge& edge = state_.edges[id];
            const auto path = rewrite::memlet_path(state_, adjacency_, id);
            const NodeId end = question_.in ? state_.edges[path.front()].src : state_.edges[path.back()].dst;
            const auto* access = std::get_if<ir::Access>(&state_.nodes[end].kind);
            if (!access || access->data != plan_.array || edge.memlet.dynamic || !edge.memlet.subset)
                return refuse(1, "it is not known how much of " + plan_.array + " moves between the scopes");
            if (edge.memlet.wcr.has_value() != question_.accumulates)
                return refuse(1, question_.accumulates ? plan_.array + " is not updated through a resolution"
                                                       : plan_.array + " is updated through a resolution");
            plan_.resolution = edge.memlet.wcr;
            for (const EdgeId inner : edges_inward(state_, adjacency_, id))
                if (inner != id) plan_.inside.push_back(inner);
        }
        if (!storage_of(site_.text("storage"))) return refuse(1, "no target has a storage " + site_.text("storage"));
        return {};
    }

    /// 2: the size of the transient is the same for all points.
    std::optional<Refusal> check_box() {
        for (const EdgeId id : plan_.between) {
            Subset box;
            for (const Range& range : state_.edges[id].memlet.subset->dims) {
                const Expr begin = symbolic::min_index(range);
                box.dims.push_back({begin, symbolic::max_index(range) + 1, 1, 1});
                if (range.is_index()) box.dims.back() = range;
            }
            plan_.box = plan_.box.rank() == 0 ? box : symbolic::hull_union(plan_.box, box, known_);
        }
        if (may_have_no_points()) keep_inside();
        if (symbolic::is_empty(plan_.box, known_))
            return refuse(2, "`" + symbolic::to_string(plan_.box) + "` has no elements: the inner scope has no points");
        std::set<std::string> names;
        for (NodeId at = scope_; at.valid(); at = site_.view().scopes.parent(at)) {
            if (const auto* map = std::get_if<ir::MapEntry>(&state_.nodes[at].kind))
                names.insert(map->params.begin(), map->params.end());
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&state_.nodes[at].kind)) names.insert(consume->pe_index);
            for (const auto& [connector, type] : state_.nodes[at].in) names.insert(connector);
        }
        for (const Range& range : plan_.box.dims) {
            if (range.is_index()) {
                plan_.extent.push_back(1);
                continue;
            }
            const auto extent = fixed_extent(range.begin, range.end, names, known_);
            if (!extent) return refuse(2, "the number of elements in `" + symbolic::to_string(range) + "` depends on a parameter");
            const bool sure = symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, *extent), known_));
            plan_.extent.push_back(sure ? *extent : symbolic::maximum(*extent, 0));
        }
        return {};
    }

    /// Some scope between the outer one and those that use the array.
    bool may_have_no_points() const {
        const auto runs = [&](const Range& range) {
            return symbolic::is_yes(symbolic::decide(symbolic::less(range.begin, range.end), known_));
        };
        for (const EdgeId id : plan_.inside) {
            const ir::Edge& edge = state_.edges[id];
            for (NodeId at = site_.view().scopes.parent(question_.in ? edge.dst : edge.src); at.valid() && at != scope_;
                 at = site_.view().scopes.parent(at)) {
                const auto* map = std::get_if<ir::MapEntry>(&state_.nodes[at].kind);
                if (!map || !std::ranges::all_of(map->range.dims, runs)) return true;
            }
        }
        return false;
    }

    /// What moves into an inner scope without points may lie outside of the array: `0:3` of two elements, if the scope runs only
    /// where there are three. The copy is made all the same.
    void keep_inside() {
        const std::vector<Expr>& shape = site_.sdfg().containers.at(plan_.array).shape;
        for (std::size_t d = 0; d < plan_.box.rank() && d < shape.size(); ++d) {
            Range& range = plan_.box.dims[d];
            const auto sure = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, known_)); };
            if (!sure(symbolic::less_equal(0, range.begin))) range.begin = symbolic::maximum(range.begin, 0);
            if (!sure(symbolic::less_equal(range.end, shape[d]))) range.end = symbolic::minimum(range.end, shape[d]);
        }
    }

    /// 3: who takes the array by its address.
    std::optional<Refusal> check_users() const {
        const ir::Container& array = site_.sdfg().containers.at(plan_.array);
        ir::Container local = array;
        local.shape = plan_.extent;
        if (auto* layout = std::get_if<ir::Array>(&local.kind)) *layout = {};
        const std::vector<Expr> outer = ir::strides_of(array), inner = ir::strides_of(local);
        bool same = true;
        for (std::size_t d = 0; d < inner.size(); ++d) same = same && (plan_.extent[d].is_integer(1) || outer[d] == inner[d]);
        for (const EdgeId id : plan_.inside) {
            const ir::Edge& edge = state_.edges[id];
            if (edge.memlet.data != plan_.array && !edge.memlet.other_subset)
                return refuse(3, "a copy inside does not say which elements of " + plan_.array + " it moves");
            if (edge.memlet.data == plan_.array && !edge.memlet.subset)
                return refuse(3, "a memlet inside does not say which elements of " + plan_.array + " it moves");
            const Subset& side = edge.memlet.data == plan_.array ? *edge.memlet.subset : *edge.memlet.other_subset;
            const Assumptions there = site_.assumptions(site_.view().scopes.parent(question_.in ? edge.dst : edge.src));
            if (symbolic::is_no(symbolic::covers(plan_.box, side, there)))
                return refuse(2, "`" + plan_.array + "[" + symbolic::to_string(side) + "]` is used where nothing runs");
            const ir::Node& node = state_.nodes[question_.in ? edge.dst : edge.src];
            const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
            const auto* access = std::get_if<ir::Access>(&node.kind);
            const ir::Container* other = access ? ir::find_container(site_.sdfg(), access->data) : nullptr;
            if (goes_both_ways(node, question_.in ? edge.dst_connector : edge.src_connector))
                return refuse(3, "a nested SDFG reads and writes " + plan_.array + " through one connector");
            const bool by_address = std::holds_alternative<ir::NestedSdfg>(node.kind) ||
                                    (tasklet && tasklet->code.language != ir::Language::Python && edge.memlet.subset &&
                                     !symbolic::num_elements(*edge.memlet.subset, known_).is_integer(1)) ||
                                    (other && other->binding != ir::Binding::Own);
            if (by_address && !same) return refuse(3, "a user takes " + plan_.array + " by its address, by its strides");
        }
        return {};
    }

    /// 4: with a twin of the array in place of the transient, the copy may be there.
    std::optional<Refusal> check_legal() const {
        if (!aliases(site_.sdfg(), plan_.array).empty())
            return site_.unless_assumed(refuse(4, plan_.array + " may be the same memory as another argument"));
        ir::Sdfg root = site_.root();
        ir::Sdfg& sdfg = rewrite::sdfg_at(root, site_.match().place);
        ir::State& state = rewrite::state_at(root, site_.match().place);
        const std::string twin = rewrite::fresh_symbol(sdfg, plan_.array + "_twin");
        ir::Container container = sdfg.containers.at(plan_.array);
        container.transient = true;
        container.lifetime = ir::Lifetime::Scope;
        sdfg.containers.set(twin, std::move(container));
        LocalPlan in_place = plan_;
        for (Range& range : in_place.box.dims) range = {0, range.end - range.begin, 1, 1};
        const NodeId node = insert_local(state, in_place, twin);
        EdgeId copied;
        for (auto [id, edge] : state.edges) {
            if (edge.src != node && edge.dst != node) continue;
            if ((plan_.in ? edge.dst : edge.src) == node && !edge.memlet.empty()) copied = id;
            edge.memlet.subset = plan_.box;
            if (edge.memlet.other_subset) edge.memlet.other_subset = plan_.box;
        }
        const analysis::TwinCopy copy{.edge = copied, .twin = twin, .array = plan_.array, .from_array = plan_.in};
        if (!question_.in && !question_.accumulates) {
            const analysis::Verdict written = analysis::all_written(sdfg, state, copy, site_.assumptions());
            if (!written.yes()) return refuse(5, written.why);
        }
        const analysis::Verdict verdict = analysis::copy_insertable(sdfg, state, copy, site_.assumptions());
        if (verdict.yes()) return {};
        Refusal refusal = refuse(4, verdict.why);
        if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
        return site_.unless_assumed(std::move(refusal));
    }

    const rewrite::Site& site_;
    const LocalQuestion& question_;
    const ir::State& state_;
    const ir::Adjacency& adjacency_;
    const NodeId scope_;  ///< In which the transient will lie.
    const Assumptions known_;
    LocalPlan plan_;
};

}  // namespace

std::variant<LocalPlan, Refusal> plan_local(const rewrite::Site& site, const LocalQuestion& question) {
    return LocalPlanner(site, question).run();
}

std::string add_local(ir::Sdfg& sdfg, const LocalPlan& plan, const std::string& prefix, ir::Storage storage) {
    ir::Container local = sdfg.containers.at(plan.array);
    local.transient = true;
    local.lifetime = ir::Lifetime::Scope;
    local.storage = storage;
    local.metadata = {};
    if (std::holds_alternative<ir::Array>(local.kind)) {
        local.shape = plan.extent;
        local.kind = ir::Array{};
    }
    const std::string name = rewrite::fresh_symbol(sdfg, prefix + plan.array);
    sdfg.containers.set(name, std::move(local));
    return name;
}

NodeId insert_local(ir::State& state, const LocalPlan& plan, const std::string& local) {
    const NodeId node = state.nodes.add({.kind = ir::Access{.data = local}, .in = {}, .out = {}, .metadata = {}});
    for (const EdgeId id : plan.inside) {
        ir::Memlet& memlet = state.edges[id].memlet;
        std::optional<Subset>& side = memlet.data == plan.array ? memlet.subset : memlet.other_subset;
        side = moved(*side, plan.box);
        if (memlet.data == plan.array) memlet.data = local;
        memlet.is_data_src.reset();
    }
    ir::Memlet copy = part(plan.array, plan.box);
    copy.other_subset = from_zero(plan.box);
    ir::Memlet inner = part(local, from_zero(plan.box));
    if (plan.resolution) copy.wcr = inner.wcr = plan.resolution;
    bool first = true;
    for (const EdgeId id : plan.between) {
        ir::Edge& edge = state.edges[id];
        ir::Edge through_copy = edge;
        if (plan.in) {
            edge.src = node;
            edge.src_connector.clear();
            edge.memlet = inner;
            through_copy.dst = node;
            through_copy.dst_connector.clear();
        } else {
            edge.dst = node;
            edge.dst_connector.clear();
            edge.memlet = inner;
            through_copy.src = node;
            through_copy.src_connector.clear();
        }
        through_copy.memlet = copy;
        if (first) state.edges.add(std::move(through_copy));
        first = false;
    }
    if (plan.between.size() > 1) rewrite::erase_unread_inputs(state, plan.outer);
    return node;
}

std::vector<rewrite::Parameter> local_parameters() {
    return {{"array", std::string(), "The container; empty: the first one between the scopes."},
            {.name = "prefix",
             .default_value = std::string("trans_"),
             .help = "The transient's name begins with it.",
             .begins_names = true},
            {"storage", std::string("Default"), target::listed(target::every(&target::Target::storages)) + "."}};
}

}  // namespace sluice::transform
