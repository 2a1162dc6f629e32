// The proof that two programs compute the same.
//
// A relation between the instances of two trees is to be proven: pairs in it have equal values. Reads are replaced by what they
// see, operators by their operands, until inputs or constants meet (Shashidhar et al., "Functional equivalence checking for
// verification of algebraic transformations on array-intensive source code", DATE 2005). What is to be proven of two trees is
// assumed where they meet again: a value depends on values that are computed before it, so that this is an induction over time. A
// relation that grows each time is widened to its affine hull (Verdoolaege, Janssens, Bruynooghe, "Equivalence checking of static
// affine programs using widening to handle recurrences", TOPLAS 2012). Updates of one element are compared as sets, one to one, in
// any order (after Iooss, Alias, Rajopadhye, "On program equivalence with reductions", SAS 2014).
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "certify/sources.h"

namespace sluice::certify {

/// Where a proof ends: two trees that are not shown to be equal.
struct Parting {
    std::string before, after;                       ///< What is computed there.
    std::string construct;                           ///< Instead, a construct whose value is not known.
    std::map<std::string, std::int64_t> parameters;  ///< For which it does.
};

class Proof {
public:
    Proof(Sources& before, Sources& after, const poly::Set& context, std::chrono::steady_clock::time_point end);
    /// Are the trees, of assignments of the one and of the other program, equal at all pairs? Greedy: operands of commutative
    /// operators are paired as they look, and relations widened at once; what fails so may hold. Throws BudgetEnded.
    bool equal(const TreePtr& before, const TreePtr& after, const poly::Map& pairs, bool greedy);
    /// Of the last answer, if it was no.
    const Parting& parting() const { return parting_; }
    /// Did it take updates of one element in another order, or operands of a sum or product grouped otherwise?
    bool reassociated() const { return reassociated_; }

private:
    struct Obligation {
        TreePtr before, after;
        poly::Map pairs;
    };
    struct Assumed {
        poly::Map pairs;
        int rounds = 0;
        TreePtr before, after;  ///< Keeps the addresses.
    };
    using Obligations = std::vector<Obligation>;

    bool prove(Obligations open);
    /// One of several ways: what it assumed is forgotten if it fails.
    bool attempt(Obligations open);
    bool meets_again(const Obligation& of) const;
    poly::Map assume(const Obligation& of);
    bool step(const Obligation& of, Obligations& open);
    bool heads(const Obligation& of, Obligations& open);
    bool operands(const Obligation& of, Obligations& open);
    bool whole_operands(const Obligation& of, Obligations& open);
    bool same_values(const Tree& before, const Tree& after, const poly::Map& pairs);
    bool part(const Obligation& of, const std::string& construct = {});

    // ---- reductions.cpp ----
    bool reductions(const std::string& op, const Obligation& of);
    std::vector<Source> terms_of(Sources& sources, const TreePtr& tree, const std::string& op, int depth);
    bool match(const std::vector<Source>& before, const std::vector<Source>& after, const poly::Map& pairs);
    std::vector<poly::Map> candidates(const Tree& before, const Tree& after) const;

    bool empty(const poly::Map& map) const;
    poly::Map known(poly::Map map) const;

    Sources &before_, &after_;
    poly::Set context_;
    std::chrono::steady_clock::time_point end_;
    std::map<std::pair<const Tree*, const Tree*>, Assumed> assumed_;
    Parting parting_;
    bool reassociated_ = false;
    bool greedy_ = true;
    int depth_ = 0;
};

}  // namespace sluice::certify
