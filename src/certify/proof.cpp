#include "certify/proof.h"

#include <algorithm>

#include "certify/tasklet.h"
#include "poly/convert.h"

namespace sluice::certify {

using poly::Map;
using symbolic::Expr;

namespace {

/// So often a relation between two trees may grow before it is widened.
constexpr int kRounds = 3;
/// Choices within choices.
constexpr int kDepth = 24;

bool is_read(const Tree& tree) {
    return tree.kind == Tree::Kind::Read || tree.kind == Tree::Kind::After;
}

/// May the two be equal, as far as their operators show?
bool alike(const Tree& a, const Tree& b) {
    const auto is_open = [](const Tree& tree) { return is_read(tree) || tree.kind == Tree::Kind::Fold; };
    if (is_open(a) || is_open(b)) return true;
    if (a.kind == Tree::Kind::Apply && b.kind == Tree::Kind::Apply)
        return a.name == b.name && a.operands.size() == b.operands.size();
    if (a.kind == Tree::Kind::Constant && b.kind == Tree::Kind::Constant) return a.name == b.name;
    return a.kind != Tree::Kind::Apply && b.kind != Tree::Kind::Apply;
}

void containers_of(const Tree& tree, std::vector<std::string>& names) {
    if (!tree.container.empty()) names.push_back(tree.container);
    for (const TreePtr& part : tree.operands) containers_of(*part, names);
}

/// How many containers both read.
std::size_t shared(const Tree& a, const Tree& b) {
    std::vector<std::string> x, y;
    containers_of(a, x);
    containers_of(b, y);
    return static_cast<std::size_t>(
        std::ranges::count_if(x, [&](const std::string& name) { return std::ranges::find(y, name) != y.end(); }));
}

}  // namespace

Proof::Proof(Sources& before, Sources& after, const poly::Set& context, std::chrono::steady_clock::time_point end)
    : before_(before), after_(after), context_(context), end_(end) {}

Map Proof::known(Map map) const {
    if (!map.known() || std::chrono::steady_clock::now() > end_) throw BudgetEnded{};
    return map;
}
bool Proof::empty(const Map& map) const {
    const poly::Answer answer = known(map).is_empty();
    if (answer == poly::Answer::Unknown) throw BudgetEnded{};
    return answer == poly::Answer::Yes;
}

bool Proof::equal(const TreePtr& before, const TreePtr& after, const Map& pairs, bool greedy) {
    greedy_ = greedy;
    return prove({{before, after, pairs}});
}

bool Proof::attempt(Obligations open) {
    if (depth_ >= kDepth) return false;
    const auto assumed = assumed_;
    ++depth_;
    const bool proven = prove(std::move(open));
    --depth_;
    if (!proven) assumed_ = assumed;
    return proven;
}

bool Proof::prove(Obligations open) {
    while (!open.empty()) {
        Obligation next = std::move(open.back());
        open.pop_back();
        next.pairs = known(next.pairs.intersect_parameters(context_));
        if (empty(next.pairs)) continue;
        if (meets_again(next)) {
            next.pairs = assume(next);
            if (empty(next.pairs)) continue;
        }
        if (!step(next, open)) return false;
    }
    return true;
}

/// Recursion goes through values of assignments; of a copy, it may go on in one program alone.
bool Proof::meets_again(const Obligation& of) const {
    const bool first = before_.model().assignments[of.before->owner].value == of.before;
    const bool second = after_.model().assignments[of.after->owner].value == of.after;
    return (first && second) || (first && is_read(*of.before)) || (second && is_read(*of.after));
}

/// Assumes the pairs, and what else the affine hull holds if the two trees meet too often; what is new of that is to be proven.
Map Proof::assume(const Obligation& of) {
    const auto [at, added] = assumed_.try_emplace({of.before.get(), of.after.get()});
    Assumed& assumed = at->second;
    if (added) {
        assumed = {.pairs = of.pairs, .rounds = 1, .before = of.before, .after = of.after};
        return of.pairs;
    }
    const Map rest = known(of.pairs.subtract(assumed.pairs));
    if (empty(rest)) return rest;
    Map all = assumed.pairs.unite(rest).coalesce();
    if (++assumed.rounds > (greedy_ ? 1 : kRounds))
        all = all.affine_hull()
                  .intersect_domain(before_.model().assignments[of.before->owner].domain)
                  .intersect_range(after_.model().assignments[of.after->owner].domain)
                  .intersect_parameters(context_)
                  .unite(all);
    assumed.pairs = known(all.coalesce());
    return assumed.pairs;
}

bool Proof::step(const Obligation& of, Obligations& open) {
    if (is_read(*of.before)) {
        for (const Source& source : before_.of(of.before))
            open.push_back({source.tree, of.after, source.from_reader.reverse().then(of.pairs)});
        return true;
    }
    if (is_read(*of.after)) {
        for (const Source& source : after_.of(of.after))
            open.push_back({of.before, source.tree, of.pairs.then(source.from_reader)});
        return true;
    }
    return heads(of, open);
}

/// Remembers where the proof ends.
bool Proof::part(const Obligation& of, const std::string& construct) {
    parting_ = {.before = to_string(*of.before), .after = to_string(*of.after), .construct = construct, .parameters = {}};
    if (const auto pair = of.pairs.sample()) parting_.parameters = pair->parameters;
    return false;
}

bool Proof::heads(const Obligation& of, Obligations& open) {
    const Tree &a = *of.before, &b = *of.after;
    for (const Tree* tree : {&a, &b})
        if (tree->kind == Tree::Kind::Unknown) return part(of, tree->name);
    if (a.kind == Tree::Kind::Fold || b.kind == Tree::Kind::Fold) {
        const std::string& op = a.kind == Tree::Kind::Fold ? a.name : b.name;
        if (a.kind == Tree::Kind::Fold && b.kind == Tree::Kind::Fold && a.name != b.name) return part(of);
        return reductions(op, of);
    }
    using Kind = Tree::Kind;
    const auto is_value = [](const Tree& tree) { return tree.kind == Kind::Constant || tree.kind == Kind::Index; };
    if (is_value(a) && is_value(b)) return same_values(a, b, of.pairs) || part(of);
    if (a.kind != b.kind) return part(of);
    if (a.kind == Kind::Apply) return operands(of, open);
    if (a.kind == Kind::Operand) return whole_operands(of, open);
    // Inputs.
    for (const auto& [tree, model] : {std::pair{&a, &before_.model()}, std::pair{&b, &after_.model()}}) {
        const Held& held = model->containers.at(tree->container);
        if (!held.argument && !held.constant) return part(of, tree->container + ", which is read before it is written");
    }
    if (a.container != b.container) return part(of);
    const Map equal = elements_of(before_.model(), a.owner, a.container, a.indices)
                          .then(elements_of(after_.model(), b.owner, b.container, b.indices).reverse());
    return empty(of.pairs.subtract(known(equal))) || part(of);
}

bool Proof::same_values(const Tree& a, const Tree& b, const Map& pairs) {
    if (a.kind == Tree::Kind::Constant && b.kind == Tree::Kind::Constant) return a.name == b.name;
    const auto value = [](const Tree& tree) -> std::optional<Expr> {
        if (tree.kind == Tree::Kind::Index) return tree.indices[0];
        if (tree.name.find_first_not_of("-0123456789") != std::string::npos || tree.name.size() > 16) return std::nullopt;
        return Expr(static_cast<std::int64_t>(std::stoll(tree.name)));
    };
    const auto x = value(a), y = value(b);
    if (!x || !y) return false;
    const Map from = elements_of(before_.model(), a.owner, "", {*x}), to = elements_of(after_.model(), b.owner, "", {*y});
    if (!from.known() || !to.known()) return false;
    return empty(pairs.subtract(from.then(to.reverse())));
}

bool Proof::operands(const Obligation& of, Obligations& open) {
    const Tree &a = *of.before, &b = *of.after;
    const bool fits = a.name == b.name && a.operands.size() == b.operands.size() && a.type.dtype == b.type.dtype;
    const auto pair = [&](std::size_t first, std::size_t second) {
        return Obligation{a.operands[first], b.operands[second], of.pairs};
    };
    if (!fits) return part(of);
    if (!is_commutative(a.name) || a.operands.size() != 2) {
        for (std::size_t at = 0; at < a.operands.size(); ++at) open.push_back(pair(at, at));
        return true;
    }
    const auto likely = [&](std::size_t first) {
        return alike(*a.operands[0], *b.operands[first]) && alike(*a.operands[1], *b.operands[1 - first]);
    };
    const auto score = [&](std::size_t first) {
        return shared(*a.operands[0], *b.operands[first]) + shared(*a.operands[1], *b.operands[1 - first]);
    };
    const std::size_t preferred = score(1) > score(0) ? 1 : 0;
    std::vector<std::size_t> ways;
    for (const std::size_t first : {preferred, 1 - preferred})
        if (likely(first)) ways.push_back(first);
    if (greedy_ && !ways.empty()) {
        open.push_back(pair(1, 1 - ways[0]));
        open.push_back(pair(0, ways[0]));
        return true;
    }
    for (const std::size_t first : ways)
        if (attempt({pair(1, 1 - first), pair(0, first)})) return true;
    if (!is_reduction(a.name)) return ways.empty() ? part(of) : false;
    return reductions(a.name, of);
}

/// Equal at each position, of which both have the same.
bool Proof::whole_operands(const Obligation& of, Obligations& open) {
    const Tree &a = *of.before, &b = *of.after;
    if (a.name != b.name) return part(of);
    const auto all_positions = [](const Model& model, const Tree& tree) {
        const Assignment& operand = model.assignments[tree.operand];
        Map map = Map::universe(space_of(model, tree.owner), space_of(model, tree.operand));
        for (unsigned at = 0; at < operand.iterators.size() - operand.positions; ++at) map = map.equate(at, at);
        return map.intersect_range(operand.domain);
    };
    const Model &first = before_.model(), &second = after_.model();
    const Assignment &x = first.assignments[a.operand], &y = second.assignments[b.operand];
    if (x.positions != y.positions) return part(of);
    const Map wide = known(all_positions(first, a).reverse().then(of.pairs).then(all_positions(second, b)));
    Map pairs = wide;
    for (std::size_t at = 0; at < x.positions; ++at)
        pairs = pairs.equate(static_cast<unsigned>(x.iterators.size() - x.positions + at),
                             static_cast<unsigned>(y.iterators.size() - y.positions + at));
    const auto same = [](const poly::Set& one, const poly::Set& other) { return one.is_equal(other) == poly::Answer::Yes; };
    if (!same(pairs.domain(), wide.domain()) || !same(pairs.range(), wide.range())) return part(of);
    open.push_back({x.value, y.value, pairs});
    return true;
}

}  // namespace sluice::certify
