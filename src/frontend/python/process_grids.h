// Grids of ranks: `grid = comm.Create_cart((Px, Py))`, `row = grid.Sub((False, True))`, in mpi4py's names and DaCe's. A grid is
// known where the program is translated, but for its sizes: numbers of ranks are arithmetic, and a message in a grid is a message
// among a group (ir/messages.h).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "frontend/python/translator.h"
#include "ir/dataflow.h"

namespace sluice::frontend {

class ProcessGrids {
public:
    explicit ProcessGrids(Translator& translator) : t_(translator) {}
    /// `comm.Create_cart(dims, periods)`, `comm.Cart_create(dims)`, `comm.Cart_sub(grid, remain_dims)`, `distr.MatMult(A, B,
    /// shape)`; nothing for other names.
    std::optional<Value> call(const std::string& name, const Arguments& arguments);
    /// `grid.rank`, `size`, `dims`, `coords`, `periods`, `ndim`.
    Value attribute(const ProcessGrid& grid, const std::string& name, const Span& span);
    /// `grid.Sub(...)`, `grid.Shift(0, 1)`, ..., and messages: `grid.Bcast(A)`.
    Value method(const ProcessGrid& grid, const std::string& name, const code::CallExpr& node, const Span& span);

    /// Its rank by its number in the grid.
    static Expr rank_of(const ProcessGrid& grid);
    static Expr size_of(const ProcessGrid& grid);
    /// The properties of a message among its ranks.
    static std::map<std::string, ir::Property> group(const ProcessGrid& grid, const Span& span);

private:
    void place_in_world(ProcessGrid& grid, const Span& span);
    Value created(const Arguments& arguments);
    Value product(const ProcessGrid& grid, const code::ExprPtr& a, const code::ExprPtr& b, const Span& span);
    Value product_of_shape(const Arguments& arguments);
    Value part(const ProcessGrid& grid, const code::ExprPtr& kept);
    Value coordinates_of(const ProcessGrid& grid, const Expr& rank, const Span& span);
    Value rank_at(const ProcessGrid& grid, const code::ExprPtr& coordinates, const Span& span);
    Value neighbours(const ProcessGrid& grid, std::int64_t dim, const Expr& by, const Span& span);
    std::vector<bool> truths(const code::ExprPtr& e, std::size_t count);

    Translator& t_;
};

}  // namespace sluice::frontend
