// Dimensions moved, taken along a diagonal, removed: views, but for none of their elements.
#include <algorithm>

#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/reshape.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

Value ArrayProgram::transpose(const Value& value, std::vector<std::int64_t> axes, const Span& span) {
    const std::size_t rank = value.rank();
    if (axes.empty())
        for (std::size_t dim = rank; dim-- > 0;) axes.push_back(static_cast<std::int64_t>(dim));
    std::vector<bool> seen(rank, false);
    if (axes.size() != rank) refuse("F005", "transpose needs each axis once", span, "pass a permutation of the axes");
    symbolic::Substitution moved;
    std::vector<Expr> shape;
    for (std::size_t dim = 0; dim < rank; ++dim) {
        const auto from = static_cast<std::size_t>(axes[dim] < 0 ? axes[dim] + static_cast<std::int64_t>(rank) : axes[dim]);
        if (from >= rank || seen[from]) refuse("F005", "transpose needs each axis once", span, "pass a permutation of the axes");
        seen[from] = true;
        shape.push_back(value.shape[from]);
        moved.emplace(iteration_name(rank - 1 - from), iteration_of(dim, rank));
    }
    Value result = substitute(value, moved);
    result.shape = std::move(shape);
    return result;
}

/// All elements of a container as they lie.
Value ArrayProgram::reshape(const Value& value, std::vector<Expr> shape, const Span& span) {
    return Reshape(*this).of(value, std::move(shape), span);
}

/// The value with some dimensions at other places; the rest keep their order.
Value ArrayProgram::move_axes(const Value& value, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
                              const Span& span) {
    if (from.size() != to.size())
        refuse("F005", "`source` and `destination` arguments must have the same number of elements", span, "name as many axes");
    std::vector<std::pair<std::int64_t, std::int64_t>> moves;
    for (std::size_t at = 0; at < from.size(); ++at) moves.emplace_back(to[at], from[at]);
    std::ranges::sort(moves);
    std::vector<std::int64_t> axes;
    for (std::int64_t dim = 0; dim < static_cast<std::int64_t>(value.rank()); ++dim)
        if (std::ranges::count(from, dim) == 0) axes.push_back(dim);
    for (const auto& [place, axis] : moves) axes.insert(axes.begin() + std::min<std::ptrdiff_t>(place, std::ssize(axes)), axis);
    return transpose(value, axes, span);
}

Value ArrayProgram::diagonal(const Value& value, const Expr& offset, std::size_t first, std::size_t second, const Span& span) {
    const auto last = static_cast<std::int64_t>(value.rank()) - 1;
    const Value moved =
        move_axes(value, {static_cast<std::int64_t>(first), static_cast<std::int64_t>(second)}, {last - 1, last}, span);
    const Expr row = symbolic::maximum(Expr(0) - offset, 0), column = symbolic::maximum(offset, 0);
    const std::size_t rank = value.rank();
    symbolic::Substitution along{{iteration_name(1), iteration(0) + row}, {iteration_name(0), iteration(0) + column}};
    for (std::size_t r = 2; r < rank; ++r) along.emplace(iteration_name(r), iteration(r - 1));
    Value result = substitute(moved, along);
    result.shape.assign(moved.shape.begin(), moved.shape.end() - 2);
    result.shape.push_back(symbolic::maximum(symbolic::minimum(moved.shape[rank - 2] - row, moved.shape[rank - 1] - column), 0));
    return result;
}

/// Without the dimensions of size 1 that `axis` names, or all that there are.
Value ArrayProgram::squeeze(const Value& value, const std::optional<std::vector<std::int64_t>>& axes, const Span& span) {
    std::vector<std::int64_t> removed = axes.value_or(std::vector<std::int64_t>());
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        const Expr& extent = value.shape[dim];
        const bool named = std::ranges::count(removed, static_cast<std::int64_t>(dim)) > 0;
        if (named && !extent.is_integer(1)) {
            if (extent.is_integer())
                refuse("F004", "cannot select an axis to squeeze out which has size not equal to one", span,
                       "name an axis of size 1");
            require(make_compare(ir::to_code(extent), CompareOp::Eq, make_integer(1), span),
                    "cannot select an axis to squeeze out which has size not equal to one", span);
        }
        if (axes) continue;
        if (extent.is_integer(1)) removed.push_back(static_cast<std::int64_t>(dim));
        if (!extent.is_integer())
            require(make_compare(ir::to_code(extent), CompareOp::Ne, make_integer(1), span),
                    "a dimension of run-time size is 1: name the axes to squeeze", span);
    }
    symbolic::Substitution moved;
    std::vector<Expr> shape;
    const std::size_t rank = value.rank() - removed.size();
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        const std::string name = iteration_of(dim, value.rank()).name();
        if (std::ranges::count(removed, static_cast<std::int64_t>(dim)) > 0) {
            moved.emplace(name, Expr(0));
            continue;
        }
        moved.emplace(name, iteration_of(shape.size(), rank));
        shape.push_back(value.shape[dim]);
    }
    Value result = substitute(value, moved);
    result.shape = std::move(shape);
    return result;
}
}  // namespace sluice::frontend
