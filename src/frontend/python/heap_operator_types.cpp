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

void HeapTypes::infer_binary(BinaryOp op, Type left, Type right, Type type) {
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
    const unsigned both = root(left)->numbers | root(right)->numbers;
    const bool bits = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
    unsigned result = (both & kReal) | ((both & (kInteger | kTruth)) != 0 ? kInteger : 0);
    if (op == BinaryOp::Div) result = kReal;
    if (bits && both == kTruth) result = kTruth;
    if ((both & kReal) != 0 && (root(left)->numbers == kReal || root(right)->numbers == kReal)) result = kReal;
    flow(number(result), type);
}

std::string HeapTypes::known_constant(const std::string& name) {
    static const std::map<std::string, std::string> kConstants{
        {"inf", "float(\"inf\")"}, {"pi", "3.141592653589793"}, {"e", "2.718281828459045"}, {"tau", "6.283185307179586"}};
    const std::size_t point = name.find('.');
    const std::string module = name.substr(0, point);
    if (point == std::string::npos || (module != "math" && (module != "numpy" || name == "numpy.tau"))) return {};
    const auto known = kConstants.find(name.substr(point + 1));
    return known == kConstants.end() ? std::string() : known->second;
}

}  // namespace sluice::frontend
