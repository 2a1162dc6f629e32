// Methods that change a list whose length the run decides.
#include <functional>
#include <set>
#include <string>
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "frontend/python/sizes.h"
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

/// An array or list that comes into the list under its name: it is copied, and Python has it in both places.
void Lists::note_rows(const std::string& id, ListColumn& column, const Value& row, const Span& span) {
    const Operand* view = row.kind == Value::Kind::Tuple ? nullptr : as_view(row);
    if (!view || row.rank() == 0) return;
    const std::string data = t_.root_of(view->data);
    const auto holds = [&](const auto& list) { return std::ranges::find(list.second.data, data) != list.second.data.end(); };
    if (!row.list.empty() && std::ranges::none_of(t_.lists_, holds)) return;  // A copy.
    const CallPlace here{span.line, span.column, t_.inline_prefix_};
    const auto own = t_.lists_.find(row.list);
    const bool is_new =
        own != t_.lists_.end() && t_.written_out_ == 1 && own->second.loop == (t_.frame_ ? t_.frame_->statement : nullptr);
    column.again |= !row.list.empty() && !is_new && !t_.context_.each_once.contains(id);
    std::set<std::string> all{data};
    for (const auto& [other, place] : t_.lists_)
        if (std::ranges::find(place.data, data) != place.data.end())
            for (const ListColumn& of : t_.context_.lists.at(other).columns) {
                for (const auto& [more, where] : of.rows_of) all.insert(more);
                column.again |= of.again;
            }
    for (const std::string& one : all) column.again |= column.rows_of.emplace(one, here).first->second != here && column.is_list;
}

void Lists::require_apart(const std::vector<Value>& together, const Span& span) const {
    std::set<std::string> seen;
    bool twice = false;
    const auto note = [&](const std::string& data) { twice |= !seen.insert(data).second; };
    std::set<std::string> lists;
    for (const Value& value : together) {
        const auto place = t_.lists_.find(value.list);
        if (place == t_.lists_.end()) {
            const Operand* view = value.rank() > 0 ? as_view(value) : nullptr;
            if (view && !value.list.empty()) note(t_.root_of(view->data));  // A row.
            continue;
        }
        if (!lists.insert(value.list).second) continue;
        for (const std::string& data : place->second.data) note(data);
        for (const ListColumn& column : t_.context_.lists.at(value.list).columns) {
            twice |= column.again;
            for (const auto& [data, where] : column.rows_of) {
                note(data);
                for (const auto& [other, of] : t_.lists_)
                    twice |= other.find("__rows") != std::string::npos && std::ranges::find(of.data, data) != of.data.end();
            }
        }
    }
    if (twice)
        refuse("F008", "a list that Python has in two places, or the caller has as well, is returned in a list", span,
               "return copies: list(row)");
}

bool Lists::exchanges(const std::vector<ExprPtr>& targets, const std::vector<ExprPtr>& values) {
    std::multiset<std::string> places, taken;
    for (const ExprPtr& one : targets) places.insert(code::to_string(*one));
    for (const ExprPtr& one : values) taken.insert(code::to_string(*one));
    return places == taken && std::ranges::all_of(targets, [](const ExprPtr& one) { return name_of(one).empty(); });
}

/// Elements of a list, none of which is there twice behind it: copies of them take each other's places.
Value Lists::exchanged(const Value& element) {
    const Operand* view = as_view(element);
    const auto holds = [&](const auto& list) { return std::ranges::count(list.second.data, t_.root_of(view->data)) > 0; };
    if (element.rank() == 0 || !view || (element.list.empty() && std::ranges::none_of(t_.lists_, holds)))
        return t_.settled(element);  // Rows of an array are views, as in NumPy.
    Value copy = t_.materialise(element, "exchanged");
    copy.list = element.list, copy.type.weak = element.type.weak;
    return copy;
}

/// Other elements are where these were: names of arrays and lists among them no longer mean them.
void Lists::forget_elements(const Value& list) {
    t_.forget(list.list + kRows);
}

void Lists::push(const Value& list, const Value& given, const Span& span, std::size_t which) {
    note_resize(list, false, span);
    const Value element = of_known_length(given);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    note_form(list.list, element, span);
    const ListFacts& facts = t_.context_.lists.at(list.list);
    note_append(list.list, {span.line, span.column, t_.inline_prefix_ + std::to_string(which)}, times_of(facts, place.depth));
    if (facts.unbounded) {
        const ExprPtr fits =
            make_compare(ir::to_code(place.first + place.length), CompareOp::Lt, make_integer(ir::kReservedExtent));
        t_.require(fits, "MemoryError", span, {"raised", {}});
    }
    store(whole(list.list), place.length, element, span);
    t_.assign_symbols({{place.length.name(), place.length.name() + " + 1"}});
}

Value Lists::pop(const Value& list, bool in_front, const Span& span, const std::string& empty) {
    note_resize(list, in_front, span);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    const std::string length = place.length.name();
    forget_index(list.list, span);
    t_.require(make_compare(make_name(length), CompareOp::Gt, make_integer(0), span), "IndexError: " + empty, span, {"raised", {}});
    const ListFacts& facts = t_.context_.lists.at(list.list);
    std::vector<Value> leaves;
    for (std::size_t at = 0; at < facts.columns.size(); ++at) {
        const Value row = row_at(plain(list, at), in_front ? Expr(0) : place.length - 1);
        Value leaf = of_column(row.rank() > 0 ? t_.materialise(row, "popped") : row, facts.columns[at]);
        tell(leaf, list, at, in_front ? Expr(0) : place.length - 1);
        leaves.push_back(t_.settled(leaf));
        if (facts.columns[at].is_list) unsupported("pop of a list of lists", span, "use an array");
    }
    t_.assign_symbols({{length, length + " - 1"}});
    forget_elements(list);
    if (in_front) t_.assign_symbols({{place.first.name(), place.first.name() + " + 1"}});
    return facts.form ? with_leaves(*facts.form, leaves) : leaves[0];
}

std::optional<Value> Lists::method(const Value& list, const std::string& name, const CallExpr& node, const Span& span) {
    static const std::map<std::string, std::size_t> kKnown{
        {"append", 1},  {"extend", 1}, {"pop", 1},  {"insert", 2}, {"clear", 0},  {"sort", 0},   {"index", 1},
        {"reverse", 0}, {"count", 1},  {"copy", 0}, {"remove", 1}, {kPopLast, 0}, {kPopFirst, 0}};
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
                    "use append, extend, insert, pop, remove, index, count, sort, reverse, copy or clear, or an array");
    if (name == "sort" || name == "reverse") {
        name == "sort" ? sort(list, nullptr, false, span) : arrange(list, false, span);
        return none_value();
    }
    if (name == kPopFirst || name == kPopLast) return pop(list, name == kPopFirst, span, "pop from an empty deque");
    if (name == "copy") {
        const ExprPtr all = std::make_shared<const code::Expr>(code::Expr{SliceExpr{}, span});
        return part(list, all, span);
    }
    if (name == "count") return of_equal("_count_of", list, t_.evaluate(node.arguments[0]), span);
    if (name == "index" || name == "remove") {
        const Value wanted = t_.evaluate(node.arguments[0]);
        const bool whole = wanted.is_scalar() && wanted.type.weak && code::is_integer(wanted.type.dtype.scalar);
        if (name == "index")
            return place_of(list, wanted, std::string("ValueError: ") + (whole ? "{}" : "the value") + " is not in list", span);
        note_resize(list, false, span);
        const Expr at = t_.integer_of(place_of(list, wanted, "ValueError: list.remove(x): x not in list", span), span, "at");
        const Expr& length = list.shape[0];
        move(list, at + 1, at, length - at - 1, span);
        t_.assign_symbols({{length.name(), length.name() + " - 1"}});
        return none_value();
    }
    if (name == "append") push(list, t_.evaluate(node.arguments[0]), span, 0);
    if (name == "extend") extend(list, node.arguments[0], span);
    if (name == "clear") {
        note_resize(list, false, span);
        forget_index(list.list, span);
        forget_elements(list);
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
    const Expr at = position_of(list, place, span, "pop index out of range");
    Value taken = element_at(list, symbolic_value(at, span), span);
    taken = taken.is_elements() && taken.rank() > 0 ? t_.materialise(taken, "popped") : t_.settled(taken);
    const Expr& length = list.shape[0];
    move(list, at + 1, at, length - at - 1, span);
    t_.assign_symbols({{length.name(), length.name() + " - 1"}});
    return taken;
}

/// `count` elements from one place to another; the two may overlap.
void Lists::move(const Value& list, const Expr& from, const Expr& to, const Expr& count, const Span& span) {
    forget_index(list.list, span);
    forget_elements(list);
    refuse_types(list, span);
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

/// Whether its elements are numbers of Python's, which an array of booleans cannot say.
bool Lists::is_of_python(const Value& list) const {
    const auto facts = t_.context_.lists.find(list.list);
    return list.type.weak || (facts != t_.context_.lists.end() && facts->second.columns.at(0).of_python);
}

/// `xs[a:b] = ys`: what lies behind moves. `xs[a:b:c] = ys`: as many elements.
void Lists::replace(const Value& list, const SliceExpr& slice, const Value& by, const Span& span) {
    require_known(list, span);
    const Expr step = slice.step ? t_.integer_of(slice.step) : Expr(1);
    if (slice.step) require_positive_step(step, list, span);
    if (list.kind == Value::Kind::Rows || by.kind == Value::Kind::Rows)
        unsupported("an assignment to a slice of a list of tuples", span, "append to a new list");
    const bool known = by.kind == Value::Kind::Tuple && !by.of_keys;
    refuse_types(list, span);
    refuse_types(by, span);
    if (!known && (!by.is_elements() || by.rank() == 0)) unsupported("this value for a slice of a list", span, "assign a list");
    if (step.is_integer(1)) note_resize(list, false, span);
    const Expr length = list.shape[0];
    const Expr begin = slice.begin ? slice_bound(slice.begin, length, 0, length) : Expr(0);
    const Expr given_end = slice.end ? slice_bound(slice.end, length, 0, length) : length;
    const Expr end = t_.integer_of(symbolic_value(symbolic::maximum(begin, given_end), span), span, "end");
    const Value added = known ? t_.as_array(by, span) : by.list.empty() ? by : plain(by, 0);
    const bool empty = known && by.elements.empty();
    const Expr count = empty ? Expr(0) : added.shape[0];
    const auto gap_at = [&](const Expr& stride) {
        Value gap = plain(whole(list.list), 0);
        const Expr row = iteration_of(0, gap.rank());
        gap = substitute(gap, {{row.name(), row * stride + begin}});
        gap.shape[0] = count;
        return gap;
    };
    Value copy = empty ? added : t_.materialise(added, "added");
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    if (!empty) {
        copy.type.weak =
            known ? std::ranges::all_of(by.elements, [](const Value& one) { return one.type.weak; }) : is_of_python(by);
        if (copy.rank() != 1 && by.list.empty())  // Those in a list that the run makes have no other names.
            unsupported("an assignment of arrays to a slice of a list", span, "append to a new list");
        note_form(list.list, row_at(copy, 0), span);
    }
    if (slice.step && !step.is_integer(1)) {
        const Expr places = symbolic::floor_divide(end - begin + step - 1, step);
        t_.require(make_compare(ir::to_code(count), CompareOp::Eq, ir::to_code(places), span),
                   "ValueError: attempt to assign sequence of size {} to extended slice of size {}", span,
                   {"raised", {ir::to_code(count), ir::to_code(places)}});
        if (!empty) t_.assign(t_.target_of(gap_at(step), span), copy, "replace");
        return;
    }
    if (!empty) {
        const auto bound = Sizes(t_).most(count);
        const Expr times = times_of(t_.context_.lists.at(list.list), place.depth);
        note_append(list.list, {span.line, span.column, t_.inline_prefix_},
                    !bound || times.is_integer(-1) ? Expr(-1) : times * *bound);
    }
    move(whole(list.list), end, begin + count, length - end, span);
    if (!empty) t_.assign(t_.target_of(gap_at(1), span), copy, "replace");
    t_.assign_symbols({{place.length.name(), symbolic::to_string(length - end + begin + count)}});
}

void Lists::arrange(const Value& list, bool sorts, const Span& span) {
    require_known(list, span);
    forget_index(list.list, span);
    refuse_types(list, span);
    const std::string name = "__arranged" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    CallExpr call{
        make_attribute(make_name("__numpy", span), sorts ? "_sorted_as_python" : "flip", span), {make_name(name, span)}, {}};
    if (!sorts) call.arguments.push_back(make_integer(0, span));
    const std::size_t columns = list.kind == Value::Kind::Rows ? list.elements.size() : 1;
    for (std::size_t column = 0; column < columns; ++column) {
        const Value all = plain(list, column);
        t_.bind(name, all);
        const Value result = t_.materialise(t_.evaluate(make_expression(call, span)), "arranged");
        t_.assign(t_.target_of(all, span), result, "arrange");
    }
    t_.variables_.erase(name);
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
    refuse_types(list, span);
    refuse_types(value, span);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    const Value added = value.list.empty() ? value : plain(value, 0);
    Value first = added.rank() == 1 ? t_.settled(row_at(added, 0)) : t_.materialise(row_at(added, 0), "row");
    first.type.weak = is_of_python(value);
    note_form(list.list, first, span);
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

// ---- loops that change what they go over -----------------------------------------------------------------------------------
namespace {

/// Whether a method is called that may give the list of this name another length.
bool changes_length(const Body& body, const std::string& name) {
    static const std::set<std::string> kResizing{"append", "extend", "pop", "insert", "clear", "remove", kPopFirst, kPopLast};
    bool found = false;
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        found = found || (method && kResizing.contains(method->name) && name_of(method->object) == name);
        for_each_child(*e, look);
    };
    walk_statements(body, [&](const Stmt& statement) {
        for_each_expr(statement, look);
        return !found;
    });
    return found;
}

}  // namespace

/// A list that its loop changes is asked for its length each time:
///     for x in xs: ... xs.append(y) ...   ->   at = 0; while at < len(xs): x = xs[at]; at += 1; ...
bool Lists::translate_over_growing(const Stmt& shared, const ForStmt& loop) {
    const std::string name(name_of(loop.iterable));
    const auto known = t_.variables_.find(name);
    const bool list = known != t_.variables_.end() && (!known->second.value.list.empty() || known->second.value.of_list);
    if (!list || !changes_length(loop.body, name)) return false;
    for (const std::size_t object : std::set<std::size_t>(known->second.value.objects)) leave_to_the_run(object);
    if (known->second.value.list.empty()) return false;
    Body& plain = t_.context_.rewritten[&shared];
    if (plain.empty()) {
        const Span& span = shared.span;
        const ExprPtr at =
            make_name(t_.inline_prefix_ + "__at" + std::to_string(span.line) + "_" + std::to_string(span.column), span);
        t_.context_.bindings[std::string(name_of(at))] = t_.context_.occurrences[std::string(name_of(at))] = 4;
        t_.integer_locals_.emplace(name_of(at));
        Body turn{make_assignment(loop.target, make_subscript(loop.iterable, {at}, span), span),
                  make_assignment(at, make_binary(BinaryOp::Add, at, make_integer(1, span), span), span)};
        turn.insert(turn.end(), loop.body.begin(), loop.body.end());
        const ExprPtr more = make_compare(at, CompareOp::Lt, make_call("len", {loop.iterable}, span), span);
        plain = {make_assignment(at, make_integer(0, span), span),
                 std::make_shared<const Stmt>(Stmt{WhileStmt{more, std::move(turn), {}}, span})};
    }
    t_.translate_from(Body(plain), 0);
    return true;
}

}  // namespace sluice::frontend
