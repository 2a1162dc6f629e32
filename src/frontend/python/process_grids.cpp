#include "frontend/python/process_grids.h"

#include <algorithm>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/messages.h"
#include "ir/code_block.h"
#include "ir/messages.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// Ranks from one coordinate to the next, in the order in which a grid numbers them.
std::vector<Expr> steps(const std::vector<Expr>& dims) {
    std::vector<Expr> all(dims.size(), Expr(1));
    for (std::size_t dim = dims.size(); dim-- > 1;) all[dim - 1] = all[dim] * dims[dim];
    return all;
}

Value list_of(const std::vector<Expr>& all, const Span& span) {
    std::vector<Value> elements;
    for (const Expr& one : all) elements.push_back(symbolic_value(one, span));
    Value result = tuple(std::move(elements));
    result.of_list = true;
    return result;
}

}  // namespace

Expr ProcessGrids::size_of(const ProcessGrid& grid) {
    Expr all = 1;
    for (const Expr& one : grid.dims) all = all * one;
    return all;
}

Expr ProcessGrids::rank_of(const ProcessGrid& grid) {
    if (grid.first.is_integer(0)) return symbolic::symbol(ir::kRankPlace) - 1;  // All ranks, row by row.
    const std::vector<Expr> by = steps(grid.dims);
    Expr rank = 0;
    for (std::size_t dim = 0; dim < by.size(); ++dim) rank = rank + grid.coordinates[dim] * by[dim];
    return rank;
}

std::map<std::string, ir::Property> ProcessGrids::group(const ProcessGrid& grid, const Span& span) {
    std::vector<std::pair<Expr, Expr>> merged;  // Counts and steps; dimensions that follow each other are one.
    for (std::size_t dim = 0; dim < grid.dims.size(); ++dim) {
        const Expr& count = grid.dims[dim];
        const Expr& step = grid.strides[dim];
        if (!merged.empty() && merged.back().second == step * count)
            merged.back() = {merged.back().first * count, step};
        else
            merged.emplace_back(count, step);
    }
    if (merged.empty()) merged.emplace_back(1, 1);
    if (merged.size() > ir::kMostGroupDimensions)
        unsupported("a message in a part of a grid that keeps so many dimensions apart from each other", span,
                    "number the dimensions so that those that the part keeps are neighbours");
    std::map<std::string, ir::Property> all{{"first", grid.first}};
    for (std::size_t dim = 0; dim < merged.size(); ++dim) {
        all["count" + std::to_string(dim)] = merged[dim].first;
        all["step" + std::to_string(dim)] = merged[dim].second;
    }
    return all;
}

std::optional<Value> ProcessGrids::call(const std::string& name, const Arguments& arguments) {
    if (name == "sluice.comm.Create_cart" || name == "sluice.comm.Cart_create") return created(arguments);
    if (name == "sluice.distr.MatMult") return product_of_shape(arguments);
    if (name != "sluice.comm.Cart_sub") return std::nullopt;
    const Value grid = t_.evaluate(arguments.at("parent_grid"));
    if (grid.kind != Value::Kind::Grid)
        refuse("F001", "Cart_sub takes a grid of ranks", arguments.span(), "make one: grid = comm.Cart_create([Px, Py])");
    return part(*grid.grid, arguments.at("color"));
}

std::vector<bool> ProcessGrids::truths(const ExprPtr& e, std::size_t count) {
    std::vector<bool> all;
    const Value given = std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node)
                            ? tuple(t_.evaluate_all(elements_of(e)))
                            : t_.evaluate(e);
    const std::vector<Value> values = given.kind == Value::Kind::Tuple ? given.elements : std::vector<Value>(count, given);
    for (const Value& one : values) {
        const auto truth = one.is_scalar() ? constant_value(*one.code, t_.bindings_) : std::nullopt;
        const auto* flag = truth ? std::get_if<bool>(&truth->value) : nullptr;
        const auto* integer = truth ? std::get_if<std::int64_t>(&truth->value) : nullptr;
        if (!flag && !integer)
            refuse("F005", "whether a dimension of a grid is meant is not known before the run", e->span, "write True and False");
        all.push_back(flag ? *flag : *integer != 0);
    }
    if (all.size() != count)
        refuse("F004", std::to_string(all.size()) + " truths for a grid of " + std::to_string(count) + " dimensions", e->span,
               "give one for each dimension");
    return all;
}

/// All ranks, row by row.
void ProcessGrids::place_in_world(ProcessGrid& grid, const Span& span) {
    t_.need_symbols({ir::kRankPlace, ir::kRanks});
    t_.require_equal(size_of(grid), symbolic::symbol(ir::kRanks), "a grid of ranks and all of them", span);
    grid.first = 0;
    grid.strides = steps(grid.dims);
    for (std::size_t dim = 0; dim < grid.dims.size(); ++dim) {
        const Expr at = symbolic::floor_divide(symbolic::symbol(ir::kRankPlace) - 1, grid.strides[dim]);
        grid.coordinates.push_back(dim == 0 ? at : symbolic::modulo(at, grid.dims[dim]));
    }
}

Value ProcessGrids::created(const Arguments& arguments) {
    const Span& span = arguments.span();
    if (const ExprPtr reorder = arguments.find("reorder")) truths(reorder, 1);  // Ranks keep their numbers, which MPI allows.
    auto grid = std::make_shared<ProcessGrid>();
    grid->dims = t_.new_shape(arguments.at("dims"));
    const ExprPtr periods = arguments.given("periods");
    grid->periods = periods && !is_none(periods) ? truths(periods, grid->dims.size()) : std::vector<bool>(grid->dims.size());
    place_in_world(*grid, span);
    Value result;
    result.kind = Value::Kind::Grid;
    result.grid = std::move(grid);
    return result;
}

Value ProcessGrids::part(const ProcessGrid& grid, const ExprPtr& kept) {
    const std::vector<bool> keeps = truths(kept, grid.dims.size());
    auto smaller = std::make_shared<ProcessGrid>();
    smaller->first = symbolic::symbol(ir::kRankPlace) - 1;
    for (std::size_t dim = 0; dim < keeps.size(); ++dim) {
        if (!keeps[dim]) continue;
        smaller->first = smaller->first - grid.coordinates[dim] * grid.strides[dim];
        smaller->dims.push_back(grid.dims[dim]);
        smaller->strides.push_back(grid.strides[dim]);
        smaller->periods.push_back(grid.periods[dim]);
        smaller->coordinates.push_back(grid.coordinates[dim]);
    }
    Value result;
    result.kind = Value::Kind::Grid;
    result.grid = std::move(smaller);
    return result;
}

/// Of blocks: MPI_MatMul (library/mpi_matmul) says where each lies.
Value ProcessGrids::product(const ProcessGrid& grid, const ExprPtr& a, const ExprPtr& b, const Span& span) {
    if (grid.dims.size() != 2 || !grid.first.is_integer(0))
        unsupported("a product on this grid", span, "multiply on a grid of two dimensions that has all ranks");
    const Value left = Messages(t_).in_memory(a), right = Messages(t_).in_memory(b);
    const bool known = (left.rank() == 2 && (right.rank() == 1 || right.rank() == 2)) || (left.rank() == 1 && right.rank() == 2);
    if (!known) refuse("F004", "a product on a grid takes two matrices, or a matrix and a vector", span, "reshape the blocks");
    if (!(left.type.dtype == right.type.dtype))
        refuse("F009", "a product on a grid of " + code::to_string(left.type.dtype) + " and " + code::to_string(right.type.dtype),
               span, "convert one of them: x.astype(...)");
    const Expr &rows = grid.dims[0], &columns = grid.dims[1];
    const char* const summed = "the sizes that a product on a grid sums over";
    if (left.rank() == 2 && right.rank() == 2)
        t_.require_equal(left.shape[1] * columns, right.shape[0] * rows, summed, span);
    else
        t_.require_equal(left.shape.back(), right.shape[0], summed, span);
    const std::string vector = left.rank() == 1 ? "left" : right.rank() == 1 ? "right" : "";
    std::vector<Expr> shape;
    if (left.rank() == 2) shape.push_back(left.shape[0]);
    if (right.rank() == 2) shape.push_back(right.shape[1]);
    const Value result = t_.result_place("product", left.type.dtype, shape, {left, right});
    t_.run_operation("MPI_MatMul", {}, {{"_a", left}, {"_b", right}}, {{"_c", result}}, span,
                     {{"rows", rows}, {"columns", columns}, {"rank", rank_of(grid)}, {"vector", vector}});
    return result;
}

/// DaCe's form, with the sizes of the whole product, m x n x k.
Value ProcessGrids::product_of_shape(const Arguments& arguments) {
    const Span& span = arguments.span();
    const ExprPtr a = arguments.at("a"), b = arguments.at("b");
    const Value left = t_.evaluate(a), right = t_.evaluate(b);
    const std::vector<Expr> sizes = t_.shape_argument(arguments.at("shape"));
    if (left.rank() != 2 || right.rank() != 2 || sizes.size() != 3)
        unsupported("distr.MatMult of vectors", span, "make a grid: grid = comm.Create_cart((Px, Py)), then grid.MatMult(A, x)");
    ProcessGrid grid;
    for (const std::size_t dim : {0, 1}) {
        const Expr& block = dim == 0 ? left.shape[0] : right.shape[1];
        grid.dims.push_back(symbolic::floor_divide(sizes[dim], block));
        t_.require_equal(grid.dims[dim] * block, sizes[dim], "the blocks of a product and the whole", span);
    }
    place_in_world(grid, span);
    t_.require_equal(left.shape[1] * grid.dims[1], sizes[2], "the blocks of a product and the whole", span);
    return product(grid, a, b, span);
}

Value ProcessGrids::attribute(const ProcessGrid& grid, const std::string& name, const Span& span) {
    if (name == "rank") return symbolic_value(rank_of(grid), span);
    if (name == "size") return symbolic_value(size_of(grid), span);
    if (name == "ndim" || name == "dim") return integer(static_cast<std::int64_t>(grid.dims.size()));
    if (name == "dims") return list_of(grid.dims, span);
    if (name == "coords") return list_of(grid.coordinates, span);
    if (name == "periods") {
        std::vector<Value> all;
        for (const bool one : grid.periods) all.push_back(number(make_integer(one ? 1 : 0, span), {Scalar::Int64, true}));
        Value result = tuple(std::move(all));
        result.of_list = true;
        return result;
    }
    refuse("F006", "a grid of ranks has no attribute " + name + " in programs", span,
           "it has rank, size, dims, coords, periods and ndim");
}

Value ProcessGrids::coordinates_of(const ProcessGrid& grid, const Expr& rank, const Span& span) {
    const std::vector<Expr> by = steps(grid.dims);
    std::vector<Expr> all;
    for (std::size_t dim = 0; dim < by.size(); ++dim)
        all.push_back(symbolic::modulo(symbolic::floor_divide(rank, by[dim]), grid.dims[dim]));
    return list_of(all, span);
}

/// Coordinates beyond a dimension that is periodic are counted from its other end; any others must be inside.
Value ProcessGrids::rank_at(const ProcessGrid& grid, const ExprPtr& coordinates, const Span& span) {
    const std::vector<Expr> all = t_.shape_argument(coordinates), by = steps(grid.dims);
    if (all.size() != by.size())
        refuse("F004", std::to_string(all.size()) + " coordinates in a grid of " + std::to_string(by.size()) + " dimensions", span,
               "give one for each dimension");
    Expr rank = 0;
    for (std::size_t dim = 0; dim < by.size(); ++dim) {
        if (!grid.periods[dim]) t_.require_inside(all[dim], grid.dims[dim], dim, span);
        rank = rank + (grid.periods[dim] ? symbolic::modulo(all[dim], grid.dims[dim]) : all[dim]) * by[dim];
    }
    return symbolic_value(rank, span);
}

/// Source and destination of a shift: those whose coordinate is so much less and more; nobody beyond an end.
Value ProcessGrids::neighbours(const ProcessGrid& grid, std::int64_t dim, const Expr& by, const Span& span) {
    const auto at = static_cast<std::size_t>(dim);
    if (dim < 0 || at >= grid.dims.size())
        refuse("F004", "a grid of " + std::to_string(grid.dims.size()) + " dimensions has no dimension " + std::to_string(dim),
               span, "count its dimensions from 0");
    const Expr step = steps(grid.dims)[at], here = rank_of(grid);
    const auto neighbour = [&](const Expr& coordinate) {
        const Expr inside = grid.periods[at] ? symbolic::modulo(coordinate, grid.dims[at]) : coordinate;
        const Expr rank = here + (inside - grid.coordinates[at]) * step;
        if (grid.periods[at]) return symbolic_value(rank, span);
        const ExprPtr inside_grid = std::make_shared<const code::Expr>(
            code::Expr{CompareExpr{{CompareOp::Le, CompareOp::Lt},
                                   {make_integer(0, span), ir::to_code(coordinate), ir::to_code(grid.dims[at])}},
                       span});
        return t_.choose(number(inside_grid, {Scalar::Bool, true}), symbolic_value(rank, span), symbolic_value(Expr(kNoRank), span),
                         span);
    };
    return tuple({neighbour(grid.coordinates[at] - by), neighbour(grid.coordinates[at] + by)});
}

Value ProcessGrids::method(const ProcessGrid& grid, const std::string& name, const CallExpr& node, const Span& span) {
    const std::string own = "sluice.comm.Cartcomm." + name;
    if (const CallSignature* signature = signature_of(own)) {
        const Arguments arguments(*signature, node, span);
        Value result;
        if (name == "Sub")
            result = part(grid, arguments.at("remain_dims"));
        else if (name == "Get_coords")
            result = coordinates_of(grid, t_.integer_of(arguments.at("rank")), span);
        else if (name == "Get_cart_rank")
            result = rank_at(grid, arguments.at("coords"), span);
        else if (name == "Shift")
            result = neighbours(grid, t_.constant_integer(arguments, "direction", -1), t_.integer_of(arguments.at("disp")), span);
        else if (name == "MatMult")
            result = product(grid, arguments.at("a"), arguments.at("b"), span);
        else if (name == "Get_dim")
            result = attribute(grid, "ndim", span);
        else if (name == "Get_topo")
            result = tuple({attribute(grid, "dims", span), attribute(grid, "periods", span), attribute(grid, "coords", span)});
        arguments.refuse_unread();
        return result;
    }
    if (name == "Get_rank" || name == "Get_size") {
        Arguments(*signature_of("sluice.comm." + name), node, span).refuse_unread();
        return attribute(grid, name == "Get_rank" ? "rank" : "size", span);
    }
    const CallSignature* signature = signature_of("sluice.comm." + name);
    if (!signature || name == "Create_cart" || name == "Cart_create" || name == "Cart_sub")
        refuse("F006", "a grid of ranks has no method " + name + " in programs", span,
               "docs/targets.md lists the messages that programs may send");
    const Arguments arguments(*signature, node, span);
    const Value result = *Messages(t_, &grid).call("sluice.comm." + name, arguments);
    arguments.refuse_unread();
    return result;
}

}  // namespace sluice::frontend
