#include "analysis/scop/loop_tree.h"

#include <optional>
#include <utility>

#include "analysis/scop/scop.h"
#include "poly/convert.h"

namespace sluice::analysis {

std::set<std::string> statements_in(const LoopTree& tree) {
    if (tree.kind == LoopTree::Kind::Statement) return {tree.name};
    std::set<std::string> all;
    for (const LoopTree& child : tree.children) all.merge(statements_in(child));
    return all;
}

std::vector<const LoopTree*> loops_in(const LoopTree& tree) {
    std::vector<const LoopTree*> all;
    if (tree.is_loop()) all.push_back(&tree);
    for (const LoopTree& child : tree.children)
        for (const LoopTree* loop : loops_in(child)) all.push_back(loop);
    return all;
}

const LoopTree* find_loop(const LoopTree& tree, const std::string& name) {
    if (tree.is_loop() && tree.name == name) return &tree;
    for (const LoopTree& child : tree.children)
        if (const LoopTree* found = find_loop(child, name)) return found;
    return nullptr;
}
LoopTree* find_loop(LoopTree& tree, const std::string& name) {
    return const_cast<LoopTree*>(find_loop(std::as_const(tree), name));
}

LoopTree* parent_of(LoopTree& tree, const LoopTree& node) {
    for (LoopTree& child : tree.children) {
        if (&child == &node) return &tree;
        if (LoopTree* found = parent_of(child, node)) return found;
    }
    return nullptr;
}

LoopTree flattened(LoopTree tree) {
    std::vector<LoopTree> children;
    for (LoopTree& child : tree.children) {
        LoopTree flat = flattened(std::move(child));
        if (tree.kind == LoopTree::Kind::Sequence && flat.kind == LoopTree::Kind::Sequence)
            for (LoopTree& inner : flat.children) children.push_back(std::move(inner));
        else
            children.push_back(std::move(flat));
    }
    tree.children = std::move(children);
    if (tree.kind != LoopTree::Kind::Sequence || tree.children.size() != 1) return tree;
    LoopTree only = std::move(tree.children.front());
    return only;
}

poly::Schedule schedule_of(const Scop& scop, const LoopTree& tree) {
    if (tree.kind == LoopTree::Kind::Statement) return poly::Schedule::of(tree.domain);
    std::optional<poly::Schedule> all;
    for (const LoopTree& child : tree.children) {
        const poly::Schedule next = schedule_of(scop, child);
        all = all ? all->then(next) : next;
    }
    if (!all) return poly::Schedule::of(poly::UnionSet::empty());
    if (!tree.is_loop()) return *all;
    poly::UnionMap times = poly::UnionMap::empty();
    for (const std::string& name : statements_in(tree)) {
        const poly::Space space{.tuple = name, .dims = scop.find(name)->iterators};
        const auto converted = poly::to_elements(symbolic::Subset::indices({tree.times.at(name)}), space, "");
        if (!converted.ok()) return {};
        times = times.unite(*converted.value);
    }
    return all->within(times, {tree.any_order});
}

}  // namespace sluice::analysis
