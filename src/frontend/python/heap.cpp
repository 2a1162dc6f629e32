#include "frontend/python/heap.h"

#include <algorithm>
#include <stdexcept>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"
#include "frontend/python/tables.h"
#include "frontend/python/texts.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr const char* kRaised = "RuntimeError";  ///< For whatever Python raises then.
constexpr const char* kLine = "  # line ";       ///< Behind what is written, the line that it is of.

}  // namespace

void HeapWriter::add(const Body& body, Scope& scope, Lines& out) {
    for (const StmtPtr& one : body) add(one, scope, out);
}

void HeapWriter::add(const StmtPtr& one, Scope& scope, Lines& out) {
    const std::size_t first = out.size();
    placed(one, [&] { write(one, scope, out); });
    for (std::size_t at = first; at < out.size(); ++at)
        if (out[at].find(kLine) == std::string::npos) out[at] += kLine + std::to_string(one->span.line);
}

/// Iterators, and the views that dictionaries have, are made where something goes through them at once: behind a name they would be
/// empty the second time, or change.
void HeapWriter::require_iterated(const ExprPtr& e, bool iterated, Scope& scope) {
    static const std::set<std::string> kMaking{"map", "filter", "zip", "enumerate", "reversed", "iter"},
        kViews{"keys", "values", "items"};
    static const std::set<std::string> kTaking{"list",   "tuple", "sorted",    "set",      "frozenset", "dict",
                                               "sum",    "min",   "max",       "any",      "all",       "map",
                                               "filter", "zip",   "enumerate", "reversed", "{}",        "{:}"};
    static const std::set<std::string> kTakingMethods{"join",     "extend",       "extendleft", "update",
                                                      "union",    "intersection", "difference", "symmetric_difference",
                                                      "issubset", "issuperset"};
    if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node)) {
        if (!comprehension->is_list && !iterated) throw NotOfHeap{"an iterator that is kept"};
        require_iterated(comprehension->element, false, scope);
        for (const ComprehensionClause& clause : comprehension->clauses) {
            require_iterated(clause.iterable, true, scope);
            for (const ExprPtr& condition : clause.conditions) require_iterated(condition, false, scope);
        }
        return;
    }
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    if (!call) {
        const auto* compare = std::get_if<CompareExpr>(&e->node);
        const bool asks =
            compare && compare->ops.size() == 1 && (compare->ops[0] == CompareOp::In || compare->ops[0] == CompareOp::NotIn);
        const bool starred = iterated && std::holds_alternative<StarredExpr>(e->node);
        for_each_child(
            *e, [&](const ExprPtr& child) { require_iterated(child, starred || (asks && child == compare->operands[1]), scope); });
        return;
    }
    const std::string plain(name_of(call->function)), known = known_function(call->function, scope);
    const bool of_library = known.starts_with("itertools.") || known.starts_with("collections.") || known.starts_with("functools.");
    const bool of_instance = method && types_known(method->object) && is_instance(type_of(method->object));
    const bool view = method && !of_instance && known.empty() && kViews.contains(method->name) && call->arguments.empty();
    if (!iterated && (generator_of(e, scope) || kMaking.contains(known) || known.starts_with("itertools.") || view))
        throw NotOfHeap{"an iterator that is kept"};
    const bool takes = kTaking.contains(known) || kTaking.contains(plain) || of_library ||
                       (method && !of_instance && known.empty() && kTakingMethods.contains(method->name));
    if (method) require_iterated(method->object, false, scope);
    for (const ExprPtr& one : call->arguments) require_iterated(one, takes, scope);
    for (const Keyword& one : call->keywords) require_iterated(one.value, false, scope);
}

void HeapWriter::write(const StmtPtr& one, Scope& scope, Lines& out) {
    const auto* loop = std::get_if<ForStmt>(&one->node);
    if (loop) require_apart(*loop, scope);
    const auto* raised = std::get_if<AssertStmt>(&one->node);
    if (raised && raises_in_python()) {
        if (raised->raises) return out.push_back(std::string("raise ") + kRaised);
        return out.push_back("assert " + truth(raised->condition, scope, out));
    }
    if (!std::holds_alternative<FunctionStmt>(one->node))
        for_each_expr(*one, [&](const ExprPtr& e) { require_iterated(e, loop && e == loop->iterable, scope); });
    std::visit(
        Overloaded{
            [&](const AssignStmt& s) {
                const auto* several = s.targets.size() == 1 ? std::get_if<TupleExpr>(&s.value->node) : nullptr;
                const auto targets = s.targets.size() == 1 ? elements_of(s.targets[0]) : std::vector<ExprPtr>();
                const bool pairs =
                    several && std::holds_alternative<TupleExpr>(s.targets[0]->node) && targets.size() == several->elements.size();
                if (!pairs) {
                    std::string text = value(s.value, scope, out);
                    if (s.targets.size() > 1) text = kept(text, out);
                    for (const ExprPtr& target : s.targets) bind(target, {text}, type_of(s.value), scope, out);
                    return;
                }
                const auto values_of = values(several->elements, scope, out);
                std::string left, right;
                bool plain = true;
                for (std::size_t at = 0; at < targets.size(); ++at) {
                    const Variable* known = variable(std::string(name_of(targets[at])), scope);
                    plain = plain && known;
                    left += (at > 0 ? ", " : "") + (known ? known->name : ""), right += (at > 0 ? ", " : "") + values_of[at];
                }
                if (plain) return out.push_back(left + " = " + right);
                std::vector<std::string> all;
                for (const std::string& each_value : values_of) {  // Names may be bound again before they are read.
                    const std::string name = temporary();
                    out.push_back(name + " = " + each_value);
                    all.push_back(name);
                }
                for (std::size_t at = 0; at < targets.size(); ++at)
                    bind(targets[at], {all[at]}, type_of(several->elements[at]), scope, out);
            },
            [&](const AugAssignStmt& s) { update(s, scope, out); },
            [&](const AnnAssignStmt& s) {
                if (!s.value) return;
                static const std::set<std::string> kOfPython{"int", "float", "bool", "str", "list", "dict", "set", "tuple"};
                const auto* of = std::get_if<SubscriptExpr>(&s.annotation->node);
                const bool of_class = is_instance(type_of(s.value)) || std::holds_alternative<AttributeExpr>(s.target->node);
                if (!of_class && !kOfPython.contains(std::string(name_of(of ? of->object : s.annotation))))
                    throw NotOfHeap{"a declared type"};
                const std::string text = value(s.value, scope, out);
                bind(s.target, {text}, type_of(s.value), scope, out);
            },
            [&](const ExprStmt& s) {
                if (std::holds_alternative<ConstantExpr>(s.value->node)) return;
                const std::string text = value(s.value, scope, out);
                if (!is_simple(text)) out.push_back(temporary() + " = " + text);
            },
            [&](const IfStmt& s) {
                const std::string condition = truth(s.condition, scope, out);
                Lines then, otherwise;
                add(s.then_body, scope, then), add(s.else_body, scope, otherwise);
                out.push_back("if " + condition + ":");
                nest(then, out);
                if (s.else_body.empty()) return;
                out.emplace_back("else:");
                nest(otherwise, out);
            },
            [&](const ForStmt& s) { add_loop(s, scope, out); },
            [&](const WhileStmt& s) {
                Lines front, body, rest;
                const std::string condition = truth(s.condition, scope, front);
                add(s.body, scope, body), add(s.else_body, scope, rest);
                if (front.empty()) {
                    out.push_back("while " + condition + ":");
                    nest(body, out);
                    if (s.else_body.empty()) return;
                    out.emplace_back("else:");
                    return nest(rest, out);
                }
                if (!s.else_body.empty()) throw NotOfHeap{"else of such a while"};
                front.insert(front.end(), {"if not " + condition + ":", "    break"});
                front.insert(front.end(), body.begin(), body.end());
                out.emplace_back("while True:");
                nest(front, out);
            },
            [&](const FunctionStmt& s) {
                Scope* own = &scope;
                while (!own->function) own = own->outer;
                define(*own->function->inner.at(s.name), out);
            },
            [&](const ReturnStmt& s) { add_return(s.value, scope, out); },
            [&](const AssertStmt& s) {
                const auto* call = s.message ? std::get_if<CallExpr>(&s.message->node) : nullptr;
                if (s.raises) {
                    if (!call || call->arguments.empty())
                        return out.push_back(s.message ? "raise " + code::to_string(*s.message) : "raise");
                    if (call->arguments.size() > 1) throw NotOfHeap{"an exception of several arguments"};
                    const std::string text = sentence(call->arguments[0], scope, out);
                    return out.push_back("raise " + code::to_string(*call->function) + "(" + text + ")");
                }
                const std::string condition = truth(s.condition, scope, out);
                out.push_back("assert " + condition + (s.message ? ", " + sentence(s.message, scope, out) : ""));
            },
            [&](const DeleteStmt& s) {
                for (const ExprPtr& target : s.targets) {
                    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
                    if (!subscript) throw NotOfHeap{"del of a name"};
                    const Type type = type_of(subscript->object);
                    require_changeable(type);
                    const std::string u = atom(subscript->object, scope, out);
                    if (is(type, HeapKind::Dict)) {
                        const std::string at =
                            kept(table_function(type, "key") + "(" + u + ", " + value(subscript->index, scope, out) + ")", out);
                        list_function(type_of_integers(), "same");
                        out.push_back(table_function(type, "drop") + "(" + u + ", " + at + ")");
                        continue;
                    }
                    if (!is_sequence(type) || is(type, HeapKind::Row) || (root(type)->rows_given && is_object(part(type))))
                        throw NotOfHeap{"del of this element"};
                    if (const auto* slice = std::get_if<SliceExpr>(&subscript->index->node)) {
                        if (slice->step) throw NotOfHeap{"del of this slice"};
                        const std::string n = "__h_kept_size[" + u + "]";
                        const auto bound = [&](const ExprPtr& given, const std::string& without) {
                            return given ? kept(text_function("bound") + "(" + value(given, scope, out) + ", " + n + ")", out)
                                         : kept(without, out);
                        };
                        const std::string begin = bound(slice->begin, "0"), end = bound(slice->end, n);
                        out.push_back(list_function(type, "cut") + "(" + u + ", " + begin + ", max(0, " + end + " - " + begin +
                                      "))");
                        continue;
                    }
                    out.push_back(list_function(type, "delete") + "(" + u + ", " + value(subscript->index, scope, out) + ")");
                }
            },
            [](const ImportStmt&) {},
            [&](const PassStmt&) { out.emplace_back("pass"); },
            [&](const BreakStmt&) { out.emplace_back("break"); },
            [&](const ContinueStmt&) { out.emplace_back("continue"); },
            [](const auto&) { throw NotOfHeap{"a statement of another kind"}; },
        },
        one->node);
}

/// What an exception says: constants, and integers of the run.
std::string HeapWriter::sentence(const ExprPtr& e, Scope& scope, Lines& out) {
    const auto integer = [&](const ExprPtr& one) {
        const Type type = type_of(one);
        if (!is(type, HeapKind::Number) || root(type)->numbers != kInteger) throw NotOfHeap{"an exception with such a value"};
        return make_name(kept(value(one, scope, out), out));
    };
    if (const auto* parts = formatted_parts(e)) {
        CallExpr all{make_name(std::string(kFormatted)), {}, {}};
        for (const ExprPtr& one : *parts) {
            const auto* repr = std::get_if<CallExpr>(&one->node);
            const bool as_repr = repr && name_of(repr->function) == kRepr;
            all.arguments.push_back(frontend::text_of(one) ? one : integer(as_repr ? repr->arguments.at(0) : one));
        }
        return code::to_string(code::Expr{all, e->span});
    }
    if (std::holds_alternative<BinaryExpr>(e->node)) throw NotOfHeap{"an exception with a computed text"};
    const bool known = frontend::text_of(e) || is(type_of(e), HeapKind::Other) || is(type_of(e), HeapKind::None);
    return known ? code::to_string(*e) : code::to_string(*integer(e));
}

void HeapWriter::update(const AugAssignStmt& s, Scope& scope, Lines& out) {
    const Type target = type_of(s.target), added = type_of(s.value);
    if (is_instance(target)) {
        const ExprPtr& whole = updates_.at(s.value.get());
        return bind(s.target, {value(whole, scope, out)}, type_of(whole), scope, out);
    }
    const auto* of = std::get_if<SubscriptExpr>(&s.target->node);
    const bool in_place = is_sequence(target) || is(target, HeapKind::Set) || is(target, HeapKind::Array);
    if (in_place) require_changeable(target);
    if (of && (!in_place || is(type_of(of->object), HeapKind::Array))) require_changeable(type_of(of->object));
    if (of && root(type_of(of->object))->frozen) throw NotOfHeap{"a change of what is the caller's"};
    static const std::map<BinaryOp, std::string> kOperators{
        {BinaryOp::Add, "+"},       {BinaryOp::Sub, "-"},    {BinaryOp::Mul, "*"},        {BinaryOp::Div, "/"},
        {BinaryOp::FloorDiv, "//"}, {BinaryOp::Mod, "%"},    {BinaryOp::Pow, "**"},       {BinaryOp::BitAnd, "&"},
        {BinaryOp::BitOr, "|"},     {BinaryOp::BitXor, "^"}, {BinaryOp::ShiftLeft, "<<"}, {BinaryOp::ShiftRight, ">>"},
        {BinaryOp::MatMul, "@"}};
    if (is(target, HeapKind::Array)) return update_array(s, kOperators.at(s.op), scope, out);
    if (is_sequence(target) && !is(target, HeapKind::Row)) {
        const std::string u = atom(s.target, scope, out);
        if (root(target)->rows_given && is_object(part(target))) throw NotOfHeap{"other rows in a list of the caller's"};
        if (s.op == BinaryOp::Mul)
            return out.push_back(list_function(target, "grow") + "(" + u + ", " + value(s.value, scope, out) + ")");
        if (s.op != BinaryOp::Add) throw NotOfHeap{"an update of a list"};
        const std::string more = added == target ? value(s.value, scope, out) : made_of(target, s.value, false, scope, out);
        return out.push_back(list_function(target, "extend") + "(" + u + ", " + more + ")");
    }
    if (is(target, HeapKind::Set) && root(target)->missing.empty()) {
        const std::string d = atom(s.target, scope, out), more = value(s.value, scope, out);
        const std::string result = of_tables(s.op, target, added, d, kept(more, out), out);
        out.push_back(table_function(target, "clear") + "(" + d + ")");
        return copy_elements(target, result, d, "", false, out);
    }
    if (is(target, HeapKind::Dict)) {
        const std::string d = atom(s.target, scope, out), more = atom(s.value, scope, out);
        require_one_table(target, added);
        return copy_elements(added, more, d, "", false, out);
    }
    const std::string name(name_of(s.target));
    if (!name.empty()) {
        const Variable* known = variable(name, scope);
        const std::string before = known ? known->name : name;
        if (!is_object(target) && !is(target, HeapKind::Tuple))
            return out.push_back(before + " " + kOperators.at(s.op) + "= " + value(s.value, scope, out));
        const std::string more = value(s.value, scope, out);
        return out.push_back(before + " = " + combined(s.op, target, target, added, before, more, out));
    }
    if (const auto* field = std::get_if<AttributeExpr>(&s.target->node)) {
        const std::string u = atom(field->object, scope, out);
        const std::string before = kept(field_value(*field, u, scope, out), out), by = value(s.value, scope, out);
        const std::string result = kept(combined(s.op, target, target, added, before, by, out), out);
        return out.push_back(field_place(*field, u, scope, out) + " = " + result);
    }
    const auto* subscript = std::get_if<SubscriptExpr>(&s.target->node);
    if (!subscript) throw NotOfHeap{"an update of this value"};
    const Type object = type_of(subscript->object);
    if (!is_object(object)) {
        const auto both = values({subscript->object, subscript->index}, scope, out);
        return out.push_back(both[0] + "[" + both[1] + "] " + kOperators.at(s.op) + "= " + value(s.value, scope, out));
    }
    if (is(object, HeapKind::Array)) return update_element(s, *subscript, scope, out);
    const auto both = values({subscript->object, subscript->index}, scope, out);
    const std::string u = kept(both[0], out),
                      index = kept(is(object, HeapKind::Dict) ? both[1] : as_whole(type_of(subscript->index), both[1]), out);
    Lines more;
    const std::string by = value(s.value, scope, more);
    std::string place;
    if (is(object, HeapKind::Dict)) {
        const bool missing = !root(object)->missing.empty();
        const std::string at =
            missing ? ensured(object, u, index, out) : kept(table_function(object, "key") + "(" + u + ", " + index + ")", out);
        place = table_name(object) + "_kept_values[" + at + "]";
    } else if (is_sequence(object) && !is(object, HeapKind::Row)) {
        place = pool(part(object)) + "[" + list_function(object, "place") + "(" + u + ", " + index + ")]";
    } else {
        throw NotOfHeap{"an update of this element"};
    }
    if (more.empty() && !is_object(target) && !is(target, HeapKind::Tuple)) {
        const std::string at = kept(place.substr(place.find('[') + 1, place.rfind(']') - place.find('[') - 1), out);
        return out.push_back(place.substr(0, place.find('[')) + "[" + at + "] " + kOperators.at(s.op) + "= " + by);
    }
    const std::string before = kept(place, out);
    out.insert(out.end(), more.begin(), more.end());
    const std::string result = kept(combined(s.op, target, target, added, before, by, out), out);
    out.push_back(place + " = " + result);
}

void HeapWriter::add_return(const ExprPtr& given, Scope& scope, Lines& out) {
    Scope* around = &scope;
    while (!around->function) around = around->outer;
    const bool of_objects = around->function != entry_ && is_instance(around->function->result);
    if (!given) return out.push_back(of_objects ? "return (-1)" : "return");
    const Type type = type_of(given);
    std::string text = value(given, scope, out);
    Scope* own = &scope;
    while (!own->function) own = own->outer;
    if (own->function != entry_) {
        if (cache_.empty()) return out.push_back("return " + text);
        const std::string name = temporary();
        out.push_back(name + " = " + text);
        out.push_back(table_function(cache_type_, "set") + "(" + cache_ + ", " + cache_key_ + ", " + name + ")");
        return out.push_back("return " + name);
    }
    const auto is_known = [&](const auto& self, Type one) -> bool {
        if (is(one, HeapKind::Tuple)) return std::ranges::all_of(root(one)->parts, [&](Type each) { return self(self, each); });
        return !is(one, HeapKind::Unknown);
    };
    const std::function<bool(Type)> has_class = [&](Type one) {
        return is_named_tuple(one) || (is(one, HeapKind::Tuple) && std::ranges::any_of(root(one)->parts, has_class));
    };
    if (has_class(type)) throw NotOfHeap{"a named tuple that is returned"};
    if (!given_.empty() && !is_known(is_known, type)) throw NotOfHeap{"a result of elements that nobody knows"};
    if (!holds_objects(type)) return out.push_back("return " + text);
    std::vector<std::string> parts{"__h_kept_begin", "__h_kept_size"};
    const bool takes_lists = lists_.contains("__h_kept_given");
    if (takes_lists) parts.emplace_back("__h_kept_given");
    one_is_returned_ = is_one_array(type);
    const std::string spec = (takes_lists ? "g" : "") + spec_of(type, parts);
    std::string call = "return __h_objects(" + code::to_string(*make_text(spec)) + ", " + text;
    for (const std::string& part : parts) call += ", " + part;
    out.push_back(call + ")");
}

void HeapWriter::define(Routine& function, Lines& out) {
    const FunctionStmt& statement = *function.statement;
    std::string head = "def " + function.name + "(", key;
    std::vector<Type> keys;
    Lines body;
    const auto bound = binding_counts(statement.body);
    for (const Parameter& parameter : statement.parameters) {
        const bool number = parameter.default_value && frontend::text_of(parameter.default_value) == nullptr;
        head += (head.ends_with("(") ? "" : ", ") + parameter.name;
        if (number)
            head += "=" + code::to_string(*parameter.default_value);
        else if (parameter.default_value)
            head += "=0";  // Each call gives it.
        keys.push_back(function.scope.names.at(parameter.name).type);
        std::string of_key = parameter.name;
        if (function.caches && bound.contains(of_key)) body.push_back((of_key = temporary()) + " = " + parameter.name);
        key += (key.empty() ? "" : ", ") + of_key;
    }
    const auto before = std::tuple(cache_, cache_type_, cache_key_);
    cache_.clear();
    if (function.caches) {
        const Type of_key = keys.size() == 1 ? keys[0] : fresh(HeapKind::Tuple, keys);
        cache_type_ = fresh(HeapKind::Dict, {of_key, function.result});
        cache_ = temporary(), cache_key_ = keys.size() == 1 ? key : "(" + key + ")";
        out.push_back(cache_ + " = " + text_function("new") + "()");
        const std::string at = temporary();
        body.push_back(at + " = " + table_function(cache_type_, "find") + "(" + cache_ + ", " + cache_key_ + ")");
        body.push_back("if " + at + " >= 0:");
        body.push_back("    return " + table_name(cache_type_) + "_kept_values[" + at + "]");
    }
    add(statement.body, function.scope, body);
    if (is_instance(function.result) && !std::holds_alternative<ReturnStmt>(statement.body.back()->node))
        body.emplace_back("return (-1)");
    std::tie(cache_, cache_type_, cache_key_) = before;
    out.push_back(head + "):");
    nest(body, out);
}

std::string HeapWriter::text() {
    Lines body, helpers;
    add(main_.body, entry_->scope, body);
    for (std::size_t at = 0; at < order_.size(); ++at)
        if (order_[at] != entry_ && !order_[at]->scope.outer) define(*order_[at], helpers);
    for (const char* list : {"__h_kept_begin", "__h_kept_size", "__h_kept_room"}) declare(list);
    Lines literals;
    if (!texts_.empty()) declare("__h_kept_chars"), text_function("finish");
    for (const auto& [text, name] : texts_) {
        const std::string first = temporary();
        literals.push_back(first + " = len(__h_kept_chars)");
        for (const std::int64_t point : Texts::code_points(text))
            literals.push_back("__h_kept_chars.append(" + std::to_string(point) + ")");
        literals.push_back(name + " = __h_finish(" + first + ")");
    }
    Lines front, taken;
    for (std::size_t at = 0; at < given_types_.size(); ++at) {
        std::vector<std::string> parts{"__h_kept_begin", "__h_kept_size", "__h_kept_room"};
        const std::string spec = spec_of(given_types_[at], parts, true);
        std::string line = main_.parameters[at].name + " = __h_take(" + code::to_string(*make_text(spec));
        for (const std::string& part : parts) line += ", " + part;
        taken.push_back(line + ")");
    }
    for (const auto& [list, first] : lists_) front.push_back(list + (first.empty() ? " = []" : " = [" + first + "] * 0"));
    for (Lines* more : {&runtime_, &literals, &taken, &helpers, &body}) front.insert(front.end(), more->begin(), more->end());
    std::string whole = "def " + main_.name + "():\n";
    lines_of_text_.assign(1, 0);
    for (const std::string& line : front) {
        const std::size_t mark = line.rfind(kLine);
        whole += "    " + line.substr(0, mark) + "\n";
        lines_of_text_.push_back(mark == std::string::npos
                                     ? 0
                                     : static_cast<std::uint32_t>(std::stoul(line.substr(mark + std::string_view(kLine).size()))));
    }
    return whole;
}

Program with_heap(const Program& program, const std::map<std::string, ArgumentType>& arguments, const std::string& given,
                  bool with_arrays) {
    const auto& function = std::get<FunctionStmt>(program.function->node);
    const Span& span = program.function->span;
    std::string text;
    Program written = program;
    try {
        Bindings globals = program.globals;
        globals.emplace("__given", FunctionBinding{"sluice.explicit.given"});  // Of constants that methods name (constants.cpp).
        for (std::set<std::string> special; text.empty();) try {
                HeapWriter writer(function, globals, program.definition, arguments, given, with_arrays, special);
                text = writer.text();
                written.lines = writer.lines();
            } catch (const NeedsMethod& method) {
                special.insert(method.name);
            }
    } catch (const std::out_of_range&) {
        throw NotOfHeap{"fewer arguments, or parts of a type, than Python asks for", span};
    }
    const Body parsed =
        parse_body(text, {.file = span.file ? *span.file : "", .first_line = kWrittenLines, .fields = {}}).or_fail();
    const std::map<std::string, ExprPtr> own{
        {"__h_find", make_name(kFind)}, {"__h_objects", make_name(kObjects)}, {"__h_take", make_name(kTake)}};
    const std::function<Body(const Body&)> renamed_in = [&](const Body& body) {
        Body out;
        for (const StmtPtr& one : body) {
            StmtPtr with = with_parts(
                one, [&](const ExprPtr& e) { return replace_names(e, own); }, renamed_in);
            if (const auto* inner = std::get_if<FunctionStmt>(&with->node)) {
                FunctionStmt copy = *inner;
                copy.body = renamed_in(copy.body);
                with = make_statement(std::move(copy), with->span);
            }
            out.push_back(with);
        }
        return out;
    };
    Stmt copy = *program.function;
    std::get<FunctionStmt>(copy.node).body = renamed_in(std::get<FunctionStmt>(parsed.at(0)->node).body);
    written.function = std::make_shared<const Stmt>(std::move(copy));
    written.globals["__h_math"] = ModuleBinding{"math"};
    return written;
}

}  // namespace sluice::frontend
