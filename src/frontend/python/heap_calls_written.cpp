// Calls of Python's functions and methods, over objects.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

std::string HeapWriter::literal_list(Type type, const std::vector<std::string>& elements, Lines& out) {
    if (elements.empty()) return kept(text_function("new") + "()", out);
    const std::string list = pool(part(type)), first = temporary();
    std::vector<std::string> all;
    for (const std::string& one : elements) all.push_back(kept(one, out));
    out.push_back(first + " = len(" + list + ")");
    for (const std::string& one : all) out.push_back(list + ".append(" + one + ")");
    return kept(list_function(type, "close") + "(" + first + ")", out);
}

/// The row in order, in a new list or in its own place.
std::string HeapWriter::sorted(const std::string& given, Type list, const CallExpr& n, bool copies, Scope& scope, Lines& out) {
    std::string backwards = "False";
    ExprPtr key;
    for (const Keyword& one : n.keywords) {
        if (one.name == "reverse") backwards = kept(truth(one.value, scope, out), out);
        if (one.name == "key" && !is_none(one.value)) key = one.value;
    }
    if (!is(list, HeapKind::List)) throw NotOfHeap{"sort of this value"};
    const std::string size = "__h_kept_size[" + given + "]";
    const std::string u = copies ? kept(list_function(list, "part") + "(" + given + ", 0, 1, " + size + ")", out) : given;
    if (!key) {
        list_function(list, "less");
        out.push_back(list_function(list, "sort") + "(" + u + ", " + backwards + ")");
        return u;
    }
    const std::string keys = kept(text_function("new") + "()", out), k = temporary();
    const Type of_key = key_type(key, part(list), scope), key_list = fresh(HeapKind::List, {of_key});
    Lines body;
    const std::string item = kept(of_sequence(list, u).at(k).text, body);
    const std::string value = applied_to(key, {{item}}, {part(list)}, scope, body);
    body.push_back(list_function(key_list, "append") + "(" + keys + ", " + value + ")");
    out.push_back("for " + k + " in range(__h_kept_size[" + u + "]):");
    nest(body, out);
    list_function(key_list, "less");
    const std::string order = kept(list_function(key_list, "order") + "(" + keys + ", " + backwards + ")", out);
    out.push_back(list_function(list, "arranged") + "(" + u + ", " + order + ")");
    return u;
}

/// min and max of an iterable, or of several values.
std::string HeapWriter::extreme(const std::string& name, const CallExpr& n, Type type, Scope& scope, Lines& out) {
    ExprPtr key, otherwise;
    for (const Keyword& one : n.keywords) (one.name == "key" ? key : otherwise) = one.value;
    const bool objects = holds_objects(type);
    if (n.arguments.size() > 1 && !key && !objects) {
        std::string all;
        for (const std::string& one : values(n.arguments, scope, out)) all += (all.empty() ? "" : ", ") + one;
        return name + "(" + all + ")";
    }
    const std::string best = temporary(), of_best = key ? temporary() : best, some = temporary();
    const Type element = n.arguments.size() > 1 ? type : iterated(n.arguments[0]);
    const Type of_key = key ? key_type(key, element, scope) : element;
    out.insert(out.end(), {some + " = False", best + " = " + zero(type)});
    if (key) out.push_back(of_best + " = " + zero(of_key));
    const auto take = [&](const Item& item, Lines& body) {
        const std::string one = kept(text_of(item), body);
        const std::string by = key ? kept(applied_to(key, {{one}}, {element}, scope, body), body) : one;
        const std::string beyond = temporary();
        body.push_back(beyond + " = not " + some);
        Lines compare;
        compare.push_back(beyond + " = " + (name == "max" ? less(of_key, of_best, by) : less(of_key, by, of_best)));
        body.push_back("if " + some + ":");
        nest(compare, body);
        body.push_back("if " + beyond + ":");
        Lines store{best + " = " + one};
        if (key) store.push_back(of_best + " = " + by);
        nest(store, body);
        body.push_back(some + " = True");
    };
    if (n.arguments.size() > 1)
        for (const std::string& one : values(n.arguments, scope, out)) take({one}, out);
    else
        each(n.arguments[0], !key, scope, out, take);
    if (n.arguments.size() > 1) return best;
    out.push_back("if not " + some + ":");
    if (otherwise) {
        Lines lines;
        const std::string other = value(otherwise, scope, lines);
        lines.push_back(best + " = " + other);
        nest(lines, out);
    } else {
        nest({"raise ValueError(\"" + name + "() iterable argument is empty\")"}, out);
    }
    return best;
}

std::string HeapWriter::builtin(const std::string& name, const CallExpr& n, Type type, Scope& scope, Lines& out) {
    const auto argument = [&](std::size_t at) { return value(n.arguments.at(at), scope, out); };
    const auto type_at = [&](std::size_t at) { return type_of(n.arguments.at(at)); };
    if (const auto of_array = array_function(name, n, type, scope, out)) return *of_array;
    if (name == "len") {
        const Type of = type_at(0);
        if (is(of, HeapKind::Tuple)) return std::to_string(root(of)->parts.size());
        const std::string one = kept(argument(0), out);
        if (is(of, HeapKind::Text)) return kept(text_function("length") + "(" + one + ")", out);
        return is_object(of) ? "__h_kept_size[" + one + "]" : "len(" + one + ")";
    }
    if (name == "list" || name == "tuple" || name == "collections.deque" || name == "range" || name == "reversed" ||
        name == "zip" || name == "enumerate" || name == "map" || name == "filter" ||
        (name.starts_with("itertools.") && is(type, HeapKind::List))) {
        if (n.arguments.empty()) return kept(text_function("new") + "()", out);
        const bool itself = name != "list" && name != "tuple" && name != "collections.deque";
        const ExprPtr all = itself ? std::make_shared<const code::Expr>(code::Expr{n, n.function->span}) : n.arguments[0];
        if (itself) know_type(all, type);
        return made_of(type, all, false, scope, out);
    }
    if (name == "sorted") {
        const Type list = is(type, HeapKind::List) ? type : throw NotOfHeap{"sorted"};
        const bool any_order = std::ranges::all_of(n.keywords, [](const Keyword& one) { return one.name == "reverse"; });
        return sorted(made_of(list, n.arguments.at(0), any_order, scope, out), list, n, false, scope, out);
    }
    if (name == "set" || name == "frozenset" || name == "collections.Counter") {
        const std::string made = kept(text_function("new") + "()", out);
        if (n.arguments.empty()) return made;
        if (is(type_at(0), HeapKind::Dict) && name == "collections.Counter") throw NotOfHeap{"a Counter of a dictionary"};
        fill_table(type, made, n.arguments[0], scope, out);
        return made;
    }
    if (name == "dict" || name == "collections.defaultdict") {
        const std::string made = kept(text_function("new") + "()", out);
        if (name == "dict" && !n.arguments.empty()) fill_pairs(type, made, n.arguments[0], scope, out);
        return made;
    }
    if (name == "min" || name == "max") return extreme(name, n, type, scope, out);
    if (name == "sum") {
        const auto* over = std::get_if<ComprehensionExpr>(&n.arguments.at(0)->node);
        const bool ones = over && (integer_in(over->element) || std::holds_alternative<CompareExpr>(over->element->node));
        const bool whole = ones && is(type, HeapKind::Number) && root(type)->numbers == kInteger;  // A count, which fits.
        if (!whole) {
            const Type list = made_type(n.arguments.at(0));
            const std::string u = is_sequence(type_at(0)) && !std::holds_alternative<ComprehensionExpr>(n.arguments[0]->node) &&
                                          !std::holds_alternative<CallExpr>(n.arguments[0]->node)
                                      ? kept(argument(0), out)
                                      : made_of(list, n.arguments[0], false, scope, out);
            const std::string slice =
                pool(part(list)) + "[__h_kept_begin[" + u + "]:__h_kept_begin[" + u + "] + __h_kept_size[" + u + "]]";
            return kept("sum(" + slice + (n.arguments.size() > 1 ? ", " + argument(1) : "") + ")", out);
        }
        const std::string total = temporary();
        out.push_back(total + " = " + (n.arguments.size() > 1 ? argument(1) : "0"));
        each(n.arguments.at(0), true, scope, out,
             [&](const Item& item, Lines& body) { body.push_back(total + " += " + text_of(item)); });
        return total;
    }
    if (name == "any" || name == "all") {
        const std::string result = temporary();
        const bool any = name == "any";
        out.push_back(result + (any ? " = False" : " = True"));
        const ExprPtr& over = n.arguments.at(0);
        const Type element = iterated(over);
        const auto* list = std::get_if<ComprehensionExpr>(&over->node);
        if (list && !list->is_list) {  // Nothing is evaluated once it is known.
            ComprehensionExpr all = *list;
            const std::string go_on = any ? "not " + result : result;
            Scope& own = scope_of(over, scope, {});
            const std::function<void(std::size_t, Lines&)> clause = [&](std::size_t at, Lines& lines) {
                Lines inner;
                if (at == all.clauses.size()) {
                    const std::string holds = truth(all.element, own, inner);
                    inner.push_back("if " + std::string(any ? "" : "not ") + holds + ":");
                    inner.push_back("    " + result + (any ? " = True" : " = False"));
                } else {
                    const ComprehensionClause& one = all.clauses[at];
                    each(one.iterable, false, at == 0 ? scope : own, inner, [&](const Item& item, Lines& body) {
                        Lines turn;
                        bind(one.target, item, iterated(one.iterable), own, turn);
                        const std::function<void(std::size_t, Lines&)> conditions = [&](std::size_t k, Lines& into) {
                            if (k == one.conditions.size()) return clause(at + 1, into);
                            const std::string holds = truth(one.conditions[k], own, into);
                            Lines taken;
                            conditions(k + 1, taken);
                            into.push_back("if " + holds + ":");
                            nest(taken, into);
                        };
                        conditions(0, turn);
                        body.push_back("if " + go_on + ":");
                        nest(turn, body);
                    });
                }
                lines.insert(lines.end(), inner.begin(), inner.end());
            };
            clause(0, out);
            return result;
        }
        const std::string before = guard_;
        if (std::holds_alternative<CallExpr>(over->node)) guard_ = any ? "not " + result : result;
        each(over, guard_.empty(), scope, out, [&](const Item& item, Lines& body) {
            const std::string holds = truth_of(element, text_of(item));
            body.push_back("if " + std::string(any ? "" : "not ") + holds + ":");
            body.push_back("    " + result + (any ? " = True" : " = False"));
        });
        guard_ = before;
        return result;
    }
    if (name == "bool") return "bool(" + truth(n.arguments.at(0), scope, out) + ")";
    if (name == "ord") return kept(text_function("ord") + "(" + argument(0) + ")", out);
    if (name == "chr") return kept(text_function("chr") + "(" + as_whole(type_at(0), argument(0)) + ")", out);
    if (name == "str") return n.arguments.empty() ? literal("") : to_text(type_at(0), argument(0), out);
    if (name == "format") {
        const std::string* spec = n.arguments.size() > 1 ? frontend::text_of(n.arguments[1]) : nullptr;
        if (!spec) throw NotOfHeap{"a format that only the run knows"};
        return formatted(type_at(0), kept(argument(0), out), *spec, out);
    }
    if (name == "int" && is(type_at(0), HeapKind::Text)) {
        std::vector<ExprPtr> given = n.arguments;
        for (const Keyword& base : n.keywords) given.push_back(base.value);
        const auto all = values(given, scope, out);
        return kept(text_function("parse") + "(" + all[0] + ", " + (all.size() > 1 ? all[1] : "10") + ")", out);
    }
    if (name == "float" && is(type_at(0), HeapKind::Text)) {
        if (const std::string* text = frontend::text_of(n.arguments[0])) return "float(" + code::to_string(*make_text(*text)) + ")";
        if (!raises_in_python()) throw NotOfHeap{"float of a text"};
        return kept(text_function("real") + "(" + argument(0) + ")", out);
    }
    if (name == "hex" || name == "bin" || name == "oct")
        return kept(text_function("digits") + "(" + argument(0) + (name == "hex" ? ", 16)" : name == "bin" ? ", 2)" : ", 8)"), out);
    if (name == "pow" && n.arguments.size() == 3) {
        const auto all = values(n.arguments, scope, out);
        return kept(text_function("powmod") + "(" + all[0] + ", " + all[1] + ", " + all[2] + ")", out);
    }
    if (name == "divmod") {
        const auto both = values(n.arguments, scope, out);
        const std::string a = kept(both[0], out), b = kept(both[1], out);
        return "(" + a + " // " + b + ", " + a + " % " + b + ")";
    }
    if (name.starts_with("heapq.")) {
        const std::string which = name.substr(6);
        if (which == "nlargest" || which == "nsmallest") {
            const std::string count = kept(argument(0), out);
            const Type list = type;
            std::string u = made_of(list, n.arguments.at(1), false, scope, out);
            CallExpr order{n.function, {}, n.keywords};
            if (which == "nlargest") order.keywords.push_back({"reverse", know_truth(true)});
            u = sorted(u, list, order, false, scope, out);
            return kept(list_function(list, "part") + "(" + u + ", 0, 1, max(0, min(" + count + ", __h_kept_size[" + u + "])))",
                        out);
        }
        const Type list = type_at(0);
        if (!is(list, HeapKind::List)) throw NotOfHeap{"a heap of this value"};
        if (root(list)->rows_given && is_object(part(list))) throw NotOfHeap{"a change of a list of the caller's"};
        require_changeable(list);
        list_function(list, "less");
        const auto all = values(n.arguments, scope, out);
        const std::string call = list_function(list, which) + "(" + all[0] + (all.size() > 1 ? ", " + all[1] : "") + ")";
        if (which != "heappush" && which != "heapify") return kept(call, out);
        out.push_back(call);
        return "None";
    }
    if (name.starts_with("bisect.")) {
        const Type list = type_at(0);
        if (!is(list, HeapKind::List)) throw NotOfHeap{"bisect of this value"};
        list_function(list, "less");
        const auto both = values(n.arguments, scope, out);
        const std::string u = kept(both[0], out), x = kept(both[1], out);
        const bool left = name.ends_with("_left");
        const std::string at = kept(list_function(list, left ? "left" : "right") + "(" + u + ", " + x + ")", out);
        if (!name.starts_with("bisect.insort")) return at;
        if (root(list)->rows_given && is_object(part(list))) throw NotOfHeap{"a change of a list of the caller's"};
        require_changeable(list);
        out.push_back(list_function(list, "insert") + "(" + u + ", " + at + ", " + x + ")");
        return "None";
    }
    if (name == "functools.reduce") {
        const std::string total = temporary(), some = temporary();
        const bool first = n.arguments.size() > 2;
        const Type element = iterated(n.arguments.at(1));
        out.push_back(total + " = " + (first ? argument(2) : zero(type)));
        if (!first) out.push_back(some + " = False");
        each(n.arguments[1], false, scope, out, [&](const Item& item, Lines& body) {
            const std::string one = kept(text_of(item), body);
            Lines more;
            const std::string next = applied_to(n.arguments[0], {{total}, {one}}, {type, element}, scope, more);
            more.push_back(total + " = " + next);
            if (first) return void(body.insert(body.end(), more.begin(), more.end()));
            body.push_back("if " + some + ":");
            nest(more, body);
            body.insert(body.end(), {"else:", "    " + total + " = " + one, some + " = True"});
        });
        if (!first)
            out.insert(out.end(),
                       {"if not " + some + ":", "    raise TypeError(\"reduce() of empty iterable with no initial value\")"});
        return total;
    }
    for (const ExprPtr& one : n.arguments)
        if (holds_objects(type_of(one))) throw NotOfHeap{"an object for " + name};
    if (!n.keywords.empty()) throw NotOfHeap{"keywords of " + name};
    std::string all;
    for (const std::string& one : values(n.arguments, scope, out)) all += (all.empty() ? "" : ", ") + one;
    const std::string spelled = name.starts_with("math.") ? "__h_math." + name.substr(5) : name;
    return spelled + "(" + all + ")";
}

// ---- methods --------------------------------------------------------------------------------------------------------------
std::string HeapWriter::method(const AttributeExpr& of, const CallExpr& n, Type type, Scope& scope, Lines& out) {
    const auto given = arguments_.find(std::string(name_of(of.object)));
    if (of.name == "tolist" && given != arguments_.end() && given->second.shape && is(type, HeapKind::List)) {
        const std::string array(name_of(of.object)), first = temporary();
        const bool handed_back = entry_->scope.names.contains(array.substr(0, array.rfind("__")) + "__now");
        declare("__h_kept_given");
        std::string whole;
        if (given->second.shape->size() == 1) {
            const std::string list = pool(part(type));
            out.push_back(first + " = len(" + list + ")");
            out.push_back(list + ".extend(" + array + ".tolist())");
            whole = kept(list_function(type, "close") + "(" + first + ")", out);
        } else {
            const Type row = part(type);
            const std::string rows = pool(row), list = pool(part(row)), k = temporary(), begin = temporary(), one = temporary();
            out.push_back(first + " = len(" + rows + ")");
            out.push_back("for " + k + " in range(" + array + ".shape[0]):");
            nest({begin + " = len(" + list + ")", list + ".extend(" + array + "[" + k + "].tolist())",
                  one + " = " + list_function(row, "close") + "(" + begin + ")", rows + ".append(" + one + ")",
                  "__h_kept_given.append(" + one + ")"},
                 out);
            whole = kept(list_function(type, "close") + "(" + first + ")", out);
            if (handed_back) out.push_back("__h_kept_given.append(-1 - " + whole + ")");
        }
        if (!handed_back) out.push_back("__h_kept_given.append(" + whole + ")");
        return whole;
    }
    const Type object = type_of(of.object);
    if (const std::string* text = frontend::text_of(of.object); text && of.name == "format")
        return from_template(*text, n, false, scope, out);
    if (is(object, HeapKind::Array)) return array_method(of.name, object, atom(of.object, scope, out), n, type, scope, out);
    if (is_of_numpy(object)) return as_python(object, value(of.object, scope, out));
    if (is_sequence(object)) return of_list(of.name, object, atom(of.object, scope, out), n, scope, out);
    if (is(object, HeapKind::Text)) return of_text(of.name, atom(of.object, scope, out), n, scope, out);
    if (is(object, HeapKind::Dict) || is(object, HeapKind::Set))
        return of_table(of.name, object, atom(of.object, scope, out), n, type, scope, out);
    if (is(object, HeapKind::Tuple)) {
        const std::string all = atom(of.object, scope, out), wanted = atom(n.arguments.at(0), scope, out), result = temporary();
        out.push_back(result + (of.name == "index" ? " = -1" : " = 0"));
        for (std::size_t at = root(object)->parts.size(); at-- > 0;) {
            const std::string holds =
                kept(same_values(part(object, at), type_of(n.arguments[0]), all + "[" + std::to_string(at) + "]", wanted), out);
            out.push_back("if " + holds + ":");
            out.push_back("    " + result + (of.name == "index" ? " = " + std::to_string(at) : " += 1"));
        }
        if (of.name == "index")
            out.insert(out.end(), {"if " + result + " < 0:", "    raise ValueError(\"tuple.index(x): x not in tuple\")"});
        return result;
    }
    if (of.name == "bit_length") return kept(text_function("bits") + "(" + value(of.object, scope, out) + ")", out);
    if (of.name == "bit_count") return kept(text_function("ones") + "(" + value(of.object, scope, out) + ")", out);
    std::string all;
    for (const std::string& one : values(n.arguments, scope, out)) all += (all.empty() ? "" : ", ") + one;
    for (const Keyword& one : n.keywords) all += (all.empty() ? "" : ", ") + one.name + "=" + value(one.value, scope, out);
    return kept(value(of.object, scope, out) + "." + of.name + "(" + all + ")", out);
}

std::string HeapWriter::of_list(const std::string& name, Type object, const std::string& u, const CallExpr& n, Scope& scope,
                                Lines& out) {
    const auto all = [&] { return values(n.arguments, scope, out); };
    const auto run = [&](const std::string& call) -> std::string {
        out.push_back(call);
        return "None";
    };
    const bool queue = is(object, HeapKind::Queue), others = root(object)->rows_given && is_object(part(object));
    if (name != "index" && name != "count" && name != "copy") require_changeable(object);
    if (is(object, HeapKind::Row) && name != "index" && name != "count") throw NotOfHeap{"this method of a tuple"};
    if (others && name != "append" && name != "index" && name != "count" && name != "copy")
        throw NotOfHeap{"other rows in a list of the caller's"};
    if (name == "append") return run(list_function(object, "append") + "(" + u + ", " + all()[0] + ")");
    if (name == "appendleft") return run(list_function(object, "insert") + "(" + u + ", 0, " + all()[0] + ")");
    if (name == "extend") {
        const ExprPtr& more = n.arguments.at(0);
        if (type_of(more) == root(object) && !std::holds_alternative<ComprehensionExpr>(more->node))
            return run(list_function(object, "extend") + "(" + u + ", " + all()[0] + ")");
        each(more, false, scope, out, [&](const Item& item, Lines& body) {
            body.push_back(list_function(object, "append") + "(" + u + ", " + text_of(item) + ")");
        });
        return "None";
    }
    if (name == "insert") {
        const auto both = all();
        return run(list_function(object, "insert") + "(" + u + ", " + both[0] + ", " + both[1] + ")");
    }
    if (name == "pop" && n.arguments.empty()) return kept(list_function(object, queue ? "lastleft" : "last") + "(" + u + ")", out);
    if (name == "pop") return kept(list_function(object, "pop") + "(" + u + ", " + all()[0] + ")", out);
    if (name == "popleft" && queue) return kept(list_function(object, "popleft") + "(" + u + ")", out);
    if (name == "clear") return run("__h_kept_size[" + u + "] = 0");
    if (name == "copy") return kept(list_function(object, "part") + "(" + u + ", 0, 1, __h_kept_size[" + u + "])", out);
    if (name == "reverse") return run(list_function(object, "reverse") + "(" + u + ")");
    if (name == "rotate")
        return run(list_function(object, "rotate") + "(" + u + ", " + (n.arguments.empty() ? "1" : all()[0]) + ")");
    if (name == "sort") return sorted(u, object, n, false, scope, out), "None";
    if (name == "remove" || name == "count" || name == "index") require_alike(type_of(n.arguments.at(0)), part(object));
    list_function(object, "same");
    if (name == "remove") return run(list_function(object, "remove") + "(" + u + ", " + all()[0] + ")");
    if (name == "count") return kept(list_function(object, "count") + "(" + u + ", " + all()[0] + ")", out);
    if (name != "index") throw NotOfHeap{"the method " + name};
    const std::string wanted = kept(all()[0], out), at = kept(list_function(object, "index") + "(" + u + ", " + wanted + ")", out);
    const bool number = is(part(object), HeapKind::Number) && root(part(object))->numbers == kInteger;
    out.push_back("if " + at + " < 0:");
    out.push_back(number ? "    raise ValueError(f\"{" + wanted + "} is not in list\")"
                         : "    raise ValueError(\"the value is not in list\")");
    return at;
}

std::string HeapWriter::of_text(const std::string& name, const std::string& s, const CallExpr& n, Scope& scope, Lines& out) {
    if (name == "join") {
        const Type list = made_type(n.arguments.at(0));
        const bool row = is_sequence(type_of(n.arguments[0])) && std::holds_alternative<NameExpr>(n.arguments[0]->node);
        const std::string u = row ? value(n.arguments[0], scope, out) : made_of(list, n.arguments[0], false, scope, out);
        list_function(type_of_texts(), "close");
        return kept(text_function("join") + "(" + s + ", " + u + ")", out);
    }
    if (name == "format") throw NotOfHeap{"a template that only the run knows"};
    const auto all = values(n.arguments, scope, out);
    const auto call = [&](const char* function, const std::string& more) {
        return kept(text_function(function) + "(" + s + more + ")", out);
    };
    if (name == "split") return all.empty() ? call("words", "") : call("split", ", " + all.at(0));
    if (name == "upper") return call("recased", ", True, False");
    if (name == "lower") return call("recased", ", False, True");
    if (name == "swapcase") return call("recased", ", True, True");
    if (name == "capitalize") {
        const std::string first = kept(text_function("slice") + "(" + s + ", 0, 1, min(1, " + call("length", "") + "))", out);
        const std::string rest = kept(
            text_function("slice") + "(" + s + ", min(1, " + call("length", "") + "), 1, max(0, " + call("length", "") + " - 1))",
            out);
        const std::string a = kept(text_function("recased") + "(" + first + ", True, False)", out);
        const std::string b = kept(text_function("recased") + "(" + rest + ", False, True)", out);
        return kept(text_function("add") + "(" + a + ", " + b + ")", out);
    }
    if (name == "isalpha") return call("kind", ", True, False, False");
    if (name == "isdigit") return call("kind", ", False, True, False");
    if (name == "isalnum") return call("kind", ", True, True, False");
    if (name == "isspace") return call("kind", ", False, False, True");
    if (name == "isupper") return call("cased", ", 65");
    if (name == "islower") return call("cased", ", 97");
    if (name == "strip" && all.empty()) return call("strip", ", True, True");
    if (name == "lstrip" && all.empty()) return call("strip", ", True, False");
    if (name == "rstrip" && all.empty()) return call("strip", ", False, True");
    if ((name == "strip" || name == "lstrip" || name == "rstrip") && all.size() == 1)
        return call("trim", ", " + all[0] + (name == "rstrip" ? ", False" : ", True") + (name == "lstrip" ? ", False" : ", True"));
    if (name == "replace" && all.size() == 2) return call("replace", ", " + all[0] + ", " + all[1]);
    if (name == "startswith" && all.size() == 1) return call("starts", ", " + all[0] + ", 0");
    if (name == "endswith" && all.size() == 1) {
        const std::string end = kept(all[0], out), length = kept(text_function("length") + "(" + end + ")", out);
        return call("starts", ", " + end + ", " + call("length", "") + " - " + length);
    }
    if (name == "find" && all.size() <= 2)
        return call(
            "search",
            ", " + all.at(0) + ", " +
                (all.size() == 2 ? kept(text_function("bound") + "(" + all[1] + ", " + call("length", "") + ")", out) : "0"));
    if (name == "rfind" && all.size() == 1) return text_function("search"), call("searchlast", ", " + all[0]);
    if (name == "count" && all.size() == 1) return call("occurrences", ", " + all[0]);
    if (name == "index" && all.size() == 1) {
        const std::string at = call("search", ", " + all[0] + ", 0");
        out.insert(out.end(), {"if " + at + " < 0:", "    raise ValueError(\"substring not found\")"});
        return at;
    }
    if (name == "zfill" && all.size() == 1) throw NotOfHeap{"zfill"};
    if ((name == "ljust" || name == "rjust") && !all.empty())
        return call("pad",
                    ", " + all[0] + ", " + (all.size() > 1 ? all[1] : literal(" ")) + (name == "rjust" ? ", True" : ", False"));
    throw NotOfHeap{"the method " + name};
}

}  // namespace sluice::frontend
