// What types are in the written text, and the functions that objects of them need.
#include <algorithm>
#include <bit>

#include "code/print.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_functions.h"
#include "frontend/python/heap_writer.h"
#include "frontend/python/texts.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr const char *kBegin = "__h_kept_begin", *kSize = "__h_kept_size", *kRoom = "__h_kept_room", *kNodes = "__h_kept_nodes";

void replace_all(std::string& text, std::string_view word, std::string_view by) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace

/// What an element is in the list of all of its kind.
std::string HeapWriter::form(Type type) {
    if (is_object(type)) return "h";
    if (is(type, HeapKind::Unknown)) return "i";
    if (is(type, HeapKind::Number)) {
        const unsigned numbers = root(type)->numbers;
        // Where arrays take part, a list has one type of number.
        if (numbers == (kInteger | kReal) && !given_.empty()) return "o";
        if (numbers == kInt64) return "I";
        if (numbers == kFloat64) return "F";
        if (numbers == kBool) return "B";
        if ((numbers & kOfNumPy) != 0 && (numbers & (kTruth | kBool)) == 0) return "p";
        if (numbers != kInteger && numbers != kReal && numbers != kTruth) throw NotOfHeap{"numbers of several types in a list"};
        return numbers == kInteger ? "i" : numbers == kReal ? "f" : "b";
    }
    if (!is(type, HeapKind::Tuple) || root(type)->parts.empty()) throw NotOfHeap{"an element of this kind"};
    std::string all = "(";
    for (const Type one : root(type)->parts) all += form(one) + ",";
    return all + ")";
}
std::string HeapWriter::pool(Type element) {
    const std::string of = form(element);
    const auto at = pools_.try_emplace(of, "__h_kept_all" + std::to_string(pools_.size())).first;
    declare(at->second, likeness(element));
    return at->second;
}

std::string HeapWriter::type_key(Type type) {
    static constexpr const char* kLetters = "?nNtlqrTdsoac";
    type = root(type);
    if (type->kind == HeapKind::Number) return form(type);
    std::string key(1, kLetters[static_cast<std::size_t>(type->kind)]);
    key += "<" + (type->kind == HeapKind::Set ? "" : type->missing);
    if (type->kind == HeapKind::Array) key += std::to_string(type->rank);
    if (type->kind == HeapKind::Object) key += std::to_string(type->family->number);
    for (const Type one : type->parts) key += type_key(one) + ",";
    return key + ">";
}
std::string HeapWriter::list_name(Type element) {
    return names_.try_emplace("l" + type_key(element), "__h_l" + std::to_string(names_.size()) + "_").first->second;
}

/// The text with the names of lists for the words of heap_functions.h, and the functions that it calls.
std::string HeapWriter::with_names(std::string text, const std::string& own, Type element) {
    const Type integers = type_of_integers();
    if (text.find("INTS_append") != std::string::npos) list_function(integers, "append");
    if (text.find("INTS_remove") != std::string::npos) list_function(integers, "remove");
    if (text.find("TEXTS_append") != std::string::npos) list_function(type_of_texts(), "append");
    replace_all(text, "INTS_", list_name(part(integers)));
    replace_all(text, "TEXTS_", list_name(part(type_of_texts())));
    if (text.find("INTS") != std::string::npos) replace_all(text, "INTS", pool(part(integers)));
    if (text.find("HANDLES") != std::string::npos) replace_all(text, "HANDLES", pool(part(type_of_texts())));
    if (text.find("CHARS") != std::string::npos) declare("__h_kept_chars"), replace_all(text, "CHARS", "__h_kept_chars");
    if (text.find("NODES") != std::string::npos) declare(kNodes, "(0, 0)"), replace_all(text, "NODES", kNodes);
    replace_all(text, "BEGIN", kBegin), replace_all(text, "SIZE", kSize), replace_all(text, "ROOM", kRoom);
    if (element && text.find('$') != std::string::npos) replace_all(text, "$", pool(element));
    replace_all(text, "@", own);
    return text;
}

std::string HeapWriter::list_function(Type list, const std::string& name) {
    const Type element = part(list);
    const std::string own = list_name(element), whole = own + name;
    if (!functions_written_.insert(whole).second) return whole;
    if (name == "same" || name == "less" || name == "number") {
        const std::string body = name == "number" ? number_of(element, "a")
                                 : name == "same" ? same(element, "a", "b")
                                                  : less(element, "a", "b");
        for (const std::string& line : {"def " + whole + (name == "number" ? "(a):" : "(a, b):"), "    return " + body})
            runtime_.push_back(line);
        return whole;
    }
    for (const auto& [known, text] : is(list, HeapKind::Array) ? kArrayFunctions : kListFunctions) {
        if (known != name) continue;
        const std::string given(text);
        for (std::size_t at = given.find('@'); at != std::string::npos; at = given.find('@', at + 1)) {
            const std::size_t end = given.find('(', at);
            const std::string called = given.substr(at + 1, end - at - 1);
            if (called != name) list_function(list, called);
        }
        if (given.find("__h_node") != std::string::npos) text_function("node");
        for (const std::string& line : lines_of(with_names(given, own, element))) runtime_.push_back(line);
        return whole;
    }
    throw NotOfHeap{"no function " + name};
}

std::string HeapWriter::text_function(const std::string& name) {
    const std::string whole = "__h_" + name;
    if (!functions_written_.insert(whole).second) return whole;
    for (const auto& [known, text] : kTextFunctions) {
        if (known != name) continue;
        const std::string given(text);
        for (std::size_t at = given.find("__h_"); at != std::string::npos; at = given.find("__h_", at + 4)) {
            const std::size_t end = given.find('(', at);
            const std::string called = given.substr(at + 4, end - at - 4);
            if (called != name && called != "find" && called != "parsed") text_function(called);
        }
        for (const std::string& line : lines_of(with_names(given, "", nullptr))) runtime_.push_back(line);
        return whole;
    }
    throw NotOfHeap{"no function " + name};
}

// ---- dictionaries and sets ------------------------------------------------------------------------------------------------
std::string HeapWriter::table_name(Type table) {
    const std::string own = names_.try_emplace("d" + type_key(table), "__h_d" + std::to_string(names_.size()) + "_").first->second;
    if (!tables_.emplace(own, table).second) return own;
    const bool pairs = is(part(table, 0), HeapKind::Tuple) && root(part(table, 0))->parts.size() == 2;
    declare(own + "_kept_places", pairs ? "(0, 0, 0)" : "(0, 0)");
    declare(own + "_kept_keys", likeness(part(table, 0)));
    if (is(table, HeapKind::Dict)) declare(own + "_kept_values", likeness(part(table, 1)));
    declare(own + "_kept_live");
    return own;
}
std::string HeapWriter::table_function(Type table, const std::string& name) {
    const std::string own = table_name(table), whole = own + name;
    if (!functions_written_.insert(whole).second) return whole;
    if (name == "key") table_function(table, "find");
    const Type key = part(table, 0);
    for (const auto& [known, text] : kTableFunctions) {
        if (known != name) continue;
        std::string given(text);
        replace_all(given, "KEY)", key_of(key, "k") + ")");
        replace_all(given, "MESSAGE", is(key, HeapKind::Number) ? "f\"({k})\"" : "\"a key that is not in it\"");
        for (const std::string& line : lines_of(with_names(given, own, nullptr))) runtime_.push_back(line);
        return whole;
    }
    throw NotOfHeap{"no function " + name};
}

/// The number that a key is looked for by.
std::string HeapWriter::number_of(Type type, const std::string& value) {
    if (is(type, HeapKind::Unknown)) return value;
    if (is(type, HeapKind::Number)) {
        if (!is_whole(type)) throw NotOfHeap{"keys that are no integers"};
        return as_whole(type, value);
    }
    if (is(type, HeapKind::Text)) return text_function("number") + "(" + value + ")";
    if (is_instance(type)) return instance_number(type, value);
    if (is(type, HeapKind::Row)) {
        list_function(type, "number");
        return list_function(type, "flat") + "(" + value + ")";
    }
    if (!is(type, HeapKind::Tuple)) throw NotOfHeap{"keys of this kind"};
    std::string whole;
    for (std::size_t at = 0; at < root(type)->parts.size(); ++at) {
        const std::string one = number_of(part(type, at), value + "[" + std::to_string(at) + "]");
        whole = at == 0 ? one : text_function("node") + "(" + whole + ", " + one + ")";
    }
    return whole;
}
/// The one or two numbers of a key.
std::string HeapWriter::key_of(Type type, const std::string& value) {
    if (!is(type, HeapKind::Tuple) || root(type)->parts.size() != 2) return number_of(type, value);
    return number_of(part(type, 0), value + "[0]") + ", " + number_of(part(type, 1), value + "[1]");
}

// ---- what values are equal, and before one another --------------------------------------------------------------------------
std::string HeapWriter::same(Type type, const std::string& a, const std::string& b) {
    if (is(type, HeapKind::Array)) throw NotOfHeap{"a comparison of whole arrays"};
    if (is_instance(type)) return instance_equal(type, a, b, true);
    if (is(type, HeapKind::Text)) return text_function("equal") + "(" + a + ", " + b + ")";
    if (is_sequence(type)) return list_function(type, "equal") + "(" + a + ", " + b + ")";
    if (is(type, HeapKind::Dict) || is(type, HeapKind::Set)) return equal_tables(type, a, b);
    if (!is(type, HeapKind::Tuple)) return (with_arrays_ ? "bool(" : "(") + a + " == " + b + ")";
    std::string all;
    for (std::size_t at = 0; at < root(type)->parts.size(); ++at) {
        const std::string index = "[" + std::to_string(at) + "]";
        all += (at > 0 ? " and " : "") + same(part(type, at), a + index, b + index);
    }
    return "(" + all + ")";
}
/// The same of values that may be of two kinds.
std::string HeapWriter::same_values(Type left, Type right, const std::string& a, const std::string& b) {
    const auto either = [&](HeapKind one) { return is(left, one) || is(right, one); };
    if (either(HeapKind::Array)) throw NotOfHeap{"a comparison of whole arrays"};
    const bool numbers = either(HeapKind::Number) || either(HeapKind::None);
    if (is(left, HeapKind::Tuple) && is(right, HeapKind::Tuple)) {
        const std::size_t count = root(left)->parts.size();
        if (count != root(right)->parts.size()) return "False";
        if (!holds_objects(left) && !holds_objects(right)) return "(" + a + " == " + b + ")";
        std::string all;
        for (std::size_t at = 0; at < count; ++at) {
            const std::string index = "[" + std::to_string(at) + "]";
            all += (at > 0 ? " and " : "") + same_values(part(left, at), part(right, at), a + index, b + index);
        }
        return "(" + all + ")";
    }
    if (kind(left) == kind(right)) return same(left, a, b);
    if (either(HeapKind::Other) && numbers) return "(" + a + " == " + b + ")";
    if (either(HeapKind::Other) || either(HeapKind::Unknown) || (either(HeapKind::Row) && either(HeapKind::Tuple)))
        throw NotOfHeap{"a comparison with this value"};
    return "False";
}
/// Both can be elements of one list.
void HeapWriter::require_alike(Type left, Type right) {
    left = root(left), right = root(right);
    if (is(left, HeapKind::Unknown) || is(right, HeapKind::Unknown)) return;
    bool alike = kind(left) == kind(right) && left->parts.size() == right->parts.size();
    if (alike && is(left, HeapKind::Tuple))
        for (std::size_t at = 0; at < left->parts.size(); ++at) require_alike(part(left, at), part(right, at));
    if (!alike) throw NotOfHeap{"a comparison of values of several kinds"};
}

std::string HeapWriter::equal_tables(Type type, const std::string& a, const std::string& b) {
    const std::string own = table_name(type), name = own + "equal";
    if (functions_written_.insert(name).second) {
        table_function(type, "find");
        const std::string values = own + "_kept_values";
        std::string text;
        if (root(type)->missing == "Counter") {  // What a Counter does not have counts 0.
            text =
                "def @within(u, v):\n    same = True\n    for k in range(SIZE[u]):\n        at = INTS[BEGIN[u] + k]\n"
                "        other = @find(v, @_kept_keys[at])\n        wanted = 0\n        if other >= 0:\n"
                "            wanted = VALUES[other]\n        if VALUES[at] != wanted:\n            same = False\n"
                "    return same\n"
                "def @equal(u, v):\n    same = @within(u, v)\n    if same:\n        same = @within(v, u)\n    return same\n";
            replace_all(text, "VALUES", values);
        } else {
            text =
                "def @equal(u, v):\n    same = SIZE[u] == SIZE[v]\n    for k in range(SIZE[u]):\n        if same:\n"
                "            at = INTS[BEGIN[u] + k]\n            other = @find(v, @_kept_keys[at])\n            same = other >= "
                "0\n";
            if (is(type, HeapKind::Dict))
                text += "            if same:\n                same = " + same(part(type, 1), values + "[at]", values + "[other]") +
                        "\n";
            text += "    return same\n";
        }
        for (const std::string& line : lines_of(with_names(text, own, nullptr))) runtime_.push_back(line);
    }
    return name + "(" + a + ", " + b + ")";
}
std::string HeapWriter::less(Type type, const std::string& a, const std::string& b) {
    if (is_instance(type)) return instance_less(type, a, b);
    if (is(type, HeapKind::Text)) return "(" + text_function("compare") + "(" + a + ", " + b + ") < 0)";
    if (is_sequence(type)) return list_function(type, "before") + "(" + a + ", " + b + ")";
    if (is(type, HeapKind::Number) || is(type, HeapKind::Unknown)) return (with_arrays_ ? "bool(" : "(") + a + " < " + b + ")";
    if (!is(type, HeapKind::Tuple)) throw NotOfHeap{"an order of these values"};
    if (!holds_objects(type)) return "(" + a + " < " + b + ")";
    std::string all;
    for (std::size_t at = root(type)->parts.size(); at-- > 0;) {
        const std::string index = "[" + std::to_string(at) + "]";
        const std::string first = less(part(type, at), a + index, b + index);
        all = all.empty() ? first : "(" + first + " or (" + same(part(type, at), a + index, b + index) + " and " + all + "))";
    }
    return all;
}

std::string HeapWriter::zero(Type type) {
    if (is_of_numpy(type) && std::has_single_bit(root(type)->numbers)) return as_element(type, "0");
    if (is(type, HeapKind::Number)) return root(type)->numbers == kReal ? "0.0" : root(type)->numbers == kTruth ? "False" : "0";
    if (!is(type, HeapKind::Tuple)) return "0";
    std::string all = "(";
    for (const Type one : root(type)->parts) all += zero(one) + ", ";
    return all + ")";
}

/// An element of a list of such values; empty where only the run tells.
std::string HeapWriter::likeness(Type type) {
    const auto known = [&](const auto& self, Type one) -> bool {
        if (is(one, HeapKind::Number)) return std::has_single_bit(root(one)->numbers);
        if (is(one, HeapKind::Tuple)) return std::ranges::all_of(root(one)->parts, [&](Type each) { return self(self, each); });
        return is_object(one);
    };
    return known(known, type) ? zero(type) : "";
}

std::string HeapWriter::literal(const std::string& text) {
    const auto points = Texts::code_points(text);
    if (points.size() == 1) return "(" + std::to_string(-1 - points[0]) + ")";
    return texts_.try_emplace(text, "__h_text" + std::to_string(texts_.size())).first->second;
}

/// Something changes objects of the type.
void HeapWriter::require_changeable(Type type) {
    if (root(type)->frozen) throw NotOfHeap{"a change of what is the caller's"};
    root(type)->changes = true;
}

/// How Python's caller makes the value again: `n` the next of the parts, `t` a text, `l0:` a list whose elements lie in the part 0,
/// in parentheses a tuple. In front `g`, where lists of the caller's may be among them: the part 2 has the numbers of those that
/// are not handed back, and -1 - the number of each that is. `parts`: the lists that it needs.
/// taken: of a parameter that is read: a capital letter for what may change, and the types of numbers.
std::string HeapWriter::spec_of(Type type, std::vector<std::string>& parts, bool taken) {
    const auto place = [&](const std::string& list) {
        const auto at = std::ranges::find(parts, list);
        if (at != parts.end()) return std::to_string(at - parts.begin()) + ":";
        parts.push_back(list);
        return std::to_string(parts.size() - 1) + ":";
    };
    if (is(type, HeapKind::Array)) return spec_of_array(type, place, taken);
    if (is_instance(type) || is_named_tuple(type)) throw NotOfHeap{"an object of a class that is returned"};
    if (root(type)->frozen) throw NotOfHeap{"what is the caller's is returned"};
    const bool changes = taken && root(type)->changes;
    for (const Type one : root(type)->parts)
        if (changes && is(one, HeapKind::Array) && root(one)->view)
            throw NotOfHeap{"a view of an array in a collection of the caller's"};
    switch (kind(type)) {
        case HeapKind::Text:
            declare("__h_kept_chars");
            return "t" + place("__h_kept_chars");
        case HeapKind::List:
        case HeapKind::Queue:
        case HeapKind::Row: {
            const std::string at = place(pool(part(type)));
            const std::string letter = is(type, HeapKind::List)  ? (changes ? "L" : "l")
                                       : is(type, HeapKind::Row) ? "r"
                                                                 : (changes ? "Q" : "q");
            return letter + at + spec_of(part(type), parts, taken);
        }
        case HeapKind::Set:
        case HeapKind::Dict: {
            const bool dictionary = is(type, HeapKind::Dict), frozen = !dictionary && !root(type)->missing.empty();
            if (dictionary && !root(type)->missing.empty()) throw NotOfHeap{"a returned dictionary with defaults"};
            const std::string order = place(pool(part(type_of_integers()))), own = table_name(type),
                              keys = place(own + "_kept_keys");
            const std::string values = dictionary ? place(own + "_kept_values") : "";
            if (taken) table_function(type, dictionary ? "set" : "add");
            const std::string of_keys = spec_of(part(type, 0), parts, taken);
            return (dictionary ? (changes ? "D" : "d")
                    : frozen   ? "z"
                               : (changes ? "S" : "s")) +
                   order + keys + values + of_keys + (dictionary ? spec_of(part(type, 1), parts, taken) : "");
        }
        case HeapKind::Tuple: {
            std::string all = "(";
            for (const Type one : root(type)->parts) all += spec_of(one, parts, taken);
            return all + ")";
        }
        case HeapKind::None:
            return taken ? "N" : "n";
        default:
            if (taken && (form(type) == "o" || form(type) == "p")) throw NotOfHeap{"other numbers among those of the caller's"};
            return taken ? form(type) : "n";
    }
}

}  // namespace sluice::frontend
