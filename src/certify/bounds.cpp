// Which accesses leave their containers.
#include <functional>

#include "certify/model.h"
#include "poly/convert.h"

namespace sluice::certify {

using poly::Set;
using symbolic::Expr;

namespace {

/// The elements of a container; not known where its shape is not affine.
Set inside_of(const std::string& name, const Held& held) {
    poly::Space space{.tuple = name, .dims = held.executions};
    for (std::size_t d = 0; d < held.shape.size(); ++d) space.dims.push_back("$" + std::to_string(d));
    Expr condition = symbolic::boolean(true);
    for (std::size_t d = 0; d < held.shape.size(); ++d) {
        const Expr index = symbolic::symbol(space.dims[held.executions.size() + d]);
        condition = symbolic::logical_and(
            condition, symbolic::logical_and(symbolic::less_equal(0, index), symbolic::less(index, held.shape[d])));
    }
    const auto inside = poly::to_set(condition, space);
    return inside.ok() ? *inside.value : Set();
}

}  // namespace

Set leaving(const Model& model, const Set& context, Construct& first) {
    std::map<std::string, Set> inside;
    Set parameters = context.subtract(context);
    for (std::size_t at = 0; at < model.assignments.size(); ++at) {
        const Assignment& assignment = model.assignments[at];
        const auto touch = [&](const std::string& container, const std::vector<Expr>& indices) {
            const auto [elements, added] = inside.try_emplace(container);
            if (added) elements->second = inside_of(container, model.containers.at(container));
            const Set outside = elements_of(model, at, container, indices).range().subtract(elements->second);
            const Set where = outside.parameters().intersect(context);
            if (where.is_empty() == poly::Answer::Yes) return;
            if (first.text.empty()) first = {"the access of `" + assignment.label + "` outside of " + container, assignment.where};
            parameters = parameters.unite(where).coalesce();
        };
        const std::function<void(const Tree&)> visit = [&](const Tree& tree) {
            if (tree.kind == Tree::Kind::Read) touch(tree.container, tree.indices);
            for (const TreePtr& part : tree.operands) visit(*part);
        };
        if (!assignment.container.empty()) touch(assignment.container, assignment.indices);
        visit(*assignment.value);
        for (const TreePtr& read : assignment.touched) visit(*read);
    }
    return parameters;
}

}  // namespace sluice::certify
