// The types of what heap.cpp writes, and which variables may be read before they have a value.
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

[[noreturn]] void unfit(const std::string& what) {
    throw NotOfHeap{what};
}

/// Behind the type that begins there.
std::size_t behind(const std::string& type, std::size_t at) {
    if (type[at] == '[' || type[at] == 'k') return at + 1 < type.size() && type[at + 1] != ')' ? behind(type, at + 1) : at + 1;
    if (type[at] != '(') return at + 1;
    for (++at; type[at] != ')';) at = behind(type, at);
    return at + 1;
}

}  // namespace

HeapCode::HeapCode(const Program& written, const std::map<std::string, ArgumentType>& arguments, bool objects)
    : program_(written), arguments_(arguments), objects_(objects) {
    add_function(std::get<FunctionStmt>(written.function->node), nullptr);
    main_ = functions_.front().get();
    for (const Parameter& parameter : main_->statement->parameters) {
        if (objects_) break;
        const auto given = arguments_.find(parameter.name);
        if (given == arguments_.end()) unfit("an argument that is not given");
        const ArgumentType& type = given->second;
        const Scalar scalar = type.dtype.scalar;
        if (type.shape ? type.shape->empty() || type.shape->size() > 2 : !type.of_python && scalar != Scalar::Bool)
            unfit("an argument of this type");
        const Type element = scalar == Scalar::Bool      ? "b"
                             : scalar == Scalar::Int64   ? "i"
                             : scalar == Scalar::Float64 ? "f"
                                                         : throw NotOfHeap{"an argument of this type"};
        main_->types[parameter.name] = type.shape ? "a" + std::to_string(type.shape->size()) + element : element;
    }
    for (int pass = 0; pass == 0 || changed_; ++pass) {
        if (pass > 60) unfit("types that do not settle");
        changed_ = false;
        for (const auto& one : functions_) infer(one->statement->body, *one);
    }
    for (const auto& one : functions_) find_unsure(*one);
    find_uses();
}

void HeapCode::add_function(const FunctionStmt& statement, Function* outer) {
    functions_.push_back(std::make_unique<Function>(Function{&statement, outer, statement.name}));
    Function* const made = functions_.back().get();
    if (outer) outer->inner[statement.name] = made, outer->in_order.push_back(made);
    for (const auto& [name, count] : binding_counts(statement.body)) made->types[name];
    for (const Parameter& parameter : statement.parameters) made->types[parameter.name], made->parameters.insert(parameter.name);
    walk_statements(statement.body, [&](const Stmt& one) {
        const auto* inner = std::get_if<FunctionStmt>(&one.node);
        if (inner) add_function(*inner, made);
        return !inner;
    });
}

// ---- names ------------------------------------------------------------------------------------------------------------------
HeapCode::Function* HeapCode::holder(const std::string& name, Function& in) const {
    for (Function* one = &in; one; one = one->outer)
        if (one->types.contains(name)) return one;
    return nullptr;
}
HeapCode::Function* HeapCode::called(const ExprPtr& e, Function& in) const {
    const std::string name(name_of(e));
    for (Function* one = &in; one && !name.empty(); one = one->outer)
        if (const auto known = one->inner.find(name); known != one->inner.end()) return known->second;
    return nullptr;
}

/// Each argument with the parameter that takes it.
std::vector<std::pair<std::string, ExprPtr>> HeapCode::bound(const CallExpr& call, const Function& function) const {
    std::vector<std::pair<std::string, ExprPtr>> all;
    const auto& parameters = function.statement->parameters;
    if (call.arguments.size() > parameters.size()) unfit("too many arguments");
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        const auto keyword = std::ranges::find(call.keywords, parameters[at].name, &Keyword::name);
        const ExprPtr given = at < call.arguments.size()       ? call.arguments[at]
                              : keyword != call.keywords.end() ? keyword->value
                                                               : parameters[at].default_value;
        if (!given) unfit("a missing argument");
        all.emplace_back(parameters[at].name, given);
    }
    return all;
}

// ---- types ------------------------------------------------------------------------------------------------------------------
std::vector<HeapCode::Type> HeapCode::parts_of(const Type& tuple) {
    std::vector<Type> parts;
    for (std::size_t at = 1; at + 1 < tuple.size();) {
        const std::size_t end = behind(tuple, at);
        parts.push_back(tuple.substr(at, end - at));
        at = end;
    }
    return parts;
}
std::string HeapCode::element_of(const Type& list) {
    return list.substr(1);
}

bool HeapCode::is_beyond_numbers(const CallExpr& call) {
    const std::string* const text = call.arguments.size() == 1 ? text_of(call.arguments[0]) : nullptr;
    return text && (*text == "inf" || *text == "-inf" || *text == "nan");
}

void HeapCode::merge(Type& into, const Type& from) {
    if (from.empty() || into == from) return;
    Type result = into;
    if (into.empty()) {
        result = from;
    } else if (is_number(into) && is_number(from)) {
        result = is_of_numpy(into) || is_of_numpy(from) ? "p" : "o";
    } else if (into[0] == '(' && from[0] == '(') {
        std::vector<Type> parts = parts_of(into), others = parts_of(from);
        if (parts.size() != others.size()) unfit("tuples of several lengths");
        result = "(";
        for (std::size_t at = 0; at < parts.size(); ++at) merge(parts[at], others[at]), result += parts[at];
        result += ")";
    } else if ((into[0] == '[' || into[0] == 'k') && (from[0] == '[' || from[0] == 'k')) {
        Type element = element_of(into);
        merge(element, element_of(from));
        result = (into[0] == 'k' || from[0] == 'k' ? "k" : "[") + element;
    } else {
        unfit("values of several kinds under one name");
    }
    changed_ = changed_ || result != into;
    into = result;
}

void HeapCode::infer(const Body& body, Function& in) {
    for (const StmtPtr& one : body) infer(*one, in);
}

void HeapCode::infer(const Stmt& one, Function& in) {
    std::visit(Overloaded{
                   [&](const AssignStmt& s) {
                       if (s.targets.size() != 1) unfit("several targets");
                       const auto targets = elements_of(s.targets[0]);
                       if (!std::holds_alternative<TupleExpr>(s.targets[0]->node))
                           return infer_store(s.targets[0], type_of(s.value, in), in);
                       const auto* values = std::get_if<TupleExpr>(&s.value->node);
                       if (!values || values->elements.size() != targets.size()) unfit("unpacking");
                       for (std::size_t at = 0; at < targets.size(); ++at)
                           infer_store(targets[at], type_of(values->elements[at], in), in);
                   },
                   [&](const AugAssignStmt& s) {
                       infer_store(s.target, type_of_number(s.op, type_of(s.target, in), type_of(s.value, in)), in);
                   },
                   [&](const ExprStmt& s) { type_of(s.value, in); },
                   [&](const IfStmt& s) { type_of(s.condition, in), infer(s.then_body, in), infer(s.else_body, in); },
                   [&](const WhileStmt& s) { type_of(s.condition, in), infer(s.body, in), infer(s.else_body, in); },
                   [&](const ForStmt& s) {
                       const auto* range = std::get_if<CallExpr>(&s.iterable->node);
                       if (range && name_of(range->function) == "range") {
                           for (const ExprPtr& bound : range->arguments) type_of(bound, in);
                           infer_store(s.target, "i", in);
                       } else {
                           const Type all = type_of(s.iterable, in);
                           if (!all.empty() && all[0] != '(') unfit("a loop over this value");
                           for (const Type& part : parts_of(all)) infer_store(s.target, part, in);
                       }
                       infer(s.body, in), infer(s.else_body, in);
                   },
                   [&](const ReturnStmt& s) {
                       const Type type = s.value ? type_of(s.value, in) : "n";
                       if (&in != main_ && type != "n") merge(in.result, type);
                   },
                   [&](const AssertStmt& s) {
                       if (s.condition) type_of(s.condition, in);
                   },
                   [](const FunctionStmt&) {},
                   [](const PassStmt&) {},
                   [](const BreakStmt&) {},
                   [](const ContinueStmt&) {},
                   [](const auto&) { unfit("a statement of another kind"); },
               },
               one.node);
}

void HeapCode::infer_store(const ExprPtr& target, const Type& type, Function& in) {
    if (const std::string name(name_of(target)); !name.empty()) {
        Function* const owner = holder(name, in);
        if (!owner) unfit("a name that nobody knows");
        return merge(owner->types.at(name), type);
    }
    const auto* element = std::get_if<SubscriptExpr>(&target->node);
    if (!element) unfit("a target of this kind");
    const std::string list(name_of(element->object));
    Function* const owner = list.empty() ? nullptr : holder(list, in);
    if (!owner) unfit("an element of this value");
    type_of(element->index, in);
    merge(owner->types.at(list), "[" + type);
}

HeapCode::Type HeapCode::type_of_number(BinaryOp op, const Type& a, const Type& b) const {
    if (a.empty() || b.empty()) return {};
    const auto is = [&](const char* one) { return a == one || b == one; };
    for (const Type& one : {a, b})
        if (!is_number(one) && one != "b" && one != "B") unfit("arithmetic of these values");
    if (is_of_numpy(a) || is_of_numpy(b)) return type_of_numpy(op, a, b);
    const bool bits = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
    if (bits || op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight) {
        if (is("f") || is("o")) unfit("bits of a float");
        return bits && a == "b" && b == "b" ? "b" : "i";
    }
    if (op == BinaryOp::MatMul) unfit("a product of matrices");
    if (op == BinaryOp::Div) return "f";
    return is("f") ? "f" : is("o") ? "o" : "i";
}

HeapCode::Type HeapCode::type_of(const ExprPtr& e, Function& in) {
    return std::visit(
        Overloaded{
            [&](const NameExpr& n) -> Type {
                Function* const owner = holder(n.id, in);
                if (!owner) unfit("a name that nobody knows");
                return owner->types.at(n.id);
            },
            [&](const ConstantExpr& n) -> Type {
                if (std::holds_alternative<std::int64_t>(n.value)) return "i";
                if (std::holds_alternative<double>(n.value)) return "f";
                if (std::holds_alternative<bool>(n.value)) return "b";
                if (std::holds_alternative<NoneValue>(n.value)) return "n";
                unfit("a constant of this kind");
            },
            [&](const UnaryExpr& n) -> Type {
                const Type operand = type_of(n.operand, in);
                if (n.op == UnaryOp::Not) return "b";
                if (operand == "B" || operand == "Q" || (n.op == UnaryOp::Invert && (operand == "F" || operand == "p")))
                    return n.op == UnaryOp::Invert && operand == "B" ? operand : throw NotOfHeap{"arithmetic of truths"};
                if (n.op == UnaryOp::Invert && operand == "I") return operand;
                if (n.op == UnaryOp::Invert && operand != "i" && operand != "b" && !operand.empty()) unfit("bits of a float");
                return operand == "b" ? "i" : operand;
            },
            [&](const BinaryExpr& n) -> Type {
                if (const auto* list = std::get_if<ListExpr>(&n.left->node); list && n.op == BinaryOp::Mul) {
                    if (list->elements.size() != 1) unfit("a list");
                    return "[" + type_of(list->elements[0], in);
                }
                return type_of_number(n.op, type_of(n.left, in), type_of(n.right, in));
            },
            [&](const BoolExpr& n) -> Type {
                Type all;
                bool truths = true;
                for (const ExprPtr& one : n.operands) {
                    const Type type = type_of(one, in);
                    truths = truths && type == "b";
                    if (!all.empty() && !type.empty() && all != type) unfit("one of several values");
                    if (all.empty()) all = type;
                }
                return all;
            },
            [&](const CompareExpr& n) -> Type {
                for (std::size_t at = 0; at < n.operands.size(); ++at)
                    if (at == 0 || (n.ops[at - 1] != CompareOp::In && n.ops[at - 1] != CompareOp::NotIn))
                        type_of(n.operands[at], in);
                return type_of_comparison(n, in);
            },
            [&](const ConditionalExpr& n) -> Type {
                type_of(n.condition, in);
                const Type first = type_of(n.if_true, in), second = type_of(n.if_false, in);
                if (first.empty() || second.empty()) return first.empty() ? second : first;
                Type both = first;
                const bool before = changed_;
                merge(both, second);
                changed_ = before;
                return both;
            },
            [&](const CallExpr& n) -> Type { return type_of_call(n, in); },
            [&](const SubscriptExpr& n) -> Type {
                const Type object = type_of(n.object, in);
                if (std::holds_alternative<SliceExpr>(n.index->node)) unfit("a slice");
                type_of(n.index, in);
                if (object.empty()) return {};
                if (object[0] == '[' || object[0] == 'k') return element_of(object);
                const std::vector<Type> parts = object[0] == '(' ? parts_of(object) : std::vector<Type>();
                const auto* index = std::get_if<ConstantExpr>(&n.index->node);
                const auto* at = index ? std::get_if<std::int64_t>(&index->value) : nullptr;
                if (!at || *at < 0 || static_cast<std::size_t>(*at) >= parts.size()) unfit("an element of this value");
                return parts[static_cast<std::size_t>(*at)];
            },
            [&](const TupleExpr& n) -> Type {
                Type all = "(";
                for (const ExprPtr& one : n.elements) {
                    const Type part = type_of(one, in);
                    if (part.empty()) return {};
                    if (part == "n") unfit("None in a tuple");
                    all += part;
                }
                return all + ")";
            },
            [&](const ListExpr& n) -> Type {
                if (!n.elements.empty()) unfit("a list");
                return "[";
            },
            [&](const auto&) -> Type { unfit("an expression of another kind"); },
        },
        e->node);
}

HeapCode::Type HeapCode::type_of_call(const CallExpr& n, Function& in) {
    if (Function* const function = called(n.function, in)) {
        in.calls.insert(function);
        for (const auto& [name, given] : bound(n, *function)) merge(function->types.at(name), type_of(given, in));
        return function->result.empty() ? "" : function->result;
    }
    const std::string name(name_of(n.function));
    const auto argument = [&](std::size_t at) { return type_of(n.arguments.at(at), in); };
    if (name == kObjects) return argument(1), "n";
    if (name == kTake) {
        std::vector<std::string> parts;
        for (std::size_t at = 1; at < n.arguments.size(); ++at) parts.emplace_back(name_of(n.arguments[at]));
        std::size_t at = 0;
        return infer_taken(*text_of(n.arguments.at(0)), at, parts, in);
    }
    if (name == kFind) {
        const std::string list(name_of(n.arguments.at(0)));
        Function* const owner = list.empty() ? nullptr : holder(list, in);
        if (!owner) unfit("a search in this value");
        const Type key = argument(1);
        merge(owner->types.at(list), "k" + key);
        return "i";
    }
    if (name == "__h_numpy") return type_of_function_of_numpy(*text_of(n.arguments.at(0)), argument(1));
    if (name == "__h_parsed") return argument(1), argument(2), "f";
    if (name == "__h_as") return argument(1), *text_of(n.arguments[0]);
    if (name == "__h_array") return type_of_array_function(*text_of(n.arguments.at(0)), n, in);
    if (name == "len") {
        if (const auto given = arguments_.find(std::string(name_of(n.arguments.at(0))));
            given != arguments_.end() && given->second.shape)
            unfit("the length of an array");
        return argument(0), "i";
    }
    if (name == "bool") return argument(0), "b";
    if (name == "int") return argument(0), "i";
    if (name == "float" && is_beyond_numbers(n)) return "f";
    if (name == "float") return argument(0), "f";
    if (name == "abs" && (argument(0) == "B" || argument(0) == "Q")) unfit("arithmetic of truths");
    if (name == "abs") return argument(0) == "b" ? "i" : argument(0);
    if (name == "round")
        return n.arguments.size() == 1                    ? (argument(0), "i")
               : argument(0) == "f" || argument(0) == "o" ? argument(0)
                                                          : throw NotOfHeap{"round"};
    if (name == "pow") return type_of_number(BinaryOp::Pow, argument(0), argument(1));
    if (name == "sum") {
        const auto* slice = std::get_if<SubscriptExpr>(&n.arguments.at(0)->node);
        if (!slice || !std::holds_alternative<SliceExpr>(slice->index->node)) unfit("a sum");
        const Type list = type_of(slice->object, in), start = n.arguments.size() > 1 ? argument(1) : "i";
        if (list.size() < 2) return "";
        if (is_of_numpy(element_of(list)) && n.arguments.size() < 2) return "p";        // Of nothing, it is an integer of Python's.
        if (objects_ && n.arguments.size() < 2 && element_of(list) == "f") return "o";  // Of nothing, it is an integer.
        return type_of_number(BinaryOp::Add, element_of(list), start);
    }
    if (name == "min" || name == "max") {
        Type all;
        for (const ExprPtr& one : n.arguments) {
            const Type type = type_of(one, in);
            if (!all.empty() && !type.empty() && all != type) {
                if (!is_number(all) || !is_number(type)) unfit("the extreme of values of several types");
                all = is_of_numpy(all) || is_of_numpy(type) ? "p" : "o";
            }
            if (all.empty()) all = type;
        }
        return all;
    }
    const auto* method = std::get_if<AttributeExpr>(&n.function->node);
    if (!method) unfit("the function " + name);
    if (name_of(method->object) == "__h_math") {
        for (std::size_t at = 0; at < n.arguments.size(); ++at) argument(at);
        static const std::set<std::string> kIntegers{"gcd", "isqrt", "factorial", "floor", "ceil", "trunc"},
            kReals{"sqrt", "log",  "log2", "log10", "exp",  "sin",  "cos", "tan",
                   "atan", "asin", "acos", "fabs",  "sinh", "cosh", "tanh"},
            kTruths{"isnan", "isinf", "isfinite"};
        static const std::set<std::string> kRounding{"floor", "ceil", "trunc"};
        if (kRounding.contains(method->name) && argument(0) != "F" && is_of_numpy(argument(0))) unfit("this function of math");
        const std::size_t most = method->name == "gcd" ? 2 : 1;
        if (n.arguments.size() != most) unfit("this function of math");
        return kIntegers.contains(method->name) ? "i"
               : kReals.contains(method->name)  ? "f"
               : kTruths.contains(method->name) ? "b"
                                                : throw NotOfHeap{"this function of math"};
    }
    const std::string object(name_of(method->object));
    Function* const owner = object.empty() ? nullptr : holder(object, in);
    if (owner && method->name == "append") return merge(owner->types.at(object), "[" + argument(0)), "n";
    if (owner && method->name == "extend") {  // Of an array of the caller's.
        const auto* list = std::get_if<CallExpr>(&n.arguments.at(0)->node);
        if (list && name_of(list->function) == "__h_shown") {
            const Type shown = type_of(list->arguments.at(0), in);
            if (!shown.empty() && !is_number(shown)) unfit("the text of this value");
            return merge(owner->types.at(object), "[i"), "n";
        }
        const auto* of = list ? std::get_if<AttributeExpr>(&list->function->node) : nullptr;
        const auto* row = of ? std::get_if<SubscriptExpr>(&of->object->node) : nullptr;
        const Type array =
            of && of->name == "tolist" ? type_of(row ? make_name(std::string(name_of(row->object))) : of->object, in) : "";
        if (array.size() != 3 || array[0] != 'a') unfit("an extension by this value");
        return merge(owner->types.at(object), "[" + array.substr(2)), "n";
    }
    unfit("the method " + method->name);
}

/// The type of what is read of a parameter; the lists that get its parts have theirs.
HeapCode::Type HeapCode::infer_taken(const std::string& spec, std::size_t& at, const std::vector<std::string>& parts,
                                     Function& in) {
    const char kind = spec.at(at++);
    const auto part = [&] {
        const std::size_t end = spec.find(':', at), number = std::stoul(spec.substr(at, end - at));
        at = end + 1;
        return parts.at(number);
    };
    if (kind == '(') {
        Type all = "(";
        while (spec.at(at) != ')') all += infer_taken(spec, at, parts, in);
        ++at;
        return all + ")";
    }
    if (kind == 'N') return "n";
    if (std::string("ifbIFB").find(kind) != std::string::npos) return Type(1, kind);
    if (kind == 'a' || kind == 'A') ++at;
    const std::string list = part();
    if (kind == 't') return merge(main_->types.at(list), "[i"), "i";
    if (std::string("dDsSz").find(kind) == std::string::npos) {
        const Type element = infer_taken(spec, at, parts, in);
        return merge(main_->types.at(list), "[" + element), "i";
    }
    const std::string keys = part();
    const bool dictionary = kind == 'd' || kind == 'D';
    if (dictionary) part();
    Function* const puts = main_->inner.at(keys.substr(0, keys.rfind("_kept_keys")) + (dictionary ? "set" : "add"));
    in.calls.insert(puts);
    merge(puts->types.at("d"), "i"), merge(puts->types.at("k"), infer_taken(spec, at, parts, in));
    if (dictionary) merge(puts->types.at("v"), infer_taken(spec, at, parts, in));
    return "i";
}

// ---- what has a value -----------------------------------------------------------------------------------------------------------
namespace {

/// Which variables a path has given values to.
class Assigned {
public:
    Assigned(const std::set<std::string>& own, std::set<std::string>& unsure) : own_(own), unsure_(unsure) {}

    void go(const Body& body, std::set<std::string>& known) {
        for (const StmtPtr& one : body) go(*one, known);
    }

private:
    void read(const ExprPtr& e, const std::set<std::string>& known) {
        if (!e) return;
        if (const std::string name(name_of(e)); own_.contains(name) && !known.contains(name)) unsure_.insert(name);
        for_each_child(*e, [&](const ExprPtr& child) { read(child, known); });
    }
    void bind(const ExprPtr& target, std::set<std::string>& known) {
        if (const std::string name(name_of(target)); !name.empty()) return void(known.insert(name));
        if (std::holds_alternative<TupleExpr>(target->node)) {
            for (const ExprPtr& one : elements_of(target)) bind(one, known);
            return;
        }
        read(target, known);
    }
    static bool ends(const Body& body) {
        if (body.empty()) return false;
        const Stmt& last = *body.back();
        const auto* raised = std::get_if<AssertStmt>(&last.node);
        if (const auto* branch = std::get_if<IfStmt>(&last.node)) return ends(branch->then_body) && ends(branch->else_body);
        return std::holds_alternative<ReturnStmt>(last.node) || std::holds_alternative<BreakStmt>(last.node) ||
               std::holds_alternative<ContinueStmt>(last.node) || (raised && raised->raises);
    }
    void go(const Stmt& one, std::set<std::string>& known) {
        std::visit(Overloaded{
                       [&](const AssignStmt& s) {
                           read(s.value, known);
                           for (const ExprPtr& target : s.targets) bind(target, known);
                       },
                       [&](const AugAssignStmt& s) { read(s.value, known), read(s.target, known); },
                       [&](const ExprStmt& s) { read(s.value, known); },
                       [&](const ReturnStmt& s) { read(s.value, known); },
                       [&](const AssertStmt& s) { read(s.condition, known), read(s.message, known); },
                       [&](const IfStmt& s) {
                           read(s.condition, known);
                           std::set<std::string> first = known, second = known, both;
                           go(s.then_body, first), go(s.else_body, second);
                           std::ranges::set_intersection(first, second, std::inserter(both, both.end()));
                           known = ends(s.then_body) ? second : ends(s.else_body) ? first : both;
                       },
                       [&](const WhileStmt& s) {
                           read(s.condition, known);
                           std::set<std::string> inside = known, behind = known;
                           go(s.body, inside), go(s.else_body, behind);
                           if (const auto* always = std::get_if<ConstantExpr>(&s.condition->node);
                               always && always->value == decltype(always->value)(true))
                               go_on(s.body, known);
                       },
                       [&](const ForStmt& s) {
                           read(s.iterable, known);
                           std::set<std::string> inside = known, behind = known;
                           bind(s.target, inside);
                           go(s.body, inside), go(s.else_body, behind);
                       },
                       [](const auto&) {},
                   },
                   one.node);
    }
    /// Behind `while True`, statements in front of the first break have run.
    void go_on(const Body& body, std::set<std::string>& known) {
        for (const StmtPtr& one : body) {
            if (has_break({one})) return;
            if (const auto* assignment = std::get_if<AssignStmt>(&one->node))
                for (const ExprPtr& target : assignment->targets) bind(target, known);
        }
    }

    const std::set<std::string>& own_;
    std::set<std::string>& unsure_;
};

}  // namespace

void HeapCode::find_unsure(Function& function) {
    std::set<std::string> own, known = function.parameters;
    for (const auto& [name, type] : function.types)
        if (!name.starts_with("__h")) own.insert(name);  // Those have values where they are read.
    Assigned(own, function.unsure).go(function.statement->body, known);
    for (const auto& inner : functions_) {
        Function* around = inner->outer;
        while (around && around != &function) around = around->outer;
        if (!around) continue;
        for (const auto& [name, count] : occurrences(inner->statement->body))
            if (holder(name, *inner) == &function && !function.parameters.contains(name) && own.contains(name))
                function.unsure.insert(name);
    }
}

/// Which functions are called at all, and which may call themselves.
void HeapCode::find_uses() {
    main_->used = true;
    for (const auto& one : functions_) {
        std::set<Function*> reached = one->calls;
        std::vector<Function*> open(reached.begin(), reached.end());
        while (!open.empty()) {
            Function* const next = open.back();
            open.pop_back();
            for (Function* const more : next->calls)
                if (reached.insert(more).second) open.push_back(more);
        }
        one->recursive = reached.contains(one.get());
        for (Function* const each : one.get() == main_ ? reached : std::set<Function*>()) each->used = true;
    }
}

}  // namespace sluice::frontend
