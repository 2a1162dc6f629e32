// Expressions of what heap.cpp writes, as C++.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap.h"
#include "frontend/python/heap_code.h"
#include "frontend/python/heap_types.h"
#include "frontend/python/tables.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// A float as C++ reads it back.
std::string spelled(double value) {
    if (value != value) return "__builtin_nan(\"\")";
    char text[40];
    std::snprintf(text, sizeof text, "%a", value);
    const std::string all(text);
    return all.find("inf") == std::string::npos ? all : value < 0 ? "(-__builtin_inf())" : "__builtin_inf()";
}

std::string spelled(std::int64_t value) {
    if (value == INT64_MIN) return "(-INT64_C(9223372036854775807) - 1)";
    return "INT64_C(" + std::to_string(value) + ")";
}

}  // namespace

std::string HeapCode::cpp(const Type& type) {
    if (type == "f" || type == "F") return "double";
    if (type == "b" || type == "B" || type == "Q") return "bool";
    if (type == "p") return "heap::Scalar";
    if (type == "o") return "heap::Open";
    if (type.starts_with("a")) return "const " + cpp(type.substr(2)) + "*";
    if (type.starts_with("[")) return "heap::List<" + cpp(element_of(type)) + ">";
    if (type.starts_with("k")) return "heap::Keys<" + cpp(element_of(type)) + ">";
    if (!type.starts_with("(")) return "int64_t";
    for (const Tuple& known : tuples_)
        if (known.type == type) return known.name;
    std::string fields, equal, order, hash;
    const auto parts = parts_of(type);
    bool whole = !parts.empty();
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const std::string field = "_" + std::to_string(at);
        whole = whole && (parts[at] == "i" || parts[at] == "b");
        fields += "    " + cpp(parts[at]) + " " + field + ";\n";
        equal += (at > 0 ? " && " : "") + std::string("a.") + field + " == b." + field;
        order += "        if (const int first = order(a." + field + ", b." + field + "); first != 0) return first;\n";
        hash = at == 0 ? "heap::hash_of(int64_t(a._0))" : "heap::mixed(" + hash + ", uint64_t(a." + field + "))";
    }
    std::string all = "struct NAME {\n" + fields + "    friend bool operator==(const NAME& a, const NAME& b) { return " +
                      (equal.empty() ? "true" : equal) +
                      "; }\n    friend int order(const NAME& a, const NAME& b) {\n        using heap::order;\n" + order +
                      "        (void)a, (void)b;\n        return 0;\n    }\n";
    if (whole) all += "    friend uint64_t hash_of(const NAME& a) { return " + hash + "; }\n";
    all += "};\n";
    const std::string own = "Tuple" + std::to_string(tuples_.size());  // Its parts may be tuples, which come before it.
    for (std::size_t at = all.find("NAME"); at != std::string::npos; at = all.find("NAME", at)) all.replace(at, 4, own);
    tuples_.push_back({type, own, all});
    return own;
}

std::string HeapCode::converted(const std::string& text, const Type& from, const Type& to) {
    if (from == to || to.empty() || from.empty()) return text;
    if (to == "p" && is_number(from)) return as_scalar(text, from);
    if (to == "o" && (from == "i" || from == "f")) return "heap::Open(" + text + ")";
    if (from.starts_with("(") && to.starts_with("(")) {
        const auto parts = parts_of(from), wanted = parts_of(to);
        const std::string one = "t" + std::to_string(names_++);
        std::string all = "({ const " + cpp(from) + " " + one + " = " + text + "; " + cpp(to) + "{";
        for (std::size_t at = 0; at < parts.size(); ++at)
            all += (at > 0 ? ", " : "") + converted(one + "._" + std::to_string(at), parts[at], wanted.at(at));
        return all + "}; })";
    }
    throw NotOfHeap{"values of several kinds"};
}

/// From one function's variables to those of the class of another around it.
std::string HeapCode::way(Function& in, const Function* owner) const {
    const Function* const own =
        in.inner.empty() && in.outer ? in.outer : &in;  // Without inner ones it is a function of that class.
    if (owner == main_) return own == main_ ? "" : "all.";
    std::string steps;
    for (const Function* one = own; one != owner; one = one->outer) steps += "outer->";
    return steps;
}

std::string HeapCode::place(const std::string& name, Function& in) const {
    const Function* const owner = holder(name, in);
    return (owner == &in ? "" : way(in, owner)) + "v_" + name;
}

std::string HeapCode::truth(const ExprPtr& e, Function& in) {
    if (const auto* several = std::get_if<BoolExpr>(&e->node)) {
        std::string all;
        for (const ExprPtr& one : several->operands) all += (all.empty() ? "" : several->is_and ? " && " : " || ") + truth(one, in);
        return "(" + all + ")";
    }
    if (const auto* no = std::get_if<UnaryExpr>(&e->node); no && no->op == UnaryOp::Not) return "!" + truth(no->operand, in);
    const Type type = type_of(e, in);
    if (type == "b" || type == "B" || type == "Q") return "(" + value(e, in) + ")";
    if (type.starts_with("(")) return parts_of(type).empty() ? "false" : "true";
    if (type == "n") return "false";
    return "heap::truth(" + value(e, in) + ")";
}

std::string HeapCode::arithmetic(BinaryOp op, const std::string& a, const std::string& b, const Type& left,
                                 const Type& right) const {
    static const std::map<BinaryOp, std::string> kFunctions{
        {BinaryOp::Add, "add"},     {BinaryOp::Sub, "sub"},       {BinaryOp::Mul, "mul"},
        {BinaryOp::Div, "truediv"}, {BinaryOp::Mod, "mod"},       {BinaryOp::FloorDiv, "floordiv"},
        {BinaryOp::Pow, "power"},   {BinaryOp::ShiftLeft, "shl"}, {BinaryOp::ShiftRight, "shr"}};
    if (is_of_numpy(left) || is_of_numpy(right)) {
        const auto known = kFunctions.find(op);
        return arithmetic_of_numpy(op, known == kFunctions.end() ? "" : known->second, a, b, left, right);
    }
    const auto number = [](const std::string& text, const Type& type) { return type == "b" ? "int64_t(" + text + ")" : text; };
    const std::string bits = op == BinaryOp::BitAnd ? " & " : op == BinaryOp::BitOr ? " | " : op == BinaryOp::BitXor ? " ^ " : "";
    if (!bits.empty() && left == "b" && right == "b") return "bool(" + a + bits + b + ")";
    if (!bits.empty()) return "(" + number(a, left) + bits + number(b, right) + ")";
    const bool real = left == "f" || right == "f", open = !real && (left == "o" || right == "o");
    const auto operand = [&](const std::string& text, const Type& type) {
        if (real && type != "f") return type == "o" ? "heap::to_real(" + text + ")" : "double(" + text + ")";
        return open && type != "o" ? "heap::Open(" + number(text, type) + ")" : number(text, type);
    };
    const std::string result = "heap::" + kFunctions.at(op) + "(" + operand(a, left) + ", " + operand(b, right) + ")";
    return open && op == BinaryOp::Div ? "heap::to_real(" + result + ")" : result;
}

std::string HeapCode::comparison(CompareOp op, const ExprPtr& left, const ExprPtr& right, Function& in) {
    if (op == CompareOp::In || op == CompareOp::NotIn) {
        const auto* range = std::get_if<CallExpr>(&right->node);
        if (!range || name_of(range->function) != "range" || range->arguments.size() > 2 || type_of(left, in) != "i")
            throw NotOfHeap{"a search in this value"};
        const bool from = range->arguments.size() == 2;
        const std::string one = value(left, in);
        return std::string(op == CompareOp::NotIn ? "!" : "") + "(" + (from ? value(range->arguments[0], in) : "0") + " <= " + one +
               " && " + one + " < " + value(range->arguments[from ? 1 : 0], in) + ")";
    }
    const Type first = type_of(left, in), second = type_of(right, in);
    const auto is_array = [](const Type& type) { return type.starts_with("[") || type.starts_with("k"); };
    if (is_array(first) || is_array(second)) throw NotOfHeap{"a comparison of arrays"};
    if (op == CompareOp::Is || op == CompareOp::IsNot) {
        if (first != "n" && second != "n" && !(first == "b" && second == "b")) throw NotOfHeap{"the identity of numbers"};
        op = op == CompareOp::Is ? CompareOp::Eq : CompareOp::Ne;
    }
    const std::string a = value(left, in), b = value(right, in);
    static const std::map<CompareOp, std::string> kPlain{{CompareOp::Eq, " == "}, {CompareOp::Ne, " != "}, {CompareOp::Lt, " < "},
                                                         {CompareOp::Le, " <= "}, {CompareOp::Gt, " > "},  {CompareOp::Ge, " >= "}};
    if (first == "n" || second == "n") {
        if (op != CompareOp::Eq && op != CompareOp::Ne) throw NotOfHeap{"an order of None"};
        return (first == second) == (op == CompareOp::Eq) ? "true" : "false";
    }
    const auto number = [](const Type& type) { return is_number(type) || type == "b" || type == "B"; };
    if (number(first) && number(second) && (is_of_numpy(first) || is_of_numpy(second)))
        return comparison_of_numpy(a, b, first, second, kPlain.at(op));
    if (first == second && number(first) && first != "o") return "(" + a + kPlain.at(op) + b + ")";
    if (number(first) != number(second)) {
        if (op != CompareOp::Eq && op != CompareOp::Ne) throw NotOfHeap{"an order of these values"};
        return op == CompareOp::Eq ? "false" : "true";
    }
    Type both = first;
    if (!number(first)) {
        if (!first.starts_with("(") || !second.starts_with("(")) throw NotOfHeap{"a comparison of these values"};
        if (parts_of(first).size() != parts_of(second).size()) throw NotOfHeap{"a comparison of tuples of several lengths"};
        const bool before = changed_;
        merge(both, second);
        changed_ = before;
    }
    const auto operand = [&](const std::string& text, const Type& type) {
        if (!number(type)) return converted(text, type, both);
        if (first == "o" || second == "o")
            return type == "o" ? text : "heap::Open(" + (type == "b" ? "int64_t(" + text + ")" : text) + ")";
        return type == "b" ? "int64_t(" + text + ")" : text;
    };
    const std::string order = "order(" + operand(a, first) + ", " + operand(b, second) + ")";
    const std::string found = number(first) ? "heap::" + order : order;
    switch (op) {
        case CompareOp::Eq:
            return "(" + found + " == 0)";
        case CompareOp::Ne:
            return "(" + found + " != 0)";
        case CompareOp::Lt:
            return "(" + found + " == -1)";
        case CompareOp::Le:
            return "(" + found + " <= 0)";
        case CompareOp::Gt:
            return "(" + found + " == 1)";
        default:
            return "(unsigned(" + found + ") < 2)";
    }
}

std::string HeapCode::value(const ExprPtr& e, Function& in) {
    return std::visit(
        Overloaded{
            [&](const NameExpr& n) -> std::string {
                Function* const owner = holder(n.id, in);
                const std::string at = place(n.id, in);
                if (owner->types.at(n.id) == "n") return "INT64_C(0)";
                if (!owner->unsure.contains(n.id)) return at;
                std::string has = at;
                has.replace(has.rfind("v_"), 2, "has_");
                return "(" + has + " ? " + at + " : heap::unbound<" + cpp(owner->types.at(n.id)) + ">())";
            },
            [&](const ConstantExpr& n) -> std::string {
                if (const auto* whole = std::get_if<std::int64_t>(&n.value)) return spelled(*whole);
                if (const auto* real = std::get_if<double>(&n.value)) return spelled(*real);
                if (const auto* truth = std::get_if<bool>(&n.value)) return *truth ? "true" : "false";
                return "INT64_C(0)";
            },
            [&](const UnaryExpr& n) -> std::string {
                if (n.op == UnaryOp::Not) return "(!" + truth(n.operand, in) + ")";
                const Type type = type_of(n.operand, in);
                const auto* constant = std::get_if<ConstantExpr>(&n.operand->node);
                if (n.op == UnaryOp::Minus && constant && type == "i") return spelled(-std::get<std::int64_t>(constant->value));
                const std::string operand = type == "b" ? "int64_t(" + value(n.operand, in) + ")" : value(n.operand, in);
                if (type == "B") return "(!" + operand + ")";
                return n.op == UnaryOp::Minus    ? (type == "I" ? "heap::numpy::neg(" : "heap::neg(") + operand + ")"
                       : n.op == UnaryOp::Invert ? "(~" + operand + ")"
                                                 : operand;
            },
            [&](const BinaryExpr& n) -> std::string {
                return arithmetic(n.op, value(n.left, in), value(n.right, in), type_of(n.left, in), type_of(n.right, in));
            },
            [&](const BoolExpr& n) -> std::string {
                if (type_of(e, in) == "b") return truth(e, in);
                const std::string type = cpp(type_of(e, in)), one = "t" + std::to_string(names_++);
                std::string all = value(n.operands.back(), in);
                for (std::size_t at = n.operands.size() - 1; at-- > 0;) {
                    const std::string holds = "heap::truth(" + one + ")";
                    all = "({ const " + type + " " + one + " = " + value(n.operands[at], in) + "; " +
                          (n.is_and ? holds + " ? " + all + " : " + one : holds + " ? " + one + " : " + all) + "; })";
                }
                return all;
            },
            [&](const CompareExpr& n) -> std::string {
                std::string all;
                for (std::size_t at = 0; at < n.ops.size(); ++at)
                    all += (at > 0 ? " && " : "") + comparison(n.ops[at], n.operands[at], n.operands[at + 1], in);
                return n.ops.size() == 1 ? all : "(" + all + ")";
            },
            [&](const ConditionalExpr& n) -> std::string {
                const Type type = type_of(e, in);
                return "(" + truth(n.condition, in) + " ? " + value_as(n.if_true, type, in) + " : " +
                       value_as(n.if_false, type, in) + ")";
            },
            [&](const CallExpr& n) -> std::string { return call(n, in); },
            [&](const SubscriptExpr& n) -> std::string {
                const Type object = type_of(n.object, in);
                if (object.starts_with("("))
                    return value(n.object, in) + "._" +
                           std::to_string(std::get<std::int64_t>(std::get<ConstantExpr>(n.index->node).value));
                if (const Type index = type_of(n.index, in); index == "f" || index == "F" || index == "o" || index == "p")
                    throw NotOfHeap{"an index that is no integer"};
                return place(std::string(name_of(n.object)), in) + ".data[" + value(n.index, in) + "]";
            },
            [&](const TupleExpr& n) -> std::string {
                std::string all = cpp(type_of(e, in)) + "{";
                for (std::size_t at = 0; at < n.elements.size(); ++at) all += (at > 0 ? ", " : "") + value(n.elements[at], in);
                return all + "}";
            },
            [&](const auto&) -> std::string { throw NotOfHeap{"an expression of another kind"}; },
        },
        e->node);
}

std::string HeapCode::call_function(const CallExpr& e, Function& function, Function& in) {
    std::string all;
    for (const auto& [name, given] : bound(e, function)) {
        const Type& type = function.types.at(name);
        all += (all.empty() ? "" : ", ") + value_as(given, type, in);
    }
    return way(in, function.outer) + "f_" + function.name + "(" + all + ")";
}

std::string HeapCode::call(const CallExpr& e, Function& in) {
    if (Function* const function = called(e.function, in)) return call_function(e, *function, in);
    const std::string name(name_of(e.function));
    const auto argument = [&](std::size_t at) { return value(e.arguments.at(at), in); };
    const auto number = [&](std::size_t at) {
        const Type type = type_of(e.arguments.at(at), in);
        return type == "b" || type == "B" || type == "Q" ? "int64_t(" + argument(at) + ")" : argument(at);
    };
    if (name == "__h_numpy") return function_of_numpy(*text_of(e.arguments.at(0)), argument(1));
    if (name == "__h_parsed")
        return "heap::parsed(" + place(std::string(name_of(e.arguments.at(0))), in) + ".data + " + argument(1) + ", " +
               argument(2) + ")";
    if (name == "__h_as") return as_element(e, in);
    if (name == "__h_array") return array_function(e, in);
    if (name == "len") return place(std::string(name_of(e.arguments.at(0))), in) + ".size";
    if (name == kFind) {
        const Type list = type_of(e.arguments.at(0), in);
        return place(std::string(name_of(e.arguments[0])), in) + ".find(" + value_as(e.arguments.at(1), element_of(list), in) + ")";
    }
    if (name == kTake) return take_parameter(e);
    if (name == "bool") return truth(e.arguments.at(0), in);
    if (name == "int") return "heap::to_integer(" + number(0) + ")";
    if (name == "float" && is_beyond_numbers(e) && *text_of(e.arguments[0]) == "nan") return "__builtin_nan(\"\")";
    if (name == "float" && is_beyond_numbers(e))
        return text_of(e.arguments[0])->starts_with("-") ? "(-__builtin_inf())" : "__builtin_inf()";
    if (name == "float") return "heap::to_real(" + number(0) + ")";
    if (name == "abs" && type_of(e.arguments.at(0), in) == "I") return "heap::numpy::absolute(" + argument(0) + ")";
    if (name == "abs") return "heap::absolute(" + number(0) + ")";
    if (name == "round") return "heap::rounded(" + number(0) + (e.arguments.size() > 1 ? ", " + number(1) : "") + ")";
    if (name == "pow")
        return arithmetic(BinaryOp::Pow, argument(0), argument(1), type_of(e.arguments[0], in), type_of(e.arguments[1], in));
    if (name == "sum") {
        const auto& slice = std::get<SubscriptExpr>(e.arguments.at(0)->node);
        const auto& part = std::get<SliceExpr>(slice.index->node);
        const Type element = element_of(type_of(slice.object, in)), result = type_of_call(e, in);
        const bool may_be_none = objects_ && element == "f" && e.arguments.size() < 2;  // Then it is the integer 0.
        const Type total = may_be_none ? element : result;
        const std::string list = place(std::string(name_of(slice.object)), in), sum = "t" + std::to_string(names_++),
                          k = "t" + std::to_string(names_++);
        const std::string start =
            e.arguments.size() > 1 ? value_as(e.arguments[1], total, in) : converted("INT64_C(0)", "i", total == "f" ? "i" : total);
        const std::string some = "(" + value(part.begin, in) + " < " + value(part.end, in) + ")";
        const std::string none =
            total == "f" && e.arguments.size() < 2 && !may_be_none ? "if (!" + some + ") heap::raise(heap::kBeyond); " : "";
        return "({ " + none + cpp(total) + " " + sum + " = " + start + "; for (int64_t " + k + " = " + value(part.begin, in) +
               "; " + k + " < " + value(part.end, in) + "; ++" + k + ") " + sum + " = " +
               converted(arithmetic(BinaryOp::Add, sum, list + ".data[" + k + "]", total, element),
                         type_of_number(BinaryOp::Add, total, element), total) +
               "; " + (may_be_none ? some + " ? heap::Open(" + sum + ") : heap::Open(INT64_C(0))" : sum) + "; })";
    }
    if (name == "min" || name == "max") {
        const Type type = type_of_call(e, in);
        std::string all = value_as(e.arguments.at(0), type, in);
        for (std::size_t at = 1; at < e.arguments.size(); ++at) {
            const std::string a = "t" + std::to_string(names_++), b = "t" + std::to_string(names_++);
            const bool plain = type == "i" || type == "f" || type == "b" || type == "I" || type == "F" || type == "B";
            const std::string less = plain ? (name == "min" ? b + " < " + a : a + " < " + b)
                                           : (type == "o" || type == "p" ? "heap::" : "") + std::string("order(") +
                                                 (name == "min" ? b + ", " + a : a + ", " + b) + ") == -1";
            all = "({ const " + cpp(type) + " " + a + " = " + all + ", " + b + " = " + value_as(e.arguments[at], type, in) + "; " +
                  less + " ? " + b + " : " + a + "; })";
        }
        return all;
    }
    const auto& method = std::get<AttributeExpr>(e.function->node);
    if (name_of(method.object) != "__h_math") throw NotOfHeap{"the method " + method.name};
    if (method.name == "gcd") return "heap::gcd(" + number(0) + ", " + number(1) + ")";
    if (method.name == "isqrt" || method.name == "factorial") return "heap::" + method.name + "(" + number(0) + ")";
    const std::string one = "heap::to_real(" + number(0) + ")";
    if (method.name == "isnan" || method.name == "isinf" || method.name == "isfinite")
        return "bool(__builtin_" + method.name + "(" + one + "))";
    if (method.name == "floor" || method.name == "ceil" || method.name == "trunc")
        return type_of(e.arguments[0], in) == "f" ? "heap::to_integer(__builtin_" + method.name + "(" + one + "))"
                                                  : "heap::to_integer(" + number(0) + ")";
    return "heap::checked([](double x) { return __builtin_" + method.name + "(x); }, " + one + ")";
}

}  // namespace sluice::frontend
