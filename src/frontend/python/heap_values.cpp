// Expressions over objects.
#include <algorithm>
#include <cctype>

#include "code/displays.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

namespace {

std::string symbol_of(BinaryOp op) {
    const std::string text = code::to_string(*make_binary(op, make_name("a"), make_name("b")));
    return text.substr(1, text.size() - 2);
}
std::string symbol_of(CompareOp op) {
    const std::string text = code::to_string(*make_compare(make_name("a"), op, make_name("b")));
    return text.substr(1, text.size() - 2);
}

}  // namespace

bool HeapWriter::is_simple(const std::string& text) {
    return std::ranges::all_of(text,
                               [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; });
}
std::string HeapWriter::text_of(const Item& item) {
    if (item.parts.empty()) return item.text;
    std::string all = "(";
    for (const Item& part : item.parts) all += text_of(part) + ", ";
    return all + ")";
}
/// In a variable of its own, unless it is one, or a constant.
std::string HeapWriter::kept(const std::string& value, Lines& out) {
    if (is_simple(value)) return value;
    const std::string name = temporary();
    out.push_back(name + " = " + value);
    return name;
}
/// In order: what comes before a part that has statements of its own is kept.
std::vector<std::string> HeapWriter::values(const std::vector<ExprPtr>& all, Scope& scope, Lines& out) {
    std::vector<std::string> result;
    std::vector<Lines> before(all.size());
    for (std::size_t at = 0; at < all.size(); ++at) result.push_back(value(all[at], scope, before[at]));
    for (std::size_t at = 0; at < all.size(); ++at) {
        out.insert(out.end(), before[at].begin(), before[at].end());
        const bool more = std::any_of(before.begin() + static_cast<std::ptrdiff_t>(at) + 1, before.end(),
                                      [](const Lines& one) { return !one.empty(); });
        if (more) result[at] = kept(result[at], out);
    }
    return result;
}

std::string HeapWriter::value(const ExprPtr& e, Scope& scope, Lines& out) {
    if (const auto known = known_texts_.find(e.get()); known != known_texts_.end()) return known->second;
    const Type type = type_of(e);
    if (const ExprPtr& other = in_place_of(e); other != e) return value(other, scope, out);
    return std::visit(
        Overloaded{
            [&](const NameExpr& n) -> std::string {
                if (const Variable* known = variable(n.id, scope)) return known->name;
                Scope* own = &scope;
                while (!own->function) own = own->outer;
                const auto bound = own->function->globals->find(n.id);
                if (bound != own->function->globals->end())
                    if (const auto* constant = std::get_if<NumberBinding>(&bound->second); constant && !constant->dtype)
                        return "(" + code::to_string(*literal_of(*constant, e->span)) + ")";
                if (own->function->globals != entry_->globals) throw NotOfHeap{"a name of another module"};
                return n.id;
            },
            [&](const ConstantExpr& n) -> std::string {
                if (const auto* text = std::get_if<std::string>(&n.value)) return literal(*text);
                if (is_instance(type)) return "(-1)";  // None
                return code::to_string(*e);
            },
            [&](const UnaryExpr& n) -> std::string {
                if (n.op == UnaryOp::Not) return "(not " + truth(n.operand, scope, out) + ")";
                if (integer_in(e)) return "(" + code::to_string(*e) + ")";
                if (is(type, HeapKind::Array)) return binary(BinaryOp::Mul, know_integer(-1), n.operand, type, scope, out);
                const std::string operand = value(n.operand, scope, out);
                return std::string("(") +
                       (n.op == UnaryOp::Minus    ? "-"
                        : n.op == UnaryOp::Invert ? "~"
                                                  : "+") +
                       "(" + operand + "))";
            },
            [&](const BinaryExpr& n) -> std::string { return binary(n.op, n.left, n.right, type, scope, out); },
            [&](const BoolExpr& n) -> std::string {
                const bool objects =
                    std::ranges::any_of(n.operands, [&](const ExprPtr& one) { return holds_objects(type_of(one)); });
                if (objects && !holds_objects(type)) throw NotOfHeap{"one of values of several kinds"};
                return boolean(n, false, type, scope, out);
            },
            [&](const CompareExpr& n) -> std::string { return compare(n, scope, out); },
            [&](const ConditionalExpr& n) -> std::string {
                const std::string condition = truth(n.condition, scope, out);
                Lines first, second;
                const std::string if_true = value(n.if_true, scope, first), if_false = value(n.if_false, scope, second);
                if (first.empty() && second.empty() && !is(type, HeapKind::Tuple))
                    return "(" + if_true + " if " + condition + " else " + if_false + ")";
                const std::string name = temporary();
                first.push_back(name + " = " + if_true), second.push_back(name + " = " + if_false);
                out.push_back("if " + condition + ":");
                nest(first, out);
                out.emplace_back("else:");
                nest(second, out);
                return name;
            },
            [&](const CallExpr& n) -> std::string { return call(e, n, type, scope, out); },
            [&](const AttributeExpr& n) -> std::string {
                const std::string known = known_function(e, scope), constant = known_constant(known);
                if (!known.empty()) return constant.empty() ? code::to_string(*e) : constant;
                if (is(type_of(n.object), HeapKind::Array)) {
                    const std::string u = atom(n.object, scope, out);
                    if (n.name == "shape") return shape_of(type_of(n.object), u);
                    if (n.name == "ndim") return std::to_string(root(type_of(n.object))->rank);
                    return "(__h_kept_size[" + u + "] * __h_kept_room[" + u + "])";
                }
                if (is_instance(type_of(n.object))) return field_value(n, atom(n.object, scope, out), scope, out);
                return value(n.object, scope, out) + "." + n.name;
            },
            [&](const SubscriptExpr& n) -> std::string { return subscript(n, scope, out); },
            [&](const SliceExpr& n) -> std::string {
                std::string text = n.begin ? value(n.begin, scope, out) : "";
                text += ":" + (n.end ? value(n.end, scope, out) : "");
                return n.step ? text + ":" + value(n.step, scope, out) : text;
            },
            [&](const TupleExpr& n) -> std::string {
                std::string all = "(";
                for (const std::string& one : values(n.elements, scope, out)) all += one + ", ";
                return all + ")";
            },
            [&](const ListExpr& n) -> std::string {
                const bool starred =
                    std::ranges::any_of(n.elements, [](const auto& one) { return std::holds_alternative<StarredExpr>(one->node); });
                if (!starred) return literal_list(type, values(n.elements, scope, out), out);
                const std::string u = kept(text_function("new") + "()", out);
                for (const ExprPtr& one : n.elements) {
                    if (const auto* all = std::get_if<StarredExpr>(&one->node))
                        each(all->value, false, scope, out, [&](const Item& item, Lines& inside) {
                            inside.push_back(list_function(type, "append") + "(" + u + ", " + text_of(item) + ")");
                        });
                    else
                        out.push_back(list_function(type, "append") + "(" + u + ", " + value(one, scope, out) + ")");
                }
                return u;
            },
            [&](const LambdaExpr&) -> std::string { throw NotOfHeap{"a lambda as a value"}; },
            [&](const StarredExpr&) -> std::string { throw NotOfHeap{"a starred expression"}; },
            [&](const NamedExpr&) -> std::string { throw NotOfHeap{"an assignment in an expression"}; },
            [&](const DictExpr& n) -> std::string {
                const std::string d = kept(text_function("new") + "()", out);
                for (std::size_t at = 0; at < n.keys.size(); ++at) {
                    const auto both = values({n.keys[at], n.values[at]}, scope, out);
                    out.push_back(table_function(type, "set") + "(" + d + ", " + both[0] + ", " + both[1] + ")");
                }
                return d;
            },
            [&](const ComprehensionExpr&) -> std::string { return made_of(type, e, false, scope, out); },
        },
        e->node);
}

// ---- truths ---------------------------------------------------------------------------------------------------------------
std::string HeapWriter::truth_of(Type type, const std::string& value) {
    if (is(type, HeapKind::Text)) return "(" + text_function("length") + "(" + value + ") > 0)";
    if (is(type, HeapKind::Array)) throw NotOfHeap{"the truth of an array"};
    if (is_instance(type)) return instance_truth(type, value);
    if (is_of_numpy(type)) return "bool(" + value + ")";
    if (is(type, HeapKind::Tuple)) return root(type)->parts.empty() ? "False" : "True";
    return is_object(type) ? "(__h_kept_size[" + value + "] > 0)" : value;
}
std::string HeapWriter::truth(const ExprPtr& e, Scope& scope, Lines& out) {
    if (const auto* several = std::get_if<BoolExpr>(&e->node)) return boolean(*several, true, nullptr, scope, out);
    const std::string text = value(e, scope, out);
    return is(type_of(e), HeapKind::Text) ? kept(truth_of(type_of(e), text), out) : truth_of(type_of(e), text);
}

/// Operands with statements of their own are evaluated where the ones before ask for them.
std::string HeapWriter::boolean(const BoolExpr& n, bool as_truth, Type type, Scope& scope, Lines& out) {
    const bool objects = !as_truth && type && is_object(type);
    std::vector<Lines> before(n.operands.size());
    std::vector<std::string> all;
    for (std::size_t at = 0; at < n.operands.size(); ++at) {
        const Type operand = type_of(n.operands[at]);
        const bool other = as_truth && is(operand, HeapKind::Number) && root(operand)->numbers != kTruth;
        all.push_back(as_truth ? truth(n.operands[at], scope, before[at]) : value(n.operands[at], scope, before[at]));
        if (other) all.back() = "bool(" + all.back() + ")";  // The variable of all operands is a truth.
    }
    out.insert(out.end(), before[0].begin(), before[0].end());
    const bool plain = std::all_of(before.begin() + 1, before.end(), [](const Lines& one) { return one.empty(); });
    if (plain && !objects) {
        std::string text = "(";
        for (std::size_t at = 0; at < all.size(); ++at) text += (at == 0 ? "" : n.is_and ? " and " : " or ") + all[at];
        return text + ")";
    }
    const std::string name = temporary();
    Lines inside;
    for (std::size_t at = all.size(); at-- > 0;) {
        Lines lines = at > 0 ? before[at] : Lines();
        lines.push_back(name + " = " + all[at]);
        if (at + 1 < all.size()) {
            const std::string holds = as_truth ? name : truth_of(type_of(n.operands[at]), name);
            lines.push_back(n.is_and ? "if " + holds + ":" : "if not " + holds + ":");
            nest(inside, lines);
        }
        inside = std::move(lines);
    }
    out.insert(out.end(), inside.begin(), inside.end());
    return name;
}

std::string HeapWriter::compare(const CompareExpr& n, Scope& scope, Lines& out) {
    std::vector<ExprPtr> plain;
    for (std::size_t at = 0; at < n.operands.size(); ++at) {
        const bool container = at > 0 && (n.ops[at - 1] == CompareOp::In || n.ops[at - 1] == CompareOp::NotIn);
        if (container && n.ops.size() > 1) throw NotOfHeap{"a chain with in"};
        if (!container) plain.push_back(n.operands[at]);
    }
    if (n.ops.size() > 1)
        if (const auto chain = chained(n, scope, out)) return *chain;
    std::vector<std::string> all = values(plain, scope, out);
    const bool numbers = std::ranges::none_of(n.operands, [&](const ExprPtr& one) { return holds_objects(type_of(one)); });
    const bool in = n.ops[0] == CompareOp::In || n.ops[0] == CompareOp::NotIn;
    if (numbers && !in) {
        std::string text = "(" + all[0];
        for (std::size_t at = 0; at < n.ops.size(); ++at) text += symbol_of(n.ops[at]) + all[at + 1];
        return text + ")";
    }
    if (in) {
        const ExprPtr& container = n.operands[1];
        return kept(compared(n.ops[0], type_of(n.operands[0]), type_of(container), kept(all[0], out), "", container, scope, out),
                    out);
    }
    for (std::string& one : all) one = kept(one, out);
    std::string text;
    for (std::size_t at = 0; at < n.ops.size(); ++at)
        text += (at > 0 ? " and " : "") + kept(compared(n.ops[at], type_of(n.operands[at]), type_of(n.operands[at + 1]), all[at],
                                                        all[at + 1], nullptr, scope, out),
                                               out);
    return n.ops.size() == 1 ? text : "(" + text + ")";
}

/// A chain whose later operands have statements of their own, which run while it holds; nullopt for any other.
std::optional<std::string> HeapWriter::chained(const CompareExpr& n, Scope& scope, Lines& out) {
    std::vector<Lines> before(n.operands.size());
    std::vector<std::string> all;
    for (std::size_t at = 0; at < n.operands.size(); ++at) all.push_back(value(n.operands[at], scope, before[at]));
    if (std::all_of(before.begin() + 2, before.end(), [](const Lines& one) { return one.empty(); })) return std::nullopt;
    for (std::size_t at = 0; at < all.size(); ++at) all[at] = kept(all[at], before[at]);
    const std::string result = temporary();
    Lines inside;
    for (std::size_t at = n.ops.size(); at-- > 0;) {
        Lines lines = at == 0 ? before[0] : Lines();
        lines.insert(lines.end(), before[at + 1].begin(), before[at + 1].end());
        const std::string holds =
            compared(n.ops[at], type_of(n.operands[at]), type_of(n.operands[at + 1]), all[at], all[at + 1], nullptr, scope, lines);
        lines.push_back(result + " = " + holds);
        if (at + 1 < n.ops.size()) lines.push_back("if " + result + ":"), nest(inside, lines);
        inside = std::move(lines);
    }
    out.insert(out.end(), inside.begin(), inside.end());
    return result;
}

std::string HeapWriter::compared(CompareOp op, Type left, Type right, const std::string& a, const std::string& b,
                                 const ExprPtr& container, Scope& scope, Lines& out) {
    if (container) {
        if (is(left, HeapKind::Other) || is(left, HeapKind::None)) throw NotOfHeap{"a search for this value"};
        const std::string no = op == CompareOp::NotIn ? "not " : "";
        const auto is_set = [](const ExprPtr& one) {
            const auto* made = std::get_if<CallExpr>(&one->node);
            return made && name_of(made->function) == "{}" && made->arguments.size() == 1 &&
                   std::holds_alternative<ListExpr>(made->arguments[0]->node);
        };
        const bool display =
            std::holds_alternative<ListExpr>(container->node) || std::holds_alternative<TupleExpr>(container->node);
        if (display || is_set(container)) {
            std::string text;
            for (const ExprPtr& one : elements_of(display ? container : std::get<CallExpr>(container->node).arguments[0]))
                text += (text.empty() ? "" : " or ") + same_values(left, type_of(one), a, value(one, scope, out));
            return "(" + no + "(" + (text.empty() ? "False" : text) + "))";
        }
        if (const auto* range = std::get_if<CallExpr>(&container->node); range && name_of(range->function) == "range") {
            std::string text;
            for (const std::string& one : values(range->arguments, scope, out)) text += (text.empty() ? "" : ", ") + one;
            return "(" + a + symbol_of(op) + "range(" + text + "))";
        }
        if (const auto* made = std::get_if<ComprehensionExpr>(&container->node); made && !made->is_list) {
            const std::string found = temporary(), before = guard_;
            out.push_back(found + " = False");
            guard_ = "not " + found;
            each(container, false, scope, out, [&](const Item& item, Lines& body) {
                body.push_back(found + " = " + same_values(left, iterated(container), a, kept(text_of(item), body)));
            });
            guard_ = before;
            return "(" + no + found + ")";
        }
        if (is_sequence(right) || is(right, HeapKind::Dict) || is(right, HeapKind::Set)) require_alike(left, part(right, 0));
        const std::string all = atom(container, scope, out);
        if (is(right, HeapKind::Text)) return "(" + no + text_function("search") + "(" + all + ", " + a + ", 0) >= 0)";
        if (is_sequence(right)) {
            list_function(right, "same");
            return "(" + no + list_function(right, "index") + "(" + all + ", " + a + ") >= 0)";
        }
        if (is(right, HeapKind::Dict) || is(right, HeapKind::Set))
            return "(" + no + table_function(right, "find") + "(" + all + ", " + a + ") >= 0)";
        if (is(right, HeapKind::Tuple)) {
            std::string text;
            for (std::size_t at = 0; at < root(right)->parts.size(); ++at)
                text += (text.empty() ? "" : " or ") + same_values(left, part(right, at), a, all + "[" + std::to_string(at) + "]");
            return "(" + no + "(" + text + "))";
        }
        if (is_object(left)) throw NotOfHeap{"a search in this value"};
        return "(" + a + symbol_of(op) + all + ")";
    }
    if (is_instance(left) || is_instance(right)) return instance_compared(op, left, right, a, b);
    if (op == CompareOp::Is || op == CompareOp::IsNot) {
        if (is(left, HeapKind::Text) || is(right, HeapKind::Text) || is_object(left) != is_object(right)) throw NotOfHeap{"is"};
        return is_object(left) ? "(" + a + (op == CompareOp::Is ? " == " : " != ") + b + ")" : "(" + a + symbol_of(op) + b + ")";
    }
    if (!holds_objects(left) && !holds_objects(right)) return "(" + a + symbol_of(op) + b + ")";
    if (op == CompareOp::Eq) return same_values(left, right, a, b);
    if (op == CompareOp::Ne) return "(not " + same_values(left, right, a, b) + ")";
    if (is(left, HeapKind::Set) && is(right, HeapKind::Set)) {
        const bool less = op == CompareOp::Lt || op == CompareOp::Le;
        const std::string all = less ? within(left, right, a, b) : within(right, left, b, a);
        if (op == CompareOp::Le || op == CompareOp::Ge) return all;
        return "(" + all + " and __h_kept_size[" + a + "] != __h_kept_size[" + b + "])";
    }
    require_alike(left, right);
    switch (op) {
        case CompareOp::Lt:
            return less(left, a, b);
        case CompareOp::Gt:
            return less(left, b, a);
        case CompareOp::Le:
            return "(not " + less(left, b, a) + ")";
        default:
            return "(not " + less(left, a, b) + ")";
    }
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------------
std::string HeapWriter::binary(BinaryOp op, const ExprPtr& left, const ExprPtr& right, Type type, Scope& scope, Lines& out) {
    if (const auto* list = std::get_if<ListExpr>(&left->node);
        list && op == BinaryOp::Mul && list->elements.size() == 1 && is(type, HeapKind::List)) {
        const auto both = values({list->elements[0], right}, scope, out);  // `[x] * n`
        return kept(list_function(type, "filled") + "(" + both[0] + ", " + as_whole(type_of(right), both[1]) + ")", out);
    }
    if (const std::string* text = frontend::text_of(left); text && op == BinaryOp::Mod) {
        const auto* several = std::get_if<TupleExpr>(&right->node);
        const CallExpr given{left, several ? several->elements : std::vector{right}, {}};
        if (!several && is(type_of(right), HeapKind::Tuple)) throw NotOfHeap{"a template with this tuple"};
        return from_template(*text, given, true, scope, out);
    }
    const auto both = values({left, right}, scope, out);
    for (const ExprPtr& one : {left, right})
        if (raises_in_python() &&
            (is(type_of(one), HeapKind::Unknown) || is(type_of(one), HeapKind::None))) {  // No value ever comes here.
            out.emplace_back("raise RuntimeError(\"arithmetic of None\")");
            return is_instance(type) ? "(-1)" : zero(type);
        }
    return combined(op, type, type_of(left), type_of(right), both[0], both[1], out);
}

std::string HeapWriter::combined(BinaryOp op, Type type, Type left, Type right, const std::string& a, const std::string& b,
                                 Lines& out) {
    if (is(left, HeapKind::Array) || is(right, HeapKind::Array)) {
        const std::string u = kept(a, out), v = kept(b, out);
        if (op == BinaryOp::MatMul) return product(type, left, right, u, v, out);
        return kept(element_by_element(symbol_of(op), type, left, right, u, v, out), out);
    }
    if (!holds_objects(left) && !holds_objects(right)) {
        if (is(left, HeapKind::Tuple) && is(right, HeapKind::Tuple) && op == BinaryOp::Add) {
            const std::string x = kept(a, out), y = kept(b, out);
            std::string all = "(";
            for (std::size_t at = 0; at < root(left)->parts.size(); ++at) all += x + "[" + std::to_string(at) + "], ";
            for (std::size_t at = 0; at < root(right)->parts.size(); ++at) all += y + "[" + std::to_string(at) + "], ";
            return all + ")";
        }
        return "(" + a + symbol_of(op) + b + ")";
    }
    if (op == BinaryOp::Mod && is(left, HeapKind::Text)) throw NotOfHeap{"a template that only the run knows"};
    if (op == BinaryOp::Add && is(type, HeapKind::Text)) return kept(text_function("add") + "(" + a + ", " + b + ")", out);
    if (op == BinaryOp::Add && is_sequence(type)) return kept(list_function(type, "joined") + "(" + a + ", " + b + ")", out);
    if (op == BinaryOp::Mul) {
        const bool object_first = is_object(left);
        const std::string arguments = "(" + (object_first ? a + ", " + as_whole(right, b) : b + ", " + as_whole(left, a)) + ")";
        if (is(type, HeapKind::Text)) return kept(text_function("times") + arguments, out);
        if (is_sequence(type)) return kept(list_function(type, "repeat") + arguments, out);
    }
    if (kind(left) == kind(right) && (is(left, HeapKind::Set) || is(left, HeapKind::Dict)))
        return of_tables(op, left, right, kept(a, out), kept(b, out), out);
    throw NotOfHeap{"arithmetic of these values"};
}

// ---- elements -------------------------------------------------------------------------------------------------------------
std::string HeapWriter::subscript(const SubscriptExpr& n, Scope& scope, Lines& out) {
    const Type type = type_of(n.object);
    if (is(type, HeapKind::Array)) return array_part(n, scope, out);
    if (const auto* slice = std::get_if<SliceExpr>(&n.index->node); slice && is_object(type))
        return sliced(type, atom(n.object, scope, out), *slice, scope, out);
    if (!is_object(type)) {
        const auto both = values({n.object, n.index}, scope, out);
        return both[0] + "[" + both[1] + "]";
    }
    const auto both = values({n.object, n.index}, scope, out);
    const std::string index = is(type, HeapKind::Dict) ? both[1] : as_whole(type_of(n.index), both[1]);
    return element(type, kept(both[0], out), index, scope, out);
}

std::string HeapWriter::element(Type type, const std::string& object, const std::string& index, Scope&, Lines& out) {
    if (is_sequence(type))
        return kept(pool(part(type)) + "[" + list_function(type, "place") + "(" + object + ", " + index + ")]", out);
    if (is(type, HeapKind::Text)) return kept(text_function("char") + "(" + object + ", " + index + ")", out);
    if (!is(type, HeapKind::Dict)) throw NotOfHeap{"an element of this value"};
    const std::string missing = root(type)->missing;
    const std::string values = table_name(type) + "_kept_values[";
    if (missing == "Counter") {
        const std::string at = kept(table_function(type, "find") + "(" + object + ", " + index + ")", out), name = temporary();
        out.push_back(name + " = 0");
        out.push_back("if " + at + " >= 0:");
        out.push_back("    " + name + " = " + values + at + "]");
        return name;
    }
    if (!missing.empty()) return kept(values + ensured(type, object, index, out) + "]", out);
    return kept(values + table_function(type, "key") + "(" + object + ", " + index + ")]", out);
}
std::string HeapWriter::sliced(Type type, const std::string& object, const SliceExpr& slice, Scope& scope, Lines& out) {
    if (!is_sequence(type) && !is(type, HeapKind::Text)) throw NotOfHeap{"a slice of this value"};
    const auto step = slice.step ? integer_in(slice.step) : std::optional<std::int64_t>(1);
    if (!step || *step == 0) throw NotOfHeap{"a slice whose step only the run knows"};
    const bool down = *step < 0;
    const std::string n =
        kept(is(type, HeapKind::Text) ? text_function("length") + "(" + object + ")" : "__h_kept_size[" + object + "]", out);
    const auto bound = [&](const ExprPtr& given, const std::string& without) {
        return given
                   ? kept(text_function(down ? "boundback" : "bound") + "(" + whole_value(given, scope, out) + ", " + n + ")", out)
                   : without;
    };
    const std::string begin = bound(slice.begin, down ? kept(n + " - 1", out) : "0"), end = bound(slice.end, down ? "(-1)" : n);
    const std::string by = std::to_string(down ? -*step : *step), length = down ? begin + " - " + end : end + " - " + begin;
    const std::string count = kept("max(0, (" + length + (by == "1" ? ")" : " + " + by + " - 1) // " + by) + ")", out);
    const std::string arguments = "(" + object + ", " + begin + ", " + (down ? "(-" + by + ")" : by) + ", " + count + ")";
    return kept((is(type, HeapKind::Text) ? text_function("slice") : list_function(type, "part")) + arguments, out);
}

// ---- calls ----------------------------------------------------------------------------------------------------------------
std::string HeapWriter::call_function(Routine& function, const CallExpr& n, Type type, Scope& scope, Lines& out) {
    const std::string arguments = arguments_text(function, 0, n, scope, out);
    return called(function, arguments, type, out);
}

std::string HeapWriter::applied_to(const ExprPtr& function, const std::vector<Item>& arguments, const std::vector<Type>& types,
                                   Scope& scope, Lines& out) {
    if (const auto* lambda = std::get_if<LambdaExpr>(&function->node)) {
        Scope& own = scope_of(function, scope, {});
        for (std::size_t at = 0; at < arguments.size(); ++at)
            out.push_back(own.names.at(lambda->parameters.at(at)).name + " = " + text_of(arguments[at]));
        return value(lambda->body, own, out);
    }
    std::string all;
    for (const Item& one : arguments) all += (all.empty() ? "" : ", ") + text_of(one);
    if (Routine* called = function_named(std::string(name_of(function)), scope)) return kept(called->name + "(" + all + ")", out);
    const std::string name = known_function(function, scope);
    if (name == "operator.add" || name == "operator.mul") {
        const BinaryOp op = name == "operator.add" ? BinaryOp::Add : BinaryOp::Mul;
        return combined(op, types[0], types[0], types[1], text_of(arguments[0]), text_of(arguments[1]), out);
    }
    const std::string one = text_of(arguments.at(0));
    if (name == "len")
        return is(types[0], HeapKind::Text) ? text_function("length") + "(" + one + ")" : "__h_kept_size[" + one + "]";
    if (name == "str") return to_text(types[0], one, out);
    if (name == "ord") return text_function("ord") + "(" + one + ")";
    if (name == "chr") return kept(text_function("chr") + "(" + one + ")", out);
    if (name == "int" && is(types[0], HeapKind::Text)) return kept(text_function("parse") + "(" + one + ", 10)", out);
    if (name == "list" && is_sequence(types[0]))
        return kept(list_function(types[0], "part") + "(" + one + ", 0, 1, __h_kept_size[" + one + "])", out);
    if (name == "tuple" && is_sequence(types[0]))
        return kept(list_function(types[0], "part") + "(" + one + ", 0, 1, __h_kept_size[" + one + "])", out);
    const bool numbers = std::ranges::none_of(types, [&](Type type) { return holds_objects(type); });
    if (numbers && (name == "abs" || name == "int" || name == "float" || name == "max" || name == "min"))
        return name + "(" + all + ")";
    if (numbers && name.starts_with("math.")) return "__h_math." + name.substr(5) + "(" + all + ")";
    if (name == "sum" && is_sequence(types[0]))
        return kept("sum(" + pool(part(types[0])) + "[__h_kept_begin[" + one + "]:__h_kept_begin[" + one + "] + __h_kept_size[" +
                        one + "]])",
                    out);
    throw NotOfHeap{"this function of elements"};
}

std::string HeapWriter::call(const ExprPtr& e, const CallExpr& n, Type type, Scope& scope, Lines& out) {
    if (const auto* parts = formatted_parts(e)) {
        std::string all;
        for (const ExprPtr& one : *parts) {
            if (const auto* repr = std::get_if<CallExpr>(&one->node); repr && name_of(repr->function) == kRepr)
                throw NotOfHeap{"a representation"};
            const std::string text = to_text(type_of(one), value(one, scope, out), out);
            all = all.empty() ? text : kept(text_function("add") + "(" + all + ", " + text + ")", out);
        }
        return all.empty() ? literal("") : all;
    }
    const std::string plain(name_of(n.function));
    if (plain == kMergedOf) {
        const std::string merged = kept(text_function("new") + "()", out);
        for (const ExprPtr& one : n.arguments) fill_pairs(type, merged, one, scope, out);
        return merged;
    }
    if (plain == "{}" || plain == "{:}") {
        const std::string made = kept(text_function("new") + "()", out);
        const auto* all = n.arguments.size() == 1 ? std::get_if<ListExpr>(&n.arguments[0]->node) : nullptr;
        if (plain == "{:}") {
            fill_pairs(type, made, n.arguments.at(0), scope, out);
        } else if (n.arguments.size() == 1 && std::holds_alternative<ComprehensionExpr>(n.arguments[0]->node)) {
            fill_table(type, made, n.arguments[0], scope, out);
        } else {
            for (const std::string& one : values(all ? all->elements : n.arguments, scope, out))
                out.push_back(table_function(type, "add") + "(" + made + ", " + one + ")");
        }
        return made;
    }
    if (tuples_made_.contains(e.get())) return tuple_made(e, n, scope, out);
    if (object_calls_.contains(e.get())) return object_call(e, n, type, scope, out);
    if (plain == "isinstance" && is_instance(type_of(n.arguments.at(0)))) return is_of_class(n, scope, out);
    if (Routine* called = function_named(plain, scope)) return call_function(*called, n, type, scope, out);
    if (plain == "_sluice_given" || known_function(n.function, scope) == "sluice.explicit.given")
        return value(n.arguments.at(0), scope, out);
    if (const std::string name = known_function(n.function, scope); !name.empty()) return builtin(name, n, type, scope, out);
    if (const auto* of = std::get_if<AttributeExpr>(&n.function->node)) return method(*of, n, type, scope, out);
    std::vector<ExprPtr> all = n.arguments;
    if (std::holds_alternative<LambdaExpr>(n.function->node)) {
        std::vector<Item> items;
        std::vector<Type> types;
        for (const std::string& one : values(all, scope, out)) items.push_back({one});
        for (const ExprPtr& one : all) types.push_back(type_of(one));
        return applied_to(n.function, items, types, scope, out);
    }
    for (const Keyword& keyword : n.keywords) all.push_back(keyword.value);
    const std::vector<std::string> texts = values(all, scope, out);
    std::string text = value(n.function, scope, out) + "(";
    for (std::size_t at = 0; at < texts.size(); ++at) {
        if (at > 0) text += ", ";
        if (at >= n.arguments.size()) text += n.keywords[at - n.arguments.size()].name + "=";
        text += texts[at];
    }
    return kept(text + ")", out);
}

}  // namespace sluice::frontend
