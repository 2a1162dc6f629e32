#include "certify/sources.h"

#include <algorithm>
#include <functional>

#include "ir/adjacency.h"
#include "poly/convert.h"
#include "poly/flow.h"
#include "poly/schedule.h"

namespace sluice::certify {

using poly::Map;
using poly::Set;
using symbolic::Expr;

namespace {

const std::string kSink = "reader";

template <class Value> Value known(Value value) {
    if (!value.known()) throw BudgetEnded{};
    return value;
}
bool is_empty(const auto& of) {
    const poly::Answer answer = of.is_empty();
    if (answer == poly::Answer::Unknown) throw BudgetEnded{};
    return answer == poly::Answer::Yes;
}

/// Does the tree read this element?
bool reads_again(const Tree& tree, const Tree& read) {
    if (tree.kind == Tree::Kind::Read && tree.container == read.container && tree.indices == read.indices) return true;
    return std::ranges::any_of(tree.operands, [&](const TreePtr& part) { return reads_again(*part, read); });
}

}  // namespace

Sources::Sources(const Model& model, const Set& context) : model_(model), context_(context) {
    for (std::size_t at = 0; at < model.assignments.size(); ++at) {
        const Assignment& assignment = model.assignments[at];
        length_ = std::max({length_, assignment.order.size() + 1, assignment.stores_at.size() + 1});
        if (!assignment.container.empty()) stores_[assignment.container].push_back(at);
    }
}

Map Sources::time(std::size_t at, const std::vector<Step>& order, bool after) const {
    symbolic::Subset time;
    for (const Step& step : order) {
        Expr value = step.position;
        if (step.kind == Step::Kind::Loop || step.kind == Step::Kind::Map)
            value = symbolic::symbol(model_.assignments[at].iterators[step.iterator]) * step.position;
        time.dims.push_back(symbolic::Range::index(value));
    }
    if (after) time.dims.push_back(symbolic::Range::index(1));
    while (time.rank() < length_) time.dims.push_back(symbolic::Range::index(0));
    return known(std::move(*poly::to_elements(time, space_of(model_, at), "").value))
        .intersect_domain(model_.assignments[at].domain)
        .intersect_parameters(context_);
}

Map Sources::stored(std::size_t at) const {
    const Assignment& assignment = model_.assignments[at];
    return known(elements_of(model_, at, assignment.container, assignment.indices).intersect_parameters(context_));
}

Map Sources::sink(const Tree& read, const std::string& container) const {
    return known(elements_of(model_, read.owner, container, read.indices).intersect_parameters(context_)).with_domain_tuple(kSink);
}
Map Sources::sink_time(const Tree& read) const {
    const Assignment& assignment = model_.assignments[read.owner];
    const bool after = read.kind == Tree::Kind::After;
    return time(read.owner, after ? assignment.stores_at : assignment.order, after).with_domain_tuple(kSink);
}

std::map<std::size_t, Map> Sources::last(const Tree& read, const Set& domain, const std::vector<std::size_t>& stores,
                                         Set& none) const {
    poly::UnionMap sources = poly::UnionMap::empty(), times = sink_time(read);
    for (const std::size_t at : stores) {
        sources = sources.unite(stored(at));
        times = times.unite(time(at, model_.assignments[at].stores_at, false));
    }
    const Map reads = sink(read, read.container).intersect_domain(domain.with_tuple(kSink));
    const poly::FlowAnswer answer =
        poly::flow({.sinks = reads, .must_sources = sources, .may_sources = poly::UnionMap::empty(), .schedule = times});
    if (!answer.known()) throw BudgetEnded{};
    none = Set::empty(space_of(model_, read.owner));
    for (const Map& unwritten : answer.without_write.maps()) none = none.unite(unwritten.domain().with_tuple(tuple_of(read.owner)));
    std::map<std::size_t, Map> result;
    for (const Map& map : answer.must.maps())
        result.emplace(std::stoul(map.domain_tuple().substr(1)), known(map.with_range_tuple(tuple_of(read.owner)).coalesce()));
    return result;
}

const std::vector<Source>& Sources::of(const TreePtr& read) {
    if (const auto known_sources = sources_.find(read.get()); known_sources != sources_.end()) return known_sources->second;
    std::vector<Source> sources;
    const Set domain = model_.assignments[read->owner].domain.intersect_parameters(context_);
    Set none;
    std::map<std::string, Set> folds;
    for (const auto& [at, map] : last(*read, domain, stores_[read->container], none)) {
        const Assignment& assignment = model_.assignments[at];
        if (assignment.update.empty()) {
            sources.push_back({assignment.value, map.reverse()});
            continue;
        }
        const auto [fold, added] = folds.try_emplace(assignment.update, map.range());
        if (!added) fold->second = fold->second.unite(map.range());
    }
    const auto add = [&](Tree::Kind kind, const Set& where, const std::string& name) {
        Tree tree = *read;
        tree.kind = kind;
        tree.name = name;
        const auto made = std::make_shared<const Tree>(std::move(tree));
        if (kind == Tree::Kind::Fold) folds_.emplace(made.get(), FoldKey{read, where});
        sources.push_back({made, Map::identity(where.coalesce())});
    };
    for (const auto& [op, where] : folds) add(Tree::Kind::Fold, where, op);
    if (!is_empty(none)) add(Tree::Kind::Input, none, "");
    for (const Source& source : sources) kept_.push_back(source.tree);
    return sources_.emplace(read.get(), std::move(sources)).first->second;
}

/// Pairs of a store and a later access of the same element.
Map Sources::earlier(std::size_t, const Map& first_elements, const Map& first_time, const Map& second_elements,
                     const Map& second_time) const {
    const poly::UnionMap pairs = first_elements.then(second_elements.reverse());
    const poly::UnionMap ordered = known(poly::before(pairs, poly::UnionMap(first_time).unite(second_time)));
    const std::vector<Map> maps = ordered.maps();
    if (maps.empty())
        return first_elements.then(second_elements.reverse()).subtract(first_elements.then(second_elements.reverse()));
    return maps.front();
}

const std::vector<Source>& Sources::terms(const TreePtr& fold) {
    if (const auto known_terms = terms_.find(fold.get()); known_terms != terms_.end()) return known_terms->second;
    const FoldKey key = folds_.at(fold.get());
    const Tree& read = *key.read;
    std::vector<std::size_t> updates, barriers;
    for (const std::size_t at : stores_[read.container])
        (model_.assignments[at].update == fold->name ? updates : barriers).push_back(at);
    Set none;
    const std::map<std::size_t, Map> before = last(read, key.domain, barriers, none);
    const std::string owner = tuple_of(read.owner);
    std::vector<Source> terms;
    for (const auto& [at, map] : before) {
        const Assignment& barrier = model_.assignments[at];
        terms.push_back({barrier.update.empty() ? barrier.value : barrier.after, map.reverse()});
    }
    if (!is_empty(none)) {
        Tree input = read;
        input.kind = Tree::Kind::Input;
        terms.push_back({std::make_shared<const Tree>(std::move(input)), Map::identity(none)});
    }
    const Map reads = sink(read, read.container).intersect_domain(key.domain.with_tuple(kSink));
    for (const std::size_t update : updates) {
        const Map elements = stored(update), at = time(update, model_.assignments[update].stores_at, false);
        Map seen = earlier(update, elements, at, reads, sink_time(read)).reverse().with_domain_tuple(owner);
        for (const auto& [barrier, map] : before) {
            // Updates before the barrier that the read sees are gone. Two instances of one assignment have one space.
            const Map elements_there = stored(barrier).with_domain_tuple("barrier");
            const Map time_there = time(barrier, model_.assignments[barrier].stores_at, false).with_domain_tuple("barrier");
            const Map gone =
                earlier(update, elements, at, elements_there, time_there).reverse().with_domain_tuple(tuple_of(barrier));
            seen = seen.subtract(map.reverse().then(gone));
        }
        seen = known(seen.coalesce());
        if (!is_empty(seen)) terms.push_back({model_.assignments[update].value, seen});
    }
    for (const Source& term : terms) kept_.push_back(term.tree);
    return terms_.emplace(fold.get(), std::move(terms)).first->second;
}

// ---- order --------------------------------------------------------------------------------------------------------------

bool Sources::path_leads(const Step& from, const Step& to) {
    const auto [at, added] = reachable_.try_emplace({from.state, from.node});
    std::vector<bool>& seen = at->second;
    if (added) {
        const ir::Adjacency adjacency(*from.state);
        seen.resize(from.state->nodes.id_bound());
        std::vector<ir::NodeId> open{from.node};
        while (!open.empty()) {
            const ir::NodeId node = open.back();
            open.pop_back();
            if (seen[node.value]) continue;
            seen[node.value] = true;
            for (const ir::EdgeId edge : adjacency.out(node)) open.push_back(from.state->edges[edge].dst);
        }
    }
    return seen[to.node.value];
}

/// Pairs of instances that may run at the same time; nullopt: there are none.
std::optional<Map> Sources::in_no_order(std::size_t a, const std::vector<Step>& steps_a, std::size_t b,
                                        const std::vector<Step>& steps_b) {
    Map same = Map::universe(space_of(model_, a), space_of(model_, b));
    std::optional<Map> result;
    const auto add = [&](const Map& pairs) { result = result ? result->unite(pairs) : pairs; };
    for (std::size_t level = 0; level < steps_a.size() && level < steps_b.size(); ++level) {
        const Step &x = steps_a[level], &y = steps_b[level];
        if (x.kind != y.kind) break;
        if (x.kind == Step::Kind::Sequence) {
            if (x.position != y.position) return result;
        } else if (x.kind == Step::Kind::Dataflow) {
            if (x.node == y.node && x.state == y.state) continue;
            if (x.state == y.state && !path_leads(x, y) && !path_leads(y, x)) add(same);
            return result;
        } else {
            const auto i = static_cast<unsigned>(x.iterator), j = static_cast<unsigned>(y.iterator);
            if (x.kind == Step::Kind::Map) add(same.order_less(i, j)), add(same.order_greater(i, j));
            same = same.equate(i, j);
        }
    }
    if (a != b && steps_a.size() == steps_b.size()) add(same);
    return result;
}

std::optional<Construct> Sources::unordered() {
    struct Access {
        std::size_t assignment;
        const std::vector<Step>* steps;
        std::string update;
        bool store;
        Map elements;
    };
    std::map<std::string, std::vector<Access>> accesses;
    for (std::size_t at = 0; at < model_.assignments.size(); ++at) {
        const Assignment& assignment = model_.assignments[at];
        if (!assignment.container.empty())
            accesses[assignment.container].push_back({at, &assignment.stores_at, assignment.update, true, stored(at)});
        const std::function<void(const Tree&)> visit = [&](const Tree& tree) {
            if (tree.kind == Tree::Kind::Read && stores_.contains(tree.container))
                accesses[tree.container].push_back(
                    {at, &assignment.order, "", false, elements_of(model_, at, tree.container, tree.indices)});
            for (const TreePtr& part : tree.operands) visit(*part);
        };
        visit(*assignment.value);
        for (const TreePtr& read : assignment.touched)
            if (!reads_again(*assignment.value, *read)) visit(*read);
    }
    for (const auto& [container, all] : accesses)
        for (std::size_t first = 0; first < all.size(); ++first)
            for (std::size_t second = first; second < all.size(); ++second) {
                const Access &a = all[first], &b = all[second];
                if (!a.store && !b.store) continue;
                if (a.store && b.store && !a.update.empty() && a.update == b.update) continue;
                const std::optional<Map> pairs = in_no_order(a.assignment, *a.steps, b.assignment, *b.steps);
                if (!pairs) continue;
                const Map together = known(a.elements).then(known(b.elements).reverse());
                if (is_empty(pairs->intersect(together).intersect_parameters(context_))) continue;
                const Assignment &x = model_.assignments[a.assignment], &y = model_.assignments[b.assignment];
                return Construct{"the order of `" + x.label + "` and `" + y.label + "`, which meet in " + container +
                                     " and may run at the same time",
                                 x.where};
            }
    return std::nullopt;
}

}  // namespace sluice::certify
