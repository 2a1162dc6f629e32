#include "analysis/scop/place.h"

#include <algorithm>

#include "analysis/scop/reorder.h"
#include "poly/bounds.h"
#include "poly/flow.h"

namespace sluice::analysis {

using poly::Map;
using poly::UnionMap;
using symbolic::Expr;

namespace {

using Path = std::vector<const LoopTree*>;

/// The loops around a loop, and it.
Path path_to(const LoopTree& tree, const std::string& loop) {
    for (const LoopTree& child : tree.children) {
        Path rest = path_to(child, loop);
        if (rest.empty()) continue;
        if (tree.is_loop()) rest.insert(rest.begin(), &tree);
        return rest;
    }
    if (tree.is_loop() && tree.name == loop) return {&tree};
    return {};
}

/// From instances of a statement to the times of these loops.
Map times_of(const Scop& scop, const std::string& statement, const Path& loops) {
    std::vector<Expr> times;
    for (const LoopTree* loop : loops) times.push_back(loop->times.at(statement));
    const poly::Space space{.tuple = statement, .dims = scop.find(statement)->iterators};
    const auto converted = poly::to_elements(symbolic::Subset::indices(times), space, "");
    return converted.ok() ? *converted.value : Map();
}

/// Takes a statement out of a tree; what is empty goes with it.
bool take_out(LoopTree& tree, const std::string& statement) {
    if (tree.kind == LoopTree::Kind::Statement) return tree.name == statement;
    tree.times.erase(statement);
    std::erase_if(tree.children, [&](LoopTree& child) { return take_out(child, statement); });
    return tree.children.empty();
}

/// The loops around a statement below those of the path, outermost first.
Path own_loops(const LoopTree& tree, const std::string& statement, const Path& common) {
    Path all;
    const LoopTree* at = &tree;
    while (at->kind != LoopTree::Kind::Statement) {
        if (at->is_loop() && std::ranges::find(common, at) == common.end()) all.push_back(at);
        const auto next =
            std::ranges::find_if(at->children, [&](const LoopTree& child) { return statements_in(child).contains(statement); });
        at = &*next;
    }
    return all;
}

std::string numbered_list(const char* letter, std::size_t count) {
    std::string text;
    for (std::size_t at = 0; at < count; ++at) text += (at ? ", " : "") + (letter + std::to_string(at));
    return text;
}

class Placement {
public:
    Placement(const Scop& scop, const std::string& transient, const std::vector<Expr>& shape, const std::string& loop)
        : scop_(scop), transient_(transient), shape_(shape), loop_(loop) {}

    std::variant<Placed, NotPlaced> place() {
        if (const std::string why = look(); !why.empty()) return NotPlaced{.why = why};
        if (const std::string why = find_needs(); !why.empty()) return NotPlaced{.why = why};
        Placed placed{.scop = scop_, .shape = shape_};
        add_instances(placed.scop);
        move_nest(placed.scop);
        lay_out(placed);
        if (!placed.scop.schedule.known()) return NotPlaced{.why = kUnknown};
        const UnionMap broken = broken_dependences(placed.scop);
        if (broken.is_empty() == Answer::Yes) return placed;
        NotPlaced refusal{.why = broken.is_empty() == Answer::No
                                     ? "`" + producer_->label + "` would read another value there than where it stands"
                                     : std::string(kUnknown),
                          .by_dependence = true};
        for (const Map& pairs : broken.maps())
            if (!refusal.witness) refusal.witness = witness_of(placed.scop, pairs);
        return refusal;
    }

private:
    static constexpr const char* kUnknown = "whether every value is there is not known within the budget of isl's operations";

    /// Who fills the transient, who reads it, and where they stand.
    std::string look() {
        path_ = path_to(scop_.order, loop_);
        if (path_.empty()) return "there is no loop `" + loop_ + "`";
        const std::set<std::string> inside = statements_in(*path_.back());
        for (const ScopStatement& statement : scop_.statements)
            for (const ScopAccess& access : statement.accesses) {
                if (access.container != transient_) continue;
                if (access.kind == StatementAccess::Kind::Read) {
                    if (!inside.contains(statement.name))
                        return "`" + statement.label + "` reads `" + transient_ + "` outside of the loop";
                    readers_.emplace_back(&statement, &access);
                } else if (access.kind == StatementAccess::Kind::Write && access.exact && !producer_) {
                    producer_ = &statement;
                    written_ = &access;
                } else {
                    return "`" + transient_ + "` is not filled by one write of one statement";
                }
            }
        if (!producer_ || readers_.empty()) return "`" + transient_ + "` is not written and read by the part";
        if (inside.contains(producer_->name)) return "`" + producer_->label + "` runs in the loop already";
        for (const ScopAccess& access : producer_->accesses)
            if (&access != written_ && access.kind != StatementAccess::Kind::Read)
                return "`" + producer_->label + "` writes `" + access.container + "` too";
        for (const LoopTree* loop : path_) (loop->times.contains(producer_->name) ? common_ : further_).push_back(loop);
        return {};
    }

    /// Which instance each reader needs: pairs of one iteration of the loops that both share.
    std::string find_needs() {
        UnionMap reads = UnionMap::empty();
        for (const auto& [statement, access] : readers_) reads = reads.unite(access->elements);
        const poly::FlowAnswer flow = poly::flow({.sinks = reads.intersect_parameters(scop_.context),
                                                  .must_sources = UnionMap(written_->elements).intersect_parameters(scop_.context),
                                                  .may_sources = UnionMap::empty(),
                                                  .schedule = scop_.schedule.times()});
        if (!flow.known()) return kUnknown;
        if (flow.without_write.is_empty() != Answer::Yes)
            return "some elements of `" + transient_ + "` are read that nobody has written";
        pairs_ = flow.may;
        UnionMap shared = UnionMap::empty();
        for (const auto& [statement, access] : readers_)
            shared =
                shared.unite(times_of(scop_, producer_->name, common_).then(times_of(scop_, statement->name, common_).reverse()));
        if (!common_.empty() && pairs_.is_subset(shared) != Answer::Yes)
            return "another iteration of `" + common_.back()->name + "` reads what `" + producer_->label + "` computes";
        return {};
    }

    /// An instance for each iteration that needs it.
    void add_instances(Scop& made) {
        ScopStatement& producer = *std::ranges::find(made.statements, producer_->name, &ScopStatement::name);
        UnionMap needs = UnionMap::empty();
        for (const auto& [statement, access] : readers_) needs = needs.unite(times_of(scop_, statement->name, further_));
        needs = pairs_.then(needs);
        poly::Set domain;
        for (const Map& map : needs.maps()) {
            const poly::Set own = map.flatten().with_tuple(producer.name);
            domain = domain.known() ? domain.unite(own) : own;
        }
        const std::size_t before = producer.iterators.size();
        for (const LoopTree* loop : further_) producer.iterators.push_back(loop->name + "$at");
        const std::string own = numbered_list("s", before), at = numbered_list("q", further_.size());
        to_producer_ =
            Map::parse("{ " + producer.name + "[" + own + (before ? ", " : "") + at + "] -> " + producer.name + "[" + own + "] }");
        producer.domain = domain;
        for (ScopAccess& access : producer.accesses) access.elements = to_producer_.then(access.elements).intersect_domain(domain);
    }

    /// Its loops first in each iteration.
    void move_nest(Scop& made) {
        const ScopStatement& producer = *made.find(producer_->name);
        const Path own = own_loops(scop_.order, producer.name, common_);
        LoopTree nest{.kind = LoopTree::Kind::Statement, .name = producer.name, .domain = producer.domain};
        for (auto loop = own.rbegin(); loop != own.rend(); ++loop) {
            LoopTree around{.kind = LoopTree::Kind::Loop, .name = (*loop)->name, .any_order = (*loop)->any_order};
            around.times.emplace(producer.name, (*loop)->times.at(producer.name));
            around.children.push_back(std::move(nest));
            nest = std::move(around);
        }
        std::map<std::string, Expr> times;
        for (const LoopTree* loop : common_) times.emplace(loop->name, loop->times.at(producer.name));
        take_out(made.order, producer.name);
        made.order = flattened(std::move(made.order));
        for (const auto& [name, time] : times)
            if (LoopTree* loop = find_loop(made.order, name)) loop->times.insert_or_assign(producer.name, time);
        for (const LoopTree* loop : further_)
            find_loop(made.order, loop->name)->times.insert_or_assign(producer.name, symbolic::symbol(loop->name + "$at"));
        LoopTree& into = *find_loop(made.order, loop_);
        LoopTree both{.children = {std::move(nest), std::move(into.children.front())}};
        into.children = {flattened(std::move(both))};
        made.schedule = schedule_of(made, made.order);
    }

    /// The symbol of the iteration of a loop of the path, in memlets.
    static std::string iteration(std::size_t at) { return "at__" + std::to_string(at); }

    /// Memory of one iteration: what it reads, from the smallest index on.
    void lay_out(Placed& placed) {
        Map read;
        for (const auto& [statement, access] : readers_) {
            const Map one =
                times_of(scop_, statement->name, path_).intersect_domain(statement->domain).reverse().then(access->elements);
            read = read.known() ? read.unite(one) : one;
        }
        read = read.intersect_parameters(scop_.context);
        poly::Space space{.tuple = "", .dims = {}};
        for (std::size_t at = 0; at < path_.size(); ++at) space.dims.push_back(iteration(at));
        std::vector<Expr> offsets(shape_.size(), 0);
        for (unsigned d = 0; d < shape_.size(); ++d) {
            const poly::Affine first = poly::least(read, d);
            if (!first.known()) continue;
            const std::optional<Expr> offset = poly::to_expression(first, space);
            const std::string all = numbered_list("e", shape_.size());
            const Map distance = Map::parse("{ [" + all + ", o] -> [e" + std::to_string(d) + " - o] }");
            const poly::Set distances = poly::range_product(read, first.graph("")).range().with_tuple("");
            const std::optional<std::int64_t> most = poly::constant_greatest(distance.image(distances), 0);
            if (!offset || !most) continue;
            offsets[d] = *offset;
            placed.shape[d] = *most + 1;
        }
        for (ScopStatement& statement : placed.scop.statements) move_accesses(placed.scop, statement, offsets);
        placed.scop.allocated[transient_] = static_cast<unsigned>(path_.size());
    }

    void move_accesses(const Scop& made, ScopStatement& statement, const std::vector<Expr>& offsets) {
        const bool uses =
            std::ranges::any_of(statement.accesses, [&](const ScopAccess& access) { return access.container == transient_; });
        if (!uses) return;
        Path path;
        for (const LoopTree* loop : path_) path.push_back(find_loop(made.order, loop->name));
        const Map times = times_of(made, statement.name, path);
        poly::Space space{.tuple = "", .dims = {}};
        std::vector<Expr> place;
        for (std::size_t at = 0; at < path_.size(); ++at) {
            space.dims.push_back(iteration(at));
            place.push_back(symbolic::symbol(iteration(at)));
            statement.values.insert_or_assign(iteration(at), path[at]->times.at(statement.name));
        }
        for (std::size_t d = 0; d < offsets.size(); ++d) {
            space.dims.push_back("e" + std::to_string(d));
            place.push_back(symbolic::symbol("e" + std::to_string(d)) - offsets[d]);
        }
        const auto moved = poly::to_elements(symbolic::Subset::indices(place), space, transient_);
        for (ScopAccess& access : statement.accesses)
            if (access.container == transient_)
                access.elements =
                    moved.ok() ? poly::range_product(times, access.elements).with_range_tuple("").then(*moved.value) : Map();
        for (Operation::Wire& wire : std::get<Operation>(statement.body).wires)
            if (wire.container == transient_)
                for (std::size_t d = 0; d < offsets.size(); ++d) {
                    symbolic::Range& index = wire.memlet.subset->dims[d];
                    index = {.begin = index.begin - offsets[d], .end = index.begin - offsets[d] + 1};
                }
    }

    /// Of other memory, and of elements that two instances would fill in one iteration.
    UnionMap broken_dependences(const Scop& made) const {
        Scop others = scop_;
        for (ScopStatement& statement : others.statements)
            std::erase_if(statement.accesses, [&](const ScopAccess& access) { return access.container == transient_; });
        UnionMap instances = to_producer_.intersect_domain(made.find(producer_->name)->domain);
        for (const ScopStatement& statement : scop_.statements)
            if (statement.name != producer_->name) instances = instances.unite(Map::identity(statement.domain));
        const UnionMap kept = instances.then(dependences(others)).then(instances.reverse());
        UnionMap broken = poly::violated(kept, made.schedule.times());
        for (const ScopAccess& access : made.find(producer_->name)->accesses)
            if (access.container == transient_) {
                const Map same = access.elements.then(access.elements.reverse());
                broken = broken.unite(UnionMap(same.subtract(Map::identity(made.find(producer_->name)->domain))));
            }
        return broken.intersect_parameters(scop_.context);
    }

    const Scop& scop_;
    const std::string& transient_;
    const std::vector<Expr>& shape_;
    const std::string& loop_;
    Path path_, common_, further_;  ///< To the loop: those that the producer runs in, and the others.
    const ScopStatement* producer_ = nullptr;
    const ScopAccess* written_ = nullptr;
    std::vector<std::pair<const ScopStatement*, const ScopAccess*>> readers_;
    UnionMap pairs_;   ///< Instances of the producer -> of readers.
    Map to_producer_;  ///< From the new instances to those that they repeat.
};

}  // namespace

std::variant<Placed, NotPlaced> place_at(const Scop& scop, const std::string& transient, const std::vector<Expr>& shape,
                                         const std::string& loop) {
    return Placement(scop, transient, shape, loop).place();
}

}  // namespace sluice::analysis
