// The types of NumPy's arrays among the objects of a program over one memory (heap.h), and of what is asked of them.
#include <algorithm>
#include <bit>

#include "code/print.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_types.h"

namespace sluice::frontend {

using namespace code;

HeapTypes::Type HeapTypes::array_of(unsigned element, unsigned rank) {
    const Type of = number(element), array = fresh(HeapKind::Array, {of});
    array->rank = rank;
    if (rank > 1) {
        array->parts.push_back(array_of(element, rank - 1));
        array->parts[1]->parts[0] = of;
        array->parts[1]->view = true;
        arrays_.push_back(array);
    }
    return array;
}

/// The element type of what an operator makes of arrays, element by element; 0: nobody knows yet.
unsigned HeapTypes::of_elements(BinaryOp op, Type left, Type right) {
    if (op == BinaryOp::Pow || op == BinaryOp::MatMul) throw NotOfHeap{"powers of whole arrays, and products in place"};
    unsigned rank = 0;
    std::vector<unsigned> numbers;
    for (const Type one : {left, right}) {
        if (is(one, HeapKind::Unknown)) return 0;
        const bool array = is(one, HeapKind::Array);
        if (!array && !is(one, HeapKind::Number)) throw NotOfHeap{"arithmetic of whole arrays with this value"};
        if (array && rank != 0 && rank != root(one)->rank) throw NotOfHeap{"arithmetic of arrays of several ranks"};
        if (array) rank = root(one)->rank;
        numbers.push_back(root(array ? part(one) : one)->numbers);
    }
    const unsigned result = of_numbers(op, numbers[0], numbers[1]);
    if (!std::has_single_bit(result)) throw NotOfHeap{"an array of elements whose type only the run knows"};
    return result;
}

/// `a @ b` of vectors and matrices.
void HeapTypes::infer_product(Type left, Type right, Type type) {
    if (is(left, HeapKind::Unknown) || is(right, HeapKind::Unknown)) return;
    if (!is(left, HeapKind::Array) || !is(right, HeapKind::Array)) throw NotOfHeap{"a product of an array and another value"};
    const unsigned element = of_numbers(BinaryOp::Mul, root(part(left))->numbers, root(part(right))->numbers);
    if (!std::has_single_bit(element) || element == kBool) throw NotOfHeap{"a product of arrays of these elements"};
    const unsigned rank = root(left)->rank + root(right)->rank - 2;
    return rank == 0 ? flow(number(element), type) : made_array(type, element, rank);
}

/// Views of an array share its elements, and whether they are the caller's own.
void HeapTypes::infer_view(Type array, Type type) {
    if (is(type, HeapKind::Unknown)) {
        const Type made = fresh(HeapKind::Array, root(array)->parts);
        made->rank = root(array)->rank;
        made->view = true;
        unify(made, type);
        views_.emplace_back(type, array);
        if (root(array)->rank > 1) arrays_.push_back(made);
    }
    if (!root(array)->frozen || root(type)->frozen) return;
    freeze(type);
    changed_ = true;
}

bool HeapTypes::may_change(Type array) const {
    std::vector<Type> all{root(array)};
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (all[at]->changes) return true;
        const auto add = [&](Type one) {
            if (std::ranges::find(all, root(one)) == all.end()) all.push_back(root(one));
        };
        if (all[at]->rank > 1) add(all[at]->parts[1]);
        for (const auto& [view, of] : views_)
            if (root(of) == all[at]) add(view);
    }
    return false;
}

// ---- elements -------------------------------------------------------------------------------------------------------------
unsigned HeapTypes::element_for(Type value) const {
    if (is(value, HeapKind::Unknown)) return 0;
    const unsigned numbers = is(value, HeapKind::Number) ? root(value)->numbers : 0;
    for (const unsigned one : {kInteger | kInt64, kReal | kFloat64, kTruth | kBool})
        if (numbers != 0 && (numbers & ~one) == 0) return one & kOfNumPy;
    throw NotOfHeap{"an array of elements whose type only the run knows"};
}

std::vector<ExprPtr> HeapTypes::arguments_of(const CallExpr& n, const std::vector<std::string>& names) {
    std::vector<ExprPtr> all(names.size());
    bool further = n.arguments.size() > names.size();
    for (std::size_t at = 0; at < n.arguments.size() && !further; ++at) all[at] = n.arguments[at];
    for (const Keyword& keyword : n.keywords) {
        const auto at = std::ranges::find(names, keyword.name);
        further = further || at == names.end() || all[static_cast<std::size_t>(at - names.begin())];
        if (!further) all[static_cast<std::size_t>(at - names.begin())] = keyword.value;
    }
    if (further) throw NotOfHeap{"further arguments of " + code::to_string(*n.function)};
    return all;
}

/// `dtype`, behind the arguments that the function has in front of it.
std::optional<unsigned> HeapTypes::declared_element(const std::string& function, const CallExpr& n, Scope& scope) {
    static const std::map<std::string, std::size_t> kInFront{{"numpy.full", 2}, {"numpy.full_like", 2}, {"numpy.arange", 3}};
    static const std::map<std::string, unsigned> kTypes{
        {"int", kInt64},   {"numpy.int64", kInt64},    {"numpy.int_", kInt64},      {"numpy.intp", kInt64},
        {"int64", kInt64}, {"float", kFloat64},        {"numpy.float64", kFloat64}, {"float64", kFloat64},
        {"bool", kBool},   {"numpy.double", kFloat64}, {"numpy.bool_", kBool},      {"numpy.bool", kBool}};
    const auto front = kInFront.find(function);
    const std::size_t at = front == kInFront.end() ? 1 : front->second;
    ExprPtr given = n.arguments.size() > at ? n.arguments[at] : nullptr;
    for (const Keyword& keyword : n.keywords)
        if (keyword.name == "dtype") given = keyword.value;
    if (!given || is_none(given)) return std::nullopt;
    const std::string* text = text_of(given);
    const auto known = kTypes.find(text ? *text : known_function(given, scope));
    if (known == kTypes.end()) throw NotOfHeap{"an array of the type " + code::to_string(*given)};
    return known->second;
}

// ---- functions ------------------------------------------------------------------------------------------------------------
namespace {

const std::set<std::string> kReductions{"max", "min", "sum", "argmax", "argmin", "mean", "any", "all"};

/// `numpy.amax` is `numpy.max`.
std::string reduction_of(const std::string& name) {
    const std::string plain = name == "numpy.amax" || name == "numpy.amin" ? name.substr(7) : name.substr(6);
    return kReductions.contains(plain) ? plain : "";
}

/// What NumPy takes for a sequence: no iterator, and no view of a dictionary.
bool makes_sequence(const ExprPtr& e, const std::string& known) {
    static const std::set<std::string> kMaking{"range", "list", "sorted", "tuple"};
    if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node)) return comprehension->is_list;
    const auto* call = std::get_if<CallExpr>(&e->node);
    if (!call) return true;
    const auto* method = std::get_if<AttributeExpr>(&call->function->node);
    if (!known.empty()) return kMaking.contains(known) || known.starts_with("numpy.");
    return !method || (method->name != "keys" && method->name != "values" && method->name != "items");
}

}  // namespace

/// An array of this shape: a number, or a tuple or list of numbers.
void HeapTypes::infer_shape(const ExprPtr& shape, Type type, unsigned element, Scope& scope) {
    const bool display = std::holds_alternative<TupleExpr>(shape->node) || std::holds_alternative<ListExpr>(shape->node);
    std::vector<Type> extents;
    if (display) {
        for (const ExprPtr& one : elements_of(shape)) extents.push_back(infer(one, scope));
    } else {
        const Type whole = infer(shape, scope);
        if (is(whole, HeapKind::Unknown)) return;
        extents = is(whole, HeapKind::Tuple) ? root(whole)->parts : std::vector{whole};
    }
    for (const Type one : extents) {
        if (is(one, HeapKind::Unknown)) return;
        if (!is_whole(one)) throw NotOfHeap{"an array of this shape"};
    }
    if (extents.empty() || extents.size() > 2) throw NotOfHeap{"an array of no or of more than two dimensions"};
    if (element != 0) made_array(type, element, static_cast<unsigned>(extents.size()));
}

void HeapTypes::made_array(Type type, unsigned element, unsigned rank) {
    if (is(type, HeapKind::Unknown)) return unify(array_of(element, rank), type);
    if (!is_array(type, rank)) throw NotOfHeap{"arrays of several ranks under one name"};
    flow(number(element), part(type));
}

/// `np.array(x)`
void HeapTypes::infer_array_from(const std::string& name, const CallExpr& n, Type type, Scope& scope) {
    const ExprPtr from = arguments_of(n, {"object", "dtype"})[0];
    if (!from) throw NotOfHeap{"further arguments of " + name};
    const auto* call = std::get_if<CallExpr>(&from->node);
    const std::string known =
        call && !function_named(std::string(name_of(call->function)), scope) ? known_function(call->function, scope) : "";
    if (!makes_sequence(from, known)) throw NotOfHeap{"an array of what is no sequence"};
    const auto declared = declared_element(name, n, scope);
    const Type given = infer(from, scope);
    if (is(given, HeapKind::Unknown)) return;
    if (is(given, HeapKind::Array)) {
        const unsigned own = root(part(given))->numbers;
        if (name == "numpy.asarray" && declared.value_or(own) == own) return unify(given, type);
        return made_array(type, declared.value_or(own), root(given)->rank);
    }
    const bool sequence = is(given, HeapKind::List) || is(given, HeapKind::Row) || is(given, HeapKind::Tuple);
    if (!sequence) throw NotOfHeap{"an array of this value"};
    Type element = element_of(given);
    const bool nested =
        !is(given, HeapKind::Tuple) && (is(element, HeapKind::List) || is(element, HeapKind::Row) || is_array(element, 1));
    if (nested) element = part(element);
    if (is(element, HeapKind::Unknown)) return;
    if (!is(element, HeapKind::Number)) throw NotOfHeap{"an array of these elements"};
    made_array(type, declared ? *declared : element_for(element), nested ? 2 : 1);
}

/// `np.sqrt(x)`, `np.int64(x)` of a number.
bool HeapTypes::infer_function_of_numbers(const std::string& name, const CallExpr& n, Type type, Scope& scope) {
    static const std::map<std::string, unsigned> kResults{
        {"int64", kInt64},   {"float64", kFloat64}, {"sqrt", kFloat64}, {"exp", kFloat64}, {"log", kFloat64},  {"log2", kFloat64},
        {"log10", kFloat64}, {"sin", kFloat64},     {"cos", kFloat64},  {"tan", kFloat64}, {"tanh", kFloat64}, {"isnan", kBool},
        {"isinf", kBool},    {"isfinite", kBool},   {"abs", 0},         {"absolute", 0}};
    const auto known = kResults.find(name.substr(6));
    if (known == kResults.end()) return false;
    const ExprPtr given = arguments_of(n, {"x"})[0];
    if (!given) throw NotOfHeap{"further arguments of " + name};
    const Type one = infer(given, scope);
    if (is(one, HeapKind::Unknown)) return true;
    const bool array = is(one, HeapKind::Array);
    const bool converts = known->first == "int64" || known->first == "float64";
    if (!is(one, HeapKind::Number) && (!array || converts)) throw NotOfHeap{name + " of this value"};
    const unsigned given_element = array ? root(part(one))->numbers : element_for(one);
    if (array && (!std::has_single_bit(given_element) || given_element == kBool)) throw NotOfHeap{name + " of these elements"};
    const unsigned element = known->second == 0 ? given_element : known->second;
    if (known->second == 0 && element == kBool) throw NotOfHeap{"arithmetic of NumPy's truths"};
    return array ? made_array(type, element, root(one)->rank) : flow(number(element), type), true;
}

bool HeapTypes::infer_array_function(const std::string& name, const CallExpr& n, Type type, Scope& scope) {
    if (!with_arrays_ || !name.starts_with("numpy.")) return false;
    const auto like = [&](const std::vector<ExprPtr>& given) {
        if (!given[0]) throw NotOfHeap{"further arguments of " + name};
        return infer(given[0], scope);
    };
    if (name == "numpy.zeros" || name == "numpy.ones" || name == "numpy.empty") {
        const auto given = arguments_of(n, {"shape", "dtype"});
        if (!given[0]) throw NotOfHeap{"further arguments of " + name};
        return infer_shape(given[0], type, declared_element(name, n, scope).value_or(kFloat64), scope), true;
    }
    if (name == "numpy.full" || name == "numpy.full_like") {
        const auto given = arguments_of(n, {name == "numpy.full" ? "shape" : "a", "fill_value", "dtype"});
        if (!given[0] || !given[1]) throw NotOfHeap{"further arguments of " + name};
        const Type value = infer(given[1], scope);
        const auto declared = declared_element(name, n, scope);
        if (name == "numpy.full") return infer_shape(given[0], type, declared ? *declared : element_for(value), scope), true;
        const Type array = infer(given[0], scope);
        if (is(array, HeapKind::Unknown)) return true;
        if (!is(array, HeapKind::Array)) throw NotOfHeap{"an array like this value"};
        return made_array(type, declared.value_or(root(part(array))->numbers), root(array)->rank), true;
    }
    if (name == "numpy.zeros_like" || name == "numpy.ones_like" || name == "numpy.empty_like" || name == "numpy.copy") {
        const Type array =
            like(arguments_of(n, name == "numpy.copy" ? std::vector<std::string>{"a"} : std::vector<std::string>{"a", "dtype"}));
        if (is(array, HeapKind::Unknown)) return true;
        if (!is(array, HeapKind::Array)) throw NotOfHeap{"an array like this value"};
        return made_array(type, declared_element(name, n, scope).value_or(root(part(array))->numbers), root(array)->rank), true;
    }
    if (name == "numpy.array" || name == "numpy.asarray") return infer_array_from(name, n, type, scope), true;
    if (name == "numpy.arange") {
        const auto given = arguments_of(n, {"start", "stop", "step", "dtype"});
        if (!given[0] || n.arguments.empty()) throw NotOfHeap{"further arguments of " + name};
        for (std::size_t at = 0; at < 3; ++at) {
            const Type one = given[at] ? infer(given[at], scope) : nullptr;
            if (one && is(one, HeapKind::Unknown)) return true;
            if (one && !is_whole(one)) throw NotOfHeap{"numpy.arange of other numbers than integers"};
        }
        const unsigned element = declared_element(name, n, scope).value_or(kInt64);
        if (element == kBool) throw NotOfHeap{"numpy.arange of truths"};
        return made_array(type, element, 1), true;
    }
    if (name == "numpy.unravel_index") {
        const auto given = arguments_of(n, {"indices", "shape"});
        if (!given[0] || !given[1]) throw NotOfHeap{"further arguments of " + name};
        const Type index = infer(given[0], scope), shape = infer(given[1], scope);
        if (is(index, HeapKind::Unknown) || is(shape, HeapKind::Unknown)) return true;
        if (!is_whole(index) || !is(shape, HeapKind::Tuple) || root(shape)->parts.empty() || root(shape)->parts.size() > 2)
            throw NotOfHeap{"numpy.unravel_index of these values"};
        return flow(fresh(HeapKind::Tuple, std::vector<Type>(root(shape)->parts.size(), number(kInt64))), type), true;
    }
    if (name == "numpy.dot" || name == "numpy.matmul") {
        const auto given = arguments_of(n, {name == "numpy.dot" ? "a" : "x1", name == "numpy.dot" ? "b" : "x2"});
        if (!given[0] || !given[1]) throw NotOfHeap{"further arguments of " + name};
        const Type left = infer(given[0], scope), right = infer(given[1], scope);
        return infer_product(left, right, type), true;
    }
    if (name == "numpy.linalg.norm") {
        const Type array = like(arguments_of(n, {"x"}));
        if (is(array, HeapKind::Unknown)) return true;
        if (!is(array, HeapKind::Array) || root(part(array))->numbers == kBool) throw NotOfHeap{name + " of this value"};
        return flow(number(kFloat64), type), true;
    }
    if (infer_function_of_numbers(name, n, type, scope)) return true;
    const std::string reduction = reduction_of(name);
    if (reduction.empty()) return false;
    const Type array = like(arguments_of(n, {"a"}));
    if (is(array, HeapKind::Unknown)) return true;
    if (!is(array, HeapKind::Array)) throw NotOfHeap{name + " of this value"};
    return infer_array_method(reduction, array, CallExpr{n.function, {}, {}}, type, scope), true;
}

void HeapTypes::infer_array_method(const std::string& name, Type array, const CallExpr& n, Type type, Scope& scope) {
    const unsigned element = root(part(array))->numbers;
    if (kReductions.contains(name)) {
        if (!n.arguments.empty() || !n.keywords.empty()) throw NotOfHeap{"the method " + name + " of an array along an axis"};
        const bool place = name == "argmax" || name == "argmin", total = name == "sum";
        const unsigned result = name == "max" || name == "min"            ? element
                                : place || (total && element != kFloat64) ? kInt64
                                : total || name == "mean"                 ? kFloat64
                                                                          : kBool;
        return flow(number(result), type);
    }
    if (name == "fill" && n.arguments.size() == 1 && n.keywords.empty()) {
        infer(n.arguments[0], scope);
        return is(type, HeapKind::Unknown) ? unify(fresh(HeapKind::None), type) : void();
    }
    if (!n.arguments.empty() || !n.keywords.empty()) throw NotOfHeap{"the method " + name + " of an array with these arguments"};
    if (name == "copy") return made_array(type, element, root(array)->rank);
    if (name != "tolist") throw NotOfHeap{"the method " + name + " of an array"};
    if (!is(type, HeapKind::Unknown)) return;
    Type list = number(element >> 3U);
    for (unsigned at = 0; at < root(array)->rank; ++at) list = fresh(HeapKind::List, {list});
    unify(list, type);
}

/// False: it is no array.
bool HeapTypes::infer_array_attribute(const std::string& name, Type array, Type type) {
    if (with_arrays_ && is(array, HeapKind::Unknown)) return true;
    if (!is(array, HeapKind::Array)) return false;
    if (name == "size" || name == "ndim") return flow(number(kInteger), type), true;
    if (name != "shape") throw NotOfHeap{"the attribute " + name + " of an array"};
    std::vector<Type> extents;
    for (unsigned at = 0; at < root(array)->rank; ++at) extents.push_back(number(kInteger));
    return flow(fresh(HeapKind::Tuple, extents), type), true;
}

// ---- subscripts -----------------------------------------------------------------------------------------------------------
void HeapTypes::infer_array_subscript(Type array, Type index, const SubscriptExpr& n, Type type) {
    const auto is_all = [](const ExprPtr& e) {
        const auto* slice = std::get_if<SliceExpr>(&e->node);
        return slice && !slice->begin && !slice->end && !slice->step;
    };
    const auto require_adjacent = [](const SliceExpr& slice) {
        if (slice.step && integer_in(slice.step) != 1) throw NotOfHeap{"a view of an array with a step"};
    };
    const bool two = root(array)->rank == 2;
    if (const auto* slice = std::get_if<SliceExpr>(&n.index->node)) return require_adjacent(*slice), infer_view(array, type);
    if (const auto* several = std::get_if<TupleExpr>(&n.index->node); several && two && several->elements.size() == 2) {
        const auto* rows = std::get_if<SliceExpr>(&several->elements[0]->node);
        const auto* columns = std::get_if<SliceExpr>(&several->elements[1]->node);
        if (rows && !is_all(several->elements[1])) throw NotOfHeap{"a view of columns of an array"};
        if (rows) return require_adjacent(*rows), infer_view(array, type);
        if (columns) return require_adjacent(*columns), infer_view(part(array, 1), type);
    }
    if (is(index, HeapKind::Unknown)) return;
    const std::vector<Type> all = is(index, HeapKind::Tuple) ? root(index)->parts : std::vector{index};
    for (const Type one : all) {
        if (is(one, HeapKind::Unknown)) return;
        if (!is_whole(one)) throw NotOfHeap{"an index of an array that is no integer"};
    }
    if (all.size() > root(array)->rank || all.empty()) throw NotOfHeap{"an index of an array of fewer dimensions"};
    if (all.size() == root(array)->rank) return flow(part(array), type);
    unify(part(array, 1), type);
}

}  // namespace sluice::frontend
