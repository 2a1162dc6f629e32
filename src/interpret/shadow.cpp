#include "interpret/shadow.h"

#include "interpret/plan.h"

namespace sluice::interpret {

void Strands::forget() {
    base_ = strands_.empty() ? 1 : next();
    if (base_ > 0xe0000000u) base_ = 1;
    strands_.clear();
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
    if (x.group != y.group) return false;
    if (!x.scope) return x.member != y.member;
    return x.member != y.member && !x.scope->reaches_from(x.member, y.member) && !x.scope->reaches_from(y.member, x.member);
}

bool ScopePlan::reaches_from(std::size_t a, std::size_t b) const {
    return reaches[a * nodes.size() + b];
}

}  // namespace sluice::interpret
