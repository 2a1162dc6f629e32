// Arrays in another shape: the same elements where NumPy has a view of them, else a copy.
#pragma once

#include <optional>
#include <vector>

#include "frontend/array/array_program.h"

namespace sluice::frontend {

class Reshape {
public:
    explicit Reshape(ArrayProgram& program) : t_(program) {}

    /// `numpy.reshape(value, shape)`; one extent may be -1.
    Value of(const Value& value, std::vector<Expr> shape, const Span& span);
    /// `numpy.ravel(value)`: a view where the elements follow each other in memory.
    Value ravel(const Value& value, const Span& span);
    /// `value.view(type)`: the same memory as elements of another type. Refuses what NumPy has no view of (F004), or we have none
    /// of (F001).
    Value in_type(const Value& value, const code::DType& type, const Span& span);
    /// All windows of these sizes along axes, with a dimension for each behind the others: a view, whose windows share elements.
    Value windows(const Value& value, const std::vector<Expr>& sizes, const std::vector<std::int64_t>& axes, const Span& span);
    /// Whether its elements may follow each other in memory in C order.
    bool may_be_in_order(const Value& value) const;
    /// All elements of a container in their order.
    bool is_whole(const Value& value) const;
    /// The value gets a name or is written: it must be sure whether it is a copy. Refuses, or checks it when the program runs.
    void settle(Value& value, const Span& span);

private:
    /// Where the elements of a view lie in the memory of its container: the first, and the distance along each dimension.
    struct Layout {
        Expr begin;
        std::vector<Expr> strides;
    };
    using Pairs = std::vector<std::pair<Expr, Expr>>;
    enum class Sharing { View, Copy, CopyIfApart, Unknown };

    std::optional<Layout> layout_of(const Value& value) const;
    Sharing sharing(const Value& value, const Layout& layout, const std::vector<Expr>& shape, Pairs& apart) const;
    std::vector<Expr> complete(const Value& value, std::vector<Expr> shape, const Span& span);
    Value view(const Value& value, const Layout& layout, const std::vector<Expr>& shape, const Span& span);
    Value of_container(const std::string& data, const std::vector<Expr>& shape, const code::DType& type, const Span& span);
    Value shaped(const Value& value, const std::vector<Expr>& shape, bool only_contiguous, const Span& span);
    Value copy(const Value& value, const std::vector<Expr>& shape, const Span& span);

    ArrayProgram& t_;
};

}  // namespace sluice::frontend
