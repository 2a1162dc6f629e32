// What StoreIn and Contract share: a transient of a static control part whose elements lie at other places, several at one where
// no value is lost.
#pragma once

#include "transform/loop/order.h"

namespace sluice::transform {

/// Places for the elements of a transient, and the parameters that ask for them.
struct Layout {
    std::string data;
    std::vector<symbolic::Expr> indices;  ///< In terms of d0, d1, ...: the indices of an element before.
    std::vector<symbolic::Expr> shape;
    rewrite::Options options;
};
struct Layouts {
    std::vector<Layout> wanted = {}, near = {};
    std::string obstacle = {};
};
/// The part in its own order, with the memory laid out.
struct Relaid {
    Reordered order;
    std::string data;
    std::vector<symbolic::Expr> shape;
    const rewrite::Options& options() const { return order.chosen; }
};

/// Why it is no transient of which every use is one element of a statement of the part; empty: it is.
std::string why_not_relaid(const rewrite::Site& site, const OrderedPart& part, const std::string& data);
rewrite::Planned<Relaid> plan_layout(const rewrite::Site& site, char letter,
                                     const std::function<Layouts(const rewrite::Site&, const OrderedPart&)>& layouts);
void apply_layout(rewrite::Draft& draft, const Relaid& plan);

}  // namespace sluice::transform
