// Methods that change a list whose length the run decides.
#include "frontend/python/diagnostics.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "frontend/python/sizes.h"
#include "frontend/python/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

void add_leaves(const Value& value, std::vector<Value>& leaves) {
    if (value.kind != Value::Kind::Tuple || value.of_list || value.of_keys) return leaves.push_back(value);
    for (const Value& element : value.elements) add_leaves(element, leaves);
}
Value filled(const Value& form, const std::vector<Value>& leaves, std::size_t& at) {
    if (form.kind != Value::Kind::Tuple) return leaves[at++];
    Value result = form;
    for (Value& element : result.elements) element = filled(element, leaves, at);
    return result;
}

}  // namespace

std::vector<Value> leaves_of(const Value& value) {
    std::vector<Value> leaves;
    add_leaves(value, leaves);
    return leaves;
}

Value form_of(const Value& element) {
    if (element.kind != Value::Kind::Tuple || element.of_list || element.of_keys) return {};
    Value form = tuple({});
    for (const Value& one : element.elements) form.elements.push_back(form_of(one));
    return form;
}
bool same_form(const Value& a, const Value& b) {
    return a.kind == b.kind && std::ranges::equal(a.elements, b.elements, same_form);
}

Value with_leaves(const Value& form, const std::vector<Value>& leaves) {
    std::size_t at = 0;
    return filled(form, leaves, at);
}

Value plain(const Value& list, std::size_t column) {
    Value result = list.kind == Value::Kind::Rows ? list.elements.at(column) : list;
    result.list.clear();
    return result;
}

void Lists::push(const Value& list, const Value& element, const Span& span, std::size_t which) {
    note_resize(list, false, span);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    note_form(list.list, element, span);
    const ListFacts& facts = t_.context_.lists.at(list.list);
    note_append(list.list, {span.line, span.column, t_.inline_prefix_ + std::to_string(which)}, times_of(facts, place.depth));
    if (facts.unbounded) {
        const ExprPtr fits =
            make_compare(ir::to_code(place.first + place.length), CompareOp::Lt, make_integer(ir::kReservedExtent));
        t_.require(fits, "MemoryError: ", span, {"raised", {}});
    }
    store(whole(list.list), place.length, element, span);
    t_.assign_symbols({{place.length.name(), place.length.name() + " + 1"}});
}

Value Lists::pop(const Value& list, bool in_front, const Span& span) {
    note_resize(list, in_front, span);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    const std::string length = place.length.name();
    t_.require(make_compare(make_name(length), CompareOp::Gt, make_integer(0), span), "IndexError: pop from empty list", span,
               {"raised", {}});
    const ListFacts& facts = t_.context_.lists.at(list.list);
    std::vector<Value> leaves;
    for (std::size_t at = 0; at < facts.columns.size(); ++at) {
        const Value row = row_at(plain(list, at), in_front ? Expr(0) : place.length - 1);
        leaves.push_back(row.rank() > 0 ? t_.materialise(row, "popped") : t_.settled(row));
        if (facts.columns[at].is_list) unsupported("pop of a list of lists", span, "use an array");
    }
    t_.assign_symbols({{length, length + " - 1"}});
    if (in_front) t_.assign_symbols({{place.first.name(), place.first.name() + " + 1"}});
    return facts.form ? with_leaves(*facts.form, leaves) : leaves[0];
}

std::optional<Value> Lists::method(const Value& list, const std::string& name, const CallExpr& node, const Span& span) {
    static const std::map<std::string, std::size_t> kKnown{{"append", 1}, {"extend", 1}, {"pop", 1},    {"insert", 2},
                                                           {"clear", 0},  {"sort", 0},   {"reverse", 0}};
    const std::size_t arguments = node.arguments.size();
    if (name == "sort" && !node.keywords.empty()) {
        const Arguments given(
            {"list.sort",
             {{CallParameter::Kind::KeywordOnly, "key", "None"}, {CallParameter::Kind::KeywordOnly, "reverse", "False"}}},
            node, span);
        sort(list, given.given("key"), t_.flag(given, "reverse", false), span);
        return none_value();
    }
    const auto known = kKnown.find(name);
    if (known == kKnown.end() || !node.keywords.empty() || (arguments != known->second && !(name == "pop" && arguments == 0)))
        unsupported("this method of a list whose length the run decides", span,
                    "use append, extend, insert, pop, sort, reverse or clear, or an array");
    if (name == "sort" || name == "reverse") {
        name == "sort" ? sort(list, nullptr, false, span) : arrange(list, false, span);
        return none_value();
    }
    if (name == "append") push(list, t_.evaluate(node.arguments[0]), span, 0);
    if (name == "extend") extend(list, node.arguments[0], span);
    if (name == "clear") {
        note_resize(list, false, span);
        t_.assign_symbols({{t_.lists_.at(list.list).length.name(), "0"}});
    }
    if (name == "insert") insert(list, node.arguments[0], t_.evaluate(node.arguments[1]), span);
    if (name != "pop") return none_value();
    const Value place = arguments == 0 ? integer(-1) : t_.evaluate(node.arguments[0]);
    const auto known_place = t_.as_integer(place);
    const bool last = known_place && known_place->is_integer(-1), front = known_place && known_place->is_integer(0);
    if (last || front) return pop(list, front, span);
    require_known(list, span);
    note_resize(list, false, span);
    const Expr at = position_of(list, place, span);
    Value taken = element_at(list, symbolic_value(at, span), span);
    taken = taken.is_elements() && taken.rank() > 0 ? t_.materialise(taken, "popped") : t_.settled(taken);
    const Expr& length = list.shape[0];
    move(list, at + 1, at, length - at - 1, span);
    t_.assign_symbols({{length.name(), length.name() + " - 1"}});
    return taken;
}

/// `count` elements from one place to another; the two may overlap.
void Lists::move(const Value& list, const Expr& from, const Expr& to, const Expr& count, const Span& span) {
    for (std::size_t at = 0; at < t_.context_.lists.at(list.list).columns.size(); ++at) {
        const auto part = [&](const Expr& begin) {
            Value column = plain(list, at);
            const Expr row = iteration_of(0, column.rank());
            column = substitute(column, {{row.name(), row + begin}});
            column.shape[0] = count;
            return column;
        };
        t_.assign(t_.target_of(part(to), span), t_.materialise(part(from), "moved"), "move");
    }
}

void Lists::insert(const Value& list, const ExprPtr& place, const Value& element, const Span& span) {
    Value kept = element.is_elements() && element.rank() > 0 ? element : t_.settled(element);
    const Expr given = t_.integer_of(place);
    push(list, kept, span, 0);  // Makes room.
    const Expr length = t_.lists_.at(list.list).length - 1;
    const Expr wrapped =
        symbolic::select(symbolic::less(given, 0), symbolic::maximum(0, given + length), symbolic::minimum(given, length));
    const Expr at = t_.integer_of(symbolic_value(wrapped, span), span, "at");
    move(whole(list.list), at, at + 1, length - at, span);
    store(whole(list.list), at, kept, span);
}

void Lists::arrange(const Value& list, bool sorts, const Span& span) {
    require_known(list, span);
    const Value all = plain(list, 0);
    if (list.kind == Value::Kind::Rows || all.rank() != 1)
        unsupported("reverse of a list of tuples or arrays", span, "use xs[::-1]");
    const std::string name = "__arranged" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    t_.bind(name, all);
    const ExprPtr call = std::make_shared<const code::Expr>(code::Expr{
        CallExpr{
            make_attribute(make_name("__numpy", span), sorts ? "_sorted_as_python" : "flip", span), {make_name(name, span)}, {}},
        span});
    const Value result = t_.materialise(t_.evaluate(call), "arranged");
    t_.variables_.erase(name);
    t_.assign(t_.target_of(all, span), result, "arrange");
}

void Lists::extend(const Value& list, const ExprPtr& more, const Span& span) {
    const Value value = t_.evaluate(more);
    if (value.kind == Value::Kind::Tuple && !value.of_keys) {
        for (std::size_t at = 0; at < value.elements.size(); ++at) push(list, value.elements[at], span, at);
        return;
    }
    if (!value.is_elements() || value.rank() == 0)
        unsupported("a list that grows by this value", span, "append its elements in a loop");
    note_resize(list, false, span);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    const Value added = value.list.empty() ? value : plain(value, 0);
    note_form(list.list, added.rank() == 1 ? t_.settled(row_at(added, 0)) : t_.materialise(row_at(added, 0), "row"), span);
    const auto bound = Sizes(t_).most(added.shape[0]);
    const Expr times = times_of(t_.context_.lists.at(list.list), place.depth);
    note_append(list.list, {span.line, span.column, t_.inline_prefix_}, !bound || times.is_integer(-1) ? Expr(-1) : times * *bound);
    Value end = plain(whole(list.list), 0);
    const Expr row = iteration_of(0, end.rank());
    end = substitute(end, {{row.name(), row + place.length}});
    end.shape[0] = added.shape[0];
    t_.assign(t_.target_of(end, span), added, "extend");
    t_.assign_symbols({{place.length.name(), symbolic::to_string(place.length + added.shape[0])}});
}

}  // namespace sluice::frontend
