// Elements of arrays put together anew: at places that an array holds, and arrays one behind the other.

#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

/// The elements of `base` at indices along some dimensions, whose dimensions stand behind `place` others.
Value ArrayProgram::gather(const Value& base, const std::map<std::size_t, Value>& indices, std::size_t place, const Span& span) {
    std::vector<std::vector<Expr>> shapes;
    for (const auto& [dim, position] : indices) shapes.push_back(position.shape);
    const std::vector<Expr> joint = broadcast(shapes, span);
    const std::size_t rank = base.rank() - indices.size() + joint.size(), behind = rank - place - joint.size();
    Value result;
    symbolic::Substitution moved_base, moved_index;
    for (std::size_t dim = 0; dim < base.rank(); ++dim) {
        if (indices.contains(dim)) continue;
        if (result.shape.size() == place) result.shape.insert(result.shape.end(), joint.begin(), joint.end());
        moved_base.emplace(iteration_of(dim, base.rank()).name(), iteration_of(result.shape.size(), rank));
        result.shape.push_back(base.shape[dim]);
    }
    if (result.shape.size() == place) result.shape.insert(result.shape.end(), joint.begin(), joint.end());
    for (std::size_t r = 0; r < joint.size(); ++r) moved_index.emplace(iteration_name(r), iteration(r + behind));
    std::map<std::string, ExprPtr> computed;
    std::map<std::string, Operand> operands;
    for (const auto& [dim, given] : indices) {
        const Value position = substitute(broadcast_to(given, joint, span), moved_index);
        ExprPtr code = position.code;
        if (code::is_signed(given.type.dtype.scalar) && !given.natural)
            code = make_conditional(make_compare(code, CompareOp::Lt, make_integer(0)),
                                    make_binary(BinaryOp::Add, code, ir::to_code(base.shape[dim])), code);
        computed.emplace(iteration_of(dim, base.rank()).name(), code);
        operands.insert(position.operands.begin(), position.operands.end());
    }
    std::vector<Expr> shape = std::move(result.shape);
    result = substitute_dynamic(base, moved_base, computed, operands);
    result.shape = std::move(shape);
    check(result.rank() == rank, "a gathered value has the wrong rank");
    result.copied = true;
    result.read_only = false;
    return result;
}

/// The arrays one behind the other along an axis, in an array of their own.
Value ArrayProgram::joined(const std::vector<Value>& values, std::size_t axis, const Span& span) {
    Type type{DType(Scalar::Bool), true};
    Expr total = 0;
    for (const Value& value : values) {
        if (!value.is_elements() || value.rank() == 0 || value.rank() != values[0].rank())
            refuse("F004", "all the input arrays must have the same number of dimensions, one at least", span,
                   "give them the same number of dimensions");
        type = code::promote(type, Type{value.type.dtype, false});
        total = total + value.shape[axis];
    }
    std::vector<Expr> shape = values[0].shape;
    for (const Value& value : values)
        for (std::size_t dim = 0; dim < shape.size(); ++dim)
            if (dim != axis)
                require_equal(shape[dim], value.shape[dim], "the arrays agree in all dimensions but the one they are joined along",
                              span);
    shape[axis] = total;
    const Value place = result_place("joined", type.dtype, shape, values);
    Expr begin = 0;
    for (const Value& value : values) {
        Value part = substitute(place, {{iteration_of(axis, shape.size()).name(), iteration_of(axis, shape.size()) + begin}});
        part.shape = shape;
        part.shape[axis] = value.shape[axis];
        Value fitted = value;
        for (std::size_t dim = 0; dim < shape.size(); ++dim)
            if (dim != axis) fitted.shape[dim] = shape[dim];
        assign(target_of(part, span), fitted, "join");
        begin = begin + value.shape[axis];
    }
    return place;
}
}  // namespace sluice::frontend
