// Each number and each array of what is returned becomes a container `__return...`, which the caller allocates. What Python's
// caller could tell from a copy is reported with it: where an array is a view of an argument, or of another result,
//     b = a * 2; return b, b[1:]   ->   __return_0 = a * 2; __return_1 = __return_0[1:], a view of __return_0
// the caller takes that view instead of the copy. Several parts of one array bring that array with them, as a result that the
// structure does not name. Where paths return values of several structures, `(a, None)` or `(a, b)`, `1` or `2.5`, the container
// `__return_structure` has the number of the path's own, and each place in a structure has a container of its own.
#include "frontend/python/results.h"

#include <algorithm>
#include <optional>

#include "code/displays.h"
#include "code/print.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/collections.h"
#include "frontend/python/heap.h"
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"
#include "frontend/python/objects.h"
#include "frontend/python/program_build.h"
#include "frontend/python/single_exit.h"
#include "frontend/python/sizes.h"
#include "frontend/python/types_by_path.h"
#include "ir/builder.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// What python/sluice/program.py takes for the value None, which compiled code cannot hand over.
constexpr const char* kReturnsNone = "this call returns None";

/// Keeps what the value is to a caller, and gives the number of its place. `view`: that which it is, or is a part of, into an
/// argument or another result; nullopt: it is nobody else's.
std::size_t note_place(Returned& returned, const Value& value, const std::optional<Operand>& view) {
    ReturnedPlace place;
    if (view) place = {view, std::string(as_part(value) ? name_of(std::get<CallExpr>(value.code->node).function) : "")};
    const auto same = [&](const ReturnedPlace& other) {
        return place.view.has_value() == other.view.has_value() && place.part == other.part &&
               (!place.view || (place.view->data == other.view->data && place.view->index == other.view->index));
    };
    const auto known = std::ranges::find_if(returned.places, same);
    if (known != returned.places.end()) return static_cast<std::size_t>(known - returned.places.begin());
    returned.places.push_back(std::move(place));
    return returned.places.size() - 1;
}

}  // namespace

void Results::translate(const ExprPtr& value, const Span& span) {
    if (t_.map_params_.size() || t_.parent_) unsupported("return inside a map", span, "return after the map");
    const bool several = value && (std::holds_alternative<TupleExpr>(value->node) || std::holds_alternative<ListExpr>(value->node));
    const auto return_none = [&] {
        if (!returns_value(t_.context_.function->body)) return;
        if (t_.context_.callers.size() > 1 && !t_.context_.raises_for_none)
            refuse("F011", t_.context_.function->name + " returns None on one path and a value on another", span,
                   "return a value on every path");
        t_.translate(raise_for_none(span, kReturnsNone));
    };
    if (!value) return return_none();
    Value whole = several ? Collections(t_).elements(elements_of(value)) : t_.evaluate(value);
    if (whole.kind == Value::Kind::None) return return_none();
    if (std::holds_alternative<ListExpr>(value->node)) whole.of_list = true;
    Structure structure = structure_of(whole);
    const auto expressions = elements_of(value);
    const bool flat = !structure.holds_none && structure.values.size() == std::max<std::size_t>(whole.elements.size(), 1);
    for (const Value& one : structure.values) TypesByPath(t_).ask(one, span);
    Lists(t_).require_apart(structure.given, span);
    settle_structure(structure, span);
    const std::map<std::string, std::string> wholes = whole_arrays(structure);
    for (std::size_t at = 0; at < structure.values.size(); ++at) {
        const std::string& name = structure.names[at];
        const Value& one = structure.values[at];
        if (!one.is_elements()) unsupported("a return value of this kind", span, "return arrays and numbers");
        Numbers(t_).refuse_open(one, span);
        const auto known = t_.context_.returns.find(name);
        if (known != t_.context_.returns.end() && known->second.number.has_value() != one.shape.empty())
            refuse("F008", "the returns of this program differ in type or shape", span, "return values of one type and shape");
        Returned& returned = t_.context_.returns[name];
        if (one.shape.empty()) {
            const NumberKind kind = one.of_rank_0 ? NumberKind::Array : one.type.weak ? NumberKind::Python : NumberKind::NumPy;
            returned.number = returned.number.value_or(kind) == kind ? kind : NumberKind::NumPy;
            std::vector<Type> types = one.other_types;
            types.push_back(one.type);
            for (const Type& type : types)
                if (std::ranges::find(returned.types, type) == returned.types.end()) returned.types.push_back(type);
        }
        const auto list = structure.lists.find(name);
        if (list != structure.lists.end()) returned.list = list->second;
        const Value base = base_of(one);
        std::optional<Operand> view;
        if (const Operand* of = list == structure.lists.end() ? viewed(base) : nullptr) {
            const auto result = wholes.find(of->data);
            if (result != wholes.end() ? result->second != name : !is_fresh(of->data)) view = *of;
            if (view && result != wholes.end()) view->data = result->second;
            returned.unnamed |= t_.container(of->data).binding != ir::Binding::Own;
        }
        const std::size_t place = note_place(returned, base, view);
        if (t_.context_.tells_places) tell_place(name, place, span);
        if (const Operand* own = as_view(one); own && own->data == name && is_identity(*own, one.rank())) continue;
        hand_over(name, one, flat && at < expressions.size() ? expressions[at] : nullptr, span);
    }
}

Results::Structure Results::structure_of(const Value& value) const {
    Structure structure;
    add(value, "", structure);
    return structure;
}

/// `place`: the way from the whole to the value.
void Results::add(const Value& value, const std::string& place, Structure& structure) const {
    const auto both = [&](const std::string& text) {
        structure.text += text;
        structure.kind += text;
    };
    const std::size_t before = structure.text.size();
    if (value.is_elements() || value.kind == Value::Kind::Rows) structure.given.push_back(value);
    if (value.of_keys && !value.keys.empty() && value.keys[0] == kObject) {
        structure.holds_none = true;
        both("{(): (" + code::to_string(*make_text(value.keys[1])) + ", {");
        for (std::size_t at = 0; at < value.elements.size(); ++at) {
            const std::string& field = value.keys[at + 2];
            both(code::to_string(*make_text(field)) + ": ");
            add(value.elements[at], place + "." + field, structure);
            both(", ");
        }
        both("})}");
    } else if (value.of_keys && value.keys.size() == 2 && value.keys[0] == kObjects) {
        both("{...: {" + code::to_string(*make_text(value.keys[1])) + ": (");
        for (std::size_t at = 0; at < value.elements.size(); ++at) {
            add(value.elements[at], place + "<" + std::to_string(at) + ">", structure);
            both(", ");
        }
        both(")}}");
    } else if (value.of_keys &&
               value.keys == std::vector<std::string>{code::kDictionaryOf}) {  // Keys of the run, and a dictionary's values.
        both("{...: (");
        for (std::size_t at = 0; at < value.elements.size(); ++at) {
            add(value.elements[at], place + "{" + std::to_string(at) + "}", structure);
            both(", ");
        }
        both(")}");
    } else if (value.kind == Value::Kind::Tuple) {
        for (const std::size_t object : value.of_list || value.of_keys ? value.objects : std::set<std::size_t>())
            if (object == kGivenObject || !structure.objects.insert(object).second)
                refuse("F008",
                       object == kGivenObject ? "a list or dictionary of the caller's is returned"
                                              : "a list or dictionary is returned twice",
                       t_.where_, "return its elements");
        both(value.of_list ? "[" : !value.of_keys ? "(" : "{");
        for (std::size_t at = 0; at < value.elements.size(); ++at) {
            if (value.of_keys) both(value.keys[at] + ": ");
            add(value.elements[at], place + "[" + (!value.of_keys ? std::to_string(at) : value.keys[at]) + "]", structure);
            both(", ");
        }
        both(value.of_list ? "]" : !value.of_keys ? ")" : "}");
    } else if (value.kind == Value::Kind::None) {
        structure.holds_none = true;
        both("None");
    } else if (value.kind == Value::Kind::Text) {
        structure.holds_none = true;
        both(code::to_string(*value.code));
    } else if (const auto known = structure.lists_of_the_run.find(value.list); known != structure.lists_of_the_run.end()) {
        if (known->second.empty()) refuse("F008", "a list or dictionary is returned twice", t_.where_, "return its elements");
        structure.text += known->second;
        structure.kind += "list " + known->second;
    } else if (value.kind == Value::Kind::Rows) {  // Its columns, and how they make tuples.
        std::size_t at = 0;
        const std::function<void(const Value&)> add_columns = [&](const Value& form) {
            if (form.kind != Value::Kind::Tuple) {
                const std::size_t column = at++;
                if (Lists(t_).element_type_codes(value, column)) return add_typed_list(value, column, place, structure);
                return add_list(value, column, place, structure);
            }
            both("(");
            for (const Value& element : form.elements) add_columns(element), both(", ");
            both(")");
        };
        structure.lists_of_the_run.emplace(value.list, "");
        both("{None: ");
        add_columns(*t_.context_.lists.at(value.list).form);
        both("}");
    } else if (Lists(t_).element_type_codes(value)) {
        both("{...: ");
        add_typed_list(value, 0, place, structure);
        both("}");
        structure.lists_of_the_run.emplace(value.list, structure.text.substr(before));
    } else if (!value.list.empty()) {
        add_list(value, 0, place, structure);
        structure.lists_of_the_run.emplace(value.list, structure.text.substr(before));
    } else if (value.which && !value.other_types.empty() && t_.context_.tells_places) {
        Value number = value;
        number.other_types.clear(), number.type_sources.clear(), number.which = nullptr, number.type.weak = false;
        both("{...: [");
        add_result(number, place + ":number", structure);
        both(", ");
        const bool truth = value.type.dtype == DType(Scalar::Bool);
        add_result(!truth ? *value.which
                          : t_.combine({*value.which}, t_.where_,
                                       [&](const auto& c) { return make_binary(BinaryOp::BitOr, c[0], make_integer(4)); }),
                   place + ":type", structure);
        both(", None]}");
    } else {
        const std::string form = form_of(value);
        structure.kind += form;
        add_result(value, place + ":" + form, structure);
    }
}

/// What tells Python's caller of a number or an array: `return 1` and `return 2.5` are two structures. Other callers have one type.
std::string Results::form_of(const Value& value) const {
    const std::string rank = std::to_string(value.rank());
    if (!t_.context_.tells_places || !value.is_elements()) return rank;
    return rank + code::to_string(strong(value.type)) +
           (value.of_rank_0                        ? " array"
            : value.rank() == 0 && value.type.weak ? " of Python"
                                                   : "");
}

void Results::add_list(const Value& list, std::size_t column, const std::string& place, Structure& structure) const {
    const Value elements = Lists(t_).returned(list, column, t_.where_);
    const std::string kind = "list" + std::to_string(elements.rank());
    structure.kind += kind;
    add_result(elements, place + ":" + std::to_string(column) + kind, structure);
    const ListColumn& facts = t_.context_.lists.at(list.list).columns.at(column);
    const bool of_arrays = elements.rank() > 1 && !facts.is_list;
    structure.lists.emplace(structure.names.back(), facts.of_python ? NumberKind::Python
                                                    : of_arrays     ? NumberKind::Array
                                                                    : NumberKind::NumPy);
}

/// The numbers of a column, and their type_codes: `[0, 1]`.
void Results::add_typed_list(const Value& list, std::size_t column, const std::string& place, Structure& structure) const {
    const std::string own = place + (list.kind == Value::Kind::Rows ? ":" + std::to_string(column) : "");
    const auto both = [&](const std::string& text) { structure.text += text, structure.kind += text; };
    both("[");
    add_result(Lists(t_).returned(list, column, t_.where_), own + ":typed", structure);
    both(", ");
    add_result(*Lists(t_).element_type_codes(list, column), own + ":types", structure);
    both("]");
}

void Results::add_result(const Value& value, const std::string& place, Structure& structure) const {
    auto& numbers = t_.context_.result_numbers;
    const std::string number = std::to_string(numbers.emplace(place, numbers.size()).first->second);
    const bool alone = structure.text.empty() && !t_.context_.several_structures;
    structure.text += number;
    structure.values.push_back(value);
    structure.names.push_back(alone ? "__return" : "__return_" + number);
}

/// The caller learns which structure it is, where the returns have several.
void Results::settle_structure(Structure& structure, const Span& span) {
    FunctionContext& context = t_.context_;
    auto& known = context.returns.structures;
    const auto found = std::ranges::find(known, structure.kind, &ReturnedStructure::kind);
    const auto number = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) known.push_back({structure.kind, structure.text});
    if (known.size() > 1 && !context.several_structures) {
        if (!context.tells_places)
            refuse("F008", "the returns of this program differ in number, in their keys, or in what is None", span,
                   "return as many values in every case, or keep what differs in a function of its own");
        context.several_structures = true;
        context.return_variable.clear();
        throw StartAgain{};
    }
    if (context.several_structures) tell_number("__return_structure", number, span);
}

/// Containers of the program's own that are returned whole -> the result that each of them is. Where only parts of one are
/// returned, it becomes a result itself.
std::map<std::string, std::string> Results::whole_arrays(Structure& structure) const {
    std::map<std::string, std::string> wholes;
    std::map<std::string, int> parts;
    for (std::size_t at = 0; at < structure.values.size(); ++at) {
        const Value base = base_of(structure.values[at]);
        const Operand* view = viewed(base);
        if (!view || !is_fresh(view->data)) continue;
        ++parts[view->data];
        if (as_view(base) && is_identity(*view, base.rank()) && base.shape == t_.container(view->data).shape)
            wholes.emplace(view->data, structure.names[at]);
    }
    for (const auto& [data, count] : parts)
        if ((count > 1 || t_.context_.laid_out.contains(data)) && !wholes.contains(data)) {
            Structure hidden;
            hidden.text = "of";
            add_result(t_.read_container(data), data, hidden);
            wholes.emplace(data, hidden.names[0]);
            structure.names.push_back(hidden.names[0]);
            structure.values.push_back(hidden.values[0]);
        }
    return wholes;
}

/// Where a returned array may lie in one place or another, the caller learns in which.
void Results::tell_place(const std::string& name, std::size_t place, const Span& span) {
    Returned& returned = t_.context_.returns.at(name);
    if (returned.places.size() > 1 && t_.context_.several_places.insert(name).second) throw StartAgain{};
    if (!t_.context_.several_places.contains(name)) return;
    returned.choice = name + "_place";
    tell_number(returned.choice, place, span);
}

void Results::tell_number(const std::string& container, std::size_t number, const Span& span) {
    if (!t_.sdfg_.containers.contains(container)) ir::add_array(t_.sdfg_, container, Scalar::Int64, {1}).metadata.where = span;
    t_.assign({{container, {Expr(0)}, false, Scalar::Int64}, {}, nullptr, {}},
              symbolic_value(Expr(static_cast<std::int64_t>(number)), span), "return");
}

/// `expression`: that of a number, which may say more of its type; or null.
void Results::hand_over(const std::string& name, const Value& value, const ExprPtr& expression, const Span& span) {
    const DType type = value.rank() == 0 && expression ? Numbers(t_).returned_type(name, expression, value) : strong(value.type);
    Target target;
    if (value.rank() > 0) {
        target = Sizes(t_).returned(name, value, span);
    } else {  // A number comes back as an array of one element: a container of rank 0 would be passed by value.
        if (t_.sdfg_.containers.contains(name) && !t_.context_.return_variable.empty()) throw KeepReturnApart{};
        if (!t_.sdfg_.containers.contains(name)) ir::add_array(t_.sdfg_, name, type, {1}).metadata.where = span;
        target = {{name, {Expr(0)}, false, type}, {}, nullptr, {}};
    }
    if (!(t_.sdfg_.containers.at(name).dtype == type))
        refuse("F008", "the returns of this program differ in type or shape", span, "return values of one type and shape");
    t_.assign(target, value, "return");
}

bool Results::is_fresh(const std::string& data) const {
    return data.starts_with("__return") || t_.container(data).transient;
}

/// What an array is a view of, as a view of the whole: seen through its reshaping.
Value Results::base_of(const Value& value) const {
    const Operand* seen = as_view(value);
    const bool other_shape = seen && !seen->whole && t_.view_of_.contains(seen->data) && !t_.has_other_elements(seen->data);
    return other_shape ? t_.seen_through(value) : value;
}

const Operand* Results::viewed(const Value& base) {
    if (base.shape.empty()) return nullptr;
    return as_view(base) ? as_view(base) : as_part(base);
}

Value with_results(const ExprPtr& part, const std::vector<Value>& results, FunctionContext& context) {
    if (const auto* constant = std::get_if<ConstantExpr>(&part->node)) {
        if (const auto* at = std::get_if<std::int64_t>(&constant->value)) return results[static_cast<std::size_t>(*at)];
        return text_of(part) ? text_value(part) : none_value();
    }
    const auto* keyed = std::get_if<DictExpr>(&part->node);
    std::vector<Value> elements;
    for (const ExprPtr& one : keyed ? keyed->values : elements_of(part)) elements.push_back(with_results(one, results, context));
    Value whole = tuple(std::move(elements));
    whole.of_list = std::holds_alternative<ListExpr>(part->node);
    whole.objects = {context.new_object()};
    whole.of_keys = keyed;
    if (keyed)
        for (const ExprPtr& key : keyed->keys) whole.keys.push_back(code::to_string(*key));
    return whole;
}

}  // namespace sluice::frontend
