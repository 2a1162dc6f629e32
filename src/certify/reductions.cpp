// Reductions: two sets of terms are combined by one operator; each term of the one is paired with an equal term of the other.
#include <algorithm>

#include "certify/proof.h"
#include "certify/tasklet.h"
#include "poly/convert.h"

namespace sluice::certify {

using poly::Map;
using symbolic::Expr;

namespace {

/// So many times terms that are reads are replaced by what they see, until the two sets can be paired.
constexpr int kLayers = 3;

/// Two terms that cannot be equal as they stand.
bool apart(const Tree& a, const Tree& b) {
    if (a.kind == Tree::Kind::Apply && b.kind == Tree::Kind::Apply)
        return a.name != b.name || a.operands.size() != b.operands.size();
    const bool updates = a.kind == Tree::Kind::After && b.kind == Tree::Kind::After;
    return (a.kind == Tree::Kind::After || b.kind == Tree::Kind::After) && !updates;
}

void reads_of(const Tree& tree, std::vector<const Tree*>& reads) {
    if (!tree.container.empty()) reads.push_back(&tree);
    for (const TreePtr& part : tree.operands) reads_of(*part, reads);
}

/// Adding it changes nothing.
bool is_identity(const Tree& tree, const std::string& op) {
    return tree.kind == Tree::Kind::Constant &&
           ((op == "add" && (tree.name == "0" || tree.name == "-0")) || (op == "multiply" && tree.name == "1"));
}

/// Without the iterators that tell executions apart.
std::vector<Expr> within_shape(const Model& model, const Tree& read) {
    const std::size_t count = model.containers.at(read.container).shape.size();
    return {read.indices.end() - static_cast<std::ptrdiff_t>(std::min(count, read.indices.size())), read.indices.end()};
}

std::string plain(const std::string& iterator) {
    return iterator.substr(0, iterator.find('$'));
}

}  // namespace

/// The terms of a tree, from its own instances; reads are looked through `depth` times.
std::vector<Source> Proof::terms_of(Sources& sources, const TreePtr& tree, const std::string& op, int depth) {
    const auto own = [&] { return Map::identity(sources.model().assignments[tree->owner].domain); };
    std::vector<Source> found;
    const auto add = [&](const TreePtr& part, const Map& to, int left) {
        for (const Source& inner : terms_of(sources, part, op, left)) {
            const Map from = known(to.then(inner.from_reader));
            if (!empty(from)) found.push_back({inner.tree, from});
        }
    };
    if (tree->kind == Tree::Kind::Fold && tree->name == op) {
        // Within the fold's own reads; what an update combines stands as it is written until it is looked through.
        for (const Source& term : sources.terms(tree)) add(term.tree, term.from_reader, depth);
    } else if (tree->kind == Tree::Kind::Apply && tree->name == op && tree->operands.size() == 2) {
        for (const TreePtr& part : tree->operands) add(part, own(), depth);
    } else if ((tree->kind == Tree::Kind::Read || tree->kind == Tree::Kind::After) && depth > 0) {
        for (const Source& source : sources.of(tree)) add(source.tree, source.from_reader, depth - 1);
    } else if (!is_identity(*tree, op)) {
        found.push_back({tree, own()});
    }
    return found;
}

bool Proof::reductions(const std::string& op, const Obligation& of) {
    if (depth_ >= 12) return part(of);
    for (int layer = 0; layer <= kLayers; ++layer) {
        const std::vector<Source> x = terms_of(before_, of.before, op, layer), y = terms_of(after_, of.after, op, layer);
        if (x.size() > 24 || y.size() > 24) break;
        if (x.size() == 1 && y.size() == 1 && x[0].tree == of.before && y[0].tree == of.after) continue;
        if (match(x, y, of.pairs)) {
            reassociated_ = true;
            return true;
        }
    }
    return part(of);
}

/// Relations between instances of two terms that may pair equal values: the same elements are read, iterators of one name are
/// equal.
std::vector<Map> Proof::candidates(const Tree& a, const Tree& b) const {
    const Model &first = before_.model(), &second = after_.model();
    std::vector<const Tree*> x, y;
    reads_of(a, x);
    reads_of(b, y);
    const Map all = Map::universe(space_of(first, a.owner), space_of(second, b.owner));
    Map by_reads = all, by_names = all;
    std::vector<bool> used(y.size());
    bool some = false;
    for (const Tree* read : x)
        for (std::size_t at = 0; at < y.size(); ++at) {
            if (used[at] || y[at]->container != read->container || within_shape(first, *read).empty()) continue;
            if (within_shape(first, *read).size() != within_shape(second, *y[at]).size()) continue;
            used[at] = true;
            some = true;
            by_reads = by_reads.intersect(
                elements_of(first, a.owner, "", read->indices).then(elements_of(second, b.owner, "", y[at]->indices).reverse()));
            break;
        }
    const std::vector<std::string>&i = first.assignments[a.owner].iterators, &j = second.assignments[b.owner].iterators;
    // The last of a name is the innermost: an inner loop of a tiling.
    for (std::size_t at = 0; at < i.size(); ++at) {
        const auto same = std::ranges::find_if(j, [&](const std::string& name) { return plain(name) == plain(i[at]); });
        if (same != j.end()) by_names = by_names.equate(static_cast<unsigned>(at), static_cast<unsigned>(same - j.begin()));
    }
    std::vector<Map> maps{all};
    if (some) maps.push_back(by_reads);
    maps.push_back(by_names);
    if (some) maps.push_back(by_reads.intersect(by_names));
    return maps;
}

bool Proof::match(const std::vector<Source>& before, const std::vector<Source>& after, const Map& pairs) {
    // From each pair to the terms of its two values that are not paired yet.
    std::vector<Map> left, right;
    for (const Source& term : before) left.push_back(known(pairs.to_first().then(term.from_reader)));
    for (const Source& term : after) right.push_back(known(pairs.to_second().then(term.from_reader)));
    const auto is_one_to_one = [&](const Map& map) {
        return map.is_single_valued() == poly::Answer::Yes && map.is_injective() == poly::Answer::Yes;
    };
    for (std::size_t x = 0; x < before.size(); ++x)
        for (std::size_t y = 0; y < after.size() && !empty(left[x]); ++y) {
            if (apart(*before[x].tree, *after[y].tree) || empty(right[y])) continue;
            std::vector<Map> tried;
            for (const Map& candidate : candidates(*before[x].tree, *after[y].tree)) {
                if (!candidate.known()) continue;
                const Map partners = known(left[x].reverse().then(right[y]).intersect(candidate).coalesce());
                if (empty(partners) || !is_one_to_one(partners)) continue;
                const Map paired = left[x].intersect(right[y].then(partners.reverse()));
                if (empty(paired)) continue;
                const Map used = known(partners.intersect_domain(paired.range()));
                if (std::ranges::any_of(tried, [&](const Map& one) { return one.is_equal(used) == poly::Answer::Yes; })) continue;
                tried.push_back(used);
                if (!attempt({{before[x].tree, after[y].tree, used}})) continue;
                right[y] = known(right[y].subtract(paired.then(partners)).coalesce());
                left[x] = known(left[x].subtract(paired).coalesce());
            }
        }
    return std::ranges::all_of(left, [&](const Map& rest) { return empty(rest); }) &&
           std::ranges::all_of(right, [&](const Map& rest) { return empty(rest); });
}

}  // namespace sluice::certify
