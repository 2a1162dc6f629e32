// Each number and each array of what is returned becomes a container `__return...`, which the caller allocates. What Python's
// caller could tell from a copy is told beside it: where an array is a view of an argument, or of another result,
//     b = a * 2; return b, b[1:]   ->   __return_0 = a * 2; __return_1 = __return_0[1:], a view of __return_0
// the caller takes that view instead of the copy. Several parts of one array bring that array with them, as a result that the
// structure does not name.
#include "frontend/python/results.h"

#include <algorithm>
#include <optional>

#include "frontend/python/collections.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"
#include "frontend/python/program_build.h"
#include "frontend/python/single_exit.h"
#include "frontend/python/sizes.h"
#include "frontend/python/syntax.h"
#include "ir/builder.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// What python/sluice/program.py takes for the value None, which compiled code cannot hand over.
constexpr const char* kReturnsNone = "this call returns None";
constexpr const char* kHoldsNone = "one of the returned values is None on this path";

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
        if (t_.context_.callers.size() > 1 && !t_.context_.calls_raise_for_none)
            refuse("F011", t_.context_.function->name + " returns None on one path and a value on another", span,
                   "return a value on every path");
        t_.translate(raise_for_none(span, several ? kHoldsNone : kReturnsNone));
    };
    if (!value) return return_none();
    Value whole = several ? Collections(t_).elements(elements_of(value)) : t_.evaluate(value);
    if (whole.kind == Value::Kind::None) return return_none();
    if (std::holds_alternative<ListExpr>(value->node)) whole.of_list = true;
    Structure structure = structure_of(whole);
    const auto expressions = elements_of(value);
    const bool flat = !structure.holds_none && structure.values.size() == std::max<std::size_t>(whole.elements.size(), 1);
    // None beside values is returned where every path has it; where others have a value, that path raises.
    if (structure.holds_none && t_.context_.none_raises) return return_none();
    settle_structure(structure, span);
    const std::map<std::string, std::string> wholes = whole_arrays(structure);
    for (std::size_t at = 0; at < structure.values.size(); ++at) {
        const std::string name = structure.name(at);
        const Value& one = structure.values[at];
        Lists::refuse_as_array(one, span);
        if (!one.is_elements()) unsupported("a return value of this kind", span, "return arrays and numbers");
        const auto known = t_.context_.returns.find(name);
        if (known != t_.context_.returns.end() && known->second.number.has_value() != one.shape.empty())
            refuse("F008", "the returns of this program differ in type or shape", span, "return values of one type and shape");
        Returned& returned = t_.context_.returns[name];
        returned.structure = structure.text;
        if (one.shape.empty() && returned.number != NumberKind::NumPy)
            returned.number = one.type.weak ? NumberKind::Python : NumberKind::NumPy;
        const Value base = base_of(one);
        std::optional<Operand> view;
        if (const Operand* of = viewed(base)) {
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
    add(value, structure);
    return structure;
}

void Results::add(const Value& value, Structure& structure) const {
    if (value.kind == Value::Kind::Tuple) {
        structure.text += value.of_list ? "[" : value.keys.empty() ? "(" : "{";
        for (std::size_t at = 0; at < value.elements.size(); ++at) {
            if (!value.keys.empty()) structure.text += value.keys[at] + ": ";
            add(value.elements[at], structure);
            structure.text += ", ";
        }
        structure.text += value.of_list ? "]" : value.keys.empty() ? ")" : "}";
    } else if (value.kind == Value::Kind::None) {
        structure.holds_none = true;
        structure.text += "None";
    } else {
        structure.text += std::to_string(structure.values.size());
        structure.values.push_back(value);
    }
}

/// All returns of a program have one structure.
void Results::settle_structure(const Structure& structure, const Span& span) {
    FunctionContext& context = t_.context_;
    const bool differs = context.returned_structure.value_or(structure.text) != structure.text;
    if (differs && !context.none_raises && (structure.holds_none || context.returned_none)) {
        context.none_raises = true;
        throw StartAgain{};
    }
    if (differs)
        refuse("F008", "the returns of this program differ in number or in their keys", span,
               "return as many values in every case, or keep what differs in a function of its own");
    context.returned_structure = structure.text;
    context.returned_none = structure.holds_none;
    if (structure.values.empty()) unsupported("an empty tuple or list as result", span, "return arrays and numbers");
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
            wholes.emplace(view->data, structure.name(at));
    }
    for (const auto& [data, count] : parts)
        if (count > 1 && !wholes.contains(data)) {
            wholes.emplace(data, structure.name(structure.values.size()));
            structure.values.push_back(t_.read_container(data));
        }
    return wholes;
}

/// Where a returned array may lie in one place or another, the caller is told in which.
void Results::tell_place(const std::string& name, std::size_t place, const Span& span) {
    Returned& returned = t_.context_.returns.at(name);
    if (returned.places.size() > 1 && t_.context_.several_places.insert(name).second) throw StartAgain{};
    if (!t_.context_.several_places.contains(name)) return;
    returned.choice = name + "_place";
    if (!t_.sdfg_.containers.contains(returned.choice))
        ir::add_array(t_.sdfg_, returned.choice, Scalar::Int64, {1}).metadata.where = span;
    t_.assign({{returned.choice, {Expr(0)}, false, Scalar::Int64}, {}, nullptr, {}},
              symbolic_value(Expr(static_cast<std::int64_t>(place)), span), "return");
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
    return seen && !seen->whole && t_.view_of_.contains(seen->data) ? t_.seen_through(value) : value;
}

const Operand* Results::viewed(const Value& base) {
    if (base.shape.empty()) return nullptr;
    return as_view(base) ? as_view(base) : as_part(base);
}

}  // namespace sluice::frontend
