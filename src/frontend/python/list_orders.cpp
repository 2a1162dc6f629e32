// Python's order: sorted, list.sort, min and max with a key. The elements become a list of the program's own, their keys a second
// one:
//     sorted(xs, key=f)   ->   items = [x for x in xs]; keys = [f(x) for x in items]; items in the order of keys, equal ones as
//     they come
// Keys that are tuples are columns, sorted by the last one first: each sort is stable.
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/inlining.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

ComprehensionExpr one_clause(ExprPtr element, const ExprPtr& target, ExprPtr iterable) {
    return {std::move(element), {{target, std::move(iterable), {}}}, true};
}

}  // namespace

/// What the index of a list says is no longer true.
void Lists::forget_index(const std::string& id, const Span& span) {
    const auto facts = t_.context_.lists.find(id);
    if (facts == t_.context_.lists.end() || !facts->second.searched) return;
    Value known = t_.read_container(t_.lists_.at(id).index);
    known = substitute(known, {{iteration_of(0, 1).name(), iteration_of(0, 1) + 1}});
    known.shape[0] = 1;
    t_.assign(t_.target_of(known, span), integer(0), "forget");
}

/// The elements of the iterable as a list that the run knows.
Value Lists::listed(const ExprPtr& given, const Span& span) {
    const ExprPtr iterable = Inlining(t_).without_stars(given);
    const ExprPtr item = make_name("item", span);
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    const std::string function(call && call->keywords.empty() ? name_of(call->function) : std::string_view());
    const bool own = !t_.bindings_.contains(function) && !t_.variables_.contains(function);
    if (own &&
        (function == "zip" || (function == "enumerate" && call->arguments.size() == 1))) {  // Tuples of a name for each part.
        TupleExpr parts;
        const std::size_t count = function == "zip" ? call->arguments.size() : 2;
        for (std::size_t at = 0; at < count; ++at) parts.elements.push_back(make_name("item" + std::to_string(at), span));
        const ExprPtr together = std::make_shared<const code::Expr>(code::Expr{parts, span});
        return comprehension(one_clause(together, together, iterable), span, "__listed");
    }
    return comprehension(one_clause(item, item, iterable), span, "__listed");
}

/// What the elements are ordered by: numbers or tuples of numbers. No key: themselves.
Value Lists::keys_of(const Value& list, const ExprPtr& key, const Span& span) {
    if (!key || is_none(key)) return list;
    const std::string own = t_.inline_prefix_ + "__ordered" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bind(own, list);
    const ExprPtr item = make_name("item", span);
    const ExprPtr of_item = std::make_shared<const code::Expr>(code::Expr{CallExpr{key, {item}, {}}, key->span});
    const Value keys = comprehension(one_clause(of_item, item, make_name(own, span)), span, "__keys");
    t_.variables_.erase(own);
    return keys;
}

/// A function of the prelude's, of the columns of a list and a truth.
Value Lists::of_columns(const std::string& function, const Value& list, bool truth, const Span& span) {
    require_known(list, span);
    const std::string own = t_.inline_prefix_ + "__column" + std::to_string(span.line) + "_" + std::to_string(span.column) + "_";
    TupleExpr columns;
    const std::size_t count = list.kind == Value::Kind::Rows ? list.elements.size() : 1;
    for (std::size_t at = 0; at < count; ++at) {
        const Value column = plain(list, at);
        if (column.rank() != 1 || code::is_complex(column.type.dtype.scalar))
            unsupported("an order of elements that are no numbers or tuples of them", span, "give a key: key=lambda x: x[0]");
        columns.elements.push_back(make_name(own + std::to_string(at), span));
        t_.bind(own + std::to_string(at), column);
    }
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    const ExprPtr all = std::make_shared<const code::Expr>(code::Expr{columns, span});
    const Value result = t_.evaluate(std::make_shared<const code::Expr>(code::Expr{
        CallExpr{make_attribute(make_name("__numpy", span), function, span), {all, make_boolean(truth, span)}, {}}, span}));
    for (std::size_t at = 0; at < count; ++at) t_.variables_.erase(own + std::to_string(at));
    return result;
}

void Lists::sort(const Value& list, const ExprPtr& key, bool backwards, const Span& span) {
    const bool rows = list.kind == Value::Kind::Rows || list.rank() != 1;
    if ((!key || is_none(key)) && !backwards && !rows) return arrange(list, true, span);
    const Value keys = keys_of(list, key, span);
    const std::string own = t_.inline_prefix_ + "__places" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bind(own, t_.materialise(of_columns("_order_as_python", keys, backwards, span), "places"));
    forget_index(list.list, span);
    forget_elements(list);
    refuse_types(list, span);
    const std::size_t count = list.kind == Value::Kind::Rows ? list.elements.size() : 1;
    for (std::size_t at = 0; at < count; ++at) {
        const Value column = plain(list, at);
        const Value moved = t_.materialise(t_.index(column, make_name(own, span), span), "arranged");
        t_.assign(t_.target_of(column, span), moved, "arrange");
    }
    t_.variables_.erase(own);
}

Value Lists::sorted(const ExprPtr& iterable, const ExprPtr& key, bool backwards, const Span& span) {
    const Value list = listed(iterable, span);
    require_known(list, span);
    sort(list, key, backwards, span);
    return list;
}

Value Lists::extreme(const ExprPtr& iterable, const ExprPtr& key, bool largest, const Span& span) {
    const Value list = listed(iterable, span);
    require_known(list, span);
    t_.require(make_compare(ir::to_code(list.shape[0]), CompareOp::Gt, make_integer(0), span),
               std::string("ValueError: ") + (largest ? "max" : "min") + "() iterable argument is empty", span, {"raised", {}});
    const Value place = of_columns("_extreme_as_python", keys_of(list, key, span), largest, span);
    const Expr at = t_.integer_of(place, span, "at");
    Value element = element_at(list, symbolic_value(at, span), span);
    return element.is_scalar() ? t_.settled(element) : element;
}

/// By an index beside the list (operation FindKey).
Value Lists::find(const Value& list, const Value& wanted, bool must, const Span& span) {
    t_.refuse_flat();
    ListFacts& facts = t_.context_.lists.at(list.list);
    if (!facts.form) note_form(list.list, wanted, span);  // What is looked for tells what is kept.
    const std::vector<Value> leaves = leaves_of(wanted);
    const std::size_t count = list.kind == Value::Kind::Rows ? list.elements.size() : 1;
    if (!same_form(*facts.form, form_of(wanted)) || count > 3)
        unsupported("a key of another form than those before it", span, "use keys of one form: numbers, or tuples of two or three");
    if (!std::exchange(facts.searched, true)) throw StartAgain{};
    const std::string_view columns = "abc", keys = "xyz";
    const auto connector = [](char letter) { return std::string("_") + letter; };
    NamedValues operands;
    for (std::size_t k = 0; k < count; ++k) operands.emplace_back(connector(columns[k]), plain(list, k));
    std::vector<ExprPtr> names;  // What the exception says of the key.
    for (std::size_t k = 0; k < count; ++k) {
        const Value& column = operands[k].second;
        if (column.rank() != 1 || !leaves[k].is_scalar())
            unsupported("a key that is no number or tuple of numbers", span, "use numbers");
        const DType own = strong(column.type), other = strong(leaves[k].type);
        const bool adapts =
            (column.type.weak || leaves[k].type.weak) && !(own == DType(Scalar::UInt64)) && !(other == DType(Scalar::UInt64));
        if (code::is_floating(other.scalar) || code::is_complex(other.scalar) || !(own == other || adapts))
            unsupported("a key that is no integer, or of another type than those before it", span, "use integers of one type");
        const Value key = t_.settled(leaves[k]);
        if (must) names.push_back(ir::to_code(t_.integer_of(t_.cast(key, Scalar::Int64, span), span, "key")));
        operands.emplace_back(connector(keys[k]), t_.materialise(key, "key"));
    }
    const Expr elements = symbolic::minimum(4 * list.shape[0] + 16, t_.container(t_.lists_.at(list.list).index).shape[0]);
    Value table = t_.read_container(t_.lists_.at(list.list).index);
    table.shape[0] = elements;
    const Value place = t_.read_container(t_.add_temporary("place", Scalar::Int64, {}));
    operands.emplace_back("_table", table);
    t_.run_operation("FindKey", {}, operands, {{"_table", table}, {"_place", place}}, span);
    const Expr found = t_.integer_of(place, span, "found");
    t_.assumptions_.assume(symbolic::less_equal(0, found));
    t_.behind_checks_.insert(found.name());
    if (must) {
        std::string key = "{}";
        for (std::size_t k = 1; k < count; ++k) key += ", {}";
        t_.require(make_compare(ir::to_code(found), CompareOp::Lt, ir::to_code(list.shape[0]), span),
                   "KeyError: " + (list.kind == Value::Kind::Rows ? "(" + key + ")" : key), span, {"raised", names});
    }
    return symbolic_value(found, span);
}

}  // namespace sluice::frontend
