// Whether a reshaped array is a view follows NumPy's rule (`_attempt_nocopy_reshape`): dimensions that are joined or split must lie
// in memory one behind the other.
//     A[1].reshape(2, 3)     ->   A's memory as a line, at [3 * __r1 + __r0 + 6]
//     A[:, 1:].reshape(-1)   ->   a copy
#include "frontend/array/reshape.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"
#include "ir/strides.h"

namespace sluice::frontend {

namespace {

Expr product(const std::vector<Expr>& extents) {
    Expr total = 1;
    for (const Expr& extent : extents) total = total * extent;
    return total;
}

/// The place of an element in a row, by the iteration symbols of the shape.
Expr place_in_row(const std::vector<Expr>& shape) {
    const std::vector<Expr> strides = ir::dense_strides(shape);
    Expr place = 0;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) place = place + iteration_of(dim, shape.size()) * strides[dim];
    return place;
}

}  // namespace

std::optional<Reshape::Layout> Reshape::layout_of(const Value& value) const {
    const Operand* view = as_view(value);
    if (!view) return std::nullopt;
    const ir::Container& container = t_.container(view->data);
    const auto* array = std::get_if<ir::Array>(&container.kind);
    const std::vector<Expr> row_major = ir::dense_strides(container.shape);
    if (!array || view->index.size() != row_major.size() || (!array->strides.empty() && array->strides != row_major))
        return std::nullopt;
    Expr address = 0;
    for (std::size_t dim = 0; dim < row_major.size(); ++dim) address = address + view->index[dim] * row_major[dim];
    symbolic::Substitution first;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) first[iteration_of(dim, value.rank()).name()] = 0;
    Layout layout{symbolic::substitute(address, first), {}};
    Expr linear = layout.begin;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        symbolic::Substitution second = first;
        second[iteration_of(dim, value.rank()).name()] = 1;
        layout.strides.push_back(symbolic::substitute(address, second) - layout.begin);
        linear = linear + iteration_of(dim, value.rank()) * layout.strides.back();
    }
    return linear == address ? std::optional(layout) : std::nullopt;
}

/// `pairs`: a copy if the two of each differ.
Reshape::Sharing Reshape::sharing(const Value& value, const Layout& layout, const std::vector<Expr>& shape, Pairs& pairs) const {
    std::vector<Expr> extents, strides;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        if (value.shape[dim].is_integer(1)) continue;
        extents.push_back(value.shape[dim]);
        strides.push_back(layout.strides[dim]);
    }
    std::vector<Expr> wanted = shape;
    std::erase_if(wanted, [](const Expr& extent) { return extent.is_integer(1); });
    if (wanted == extents) return Sharing::View;
    // Only dimensions within a group, whose products agree, must follow each other.
    std::vector<bool> joined(extents.size(), true);  // With the one behind it.
    for (std::size_t own = 0, other = 0; own < extents.size() && other < wanted.size();) {
        Expr left = extents[own], right = wanted[other];
        while (!(left == right)) {
            if (!left.is_integer() || !right.is_integer()) break;  // The rest is one group.
            if (left.integer() < right.integer() && own + 1 < extents.size())
                left = left * extents[++own];
            else if (left.integer() > right.integer() && other + 1 < wanted.size())
                right = right * wanted[++other];
            else
                break;
        }
        if (!(left == right)) break;
        joined[own] = false;
        ++own, ++other;
    }
    // What two arrays of usual sizes, larger than 1, are is likely; the rest is asked when the program runs.
    symbolic::Assumptions usual = t_.assumptions_;
    for (const Expr& extent : extents)
        if (!extent.is_integer()) usual.assume(symbolic::less_equal(2, extent));
    const auto differ = [&](const Expr& left, const Expr& right) {
        if (symbolic::is_no(symbolic::decide(symbolic::equal(left, right), t_.assumptions_))) return true;
        if (!symbolic::is_no(symbolic::decide(symbolic::equal(left, right), usual))) return false;
        pairs.emplace_back(left, right);
        return true;
    };
    bool unknown = false, apart = false;
    for (std::size_t dim = 0; dim + 1 < extents.size(); ++dim) {
        const Expr next = extents[dim + 1] * strides[dim + 1];
        if (!joined[dim] || symbolic::is_yes(symbolic::decide(symbolic::equal(strides[dim], next), t_.assumptions_))) continue;
        if (!differ(strides[dim], next))
            unknown = true;
        else
            apart |= differ(extents[dim], 1) && differ(extents[dim + 1], 1);
    }
    const bool split = wanted.size() > 1 && extents.size() > 1 &&
                       std::ranges::any_of(wanted, [](const Expr& extent) { return !extent.is_integer(); });
    if (unknown || (apart && split)) return Sharing::Unknown;
    return !apart ? Sharing::View : pairs.empty() ? Sharing::Copy : Sharing::CopyIfApart;
}

std::vector<Expr> Reshape::complete(const Value& value, std::vector<Expr> shape, const Span& span) {
    const Expr total = product(value.shape);
    Expr known = 1;
    std::optional<std::size_t> open;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        if (shape[dim].is_integer(-1)) {
            if (open) refuse("F005", "reshape can derive one size only", span, "give the other sizes");
            open = dim;
        } else {
            known = known * shape[dim];
        }
    }
    if (open) shape[*open] = symbolic::floor_divide(total, known);
    const auto may_be_negative = [&](const Expr& extent) {
        return !symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, extent), t_.assumptions_));
    };
    if (std::ranges::count_if(shape, may_be_negative) > 1)  // The product of two is positive again.
        for (const Expr& extent : shape) t_.require_not_negative(extent, "negative dimensions are not allowed", span);
    t_.require_equal(total, open ? known * shape[*open] : known, "reshape keeps the number of elements", span);
    return shape;
}

/// A view of all of the container. One for one shape: names that are bound to it mean the same.
Value Reshape::of_container(const std::string& data, const std::vector<Expr>& shape, const code::DType& type, const Span& span) {
    t_.refuse_flat();
    t_.need_container(data);
    for (const auto& [view, viewed] : t_.view_of_)
        if (viewed == data && t_.container(view).shape == shape && t_.container(view).dtype == type) return t_.read_container(view);
    const std::string name = t_.fresh_container(data + "_view");
    std::set<std::string> symbols;
    for (const Expr& extent : shape) symbols.merge(symbolic::free_symbols(extent));
    t_.need_symbols(symbols);
    ir::add_view(t_.sdfg_, name, type, shape).metadata.where = span;
    t_.view_of_[name] = data;
    return t_.read_container(name);
}

Value Reshape::view(const Value& value, const Layout& layout, const std::vector<Expr>& shape, const Span& span) {
    const std::string data = as_view(value)->data;
    Value result;
    if (is_whole(value)) {
        result = of_container(data, shape, t_.container(data).dtype, span);
    } else if (value.rank() == 1 && t_.container(data).shape.size() == 1) {
        result = substitute(value, {{iteration_name(0), place_in_row(shape)}});
        result.shape = shape;
    } else {
        // All elements that are joined lie at one distance: that of the last dimension with several.
        Expr stride = 1;
        for (std::size_t dim = 0; dim < value.rank(); ++dim)
            if (!value.shape[dim].is_integer(1)) stride = layout.strides[dim];
        const ir::Container& container = t_.container(data);
        const Value line = container.shape.size() == 1 ? t_.read_container(data)
                                                       : of_container(data, {product(container.shape)}, container.dtype, span);
        result = substitute(line, {{iteration_name(0), layout.begin + place_in_row(shape) * stride}});
        result.shape = shape;
    }
    result.read_only = value.read_only;
    return result;
}

Value Reshape::copy(const Value& value, const std::vector<Expr>& shape, const Span& span) {
    const Value base = t_.read_container(t_.add_temporary("reshaped", strong(value.type), value.shape));
    t_.assign(t_.target_of(base, span), value, "reshaped");
    return shape == value.shape ? base : of_container(as_view(base)->data, shape, strong(value.type), span);
}

Value Reshape::shaped(const Value& value, const std::vector<Expr>& shape, bool only_contiguous, const Span& span) {
    if (!as_view(value) && !as_part(value)) return shape == value.shape ? value : copy(value, shape, span);
    Pairs pairs;
    Sharing how = only_contiguous && as_part(value) ? Sharing::Copy : Sharing::Unknown;
    if (const auto layout = layout_of(value)) {
        how = sharing(value, *layout, shape, pairs);
        Expr last = 1;
        for (std::size_t dim = 0; dim < value.rank(); ++dim)
            if (!value.shape[dim].is_integer(1)) last = layout->strides[dim];
        Pairs unused;
        if (how == Sharing::View && only_contiguous && !last.is_integer(1))
            how = last.is_integer() && symbolic::is_no(symbolic::decide(symbolic::equal(product(value.shape), 1), t_.assumptions_))
                      ? Sharing::Copy
                      : Sharing::Unknown;
        else if (how == Sharing::View && sharing(value, *layout, {product(value.shape)}, unused) == Sharing::View)
            return view(value, *layout, shape, span);
        else if (how == Sharing::View)
            how = Sharing::Unknown;  // NumPy's has several distances.
    }
    Value result = copy(value, shape, span);
    const std::string base = t_.root_of((as_view(value) ? as_view(value) : as_part(value))->data);
    const ir::Container* own = t_.sdfg_.containers.find(base);
    if (own && own->transient && !t_.shared_with_others(base, {}))
        return result;  // Of what nobody else sees, a view and a copy are the same.
    result.read_only = value.read_only;
    result.copied = how == Sharing::Copy;
    if (how == Sharing::CopyIfApart) result.sees_through = DoubtfulCopy{std::move(pairs), base};
    if (how == Sharing::Unknown) result.sees_through = DoubtfulCopy{{}, base};
    return result;
}

bool Reshape::may_be_in_order(const Value& value) const {
    const auto layout = layout_of(value);
    Expr distance = 1;
    for (std::size_t dim = value.rank(); layout && dim-- > 0; distance = distance * value.shape[dim])
        if (!value.shape[dim].is_integer(1) &&
            symbolic::is_no(symbolic::decide(symbolic::equal(layout->strides[dim], distance), {})))
            return false;
    return true;
}

bool Reshape::is_whole(const Value& value) const {
    const Operand* view = as_view(value);
    return view && is_identity(*view, value.rank()) && t_.container(view->data).shape == value.shape;
}

Value Reshape::in_type(const Value& value, const code::DType& type, const Span& span) {
    if (value.rank() == 0) {
        if (code::size_in_bytes(strong(value.type)) != code::size_in_bytes(type))
            refuse("F004", "Changing the dtype of a 0d array is only supported if the itemsize is unchanged", span,
                   "view an array");
        Value number = substitute(in_type(of(value, {Expr(1)}, span), type, span), {{iteration_name(0), 0}});
        number.shape.clear();
        return number;
    }
    const Operand* view = as_view(value);
    if (!view) return in_type(t_.materialise(value, "viewed"), type, span);
    const code::DType own = t_.container(view->data).dtype;
    const auto from = static_cast<std::int64_t>(code::size_in_bytes(own)),
               to = static_cast<std::int64_t>(code::size_in_bytes(type));
    if (from == to) {  // Elements keep their places.
        Value line = of_container(view->data, t_.container(view->data).shape, type, span);
        symbolic::Substitution places;
        for (std::size_t dim = 0; dim < view->index.size(); ++dim)
            places[iteration_of(dim, view->index.size()).name()] = view->index[dim];
        Value result = substitute(line, places);
        result.shape = value.shape;
        return result;
    }
    if (!is_whole(value)) unsupported("a view of a part of an array as elements of another size", span, "copy it first");
    std::vector<Expr> shape = value.shape;
    const Expr bytes = shape.back() * Expr(from);
    if (from < to && !t_.same_size(symbolic::modulo(bytes, Expr(to)), 0)) {
        const std::string message =
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.";
        if (bytes.is_integer()) refuse("F004", message, span, "view it as elements of a size that fits");
        t_.require(make_compare(ir::to_code(symbolic::modulo(bytes, Expr(to))), code::CompareOp::Eq, make_integer(0), span),
                   message, span);
    }
    shape.back() = from < to ? symbolic::floor_divide(bytes, Expr(to)) : shape.back() * Expr(from / to);
    Value result = of_container(view->data, shape, type, span);
    result.read_only = value.read_only;
    return result;
}

Value Reshape::of(const Value& value, std::vector<Expr> shape, const Span& span) {
    shape = complete(value, std::move(shape), span);
    if (shape == value.shape) return value;
    if (value.rank() == 0) {  // A number lies nowhere: its value, in an array of one element.
        Value one = value;
        one.shape = shape;
        return t_.cast(one, strong(value.type), span);
    }
    return shaped(value, shape, false, span);
}

Value Reshape::ravel(const Value& value, const Span& span) {
    if (value.rank() == 0) return of(value, {Expr(-1)}, span);
    return shaped(value, {product(value.shape)}, true, span);
}

Value Reshape::windows(const Value& value, const std::vector<Expr>& sizes, const std::vector<std::int64_t>& axes,
                       const Span& span) {
    const Value array = as_view(value) ? value : t_.materialise(value, "windowed");
    const std::size_t rank = array.rank() + sizes.size();
    std::vector<Expr> shape = array.shape, places;
    for (std::size_t dim = 0; dim < array.rank(); ++dim) places.push_back(iteration_of(dim, rank));
    for (std::size_t at = 0; at < sizes.size(); ++at) {
        const auto dim = static_cast<std::size_t>(axes[at]);
        t_.require_not_negative(sizes[at], "`window_shape` cannot contain negative values", span);
        t_.require_not_negative(shape[dim] - sizes[at], "window shape cannot be larger than input array shape", span);
        shape[dim] = shape[dim] - sizes[at] + 1;
        places[dim] = places[dim] + iteration_of(array.rank() + at, rank);
    }
    symbolic::Substitution moved;
    for (std::size_t dim = 0; dim < array.rank(); ++dim) moved.emplace(iteration_of(dim, array.rank()).name(), places[dim]);
    Value result = substitute(array, moved);
    result.shape = std::move(shape);
    result.shape.insert(result.shape.end(), sizes.begin(), sizes.end());
    return result;
}

void Reshape::settle(Value& value, const Span& span) {
    if (!value.sees_through || value.rank() == 0) return;
    if (value.sees_through->pairs.empty())
        unsupported("a part of an array in another shape, of which only the run knows whether it is a copy", span,
                    "copy it: x.copy().reshape(...)");
    for (const auto& [left, right] : value.sees_through->pairs)
        t_.require(make_compare(ir::to_code(left), code::CompareOp::Ne, ir::to_code(right), span),
                   "an array with one element along a dimension, which NumPy does not copy to reshape it", span);
    value.sees_through.reset();
    value.copied = true;
}

}  // namespace sluice::frontend
