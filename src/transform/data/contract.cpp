// Contract: keep only the latest so many elements of a transient along one dimension.
//     t[i] = ...; ... = t[i - 1]   ->   t[i % 2] = ...; ... = t[(i - 1) % 2]
// C1 the part is a static control part. C2 no symbol that it gives a value is read elsewhere. C3 the container is a transient that
// only tasklets of the part use, one element each, and the size is at least 1. C4 every read sees the value that it saw: no element
// is stored over before its last reader (modulo storage; Lefebvre and Feautrier, "Automatic storage management for parallel
// programs", 1998). Loops that then share elements run in order.
#include <fmt/format.h>

#include "analysis/scop/relayout.h"
#include "transform/data/relayout.h"

namespace sluice::transform {

namespace {

Layout contracted(const ir::Container& container, const std::string& data, std::size_t dimension, std::int64_t size) {
    Layout layout{.data = data, .indices = {}, .shape = container.shape, .options = {}};
    for (std::size_t d = 0; d < container.shape.size(); ++d) {
        const symbolic::Expr index = symbolic::symbol(analysis::old_index(d));
        layout.indices.push_back(d == dimension ? symbolic::modulo(index, size) : index);
    }
    layout.shape[dimension] = size;
    layout.options = {{"data", data}, {"dimension", static_cast<std::int64_t>(dimension)}, {"size", size}};
    return layout;
}

Layouts contractions(const rewrite::Site& site, const OrderedPart& part) {
    const std::string& data = site.text("data");
    const std::int64_t dimension = site.integer("dimension"), size = site.integer("size");
    if (size < 1) return {.obstacle = "a dimension keeps at least one element"};
    Layouts layouts{.obstacle = "no transient is used by tasklets of the part alone"};
    for (const auto& [name, container] : site.sdfg().containers) {
        if (!data.empty() && name != data) continue;
        if (const std::string why = why_not_relaid(site, part, name); !why.empty()) {
            if (!data.empty()) layouts.obstacle = why;
            continue;
        }
        for (std::size_t d = 0; d < container.shape.size(); ++d) {
            if (dimension >= 0 && static_cast<std::size_t>(dimension) != d) continue;
            const auto extent = container.shape[d].constant();
            if (extent && *extent <= size) {
                layouts.obstacle = fmt::format("dimension {} of `{}` has no more than {} elements", d, name, size);
                continue;
            }
            layouts.wanted.push_back(contracted(container, name, d, size));
            for (std::int64_t near = 1; near <= 4; ++near)
                if (!extent || *extent > size + near) layouts.near.push_back(contracted(container, name, d, size + near));
        }
        if (dimension >= static_cast<std::int64_t>(container.shape.size()))
            layouts.obstacle = fmt::format("`{}` has no dimension {}", name, dimension);
    }
    if (!data.empty() && !site.sdfg().containers.contains(data)) layouts.obstacle = fmt::format("there is no container `{}`", data);
    return layouts;
}

rewrite::Planned<Relaid> plan_contract(const rewrite::Site& site) {
    return plan_layout(site, 'C', contractions);
}

}  // namespace

rewrite::Transformation contract() {
    return rewrite::transformation(
        {.name = "Contract",
         .summary = "Keeps only the latest so many elements of a transient along one dimension.",
         .drawing = "t[i] = ...; ... = t[i - 1]   ->   t[i % 2] = ...; ... = t[(i - 1) % 2]",
         .decided_by = {.predicates = {"keeps_values"}},
         .patterns = order_patterns(),
         .conditions = {{"C1", "the part is a static control part"},
                        {"C2", "no symbol that it gives a value is read elsewhere"},
                        {"C3",
                         "the container is a transient that only tasklets of the part use, one element each, and the size is at "
                         "least 1"},
                        {"C4", "every read sees the value that it saw"}},
         .parameters = {{"data", std::string(), "The transient; empty: the first that may be contracted."},
                        {"dimension", std::int64_t{-1}, "Which of its dimensions; negative: the first that may be."},
                        {"size", std::int64_t{2}, "How many elements are kept."}}},
        plan_contract, apply_layout);
}

}  // namespace sluice::transform
