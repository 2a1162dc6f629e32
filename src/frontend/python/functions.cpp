// Calls: what a function means is found by its qualified name, whatever the module is called in the source.
#include <algorithm>

#include "code/displays.h"
#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/reshape.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/bounds.h"
#include "frontend/python/caught.h"
#include "frontend/python/collections.h"
#include "frontend/python/domain.h"
#include "frontend/python/function_values.h"
#include "frontend/python/graph_calls.h"
#include "frontend/python/heap.h"
#include "frontend/python/inlining.h"
#include "frontend/python/legacy_random.h"
#include "frontend/python/lists.h"
#include "frontend/python/messages.h"
#include "frontend/python/mutations.h"
#include "frontend/python/objects.h"
#include "frontend/python/overflow.h"
#include "frontend/python/prelude.h"
#include "frontend/python/process_grids.h"
#include "frontend/python/sizes.h"
#include "frontend/python/tables.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// `float('-inf')`: what has no literal of its own.
ExprPtr real_of_text(std::string text, const Span& span) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.erase(0, 1);
    if (text != "inf" && text != "infinity" && text != "nan") return nullptr;
    const ExprPtr value = make_name(text == "nan" ? "nan" : "inf", span);
    return negative ? make_unary(UnaryOp::Minus, value, span) : value;
}

}  // namespace

Value Translator::value_of(const Arguments& arguments, const std::string& name) {
    return evaluate(arguments.at(name));
}

/// The same for an array: a list or tuple of numbers and arrays is one.
Value Translator::array_of(const Arguments& arguments, const std::string& name) {
    return arguments.self ? *arguments.self : as_array(value_of(arguments, name), arguments.at(name)->span);
}

bool Translator::flag(const Arguments& arguments, const std::string& name, bool otherwise) const {
    const ExprPtr e = arguments.find(name);
    if (!e) return otherwise;
    if (const auto value = constant_value(*e, bindings_))
        if (const auto* truth = std::get_if<bool>(&value->value)) return *truth;
    refuse("F005", name + " must be True or False", e->span, "write the constant");
}

std::int64_t Translator::constant_integer(const Arguments& arguments, const std::string& name, std::int64_t otherwise) {
    const ExprPtr e = arguments.find(name);
    if (!e) return otherwise;
    if (const auto known = known_integer(e)) return *known;
    refuse("F005", name + " must be a constant integer", e->span, "write the number");
}

/// An integer that shapes and constants decide.
std::optional<std::int64_t> Translator::known_integer(const ExprPtr& e) {
    if (const auto value = constant_value(*e, bindings_)) {
        const auto* integer = std::get_if<std::int64_t>(&value->value);
        return integer ? std::optional(*integer) : std::nullopt;
    }
    const Value value = evaluate(e);
    const auto variable = variables_.find(std::string(name_of(e)));
    if (variable != variables_.end() && variable->second.literal && code::is_integer(value.type.dtype.scalar))
        return static_cast<std::int64_t>(*variable->second.literal);
    const auto integer = as_integer(value);
    return integer && integer->is_integer() ? std::optional(integer->integer()) : std::nullopt;
}

/// Whether elements are counted with the first index moving fastest.
static bool fortran_order(const Arguments& arguments) {
    const ExprPtr e = arguments.find("order");
    const std::string* text = text_of(e);
    if (!e || (text && *text == "C")) return false;
    if (text && *text == "F") return true;
    refuse("F005", "this order of elements is not known to programs", e->span, "use order='C' or order='F'");
}

/// The result, written to the array that `out` names if there is one, where `chosen` holds if it is given. An `out` that is made in
/// the call, np.zeros_like(x), is what the result lies in.
Value Translator::into_out(const Arguments& arguments, Value result, Fit fit, const std::optional<Value>& chosen) {
    const ExprPtr out = arguments.find("out");
    if (!out && chosen)  // NumPy leaves the other elements as memory has them: any value will do.
        return combine({*chosen, result}, arguments.span(), [&](const auto& c) {
            return make_conditional(c[0], c[1], make_call(code::to_string(strong(result.type)), {make_integer(0)}),
                                    arguments.span());
        });
    if (!out) return result;
    const Value place = evaluate(out);
    if (place.kind == Value::Kind::Tuple) unsupported("a tuple for out", out->span, "pass the array");
    if (!place.is_elements()) unsupported("this value for out", out->span, "pass an array");
    if (!can_cast(result.type, strong(place.type)))
        refuse("F009",
               "Cannot cast output from " + code::to_string(strong(result.type)) + " to " + code::to_string(strong(place.type)) +
                   " with casting rule 'same_kind'",
               out->span, "pass an array of a richer type");
    const code::DType own = strong(result.type), type = strong(place.type);
    const bool safe = code::promote({own, false}, {type, false}).dtype == type;
    if ((fit == Fit::SameType && !(own == type)) || (fit == Fit::SafeType && !safe))
        refuse("F009", "output array is not acceptable: its type is " + code::to_string(type) + ", not " + code::to_string(own),
               out->span, "pass an array of this type");
    if (fit == Fit::SameType && !Reshape(*this).may_be_in_order(place))
        refuse("F009", "output array is not acceptable: it is no array in C order", out->span, "pass an array of its own");
    if (fit != Fit::Broadcast) {
        if (place.rank() != result.rank())
            refuse("F004",
                   "an output array of " + std::to_string(place.rank()) + " dimensions for a result of " +
                       std::to_string(result.rank()),
                   out->span, "pass an array of the result's shape");
        for (std::size_t dim = 0; dim < place.rank(); ++dim)
            require_equal(place.shape[dim], result.shape[dim], "the output array and the result", out->span);
    }
    if (result.shape != place.shape) result = broadcast_to(result, broadcast({place.shape, result.shape}, out->span), out->span);
    if (chosen)
        result = combine({*chosen, cast(result, strong(place.type), out->span), place}, out->span,
                         [&](const auto& c) { return make_conditional(c[0], c[1], c[2], out->span); });
    if (!as_view(place)) return cast(result, strong(place.type), out->span);
    assign(target_of(place, out->span), result, "call");
    return place;
}

namespace {

/// Python's own functions, under the names that the rest of the front end knows.
bool is_builtin(const std::string& name) {
    return name.find('.') == std::string::npos && signature_of(name) != nullptr;
}

const std::map<std::string, std::string> kOtherNames{{"numpy.amax", "numpy.max"},
                                                     {"numpy.amin", "numpy.min"},
                                                     {"numpy.around", "numpy.round"},
                                                     {"numpy.asanyarray", "numpy.asarray"}};

}  // namespace

std::string message_function(const code::Expr& function, const Bindings& bindings) {
    std::string name = qualified_name(function, bindings);
    if (const std::size_t world = name.find(".COMM_WORLD."); world != std::string::npos)
        name.erase(world, sizeof(".COMM_WORLD") - 1);
    if (const std::size_t request = name.find(".Request."); request != std::string::npos)
        name.erase(request, sizeof(".Request") - 1);
    return Messages::is_one(name) ? name : std::string();
}

Value Translator::call(const ExprPtr& e, const CallExpr& node) {
    const Span& span = e->span;
    if (formatted_parts(e)) {
        if (const auto text = Texts(*this).known(e)) return text_value(make_text(*text, span));
        unsupported("a formatted text with values of the run, other than integers in what is raised", span, "return the values");
    }
    if (name_of(node.function) == kLambda) return FunctionValues(*this).lambda_with_defaults(node, span);
    for (const char* keyword : {kTry, kYield, kNonlocal})
        if (name_of(node.function) == keyword)
            unsupported("`" + std::string(keyword) + "` here", span, "docs/python-subset.md says where programs may have it");
    if (name_of(node.function) == kRaises) return raises(*text_of(node.arguments.at(0)), node.arguments.at(1));
    if (const std::string_view own = name_of(node.function); own == kFind || own == kFindKey) {
        const std::vector<Value> both = evaluate_all(node.arguments);
        for (const std::size_t object : both[0].objects) Lists(*this).leave_to_the_run(object);
        if (both[0].list.empty()) unsupported("a dictionary or set without keys", span, "leave out what asks for one");
        return Lists(*this).find(both[0], both[1], own == kFindKey, span);
    }
    const bool of_keys = name_of(node.function) == kSetOf && node.arguments.size() == 1 && !name_of(node.arguments[0]).empty();
    if (of_keys || (name_of(node.function) == kDictionaryOf && node.arguments.size() == 2)) {  // Of a table that is returned.
        Value table = tuple(evaluate_all(node.arguments));
        table.of_keys = true;
        table.keys = {kDictionaryOf};
        return table;
    }
    if (name_of(node.function) == kDictionaryOf) return Collections(*this).dictionary_of(node, span);
    if (name_of(node.function) == kObject) {  // One that is returned.
        Value object = tuple({});
        object.of_keys = true;
        object.keys = {kObject, *text_of(node.arguments.at(0))};
        for (std::size_t at = 1; at < node.arguments.size(); at += 2) {
            object.keys.push_back(*text_of(node.arguments[at]));
            object.elements.push_back(evaluate(node.arguments[at + 1]));
        }
        return object;
    }
    if (name_of(node.function) == kObjects) {  // What is returned, and the memory that it lies in.
        Value objects = tuple(evaluate_all({node.arguments.begin() + 1, node.arguments.end()}));
        for (const Value& one : objects.elements) Lists(*this).require_known(one, span);
        objects.of_keys = true;
        objects.keys = {kObjects, *text_of(node.arguments.at(0))};
        return objects;
    }
    const bool dict = name_of(node.function) == "dict" && !bindings_.contains("dict") && !variables_.contains("dict") &&
                      node.arguments.size() <= 1;
    if (dict || name_of(node.function) == kMergedOf) return Collections(*this).merged(node, span);
    if (std::ranges::any_of(node.arguments, [](const ExprPtr& one) { return std::holds_alternative<StarredExpr>(one->node); }) ||
        std::ranges::any_of(node.keywords, [](const Keyword& one) { return one.name.empty(); })) {
        const CallExpr plain = Inlining(*this).without_stars(node);
        return call(std::make_shared<const code::Expr>(code::Expr{plain, span}), plain);
    }
    if (const ExprPtr function = FunctionValues(*this).called_by_name(node.function)) {
        CallExpr named = node;
        named.function = function;
        Value value = call(std::make_shared<const code::Expr>(code::Expr{named, span}), named);
        variables_.erase(std::string(name_of(function)));
        return value;
    }
    if (const auto known = variables_.find(std::string(name_of(node.function))); known != variables_.end())
        if (known->second.value.kind == Value::Kind::Function && known->second.value.code) {  // Of NumPy, under another name.
            CallExpr named = node;
            named.function = known->second.value.code;
            return call(std::make_shared<const code::Expr>(code::Expr{named, span}), named);
        }
    if (asks_for_types(e)) {
        const auto answer = known_of_types(node);
        if (!answer) unsupported("a question about a type that only the run answers", span, "ask where the value is made");
        return number(make_boolean(*answer, span), {Scalar::Bool, true});
    }
    if (const auto callee = Inlining(*this).callee(node, span)) return Inlining(*this).call(*callee, node, span);
    std::string name = qualified_name(*node.function, bindings_);
    if (const auto plain = std::string(name_of(node.function)); name.empty() && !plain.empty()) {
        if (const auto bound = bindings_.find(plain); bound != bindings_.end()) {
            if (const auto* program = std::get_if<ProgramBinding>(&bound->second))
                return call_program(*program->program, node, span);
            if (const auto* graph = std::get_if<GraphBinding>(&bound->second)) return GraphCalls(*this).call(*graph, node, span);
        } else if (is_builtin(plain)) {
            name = plain;
        }
    }
    if (const std::string message = message_function(*node.function, bindings_); !message.empty()) name = message;
    if (name.ends_with(".__call__")) name.resize(name.rfind('.'));  // Of a function that the prelude is handed.
    if (const auto other = kOtherNames.find(name); other != kOtherNames.end()) name = other->second;
    const bool of_two = name == "complex" && node.arguments.size() == 2;
    if (const auto type = dtype_of(*node.function, bindings_); type && !of_two) {
        if (node.arguments.size() != 1 || !node.keywords.empty())
            refuse("F005", "a conversion takes one argument", span, "pass one value");
        if (const std::string* text = text_of(node.arguments[0]); text && name == "float")
            if (const auto special = real_of_text(*text, span)) return number(special, {Scalar::Float64, true});
        const Value given = evaluate(node.arguments[0]);
        if (!is_builtin(name)) Overflow(*this).require_stored(given, *type, span, Overflow::Floats::Pythons);
        return convert(given, *type, is_builtin(name), span);
    }
    if (name.empty()) {
        if (const auto* method = std::get_if<AttributeExpr>(&node.function->node)) return call_method(e, node, *method);
        refuse("F006", "the function " + dotted_name(*node.function) + " is not known", span,
               "import it from numpy or math, or define it in Python, without decorators and recursion");
    }
    if (const auto own = bindings_.find(name); own != bindings_.end())  // The user's, by sluice.replaces.
        if (const auto* program = std::get_if<ProgramBinding>(&own->second)) return call_program(*program->program, node, span);
    if (name == "print") unsupported("print", span, "return the value and print it outside");
    if (const CallSignature* signature = signature_of(name)) {
        const Arguments arguments(*signature, node, span);
        for (const ExprPtr& one : node.arguments) {
            const auto* made = std::get_if<CallExpr>(&one->node);
            const std::string_view by = made ? name_of(made->function) : std::string_view();
            if (std::holds_alternative<ComprehensionExpr>(one->node) || by == "map" || by == "filter")
                context_.read_at_once.emplace(one->span.line, one->span.column, inline_prefix_);
        }
        if (const auto value = call_known(name, arguments)) {
            arguments.refuse_unread();
            return *value;
        }
    }
    if (auto value = FunctionValues(*this).made(name, node, span)) return *value;
    if (auto value = call_prelude(name, node, span)) return *value;
    if (auto value = call_ufunc_method(name, node, span)) return *value;
    if (const Function* function = code::find_function(name)) return call_elementwise(name, *function, node, span);
    refuse("F006", "the function " + dotted_name(*node.function) + " is not known", span,
           "docs/python-subset.md lists the functions that programs may call");
}

std::optional<Value> Translator::call_known(const std::string& name, const Arguments& arguments) {
    if (name == "sluice.reduce") return explicit_reduce(arguments);
    if (name == "sluice.elementwise") return explicit_elementwise(arguments);
    if (auto value = Messages(*this).call(name, arguments)) return value;
    if (auto value = Sizes(*this).call(name, arguments)) return value;
    if (auto value = call_builtin(name, arguments)) return value;
    if (auto value = call_creation(name, arguments)) return value;
    if (auto value = call_shape_function(name, arguments)) return value;
    if (auto value = call_axes(name, arguments)) return value;
    if (auto value = call_einsum(name, arguments)) return value;
    if (auto value = call_joining(name, arguments)) return value;
    if (auto value = call_choice(name, arguments)) return value;
    return call_reduction(name, arguments);
}

Value Translator::call_elementwise(const std::string& name, const Function& function, const CallExpr& node, const Span& span) {
    const CallSignature signature = elementwise_signature(name, function.arity, function.max_arity);
    const Arguments arguments(signature, node, span);
    std::vector<ExprPtr> list;
    for (int at = 0; at < function.arity; ++at)
        list.push_back(arguments.at(signature.parameters[static_cast<std::size_t>(at)].name));
    list.insert(list.end(), arguments.more().begin(), arguments.more().end());
    std::vector<Value> operands = evaluate_all(list);
    if (!name.starts_with("numpy.")) {
        Value result = call_function(name, std::string(function.name), operands, span);
        const bool truth = (name.starts_with("math.") || name.starts_with("cmath.")) && result.type.dtype == DType(Scalar::Bool);
        if (truth && result.is_scalar()) {
            result.type.weak = true;
            result.other_types.clear();
        }
        return result;
    }
    {
        const Restored hint(hint_, {});  // That is where the result goes.
        const Restored named(name_, {});
        for (Value& operand : operands) operand = as_array(operand, span);
    }
    if (const ExprPtr wanted = arguments.find("dtype")) operands = in_type(operands, element_type(wanted), name, wanted->span);
    const Value result = call_function(name, std::string(function.name), operands, span);
    if (const ExprPtr wanted = arguments.find("dtype"); wanted && !(strong(result.type) == element_type(wanted)))
        refuse("F005", name + " does not compute in this type", wanted->span, "convert the result: x.astype(...)");
    const Value placed = into_out(arguments, result, Fit::Broadcast, condition_of(arguments));
    arguments.refuse_unread();
    return placed;
}

/// The `where` of a ufunc, which leaves other elements of `out` as they are.
std::optional<Value> Translator::condition_of(const Arguments& arguments) {
    const ExprPtr where = arguments.find("where");
    if (!where) return std::nullopt;
    const auto constant = constant_value(*where, bindings_);
    const auto* truth = constant ? std::get_if<bool>(&constant->value) : nullptr;
    if (truth && *truth) return std::nullopt;
    const Value chosen = as_array(evaluate(where), where->span);
    if (!chosen.is_elements() || !(chosen.type.dtype == DType(Scalar::Bool)))
        refuse("F005", "where must be an array of booleans", where->span, "write a comparison");
    return chosen;
}

Value Translator::call_method(const ExprPtr& e, const CallExpr& node, const AttributeExpr& method) {
    if (const auto collection = Collections(*this).named(method.object)) {
        if (auto result = Collections(*this).method(*collection, method.name, node)) return *result;
        if (auto result = Mutations(*this).method(*collection, method.name, node, e->span)) return *result;
    }
    if (const auto list = Lists(*this).named(method.object))
        if (auto result = Lists(*this).method(*list, method.name, node, e->span)) return *result;
    if (method.name == "tolist" && node.arguments.empty() && node.keywords.empty()) {
        const Value array = evaluate(method.object);
        if (array.is_elements() && array.list.empty()) return Lists(*this).of_array(array, e->span);
    }
    // What methods do in place has functions of its own in the prelude.
    static const std::map<std::string, std::string> kInPlace{
        {"sort", "_sort_in_place"}, {"partition", "_partition_in_place"}, {"item", "_item"}, {"compress", "_compress"}};
    if (const auto function = kInPlace.find(method.name); function != kInPlace.end())
        return call_method(e, node, AttributeExpr{method.object, function->second});
    if (method.name == "resize") unsupported("a resize in place", e->span, "bind the name again: a = np.resize(a, n)");
    // A method that is a function of the prelude, or one that moves dimensions: the array is its first argument.
    static const std::set<std::string> kMoving{"swapaxes", "diagonal", "squeeze"};
    if (!signature_of("ndarray." + method.name) && (find_in_prelude("numpy." + method.name) || kMoving.contains(method.name))) {
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        CallExpr called = node;
        called.function = make_attribute(make_name("__numpy", e->span), method.name, e->span);
        called.arguments.insert(called.arguments.begin(), method.object);
        return call(std::make_shared<const code::Expr>(code::Expr{called, e->span}), called);
    }
    const Value object = evaluate(method.object);
    if (object.kind == Value::Kind::Grid) return ProcessGrids(*this).method(*object.grid, method.name, node, e->span);
    if (object.kind == Value::Kind::Generator) {  // A function of the prelude, which the state is handed.
        const bool legacy = sdfg_.containers.at(object.stream).shape[0].is_integer(kLegacyStateWords);
        const std::string function = function_of_generator(method.name, legacy);
        if (function.empty())
            refuse("F006", "generators have no method " + method.name + " in programs", e->span,
                   "docs/python-subset.md lists the methods that programs may call");
        const std::string state = "__generator" + std::to_string(e->span.line) + "_" + std::to_string(e->span.column);
        bind(state, object);
        CallExpr called = node;
        called.arguments.insert(called.arguments.begin(), make_name(state, e->span));
        Value drawn = *call_prelude(function, called, e->span);
        variables_.erase(state);
        return drawn;
    }
    Lists::refuse_as_array(object, e->span);
    Domain(*this).require_value(object, "AttributeError: 'NoneType' object has no such attribute", e->span);
    if (!object.is_elements()) unsupported("a method of this value", e->span, "call methods of arrays");
    if (const CallSignature* signature = signature_of("ndarray." + method.name)) {
        Arguments arguments(*signature, node, e->span);
        arguments.self = object;
        std::optional<Value> value;
        if (method.name == "astype") {
            const Value copy = cast(object, creation_type(arguments, Scalar::Float64), e->span);
            value = flag(arguments, "copy", true) || !(strong(object.type) == strong(copy.type)) ? copy : object;
        } else if (method.name == "view") {
            value = Reshape(*this).in_type(object, element_type(arguments.at("dtype")), e->span);
        } else if (method.name == "fill") {
            Overflow(*this).assign(target_of(object, e->span), value_of(arguments, "value"), "fill");
            value = Value{};
            value->kind = Value::Kind::None;
        } else if (method.name == "conj" || method.name == "conjugate") {
            value = code::is_complex(object.type.dtype.scalar) ? call_ufunc("conj", {object}, e->span) : object;
        } else {
            value = call_known("numpy." + method.name, arguments);
        }
        if (value) {
            arguments.refuse_unread();
            return *value;
        }
    }
    refuse("F006", "arrays have no method " + method.name + " in programs", e->span,
           "docs/python-subset.md lists the functions that programs may call");
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

/// The sizes of a new array: none is negative.
std::vector<Expr> Translator::new_shape(const ExprPtr& e) {
    const std::vector<Expr> shape = shape_argument(e);
    for (const Expr& extent : shape) require_not_negative(extent, "negative dimensions are not allowed", e->span);
    return shape;
}

std::optional<Value> Translator::call_shape_function(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    const auto array = [&] { return array_of(arguments, "a"); };
    if (name == "numpy.transpose") {
        const Value value = array();
        std::vector<std::int64_t> axes;
        if (arguments.self) {
            for (const ExprPtr& one : arguments.more())
                for (const std::int64_t axis : axes_of(one, value.rank())) axes.push_back(axis);
        } else if (const ExprPtr given = arguments.find("axes")) {
            axes = axes_of(given, value.rank());
        }
        return transpose(value, axes, span);
    }
    if (name == "numpy.reshape" || name == "numpy.ravel" || name == "numpy.flatten") {
        const Value value = array();
        std::vector<Expr> shape{Expr(-1)};
        if (name == "numpy.reshape" && arguments.self) {
            shape.clear();
            if (arguments.more().empty()) refuse("F005", "reshape needs a shape", span, "pass it");
            if (arguments.more().size() == 1)
                shape = shape_argument(arguments.more()[0]);
            else
                for (const ExprPtr& one : arguments.more()) shape.push_back(integer_of(one));
        } else if (name == "numpy.reshape") {
            shape = shape_argument(arguments.at("shape"));
        }
        const bool backwards = fortran_order(arguments) && (value.rank() > 1 || shape.size() > 1);
        if (backwards) {  // Elements of the transposed array in C order, and the shape the other way round.
            std::ranges::reverse(shape);
            const Value turned = transpose(value, {}, span);
            const bool copies = name == "numpy.flatten" || Reshape(*this).is_whole(value);
            if (!copies && name == "numpy.ravel") return Reshape(*this).ravel(turned, span);
            if (!copies) return transpose(reshape(turned, shape, span), {}, span);
            const Value copy = read_container(add_temporary("turned", strong(value.type), turned.shape));
            assign(target_of(copy, span), turned, "turned");
            return transpose(reshape(copy, shape, span), {}, span);
        }
        if (name == "numpy.ravel") return Reshape(*this).ravel(value, span);
        if (name == "numpy.reshape" && shape.empty())
            return without_dimensions(squeeze(reshape(value, {Expr(1)}, span), std::nullopt, span), span);
        if (name == "numpy.reshape") return reshape(value, shape, span);
        const Value copy = result_place("flat", strong(value.type), value.shape, {value});
        assign(target_of(copy, span), value, "flat");
        return reshape(copy, shape, span);
    }
    if (name == "numpy.dot" || name == "numpy.matmul") {
        const bool dot = name == "numpy.dot";
        const Value left = array_of(arguments, dot ? "a" : "x1");
        const std::string second = dot ? "b" : "x2";
        const Value right = as_array(value_of(arguments, second), span);
        if (left.rank() == 0 || right.rank() == 0 ? !dot : dot && right.rank() > 2)
            unsupported(name + " of these dimensions", span, "use * for numbers, and @ for stacks of matrices");
        return into_out(arguments, of_numpy(product(left, right, span)), dot ? Fit::SameType : Fit::Broadcast);
    }
    if (name == "numpy._operation") return call_operation(arguments);
    if (name == "numpy._inside") {  // The prelude's word for indices of the caller's.
        const Value indices = array_of(arguments, "indices");
        const Expr size = integer_of(arguments.at("size")), axis = integer_of(arguments.at("axis"));
        return Bounds::inside(indices, size, ir::to_code(axis), span);
    }
    if (name == "numpy.outer") {
        Value left = reshape(array(), {Expr(-1)}, span);
        const Value right = reshape(array_of(arguments, "b"), {Expr(-1)}, span);
        left = substitute(left, {{iteration_name(0), iteration(1)}});
        left.shape.emplace_back(1);
        return into_out(arguments, call_ufunc("multiply", {left, right}, span));
    }
    return std::nullopt;
}

/// where, clip and round.
std::optional<Value> Translator::call_choice(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    if (name == "numpy.where" && !arguments.given("x")) {
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        const CallExpr places{make_attribute(make_name("__numpy", span), "nonzero", span), {arguments.at("condition")}, {}};
        return call(std::make_shared<const code::Expr>(code::Expr{places, span}), places);
    }
    if (name == "numpy.where") {
        Value result = call_ufunc("where", evaluate_all({arguments.at("condition"), arguments.at("x"), arguments.at("y")}), span);
        if (!prelude_prefix_.empty()) return result;
        result = of_numpy(result);
        result.of_rank_0 = result.is_scalar();
        return result;
    }
    if (name == "numpy.clip") {
        const bool method = arguments.self.has_value();
        Value value = array_of(arguments, "a");
        const auto bound = [&](const char* name_of_bound, const char* other) {
            const ExprPtr given = method ? nullptr : arguments.find(name_of_bound);
            return given ? given : arguments.find(other);
        };
        for (const bool lowest : {true, false})
            if (const ExprPtr given = lowest ? bound("a_min", "min") : bound("a_max", "max")) {
                const Value limit = Overflow(*this).clipping_bound(evaluate(given), value, lowest, span);
                value = call_ufunc(lowest ? "maximum" : "minimum", {value, limit}, span);
            }
        return into_out(arguments, as_view(value) ? cast(value, strong(value.type), span) : of_numpy(value));
    }
    if (name == "numpy.round") {
        const Value value = array_of(arguments, "a");
        return into_out(arguments, of_numpy(rounded(value, constant_integer(arguments, "decimals", 0), span)), Fit::Shape);
    }
    return std::nullopt;
}
}  // namespace sluice::frontend
