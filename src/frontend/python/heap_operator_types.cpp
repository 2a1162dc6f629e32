// The types of values of Python's by their forms, and of what operators give for operands.
#include "frontend/python/heap_types.h"

namespace sluice::frontend {

using namespace code;

/// The type of a value of Python's that comes in this form (bindings/objects.h).
HeapTypes::Type HeapTypes::of_form(const std::string& form, std::size_t& at) {
    const char kind = form.at(at++);
    switch (kind) {
        case 'i':
            return number(kInteger);
        case 'f':
            return number(kReal);
        case 'b':
            return number(kTruth);
        case 't':
            return fresh(HeapKind::Text);
        case 'I':
            return number(kInt64);
        case 'F':
            return number(kFloat64);
        case 'B':
            return number(kBool);
        case '?':
            return fresh();
        case 'N':
            return fresh(HeapKind::None);
        case '(': {
            std::vector<Type> parts;
            while (form.at(at) != ')') parts.push_back(of_form(form, at));
            ++at;
            return fresh(HeapKind::Tuple, parts);
        }
        case 'a':
        case 'c': {
            const unsigned rank = static_cast<unsigned>(form.at(at++) - '0');
            const char element = form.at(at++);
            const Type type = array_of(element == 'I' ? kInt64 : element == 'F' ? kFloat64 : kBool, rank);
            if (kind == 'c') freeze(type);
            return type;
        }
        case 'd': {
            const Type key = of_form(form, at), value = of_form(form, at);
            return fresh(HeapKind::Dict, {key, value});
        }
        default: {
            const HeapKind made = kind == 'l'   ? HeapKind::List
                                  : kind == 'r' ? HeapKind::Row
                                  : kind == 'q' ? HeapKind::Queue
                                                : HeapKind::Set;
            const Type type = fresh(made, {of_form(form, at)});
            if (kind == 'z') type->missing = "frozenset";
            return type;
        }
    }
}

/// Of what types the result of numbers may be.
unsigned HeapTypes::of_numbers(BinaryOp op, unsigned left, unsigned right) const {
    const unsigned both = left | right;
    const bool bits = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
    if ((both & kOfNumPy) == 0) {
        unsigned result = (both & kReal) | ((both & (kInteger | kTruth)) != 0 ? kInteger : 0);
        if (op == BinaryOp::Div) result = kReal;
        if (bits && both == kTruth) result = kTruth;
        if ((both & kReal) != 0 && (left == kReal || right == kReal)) result = kReal;
        return result;
    }
    unsigned result = 0;
    for (unsigned a = 1; a <= kBool; a *= 2)
        for (unsigned b = 1; b <= kBool; b *= 2) {
            if ((left & a) == 0 || (right & b) == 0) continue;
            const unsigned pair = a | b;
            if ((pair & kOfNumPy) == 0)
                result |= of_numbers(op, a, b);
            else if ((pair & ~(kTruth | kBool)) == 0 && op != BinaryOp::Div)
                result |= bits ? kBool : throw NotOfHeap{"arithmetic of NumPy's truths"};
            else
                result |= op == BinaryOp::Div || (pair & (kReal | kFloat64)) != 0 ? kFloat64 : kInt64;
        }
    return result;
}

/// `-x`, `+x`, `~x`, `not x`
void HeapTypes::infer_negation(UnaryOp op, Type operand, Type type) {
    if (op == UnaryOp::Not) {
        if (is(operand, HeapKind::Array)) throw NotOfHeap{"the truth of an array"};
        return flow(number(kTruth), type);
    }
    if (is(operand, HeapKind::Other)) return flow(operand, type);
    if (is(operand, HeapKind::Array)) {
        const unsigned element = root(part(operand))->numbers;
        if (op != UnaryOp::Minus || element == kBool) throw NotOfHeap{"this operator of an array"};
        if (element != 0) made_array(type, element, root(operand)->rank);
        return;
    }
    if (!is(operand, HeapKind::Number)) return;
    const unsigned numbers = root(operand)->numbers;
    if (!is_of_numpy(operand)) return flow(number(numbers == kReal ? kReal : kInteger), type);
    if ((numbers & kBool) != 0 && (op != UnaryOp::Invert || numbers != kBool)) throw NotOfHeap{"arithmetic of NumPy's truths"};
    flow(number((numbers & kTruth) != 0 ? (numbers & ~kTruth) | kInteger : numbers), type);
}

/// Truths of Python's, or where a number of NumPy's is compared, of NumPy's.
void HeapTypes::infer_comparison(const CompareExpr& n, const std::vector<Type>& all, Type type) {
    unsigned result = 0;
    for (std::size_t at = 0; at < n.ops.size(); ++at) {
        const CompareOp op = n.ops[at];
        const bool of_values = op != CompareOp::In && op != CompareOp::NotIn && op != CompareOp::Is && op != CompareOp::IsNot;
        const Type left = all[at], right = all[at + 1];
        if (of_values && (is(left, HeapKind::Array) || is(right, HeapKind::Array))) throw NotOfHeap{"a comparison of whole arrays"};
        if (with_arrays_ && of_values && (is(left, HeapKind::Unknown) || is(right, HeapKind::Unknown))) return;
        const auto always = [&](Type one) { return is(one, HeapKind::Number) && (root(one)->numbers & ~kOfNumPy) == 0; };
        if (!of_values || !(is_of_numpy(left) || is_of_numpy(right)))
            result |= kTruth;
        else
            result |= always(left) || always(right) ? kBool : kBool | kTruth;
    }
    flow(number(result), type);
}

void HeapTypes::infer_binary(BinaryOp op, Type left, Type right, Type type) {
    if (op == BinaryOp::MatMul) return infer_product(left, right, type);
    if (is(left, HeapKind::Array) || is(right, HeapKind::Array)) {
        if (const unsigned element = of_elements(op, left, right); element != 0)
            made_array(type, element, root(is(left, HeapKind::Array) ? left : right)->rank);
        return;
    }
    if (op == BinaryOp::Mod && is(left, HeapKind::Text)) return unify(left, type);
    const bool sequences = is_sequence(left) || is_sequence(right), texts = is(left, HeapKind::Text) || is(right, HeapKind::Text);
    if (op == BinaryOp::Add && (sequences || texts)) {
        if (is(left, HeapKind::Unknown) || is(right, HeapKind::Unknown)) {
            return like(is(left, HeapKind::Unknown) ? right : left, type);
        }
        if (texts) return unify(left, right), unify(left, type);
        if (kind(left) != kind(right)) throw NotOfHeap{"a sum of sequences of two kinds"};
        return like(left, type), like(right, type);
    }
    if (op == BinaryOp::Add && is(left, HeapKind::Tuple) && is(right, HeapKind::Tuple)) {
        std::vector<Type> parts = root(left)->parts;
        parts.insert(parts.end(), root(right)->parts.begin(), root(right)->parts.end());
        return flow(fresh(HeapKind::Tuple, parts), type);
    }
    if (op == BinaryOp::Mul && (sequences || texts)) {
        return like(is_sequence(left) || is(left, HeapKind::Text) ? left : right, type);
    }
    const auto either = [&](HeapKind one) { return is(left, one) || is(right, one); };
    if (either(HeapKind::Set) || either(HeapKind::Dict)) {
        if (either(HeapKind::Unknown)) return;
        const bool defaults = is(left, HeapKind::Dict) && (!root(left)->missing.empty() || !root(right)->missing.empty());
        if (kind(left) != kind(right) || defaults) throw NotOfHeap{"arithmetic of these values"};
        return unify_elements(left, right), like(left, type);
    }
    if (is(left, HeapKind::Unknown) || is(right, HeapKind::Unknown)) return;
    if (is(left, HeapKind::Other) || is(right, HeapKind::Other)) return flow(fresh(HeapKind::Other), type);
    if (!is(left, HeapKind::Number) || !is(right, HeapKind::Number)) throw NotOfHeap{"arithmetic of these values"};
    flow(number(of_numbers(op, root(left)->numbers, root(right)->numbers)), type);
}

void HeapTypes::infer_subscript(const ExprPtr& e, const SubscriptExpr& n, Type type, Scope& scope) {
    const Type object = infer(n.object, scope);
    const Type index = infer(n.index, scope);
    if (is_instance(object)) return void(stands_for(e, make_method(n.object, "__getitem__", {n.index}), type, scope));
    if (is(object, HeapKind::Array)) return infer_array_subscript(object, index, n, type);
    if (std::holds_alternative<SliceExpr>(n.index->node)) {
        if (is(object, HeapKind::Tuple)) throw NotOfHeap{"a slice of a tuple"};
        if (!is(object, HeapKind::Unknown)) like(object, type);
        return;
    }
    if (is_sequence(object)) return flow(part(object), type);
    if (is(object, HeapKind::Text)) return unify(object, type);
    if (is(object, HeapKind::Dict)) return flow(index, part(object, 0)), flow(part(object, 1), type);
    if (is(object, HeapKind::Tuple)) {
        const auto at = integer_in(n.index);
        const auto count = static_cast<std::int64_t>(root(object)->parts.size());
        if (!at) return flow(element_of(object), type);
        if (*at >= count || *at < -count) throw NotOfHeap{"an index outside of a tuple"};
        return flow(part(object, static_cast<std::size_t>(*at < 0 ? *at + count : *at)), type);
    }
    if (is(object, HeapKind::Other)) {  // An array of the caller's.
        for (const Type one : is(index, HeapKind::Tuple) ? root(index)->parts : std::vector{index}) {
            if (is(one, HeapKind::Unknown)) return;
            if (!is_whole(one)) throw NotOfHeap{"an index of an array that is no integer"};
        }
        return flow(object, type);
    }
    const bool unknown = is(object, HeapKind::Unknown) || (is(object, HeapKind::None) && raises_in_python());
    if (!unknown) throw NotOfHeap{"an element of this value"};
}

std::string HeapTypes::known_constant(const std::string& name) {
    static const std::map<std::string, std::string> kConstants{{"inf", "float(\"inf\")"},
                                                               {"nan", "float(\"nan\")"},
                                                               {"pi", "3.141592653589793"},
                                                               {"e", "2.718281828459045"},
                                                               {"tau", "6.283185307179586"}};
    const std::size_t point = name.find('.');
    const std::string module = name.substr(0, point);
    if (point == std::string::npos || (module != "math" && (module != "numpy" || name == "numpy.tau"))) return {};
    const auto known = kConstants.find(name.substr(point + 1));
    return known == kConstants.end() ? std::string() : known->second;
}

}  // namespace sluice::frontend
