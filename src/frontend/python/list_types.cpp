// Types of the elements of lists. Numbers of several types lie in one container, of the type that all of them have with each other.
// Once the program shows one of them to its caller, a second container holds the type_code of each: what is computed of an element
// computes its type_code as well (Value::which).
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"
#include "frontend/python/overflow.h"
#include "frontend/python/sizes.h"
#include "frontend/python/tables.h"
#include "frontend/python/types_by_path.h"

namespace sluice::frontend {

using namespace code;

Value of_column(Value element, const ListColumn& column) {
    const auto of_python = [](const Type& type) { return type.weak; };
    const auto real = [](const Type& type) { return type.dtype == DType(Scalar::Float64); };
    if (std::ranges::all_of(column.types, real)) return element;  // NumPy's is a float of Python's as well.
    if (element.rank() > 0 || column.types.size() < 2) return element;
    const bool one_kind = std::ranges::none_of(column.types, of_python) || std::ranges::all_of(column.types, of_python);
    if (one_kind && !column.tells_types) return element;
    for (const Type& type : column.types) add_types_of(element, number(element.code, type));
    return element;
}

namespace {

/// Whether the numbers in a list of lists are of one type, which each keeps in an array.
bool has_one_type(const Value& whole) {
    std::vector<Type> types;
    const std::function<void(const Value&)> add = [&](const Value& one) {
        if (one.kind == Value::Kind::Tuple) return std::ranges::for_each(one.elements, add), void();
        types.push_back(one.type);
        types.insert(types.end(), one.other_types.begin(), one.other_types.end());
    };
    add(whole);
    return std::ranges::adjacent_find(types, std::not_equal_to<>()) == types.end();
}

}  // namespace

/// Whether a name means the list, too, by which it may change, or Python may have it in another place.
bool Lists::is_kept_by_name(const Value& list) const {
    std::set<std::string> names;
    for (const auto& [name, variable] : t_.variables_)
        if (variable.value.objects == list.objects) names.insert(name);
    if (names.empty()) return false;
    const Body& all = t_.context_.function->body;
    const bool once = names.size() == 1 && t_.inline_prefix_.empty() && times_handed_on(all, *names.begin()) == 1;
    return !once || changes_list(all, *names.begin());
}

void Lists::note_type(ListColumn& column, const Value& given, bool first, const Span& span) {
    const bool is_list = given.of_list || !given.list.empty();
    if (given.of_list && is_kept_by_name(given)) unsupported("a list of lists that have names", span, "append a copy: list(x)");
    if (given.of_list && !has_one_type(given))
        refuse("F008", "a list whose elements differ in type", span, "append values of one type");
    const Value element = given.of_list && !given.elements.empty() ? t_.as_array(given, span) : given;
    if (!element.is_elements())
        unsupported("a list of this value", span, "append numbers, tuples of numbers, or arrays of one shape");
    if (const Operand* view = as_view(element); view && element.rank() > 0 && !given.of_list) {
        std::set<std::string> names;
        for (const auto& [name, variable] : t_.variables_)
            if (t_.refers_to(variable.value, view->data) && name.find(kOfTableStatement) == std::string::npos) names.insert(name);
        const bool named = !names.empty() && may_change_in_place(names, span);
        column.holds_given |= !t_.container(t_.root_of(view->data)).transient;
        if (named && !t_.context_.read_at_once.contains({span.line, span.column, t_.inline_prefix_}))
            unsupported("a list of arrays that have names and change", span, "append a copy: x.copy()");
    }
    const bool of_python =
        given.of_list ? std::ranges::all_of(given.elements, [](const Value& one) { return one.type.weak; }) : element.type.weak;
    const DType own = strong(element.type);
    const Type type{own, of_python && !(own == DType(Scalar::Bool))};
    for (const Expr& extent : element.shape)
        for (const std::string& symbol : symbolic::free_symbols(extent))
            if (t_.defined_symbols_.contains(symbol)) {
                if (t_.context_.callers.size() == 1) Sizes(t_).take_parameters_as_symbols();
                refuse("F010", "a list of arrays whose size only the run knows", span, "append numbers, or arrays of one shape");
            }
    if (first) {
        column.type = type, column.row = element.shape, column.is_list = is_list, column.of_python = of_python;
        column.noted = true, column.mixed = false, column.types.clear();
    }
    if (!std::exchange(column.noted, true)) column.of_python = of_python, column.mixed = false;
    std::vector<Type> types = element.other_types;
    types.push_back({own, of_python});
    if (const auto row = t_.context_.lists.find(given.list); row != t_.context_.lists.end() && row->second.columns.size() == 1) {
        const ListColumn& of_row = row->second.columns[0];
        types.insert(types.end(), of_row.types.begin(), of_row.types.end());
        column.mixed |= of_row.mixed;
    }
    bool news = false;
    for (const Type& one : types)
        if (std::ranges::find(column.types, one) == column.types.end()) column.types.push_back(one), news = true;
    if (news && column.types.size() > 1) throw StartAgain{};  // Elements that were read have these types, too.
    // A number of Python's counts as NumPy's beside those, as where paths meet.
    const Type joint = code::promote(column.type, type);
    column.mixed |= !(column.type.dtype == own) || column.of_python != of_python || !element.other_types.empty();
    column.open |= Numbers(t_).is_open(element) ||
                   (of_python && column.of_python && code::is_integer(column.type.dtype.scalar) != code::is_integer(own.scalar));
    const auto has = [&](Scalar scalar) { return std::ranges::find(column.types, Type{scalar, true}) != column.types.end(); };
    column.open |= has(Scalar::Int64) && has(Scalar::Float64);
    column.mixed |= column.open;
    column.of_python &= of_python;
    static const std::set<Scalar> kWide{Scalar::Int64, Scalar::Float64, Scalar::Complex128};
    if (!(column.type == type) && (column.type.weak || type.weak) && kWide.contains(joint.dtype.scalar)) {
        if (!(column.type == joint)) {
            column.type = joint;
            throw StartAgain{};
        }
    } else if (!(column.type == type)) {
        refuse("F008", "a list whose elements differ in type", span, "append values of one type");
    }
    if (column.row != element.shape || column.is_list != is_list)
        refuse("F008", "a list whose elements differ in shape", span, "append values of one shape");
}

bool Lists::tell_types(const std::string& id, std::size_t column) {
    const auto facts = t_.context_.lists.find(id);
    if (facts == t_.context_.lists.end()) return false;
    ListColumn& known = facts->second.columns.at(column);
    const auto is_wide = [](const Type& type) {
        return type.dtype == DType(Scalar::Int64) || type.dtype == DType(Scalar::Float64);
    };
    if (!known.row.empty() || !std::ranges::all_of(known.types, is_wide)) return false;
    if (std::exchange(known.tells_types, true)) return false;
    t_.context_.open_numbers.clear();  // Those of other lists are found again.
    return true;
}

/// The type_codes of the elements.
Value Lists::types_of(const Value& list, std::size_t column) {
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    Value types = t_.read_container(place.types.at(column));
    const Expr row = iteration_of(0, 1);
    if (t_.context_.lists.at(list.list).shortened_in_front) types = substitute(types, {{row.name(), row + place.first}});
    types.shape[0] = place.length;
    return types;
}

bool Lists::tell_open_types() {
    bool more = false;
    for (auto& [id, facts] : t_.context_.lists)
        for (std::size_t at = 0; at < facts.columns.size(); ++at)
            if (facts.columns[at].open) more |= tell_types(id, at);
    return more;
}

/// What an element's type is to Python, and what decides it.
void Lists::tell(Value& element, const Value& list, std::size_t column, const Expr& position) {
    if (element.other_types.empty()) return;
    element.type_sources.insert({.column = static_cast<std::uint32_t>(column), .name = list.list, .list = true});
    if (t_.context_.lists.at(list.list).columns[column].tells_types)
        element.which = std::make_shared<const Value>(row_at(types_of(list, column), position));
}

void Lists::add_types(Value& number, const Value& list) const {
    const auto facts = t_.context_.lists.find(list.list);
    if (facts == t_.context_.lists.end() || facts->second.columns.size() > 1) return;
    const std::vector<Type>& types = facts->second.columns[0].types;
    const auto is_weak = [](const Type& type) { return type.weak; };
    if (std::ranges::all_of(types, is_weak) || std::ranges::none_of(types, is_weak)) return;  // open_types.cpp
    for (const Type& type : types) add_types_of(number, frontend::number(number.code, type));
    number.type_sources.insert({.name = list.list, .list = true});
}

void Lists::tell_sum(Value& sum, const Value& list, const Span& span) {
    const auto types = element_type_codes(list);
    if (!types) return add_types(sum, list);
    Value which = integer(0);
    for (const std::int64_t bit : {1, 2}) {  // It begins with an integer of Python's.
        const Value has = t_.combine({*types}, span, [&](const auto& c) {
            return make_compare(make_binary(BinaryOp::BitAnd, c[0], make_integer(bit), span), CompareOp::Ne, make_integer(0), span);
        });
        const Reduction all{.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = {}};
        which = t_.combine({which, t_.cast(t_.reduce(has, "any", all, span), Scalar::Int64, span)}, span, [&](const auto& c) {
            return make_binary(BinaryOp::BitOr, c[0], make_binary(BinaryOp::Mul, c[1], make_integer(bit), span), span);
        });
    }
    sum = t_.settled(sum);
    for (const Scalar scalar : {Scalar::Int64, Scalar::Float64})  // Those that it may have: the others are none of its codes.
        for (const bool weak : {true, false}) add_types_of(sum, number(sum.code, {scalar, weak}));
    sum.which = std::make_shared<const Value>(std::move(which));
}

void Lists::tell_sum_of_none(Value& sum, const Expr& length, const Span& span) {
    const Type zero{Scalar::Int64, true};
    if (!(sum.type.dtype == DType(Scalar::Float64)) || !sum.other_types.empty() ||
        symbolic::is_yes(symbolic::decide(symbolic::less(0, length), t_.assumptions_)))
        return;
    const auto summed = sum.summed;
    sum = t_.settled(sum);
    sum.summed = summed;
    const std::int64_t code = type_code(sum.type);
    add_types_of(sum, number(sum.code, zero));
    sum.which = std::make_shared<const Value>(t_.combine({symbolic_value(length, span)}, span, [&](const auto& c) {
        return make_binary(BinaryOp::Mul, make_integer(code), make_compare(c[0], CompareOp::Gt, make_integer(0), span), span);
    }));
}

/// `place`: of the type_code of the element.
void Lists::store_type(const Value& place, const Value& element, const ListColumn& column, const Span& span) {
    if (!element.which) TypesByPath(t_).ask(element, span);
    if (code::is_floating(column.type.dtype.scalar)) Overflow(t_).require_exact(element, span);
    t_.assign(t_.target_of(place, span), element.which ? *element.which : integer(type_code(element.type)), "type");
}

void Lists::refuse_types(const Value& list, const Span& span) const {
    const auto facts = t_.context_.lists.find(list.list);
    if (facts != t_.context_.lists.end() && std::ranges::any_of(facts->second.columns, &ListColumn::tells_types))
        unsupported("this change of a list whose elements differ in type", span, "keep numbers of one type: int(x), float(x)");
}

std::optional<Value> Lists::element_type_codes(const Value& list, std::size_t column) {
    const auto place = t_.lists_.find(list.list);
    if (place == t_.lists_.end() || place->second.types.at(column).empty()) return std::nullopt;
    return types_of(list, column);
}

}  // namespace sluice::frontend
