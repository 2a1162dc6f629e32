// Subscripts: an index is a substitution of iteration symbols, so any value can be indexed without being computed.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/reshape.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bounds.h"
#include "frontend/python/collections.h"
#include "frontend/python/domain.h"
#include "frontend/python/lazy.h"
#include "frontend/python/lists.h"
#include "frontend/python/masks.h"
#include "frontend/python/repeatable.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Truth;

namespace {

bool is_new_axis(const code::Expr& e) {
    const auto* constant = std::get_if<ConstantExpr>(&e.node);
    if (constant) return std::holds_alternative<NoneValue>(constant->value);
    const std::string name = dotted_name(e);
    return name == "newaxis" || name.ends_with(".newaxis");
}

bool is_ellipsis(const code::Expr& e) {
    const auto* constant = std::get_if<ConstantExpr>(&e.node);
    return constant && std::holds_alternative<EllipsisValue>(constant->value);
}

/// The index items with an ellipsis written out and missing dimensions filled up with whole ones.
std::vector<ExprPtr> complete_index(const ExprPtr& index, std::size_t rank, const Span& span) {
    std::vector<ExprPtr> items;
    if (const auto* several = std::get_if<TupleExpr>(&index->node))
        items = several->elements;
    else
        items = {index};
    const auto consuming = static_cast<std::size_t>(
        std::ranges::count_if(items, [](const ExprPtr& item) { return !is_new_axis(*item) && !is_ellipsis(*item); }));
    if (consuming > rank)
        refuse("F004", std::to_string(consuming) + " indices for " + std::to_string(rank) + " dimensions", span,
               "index at most the dimensions that the array has");
    const ExprPtr whole = std::make_shared<const code::Expr>(code::Expr{SliceExpr{}, span});
    std::vector<ExprPtr> result;
    bool expanded = false;
    for (const ExprPtr& item : items) {
        if (!is_ellipsis(*item)) {
            result.push_back(item);
            continue;
        }
        if (expanded) refuse("F004", "an index may hold one ellipsis", span, "remove one");
        expanded = true;
        result.insert(result.end(), rank - consuming, whole);
    }
    if (!expanded) result.insert(result.end(), rank - consuming, whole);
    return result;
}

/// How many elements a slice has, in whichever direction it goes.
Expr length_of(const symbolic::Range& slice, const symbolic::Assumptions& known) {
    if (symbolic::decide(symbolic::less(slice.step, 0), known) != Truth::Unknown) return symbolic::count(slice, known);
    return symbolic::maximum(0, Expr(0) - symbolic::floor_divide(slice.begin - slice.end, slice.step));
}

/// The indexed value has dimensions: some item is a slice.
bool leaves_dimensions(const std::vector<ExprPtr>& items) {
    return std::ranges::any_of(items, [](const ExprPtr& item) { return std::holds_alternative<SliceExpr>(item->node); });
}

}  // namespace

Expr Translator::wrap(const Expr& at, const Expr& size, std::size_t axis, const Span& span) {
    Bounds(*this).refuse_outside(at, size, axis, span);
    if (context_.check_indices || (Bounds(*this).at_once() && !Lazy(*this).surely_inside(at, size)))
        require_inside(at, size, axis, span);
    else
        Bounds(*this).note(at, size, axis, span);
    const Truth negative = symbolic::decide(symbolic::less(at, 0), assumptions_);
    if (negative == Truth::Yes) return at + size;
    if (negative == Truth::No) return at;
    return symbolic::select(symbolic::less(at, 0), at + size, at);
}

namespace {

/// `k:k + 1`: one element where k lies inside, whatever its sign, and none elsewhere (`-1:0`).
bool is_single(const SliceExpr& e) {
    const auto* sum = e.begin && e.end && !e.step ? std::get_if<BinaryExpr>(&e.end->node) : nullptr;
    return sum && sum->op == BinaryOp::Add && code::to_string(*sum->left) == code::to_string(*e.begin) &&
           code::to_string(*sum->right) == "1";
}

}  // namespace

symbolic::Range Translator::slice(const SliceExpr& e, const Expr& size, const Span& span) {
    const Expr step = e.step ? integer_of(e.step) : Expr(1);
    if (step.is_integer(0)) refuse("F010", "the step of a slice is 0", span, "use another number");
    const auto sure = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, assumptions_)); };
    // A negative bound counts from the end; one of unknown sign does so at run time.
    const auto wrapped = [&](const ExprPtr& text) -> std::optional<Expr> {
        if (!text) return std::nullopt;
        const Expr at = integer_of(text);
        const Truth negative = symbolic::decide(symbolic::less(at, 0), assumptions_);
        if (negative == Truth::Unknown) return symbolic::select(symbolic::less(at, 0), at + size, at);
        return negative == Truth::Yes ? at + size : at;
    };
    const std::optional<Expr> first = wrapped(e.begin), last = wrapped(e.end);
    // What leaves the array is cut off, as in NumPy: the range meets [0, size).
    const auto at_least = [&](const Expr& at, const Expr& lowest) {
        if (sure(symbolic::less_equal(lowest, at))) return at;
        return sure(symbolic::less_equal(at, lowest)) ? lowest : symbolic::maximum(at, lowest);
    };
    const auto at_most = [&](const Expr& at, const Expr& highest) {
        if (sure(symbolic::less_equal(at, highest))) return at;
        return sure(symbolic::less_equal(highest, at)) ? highest : symbolic::minimum(at, highest);
    };
    const symbolic::Range up{at_least(first.value_or(0), 0), at_most(last.value_or(size), size), step, 1};
    if (sure(symbolic::less(0, step))) return up;
    const symbolic::Range down{at_most(first.value_or(size - 1), size - 1), at_least(last.value_or(-1), -1), step, 1};
    const Expr descends = symbolic::less(step, 0);
    if (sure(descends)) return down;
    require(make_compare(ir::to_code(step), CompareOp::Ne, make_integer(0), span), "ValueError: slice step cannot be zero", span,
            {"raised", {}});
    const std::string begin = fresh_symbol("begin"), end = fresh_symbol("end");
    assumptions_.assume_any(begin);
    assumptions_.assume_any(end);
    assign_symbols({{begin, symbolic::to_string(symbolic::select(descends, down.begin, up.begin))},
                    {end, symbolic::to_string(symbolic::select(descends, down.end, up.end))}});
    return {symbolic::symbol(begin), symbolic::symbol(end), step, 1};
}

/// An element of `[0, 1/5, 3/10, 1]`: a float, which knows when it is an integer.
Value Translator::number_of_table(const Value& table, const ExprPtr& index, const Span& span) {
    std::vector<Value> codes;
    for (const Value& one : table.elements) codes.push_back(integer(type_code(one.type)));
    Value element = Translator::index(as_array(table, span, DType(Scalar::Float64)), index, span);
    element.type = Type{Scalar::Float64, true};
    add_types_of(element, number(element.code, Type{Scalar::Int64, true}));
    element.which = std::make_shared<const Value>(Translator::index(as_array(tuple(std::move(codes)), span), index, span));
    return element;
}

Value Translator::index_tuple(const Value& base, const ExprPtr& index, const Span& span) {
    if (base.of_keys) {
        const auto element = Collections(*this).at_key(base, index);
        if (!element) refuse("F007", "the dictionary has no such key", span, "use one of its keys");
        return *element;
    }
    if (const auto* part = std::get_if<SliceExpr>(&index->node)) {
        const symbolic::Range taken = slice(*part, Expr(static_cast<std::int64_t>(base.elements.size())), span);
        if (!taken.begin.is_integer() || !taken.end.is_integer())
            refuse("F010", "a tuple is sliced by constants", span, "use numbers");
        std::vector<Value> elements;
        const std::int64_t step = taken.step.integer(), end = taken.end.integer();
        for (std::int64_t at = taken.begin.integer(); step > 0 ? at < end : at > end; at += step)
            elements.push_back(base.elements[static_cast<std::size_t>(at)]);
        Value part_of = tuple(std::move(elements));
        part_of.of_list = base.of_list;
        part_of.objects = {context_.new_object()};
        return part_of;
    }
    const Value place = evaluate(index);
    const auto at = as_integer(place);
    const auto size = static_cast<std::int64_t>(base.elements.size());
    const auto is_number = [&](const Value& one) { return one.is_scalar() && one.type == base.elements[0].type; };
    if (place.is_scalar() && !(at && at->is_integer()) && size > 0 && std::ranges::all_of(base.elements, is_number)) {
        Value element = Translator::index(as_array(base, span), index, span);
        element.type.weak = base.elements[0].type.weak;
        return element;
    }
    const auto is_known_number = [&](const Value& one) {  // Of Python's, and exact as a float.
        constexpr std::int64_t kLargestOfFloat = std::int64_t{1} << 53;
        const auto known = one.is_scalar() && one.operands.empty() ? as_integer(one) : std::nullopt;
        if (!known || !known->is_integer()) return one.is_scalar() && one.type == Type{Scalar::Float64, true};
        return one.type == Type{Scalar::Int64, true} && std::abs(known->integer()) <= kLargestOfFloat;
    };
    if (place.is_scalar() && !(at && at->is_integer()) && size > 0 && std::ranges::all_of(base.elements, is_known_number) &&
        is_pure(index))
        return number_of_table(base, index, span);
    const auto is_like_first = [&](const Value& one) {
        return one.kind == Value::Kind::Tuple && !one.of_list && !one.of_keys &&
               one.elements.size() == base.elements[0].elements.size();
    };
    if (place.is_scalar() && !(at && at->is_integer()) && size > 0 && std::ranges::all_of(base.elements, is_like_first) &&
        is_pure(index)) {  // Each part of what is found is found by itself.
        std::vector<Value> parts;
        for (std::size_t part = 0; part < base.elements[0].elements.size(); ++part) {
            std::vector<Value> column;
            for (const Value& one : base.elements) column.push_back(one.elements[part]);
            parts.push_back(index_tuple(tuple(std::move(column)), index, span));
        }
        return tuple(std::move(parts));
    }
    if (!at || !at->is_integer()) refuse("F010", "a tuple is indexed by constants", span, "use a number");
    const std::int64_t position = at->integer() < 0 ? at->integer() + size : at->integer();
    if (position < 0 || position >= size)
        refuse("F007", "the tuple has " + std::to_string(size) + " elements", span, "use a smaller index");
    return base.elements[static_cast<std::size_t>(position)];
}

/// `a[i][k]` of tuples or lists of one length, whose numbers have one type, where only the run knows i.
std::optional<Value> Translator::element_of_rows(const SubscriptExpr& n, const Span& span) {
    const auto* row = std::get_if<SubscriptExpr>(&n.object->node);
    const auto known = row ? variables_.find(std::string(name_of(row->object))) : variables_.end();
    const auto is_number = [](const ExprPtr& e) {
        return !std::holds_alternative<SliceExpr>(e->node) && !std::holds_alternative<TupleExpr>(e->node);
    };
    if (known == variables_.end() || !is_number(row->index) || !is_number(n.index)) return std::nullopt;
    const Value& base = known->second.value;
    const auto rows = [](const Value& one) { return one.kind == Value::Kind::Tuple && !one.of_keys && !one.elements.empty(); };
    if (!rows(base) || !rows(base.elements[0])) return std::nullopt;
    const Value first = base.elements[0].elements[0];
    const bool even = std::ranges::all_of(base.elements, [&](const Value& one) {
        return rows(one) && one.elements.size() == base.elements[0].elements.size() &&
               std::ranges::all_of(one.elements, [&](const Value& each) { return each.is_scalar() && each.type == first.type; });
    });
    if (!even || known_integer(row->index)) return std::nullopt;
    const ExprPtr both = std::make_shared<const code::Expr>(code::Expr{TupleExpr{{row->index, n.index}}, span});
    Value element = index(as_array(base, span), both, span);
    element.type.weak = first.type.weak;
    return element;
}

/// An index that is no slice: integers, of any rank.
Value Translator::index_value(const ExprPtr& item) {
    const Restored counts(counts_, true);
    const Value given = evaluate(item);
    Value position = given.list.empty() ? as_array(given, item->span) : Lists(*this).indices(given, item->span);
    if (position.kind == Value::Kind::Tuple || !position.is_elements())
        unsupported("an index of this kind", item->span, "index by integers, slices and integer arrays");
    if (position.type.dtype == DType(Scalar::Bool))
        unsupported("a truth value as an index", item->span, "use an array of them, or an if");
    if (!code::is_integer(position.type.dtype.scalar))
        refuse("F010", "an index must be an integer", item->span, "convert it: int(...)");
    return position;
}

/// An index that is a tuple by its value: `A[np.ix_(i, j)]`, `A[place]`; and `A[:, k]` where k means None.
ExprPtr Translator::written_out(const ExprPtr& index) {
    const auto means_none = [&](const ExprPtr& item) {
        const auto found = variables_.find(std::string(name_of(item)));
        return found != variables_.end() && found->second.value.kind == Value::Kind::None;
    };
    const ExprPtr none = make_expression(ConstantExpr{NoneValue{}}, index->span);
    if (means_none(index)) return none;
    if (const auto* several = std::get_if<TupleExpr>(&index->node); several && std::ranges::any_of(several->elements, means_none)) {
        TupleExpr items = *several;
        for (ExprPtr& item : items.elements)
            if (means_none(item)) item = none;
        return make_expression(std::move(items), index->span);
    }
    const auto known = variables_.find(std::string(name_of(index)));
    const bool names = known != variables_.end() && known->second.value.kind == Value::Kind::Tuple;
    if (!names && !std::holds_alternative<CallExpr>(index->node)) return index;
    const Value value = evaluate(index);
    const std::string own = "__index" + std::to_string(index->span.line) + "_" + std::to_string(index->span.column) + "_";
    const auto named = [&](const Value& one, std::size_t at) {
        const std::string name = prelude_prefix_ + own + std::to_string(at);
        bind(name, one);
        return make_name(name, index->span);
    };
    if (value.kind != Value::Kind::Tuple || value.of_list) return named(value, 0);  // A list is an array of indices.
    std::vector<ExprPtr> items;
    for (std::size_t at = 0; at < value.elements.size(); ++at) items.push_back(named(value.elements[at], at));
    return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(items)}, index->span});
}

Value Translator::index(const Value& base, const ExprPtr& given, const Span& span) {
    if (base.kind == Value::Kind::Tuple) return index_tuple(base, given, span);
    Domain(*this).require_value(base, "TypeError: 'NoneType' object is not subscriptable", span);
    if (!base.list.empty()) return Lists(*this).element(base, given, span);
    if (base.kind == Value::Kind::Text) return Texts(*this).character(base, given, span);
    if (!base.is_elements()) unsupported("a subscript of this value", span, "index arrays");
    const ExprPtr written = written_out(given);
    if (auto masked = Masks(*this).read(base, written, span)) return *masked;
    const std::vector<ExprPtr> items = complete_index(written, base.rank(), span);
    struct Kept {
        std::optional<std::size_t> dim;  ///< Of the base; none: a dimension of size 1.
        Expr size, begin, step;
    };
    std::vector<Kept> kept;
    symbolic::Substitution fixed;
    std::map<std::string, ExprPtr> computed;
    std::map<std::string, Operand> computed_operands;
    std::size_t dim = 0;
    for (std::size_t at = 0; at < items.size(); ++at) {
        const ExprPtr& item = items[at];
        if (is_new_axis(*item)) {
            kept.push_back({std::nullopt, 1, 0, 1});
            continue;
        }
        const Expr& size = base.shape[dim];
        const std::string name = iteration_name(base.rank() - 1 - dim);
        if (const auto* range = std::get_if<SliceExpr>(&item->node)) {
            const symbolic::Range taken = slice(*range, size, item->span);
            const Expr count = length_of(taken, assumptions_);
            if (is_single(*range)) assumptions_.assume(symbolic::less_equal(count, 1));
            if (context_.as_dace && count.is_integer(1)) {
                fixed.emplace(name, taken.begin);
                ++dim;
                continue;
            }
            kept.push_back({dim, count, taken.begin, taken.step});
        } else {
            const Value position = index_value(item);
            if (position.rank() > 0) return gather_items(base, items, span);
            const auto known = as_integer(position);
            const bool placed =
                known && !(flat_ && leaves_dimensions(items)) && Bounds(*this).only_in_place(*known, size, item->span);
            if (known && (Lazy(*this).reads_at_choice(*known, size) || (placed && !leaves_dimensions(items)))) {
                computed.emplace(name, Bounds(*this).place_of(position, size, dim, item->span));
            } else if (known && !placed) {
                fixed.emplace(name, wrap(*known, size, dim, item->span));
            } else if (leaves_dimensions(items) || context_.check_indices || Bounds(*this).at_once()) {
                // A view, wherever it begins.
                const Expr begin = Bounds(*this).symbol_of_place(position, size, dim, item->span);
                if (Lazy(*this).reads_at_choice(begin, size))
                    computed.emplace(name, Bounds(*this).place_of(symbolic_value(begin, item->span), size, dim, item->span));
                else
                    fixed.emplace(name, wrap(begin, size, dim, item->span));
            } else {
                Bounds(*this).note(position, size, dim, item->span);
                computed.emplace(name, Bounds(*this).place_of(position, size, dim, item->span));
                computed_operands.insert(position.operands.begin(), position.operands.end());
            }
        }
        ++dim;
    }
    std::vector<Expr> shape;
    for (std::size_t at = 0; at < kept.size(); ++at) {
        shape.push_back(kept[at].size);
        if (!kept[at].dim) continue;
        const Expr moved = kept[at].begin + kept[at].step * iteration_of(at, kept.size());
        fixed.emplace(iteration_name(base.rank() - 1 - *kept[at].dim), moved);
    }
    Value result = substitute_dynamic(base, fixed, computed, computed_operands);
    result.shape = std::move(shape);
    return result;
}

/// Integer arrays among slices: what the slices select, gathered along the other dimensions. As in NumPy, integers count as arrays
/// of indices beside others, all of them broadcast; their dimensions stand where the first one stands, or in front if a slice or
/// None lies between two.
Value Translator::gather_items(const Value& base, std::vector<ExprPtr> items, const Span& span) {
    std::map<std::size_t, Value> indices;  // By the dimension of what the slices leave.
    std::size_t dim = 0, place = 0, others = 0;
    bool together = true, ended = false;
    for (ExprPtr& item : items) {
        if (is_new_axis(*item) || std::holds_alternative<SliceExpr>(item->node)) {
            ended = !indices.empty();
            ++others;
            ++dim;
            continue;
        }
        if (indices.empty()) place = others;
        together = together && !ended;
        indices.emplace(dim++, index_value(item));
        item = std::make_shared<const code::Expr>(code::Expr{SliceExpr{}, item->span});
    }
    const ExprPtr rest = std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(items)}, span});
    const Value along = index(base, rest, span);
    for (auto& [at, position] : indices) {
        if (context_.check_indices || Bounds(*this).at_once()) require_inside(position, along.shape[at], at, span);
        position = Bounds(*this).placed(position, along.shape[at], at, span);
    }
    return gather(along, indices, together ? place : 0, span);
}

// ---- places -------------------------------------------------------------------------------------------------------------

Target Translator::target_of(const ExprPtr& e) {
    return target_of(place_of(e), e->span);
}

/// The elements that an assignment to `e` writes.
Value Translator::place_of(const ExprPtr& e) {
    const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
    if (!subscript) {
        if (name_of(e).empty())
            unsupported("an assignment to this kind of target", e->span, "assign to a name, an element or a slice");
        return evaluate(e);
    }
    Value base = evaluate(subscript->object);
    if (base.kind == Value::Kind::Tuple)
        unsupported(
            "an assignment to an element of a list or dictionary that is used as a whole, or by an index that is no constant",
            e->span, "use an array, or assign each element to a name");
    Lists::refuse_as_array(base, e->span);
    Reshape(*this).settle(base, e->span);
    if (base.copied) {  // What is written is lost, as in Python.
        const Value copy = read_container(add_temporary("copy", strong(base.type), base.shape));
        assign(target_of(copy, e->span), base, "copy");
        return index(copy, subscript->index, e->span);
    }
    // s[0] = ... and s[:] = ... on a number: itself.
    if (base.is_elements() && base.rank() == 0) return base;
    return index(base, subscript->index, e->span);
}

symbolic::Subset Translator::subset_text(const std::vector<Expr>& shape, const ExprPtr& index, const Span& span) {
    symbolic::Subset subset;
    const std::vector<ExprPtr> items = complete_index(index, shape.size(), span);
    const auto ascending = [&](const symbolic::Range& range, const Span& where) {  // What a memlet names has one direction.
        if (symbolic::decide(symbolic::less(range.step, 0), assumptions_) == Truth::Unknown)
            require_positive(range.step, "the step of a slice, whose sign only the run knows, is not positive", where);
        return range;
    };
    for (std::size_t dim = 0; dim < items.size(); ++dim) {
        if (const auto* range = std::get_if<SliceExpr>(&items[dim]->node))
            subset.dims.push_back(ascending(slice(*range, shape[dim], items[dim]->span), items[dim]->span));
        else
            subset.dims.push_back(symbolic::Range::index(wrap(integer_of(items[dim]), shape[dim], dim, items[dim]->span)));
    }
    return subset;
}
}  // namespace sluice::frontend
