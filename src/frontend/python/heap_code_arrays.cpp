// NumPy's numbers in what heap.cpp writes, as C++: types of operators, values, elements of arrays.
#include "frontend/array/syntax.h"
#include "frontend/python/heap_code.h"
#include "frontend/python/heap_types.h"

namespace sluice::frontend {

using namespace code;

/// Of operands of which one is NumPy's, or maybe: integers stay integers, but for `/`.
HeapCode::Type HeapCode::type_of_numpy(BinaryOp op, const Type& a, const Type& b) {
    const bool bits = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor || op == BinaryOp::ShiftLeft ||
                      op == BinaryOp::ShiftRight;
    const auto either = [&](const char* one) { return a == one || b == one; };
    const auto truth = [](const Type& type) { return type == "b" || type == "B"; };
    if (op == BinaryOp::MatMul) throw NotOfHeap{"a product of matrices"};
    if (bits && (either("p") || either("F") || either("f") || either("o"))) throw NotOfHeap{"bits of a float"};
    if (truth(a) && truth(b)) {
        if (bits && op != BinaryOp::ShiftLeft && op != BinaryOp::ShiftRight) return "B";
        return op == BinaryOp::Div ? "F" : throw NotOfHeap{"arithmetic of NumPy's truths"};
    }
    const auto always = [](const Type& type) { return type == "I" || type == "F" || type == "B"; };
    if (either("F") || (op == BinaryOp::Div && (always(a) || always(b)))) return "F";
    if (either("p") || either("o")) return "p";
    return either("f") ? "F" : "I";
}

/// `Q`: of Python's or of NumPy's.
HeapCode::Type HeapCode::type_of_comparison(const CompareExpr& n, Function& in) {
    Type all;
    for (std::size_t at = 0; at < n.ops.size(); ++at) {
        const CompareOp op = n.ops[at];
        if (op == CompareOp::In || op == CompareOp::NotIn || op == CompareOp::Is || op == CompareOp::IsNot) return "b";
        const Type left = type_of(n.operands[at], in), right = type_of(n.operands[at + 1], in);
        if (left.empty() || right.empty()) return {};
        const auto always = [](const Type& type) { return type == "I" || type == "F" || type == "B"; };
        const Type one = always(left) || always(right) ? "B" : is_of_numpy(left) || is_of_numpy(right) ? "Q" : "b";
        if (all.empty()) all = one;
        if (all != one) all = "Q";
    }
    return all;
}

HeapCode::Type HeapCode::type_of_array_function(const std::string& name, const CallExpr& n, Function& in) {
    const Type list = type_of(n.arguments.at(1), in);
    for (const std::size_t at : {2, 3}) type_of(n.arguments.at(at), in);
    if (list.size() < 2) return {};
    if (name == "max" || name == "min") return element_of(list);
    if (name == "any" || name == "all") return "B";
    return name == "mean" || (name == "sum" && list == "[F") ? "F" : "I";
}

std::string HeapCode::as_scalar(const std::string& text, const Type& type) {
    if (type == "p") return text;
    if (type == "o") return "heap::Scalar(" + text + ")";
    if (type == "b" || type == "B") return "heap::Scalar(int64_t(" + text + "), " + (type == "B" ? "true)" : "false)");
    return "heap::Scalar(" + text + ", " + (is_of_numpy(type) ? "true)" : "false)");
}

/// As the caller reads it (bindings/objects.h).
std::string HeapCode::form_of_number(const Type& type) {
    if (type.find('Q') != std::string::npos) throw NotOfHeap{"a truth of Python's or NumPy's, which only the run knows"};
    return type;
}

std::string HeapCode::arithmetic_of_numpy(BinaryOp op, const std::string& name, const std::string& a, const std::string& b,
                                          const Type& left, const Type& right) const {
    const Type result = type_of_numpy(op, left, right);
    const auto real = [](const std::string& text, const Type& type) {
        return type == "p" || type == "o" ? "heap::to_real(" + text + ")" : "double(" + text + ")";
    };
    if (name.empty()) {
        const std::string bits = op == BinaryOp::BitAnd ? " & " : op == BinaryOp::BitOr ? " | " : " ^ ";
        return result == "B" ? "bool(" + a + bits + b + ")" : "(int64_t(" + a + ")" + bits + "int64_t(" + b + "))";
    }
    if (result == "p") return "heap::" + name + "(" + as_scalar(a, left) + ", " + as_scalar(b, right) + ")";
    if (result == "F") return "heap::numpy::" + name + "(" + real(a, left) + ", " + real(b, right) + ")";
    return "heap::numpy::" + name + "(int64_t(" + a + "), int64_t(" + b + "))";
}

std::string HeapCode::comparison_of_numpy(const std::string& a, const std::string& b, const Type& left, const Type& right,
                                          const std::string& op) const {
    const auto is = [](const Type& type, const char* any) { return type.find_first_of(any) != std::string::npos; };
    if (!is(left, "po") && !is(right, "po")) {
        const std::string as = is(left, "fF") || is(right, "fF") ? "double(" : "int64_t(";
        return "(" + as + a + ")" + op + as + b + "))";
    }
    const std::string order = "heap::order(" + as_scalar(a, left) + ", " + as_scalar(b, right) + ")";
    if (op == " < ") return "(" + order + " == -1)";
    if (op == " > ") return "(" + order + " == 1)";
    if (op == " >= ") return "(unsigned(" + order + ") < 2)";
    return "(" + order + op + "0)";
}

/// `__h_as("I", x)`
std::string HeapCode::as_element(const CallExpr& e, Function& in) {
    const Type wanted = *text_of(e.arguments.at(0)), type = type_of(e.arguments.at(1), in);
    const std::string text = value(e.arguments[1], in);
    if (!is_number(type) && type != "b" && type != "B" && type != "Q") throw NotOfHeap{"an element of an array of this kind"};
    if (wanted == type) return text;
    if (wanted == "B") return "(" + (type == "p" || type == "o" ? "heap::truth(" + text + ")" : text + " != 0") + ")";
    if (wanted == "F") return type == "p" || type == "o" ? "heap::to_real(" + text + ")" : "double(" + text + ")";
    return is_number(type) ? "heap::cast_whole(" + text + ")" : "int64_t(" + text + ")";
}

/// `__h_numpy("sqrt", x)`
HeapCode::Type HeapCode::type_of_function_of_numpy(const std::string& name, const Type& type) {
    if (type.empty()) return {};
    if (name.starts_with("is")) return "B";
    if (name != "abs") return "F";
    if (type == "i" || type == "I") return "I";
    return type == "f" || type == "F" ? "F" : throw NotOfHeap{"numpy.abs of a number whose type only the run knows"};
}

std::string HeapCode::function_of_numpy(const std::string& name, const std::string& text) {
    if (name == "abs") return "heap::numpy::absolute(" + text + ")";
    const std::string call = "__builtin_" + name + "(heap::to_real(" + text + "))";
    return name.starts_with("is") ? "bool(" + call + ")" : call;
}

/// `__h_array("sum", elements, begin, count)`
std::string HeapCode::array_function(const CallExpr& e, Function& in) {
    return "heap::array_" + *text_of(e.arguments.at(0)) + "(" + place(std::string(name_of(e.arguments.at(1))), in) + ".data + " +
           value(e.arguments.at(2), in) + ", " + value(e.arguments.at(3), in) + ")";
}

}  // namespace sluice::frontend
