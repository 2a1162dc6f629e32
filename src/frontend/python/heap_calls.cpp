// What calls of Python's functions, of its modules and of methods give: types for heap_types.cpp.
#include <algorithm>

#include "code/displays.h"
#include "code/encoded.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_types.h"

namespace sluice::frontend {

using namespace code;

/// What a function or lambda gives for such arguments.
HeapTypes::Type HeapTypes::applied(const ExprPtr& function, const std::vector<Type>& arguments, Scope& scope) {
    if (const auto* lambda = std::get_if<LambdaExpr>(&function->node)) {
        std::vector<ExprPtr>& parameters = lambda_parameters_[function.get()];
        if (parameters.empty())
            for (const std::string& name : lambda->parameters) parameters.push_back(make_name(name));
        Scope& own = scope_of(function, scope, parameters);
        if (lambda->parameters.size() != arguments.size()) throw NotOfHeap{"a lambda of other parameters"};
        for (std::size_t at = 0; at < arguments.size(); ++at)
            if (!is(arguments[at], HeapKind::Unknown)) flow(arguments[at], own.names.at(lambda->parameters[at]).type);
        return infer(lambda->body, own);
    }
    if (Routine* called = function_named(std::string(name_of(function)), scope)) {
        const auto& parameters = called->statement->parameters;
        for (std::size_t at = 0; at < arguments.size() && at < parameters.size(); ++at)
            flow(arguments[at], called->scope.names.at(parameters[at].name).type);
        return root(called->result);
    }
    const std::string name = known_function(function, scope);
    static const std::set<std::string> kIntegers{"len", "int", "ord", "abs", "sum"};
    if (name == "str" || name == "chr") return fresh(HeapKind::Text);
    if (name == "float") return number(kReal);
    if (name == "list" || name == "sorted") return fresh(HeapKind::List, {element_of(arguments.at(0))});
    if (name == "tuple") return fresh(HeapKind::Row, {element_of(arguments.at(0))});
    if (name.starts_with("operator.")) {
        const Type result = fresh();
        infer_binary(name == "operator.mul"       ? BinaryOp::Mul
                     : name == "operator.truediv" ? BinaryOp::Div
                                                  : BinaryOp::Add,
                     arguments.at(0), arguments.at(arguments.size() - 1), result);
        return root(result);
    }
    if (name == "max" || name == "min") return arguments.at(0);
    if (kIntegers.contains(name)) return number(kInteger);
    if (name.starts_with("math.")) return number(name == "math.gcd" || name == "math.lcm" ? kInteger : kReal);
    throw NotOfHeap{"a function as a value"};
}

void HeapTypes::infer_call(const ExprPtr& e, const CallExpr& n, Type type, Scope& scope) {
    if (const auto* parts = formatted_parts(e)) {
        for (const ExprPtr& one : *parts) infer(one, scope);
        return unify(fresh(HeapKind::Text), type);
    }
    const std::string plain(name_of(n.function));
    for (const char* other : {kTry, kExcept, kElse, kFinally, kYield, kNonlocal})
        if (plain == other) throw NotOfHeap{"exceptions or generators"};
    if (plain == "{}") {  // `{a, b}`, `{x for ...}`
        if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::Set, {fresh()}), type);
        for (const ExprPtr& one : n.arguments) {
            if (n.arguments.size() == 1 && std::holds_alternative<ComprehensionExpr>(one->node))
                return flow(element_of(one, scope), part(type));
            if (const auto* all = std::get_if<ListExpr>(&one->node)) {  // Of a display: code/displays.h.
                for (const ExprPtr& each : all->elements) flow(infer(each, scope), part(type));
                return;
            }
            flow(infer(one, scope), part(type));
        }
        return;
    }
    if (plain == "{:}") {  // `{k: v for ...}`
        if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::Dict, {fresh(), fresh()}), type);
        const Type pair = element_of(n.arguments.at(0), scope);
        if (is(pair, HeapKind::Unknown)) return;
        return flow(part(pair, 0), part(type, 0)), flow(part(pair, 1), part(type, 1));
    }
    if (plain == kMergedOf) {  // `{**d, "k": v}`
        if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::Dict, {fresh(), fresh()}), type);
        for (const ExprPtr& one : n.arguments)
            if (const Type merged = infer(one, scope); is(merged, HeapKind::Dict))
                unify_elements(merged, type);
            else if (!is(merged, HeapKind::Unknown))
                throw NotOfHeap{"`**` of this value"};
        return;
    }
    if (infer_object_call(e, n, type, scope)) return;
    if (Routine* called = function_named(plain, scope)) {
        if (called == entry_) throw NotOfHeap{"a program that calls itself"};
        flow_arguments(*called, 0, n, scope);
        return flow(called->result, type);
    }
    if (plain == "_sluice_given" || known_function(n.function, scope) == "sluice.explicit.given") {
        const Type given = infer(n.arguments.at(0), scope);
        freeze(given);
        return flow(given, type);
    }
    if (const std::string name = known_function(n.function, scope); !name.empty()) return infer_builtin(name, n, type, scope);
    if (const auto* method = std::get_if<AttributeExpr>(&n.function->node)) return infer_method(*method, n, type, scope);
    if (const auto* lambda = std::get_if<LambdaExpr>(&n.function->node)) {
        std::vector<Type> all;
        for (const ExprPtr& one : n.arguments) all.push_back(infer(one, scope));
        (void)lambda;
        return flow(applied(n.function, all, scope), type);
    }
    for (const ExprPtr& one : n.arguments)
        if (holds_objects(infer(one, scope)))
            throw NotOfHeap{"an object for " + code::to_string(*n.function) + ", which is not known"};
    flow(fresh(HeapKind::Other), type);
}

namespace {

struct Signature {
    std::size_t most;  ///< Arguments by position.
    std::set<std::string> keywords = {};
};

/// What is given beyond what is understood is left to the front end, which knows Python's signatures.
void require(const std::map<std::string, Signature>& signatures, const std::string& name, const CallExpr& n) {
    const auto known = signatures.find(name);
    if (known == signatures.end()) return;
    const bool others = std::ranges::any_of(n.keywords, [&](const Keyword& k) { return !known->second.keywords.contains(k.name); });
    if (others || n.arguments.size() > known->second.most) throw NotOfHeap{"further arguments of " + name};
}

constexpr std::size_t kAny = 1000;

}  // namespace

void HeapTypes::infer_builtin(const std::string& name, const CallExpr& n, Type type, Scope& scope) {
    static const std::map<std::string, Signature> kSignatures{
        {"list", {1}},  {"tuple", {1}},         {"sorted", {1, {"key", "reverse"}}},
        {"set", {1}},   {"dict", {1}},          {"enumerate", {2, {"start"}}},
        {"sum", {2}},   {"any", {1}},           {"min", {kAny, {"key", "default"}}},
        {"all", {1}},   {"bool", {1}},          {"max", {kAny, {"key", "default"}}},
        {"len", {1}},   {"int", {2, {"base"}}}, {"reversed", {1}},
        {"ord", {1}},   {"float", {1}},         {"frozenset", {1}},
        {"str", {1}},   {"chr", {1}},           {"hex", {1}},
        {"bin", {1}},   {"oct", {1}},           {"abs", {1}},
        {"round", {2}}, {"divmod", {2}},        {"pow", {3}},
        {"range", {3}}, {"zip", {kAny}},        {"map", {kAny}},
        {"filter", {2}}};
    if (infer_array_function(name, n, type, scope)) return;
    require(kSignatures, name, n);
    const auto argument = [&](std::size_t at) -> Type { return infer(n.arguments.at(at), scope); };
    const auto keyword = [&](const char* wanted) -> ExprPtr {
        const auto given = std::ranges::find(n.keywords, wanted, &Keyword::name);
        return given == n.keywords.end() ? nullptr : given->value;
    };
    const auto list_of = [&](Type element, HeapKind kind = HeapKind::List) {
        if (is(type, HeapKind::Unknown)) unify(fresh(kind, {fresh()}), type);
        if (!is(element, HeapKind::Unknown)) flow(element, part(type));
    };
    const auto key = [&](Type element) {
        if (const ExprPtr by = keyword("key"); by && !is(element, HeapKind::Unknown)) applied(by, {element}, scope);
        if (const ExprPtr backwards = keyword("reverse")) infer(backwards, scope);
    };
    const auto is_one_of = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* one) { return name == one; });
    };
    for (const ExprPtr& one : n.arguments)
        if (std::holds_alternative<StarredExpr>(one->node) && name != "zip") throw NotOfHeap{"a starred argument"};
    if (name == "range" || name == "range.__call__") {
        for (std::size_t at = 0; at < n.arguments.size(); ++at) argument(at);
        return list_of(number(kInteger));
    }
    if (name == "list" || name == "tuple" || name == "sorted" || name == "reversed") {
        const HeapKind kind = name == "tuple" ? HeapKind::Row : HeapKind::List;
        if (n.arguments.empty()) return list_of(fresh(), kind);
        const Type element = element_of(n.arguments[0], scope);
        key(element);
        return list_of(element, kind);
    }
    if (name == "set" || name == "frozenset") {
        if (is(type, HeapKind::Unknown)) {
            const Type made = fresh(HeapKind::Set, {fresh()});
            if (name == "frozenset") made->missing = name;
            unify(made, type);
        }
        return n.arguments.empty() ? void() : list_of(element_of(n.arguments[0], scope));
    }
    if (name == "dict") {
        if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::Dict, {fresh(), fresh()}), type);
        if (n.arguments.empty()) return;
        if (!n.keywords.empty()) throw NotOfHeap{"keywords of dict"};
        const Type from = argument(0);
        if (is(from, HeapKind::Dict)) return flow(part(from, 0), part(type, 0)), flow(part(from, 1), part(type, 1));
        const Type pair = is(from, HeapKind::Unknown) ? from : element_of(from);
        if (is(pair, HeapKind::Unknown)) return;
        return flow(part(pair, 0), part(type, 0)), flow(part(pair, 1), part(type, 1));
    }
    if (name == "enumerate") {
        const Type element = element_of(n.arguments.at(0), scope);
        if (n.arguments.size() > 1) argument(1);
        for (const Keyword& one : n.keywords) infer(one.value, scope);
        return is(element, HeapKind::Unknown) ? void() : list_of(fresh(HeapKind::Tuple, {number(kInteger), element}));
    }
    if (name == "zip") {
        if (n.arguments.size() == 1)
            if (const auto* all = std::get_if<StarredExpr>(&n.arguments[0]->node)) {
                const Type row = element_of(all->value, scope);
                if (is(row, HeapKind::Unknown)) return;
                return list_of(fresh(HeapKind::Row, {element_of(row)}));
            }
        std::vector<Type> parts;
        for (const ExprPtr& one : n.arguments) {
            parts.push_back(element_of(one, scope));
            if (is(parts.back(), HeapKind::Unknown)) return;
        }
        return list_of(fresh(HeapKind::Tuple, parts));
    }
    if (name == "map" || name == "filter") {
        std::vector<Type> elements;
        for (std::size_t at = 1; at < n.arguments.size(); ++at) {
            elements.push_back(element_of(n.arguments[at], scope));
            if (is(elements.back(), HeapKind::Unknown)) return;
        }
        const bool none = std::holds_alternative<ConstantExpr>(n.arguments.at(0)->node);
        const Type result = none ? elements.at(0) : applied(n.arguments[0], elements, scope);
        return list_of(name == "map" ? result : elements.at(0));
    }
    if (name == "sum") {
        const Type element = element_of(n.arguments.at(0), scope);
        if (n.arguments.size() > 1) argument(1);
        if (is(element, HeapKind::Number)) {
            const bool may_be_none = !given_.empty() && n.arguments.size() < 2;  // Then it is the integer 0.
            const unsigned numbers = of_numbers(BinaryOp::Add, root(element)->numbers, kInteger);
            return flow(number(may_be_none ? numbers | kInteger : numbers), type);
        }
        if (!is(element, HeapKind::Unknown)) throw NotOfHeap{"a sum of these values"};
        return;
    }
    if (name == "min" || name == "max") {
        if (n.arguments.size() == 1) {
            const Type element = element_of(n.arguments[0], scope);
            key(element);
            if (const ExprPtr otherwise = keyword("default")) flow(infer(otherwise, scope), type);
            return flow(element, type);
        }
        for (std::size_t at = 0; at < n.arguments.size(); ++at) {
            const Type one = argument(at);
            key(one);
            flow(one, type);
        }
        return;
    }
    if (is_one_of({"any", "all"})) return element_of(n.arguments.at(0), scope), flow(number(kTruth), type);
    if (name == "bool") return argument(0), flow(number(kTruth), type);
    if (name == "int" && n.arguments.size() + n.keywords.size() > 1) {
        if (const Type text = argument(0); !is(text, HeapKind::Unknown) && !is(text, HeapKind::Text))
            throw NotOfHeap{"int of a number in another base"};
        infer(n.keywords.empty() ? n.arguments.at(1) : n.keywords[0].value, scope);
        return flow(number(kInteger), type);
    }
    if (is_one_of({"len", "int", "ord"})) return argument(0), flow(number(kInteger), type);
    if (name == "float") return argument(0), flow(number(kReal), type);
    if (name == "format") return argument(0), unify(fresh(HeapKind::Text), type);
    if (is_one_of({"str", "chr", "hex", "bin", "oct"})) {
        if (!n.arguments.empty()) argument(0);
        return unify(fresh(HeapKind::Text), type);
    }
    if (is_one_of({"abs", "round"})) {
        const Type one = argument(0);
        if (n.arguments.size() > 1) argument(1);
        if (is_of_numpy(one) && ((root(one)->numbers & kBool) != 0 || n.arguments.size() > 1))
            throw NotOfHeap{name + " of a number of NumPy's"};
        if (name == "round" && n.arguments.size() == 1) return flow(number(kInteger), type);
        return is(one, HeapKind::Number) && root(one)->numbers == kTruth ? flow(number(kInteger), type) : flow(one, type);
    }
    if (name == "divmod") {
        const Type left = argument(0), right = argument(1), one = fresh();
        infer_binary(BinaryOp::FloorDiv, left, right, one);
        return is(one, HeapKind::Unknown) ? void() : flow(fresh(HeapKind::Tuple, {one, one}), type);
    }
    if (name == "pow") {
        if (n.arguments.size() == 3) return argument(0), argument(1), argument(2), flow(number(kInteger), type);
        const Type left = argument(0), right = argument(1);
        return infer_binary(BinaryOp::Pow, left, right, type);
    }
    if (name.starts_with("math.")) {
        for (std::size_t at = 0; at < n.arguments.size(); ++at)
            if (holds_objects(argument(at))) throw NotOfHeap{"an object for a function of math"};
        const bool whole = is_one_of({"math.gcd", "math.lcm", "math.isqrt", "math.factorial", "math.comb", "math.perm",
                                      "math.floor", "math.ceil", "math.trunc"});
        const bool truth = is_one_of({"math.isnan", "math.isinf", "math.isfinite", "math.isclose"});
        return flow(number(whole ? kInteger : truth ? kTruth : kReal), type);
    }
    if (name == "collections.deque") {
        if (!n.keywords.empty() || n.arguments.size() > 1) throw NotOfHeap{"a deque with a length"};
        return list_of(n.arguments.empty() ? fresh() : element_of(n.arguments[0], scope), HeapKind::Queue);
    }
    if (name == "collections.Counter" || name == "collections.defaultdict") {
        const bool counts = name == "collections.Counter";
        if (is(type, HeapKind::Unknown)) {
            const Type made = fresh(HeapKind::Dict, {fresh(), counts ? number(kInteger) : fresh()});
            made->missing = "Counter";
            if (!counts) {
                if (n.arguments.size() != 1) throw NotOfHeap{"a defaultdict of these arguments"};
                made->missing = std::string(name_of(n.arguments[0]));
                if (const auto* lambda = std::get_if<LambdaExpr>(&n.arguments[0]->node))
                    if (const auto known = integer_in(lambda->body)) made->missing = std::to_string(*known);
                const bool whole = made->missing == "int" || (!made->missing.empty() && std::isdigit(made->missing.back()) != 0);
                if (whole)
                    flow(number(kInteger), made->parts[1]);
                else if (made->missing == "float")
                    flow(number(kReal), made->parts[1]);
                else if (made->missing == "list")
                    unify(fresh(HeapKind::List, {fresh()}), made->parts[1]);
                else if (made->missing == "set")
                    unify(fresh(HeapKind::Set, {fresh()}), made->parts[1]);
                else if (made->missing == "str")
                    unify(fresh(HeapKind::Text), made->parts[1]);
                else
                    throw NotOfHeap{"a defaultdict of this function"};
            }
            unify(made, type);
        }
        if (counts && !n.arguments.empty()) {
            const Type from = argument(0);
            if (is(from, HeapKind::Dict)) return flow(part(from, 0), part(type, 0));
            if (!is(from, HeapKind::Unknown)) flow(element_of(from), part(type, 0));
        }
        return;
    }
    if (name == "heapq.heappush") return flow(argument(1), element_of(argument(0))), unify(fresh(HeapKind::None), type);
    if (name == "heapq.heapify") return argument(0), unify(fresh(HeapKind::None), type);
    if (name == "heapq.heappop") return flow(element_of(argument(0)), type);
    if (name == "heapq.heappushpop" || name == "heapq.heapreplace")
        return flow(argument(1), element_of(argument(0))), flow(element_of(argument(0)), type);
    if (name == "heapq.nlargest" || name == "heapq.nsmallest") {
        argument(0);
        const Type element = element_of(n.arguments.at(1), scope);
        key(element);
        return list_of(element);
    }
    if (name.starts_with("bisect.")) {
        if (n.arguments.size() != 2 || !n.keywords.empty()) throw NotOfHeap{"bisect with bounds"};
        const Type list = argument(0), value = argument(1);
        if (name.starts_with("bisect.insort")) return flow(value, element_of(list)), unify(fresh(HeapKind::None), type);
        return flow(number(kInteger), type);
    }
    if (name == "functools.reduce") {
        const Type element = element_of(n.arguments.at(1), scope);
        if (n.arguments.size() > 2) flow(argument(2), type);
        if (is(element, HeapKind::Unknown)) return;
        if (n.arguments.size() < 3) flow(element, type);
        return is(type, HeapKind::Unknown) ? void() : flow(applied(n.arguments[0], {type, element}, scope), type);
    }
    if (name == "itertools.product" || name == "itertools.combinations" || name == "itertools.permutations" ||
        name == "itertools.pairwise" || name == "itertools.combinations_with_replacement") {
        std::vector<Type> parts;
        const ExprPtr repeat = keyword("repeat");
        const bool product = name == "itertools.product", pairs = name == "itertools.pairwise";
        const std::size_t lists = product ? n.arguments.size() : 1;
        for (std::size_t at = 0; at < lists; ++at) {
            parts.push_back(element_of(n.arguments.at(at), scope));
            if (is(parts.back(), HeapKind::Unknown)) return;
        }
        const ExprPtr times = repeat ? repeat : !product && n.arguments.size() > 1 ? n.arguments[1] : nullptr;
        const auto count = pairs ? std::optional<std::int64_t>(2) : times ? integer_in(times) : std::optional<std::int64_t>(1);
        if (!count || *count < 1 || *count > 4 || (repeat && lists != 1) || (!product && !pairs && !times))
            throw NotOfHeap{"tuples whose length only the run knows"};
        if (lists == 1) parts.assign(static_cast<std::size_t>(*count), parts[0]);
        return list_of(fresh(HeapKind::Tuple, parts));
    }
    if (name == "itertools.chain") {
        for (const ExprPtr& one : n.arguments) list_of(element_of(one, scope));
        return;
    }
    if (name == "itertools.chain.from_iterable") {
        const Type row = element_of(n.arguments.at(0), scope);
        return is(row, HeapKind::Unknown) ? void() : list_of(element_of(row));
    }
    if (name == "itertools.accumulate") {
        if (n.arguments.size() > 2 || !n.keywords.empty()) throw NotOfHeap{"accumulate from a first value"};
        const Type element = element_of(n.arguments.at(0), scope);
        if (is(element, HeapKind::Unknown)) return;
        if (n.arguments.size() == 2) list_of(applied(n.arguments[1], {element, element}, scope));
        return list_of(element);
    }
    if (name == "itertools.repeat" && n.arguments.size() == 2) return argument(1), list_of(argument(0));
    throw NotOfHeap{"the function " + name};
}

void HeapTypes::infer_method(const AttributeExpr& method, const CallExpr& n, Type type, Scope& scope) {
    const std::string& name = method.name;
    static const std::map<std::string, Signature> kSignatures{{"append", {1}},
                                                              {"appendleft", {1}},
                                                              {"extend", {1}},
                                                              {"extendleft", {1}},
                                                              {"insert", {2}},
                                                              {"pop", {2}},
                                                              {"popleft", {0}},
                                                              {"index", {1}},
                                                              {"count", {1}},
                                                              {"remove", {1}},
                                                              {"rotate", {1}},
                                                              {"copy", {0}},
                                                              {"clear", {0}},
                                                              {"reverse", {0}},
                                                              {"sort", {0, {"key", "reverse"}}},
                                                              {"join", {1}},
                                                              {"split", {1}},
                                                              {"isalpha", {0}},
                                                              {"isdigit", {0}},
                                                              {"isalnum", {0}},
                                                              {"isupper", {0}},
                                                              {"islower", {0}},
                                                              {"isspace", {0}},
                                                              {"startswith", {1}},
                                                              {"endswith", {1}},
                                                              {"find", {1}},
                                                              {"rfind", {1}},
                                                              {"upper", {0}},
                                                              {"lower", {0}},
                                                              {"strip", {1}},
                                                              {"lstrip", {1}},
                                                              {"rstrip", {1}},
                                                              {"replace", {2}},
                                                              {"zfill", {1}},
                                                              {"ljust", {2}},
                                                              {"rjust", {2}},
                                                              {"swapcase", {0}},
                                                              {"capitalize", {0}},
                                                              {"get", {2}},
                                                              {"setdefault", {2}},
                                                              {"keys", {0}},
                                                              {"values", {0}},
                                                              {"items", {0}},
                                                              {"most_common", {1}},
                                                              {"update", {1}},
                                                              {"add", {1}},
                                                              {"discard", {1}},
                                                              {"union", {kAny}},
                                                              {"difference", {kAny}},
                                                              {"intersection", {kAny}},
                                                              {"issubset", {1}},
                                                              {"issuperset", {1}},
                                                              {"isdisjoint", {1}},
                                                              {"bit_length", {0}},
                                                              {"bit_count", {0}},
                                                              {"symmetric_difference", {1}},
                                                              {"tolist", {0}}};
    const auto argument = [&](std::size_t at) -> Type { return infer(n.arguments.at(at), scope); };
    const auto is_one_of = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* one) { return name == one; });
    };
    const auto none = [&] {
        if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::None), type);
    };
    const auto given = arguments_.find(std::string(name_of(method.object)));
    if (name == "tolist" && given != arguments_.end() && given->second.shape) {
        infer(method.object, scope);
        const Scalar scalar = given->second.dtype.scalar;
        Type element = number(scalar == Scalar::Bool ? kTruth : is_integer(scalar) ? kInteger : kReal);
        if (is_complex(scalar) || given->second.shape->size() > 2) throw NotOfHeap{"an array of this type"};
        for (std::size_t at = 0; at < given->second.shape->size(); ++at) element = fresh(HeapKind::List, {element});
        if (given->second.shape->size() > 1) element->rows_given = true;
        return is(type, HeapKind::Unknown) ? unify(element, type) : void();
    }
    const Type object = infer(method.object, scope);
    if (name == "format" && is(object, HeapKind::Text)) {
        for (const ExprPtr& one : n.arguments) infer(one, scope);
        for (const Keyword& one : n.keywords) infer(one.value, scope);
        return unify(object, type);
    }
    if (is(object, HeapKind::Array)) return infer_array_method(name, object, n, type, scope);
    if (is_of_numpy(object)) {  // `x.item()` is the number of Python's.
        const bool always = (root(object)->numbers & ~kOfNumPy) == 0;
        if (name != "item" || !n.arguments.empty() || !always) throw NotOfHeap{"the method " + name + " of a number of NumPy's"};
        return flow(number(root(object)->numbers >> 3U), type);
    }
    if (!is(object, HeapKind::Other)) require(kSignatures, name, n);
    if (is(object, HeapKind::Unknown) || (is(object, HeapKind::None) && raises_in_python())) {
        for (const ExprPtr& one : n.arguments)
            if (!std::holds_alternative<LambdaExpr>(one->node)) infer(one, scope);
        return;
    }
    if (is_sequence(object)) {
        const Type element = part(object);
        if (is_one_of({"append", "appendleft"})) return flow(argument(0), element), none();
        if (is_one_of({"extend", "extendleft"})) return flow(element_of(n.arguments.at(0), scope), element), none();
        if (name == "insert") return argument(0), flow(argument(1), element), none();
        if (is_one_of({"pop", "popleft"})) {
            if (!n.arguments.empty()) argument(0);
            return flow(element, type);
        }
        if (is_one_of({"index", "count"})) {
            const Type wanted = argument(0);
            if (is_object(wanted)) unify(wanted, element);
            if (n.arguments.size() > 1) throw NotOfHeap{"index within bounds"};
            return flow(number(kInteger), type);
        }
        if (name == "remove") {
            const Type wanted = argument(0);
            if (is_object(wanted)) unify(wanted, element);
            return none();
        }
        if (name == "rotate") {
            if (!n.arguments.empty()) argument(0);
            return none();
        }
        if (name == "copy") return like(object, type);
        if (is_one_of({"clear", "reverse", "sort"})) {
            for (const Keyword& keyword : n.keywords) {
                if (keyword.name == "key" && !is(element, HeapKind::Unknown)) applied(keyword.value, {element}, scope);
                if (keyword.name == "reverse") infer(keyword.value, scope);
            }
            return none();
        }
    }
    if (is(object, HeapKind::Text)) {
        if (name == "join") {
            const Type element = element_of(n.arguments.at(0), scope);
            if (!is(element, HeapKind::Unknown)) unify(element, object);
            return unify(fresh(HeapKind::Text), type);
        }
        for (std::size_t at = 0; at < n.arguments.size(); ++at) argument(at);
        if (is_one_of({"split"})) {
            if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::List, {fresh(HeapKind::Text)}), type);
            return;
        }
        if (is_one_of({"isalpha", "isdigit", "isalnum", "isupper", "islower", "isspace", "startswith", "endswith"}))
            return flow(number(kTruth), type);
        if (is_one_of({"find", "index", "count", "rfind"})) return flow(number(kInteger), type);
        if (is_one_of(
                {"upper", "lower", "strip", "lstrip", "rstrip", "replace", "zfill", "ljust", "rjust", "swapcase", "capitalize"}))
            return unify(fresh(HeapKind::Text), type);
    }
    if (is(object, HeapKind::Dict)) {
        const Type key = part(object, 0), value = part(object, 1);
        if (is_one_of({"get", "setdefault", "pop"})) {
            flow(argument(0), key);
            const bool two = n.arguments.size() == 2;
            if (!two && name != "pop") throw NotOfHeap{"get without another value"};
            if (two) flow(argument(1), name == "setdefault" ? value : type);
            return flow(value, type);
        }
        const auto list_of = [&](Type element) {
            if (is(element, HeapKind::Unknown)) return;
            if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::List, {fresh()}), type);
            flow(element, part(type));
        };
        const bool both = !is(key, HeapKind::Unknown) && !is(value, HeapKind::Unknown);
        if (name == "keys") return list_of(key);
        if (name == "values") return list_of(value);
        if (name == "items") return both ? list_of(fresh(HeapKind::Tuple, {key, value})) : void();
        if (name == "most_common") {
            if (!n.arguments.empty()) argument(0);
            return both ? list_of(fresh(HeapKind::Tuple, {key, value})) : void();
        }
        if (name == "clear") return none();
        if (name == "copy") return flow(object, type);
        if (name == "update" && root(object)->missing == "Counter") return flow(element_of(n.arguments.at(0), scope), key), none();
        if (name == "update") {
            const Type other = argument(0);
            if (is(other, HeapKind::Dict)) flow(part(other, 0), key), flow(part(other, 1), value);
            return none();
        }
    }
    if (is(object, HeapKind::Set)) {
        const bool changes = is_one_of({"add", "remove", "discard", "update", "clear"});
        if (changes && !root(object)->missing.empty()) throw NotOfHeap{"the method " + name + " of a frozenset"};
        if (is_one_of({"add", "remove", "discard"})) return flow(argument(0), part(object)), none();
        if (is_one_of({"update"})) return element_into(n.arguments.at(0), part(object), scope), none();
        if (name == "clear") return none();
        if (is_one_of({"union", "intersection", "difference", "symmetric_difference"})) {
            for (const ExprPtr& one : n.arguments) element_into(one, part(object), scope);
            return like(object, type);
        }
        if (name == "copy") return flow(object, type);
        if (is_one_of({"issubset", "issuperset", "isdisjoint"}))
            return element_into(n.arguments.at(0), part(object), scope), flow(number(kTruth), type);
    }
    if (is(object, HeapKind::Tuple) && is_one_of({"index", "count"})) return argument(0), flow(number(kInteger), type);
    if (is(object, HeapKind::Number) && is_one_of({"bit_length", "bit_count"})) return flow(number(kInteger), type);
    if (is(object, HeapKind::Other)) {
        for (std::size_t at = 0; at < n.arguments.size(); ++at)
            if (holds_objects(argument(at))) throw NotOfHeap{"an object for the method " + name + " of a value that is not known"};
        return flow(fresh(HeapKind::Other), type);
    }
    throw NotOfHeap{"the method " + name};
}

}  // namespace sluice::frontend
