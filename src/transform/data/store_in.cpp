// StoreIn: let the elements of a transient lie at other places, affine in their indices.
//     t[i, j]   ->   t[j, i]      t[i]   ->   t[i % 2, i // 2]
// A1 the part is a static control part. A2 no symbol that it gives a value is read elsewhere. A3 the container is a transient that
// only tasklets of the part use, one element each; places are affine and lie within the shape. A4 every read sees the value that it
// saw.
#include <fmt/format.h>

#include "analysis/scop/relayout.h"
#include "transform/data/relayout.h"

namespace sluice::transform {

namespace {

/// The extents of indices that are an old index, or one modulo a number; nullopt: others.
std::optional<std::vector<symbolic::Expr>> shape_for(const ir::Container& container, const std::vector<symbolic::Expr>& indices) {
    std::vector<symbolic::Expr> shape;
    for (const symbolic::Expr& index : indices) {
        std::optional<symbolic::Expr> extent;
        for (std::size_t d = 0; d < container.shape.size(); ++d) {
            const symbolic::Expr old = symbolic::symbol(analysis::old_index(d));
            if (index == old) extent = container.shape[d];
            if (index.kind() == symbolic::Kind::Modulo && index.operands()[0] == old) extent = index.operands()[1];
        }
        if (!extent) return std::nullopt;
        shape.push_back(*extent);
    }
    return shape;
}

std::vector<std::string> texts_of(const std::vector<symbolic::Expr>& indices) {
    std::vector<std::string> texts;
    for (const symbolic::Expr& index : indices) texts.push_back(symbolic::to_string(index));
    return texts;
}

Layouts places(const rewrite::Site& site, const OrderedPart& part) {
    const std::string& data = site.text("data");
    const std::vector<symbolic::Expr> shape = site.expressions("shape");
    std::vector<symbolic::Expr> indices;
    for (const std::string& text : site.texts("indices")) {
        const auto index = symbolic::parse(text);
        if (!index) return {.obstacle = fmt::format("`{}` is no expression", text)};
        indices.push_back(*index);
    }
    Layouts layouts{.obstacle = "no transient of several dimensions is used by tasklets of the part alone"};
    for (const auto& [name, container] : site.sdfg().containers) {
        if (!data.empty() && name != data) continue;
        if (const std::string why = why_not_relaid(site, part, name); !why.empty()) {
            if (!data.empty()) layouts.obstacle = why;
            continue;
        }
        if (indices.empty() && container.shape.size() < 2) continue;
        for (std::size_t d = 0; d < container.shape.size(); ++d)
            if (site.sdfg().symbols.contains(analysis::old_index(d)))
                return {.obstacle = fmt::format("the symbol `{}` would be taken for an index", analysis::old_index(d))};
        Layout layout{.data = name, .indices = indices, .shape = shape, .options = {}};
        for (std::size_t d = container.shape.size(); indices.empty() && d-- > 0;)
            layout.indices.push_back(symbolic::symbol(analysis::old_index(d)));
        for (const symbolic::Expr& index : layout.indices)
            for (const std::string& symbol : symbolic::free_symbols(index))
                for (std::size_t d = 0; d <= container.shape.size(); ++d) {
                    if (d < container.shape.size() && symbol == analysis::old_index(d)) break;
                    if (d == container.shape.size())
                        return {.obstacle = fmt::format("`{}` is no index of `{}`; they are d0 to d{}", symbol, name,
                                                        container.shape.size() - 1)};
                }
        if (layout.shape.empty()) {
            const auto known = shape_for(container, layout.indices);
            if (!known) return {.obstacle = fmt::format("the shape of `{}` does not follow from its indices; give it", name)};
            layout.shape = *known;
        }
        if (layout.shape.size() != layout.indices.size())
            return {.obstacle = fmt::format("{} indices and {} extents", layout.indices.size(), layout.shape.size())};
        layout.options = {{"data", name}, {"indices", texts_of(layout.indices)}, {"shape", layout.shape}};
        layouts.wanted.push_back(layout);
        // Room for more, where elements share places.
        for (std::size_t at = 0; at < layout.indices.size(); ++at)
            for (std::int64_t more = 1; layout.indices[at].kind() == symbolic::Kind::Modulo && more <= 4; ++more) {
                Layout near = layout;
                near.shape[at] = layout.indices[at].operands()[1] + more;
                near.indices[at] = symbolic::modulo(layout.indices[at].operands()[0], near.shape[at]);
                near.options = {{"data", name}, {"indices", texts_of(near.indices)}, {"shape", near.shape}};
                layouts.near.push_back(std::move(near));
            }
    }
    return layouts;
}

rewrite::Planned<Relaid> plan_store_in(const rewrite::Site& site) {
    return plan_layout(site, 'A', places);
}

}  // namespace

rewrite::Transformation store_in() {
    return rewrite::transformation(
        {.name = "StoreIn",
         .summary = "Lets the elements of a transient lie at other places, affine in their indices.",
         .drawing = "t[i, j]   ->   t[j, i]      t[i]   ->   t[i % 2, i // 2]",
         .decided_by = {.predicates = {"keeps_values"}},
         .patterns = order_patterns(),
         .conditions = {{"A1", "the part is a static control part"},
                        {"A2", "no symbol that it gives a value is read elsewhere"},
                        {"A3",
                         "the container is a transient that only tasklets of the part use, one element each; places are affine "
                         "and lie within the shape"},
                        {"A4", "every read sees the value that it saw"}},
         .parameters =
             {{"data", std::string(), "The transient; empty: the first of several dimensions."},
              {"indices", std::vector<std::string>{},
               "Where the element d0, d1, ... lies, such as `[\"d1\", \"d0 % 2\"]`; empty: its indices the other way round."},
              {"shape", std::vector<symbolic::Expr>{},
               "The extents; empty: they follow from indices that are old ones, perhaps modulo a number."}}},
        plan_store_in, apply_layout);
}

}  // namespace sluice::transform
