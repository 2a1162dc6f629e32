// Calls: what a function means is found by its qualified name, whatever the module is called in the source.
#include <algorithm>

#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

ExprPtr Translator::argument(const Arguments& arguments, std::size_t position, const std::string& keyword) {
    for (const Keyword& one : arguments.keywords)
        if (one.name == keyword) return one.value;
    const std::size_t before = arguments.self ? 1 : 0;
    if (position < before) return nullptr;
    return position - before < arguments.positional.size() ? arguments.positional[position - before] : nullptr;
}

Value Translator::required(const Arguments& arguments, std::size_t position, const std::string& keyword, const Span& span) {
    if (position == 0 && arguments.self) return *arguments.self;
    const ExprPtr e = argument(arguments, position, keyword);
    if (!e) refuse("F005", "the argument " + keyword + " is missing", span, "pass it");
    return evaluate(e);
}

bool Translator::flag(const Arguments& arguments, const std::string& keyword) const {
    for (const Keyword& one : arguments.keywords)
        if (one.name == keyword)
            if (const auto value = constant_value(*one.value, bindings_))
                if (const auto* truth = std::get_if<bool>(&value->value)) return *truth;
    return false;
}

namespace {

/// Python's own functions, under the names that the rest of the front end knows.
std::string builtin(const std::string& name) {
    static const std::map<std::string, std::string> kBuiltins{
        {"abs", "numpy.abs"}, {"round", "numpy.rint"}, {"sum", "numpy.sum"},   {"pow", "numpy.power"}, {"len", "len"},
        {"min", "min"},       {"max", "max"},          {"int", "int"},         {"float", "float"},     {"bool", "bool"},
        {"any", "numpy.any"}, {"all", "numpy.all"},    {"complex", "complex"}, {"print", "print"},     {"divmod", "divmod"},
    };
    const auto at = kBuiltins.find(name);
    return at == kBuiltins.end() ? std::string() : at->second;
}

}  // namespace

Value Translator::call(const ExprPtr& e, const CallExpr& node) {
    const Span& span = e->span;
    std::string name = qualified_name(*node.function, bindings_);
    if (const auto plain = std::string(name_of(node.function)); name.empty() && !plain.empty()) {
        if (const auto bound = bindings_.find(plain); bound != bindings_.end()) {
            if (const auto* program = std::get_if<ProgramBinding>(&bound->second))
                return call_program(*program->program, node, span);
        } else if (functions_.contains(plain)) {
            unsupported("a call of the inner function " + plain, span, "make it a @sluice.program of its own");
        } else {
            name = builtin(plain);
        }
    }
    if (const auto type = dtype_of(*node.function, bindings_)) {
        if (node.arguments.size() != 1) refuse("F005", "a conversion takes one argument", span, "pass one value");
        return cast(evaluate(node.arguments[0]), *type, span);
    }
    const Arguments arguments{node.arguments, node.keywords, std::nullopt};
    if (name.empty()) {
        if (const auto* method = std::get_if<AttributeExpr>(&node.function->node)) return call_method(e, node, *method);
        refuse("F006", "the function " + dotted_name(*node.function) + " is not known", span,
               "import it from numpy or math, or make it a @sluice.program");
    }
    if (name == "sluice.reduce") return explicit_reduce(node, span);
    if (name == "print") unsupported("print", span, "return the value and print it outside");
    if (name == "len") {
        const Value value = required(arguments, 0, "obj", span);
        if (value.kind == Value::Kind::Tuple) return integer(static_cast<std::int64_t>(value.elements.size()));
        if (!value.is_elements() || value.rank() == 0) refuse("F005", "len of a number", span, "pass an array");
        return symbolic_value(value.shape[0], span);
    }
    if (name == "min" || name == "max") {
        const std::string function = name == "min" ? "minimum" : "maximum";
        if (node.arguments.size() == 1) return *call_reduction("numpy." + name, arguments, span);
        const std::vector<Value> operands = evaluate_all(node.arguments);
        Value result = operands.at(0);
        for (std::size_t at = 1; at < operands.size(); ++at) result = call_ufunc(function, {result, operands[at]}, span);
        return result;
    }
    if (auto value = call_creation(name, arguments, span)) return *value;
    if (auto value = call_shape_function(name, arguments, span)) return *value;
    if (auto value = call_reduction(name, arguments, span)) return *value;
    if (const Function* function = code::find_function(name)) {
        const std::vector<Value> operands = evaluate_all(node.arguments);
        const ExprPtr out = argument(arguments, operands.size(), "out");
        if (!node.keywords.empty() && !(node.keywords.size() == 1 && out))
            refuse("F005", name + " takes no keyword " + node.keywords[0].name, span, "remove it");
        Value result = call_ufunc(std::string(function->name), operands, span);
        if (!out) return result;
        const Value place = evaluate(out);
        assign(target_of(place, span), result, "call");
        return place;
    }
    refuse("F006", "the function " + dotted_name(*node.function) + " is not known", span,
           "docs/python-subset.md lists the functions that programs may call");
}

Value Translator::call_method(const ExprPtr& e, const CallExpr& node, const AttributeExpr& method) {
    const Value object = evaluate(method.object);
    if (!object.is_elements()) unsupported("a method of this value", e->span, "call methods of arrays");
    const Arguments arguments{node.arguments, node.keywords, object};
    const std::string name = "numpy." + method.name;
    if (method.name == "astype") {
        const ExprPtr wanted = argument(arguments, 1, "dtype");
        const auto type = wanted ? dtype_of(*wanted, bindings_) : std::nullopt;
        if (!type) refuse("F005", "astype needs an element type", e->span, "pass for example np.float32");
        return cast(object, *type, e->span);
    }
    if (method.name == "fill") {
        assign(target_of(object, e->span), required(arguments, 1, "value", e->span), "fill");
        return {Value::Kind::None, {}, {}, {}, {}, {}, {}};
    }
    static const std::set<std::string> kMethods{"sum",     "max",    "min",    "prod", "mean",      "any",
                                                "all",     "argmax", "argmin", "copy", "transpose", "reshape",
                                                "flatten", "ravel",  "dot",    "std",  "var"};
    if (kMethods.contains(method.name)) {
        if (auto value = call_creation(name, arguments, e->span)) return *value;
        if (auto value = call_shape_function(name, arguments, e->span)) return *value;
        if (auto value = call_reduction(name, arguments, e->span)) return *value;
    }
    if (method.name == "conj" || method.name == "conjugate") return call_ufunc("conj", {object}, e->span);
    refuse("F006", "arrays have no method " + method.name + " in programs", e->span,
           "docs/python-subset.md lists the functions that programs may call");
}

Value Translator::call_ufunc(const std::string& canonical, const std::vector<Value>& operands, const Span& span) {
    return combine(operands, span, [&](const std::vector<ExprPtr>& codes) { return make_call(canonical, codes, span); });
}

Value Translator::cast(const Value& value, const DType& type, const Span& span) {
    if (!value.is_elements()) unsupported("a conversion of this value", span, "convert numbers and arrays");
    if (value.type == Type{type, false} && value.rank() == 0) return value;
    const bool integral = code::is_integer(value.type.dtype.scalar) && code::is_integer(type.scalar);
    if (integral && value.is_symbolic() && value.is_scalar()) return value;  // A size stays symbolic.
    Value result = combine({value}, span, [&](const auto& c) { return make_call(code::to_string(type), c, span); });
    result.type = {type, false};
    return result;
}

// ---- shapes -------------------------------------------------------------------------------------------------------------
std::vector<Expr> Translator::shape_argument(const ExprPtr& e) {
    const Value value = evaluate(e);
    std::vector<Expr> shape;
    if (value.kind == Value::Kind::Tuple)
        for (const Value& element : value.elements) shape.push_back(integer_of(element, e->span, "size"));
    else
        shape.push_back(integer_of(value, e->span, "size"));
    return shape;
}

Value Translator::transpose(const Value& value, std::vector<std::int64_t> axes, const Span& span) {
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

Value Translator::reshape(const Value& value, std::vector<Expr> shape, const Span& span) {
    Expr total = 1, known = 1;
    std::optional<std::size_t> open;
    for (const Expr& extent : value.shape) total = total * extent;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        if (shape[dim].is_integer(-1)) {
            if (open) refuse("F005", "reshape can derive one size only", span, "give the other sizes");
            open = dim;
        } else {
            known = known * shape[dim];
        }
    }
    if (open) shape[*open] = symbolic::floor_divide(total, known);
    if (!open && symbolic::is_no(symbolic::decide(symbolic::equal(total, known), assumptions_)))
        refuse("F004", "cannot reshape " + symbolic::to_string(total) + " elements into " + symbolic::to_string(known), span,
               "keep the number of elements");
    if (shape == value.shape) return value;
    const Value base = materialise(value, "reshaped");
    const std::string data = as_view(base)->data;
    refuse_flat();
    need_container(data);
    // One view for one shape: names that are bound to it mean the same.
    for (const auto& [view, viewed] : view_of_)
        if (viewed == data && container(view).shape == shape && container(view).dtype == strong(base.type))
            return read_container(view);
    const std::string name = fresh_container(data + "_view");
    std::set<std::string> symbols;
    for (const Expr& extent : shape) symbols.merge(symbolic::free_symbols(extent));
    need_symbols(symbols);
    ir::add_view(sdfg_, name, strong(base.type), shape).metadata.where = span;
    view_of_[name] = data;
    return read_container(name);
}

std::optional<Value> Translator::call_shape_function(const std::string& name, const Arguments& arguments, const Span& span) {
    if (name == "numpy.transpose") {
        const Value value = required(arguments, 0, "a", span);
        std::vector<std::int64_t> axes;
        if (const ExprPtr given = argument(arguments, 1, "axes")) {
            if (arguments.self && arguments.positional.size() > 1) {
                for (const ExprPtr& one : arguments.positional)
                    for (const std::int64_t axis : axes_of(one, value.rank())) axes.push_back(axis);
            } else {
                axes = axes_of(given, value.rank());
            }
        }
        return transpose(value, axes, span);
    }
    if (name == "numpy.reshape") {
        const Value value = required(arguments, 0, "a", span);
        std::vector<Expr> shape;
        if (arguments.self && arguments.positional.size() > 1)
            for (const ExprPtr& one : arguments.positional) shape.push_back(integer_of(one));
        else if (const ExprPtr given = argument(arguments, 1, "newshape"))
            shape = shape_argument(given);
        else
            refuse("F005", "reshape needs a shape", span, "pass it");
        return reshape(value, shape, span);
    }
    if (name == "numpy.ravel" || name == "numpy.flatten") {
        const Value value = required(arguments, 0, "a", span);
        if (name == "numpy.ravel") return reshape(value, {Expr(-1)}, span);
        const Value copy = result_place("flat", strong(value.type), value.shape, {value});
        assign(target_of(copy, span), value, "flat");
        return reshape(copy, {Expr(-1)}, span);
    }
    if (name == "numpy.dot" || name == "numpy.matmul")
        return product(required(arguments, 0, "a", span), required(arguments, 1, "b", span), span);
    if (name == "numpy.outer") {
        Value left = reshape(required(arguments, 0, "a", span), {Expr(-1)}, span);
        const Value right = reshape(required(arguments, 1, "b", span), {Expr(-1)}, span);
        left = substitute(left, {{iteration_name(0), iteration(1)}});
        left.shape.emplace_back(1);
        return call_ufunc("multiply", {left, right}, span);
    }
    return std::nullopt;
}

}  // namespace sluice::frontend
