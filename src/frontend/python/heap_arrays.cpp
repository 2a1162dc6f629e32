// NumPy's arrays, and numbers of NumPy's, in what is written over one memory: elements, parts, creation, functions and methods.
#include <algorithm>
#include <bit>

#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

namespace {

std::string size_of(const std::string& u) {
    return "__h_kept_size[" + u + "]";
}
std::string room_of(const std::string& u) {
    return "__h_kept_room[" + u + "]";
}
std::string begin_of(const std::string& u) {
    return "__h_kept_begin[" + u + "]";
}

}  // namespace

// ---- numbers --------------------------------------------------------------------------------------------------------------
/// As an integer of Python's, which indices and counts are.
std::string HeapWriter::as_whole(Type type, const std::string& value) const {
    if (!is_of_numpy(type)) return value;
    if (!is_whole(type)) throw NotOfHeap{"a number of NumPy's where Python has integers"};
    return "int(" + value + ")";
}
std::string HeapWriter::as_python(Type type, const std::string& value) const {
    const unsigned numbers = root(type)->numbers;
    return (numbers == kInt64 ? "int(" : numbers == kFloat64 ? "float(" : "bool(") + value + ")";
}
/// As an element of an array gets it.
std::string HeapWriter::as_element(Type element, const std::string& value) const {
    const unsigned numbers = root(element)->numbers;
    if (!std::has_single_bit(numbers)) throw NotOfHeap{"arrays of several types under one name"};
    return "__h_as(\"" + std::string(numbers == kInt64 ? "I" : numbers == kFloat64 ? "F" : "B") + "\", " + value + ")";
}

/// The list of all elements of its kind.
std::string HeapWriter::elements(Type array) {
    if (!std::has_single_bit(root(part(array))->numbers)) throw NotOfHeap{"arrays of several types under one name"};
    return pool(part(array));
}

/// Whether arrays that are given, or their rows, are of the type, or of one that it is a view of.
bool HeapWriter::is_of_given(Type array) {
    std::vector<Type> all{root(array)}, given;
    const auto add = [](std::vector<Type>& to, Type one) {
        if (std::ranges::find(to, root(one)) == to.end()) to.push_back(root(one));
    };
    for (const Type one : given_types_) add(given, one);
    for (std::size_t at = 0; at < given.size(); ++at)
        for (const Type one : given[at]->parts) add(given, one);
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (std::ranges::find(given, all[at]) != given.end()) return true;
        for (const auto& [view, of] : views_)
            if (root(view) == all[at]) add(all, of);
        for (const Type one : arrays_)
            if (root(one)->rank > 1 && root(root(one)->parts[1]) == all[at]) add(all, one);
    }
    return false;
}

/// Whether one array at most is among the parts of what is returned, and no collection.
bool HeapWriter::is_one_array(Type type) {
    unsigned arrays = 0;
    const auto only = [&](const auto& self, Type one) -> bool {
        if (is(one, HeapKind::Array)) return ++arrays < 2;
        if (is(one, HeapKind::Tuple)) return std::ranges::all_of(root(one)->parts, [&](Type each) { return self(self, each); });
        return !is_object(one) || std::ranges::none_of(root(one)->parts, [&](Type each) { return holds_arrays(each); });
    };
    return only(only, type);
}

bool HeapWriter::holds_arrays(Type type) {
    std::vector<Type> all{root(type)};
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (is(all[at], HeapKind::Array)) return true;
        for (const Type one : all[at]->parts)
            if (std::ranges::find(all, root(one)) == all.end()) all.push_back(root(one));
    }
    return false;
}

/// An array is handed over as `a`, or `A` where it may change, its rank, its elements and their type (spec_of).
std::string HeapWriter::spec_of_array(Type array, const PlaceOf& place, bool taken) {
    if (!taken && root(array)->view && !one_is_returned_) throw NotOfHeap{"a view of an array is returned with others"};
    if (!taken && root(array)->view && is_of_given(array)) throw NotOfHeap{"a view of an array of the caller's is returned"};
    if (!taken && root(array)->frozen) throw NotOfHeap{"what is the caller's is returned"};
    return (taken && may_change(array) ? "A" : "a") + std::to_string(root(array)->rank) + place(elements(array)) +
           form(part(array));
}

// ---- parts ----------------------------------------------------------------------------------------------------------------
std::string HeapWriter::shape_of(Type array, const std::string& u) const {
    return "(" + size_of(u) + ", " + (root(array)->rank > 1 ? room_of(u) + ", )" : ")");
}

/// Where the element lies among all of its kind; nullopt: it is no element. Of `a[i][j]` no row is made.
std::optional<std::string> HeapWriter::element_place(const SubscriptExpr& n, Scope& scope, Lines& out) {
    ExprPtr object = n.object;
    std::vector<ExprPtr> indices{n.index};
    if (const auto* several = std::get_if<TupleExpr>(&n.index->node)) indices = several->elements;
    const auto* outer = std::get_if<SubscriptExpr>(&n.object->node);
    if (outer && indices.size() == 1 && is_array(type_of(outer->object), 2) && is(type_of(outer->index), HeapKind::Number))
        object = outer->object, indices = {outer->index, n.index};
    const Type array = type_of(object);
    for (const ExprPtr& one : indices)
        if (std::holds_alternative<SliceExpr>(one->node)) return std::nullopt;
    const bool as_tuple = indices.size() == 1 && is(type_of(indices[0]), HeapKind::Tuple);
    const std::size_t count = as_tuple ? root(type_of(indices[0]))->parts.size() : indices.size();
    if (count != root(array)->rank) return std::nullopt;
    std::vector<ExprPtr> all{object};
    all.insert(all.end(), indices.begin(), indices.end());
    std::vector<std::string> texts = values(all, scope, out);
    std::string call = list_function(array, count == 1 ? "item" : "cell") + "(" + texts[0];
    if (as_tuple) {
        const std::string whole = kept(texts[1], out);
        for (std::size_t at = 0; at < count; ++at)
            call += ", " + as_whole(part(type_of(indices[0]), at), whole + "[" + std::to_string(at) + "]");
        return call + ")";
    }
    for (std::size_t at = 0; at < count; ++at) call += ", " + as_whole(type_of(indices[at]), texts[at + 1]);
    return call + ")";
}

HeapWriter::Along HeapWriter::along(const ExprPtr& index, Type array, const std::string& size, Scope& scope, Lines& out) {
    const auto* slice = std::get_if<SliceExpr>(&index->node);
    if (!slice) {
        const std::string at = kept(list_function(array, "axis") + "(" + whole_value(index, scope, out) + ", " + size + ")", out);
        return {.begin = at, .end = kept("(" + at + " + 1)", out), .one = true};
    }
    if (slice->step && integer_in(slice->step).value_or(1) < 1) throw NotOfHeap{"a part of an array backwards"};
    const auto bound = [&](const ExprPtr& given, const std::string& without) {
        return given ? kept(text_function("bound") + "(" + whole_value(given, scope, out) + ", " + size + ")", out)
                     : kept(without, out);
    };
    Along all{bound(slice->begin, "0"), bound(slice->end, size)};
    if (slice->step) all.step = kept(whole_value(slice->step, scope, out), out);
    return all;
}

/// `a[i]`, `a[i, j]`, and views: `a[i]` of two dimensions, `a[i:j]`, `a[i, j:k]`.
std::string HeapWriter::array_part(const SubscriptExpr& n, Scope& scope, Lines& out) {
    if (const auto place = element_place(n, scope, out)) {
        const Type row = type_of(n.object);
        return kept(elements(row) + "[" + *place + "]", out);
    }
    Type array = type_of(n.object);
    std::string u = atom(n.object, scope, out);
    ExprPtr index = n.index;
    const auto* several = std::get_if<TupleExpr>(&index->node);
    if (several && std::holds_alternative<SliceExpr>(several->elements[0]->node)) {
        index = several->elements[0];  // Behind it is `:`.
    } else if (several) {
        u = kept(list_function(array, "row") + "(" + u + ", " + whole_value(several->elements[0], scope, out) + ")", out);
        array = part(array, 1), index = several->elements[1];
    }
    if (!std::holds_alternative<SliceExpr>(index->node))
        return kept(list_function(array, "row") + "(" + u + ", " + whole_value(index, scope, out) + ")", out);
    const Along all = along(index, array, size_of(u), scope, out);
    return kept(list_function(array, "span") + "(" + u + ", " + all.begin + ", " + all.end + ")", out);
}

/// `a[...] = item`: a number into all elements there, or an array of one dimension.
void HeapWriter::fill_part(const SubscriptExpr& n, const std::string& item, Type type, Scope& scope, Lines& out) {
    const Type array = type_of(n.object), element = part(array);
    const bool number = is(type, HeapKind::Number);
    if (!number && !is_array(type, 1)) throw NotOfHeap{"an assignment of this value to a part of an array"};
    if (const auto place = number ? element_place(n, scope, out) : std::nullopt)
        return out.push_back(elements(array) + "[" + *place + "] = " + as_element(element, item));
    const std::string u = atom(n.object, scope, out);
    std::vector<ExprPtr> indices{n.index};
    if (const auto* several = std::get_if<TupleExpr>(&n.index->node)) indices = several->elements;
    if (indices.size() > root(array)->rank || is(type_of(indices[0]), HeapKind::Tuple))
        throw NotOfHeap{"an index of an array of fewer dimensions"};
    for (const ExprPtr& one : indices)
        if (!std::holds_alternative<SliceExpr>(one->node) && !is_whole(type_of(one)))
            throw NotOfHeap{"an index of an array that is no integer"};
    const Along rows = along(indices[0], array, size_of(u), scope, out);
    const std::string first = kept(begin_of(u), out);
    const std::string more = number ? "" : kept(converted_array(array, type, item, out), out);
    if (root(array)->rank == 1) {
        const std::string range = "(" + first + ", " + rows.begin + ", " + rows.end + ", " + rows.step + ", ";
        return out.push_back(list_function(array, number ? "fill" : "put") + range + (number ? as_element(element, item) : more) +
                             ")");
    }
    const Along columns =
        indices.size() > 1 ? along(indices[1], array, room_of(u), scope, out) : Along{.begin = "0", .end = kept(room_of(u), out)};
    if (rows.step != "1" || columns.step != "1") throw NotOfHeap{"a part of an array with a step"};
    if (number)
        return out.push_back(list_function(array, "rectangle") + "(" + u + ", " + rows.begin + ", " + rows.end + ", " +
                             columns.begin + ", " + columns.end + ", " + as_element(element, item) + ")");
    if (rows.one == columns.one) throw NotOfHeap{"an assignment of an array to several rows"};
    const std::string m = room_of(u);
    const std::string range =
        rows.one ? first + " + " + rows.begin + " * " + m + ", " + columns.begin + ", " + columns.end + ", 1, "
                 : first + " + " + columns.begin + ", " + rows.begin + " * " + m + ", " + rows.end + " * " + m + ", " + m + ", ";
    out.push_back(list_function(array, "put") + "(" + range + more + ")");
}

/// `a[i] += x`
void HeapWriter::update_element(const AugAssignStmt& s, const SubscriptExpr& n, Scope& scope, Lines& out) {
    const Type array = type_of(n.object), element = part(array);
    const auto place = element_place(n, scope, out);
    if (!place) throw NotOfHeap{"an update of a part of an array"};
    const std::string at = kept(*place, out), where = elements(array) + "[" + at + "]";
    Lines more;
    const std::string by = value(s.value, scope, more), before = more.empty() ? where : kept(where, out);
    out.insert(out.end(), more.begin(), more.end());
    const std::string result = combined(s.op, element, element, type_of(s.value), before, by, out);
    out.push_back(where + " = " + as_element(element, result));
}

// ---- creation -------------------------------------------------------------------------------------------------------------
std::string HeapWriter::filled_array(Type type, const ExprPtr& shape, const ExprPtr& value, const std::string& constant,
                                     Scope& scope, Lines& out) {
    const bool display = std::holds_alternative<TupleExpr>(shape->node) || std::holds_alternative<ListExpr>(shape->node);
    std::vector<ExprPtr> all = display ? elements_of(shape) : std::vector{shape};
    const std::size_t count = all.size();
    if (value) all.push_back(value);
    std::vector<std::string> texts = values(all, scope, out);
    const std::string item = as_element(part(type), value ? texts.back() : constant);
    std::string call = list_function(type, "made") + "(";
    if (!display && is(type_of(shape), HeapKind::Tuple)) {
        const std::string whole = kept(texts[0], out);
        for (std::size_t at = 0; at < root(type)->rank; ++at)
            call += as_whole(part(type_of(shape), at), whole + "[" + std::to_string(at) + "]") + ", ";
    } else {
        for (std::size_t at = 0; at < count; ++at) call += as_whole(type_of(all[at]), texts[at]) + ", ";
    }
    return kept(call + (root(type)->rank == 1 ? "1, " : "") + item + ")", out);
}

/// The elements of another array, as those of this type, in memory of their own.
std::string HeapWriter::converted_array(Type type, Type from, const std::string& u, Lines& out) {
    const std::string list = elements(type), first = temporary(), k = temporary();
    out.push_back(first + " = len(" + list + ")");
    out.push_back("for " + k + " in range(" + size_of(u) + " * " + room_of(u) + "):");
    nest({list + ".append(" + as_element(part(type), elements(from) + "[" + begin_of(u) + " + " + k + "]") + ")"}, out);
    return list_function(type, "closed") + "(" + first + ", " + size_of(u) + ", " + room_of(u) + ")";
}

/// `np.array(x)` of lists, or of lists of lists. Without `dtype`, NumPy's type for none is another.
std::string HeapWriter::array_from(const CallExpr& n, Type type, bool declared, Scope& scope, Lines& out) {
    const ExprPtr from = arguments_of(n, {"object", "dtype"})[0];
    const Type given = type_of(from), element = part(type);
    const std::string s = kept(value(from, scope, out), out);
    if (is(given, HeapKind::Array)) return kept(converted_array(type, given, s, out), out);
    const std::string list = elements(type), first = temporary(), k = temporary(), j = temporary(), m = temporary();
    out.push_back(first + " = len(" + list + ")");
    if (is(given, HeapKind::Tuple)) {
        const std::size_t count = root(given)->parts.size();
        for (std::size_t at = 0; at < count; ++at)
            out.push_back(list + ".append(" + as_element(element, s + "[" + std::to_string(at) + "]") + ")");
        return kept(list_function(type, "closed") + "(" + first + ", " + std::to_string(count) + ", 1)", out);
    }
    const auto appended = [&](Type sequence, const std::string& of, const std::string& at) {
        return list + ".append(" + as_element(element, pool(part(sequence)) + "[" + begin_of(of) + " + " + at + "]") + ")";
    };
    const std::string none = "    raise ValueError(\"an array of nothing\")";
    if (root(type)->rank == 1) {
        if (!declared) out.insert(out.end(), {"if " + size_of(s) + " == 0:", none});
        out.push_back("for " + k + " in range(" + size_of(s) + "):");
        nest({appended(given, s, k)}, out);
        return kept(list_function(type, "closed") + "(" + first + ", " + size_of(s) + ", 1)", out);
    }
    const Type row = part(given);
    const std::string rows = pool(row) + "[" + begin_of(s) + " + ", r = temporary();
    out.insert(out.end(), {"if " + size_of(s) + " == 0:", none, m + " = " + size_of(rows + "0]")});
    if (!declared) out.insert(out.end(), {"if " + m + " == 0:", none});
    out.push_back("for " + k + " in range(" + size_of(s) + "):");
    Lines body{r + " = " + rows + k + "]", "if " + size_of(r) + " != " + m + ":",
               "    raise ValueError(\"an inhomogeneous shape\")", "for " + j + " in range(" + m + "):"};
    nest({appended(row, r, j)}, body);
    nest(body, out);
    return kept(list_function(type, "closed") + "(" + first + ", " + size_of(s) + ", " + m + ")", out);
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------------
void HeapWriter::require_one_shape(Type left, Type right, const std::string& u, const std::string& v, Lines& out) {
    if (!is(left, HeapKind::Array) || !is(right, HeapKind::Array)) return;
    out.insert(out.end(), {"if " + size_of(u) + " != " + size_of(v) + " or " + room_of(u) + " != " + room_of(v) + ":",
                           "    raise ValueError(\"operands of several shapes\")"});
}

/// `a + b`, `a + 1`: a new array.
std::string HeapWriter::element_by_element(const std::string& symbol, Type type, Type left, Type right, const std::string& u,
                                           const std::string& v, Lines& out) {
    require_one_shape(left, right, u, v, out);
    const std::string list = elements(type), first = temporary(), k = temporary(), shape = is(left, HeapKind::Array) ? u : v;
    const auto one = [&](Type of, const std::string& value) {
        return is(of, HeapKind::Array) ? elements(of) + "[" + begin_of(value) + " + " + k + "]" : value;
    };
    out.push_back(first + " = len(" + list + ")");
    out.push_back("for " + k + " in range(" + size_of(shape) + " * " + room_of(shape) + "):");
    nest({list + ".append(" + as_element(part(type), "(" + one(left, u) + " " + symbol + " " + one(right, v) + ")") + ")"}, out);
    return list_function(type, "closed") + "(" + first + ", " + size_of(shape) + ", " + room_of(shape) + ")";
}

/// `a @ b`: a number of two vectors, else a new array.
std::string HeapWriter::product(Type type, Type left, Type right, const std::string& u, const std::string& v, Lines& out) {
    const bool matrix = root(left)->rank == 2, by_matrix = root(right)->rank == 2, number = !is(type, HeapKind::Array);
    const std::string rows = matrix ? size_of(u) : "1", inner = matrix ? room_of(u) : size_of(u);
    const std::string columns = by_matrix ? room_of(v) : "1";
    const std::string i = temporary(), j = temporary(), k = temporary(), total = temporary(), first = temporary();
    const Type element = number ? type : part(type);
    out.insert(out.end(), {"if " + inner + " != " + size_of(v) + ":", "    raise ValueError(\"operands of several shapes\")"});
    if (!number) out.push_back(first + " = len(" + elements(type) + ")");
    Lines sum{total + " = " + as_element(element, "0"), "for " + k + " in range(" + inner + "):"};
    nest({total + " = " +
          as_element(element, "(" + total + " + " + elements(left) + "[" + begin_of(u) + " + " + i + " * " + inner + " + " + k +
                                  "] * " + elements(right) + "[" + begin_of(v) + " + " + k + " * " + columns + " + " + j + "])")},
         sum);
    if (!number) sum.push_back(elements(type) + ".append(" + total + ")");
    Lines row{"for " + j + " in range(" + columns + "):"};
    nest(sum, row);
    out.push_back("for " + i + " in range(" + rows + "):");
    nest(row, out);
    if (number) return total;
    return kept(list_function(type, "closed") + "(" + first + ", " + (matrix ? rows : columns) + ", " +
                    (root(type)->rank == 2 ? columns : "1") + ")",
                out);
}

/// `a += b`, `a[i:j] *= 2`: each element in its place. What is read there as well is read before.
void HeapWriter::update_array(const AugAssignStmt& s, const std::string& symbol, Scope& scope, Lines& out) {
    const auto both = values({s.target, s.value}, scope, out);
    const Type array = type_of(s.target), other = type_of(s.value);
    const std::string u = kept(both[0], out), k = temporary();
    std::string v = kept(both[1], out);
    require_one_shape(array, other, u, v, out);
    if (is(other, HeapKind::Array)) {
        v = kept(converted_array(other, other, v, out), out);
        v = elements(other) + "[" + begin_of(v) + " + " + k + "]";
    }
    const std::string where = elements(array) + "[" + begin_of(u) + " + " + k + "]";
    out.push_back("for " + k + " in range(" + size_of(u) + " * " + room_of(u) + "):");
    nest({where + " = " + as_element(part(array), "(" + where + " " + symbol + " " + v + ")")}, out);
}

// ---- functions and methods ------------------------------------------------------------------------------------------------
std::optional<std::string> HeapWriter::array_function(const std::string& name, const CallExpr& n, Type type, Scope& scope,
                                                      Lines& out) {
    if (!name.starts_with("numpy.")) return std::nullopt;
    if (is(type, HeapKind::Unknown)) throw NotOfHeap{name + " of elements that nobody knows"};
    if (is(type, HeapKind::Array) && !std::has_single_bit(root(part(type))->numbers))
        throw NotOfHeap{"arrays of several types under one name"};
    const std::string plain = name.substr(6), of = plain.substr(0, plain.find('_'));
    if (plain == "zeros" || plain == "empty" || plain == "ones")
        return filled_array(type, arguments_of(n, {"shape", "dtype"})[0], nullptr, plain == "ones" ? "1" : "0", scope, out);
    if (plain == "full") {
        const auto given = arguments_of(n, {"shape", "fill_value", "dtype"});
        return filled_array(type, given[0], given[1], "", scope, out);
    }
    if (plain.ends_with("_like")) {
        const auto given = of == "full" ? arguments_of(n, {"a", "fill_value", "dtype"}) : arguments_of(n, {"a", "dtype"});
        const auto texts = values(of == "full" ? std::vector{given[0], given[1]} : std::vector{given[0]}, scope, out);
        const std::string u = kept(texts[0], out);
        return kept(list_function(type, "made") + "(" + size_of(u) + ", " + room_of(u) + ", " +
                        as_element(part(type), of == "full"   ? texts[1]
                                               : of == "ones" ? "1"
                                                              : "0") +
                        ")",
                    out);
    }
    if (plain == "copy") {
        const ExprPtr from = arguments_of(n, {"a"})[0];
        return kept(converted_array(type, type_of(from), atom(from, scope, out), out), out);
    }
    if (plain == "array" || plain == "asarray") {
        if (plain == "asarray" && type_of(arguments_of(n, {"object", "dtype"})[0]) == type)
            return value(n.arguments.at(0), scope, out);
        return array_from(n, type, declared_element(name, n, scope).has_value(), scope, out);
    }
    if (plain == "arange") {
        std::vector<ExprPtr> bounds;
        for (const ExprPtr& one : arguments_of(n, {"start", "stop", "step", "dtype"}))
            if (one && bounds.size() < 3 && types_known(one) && is(type_of(one), HeapKind::Number)) bounds.push_back(one);
        std::string range;
        const auto texts = values(bounds, scope, out);
        for (std::size_t at = 0; at < bounds.size(); ++at) range += (at > 0 ? ", " : "") + as_whole(type_of(bounds[at]), texts[at]);
        const std::string list = elements(type), first = temporary(), k = temporary();
        out.push_back(first + " = len(" + list + ")");
        out.push_back("for " + k + " in range(" + range + "):");
        nest({list + ".append(" + as_element(part(type), k) + ")"}, out);
        return kept(list_function(type, "closed") + "(" + first + ", len(" + list + ") - " + first + ", 1)", out);
    }
    if (plain == "int64" || plain == "float64")
        return "__h_as(\"" + std::string(plain == "int64" ? "I" : "F") + "\", " + value(n.arguments.at(0), scope, out) + ")";
    if (plain == "unravel_index") {
        const auto both = values(arguments_of(n, {"indices", "shape"}), scope, out);
        const Type shape = type_of(arguments_of(n, {"indices", "shape"})[1]);
        const bool two = root(shape)->parts.size() > 1;
        const std::string at = kept(as_whole(type_of(arguments_of(n, {"indices", "shape"})[0]), both[0]), out),
                          whole = kept(both[1], out), rows = as_whole(part(shape), whole + "[0]"),
                          columns = two ? as_whole(part(shape, 1), whole + "[1]") : "1";
        out.insert(out.end(), {"if " + at + " < 0 or " + at + " >= " + rows + " * " + columns + ":",
                               "    raise ValueError(\"index is out of bounds for array\")"});
        if (!two) return "(__h_as(\"I\", " + at + "), )";
        return "(__h_as(\"I\", " + at + " // " + columns + "), __h_as(\"I\", " + at + " % " + columns + "), )";
    }
    if (plain == "dot" || plain == "matmul") {
        const auto both = arguments_of(n, {plain == "dot" ? "a" : "x1", plain == "dot" ? "b" : "x2"});
        const auto texts = values(both, scope, out);
        const std::string u = kept(texts[0], out), v = kept(texts[1], out);
        return product(type, type_of(both[0]), type_of(both[1]), u, v, out);
    }
    if (plain == "linalg.norm") {
        const ExprPtr of_array = arguments_of(n, {"x"})[0];
        const std::string u = atom(of_array, scope, out), total = temporary(), k = temporary(), one = temporary();
        out.push_back(total + " = __h_as(\"F\", 0)");
        out.push_back("for " + k + " in range(" + size_of(u) + " * " + room_of(u) + "):");
        nest({one + " = __h_as(\"F\", " + elements(type_of(of_array)) + "[" + begin_of(u) + " + " + k + "])",
              total + " = " + total + " + " + one + " * " + one},
             out);
        return kept("__h_numpy(\"sqrt\", " + total + ")", out);
    }
    const std::string function = plain == "absolute" ? "abs" : plain;
    if (is(type, HeapKind::Array)) {  // Element by element.
        const ExprPtr from = arguments_of(n, {"x"})[0];
        const std::string u = atom(from, scope, out), list = elements(type), first = temporary(), k = temporary();
        const std::string one = elements(type_of(from)) + "[" + begin_of(u) + " + " + k + "]";
        out.push_back(first + " = len(" + list + ")");
        out.push_back("for " + k + " in range(" + size_of(u) + " * " + room_of(u) + "):");
        nest({list + ".append(__h_numpy(\"" + function + "\", " + one + "))"}, out);
        return kept(list_function(type, "closed") + "(" + first + ", " + size_of(u) + ", " + room_of(u) + ")", out);
    }
    if (!is(type_of(n.arguments.at(0)), HeapKind::Array))
        return "__h_numpy(\"" + function + "\", " + value(n.arguments[0], scope, out) + ")";
    const ExprPtr array = arguments_of(n, {"a"})[0];
    return array_method(plain == "amax" || plain == "amin" ? plain.substr(1) : plain, type_of(array), atom(array, scope, out),
                        CallExpr{n.function, {}, {}}, type, scope, out);
}

std::string HeapWriter::list_of_array(Type array, const std::string& u, Type list, Lines& out) {
    const bool two = root(array)->rank == 2;
    const Type row = two ? part(list) : list;
    const std::string into = pool(part(row)), first = temporary(), i = temporary(), j = temporary();
    const std::string width = two ? room_of(u) : size_of(u);
    const auto of_row = [&](const std::string& begin, Lines& lines) {
        lines.push_back(first + " = len(" + into + ")");
        lines.push_back("for " + j + " in range(" + width + "):");
        nest({into + ".append(" + as_python(part(array), elements(array) + "[" + begin + " + " + j + "]") + ")"}, lines);
        return list_function(row, "close") + "(" + first + ")";
    };
    if (!two) return kept(of_row(begin_of(u), out), out);
    const std::string whole = kept(text_function("new") + "()", out);
    Lines body;
    const std::string one = of_row(begin_of(u) + " + " + i + " * " + width, body);
    body.push_back(list_function(list, "append") + "(" + whole + ", " + one + ")");
    out.push_back("for " + i + " in range(" + size_of(u) + "):");
    nest(body, out);
    return whole;
}

std::string HeapWriter::array_method(const std::string& name, Type array, const std::string& u, const CallExpr& n, Type type,
                                     Scope& scope, Lines& out) {
    if (name == "copy") return kept(converted_array(type, array, u, out), out);
    if (name == "tolist") return list_of_array(array, u, type, out);
    if (name == "fill") {
        require_changeable(array);
        const std::string item = as_element(part(array), value(n.arguments.at(0), scope, out));
        out.push_back(list_function(array, "fill") + "(" + begin_of(u) + ", 0, " + size_of(u) + " * " + room_of(u) + ", 1, " +
                      item + ")");
        return "None";
    }
    return kept(
        "__h_array(\"" + name + "\", " + elements(array) + ", " + begin_of(u) + ", " + size_of(u) + " * " + room_of(u) + ")", out);
}

}  // namespace sluice::frontend
