// Dictionaries and sets: what fills one, what two of them give, and their methods.
#include <map>
#include <set>

#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

void HeapWriter::fill_table(Type table, const std::string& d, const ExprPtr& iterable, Scope& scope, Lines& out) {
    const bool counts = is(table, HeapKind::Dict);
    each(iterable, !counts, scope, out, [&](const Item& item, Lines& body) {
        if (!counts) {
            body.push_back(table_function(table, "add") + "(" + d + ", " + text_of(item) + ")");
            return;
        }
        const std::string at = ensured(table, d, text_of(item), body), value = table_name(table) + "_kept_values[" + at + "]";
        body.push_back(value + " += 1");
    });
}
void HeapWriter::fill_pairs(Type table, const std::string& d, const ExprPtr& iterable, Scope& scope, Lines& out) {
    if (is(type_of(iterable), HeapKind::Dict)) {
        const Type from = type_of(iterable);
        const std::string other = atom(iterable, scope, out), k = temporary(), slot = temporary(), own = table_name(from);
        out.push_back("for " + k + " in range(__h_kept_size[" + other + "]):");
        nest({slot + " = " + pool(part(type_of_integers())) + "[__h_kept_begin[" + other + "] + " + k + "]",
              table_function(table, "set") + "(" + d + ", " + own + "_kept_keys[" + slot + "], " + own + "_kept_values[" + slot +
                  "])"},
             out);
        return;
    }
    each(iterable, false, scope, out, [&](const Item& item, Lines& body) {
        Item pair = item;
        if (pair.parts.empty()) {
            const std::string whole = kept(pair.text, body);
            pair.parts = {{whole + "[0]"}, {whole + "[1]"}};
        }
        body.push_back(table_function(table, "set") + "(" + d + ", " + text_of(pair.parts[0]) + ", " + text_of(pair.parts[1]) +
                       ")");
    });
}

/// The place of the key, which a dictionary with defaults has from now on.
std::string HeapWriter::ensured(Type type, const std::string& d, const std::string& key, Lines& out) {
    const std::string& missing = root(type)->missing;
    const std::string k = kept(key, out), at = temporary();
    out.push_back(at + " = " + table_function(type, "find") + "(" + d + ", " + k + ")");
    Lines add;
    std::string first = missing == "int" || missing == "Counter" ? "0" : missing == "float" ? "0.0" : missing;
    if (missing == "list" || missing == "set") first = kept(text_function("new") + "()", add);
    if (missing == "str") first = literal("");
    add.push_back(table_function(type, "set") + "(" + d + ", " + k + ", " + first + ")");
    add.push_back(at + " = " + table_function(type, "find") + "(" + d + ", " + k + ")");
    out.push_back("if " + at + " < 0:");
    nest(add, out);
    return at;
}

/// The elements of the table at `from`, into the one at `into`: all, or those that the one at `other` has (`found`) or has not.
void HeapWriter::copy_elements(Type table, const std::string& from, const std::string& into, const std::string& other, bool found,
                               Lines& out) {
    const std::string k = temporary(), at = temporary(), own = table_name(table), key = own + "_kept_keys[" + at + "]";
    const std::string put = is(table, HeapKind::Dict)
                                ? table_function(table, "set") + "(" + into + ", " + key + ", " + own + "_kept_values[" + at + "])"
                                : table_function(table, "add") + "(" + into + ", " + key + ")";
    Lines body{at + " = " + pool(part(type_of_integers())) + "[__h_kept_begin[" + from + "] + " + k + "]"};
    if (other.empty())
        body.push_back(put);
    else
        body.insert(body.end(),
                    {"if " + table_function(table, "find") + "(" + other + ", " + key + ") " + (found ? ">= 0" : "< 0") + ":",
                     "    " + put});
    out.push_back("for " + k + " in range(__h_kept_size[" + from + "]):");
    nest(body, out);
}

void HeapWriter::require_one_table(Type left, Type right) {
    if (table_name(left) != table_name(right)) throw NotOfHeap{"arithmetic of tables of several types"};
}

/// The table that the operator makes of two.
std::string HeapWriter::of_tables(BinaryOp op, Type left, Type right, const std::string& u, const std::string& v, Lines& out) {
    require_one_table(left, right);
    const std::string result = kept(text_function("new") + "()", out);
    const auto copies = [&](const std::string& from, const std::string& other, bool found) {
        copy_elements(left, from, result, other, found, out);
    };
    if (op == BinaryOp::BitOr)
        copies(u, "", false), copies(v, "", false);
    else if (is(left, HeapKind::Dict))
        throw NotOfHeap{"arithmetic of dictionaries"};
    else if (op == BinaryOp::BitAnd)
        copies(u, v, true);
    else if (op == BinaryOp::Sub)
        copies(u, v, false);
    else if (op == BinaryOp::BitXor)
        copies(u, v, false), copies(v, u, false);
    else
        throw NotOfHeap{"arithmetic of sets"};
    return result;
}

/// Whether the set at `v` has every element of the one at `u`.
std::string HeapWriter::within(Type left, Type right, const std::string& u, const std::string& v) {
    require_one_table(left, right);
    const std::string own = table_name(left), name = own + "within";
    if (functions_written_.insert(name).second) {
        const std::string find = table_function(left, "find"), slots = pool(part(type_of_integers()));
        const Lines lines{"def " + name + "(u, v):",
                          "    same = __h_kept_size[u] <= __h_kept_size[v]",
                          "    for k in range(__h_kept_size[u]):",
                          "        if same:",
                          "            same = " + find + "(v, " + own + "_kept_keys[" + slots + "[__h_kept_begin[u] + k]]) >= 0",
                          "    return same"};
        runtime_.insert(runtime_.end(), lines.begin(), lines.end());
    }
    return name + "(" + u + ", " + v + ")";
}

std::string HeapWriter::of_table(const std::string& name, Type object, const std::string& d, const CallExpr& n, Type type,
                                 Scope& scope, Lines& out) {
    const bool set = is(object, HeapKind::Set);
    static const std::set<std::string> kReading{"get",
                                                "keys",
                                                "values",
                                                "items",
                                                "copy",
                                                "union",
                                                "intersection",
                                                "difference",
                                                "issubset",
                                                "issuperset",
                                                "isdisjoint",
                                                "most_common",
                                                "symmetric_difference"};
    if (!kReading.contains(name)) require_changeable(object);
    const std::string own = table_name(object);
    const auto run = [&](const std::string& call) -> std::string {
        out.push_back(call);
        return "None";
    };
    if (set && name == "add")
        return run(table_function(object, "add") + "(" + d + ", " + value(n.arguments.at(0), scope, out) + ")");
    if (name == "clear") return run(table_function(object, "clear") + "(" + d + ")");
    if (set && (name == "discard" || name == "remove")) {
        const std::string key = value(n.arguments.at(0), scope, out);
        const std::string at = kept(table_function(object, name == "remove" ? "key" : "find") + "(" + d + ", " + key + ")", out);
        list_function(type_of_integers(), "same");
        return run(table_function(object, "drop") + "(" + d + ", " + at + ")");
    }
    if (name == "update" && root(object)->missing == "Counter" && is(type_of(n.arguments.at(0)), HeapKind::Dict))
        throw NotOfHeap{"an update of a Counter by a dictionary"};
    if (name == "update" && (set || root(object)->missing == "Counter"))
        return fill_table(object, d, n.arguments.at(0), scope, out), "None";
    if (name == "update") return fill_pairs(object, d, n.arguments.at(0), scope, out), "None";
    if (name == "copy") {
        const std::string made = kept(text_function("new") + "()", out);
        copy_elements(object, d, made, "", false, out);
        return made;
    }
    if (set) {
        static const std::map<std::string, BinaryOp> kOperators{{"union", BinaryOp::BitOr},
                                                                {"intersection", BinaryOp::BitAnd},
                                                                {"difference", BinaryOp::Sub},
                                                                {"symmetric_difference", BinaryOp::BitXor}};
        const auto op = kOperators.find(name);
        if (n.arguments.size() != 1) {
            if (op == kOperators.end() || n.arguments.empty()) throw NotOfHeap{"the method " + name};
            std::string all = d;
            for (const ExprPtr& one : n.arguments)
                all = kept(of_table(name, object, all, CallExpr{n.function, {one}, {}}, type, scope, out), out);
            return all;
        }
        const bool made = !is(type_of(n.arguments[0]), HeapKind::Set);
        const std::string other = kept(made ? text_function("new") + "()" : value(n.arguments[0], scope, out), out);
        if (made) fill_table(object, other, n.arguments[0], scope, out);
        const Type right = made ? object : type_of(n.arguments[0]);
        if (op != kOperators.end()) return of_tables(op->second, object, right, d, other, out);
        if (name == "issubset") return within(object, right, d, other);
        if (name == "issuperset") return within(right, object, other, d);
        if (name != "isdisjoint") throw NotOfHeap{"the method " + name};
        return "(__h_kept_size[" + of_tables(BinaryOp::BitAnd, object, right, d, other, out) + "] == 0)";
    }
    if (name == "get" || name == "pop" || name == "setdefault") {
        const auto all = values(n.arguments, scope, out);
        const std::string key = kept(all.at(0), out);
        if (name == "setdefault") {
            const std::string at = temporary(), otherwise = kept(all.at(1), out);
            out.push_back(at + " = " + table_function(object, "find") + "(" + d + ", " + key + ")");
            out.insert(out.end(), {"if " + at + " < 0:",
                                   "    " + table_function(object, "set") + "(" + d + ", " + key + ", " + otherwise + ")",
                                   "    " + at + " = " + table_function(object, "find") + "(" + d + ", " + key + ")"});
            return kept(own + "_kept_values[" + at + "]", out);
        }
        const bool must = all.size() < 2;
        const std::string at = kept(table_function(object, must ? "key" : "find") + "(" + d + ", " + key + ")", out),
                          result = temporary();
        Lines there{result + " = " + own + "_kept_values[" + at + "]"};
        list_function(type_of_integers(), "same");
        if (name == "pop") there.push_back(table_function(object, "drop") + "(" + d + ", " + at + ")");
        if (must) {
            out.insert(out.end(), there.begin(), there.end());
            return result;
        }
        out.push_back(result + " = " + all[1]);
        out.push_back("if " + at + " >= 0:");
        nest(there, out);
        return result;
    }
    if (name == "most_common") {
        const auto count = values(n.arguments, scope, out);
        const Type pair = part(type), values_list = fresh(HeapKind::List, {part(pair, 1)});
        const std::string u = kept(text_function("new") + "()", out), keys = kept(text_function("new") + "()", out),
                          k = temporary(), slot = temporary();
        out.push_back("for " + k + " in range(__h_kept_size[" + d + "]):");
        nest({slot + " = " + pool(part(type_of_integers())) + "[__h_kept_begin[" + d + "] + " + k + "]",
              list_function(type, "append") + "(" + u + ", (" + own + "_kept_keys[" + slot + "], " + own + "_kept_values[" + slot +
                  "]))",
              list_function(values_list, "append") + "(" + keys + ", " + own + "_kept_values[" + slot + "])"},
             out);
        list_function(values_list, "less");
        out.push_back(list_function(type, "arranged") + "(" + u + ", " +
                      kept(list_function(values_list, "order") + "(" + keys + ", True)", out) + ")");
        if (count.empty()) return u;
        return kept(list_function(type, "part") + "(" + u + ", 0, 1, max(0, min(" + count[0] + ", __h_kept_size[" + u + "])))",
                    out);
    }
    if (name == "keys" || name == "values" || name == "items") {
        const ExprPtr whole = std::make_shared<const code::Expr>(code::Expr{n, n.function->span});
        know_type(whole, type);
        return made_of(type, whole, false, scope, out);
    }
    throw NotOfHeap{"the method " + name};
}

}  // namespace sluice::frontend
