// Loops over objects, and what comprehensions and functions of all elements make of them.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

void HeapWriter::nest(const Lines& inside, Lines& out) {
    for (const std::string& line : inside) out.push_back("    " + line);
    if (inside.empty()) out.emplace_back("    pass");
}

HeapWriter::Indexed HeapWriter::of_sequence(Type type, const std::string& object) {
    if (is(type, HeapKind::Text))
        return {text_function("length") + "(" + object + ")", [this, object](const std::string& k) -> Item {
                    return {"(-1 - " + text_function("point") + "(" + object + ", " + k + "))"};
                }};
    if (is_sequence(type))
        return {"__h_kept_size[" + object + "]", [list = pool(part(type)), object](const std::string& k) -> Item {
                    return {list + "[__h_kept_begin[" + object + "] + " + k + "]"};
                }};
    if (is_array(type, 2))
        return {"__h_kept_size[" + object + "]", [row = list_function(type, "row"), object](const std::string& k) -> Item {
                    return {row + "(" + object + ", " + k + ")"};
                }};
    if (is(type, HeapKind::Array))
        return {"__h_kept_size[" + object + "]", [list = elements(type), object](const std::string& k) -> Item {
                    return {list + "[__h_kept_begin[" + object + "] + " + k + "]"};
                }};
    const std::string slots = pool(part(type_of_integers())), own = table_name(type);
    return {"__h_kept_size[" + object + "]", [slots, own, object](const std::string& k) -> Item {
                return {own + "_kept_keys[" + slots + "[__h_kept_begin[" + object + "] + " + k + "]]"};
            }};
}

/// What a loop goes over, whatever its body gives the name.
std::string HeapWriter::held(const std::string& value, Lines& out) {
    if (!rebound_.contains(value)) return kept(value, out);
    const std::string name = temporary();
    out.push_back(name + " = " + value);
    return name;
}

/// The elements by number; nullopt where they have to be made one after the other.
std::optional<HeapWriter::Indexed> HeapWriter::indexed(const ExprPtr& given, Scope& scope, Lines& out) {
    const ExprPtr& iterable = iterable_of(given);
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    const std::string name =
        call && !function_named(std::string(name_of(call->function)), scope) ? known_function(call->function, scope) : "";
    if (name == "range") {
        auto bounds = values(call->arguments, scope, out);
        for (std::size_t at = 0; at < bounds.size(); ++at) bounds[at] = as_whole(type_of(call->arguments[at]), bounds[at]);
        if (bounds.size() == 1) return Indexed{"max(0, " + bounds[0] + ")", [](const std::string& k) -> Item { return {k}; }};
        const std::string begin = held(bounds[0], out), step = bounds.size() > 2 ? held(bounds[2], out) : "1";
        const auto by = bounds.size() > 2 ? integer_in(call->arguments[2]) : std::optional<std::int64_t>(1);
        if (!by || *by == 0) throw NotOfHeap{"a range whose step only the run knows"};
        const std::string size = std::to_string(*by < 0 ? -*by : *by);
        const std::string span = *by < 0 ? begin + " - " + bounds[1] : bounds[1] + " - " + begin;
        const std::string count = "max(0, (" + span + (size == "1" ? ")" : " + " + size + " - 1) // " + size) + ")";
        return Indexed{count, [begin, step](const std::string& k) -> Item {
                           return {"(" + begin + " + " + k + (step == "1" ? "" : " * " + step) + ")"};
                       }};
    }
    if (name == "enumerate") {
        auto of = indexed(call->arguments.at(0), scope, out);
        if (!of) return std::nullopt;
        const ExprPtr start = call->arguments.size() > 1 ? call->arguments[1]
                              : call->keywords.empty()   ? nullptr
                                                         : call->keywords[0].value;
        const std::string from = start ? held(value(start, scope, out), out) : "";
        return Indexed{of->count, [at = of->at, from](const std::string& k) -> Item {
                           return {"", {{from.empty() ? k : "(" + k + " + " + from + ")"}, at(k)}};
                       }};
    }
    if (name == "reversed") {
        auto of = indexed(call->arguments.at(0), scope, out);
        if (!of) return std::nullopt;
        const std::string count = kept(of->count, out);
        return Indexed{count, [at = of->at, count](const std::string& k) -> Item { return at("(" + count + " - 1 - " + k + ")"); }};
    }
    if (name == "zip") {
        if (call->arguments.size() == 1 && std::holds_alternative<StarredExpr>(call->arguments[0]->node)) return std::nullopt;
        std::vector<std::function<Item(const std::string&)>> parts;
        std::string count;
        for (const ExprPtr& one : call->arguments) {
            auto of = indexed(one, scope, out);
            if (!of) of = of_sequence(made_type(one), made_of(made_type(one), one, false, scope, out));
            parts.push_back(of->at);
            count = count.empty() ? of->count : "min(" + count + ", " + of->count + ")";
        }
        return Indexed{count, [parts](const std::string& k) {
                           Item item;
                           for (const auto& at : parts) item.parts.push_back(at(k));
                           return item;
                       }};
    }
    const auto* of = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    if (of && name.empty() && (of->name == "items" || of->name == "keys" || of->name == "values") &&
        is(type_of(of->object), HeapKind::Dict)) {
        const Type type = type_of(of->object);
        const std::string d = held(value(of->object, scope, out), out), own = table_name(type),
                          slots = pool(part(type_of_integers()));
        return Indexed{"__h_kept_size[" + d + "]", [own, d, slots, which = of->name](const std::string& k) -> Item {
                           const std::string slot = "[" + slots + "[__h_kept_begin[" + d + "] + " + k + "]]";
                           const Item key{own + "_kept_keys" + slot}, value{own + "_kept_values" + slot};
                           return which == "keys" ? key : which == "values" ? value : Item{"", {key, value}};
                       }};
    }
    if (std::holds_alternative<ComprehensionExpr>(iterable->node)) return std::nullopt;
    const Type type = type_of(iterable);
    if (!name.empty() && name != "list" && name != "tuple" && name != "sorted" && name != "dict" && name != "str" &&
        name != "set" && !name.starts_with("numpy.") && !name.starts_with("collections.") && !name.starts_with("heapq."))
        return std::nullopt;
    if (is_sequence(type) || is(type, HeapKind::Text) || is(type, HeapKind::Dict) || is(type, HeapKind::Array))
        return of_sequence(type, held(value(iterable, scope, out), out));
    return std::nullopt;
}

/// The list that the elements make.
HeapWriter::Type HeapWriter::made_type(const ExprPtr& iterable) {
    const Type type = type_of(iterable_of(iterable));
    if (is_sequence(type)) return type;
    if (is(type, HeapKind::Text) || is(type, HeapKind::Dict) || is(type, HeapKind::Set) || is(type, HeapKind::Tuple) ||
        is(type, HeapKind::Array))
        return fresh(HeapKind::List, {element_of(type)});
    throw NotOfHeap{"a loop over this value"};
}

/// Calls `inside` with each element, in loops that are written out. `any_order`: nobody sees in which.
void HeapWriter::each(const ExprPtr& given, bool any_order, Scope& scope, Lines& out, const Inside& inside) {
    const ExprPtr& iterable = iterable_of(given);
    const auto loop = [&](const Indexed& over, Lines& lines) {
        const std::string k = temporary();
        Lines body, guarded;
        inside(over.at(k), body);
        if (!guard_.empty()) guarded.push_back("if " + guard_ + ":"), nest(body, guarded), body = guarded;
        lines.push_back("for " + k + " in range(" + over.count + "):");
        nest(body, lines);
    };
    if (const auto over = indexed(iterable, scope, out)) return loop(*over, out);
    if (const auto* list = std::get_if<ComprehensionExpr>(&iterable->node)) {
        Scope& own = scope_of(iterable, scope, {});
        const std::function<void(std::size_t, Lines&)> clause = [&](std::size_t at, Lines& lines) {
            if (at == list->clauses.size()) {
                Item item;
                const auto* parts = std::get_if<TupleExpr>(&list->element->node);
                if (parts)
                    for (const std::string& one : values(parts->elements, own, lines)) item.parts.push_back({one});
                else
                    item.text = value(list->element, own, lines);
                return inside(item, lines);
            }
            const ComprehensionClause& one = list->clauses[at];
            std::vector<ExprPtr> parts{list->element};
            for (std::size_t k = at; k < list->clauses.size(); ++k) {
                if (k > at) parts.push_back(list->clauses[k].iterable);
                parts.insert(parts.end(), list->clauses[k].conditions.begin(), list->clauses[k].conditions.end());
            }
            require_unchanged(one.iterable, parts, at == 0 ? scope : own, own);
            each(one.iterable, any_order, at == 0 ? scope : own, lines, [&](const Item& item, Lines& body) {
                bind(one.target, item, iterated(one.iterable), own, body);
                Lines* within = &body;
                std::vector<std::pair<std::string, Lines>> conditions;
                for (const ExprPtr& condition : one.conditions) {
                    Lines& front = conditions.empty() ? *within : conditions.back().second;
                    const std::string holds = truth(condition, own, front);
                    conditions.emplace_back(holds, Lines());
                }
                clause(at + 1, conditions.empty() ? body : conditions.back().second);
                for (std::size_t k = conditions.size(); k-- > 0;) {
                    Lines& front = k == 0 ? body : conditions[k - 1].second;
                    front.push_back("if " + conditions[k].first + ":");
                    nest(conditions[k].second, front);
                }
            });
        };
        return clause(0, out);
    }
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    const std::string name = call ? known_function(call->function, scope) : "";
    if (name == "enumerate" || name == "reversed" ||
        (name == "zip" && !std::holds_alternative<StarredExpr>(call->arguments.at(0)->node))) {
        // Of what is made one after the other.
        const ExprPtr& first = call->arguments.at(0);
        const Type type = made_type(first);
        Indexed over = of_sequence(type, made_of(type, first, false, scope, out));
        if (name == "reversed") {
            const std::string count = kept(over.count, out);
            return loop(
                {count, [at = over.at, count](const std::string& k) -> Item { return at("(" + count + " - 1 - " + k + ")"); }},
                out);
        }
        const std::string from = call->arguments.size() > 1 ? kept(value(call->arguments[1], scope, out), out) : "0";
        return loop({over.count,
                     [at = over.at, from](const std::string& k) -> Item {
                         return {"", {{"(" + k + " + " + from + ")"}, at(k)}};
                     }},
                    out);
    }
    if (name == "map" || name == "filter") {
        const ExprPtr& function = call->arguments.at(0);
        std::vector<ExprPtr> lists(call->arguments.begin() + 1, call->arguments.end());
        std::vector<Type> types;
        for (const ExprPtr& one : lists) {
            types.push_back(iterated(one));
            require_unchanged(one, {function}, scope, scope);
        }
        const auto apply = [&](const std::vector<Item>& items, Lines& body) {
            if (name == "map") return inside({applied_to(function, items, types, scope, body)}, body);
            const Item item{kept(text_of(items[0]), body)};
            const bool none = is_none(function);
            const std::string holds = none ? truth_of(types[0], item.text) : applied_to(function, {item}, types, scope, body);
            Lines taken;
            inside(item, taken);
            body.push_back("if " + holds + ":");
            nest(taken, body);
        };
        if (lists.size() == 1)
            return each(lists[0], any_order, scope, out, [&](const Item& item, Lines& body) { apply({item}, body); });
        const auto over = indexed(
            std::make_shared<const code::Expr>(code::Expr{CallExpr{make_name("zip"), lists, {}}, iterable->span}), scope, out);
        return loop({over->count, over->at}, out);
    }
    if (name == "itertools.chain") {
        for (const ExprPtr& one : call->arguments) each(one, any_order, scope, out, inside);
        return;
    }
    if (name == "itertools.chain.from_iterable")
        return each(call->arguments.at(0), any_order, scope, out, [&](const Item& item, Lines& body) {
            const Indexed of = of_sequence(iterated(call->arguments[0]), kept(item.text, body));
            loop(of, body);
        });
    if (name.starts_with("itertools.") && is(iterated(iterable), HeapKind::Tuple)) {
        const std::string which = name.substr(10);
        const bool product = which == "product", again = which == "product" || which == "combinations_with_replacement";
        std::vector<Indexed> lists;
        const std::size_t count = root(iterated(iterable))->parts.size();
        for (std::size_t at = 0; at < (product ? call->arguments.size() : 1); ++at) {
            auto of = indexed(call->arguments[at], scope, out);
            if (!of)
                of = of_sequence(made_type(call->arguments[at]),
                                 made_of(made_type(call->arguments[at]), call->arguments[at], false, scope, out));
            of->count = kept(of->count, out);
            lists.push_back(*of);
        }
        while (lists.size() < count) lists.push_back(lists[0]);
        std::vector<std::string> places;
        const std::function<void(std::size_t, Lines&)> nested = [&](std::size_t at, Lines& lines) {
            if (at == count) {
                Item item;
                for (std::size_t k = 0; k < count; ++k) item.parts.push_back(lists[k].at(places[k]));
                return inside(item, lines);
            }
            const std::string k = temporary();
            Lines body;
            places.push_back(k);
            if (which == "permutations" && at > 0) {
                std::string other;
                for (std::size_t j = 0; j < at; ++j) other += (j > 0 ? " and " : "") + k + " != " + places[j];
                Lines taken;
                nested(at + 1, taken);
                body.push_back("if " + other + ":");
                nest(taken, body);
            } else {
                nested(at + 1, body);
            }
            const std::string first = product || which == "permutations" || at == 0 ? "0"
                                      : again                                       ? places[at - 1]
                                                                                    : places[at - 1] + " + 1";
            places.pop_back();
            const bool pairs = which == "pairwise";
            lines.push_back("for " + k + " in range(" +
                            (pairs && at == 1 ? places[0] + " + 1, " + places[0] + " + 2"
                                              : first + ", " + lists[at].count + (pairs ? " - 1" : "")) +
                            "):");
            nest(body, lines);
        };
        return nested(0, out);
    }
    if (name == "itertools.repeat") {
        const auto both = values(call->arguments, scope, out);
        const std::string one = kept(both[0], out);
        return loop({both[1], [one](const std::string&) -> Item { return {one}; }}, out);
    }
    if (name == "itertools.accumulate") {
        const std::string total = temporary(), some = temporary();
        const Type type = iterated(call->arguments[0]);
        out.insert(out.end(), {some + " = False", total + " = " + zero(type)});
        return each(call->arguments[0], false, scope, out, [&](const Item& item, Lines& body) {
            const std::string one = kept(text_of(item), body);
            Lines more;
            const std::string next = call->arguments.size() > 1
                                         ? applied_to(call->arguments[1], {{total}, {one}}, {type, type}, scope, more)
                                         : combined(BinaryOp::Add, type, type, type, total, one, more);
            more.push_back(total + " = " + next);
            body.push_back("if " + some + ":");
            nest(more, body);
            body.insert(body.end(), {"else:", "    " + total + " = " + one, some + " = True"});
            inside({total}, body);
        });
    }
    if (name == "zip") {  // zip(*rows)
        const auto& all = std::get<StarredExpr>(call->arguments.at(0)->node).value;
        const Type type = made_type(all), row = part(type), column = part(type_of(iterable));
        const std::string rows = made_of(type, all, false, scope, out), width = temporary(), k = temporary(), j = temporary();
        const std::string list = pool(row);
        const auto place = [&](const std::string& at) { return list + "[__h_kept_begin[" + rows + "] + " + at + "]"; };
        out.insert(out.end(),
                   {width + " = 0", "if __h_kept_size[" + rows + "] > 0:", "    " + width + " = __h_kept_size[" + place("0") + "]",
                    "for " + k + " in range(__h_kept_size[" + rows + "]):",
                    "    " + width + " = min(" + width + ", __h_kept_size[" + place(k) + "])"});
        const std::string at = temporary(), made = temporary();
        out.push_back("for " + at + " in range(" + width + "):");
        Lines body{made + " = " + text_function("new") + "()", "for " + j + " in range(__h_kept_size[" + rows + "]):",
                   "    " + list_function(column, "append") + "(" + made + ", " + pool(part(row)) + "[__h_kept_begin[" + place(j) +
                       "] + " + at + "])"};
        inside({made}, body);
        return nest(body, out);
    }
    const Type type = type_of(iterable);
    if (is(type, HeapKind::Set)) {
        if (!any_order) throw NotOfHeap{"the order of a set"};
        return loop(of_sequence(type, atom(iterable, scope, out)), out);
    }
    if (is(type, HeapKind::Tuple)) {
        const std::string k = temporary();
        const std::string all = value(iterable, scope, out);
        Lines body;
        inside({k}, body);
        out.push_back("for " + k + " in " + all + ":");
        return nest(body, out);
    }
    if (is_sequence(type) || is(type, HeapKind::Text) || is(type, HeapKind::Dict))
        return loop(of_sequence(type, atom(iterable, scope, out)), out);
    throw NotOfHeap{"a loop over this value"};
}

/// What is bound in each turn.
HeapWriter::Type HeapWriter::iterated(const ExprPtr& iterable) {
    return element_of(type_of(iterable_of(iterable)));
}

void HeapWriter::bind(const ExprPtr& target, const Item& item, Type type, Scope& scope, Lines& out) {
    if (const std::string name(name_of(target)); !name.empty()) {
        out.push_back(variable(name, scope)->name + " = " + text_of(item));
        return;
    }
    if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node)) {
        const auto targets = elements_of(target);
        if (is(type, HeapKind::Unknown)) {  // Of a list without elements, which never comes here.
            for (const ExprPtr& one : targets) bind(one, {"0"}, type, scope, out);
            return;
        }
        if (is(type, HeapKind::Tuple)) {
            std::vector<Item> parts = item.parts;
            if (parts.empty()) {
                const std::string whole = kept(item.text, out);
                for (std::size_t at = 0; at < targets.size(); ++at) parts.push_back({whole + "[" + std::to_string(at) + "]"});
            }
            for (std::size_t at = 0; at < targets.size(); ++at) bind(targets[at], parts[at], part(type, at), scope, out);
            return;
        }
        const std::string object = kept(text_of(item), out);
        const Indexed of = of_sequence(type, object);
        const std::string n = kept(of.count, out);
        const auto star = std::ranges::find_if(targets, [](const auto& e) { return std::holds_alternative<StarredExpr>(e->node); });
        const std::string wanted = std::to_string(star == targets.end() ? targets.size() : targets.size() - 1);
        out.push_back("if " + n + (star == targets.end() ? " != " : " < ") + wanted + ":");
        out.push_back(star == targets.end() ? "    raise ValueError(\"too many values to unpack (expected " + wanted + ")\" if " +
                                                  n + " > " + wanted + " else \"values\")"
                                            : "    raise ValueError(\"not enough values to unpack\")");
        if (star == targets.end()) out.back() = "    raise ValueError(\"values to unpack (expected " + wanted + ")\")";
        for (std::size_t at = 0; at < targets.size(); ++at) {
            const std::size_t behind = targets.size() - 1 - at;
            const bool after = star != targets.end() && targets.begin() + static_cast<std::ptrdiff_t>(at) > star;
            if (const auto* rest = std::get_if<StarredExpr>(&targets[at]->node)) {
                const Type list = is(type, HeapKind::List) ? type : fresh(HeapKind::List, {element_of(type)});
                if (is(type, HeapKind::Text)) throw NotOfHeap{"a starred target for a text"};
                bind(rest->value,
                     {list_function(list, "part") + "(" + object + ", " + std::to_string(at) + ", 1, " + n + " - " + wanted + ")"},
                     list, scope, out);
                continue;
            }
            bind(targets[at], of.at(after ? "(" + n + " - " + std::to_string(behind + 1) + ")" : std::to_string(at)),
                 element_of(type), scope, out);
        }
        return;
    }
    if (const auto* attribute = std::get_if<AttributeExpr>(&target->node)) {
        const std::string kept_field = kept(text_of(item), out);
        const std::string place = field_place(*attribute, atom(attribute->object, scope, out), scope, out);
        if (!place.empty()) out.push_back(place + " = " + kept_field);
        return;
    }
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) throw NotOfHeap{"a target of this kind"};
    const Type object = type_of(subscript->object);
    if (is_instance(object)) {
        const ExprPtr& call = element_calls_.at(target.get());
        known_texts_[std::get<CallExpr>(call->node).arguments[1].get()] = kept(text_of(item), out);
        value(call, scope, out);
        return;
    }
    const std::string kept_item = kept(text_of(item), out);
    if (!is_object(object)) {
        const auto both = values({subscript->object, subscript->index}, scope, out);
        out.push_back(both[0] + "[" + both[1] + "] = " + kept_item);
        return;
    }
    require_changeable(object);
    if (is(object, HeapKind::Array)) return fill_part(*subscript, kept_item, type, scope, out);
    const std::string u = atom(subscript->object, scope, out);
    if (const auto* slice = std::get_if<SliceExpr>(&subscript->index->node)) {
        if (!is(object, HeapKind::List) || slice->step) throw NotOfHeap{"an assignment to this slice"};
        const std::string n = "__h_kept_size[" + u + "]";
        const auto bound = [&](const ExprPtr& given, const std::string& without) {
            return given ? kept(text_function("bound") + "(" + value(given, scope, out) + ", " + n + ")", out) : kept(without, out);
        };
        const std::string begin = bound(slice->begin, "0"), end = bound(slice->end, n);
        if (!is_sequence(type)) throw NotOfHeap{"an assignment of this value to a slice"};
        out.push_back(list_function(object, "replace") + "(" + u + ", " + begin + ", " + end + ", " + kept_item + ")");
        return;
    }
    const bool of_key = is(object, HeapKind::Dict);
    const std::string index = of_key ? value(subscript->index, scope, out) : whole_value(subscript->index, scope, out);
    if (of_key) {
        out.push_back(table_function(object, "set") + "(" + u + ", " + index + ", " + kept_item + ")");
        return;
    }
    if (is(object, HeapKind::Row) || !is_sequence(object)) throw NotOfHeap{"an assignment to an element of this value"};
    if (root(object)->rows_given && is_object(part(object))) throw NotOfHeap{"another row in a list of the caller's"};
    out.push_back(pool(part(object)) + "[" + list_function(object, "stored") + "(" + u + ", " + index + ")] = " + kept_item);
}

void HeapWriter::add_loop(const ForStmt& s, Scope& scope, Lines& out) {
    const ExprPtr& iterable = iterable_of(s.iterable);
    Lines rest;
    add(s.else_body, scope, rest);
    const auto with_else = [&] {
        if (rest.empty()) return;
        out.emplace_back("else:");
        nest(rest, out);
    };
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    const std::string name =
        call && !function_named(std::string(name_of(call->function)), scope) ? known_function(call->function, scope) : "";
    if (name == "range" && !name_of(s.target).empty()) {
        std::string bounds;
        const auto all = values(call->arguments, scope, out);
        for (std::size_t at = 0; at < all.size(); ++at)
            bounds += (at == 0 ? "" : ", ") + as_whole(type_of(call->arguments[at]), all[at]);
        Lines body;
        add(s.body, scope, body);
        out.push_back("for " + variable(std::string(name_of(s.target)), scope)->name + " in range(" + bounds + "):");
        nest(body, out);
        return with_else();
    }
    const Type type = type_of(iterable), element = element_of(type);
    if (is(type, HeapKind::Other) || (is(type, HeapKind::Tuple) && !holds_objects(type))) {
        const std::string all = value(iterable, scope, out);
        Lines body;
        const std::string one = temporary();
        if (is(type, HeapKind::Tuple))
            bind(s.target, {one}, element, scope, body);
        else if (!name_of(s.target).empty())
            body.push_back(variable(std::string(name_of(s.target)), scope)->name + " = " + one);
        else
            throw NotOfHeap{"a loop over this value"};
        add(s.body, scope, body);
        out.push_back("for " + one + " in " + all + ":");
        nest(body, out);
        return with_else();
    }
    if (is(type, HeapKind::Set)) throw NotOfHeap{"the order of a set"};
    const Going how = going(s, scope);
    rebound_.clear();
    for (const auto& [bound, count] : binding_counts(s.body)) rebound_.insert(bound);
    const std::function<void(const ExprPtr&)> bound_by = [&](const ExprPtr& target) {
        if (const std::string bound(name_of(target)); !bound.empty())
            rebound_.insert(bound);
        else
            for_each_child(*target, bound_by);
    };
    bound_by(s.target);
    auto over = is(type, HeapKind::Tuple) ? std::nullopt : indexed(iterable, scope, out);
    rebound_.clear();
    if (how.grows && !over) throw NotOfHeap{"a loop that changes what it goes over"};
    if (!over) {
        const Type list = made_type(iterable);
        over = of_sequence(list, made_of(list, iterable, false, scope, out));
    }
    const std::string k = temporary();
    Lines body;
    bind(s.target, over->at(k), element, scope, body);
    add(s.body, scope, body);
    if (how.grows) {
        out.push_back(k + " = -1");
        body.insert(body.begin(), k + " = " + k + " + 1");
        out.push_back("while " + k + " + 1 < " + over->count + ":");
    } else if (how.checks) {
        const std::string count = temporary();
        const Lines check{"if " + over->count + " != " + count + ":",
                          "    raise RuntimeError(\"dictionary changed size during iteration\")"};
        out.push_back(count + " = " + over->count);
        out.push_back("for " + k + " in range(" + count + "):");
        body.insert(body.begin(), check.begin(), check.end());
        rest.insert(rest.begin(), check.begin(), check.end());
    } else {
        out.push_back("for " + k + " in range(" + over->count + "):");
    }
    nest(body, out);
    with_else();
}

/// Whether the line makes no list longer, but for an append of its own.
bool HeapWriter::only_reads(const std::string& line) const {
    static const std::set<std::string> kReading{"place", "same", "less", "index", "count", "equal", "before", "item", "cell"},
        kMaking{"__h_new", "__h_split", "__h_words"};
    for (std::size_t at = line.find("__h_"); at != std::string::npos; at = line.find("__h_", at + 4)) {
        const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at);
        if (end == std::string::npos || line[end] != '(') continue;
        const std::string called = line.substr(at, end - at);
        const bool of_type = called.starts_with("__h_l") && std::isdigit(static_cast<unsigned char>(called[5])) != 0;
        const bool of_table = called.starts_with("__h_d") && std::isdigit(static_cast<unsigned char>(called[5])) != 0;
        const bool of_class = called.starts_with("__h_c") && std::isdigit(static_cast<unsigned char>(called[5])) != 0;
        if (of_class && !called.ends_with("_at") && called.find("_check_") == std::string::npos) return false;
        if (of_type && !kReading.contains(called.substr(called.rfind('_') + 1))) return false;
        if ((of_table && !called.ends_with("_find") && !called.ends_with("_key")) || kMaking.contains(called)) return false;
    }
    return std::ranges::none_of(order_, [&](const Routine* one) { return line.find(one->name + "(") != std::string::npos; });
}

/// A new list or row of the elements.
std::string HeapWriter::made_of(Type list, const ExprPtr& given, bool any_order, Scope& scope, Lines& out) {
    const ExprPtr& iterable = iterable_of(given);
    if (const Type type = type_of(iterable);
        is_sequence(type) &&
        (std::holds_alternative<NameExpr>(iterable->node) || std::holds_alternative<SubscriptExpr>(iterable->node)) &&
        form(part(type)) == form(part(list)))
        return kept(list_function(list, "part") + "(" + kept(value(iterable, scope, out), out) + ", 0, 1, __h_kept_size[" +
                        value(iterable, scope, out) + "])",
                    out);
    const std::string elements = pool(part(list)), first = temporary();
    Lines lines;
    bool alone = true;
    each(iterable, any_order, scope, lines,
         [&](const Item& item, Lines& body) { body.push_back(elements + ".append(" + text_of(item) + ")"); });
    for (const std::string& line : lines) alone = alone && only_reads(line);
    if (alone) {  // Nothing else comes between its elements.
        out.push_back(first + " = len(" + elements + ")");
        out.insert(out.end(), lines.begin(), lines.end());
        return kept(list_function(list, "close") + "(" + first + ")", out);
    }
    const std::string u = kept(text_function("new") + "()", out);
    each(iterable, any_order, scope, out, [&](const Item& item, Lines& body) {
        body.push_back(list_function(list, "append") + "(" + u + ", " + text_of(item) + ")");
    });
    return u;
}

}  // namespace sluice::frontend
