#include "transform/data/relayout.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/scop/relayout.h"
#include "poly/convert.h"
#include "rewrite/edit.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

poly::Space elements_of(const std::string& data, std::size_t rank) {
    poly::Space space{.tuple = data, .dims = {}};
    for (std::size_t d = 0; d < rank; ++d) space.dims.push_back(analysis::old_index(d));
    return space;
}

/// Elements that the part uses and that would have no place: sampled.
std::optional<std::string> outside_of_memory(const OrderedPart& part, const Layout& layout, const poly::Map& places) {
    symbolic::Expr within = symbolic::boolean(true);
    for (std::size_t d = 0; d < layout.shape.size(); ++d) {
        const symbolic::Expr index = symbolic::symbol(analysis::old_index(d));
        within = symbolic::logical_and(
            within, symbolic::logical_and(symbolic::less_equal(0, index), symbolic::less(index, layout.shape[d])));
    }
    const auto room = poly::to_set(within, elements_of(layout.data, layout.shape.size()));
    if (!room.ok()) return "the shape is not affine: " + room.why;
    for (const analysis::ScopStatement& statement : part.scop.statements)
        for (const analysis::ScopAccess& access : statement.accesses) {
            if (access.container != layout.data) continue;
            const poly::Set used = access.elements.then(places).range().intersect_parameters(part.scop.context);
            const poly::Set outside = used.subtract(*room.value);
            if (outside.is_empty() == poly::Answer::Yes) continue;
            const auto point = outside.sample();
            return point ? fmt::format("`{}` would use {}[{}], outside of its shape", statement.label, layout.data,
                                       fmt::join(point->coordinates, ", "))
                         : "whether every element has a place is not known within the budget of isl's operations";
        }
    return std::nullopt;
}

std::string written_options(const rewrite::Options& options) {
    std::string text;
    for (const auto& [name, value] : options) text += (text.empty() ? "" : " ") + name + "=" + rewrite::to_string(value);
    return text;
}

/// Why it may not lie like this. Of code 3: it cannot; 4: values would be lost.
std::optional<Refusal> why_not_laid_out(const OrderedPart& part, const Layout& layout, char letter) {
    const std::string third = letter + std::string("3"), fourth = letter + std::string("4");
    std::size_t rank = 0;
    for (const analysis::ScopStatement& statement : part.scop.statements)
        for (const analysis::ScopAccess& access : statement.accesses)
            if (access.container == layout.data) rank = access.elements.range_dimensions();
    const auto places = poly::to_elements(symbolic::Subset::indices(layout.indices), elements_of(layout.data, rank), layout.data);
    if (!places.ok()) return Refusal{.code = third, .why = "the place of an element is not affine: " + places.why};
    if (auto why = outside_of_memory(part, layout, *places.value)) return Refusal{.code = third, .why = *std::move(why)};
    const analysis::Verdict verdict = analysis::keeps_values(part.scop, layout.data, *places.value);
    if (verdict.yes()) return std::nullopt;
    Refusal refusal{.code = fourth, .why = verdict.why, .nodes = {}, .notes = {}, .where = verdict.where};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return refusal;
}

rewrite::Planned<Relaid> laid_out(const OrderedPart& part, const Layout& layout, char letter) {
    const std::size_t rank = layout.indices.size();
    std::size_t before = rank;
    for (const analysis::ScopStatement& statement : part.scop.statements)
        for (const analysis::ScopAccess& access : statement.accesses)
            if (access.container == layout.data) before = access.elements.range_dimensions();
    const auto places = poly::to_elements(symbolic::Subset::indices(layout.indices), elements_of(layout.data, before), layout.data);
    OrderedPart moved{analysis::at_places(part.scop, layout.data, *places.value, layout.indices), {}};
    moved.dependences = analysis::dependences(moved.scop);
    const poly::Schedule order = moved.scop.schedule;
    auto result = in_order(std::move(moved), order, letter);
    if (auto* refusal = std::get_if<Refusal>(&result)) return std::move(*refusal);
    Relaid relaid{.order = std::get<Reordered>(std::move(result)), .data = layout.data, .shape = layout.shape};
    relaid.order.chosen = layout.options;
    return relaid;
}

}  // namespace

std::string why_not_relaid(const rewrite::Site& site, const OrderedPart& part, const std::string& data) {
    const ir::Container* container = site.sdfg().containers.find(data);
    if (!container) return fmt::format("there is no container `{}`", data);
    if (!container->transient) return fmt::format("the caller knows where the elements of `{}` lie", data);
    const auto* array = std::get_if<ir::Array>(&container->kind);
    if (!array || container->binding != ir::Binding::Own) return fmt::format("`{}` is no array of its own", data);
    if (container->lifetime == ir::Lifetime::Persistent || container->lifetime == ir::Lifetime::External)
        return fmt::format("`{}` keeps its elements from one call to the next", data);
    if (rewrite::used_in_control(site.sdfg(), data)) return fmt::format("`{}` is read by a condition or a range", data);
    std::size_t uses = 0;
    for (const analysis::ScopStatement& statement : part.scop.statements) {
        std::size_t here = 0, writes = 0;
        for (const analysis::ScopAccess& access : statement.accesses)
            if (access.container == data) here += 1, writes += access.kind == analysis::StatementAccess::Kind::Read ? 0 : 1;
        if (here == 0) continue;
        const auto* operation = std::get_if<analysis::Operation>(&statement.body);
        if (!operation || !std::holds_alternative<ir::Tasklet>(operation->node.kind))
            return fmt::format("`{}` uses several elements of `{}` at once", statement.label, data);
        if (writes > 1) return fmt::format("`{}` writes `{}` at several connectors", statement.label, data);
        for (const analysis::Operation::Wire& wire : operation->wires) {
            if (wire.container != data) continue;
            if (!wire.memlet.subset || wire.memlet.other_subset || wire.memlet.dynamic ||
                !symbolic::num_elements(*wire.memlet.subset).is_integer(1))
                return fmt::format("`{}` uses several elements of `{}` at once", statement.label, data);
        }
        uses += 1;
    }
    if (uses == 0) return fmt::format("nothing in the part uses `{}`", data);
    if (!site.match().blocks.empty()) {
        ir::Sdfg alone = site.sdfg();
        alone.body = {};
        alone.body.blocks.add(ir::Block(site.region().blocks[site.match().blocks.front()]));
        if (rewrite::count_accesses(alone, data) < rewrite::count_accesses(site.sdfg(), data))
            return fmt::format("`{}` is used elsewhere", data);
    }
    return {};
}

rewrite::Planned<Relaid> plan_layout(const rewrite::Site& site, char letter,
                                     const std::function<Layouts(const rewrite::Site&, const OrderedPart&)>& layouts) {
    const auto may_be = [](const auto& entry) {
        return entry.second.transient && std::holds_alternative<ir::Array>(entry.second.kind);
    };
    if (site.text("data").empty() && std::ranges::none_of(site.sdfg().containers, may_be))  // Known before anything is looked into.
        return Refusal{.code = letter + std::string("3"), .why = "there is no transient array"};
    const poly::Budget budget(kOrderOperations);
    auto found = ordered_part(site, letter);
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    const OrderedPart part = std::get<OrderedPart>(std::move(found));
    const Layouts tries = layouts(site, part);
    if (tries.wanted.empty()) return Refusal{.code = letter + std::string("3"), .why = tries.obstacle};
    std::optional<Refusal> first;
    for (const Layout& layout : tries.wanted) {
        std::optional<Refusal> refusal = why_not_laid_out(part, layout, letter);
        if (!refusal) return laid_out(part, layout, letter);
        if (!first) first = std::move(refusal);
    }
    const Layout* legal = nullptr;
    for (const Layout& layout : tries.near)
        if (!legal && !why_not_laid_out(part, layout, letter)) legal = &layout;
    first->notes.push_back(
        {legal ? "legal instead: " + written_options(legal->options) : "no legal alternative was found near to it", {}});
    return std::move(*first);
}

void apply_layout(rewrite::Draft& draft, const Relaid& plan) {
    ir::Container& container = draft.sdfg().containers.at(plan.data);
    container.shape = plan.shape;
    auto& array = std::get<ir::Array>(container.kind);
    array.strides.clear();
    array.offset.clear();
    array.total_size = 0;
    array.start_offset = 0;
    apply_order(draft, plan.order);
    if (rewrite::count_accesses(draft.sdfg(), plan.data) == 0) draft.sdfg().containers.erase(plan.data);  // Of nested SDFGs now.
}

}  // namespace sluice::transform
