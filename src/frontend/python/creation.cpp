// np.zeros and its kin are values like any other: they cost memory only where they are assigned.
#include <algorithm>

#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

/// Whether the container of a number can take the value where it is computed: a number keeps to one container.
bool Translator::number_fits(const std::string& name, const DType& type, const std::vector<Value>& operands) {
    const auto forced = context_.types.find(name);
    if (forced != context_.types.end() && !(forced->second == type)) return false;
    return std::ranges::all_of(storage_[name], [&](const std::string& data) {
        const ir::Container& present = sdfg_.containers.at(data);
        const bool read = std::ranges::any_of(operands, [&](const Value& value) { return refers_to(value, data); });
        return !present.shape.empty() || (present.dtype == type && !read);
    });
}

Value Translator::result_place(const std::string& base, const DType& type, const std::vector<Expr>& shape,
                               const std::vector<Value>& operands) {
    if (hint_ && !hint_->scatter && hint_->shape == shape && hint_->view.dtype == type) {
        bool free = true;
        for (const Value& value : operands)
            for (const auto& [id, operand] : value.operands) free = free && root_of(operand.data) != root_of(hint_->view.data);
        if (free) {
            Value place;
            place.type = {type, false};
            place.shape = shape;
            place.code = make_name(hint_->view.id());
            place.operands.emplace(hint_->view.id(), hint_->view);
            return place;
        }
    }
    if (name_.empty() || integer_locals_.contains(name_) || (shape.empty() && !number_fits(name_, type, operands)))
        return read_container(add_temporary(base, type, shape));
    return read_container(storage_for(name_, type, shape, operands));
}

namespace {

Value filled(ExprPtr code, const Type& type, std::vector<Expr> shape) {
    Value value = number(std::move(code), type);
    value.shape = std::move(shape);
    return value;
}

/// A whole number as a literal of an element type.
ExprPtr whole_number(std::int64_t value, const DType& type, const Span& span) {
    if (code::is_floating(type.scalar) || code::is_complex(type.scalar)) return make_real(static_cast<double>(value), span);
    return type == DType(Scalar::Bool) ? make_boolean(value != 0, span) : make_integer(value, span);
}

}  // namespace

DType Translator::creation_type(const Arguments& arguments, std::size_t position, const DType& otherwise) {
    const ExprPtr e = argument(arguments, position, "dtype");
    if (!e) return otherwise;
    if (const auto type = dtype_of(*e, bindings_)) return *type;
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node); attribute && attribute->name == "dtype")
        return strong(evaluate(attribute->object).type);
    refuse("F005", "this is no element type", e->span, "pass for example np.float32");
}

std::vector<Expr> Translator::creation_shape(const Arguments& arguments, const char* keyword, const Span& span) {
    const ExprPtr e = argument(arguments, 0, keyword);
    if (!e) refuse("F005", "the shape is missing", span, "pass a size or a tuple of sizes");
    return shape_argument(e);
}

/// zeros, ones, empty, full and their _like forms.
std::optional<Value> Translator::call_filled(const std::string& name, const Arguments& arguments, const Span& span) {
    if (name == "numpy.zeros" || name == "numpy.ones") {
        const DType type = creation_type(arguments, 1, Scalar::Float64);
        return filled(whole_number(name == "numpy.ones", type, span), {type, false}, creation_shape(arguments, "shape", span));
    }
    if (name == "numpy.empty" || name == "numpy.ndarray") {
        const DType type = creation_type(arguments, 1, Scalar::Float64);
        return result_place("empty", type, creation_shape(arguments, "shape", span), {});
    }
    if (name == "numpy.zeros_like" || name == "numpy.ones_like" || name == "numpy.empty_like") {
        const Value like = required(arguments, 0, "a", span);
        const DType type = creation_type(arguments, 1, strong(like.type));
        if (name == "numpy.empty_like") return result_place("empty", type, like.shape, {});
        return filled(whole_number(name == "numpy.ones_like", type, span), {type, false}, like.shape);
    }
    if (name == "numpy.full" || name == "numpy.full_like") {
        const Value value = required(arguments, 1, "fill_value", span);
        const std::vector<Expr> sizes =
            name == "numpy.full" ? creation_shape(arguments, "shape", span) : required(arguments, 0, "a", span).shape;
        const DType type =
            creation_type(arguments, 2, name == "numpy.full" ? strong(value.type) : strong(required(arguments, 0, "a", span).type));
        Value result = broadcast_to(value, sizes, span);
        result.type = {type, false};
        return result;
    }
    return std::nullopt;
}

/// eye, arange and linspace: values that follow from their indices.
std::optional<Value> Translator::call_sequence(const std::string& name, const Arguments& arguments, const Span& span) {
    if (name == "numpy.eye" || name == "numpy.identity") {
        const DType type = creation_type(arguments, 3, Scalar::Float64);
        const Expr rows = integer_of(argument(arguments, 0, "N") ? argument(arguments, 0, "N") : make_integer(0));
        const ExprPtr columns = name == "numpy.eye" ? argument(arguments, 1, "M") : nullptr;
        const ExprPtr diagonal = make_compare(make_name(iteration_name(0)), CompareOp::Eq, make_name(iteration_name(1)));
        return filled(make_conditional(diagonal, whole_number(1, type, span), whole_number(0, type, span), span), {type, false},
                      {rows, columns ? integer_of(columns) : rows});
    }
    if (name == "numpy.arange") {
        const std::size_t count = arguments.positional.size();
        if (count == 0 || count > 3) refuse("F005", "arange takes one to three arguments", span, "pass an end, or begin and end");
        std::vector<Expr> bounds;
        for (const ExprPtr& e : arguments.positional) bounds.push_back(integer_of(e));
        const Expr begin = count > 1 ? bounds[0] : Expr(0), end = count > 1 ? bounds[1] : bounds[0];
        const Expr step = count > 2 ? bounds[2] : Expr(1);
        Value result = symbolic_value(begin + step * iteration(0), span);
        result.type = {creation_type(arguments, 3, Scalar::Int64), false};
        result.shape = {symbolic::count({begin, end, step, 1}, assumptions_)};
        return result;
    }
    if (name == "numpy.linspace") {
        const Value begin = required(arguments, 0, "start", span), end = required(arguments, 1, "stop", span);
        const ExprPtr number_argument = argument(arguments, 2, "num");
        const Expr points = number_argument ? integer_of(number_argument) : Expr(50);
        Value position = symbolic_value(iteration(0), span);
        position.shape = {points};
        const Value steps = symbolic_value(points - 1, span);
        const Value width = combine({end, begin, steps}, span, [&](const auto& c) {
            return make_binary(BinaryOp::Div, make_binary(BinaryOp::Sub, c[0], c[1]), c[2], span);
        });
        Value result = combine({begin, position, width}, span, [&](const auto& c) {
            return make_binary(BinaryOp::Add, c[0], make_binary(BinaryOp::Mul, c[1], c[2]), span);
        });
        result.type = {creation_type(arguments, 5, Scalar::Float64), false};
        return result;
    }
    return std::nullopt;
}

/// sluice.define_local and its kin.
std::optional<Value> Translator::call_definition(const std::string& name, const Arguments& arguments, const Span& span) {
    if (name == "sluice.define_local" || name == "sluice.ndarray") {
        const DType type = creation_type(arguments, 1, Scalar::Float64);
        return result_place("local", type, creation_shape(arguments, "dimensions", span), {});
    }
    if (name == "sluice.define_local_scalar") return result_place("local", creation_type(arguments, 0, Scalar::Float64), {}, {});
    if (name == "sluice.define_stream" || name == "sluice.define_streamarray") {
        refuse_flat();
        const bool array = name == "sluice.define_streamarray";
        const DType type = creation_type(arguments, array ? 1 : 0, Scalar::Float64);
        const ExprPtr capacity = argument(arguments, array ? 2 : 1, "buffer_size");
        const std::string stream = fresh_container(name_.empty() ? "stream" : name_);
        std::vector<Expr> sizes{Expr(1)};
        if (array) sizes = creation_shape(arguments, "dimensions", span);
        // DaCe's default capacity of 1 means "some buffer" there: here a stream without a capacity is unbounded.
        ir::add_stream(sdfg_, stream, type, capacity ? integer_of(capacity) : Expr(0), sizes).metadata.where = span;
        Value value;
        value.kind = Value::Kind::Stream;
        value.stream = stream;
        value.shape = sizes;
        value.type = {type, false};
        return value;
    }
    return std::nullopt;
}

std::optional<Value> Translator::call_creation(const std::string& name, const Arguments& arguments, const Span& span) {
    if (name == "numpy.copy" || name == "numpy.array" || name == "numpy.ascontiguousarray") {
        const Value value = required(arguments, 0, "a", span);
        if (!value.is_elements()) unsupported("an array of this value", span, "fill an array element by element");
        const Value place = result_place("copy", creation_type(arguments, 1, strong(value.type)), value.shape, {value});
        assign(target_of(place, span), value, "copy");
        return place;
    }
    if (auto value = call_filled(name, arguments, span)) return value;
    if (auto value = call_sequence(name, arguments, span)) return value;
    return call_definition(name, arguments, span);
}

}  // namespace sluice::frontend
