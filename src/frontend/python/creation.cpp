// np.zeros and its kin are values like any other: they cost memory only where they are assigned.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/lists.h"
#include "frontend/python/overflow.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

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

DType Translator::creation_type(const Arguments& arguments, const DType& otherwise) {
    const ExprPtr e = arguments.find("dtype");
    return e ? element_type(e) : otherwise;
}

/// `np.float32`, `x.dtype`, `np.result_type(a, b)`.
DType Translator::element_type(const ExprPtr& e) {
    if (const auto type = dtype_of(*e, bindings_)) return *type;
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node); attribute && attribute->name == "dtype")
        return strong(as_array(evaluate(attribute->object), e->span).type);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const std::string function = call && call->keywords.empty() ? qualified_name(*call->function, bindings_) : std::string();
    if (function == "numpy.result_type") {
        Type joint{DType(Scalar::Bool), true};
        for (const ExprPtr& one : call->arguments) {
            const auto type = dtype_of(*one, bindings_);
            joint = code::promote(joint, type ? Type{*type, false} : as_array(evaluate(one), one->span).type);
        }
        return joint.dtype;
    }
    if (function == "numpy._one_type" &&
        call->arguments.size() == 1) {  // The prelude's, of what a function of the program's gives.
        const Value value = evaluate(call->arguments[0]);
        const DType type = strong(as_array(value, e->span).type);
        for (const Type& other : value.other_types)
            if (!(other.dtype == type))
                refuse("F015", "the type of the result depends on the path that the function takes", prelude_call_,
                       "return numbers of one type: 0.0 beside other floats");
        return type;
    }
    if (function == "numpy._sum_type" && call->arguments.size() == 1)  // The prelude's word for the type that sums have.
        return accumulator("sum", strong(as_array(evaluate(call->arguments[0]), e->span).type));
    refuse("F005", "this is no element type", e->span, "pass for example np.float32");
}

/// `np.finfo(float).eps`, `np.iinfo(x.dtype).max`; nullopt for other attributes.
std::optional<Value> Translator::limit_of_type(const AttributeExpr& node, const Span& span) {
    const auto* call = std::get_if<CallExpr>(&node.object->node);
    const std::string function =
        call && call->keywords.empty() && call->arguments.size() == 1 ? qualified_name(*call->function, bindings_) : std::string();
    if (function != "numpy.finfo" && function != "numpy.iinfo") return std::nullopt;
    const DType type = element_type(call->arguments[0]);
    if (function == "numpy.iinfo") {
        if (!code::is_integer(type.scalar)) refuse("F005", "iinfo is for integers", span, "use np.finfo");
        const std::int64_t bits = 8 * static_cast<std::int64_t>(code::size_in_bytes(type));
        const bool is_signed = code::is_signed(type.scalar);
        if (node.name == "bits") return integer(bits);
        if (node.name == "min")
            return integer(!is_signed   ? 0
                           : bits == 64 ? std::numeric_limits<std::int64_t>::min()
                                        : -(std::int64_t(1) << (bits - 1)));
        if (node.name == "max" && (is_signed || bits < 64))
            return integer(bits == 64 ? std::numeric_limits<std::int64_t>::max()
                                      : (std::int64_t(1) << (is_signed ? bits - 1 : bits)) - 1);
        refuse("F006", "this limit of an integer type is not known to programs", span, "write the number");
    }
    const bool single = type == DType(Scalar::Float32) || type == DType(Scalar::Complex64);
    if (!single && !(type == DType(Scalar::Float64)) && !(type == DType(Scalar::Complex128)))
        refuse("F005", "finfo is for float32 and float64", span, "use np.iinfo for integers");
    const auto limit = [&](auto of) -> std::optional<double> {
        using Limits = std::numeric_limits<decltype(of)>;
        if (node.name == "eps") return Limits::epsilon();
        if (node.name == "max") return Limits::max();
        if (node.name == "min") return Limits::lowest();
        if (node.name == "tiny" || node.name == "smallest_normal") return Limits::min();
        return std::nullopt;
    };
    const auto value = single ? limit(float{}) : limit(double{});
    if (!value) refuse("F006", "finfo has no " + node.name + " in programs", span, "known: eps, max, min, tiny");
    return number(make_real(*value, span), {single ? DType(Scalar::Float32) : DType(Scalar::Float64), false});
}

/// An array whose elements have these distances in memory: a view of a line, from its first element on.
Value Translator::laid_out(const DType& type, const std::vector<Expr>& shape, const ExprPtr& given) {
    const std::vector<Expr> strides = shape_argument(given);
    if (strides.size() != shape.size())
        refuse("F005", "an array has one stride for each dimension", given->span, "give as many as sizes");
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    const auto surely_less_equal = [&](const Expr& a, const Expr& b) {
        return symbolic::is_yes(symbolic::decide(symbolic::less_equal(a, b), assumptions_));
    };
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return !surely_less_equal(strides[b], strides[a]); });
    Expr last = 0, place = 0, least = 1;
    for (const std::size_t dim : order) {
        if (!surely_less_equal(least, strides[dim]))
            refuse(
                "F005",
                "the strides " + symbolic::to_string(least) + " and " + symbolic::to_string(strides[dim]) + " let elements overlap",
                given->span, "keep a stride at least as large as the rows inside of it");
        last = last + strides[dim] * (shape[dim] - 1);
        place = place + strides[dim] * iteration_of(dim, shape.size());
        least = strides[dim] * shape[dim];
    }
    const std::string line = add_temporary("laid_out", type, {symbolic::maximum(last + 1, Expr(1))});
    context_.laid_out.insert(line);
    Value result = substitute(read_container(line), {{iteration_name(0), place}});
    result.shape = shape;
    return result;
}

/// zeros, ones, empty, full and their _like forms.
std::optional<Value> Translator::call_filled(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    if (name == "numpy.zeros" || name == "numpy.ones") {
        const DType type = creation_type(arguments, Scalar::Float64);
        return filled(whole_number(name == "numpy.ones", type, span), {type, false}, new_shape(arguments.at("shape")));
    }
    if (const ExprPtr strides = name == "sluice.ndarray" ? arguments.find("strides") : nullptr)
        return laid_out(creation_type(arguments, Scalar::Float64), new_shape(arguments.at("shape")), strides);
    if (name == "numpy.empty" || name == "numpy.ndarray" || name == "sluice.ndarray")
        return result_place("empty", creation_type(arguments, Scalar::Float64), new_shape(arguments.at("shape")), {});
    const bool like = name.ends_with("_like");
    if (!like && name != "numpy.full") return std::nullopt;
    std::optional<Value> model;
    if (like) model = as_array(value_of(arguments, "a"), span);
    const ExprPtr given = arguments.find("shape");
    const std::vector<Expr> shape = given ? new_shape(given) : model->shape;
    if (name.starts_with("numpy.full")) {
        const Value value = value_of(arguments, "fill_value");
        const DType type = creation_type(arguments, strong(model ? model->type : value.type));
        Overflow(*this).require_fits(value, type, span);
        return cast(broadcast_to(value, shape, span), type, span);
    }
    const DType type = creation_type(arguments, strong(model->type));
    if (name == "numpy.empty_like") return result_place("empty", type, shape, {});
    return filled(whole_number(name == "numpy.ones_like", type, span), {type, false}, shape);
}

/// eye, arange and linspace: values that follow from their indices.
std::optional<Value> Translator::call_sequence(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    if (name == "numpy.eye" || name == "numpy.identity") {
        const DType type = creation_type(arguments, Scalar::Float64);
        const bool eye = name == "numpy.eye";
        const Expr rows = new_shape(arguments.at(eye ? "N" : "n"))[0];
        const ExprPtr columns = eye ? arguments.find("M") : nullptr, moved = eye ? arguments.find("k") : nullptr;
        const Expr offset = moved ? integer_of(moved) : Expr(0);
        const ExprPtr diagonal = make_compare(ir::to_code(iteration(0)), CompareOp::Eq, ir::to_code(iteration(1) + offset));
        return filled(make_conditional(diagonal, whole_number(1, type, span), whole_number(0, type, span), span), {type, false},
                      {rows, columns ? new_shape(columns)[0] : rows});
    }
    if (name == "numpy.arange") {
        const ExprPtr first = arguments.at("start"), second = arguments.find("stop"), third = arguments.find("step");
        std::vector<Value> given = evaluate_all(second ? std::vector{first, second} : std::vector{make_integer(0, span), first});
        given.push_back(third ? evaluate(third) : integer(1));
        for (const Value& one : given) refuse_array_truth(one, span);
        if (std::ranges::any_of(given, [](const Value& one) { return code::is_floating(one.type.dtype.scalar); }))
            return real_arange(given, arguments);
        const Expr begin = second ? integer_of(first) : Expr(0), end = integer_of(second ? second : first);
        const Expr step = third ? integer_of(third) : Expr(1);
        Value result = symbolic_value(begin + step * iteration(0), span);
        result.type = {Scalar::Int64, false};
        result.shape = {symbolic::count({begin, end, step, 1}, assumptions_)};
        return cast(result, creation_type(arguments, Scalar::Int64), span);
    }
    if (name == "numpy.linspace") return linspace(arguments);
    return std::nullopt;
}

/// As NumPy computes it: ceil((stop - start) / step) numbers start + i * ((start + step) - start), both ends converted first.
Value Translator::real_arange(const std::vector<Value>& given, const Arguments& arguments) {
    const Span& span = arguments.span();
    Type joint{DType(Scalar::Bool), true};
    for (const Value& one : given) joint = code::promote(joint, one.type);
    const DType type = creation_type(arguments, joint.dtype);
    if (!code::is_floating(type.scalar) && !code::is_integer(type.scalar))
        refuse("F005", "an arange of this type between real numbers", span, "convert the result: x.astype(...)");
    const auto computed = [&](const std::vector<Value>& of, const auto& build) { return combine(of, span, build); };
    const Value wide[] = {cast(given[0], Scalar::Float64, span), cast(given[1], Scalar::Float64, span),
                          cast(given[2], Scalar::Float64, span)};
    // What is no number, or too large, is -1.
    const Value quotient = computed({wide[0], wide[1], wide[2]}, [&](const auto& c) {
        return make_binary(BinaryOp::Div, make_binary(BinaryOp::Sub, c[1], c[0], span), c[2], span);
    });
    const Value length = computed({quotient}, [&](const auto& c) {
        const ExprPtr fits = make_compare(c[0], CompareOp::Lt, make_real(9007199254740992.0, span), span);
        const ExprPtr whole = make_call("ceil", {make_call("maximum", {c[0], make_real(0.0, span)}, span)}, span);
        return make_call("int64", {make_conditional(fits, whole, make_real(-1.0, span), span)}, span);
    });
    const auto constant = [&](std::size_t at) {
        const auto number = constant_value(*given[at].code, bindings_);
        return number && number->value.index() == 2   ? std::optional(std::get<double>(number->value))
               : number && number->value.index() == 1 ? std::optional(static_cast<double>(std::get<std::int64_t>(number->value)))
                                                      : std::nullopt;
    };
    const auto start = constant(0), stop = constant(1), step = constant(2);
    Expr size = 0;
    if (start && stop && step && *step != 0)
        size = static_cast<std::int64_t>(std::max(0.0, std::ceil((*stop - *start) / *step)));
    else
        size = integer_of(length, span, "length");
    require_not_negative(size, "Maximum allowed size exceeded", span);
    Value position = symbolic_value(iteration(0), span);
    position.shape = {size};
    position.type = {type, false};
    position.code = make_call(code::to_string(type), {position.code}, span);
    const Value begin = cast(wide[0], type, span);
    const Value next = cast(binary(BinaryOp::Add, wide[0], wide[2], span), type, span);
    return computed({begin, position, next}, [&](const auto& c) {
        const ExprPtr width = make_binary(BinaryOp::Sub, c[2], c[0], span);
        return make_binary(BinaryOp::Add, c[0], make_binary(BinaryOp::Mul, c[1], width, span), span);
    });
}

Value Translator::linspace(const Arguments& arguments) {
    const Span& span = arguments.span();
    const Value begin = value_of(arguments, "start"), end = value_of(arguments, "stop");
    const auto is_number = [](const Value& value) { return value.is_elements() && value.rank() == 0; };
    if (!is_number(begin) || !is_number(end) || flag(arguments, "retstep", false)) {
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        bind("__start", begin);
        bind("__stop", end);
        CallExpr general{
            make_attribute(make_name("__numpy", span), "_linspace", span), {make_name("__start"), make_name("__stop")}, {}};
        for (const char* name : {"num", "endpoint", "retstep", "dtype", "axis"})
            if (const ExprPtr given = arguments.find(name)) general.keywords.push_back(Keyword{name, given});
        return evaluate(std::make_shared<const code::Expr>(code::Expr{std::move(general), span}));
    }
    const ExprPtr count = arguments.find("num");
    const Expr points = count ? new_shape(count)[0] : Expr(50);
    const bool endpoint = flag(arguments, "endpoint", true);
    const Expr parts = endpoint ? points - 1 : points;
    const DType type = creation_type(arguments, Scalar::Float64);
    Value position = symbolic_value(iteration(0), span);
    position.shape = {points};
    const Value steps = symbolic_value(parts, span);
    // As NumPy computes it: start + i * ((stop - start) / steps), and the end itself at the end.
    Value result = combine({begin, end, position, steps}, span, [&](const auto& c) {
        const ExprPtr width = make_binary(BinaryOp::Div, make_binary(BinaryOp::Sub, c[1], c[0]), c[3], span);
        return make_binary(BinaryOp::Add, c[0], make_binary(BinaryOp::Mul, c[2], width), span);
    });
    if (endpoint && !points.is_integer(1))
        result = combine({position, steps, end, begin, result}, span, [&](const auto& c) {
            const ExprPtr last = make_compare(c[0], CompareOp::Eq, c[1], span);
            return make_conditional(last, make_conditional(make_compare(c[1], CompareOp::Eq, make_integer(0)), c[3], c[2], span),
                                    c[4], span);
        });
    else if (endpoint)
        result = broadcast_to(begin, {Expr(1)}, span);
    return cast(result, type, span);
}

namespace {

/// `sluice.StorageType.CPU_Heap` and its kin.
ir::Storage storage_named(const ExprPtr& e, const Bindings& bindings) {
    const std::string name = qualified_name(*e, bindings);
    const auto storage = ir::parse_enum<ir::Storage>(name.substr(name.rfind('.') + 1));
    if (!storage) refuse("F005", "this is no storage", e->span, "use for example sluice.StorageType.CPU_Heap");
    return *storage;
}

}  // namespace

/// `np.ones(N) @ sluice.StorageType.CPU_ThreadLocal`: an array of its own, which lies there.
Value Translator::in_storage(const BinaryExpr& n, const Span& span) {
    const Value value = evaluate(n.left);
    if (!value.is_elements() || !value.list.empty()) unsupported("a storage of this value", span, "give arrays one");
    const Restored hint(hint_, {});
    const Value place = result_place("stored", strong(value.type), value.shape, {value});
    sdfg_.containers.at(as_view(place)->data).storage = storage_named(n.right, bindings_);
    assign(target_of(place, span), value, "store");
    return place;
}

namespace {

/// A list or dictionary, and what it holds, as one of the caller's.
void mark_given(Value& value) {
    value.objects = {kGivenObject};
    for (Value& element : value.elements) mark_given(element);
}

}  // namespace

/// sluice.define_local and its kin.
std::optional<Value> Translator::call_definition(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    if (name == "sluice.explicit.given") {
        Value collection = value_of(arguments, "collection");
        mark_given(collection);
        return collection;
    }
    if (name == "numpy.random._generator" || name == "sluice.explicit.generator") {
        Value generator;
        generator.kind = Value::Kind::Generator;
        generator.stream = as_view(evaluate(arguments.at("state")))->data;
        return generator;
    }
    if (name == "sluice.define_local" || name == "sluice.define_local_scalar") {
        const bool array = name == "sluice.define_local";
        if (!array && !name_.empty()) context_.types.try_emplace(name_, creation_type(arguments, Scalar::Float64));
        const std::vector<Expr> shape = array ? new_shape(arguments.at("dimensions")) : std::vector<Expr>();
        const Value local = result_place("local", creation_type(arguments, Scalar::Float64), shape, {});
        if (const ExprPtr storage = arguments.find("storage"))
            sdfg_.containers.at(as_view(local)->data).storage = storage_named(storage, bindings_);
        return local;
    }
    if (name != "sluice.define_stream" && name != "sluice.define_streamarray") return std::nullopt;
    refuse_flat();
    const bool array = name == "sluice.define_streamarray";
    const DType type = creation_type(arguments, Scalar::Float64);
    const ExprPtr capacity = arguments.find("buffer_size");
    const std::string stream = fresh_container(name_.empty() ? "stream" : name_);
    std::vector<Expr> sizes{Expr(1)};
    if (array) sizes = new_shape(arguments.at("dimensions"));
    // DaCe's default capacity of 1 means "some buffer" there: here a stream without a capacity is unbounded.
    ir::add_stream(sdfg_, stream, type, capacity ? integer_of(capacity) : Expr(0), sizes).metadata.where = span;
    Value value;
    value.kind = Value::Kind::Stream;
    value.stream = stream;
    value.shape = sizes;
    value.type = {type, false};
    return value;
}

namespace {

/// The shape and the type of the array that a list of lists of values is.
void measure(const Value& value, std::vector<Expr>& shape, Type& type, const std::function<bool(const Expr&, const Expr&)>& equal,
             const Span& span) {
    if (value.kind != Value::Kind::Tuple) {
        if (!value.is_elements()) unsupported("an array of this value", span, "use numbers and arrays");
        shape = value.shape;
        type = code::promote(type, Type{value.type.dtype, false});
        return;
    }
    shape = {Expr(static_cast<std::int64_t>(value.elements.size()))};
    for (std::size_t at = 0; at < value.elements.size(); ++at) {
        std::vector<Expr> inner;
        measure(value.elements[at], inner, type, equal, span);
        if (at == 0) shape.insert(shape.end(), inner.begin(), inner.end());
        if (!std::ranges::equal(inner, std::span(shape).subspan(1), equal))
            refuse("F004", "setting an array element with a sequence: the rows have different shapes", span,
                   "give all rows the same length");
    }
}

}  // namespace

/// A list of numbers, of arrays of one shape, or of such lists as an array; any other value as it is.
Value Translator::as_array(const Value& value, const Span& span, const std::optional<DType>& wanted) {
    if (!value.list.empty()) return Lists(*this).array(value, wanted.has_value(), span);
    if (value.kind != Value::Kind::Tuple) return value;
    std::vector<Expr> shape;
    Type type{DType(Scalar::Bool), true};
    measure(
        value, shape, type, [&](const Expr& a, const Expr& b) { return same_size(a, b); }, span);
    if (std::ranges::any_of(shape, [](const Expr& extent) { return extent.is_integer(0); })) type.dtype = Scalar::Float64;
    Value place = result_place("array", wanted.value_or(type.dtype), shape, {value});
    Plan plan;
    std::vector<Value> numbers;  ///< Of which the path decides the type, and the array's.
    const std::function<void(const Value&, const Value&)> fill = [&](const Value& part, const Value& with) {
        if (with.kind != Value::Kind::Tuple) {
            if (with.is_scalar()) numbers.push_back(with);
            Overflow(*this).require_stored(with, wanted.value_or(type.dtype), span, Overflow::Floats::All);
            const Plan one = elementwise_plan(target_of(part, span), with, "array");
            plan.insert(plan.end(), one.begin(), one.end());
            return;
        }
        for (std::size_t at = 0; at < with.elements.size(); ++at) {
            const auto position = static_cast<std::int64_t>(at);
            Value row = substitute(part, {{iteration_of(0, part.rank()).name(), Expr(position)}});
            row.shape.assign(part.shape.begin() + 1, part.shape.end());
            fill(row, with.elements[at]);
        }
    };
    fill(place, value);
    emit_state("array", std::move(plan));
    if (!wanted && std::ranges::any_of(numbers, [](const Value& one) { return !one.other_types.empty(); })) {
        const Value joint = combine(numbers, span, [&](const auto& c) {
            ExprPtr sum = c[0];
            for (std::size_t at = 1; at < c.size(); ++at) sum = make_binary(BinaryOp::Add, sum, c[at], span);
            return sum;
        });
        for (const Type& one : joint.other_types)
            if (!(strong(one) == type.dtype)) add_types_of(place, number(make_integer(0), {strong(one), false}));
        if (!place.other_types.empty()) place.type_sources = joint.type_sources;
    }
    return place;
}

std::optional<Value> Translator::call_creation(const std::string& name, const Arguments& arguments) {
    if (name == "numpy.copy" || name == "numpy.array" || name == "numpy.ascontiguousarray" || name == "numpy.asarray") {
        const Span& span = arguments.span();
        const Value given = arguments.self ? *arguments.self : value_of(arguments, name == "numpy.array" ? "object" : "a");
        if (given.kind == Value::Kind::Tuple)
            return as_array(given, span,
                            arguments.find("dtype") ? std::optional(creation_type(arguments, Scalar::Float64)) : std::nullopt);
        const Value value = given.list.empty() ? given : Lists(*this).array(given, arguments.find("dtype") != nullptr, span);
        if (!value.is_elements()) unsupported("an array of this value", span, "fill an array element by element");
        const DType type = creation_type(arguments, strong(value.type));
        if (name == "numpy.asarray" && given.list.empty() && type == strong(value.type) && value.rank() > 0) return value;
        Value place = result_place("copy", type, value.shape, {value});
        Overflow(*this).require_stored(value, type, span, Overflow::Floats::Pythons);
        assign(target_of(place, span), value, "copy");
        place.of_rank_0 = place.rank() == 0 && name != "numpy.ascontiguousarray";
        return place;
    }
    if (auto value = call_filled(name, arguments)) {
        value->of_rank_0 = value->is_scalar();
        return value;
    }
    if (auto value = call_sequence(name, arguments)) return value;
    return call_definition(name, arguments);
}
}  // namespace sluice::frontend
