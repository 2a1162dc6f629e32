// What memlets name: elements of containers, through views and calls of nested SDFGs.
#include <algorithm>

#include "certify/reader.h"
#include "certify/tasklet.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/strides.h"
#include "poly/convert.h"

namespace sluice::certify {

using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

/// The operator of an update by this resolution; empty: its lambda is evaluated as it stands.
std::string operator_of(code::ReductionType type) {
    using code::ReductionType;
    switch (type) {
        case ReductionType::Sum:
        case ReductionType::Sub:
            return "add";
        case ReductionType::Product:
            return "multiply";
        case ReductionType::Min:
            return "minimum";
        case ReductionType::Max:
            return "maximum";
        case ReductionType::LogicalAnd:
            return "and";
        case ReductionType::LogicalOr:
            return "or";
        case ReductionType::BitwiseAnd:
            return "bitwise_and";
        case ReductionType::BitwiseOr:
            return "bitwise_or";
        case ReductionType::BitwiseXor:
            return "bitwise_xor";
        default:
            return "";
    }
}

bool reads(const Tree& tree, const std::string& container, const std::vector<Expr>& indices) {
    if (tree.kind == Tree::Kind::Read && tree.container == container && tree.indices == indices) return true;
    return std::ranges::any_of(tree.operands, [&](const TreePtr& part) { return reads(*part, container, indices); });
}

}  // namespace

ir::NodeId far_end(const StateWalk& walk, ir::EdgeId at, bool towards_source) {
    while (true) {
        const ir::Edge& edge = walk.state.edges[at];
        const ir::NodeId end = towards_source ? edge.src : edge.dst;
        const ir::Node& node = walk.state.nodes[end];
        if (std::holds_alternative<ir::Access>(node.kind)) return end;
        const std::string& connector = towards_source ? edge.src_connector : edge.dst_connector;
        const bool passes =
            towards_source ? ir::is_entry(node) && ir::is_port_out(connector) : ir::is_exit(node) && ir::is_port_in(connector);
        if (!passes) return {};
        const std::string across = ir::across(connector);
        const auto next = towards_source ? walk.adjacency.in_at(end, across) : walk.adjacency.out_at(end, across);
        if (!next) return {};
        at = *next;
    }
}

std::optional<ir::Resolution> resolution_along(const StateWalk& walk, ir::EdgeId at) {
    const ir::Edge& leaf = walk.state.edges[at];
    while (true) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.wcr && !leaf.memlet.wcr)
            throw NoModel{{"the resolution of " + edge.memlet.data + ", which only a part of its path has", {}}};
        if (!ir::is_exit(walk.state.nodes[edge.dst]) || !ir::is_port_in(edge.dst_connector)) return leaf.memlet.wcr;
        const auto next = walk.adjacency.out_at(edge.dst, ir::across(edge.dst_connector));
        if (!next) return leaf.memlet.wcr;
        at = *next;
    }
}

const std::string& data_of(const StateWalk& walk, ir::NodeId node) {
    return std::get<ir::Access>(walk.state.nodes[node].kind).data;
}

const ir::Container& ModelReader::container(const Frame& frame, const std::string& name, const Span& where) const {
    const ir::Container* found = name.find('.') == std::string::npos ? frame.sdfg->containers.find(name) : nullptr;
    if (!found) {
        const ir::Constant* constant = frame.sdfg->constants.find(name);
        if (constant) return constant->container;
        refuse("the member " + name, where);
    }
    if (found->binding == ir::Binding::Reference) refuse("the reference " + name, where);
    const auto* array = std::get_if<ir::Array>(&found->kind);
    if (!array && !std::holds_alternative<ir::Scalar>(found->kind)) refuse("the container " + name + ", which is no array", where);
    if (array && array->may_alias) refuse("the array " + name + ", which may share memory with another", where);
    if (array && std::ranges::any_of(array->offset, [](const Expr& e) { return !e.is_integer(0); }))
        refuse("the offset of " + name, where);
    if (!found->dtype.is_scalar() || code::is_complex(found->dtype.scalar))
        refuse("the elements of " + name + ", which are no real numbers", where);
    return *found;
}

void ModelReader::hold(const Frame& frame, const std::string& name, const ir::Container& container, bool argument,
                       const std::vector<Expr>& executions) {
    const auto [at, added] = model_.containers.try_emplace(name);
    if (!added && executions.empty() && !std::holds_alternative<ir::Scalar>(container.kind))
        for (std::size_t d = 0; d < container.shape.size(); ++d)
            if (!(at->second.shape.at(d) == symbolic::substitute(container.shape[d], frame.values)))
                refuse("the size of " + name + ", which changes", {});
    if (!added) return;
    at->second = {.dtype = container.dtype, .argument = argument};
    Held& held = at->second;
    for (const Expr& iterator : executions) held.executions.push_back(iterator.name());
    if (!std::holds_alternative<ir::Scalar>(container.kind))
        for (const Expr& extent : container.shape) held.shape.push_back(symbolic::substitute(extent, frame.values));
    for (const Expr& stride : ir::strides_of(container)) held.layout += symbolic::to_string(stride) + ", ";
}

ModelReader::Element ModelReader::element(const Frame& frame, const std::string& name, const std::vector<Expr>& indices) {
    const ir::Container& of = container(frame, name, {});
    if (const ir::Constant* constant = frame.sdfg->containers.contains(name) ? nullptr : frame.sdfg->constants.find(name)) {
        hold(frame, "constant " + name, of, false, {});
        model_.containers.at("constant " + name).constant = *constant;
        return {"constant " + name, indices};
    }
    const auto place = frame.places.find(name);
    const bool is_scalar = std::holds_alternative<ir::Scalar>(of.kind);
    if (place == frame.places.end()) {
        if (of.binding == ir::Binding::View) refuse("the view " + name, {});
        const std::string full = frame.prefix + name;
        hold(frame, full, of, frame.prefix.empty() && !of.transient, {});
        return {full, is_scalar ? std::vector<Expr>{} : indices};
    }
    Element result{place->second.container, place->second.executions};
    for (const Place::Dimension& dimension : place->second.dimensions)
        result.indices.push_back(dimension.along ? dimension.begin + dimension.step * indices.at(*dimension.along)
                                                 : dimension.begin);
    return result;
}

TreePtr ModelReader::read_tree(const Frame& frame, std::size_t owner, const std::string& name, const std::vector<Expr>& indices) {
    const Element at = element(frame, name, indices);
    return std::make_shared<const Tree>(Tree{.kind = Tree::Kind::Read,
                                             .owner = owner,
                                             .container = at.container,
                                             .indices = at.indices,
                                             .type = {container(frame, name, {}).dtype}});
}

/// Each dimension of the inner container runs along one of the outer, by equal strides; in a row of the outer container, which no
/// verified access leaves.
Place ModelReader::window(const Frame& frame, const std::string& outer, const Subset& subset, const ir::Container& inner,
                          const symbolic::Substitution& inner_values, const Span& where) {
    const ir::Container& of = container(frame, outer, where);
    const auto known = [&](const Expr& e) { return symbolic::substitute(e, frame.values); };
    const std::vector<Expr> outer_strides = ir::strides_of(of);
    std::vector<Expr> inner_strides = ir::strides_of(inner), begins;
    Place inside;  // In terms of the outer name's own indices.
    for (const Range& range : subset.dims) inside.dimensions.push_back({.begin = known(range.begin)});
    if (std::holds_alternative<ir::Scalar>(of.kind)) inside.dimensions.clear();
    std::size_t next = 0;
    for (std::size_t k = 0; k < inner.shape.size(); ++k) {
        const Expr extent = symbolic::substitute(inner.shape[k], inner_values);
        const Expr stride = symbolic::substitute(inner_strides[k], inner_values);
        std::size_t d = next;
        while (d < inside.dimensions.size() &&
               !(known(outer_strides[d]) * known(subset.dims[d].step) == stride &&
                 (extent.is_integer(1) || extent == known(symbolic::count(subset.dims[d])) || d == 0 ||
                  symbolic::is_yes(symbolic::decide(symbolic::less_equal(
                      known(subset.dims[d].begin) + extent * known(subset.dims[d].step), known(of.shape[d])))))))
            ++d;
        if (d < inside.dimensions.size()) {
            inside.dimensions[d].along = k;
            inside.dimensions[d].step = known(subset.dims[d].step);
            next = d + 1;
        } else if (!extent.is_integer(1)) {
            refuse("memory of " + outer + " seen in another shape", where);
        }
    }
    // From there on to what the outer name stands for.
    std::vector<Expr> symbols;
    for (std::size_t d = 0; d < inside.dimensions.size(); ++d) symbols.push_back(symbolic::symbol("$" + std::to_string(d)));
    const auto further = frame.places.find(outer);
    if (further == frame.places.end()) {
        const Element at = element(frame, outer, symbols);
        inside.container = at.container;
        return inside;
    }
    element(frame, outer, symbols);
    Place all{.container = further->second.container, .executions = further->second.executions};
    if (further->second.dimensions.size() == 0) {
        all.dimensions = inside.dimensions;
        return all;
    }
    for (const Place::Dimension& dimension : further->second.dimensions) {
        Place::Dimension composed = dimension;
        if (dimension.along) {
            const Place::Dimension& middle = inside.dimensions.at(*dimension.along);
            composed = {.begin = dimension.begin + dimension.step * middle.begin,
                        .step = dimension.step * middle.step,
                        .along = middle.along};
        }
        all.dimensions.push_back(composed);
    }
    return all;
}

Subset ModelReader::side(const Frame& frame, const ir::Memlet& memlet, const std::string& data, bool source_side,
                         const Span& where) {
    const ir::Container& of = container(frame, data, where);
    const bool own = memlet.data == data && (!memlet.is_data_src || *memlet.is_data_src == source_side || !memlet.other_subset);
    Subset whole = std::holds_alternative<ir::Scalar>(of.kind) ? Subset{} : Subset::extents(of.shape);
    Subset chosen = whole;
    if (memlet.dynamic && source_side == false) refuse("the dynamic memlet of " + data, where);
    if (own) {
        if (memlet.subset) chosen = *memlet.subset;
    } else if (memlet.other_subset) {
        chosen = *memlet.other_subset;
    } else if (memlet.subset) {
        // The whole container if it holds as many elements, else as large a part from its origin.
        const std::vector<Expr> sizes = symbolic::sizes(*memlet.subset);
        if (!(symbolic::num_elements(*memlet.subset) == symbolic::num_elements(whole))) {
            std::vector<Expr> parts;
            for (const Expr& size : sizes)
                if (sizes.size() == whole.rank() || !size.is_integer(1)) parts.push_back(size);
            if (whole.rank() == 0) parts.clear();
            if (parts.size() != whole.rank()) {
                if (!symbolic::num_elements(*memlet.subset).is_integer(1))
                    refuse("the part of " + data + " that a memlet does not name", where);
                parts.assign(whole.rank(), Expr(1));
            }
            chosen = Subset::extents(parts);
        }
    }
    for (const Range& range : chosen.dims)
        if (!range.tile.is_integer(1)) refuse("the tiled subset of " + data, where);
    if (std::holds_alternative<ir::Scalar>(of.kind)) return {};
    if (chosen.rank() != of.shape.size()) refuse("the subset of " + data, where);
    return symbolic::substitute(chosen, frame.values);
}

std::vector<Expr> ModelReader::count_elements(Frame& frame, const Subset& subset, const Span& where) {
    std::vector<Expr> indices;
    for (const Range& range : subset.dims) {
        const Expr size = symbolic::count(range);
        if (size.is_integer(1)) {
            indices.push_back(range.begin);
            continue;
        }
        std::string name = "e";
        for (int n = 1; names_.contains(name); ++n) name = "e$" + std::to_string(n);
        symbolic::Substitution before = frame.values;
        iterate(frame, name, Range::extent(size), Step::Kind::Map, "a copy", where);
        frame.values = std::move(before);
        indices.push_back(range.begin + range.step * symbolic::symbol(frame.iterators.back()));
    }
    return indices;
}

Assignment& ModelReader::add(const Frame& frame, const std::string& label, const Span& where) {
    const std::size_t number = model_.assignments.size();
    model_.assignments.push_back({.label = label, .where = where, .iterators = frame.iterators});
    Assignment& assignment = model_.assignments.back();
    assignment.domain = frame.domain.with_tuple(tuple_of(number));
    assignment.positions = frame.iterators.size() - outer_iterators_;
    assignment.order = frame.order;
    assignment.stores_at = frame.order;
    // Positions of a copy are stored in any order, after all that it reads.
    assignment.order.resize(frame.order.size() - assignment.positions);
    assignment.stores_at = assignment.order;
    assignment.order.push_back({.kind = Step::Kind::Sequence, .position = 0});
    assignment.stores_at.push_back({.kind = Step::Kind::Sequence, .position = 1});
    for (std::size_t at = outer_iterators_; at < frame.iterators.size(); ++at)
        assignment.stores_at.push_back({.kind = Step::Kind::Map, .position = 1, .iterator = at});
    return assignment;
}

void ModelReader::store(const Frame& frame, Assignment& assignment, const std::string& name, const std::vector<Expr>& indices,
                        TreePtr value, const std::optional<ir::Resolution>& resolution) {
    const std::size_t owner = model_.assignments.size() - 1;
    const code::DType type = container(frame, name, assignment.where).dtype;
    const Element at = element(frame, name, indices);
    assignment.container = at.container;
    assignment.indices = at.indices;
    assignment.value = cast_tree(value, type);
    if (!resolution) return recognise_update(assignment);
    if (resolution->type() == code::ReductionType::Exchange) return;
    assignment.update = operator_of(resolution->type());
    if (resolution->type() == code::ReductionType::Sub)
        assignment.value = apply_tree(owner, "negative", {assignment.value}, assignment.value->type);
    const auto element_tree = [&](Tree::Kind kind) {
        return std::make_shared<const Tree>(
            Tree{.kind = kind, .owner = owner, .container = at.container, .indices = at.indices, .type = {type}});
    };
    if (!assignment.update.empty()) {
        assignment.after = element_tree(Tree::Kind::After);
        return;
    }
    const Result<code::ExprPtr> lambda = ir::parsed_expr(resolution->text());
    if (!lambda.ok()) refuse("the resolution `" + resolution->text() + "`", assignment.where);
    TaskletNames names{.values = frame.values, .owner = owner};
    assignment.value = cast_tree(resolved(**lambda, element_tree(Tree::Kind::Read), assignment.value, names), type);
    // What stood there is read when it is stored.
    assignment.order = assignment.stores_at;
    assignment.order.push_back({.kind = Step::Kind::Sequence, .position = 0});
    assignment.stores_at.push_back({.kind = Step::Kind::Sequence, .position = 1});
}

/// `x = x + f` is an update of x by f, if f does not read x itself.
void ModelReader::recognise_update(Assignment& assignment) const {
    const Tree& value = *assignment.value;
    if (value.kind != Tree::Kind::Apply || !is_reduction(value.name) || value.operands.size() != 2) return;
    const auto is_old = [&](const Tree& tree) {
        return tree.kind == Tree::Kind::Read && tree.container == assignment.container && tree.indices == assignment.indices;
    };
    for (const std::size_t side : {0U, 1U}) {
        const TreePtr old = value.operands[side], by = value.operands[1 - side];
        if (!is_old(*old) || reads(*by, assignment.container, assignment.indices)) continue;
        const code::DType& type = old->type.dtype;
        if (!(by->type.weak || by->type.dtype == type)) continue;
        Tree after = *old;
        after.kind = Tree::Kind::After;
        assignment.update = value.name;
        assignment.after = std::make_shared<const Tree>(std::move(after));
        assignment.value = by;
        return;
    }
}

}  // namespace sluice::certify
