#include "interpret/shadow.h"

#include "interpret/plan.h"

namespace sluice::interpret {

void Strands::forget() {
    base_ = strands_.empty() ? 1 : next();
    if (base_ > 0xe0000000u) base_ = 1;
    strands_.clear();
    concurrent_.clear();
    strands_.push_back({base_, 0, 0, nullptr});
}

bool Strands::unordered(Id a, Id b) const {
    Id below_a = a, below_b = b;
    while (a != b) {
        if (a > b) {
            below_a = a;
            a = at(a).parent;
        } else {
            below_b = b;
            b = at(b).parent;
        }
    }
    if (below_a == a || below_b == a) return false;
    const Strand& x = at(below_a);
    const Strand& y = at(below_b);
    if (!concurrent_.empty() && x.parent == y.parent) return below_a < below_b ? meet(below_a, below_b) : meet(below_b, below_a);
    if (x.group != y.group) return false;
    if (!x.scope) return x.member != y.member;
    return x.member != y.member && !x.scope->reaches_from(x.member, y.member) && !x.scope->reaches_from(y.member, x.member);
}

Strands::Id Strands::begin_concurrent(Id parent, std::int64_t line) {
    const Id id = add(parent, new_group(), 0, nullptr);
    if (id != parent) concurrent_[id] = {line, ~Id{0}};
    return id;
}

void Strands::end_concurrent(Id id) {
    if (const auto found = concurrent_.find(id); found != concurrent_.end()) found->second.end = next();
}

bool Strands::meet(Id older, Id younger) const {
    const auto first = concurrent_.find(older);
    if (first == concurrent_.end() || younger >= first->second.end) return false;
    const auto second = concurrent_.find(younger);
    return second == concurrent_.end() || second->second.line != first->second.line;
}

Strands::Id Strands::concurrent(Id id) const {
    while (!concurrent_.empty() && id > base_) {
        if (concurrent_.contains(id)) return id;
        id = at(id).parent;
    }
    return 0;
}

bool ScopePlan::reaches_from(std::size_t a, std::size_t b) const {
    return reaches[a * nodes.size() + b];
}

}  // namespace sluice::interpret
