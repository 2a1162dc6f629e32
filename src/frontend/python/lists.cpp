// Lists that grow while the program runs are the beginning of a container, as long as a symbol says:
//     xs = []                             xs_length = 0; xs_list: float64[N]
//     for i in range(N):            ->    for i in range(N):
//         if a[i] > 0: xs.append(a[i])        if a[i] > 0: xs_list[xs_length] = a[i]; xs_length += 1
//     np.array(xs)                        xs_list[0:xs_length]
// A list of tuples has a container for each column. The types of the elements, and how many there are at most, follow from the
// calls of append and the loops around them; the translation starts again once it has seen them. Where nobody can tell how many, as
// in `while`, addresses are reserved for more than any program has. What is mutable in an element is copied, so that it must be new
// where it is appended.
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/collections.h"
#include "frontend/python/in_place.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/overflow.h"
#include "frontend/python/recursion.h"
#include "frontend/python/sizes.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

ExprPtr root_of(ExprPtr e) {
    while (std::holds_alternative<SubscriptExpr>(e->node)) e = std::get<SubscriptExpr>(e->node).object;
    return e;
}

}  // namespace

bool changes_list(const Body& body, const std::string& name) {
    static const std::set<std::string> kChanging{"append", "extend", "pop",     "insert", "clear",   "sort",
                                                 "index",  "count",  "reverse", "remove", kPopFirst, kPopLast};
    static const std::set<std::string> kOfHeaps{"heappush", "heappop", "heapify", "heapreplace", "heappushpop"};
    bool found = false;
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        found = found || (method && kChanging.contains(method->name) && name_of(root_of(method->object)) == name);
        const std::string function(method ? std::string_view(method->name) : call ? name_of(call->function) : std::string_view());
        found = found || (kOfHeaps.contains(function) && !call->arguments.empty() && name_of(call->arguments[0]) == name);
        if (!found) for_each_child(*e, look);
    };
    const auto is_part = [&](const ExprPtr& target) {
        return std::holds_alternative<SubscriptExpr>(target->node) && name_of(root_of(target)) == name;
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (const auto* assign = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : assign->targets)
                for (const ExprPtr& one : elements_of(target)) found = found || is_part(one);
        if (const auto* update = std::get_if<AugAssignStmt>(&statement.node))
            found = found || is_part(update->target) || (update->op == BinaryOp::Add && name_of(update->target) == name);
        if (!found) for_each_expr(statement, look);
        return !found;
    });
    return found;
}

void add_aliases(const Body& body, std::set<std::string>& names) {
    walk_statements(body, [&](const Stmt& statement) {
        const auto* assign = std::get_if<AssignStmt>(&statement.node);
        if (assign && names.contains(std::string(name_of(assign->value))))
            for (const ExprPtr& target : assign->targets) names.emplace(name_of(target));
        return true;
    });
}

// ---- lists ----------------------------------------------------------------------------------------------------------------
std::string Lists::id_of(const std::string& name, const Span& made) const {
    return t_.inline_prefix_ + name + std::to_string(made.line) + "_" + std::to_string(made.column);
}

bool Lists::create(const std::string& name, const ExprPtr& e) {
    const auto* list = std::get_if<ListExpr>(&e->node);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* product = std::get_if<BinaryExpr>(&e->node);
    const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node);
    const bool named_list = call && name_of(call->function) == "list" && !t_.bindings_.contains("list");
    const bool empty_call = named_list && call->arguments.empty(), copies = named_list && call->arguments.size() == 1;
    const bool repeats = product && product->op == BinaryOp::Mul && std::holds_alternative<ListExpr>(product->left->node);
    if ((!list && !empty_call && !copies && !repeats && !comprehension) || t_.flat_) return false;
    std::set<std::string> names{name};
    const auto changed_in = [&](const Body& body) {
        add_aliases(body, names);
        return std::ranges::any_of(names,
                                   [&](const std::string& one) { return changes_list(body, one) || slices_by_the_run(body, one); });
    };
    bool changed = changed_in(t_.context_.function->body);
    for (const auto& [prefix, body] : t_.context_.inlined) changed = changed || changed_in(body);
    if (!changed) return false;
    const std::string id = id_of(name, e->span);
    t_.context_.grown.insert(id);
    const auto* times = repeats ? std::get_if<ConstantExpr>(&product->right->node) : nullptr;
    const auto* number = times ? std::get_if<std::int64_t>(&times->value) : nullptr;
    const bool written = !t_.context_.program->lines.empty();
    if (written && number && *number == 0) return create_empty(id, name, product->left), true;
    if (!t_.context_.grown_by_the_run.contains(id)) {
        t_.next_name_ = name;
        Value value = empty_call ? tuple({}) : Collections(t_).stored(t_.evaluate(e));
        if (value.kind == Value::Kind::Tuple) {
            value.of_list = true;
            if (value.objects.empty()) value.objects = {t_.context_.new_object()};
            t_.context_.grown_objects.emplace(*value.objects.begin(), id);
        }
        t_.bind(name, std::move(value));
        return true;
    }
    if (comprehension || copies) {
        t_.bind(name, comprehension ? this->comprehension(*comprehension, e->span) : listed(call->arguments[0], e->span));
        return true;
    }
    if (repeats) {
        const Value once = t_.evaluate(product->left);
        t_.bind(name, repeated(once, t_.integer_of(product->right), e->span));
        return true;
    }
    const std::vector<Value> first = list ? t_.evaluate_all(list->elements) : std::vector<Value>();
    const Value value = fresh(id, name, std::nullopt, e->span);
    for (std::size_t at = 0; at < first.size(); ++at) push(value, first[at], e->span, at);
    t_.bind(name, whole(id));
    return true;
}

/// `[x] * 0`, as heap.h writes it: no elements, but what they will be is known.
void Lists::create_empty(const std::string& id, const std::string& name, const ExprPtr& one) {
    const auto& elements = std::get<ListExpr>(one->node).elements;
    t_.context_.grown_by_the_run.insert(id);
    ListFacts& facts = t_.context_.lists[id];
    if (!facts.form && elements.size() == 1) {
        const Value element = t_.evaluate(elements[0]);
        facts.form = form_of(element), facts.columns.clear();
        for (const Value& leaf : leaves_of(element)) note_type(facts.columns.emplace_back(), leaf, true, one->span);
    }
    static_cast<void>(fresh(id, name, std::nullopt, one->span));
    t_.bind(name, whole(id));
}

void Lists::leave_to_the_run(std::size_t object) {
    const auto known = t_.context_.grown_objects.find(object);
    if (known == t_.context_.grown_objects.end() || !t_.context_.grown_by_the_run.insert(known->second).second) return;
    throw StartAgain{};
}

std::optional<Value> Lists::named(const ExprPtr& e) {
    const auto variable = t_.variables_.find(std::string(name_of(root_of(e))));
    if (variable == t_.variables_.end() ||
        (variable->second.value.list.empty() && variable->second.value.kind != Value::Kind::Tuple))
        return std::nullopt;
    const Value value = t_.evaluate(e);
    return value.list.empty() ? std::nullopt : std::optional(value);
}

/// A list of `length` elements, or of none. It is a new one each time, in the same memory: the last must be out of reach.
Value Lists::fresh(const std::string& id, const std::string& base, const std::optional<Expr>& length, const Span& span) {
    if (t_.parent_) unsupported("a list that grows in a map", span, "use a loop over range(...)");
    ListFacts& facts = t_.context_.lists[id];
    if (facts.columns.empty()) facts.columns.resize(1);
    if (!facts.form && base.find(kKept) != std::string::npos)  // Until it is known what they are.
        facts.columns[0].type = {Scalar::Int64, true};
    const bool written = !t_.context_.program->lines.empty() && !length;                // Those of recursion, too.
    if ((base.find("__h_kept") != std::string::npos || written) && !facts.unbounded) {  // They grow in loops of any kind.
        facts.unbounded = facts.resized = true;
        if (t_.context_.callers.size() == 1) Sizes(t_).take_parameters_as_symbols();
    }
    Translator::ListPlace& place = t_.lists_[id];
    const bool fixed = length && !facts.resized;
    if (place.data.empty()) {
        Expr room = 0;
        for (const auto& [where, times] : facts.appends) room = room + times;
        if (facts.appends.empty()) room = 1;
        if (facts.unbounded) room = ir::kReservedExtent;
        if (fixed) room = *length;
        for (const ListColumn& column : facts.columns) {
            std::vector<Expr> shape{room};
            shape.insert(shape.end(), column.row.begin(), column.row.end());
            place.data.push_back(t_.add_temporary(base + "_list", column.type.dtype, shape));
            place.types.push_back(column.tells_types ? t_.add_temporary(base + "_types", Scalar::Int8, shape) : std::string());
        }
        if (facts.searched)
            place.index = t_.add_temporary(base + "_index", Scalar::Int64, {facts.unbounded ? room : 4 * room + 16});
        const auto symbol_of_its_own = [&](const std::string& what) {
            const std::string symbol = t_.fresh_symbol(base + what);
            t_.assumptions_.assume_any(symbol);  // A list may be empty.
            t_.assumptions_.assume(symbolic::less_equal(0, symbolic::symbol(symbol)));
            t_.behind_checks_.insert(symbol);
            return symbolic::symbol(symbol);
        };
        place.length = fixed ? *length : symbol_of_its_own("_length");
        if (facts.shortened_in_front) place.first = symbol_of_its_own("_first");
        if (!fixed && !facts.unbounded) {
            t_.assumptions_.assume(symbolic::less_equal(place.length, room));
            t_.most_.insert_or_assign(place.length.name(), room);
        }
    } else if (std::ranges::any_of(place.data, [&](const std::string& data) { return t_.shared_with_others(data, base); })) {
        unsupported("a new list while the last one of this line has another name", span, "give it a line of its own");
    }
    place.depth = t_.trips_.size();
    place.loop = t_.frame_ ? t_.frame_->statement : nullptr;
    if (!fixed) t_.assign_symbols({{place.length.name(), length ? symbolic::to_string(*length) : "0"}});
    if (facts.shortened_in_front) t_.assign_symbols({{place.first.name(), "0"}});
    forget_index(id, span);
    return whole(id);
}

Value Lists::whole(const std::string& id) {
    const ListFacts& facts = t_.context_.lists.at(id);
    const Translator::ListPlace& place = t_.lists_.at(id);
    std::vector<Value> columns;
    for (std::size_t at = 0; at < place.data.size(); ++at) {
        Value column = t_.read_container(place.data[at]);
        const Expr row = iteration_of(0, column.rank());
        if (facts.shortened_in_front) column = substitute(column, {{row.name(), row + place.first}});
        column.shape[0] = place.length;
        const ListColumn& known = facts.columns[at];
        if (known.open && !known.tells_types) Numbers(t_).add_open(place.data[at]);
        column.type.weak = known.type.weak || (known.of_python && !known.mixed && known.type.dtype == DType(Scalar::Bool));
        columns.push_back(std::move(column));
    }
    const bool rows = facts.form && facts.form->kind == Value::Kind::Tuple;
    Value value = rows ? tuple(columns) : columns[0];
    if (rows) value.kind = Value::Kind::Rows, value.shape = {place.length};
    value.list = id;
    return value;
}

// ---- elements -------------------------------------------------------------------------------------------------------------
/// Of one column.
Value Lists::row_at(const Value& list, const Expr& position) const {
    Value row = substitute(list, {{iteration_of(0, list.rank()).name(), position}});
    row.shape.erase(row.shape.begin());
    row.list.clear();
    return row;
}

/// Counted from the front. Raises IndexError at run time, with that message, where the list has no such element.
Expr Lists::position_of(const Value& list, const Value& index, const Span& span, const std::string& outside) {
    if (!index.is_scalar() || !code::is_integer(index.type.dtype.scalar)) refuse_as_array(list, span);
    const Expr at = t_.integer_of(index, span, "at"), &size = list.shape[0];
    symbolic::Assumptions known = t_.assumptions_;  // So may be an array that it is as long as.
    for (const std::string& symbol : symbolic::free_symbols(size)) known.assume_any(symbol);
    const auto sure = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, known)); };
    const bool counts_up = sure(symbolic::less_equal(0, at)), counts_down = sure(symbolic::less(at, 0));
    if (!(counts_up && sure(symbolic::less(at, size))) && !(counts_down && sure(symbolic::less_equal(0, at + size)))) {
        const ExprPtr extent = ir::to_code(size), place = ir::to_code(at);
        const ExprPtr inside = std::make_shared<const code::Expr>(code::Expr{
            CompareExpr{{CompareOp::Le, CompareOp::Lt}, {make_unary(UnaryOp::Minus, extent, span), place, extent}}, span});
        t_.require(inside, "IndexError: " + outside, span, {"raised", {}});
    }
    if (counts_up) return at;
    return counts_down ? at + size : symbolic::select(symbolic::less(at, 0), at + size, at);
}

/// Of which only what follows may tell what it holds, nothing is read.
void Lists::require_known(const Value& value, const Span& span) {
    if (value.list.empty() || t_.context_.lists.at(value.list).form) return;
    t_.context_.reads_unknown_list = true;
    unsupported("an element of a list to which nothing is appended", span, "append before it is read");
}

Value Lists::element_at(const Value& list, const Value& index, const Span& span) {
    require_known(list, span);
    const Expr position = position_of(list, index, span);
    const ListFacts& facts = t_.context_.lists.at(list.list);
    std::vector<Value> leaves;
    for (std::size_t at = 0; at < facts.columns.size(); ++at) {
        leaves.push_back(of_column(row_at(plain(list, at), position), facts.columns[at]));
        tell(leaves.back(), list, at, position);
        if (facts.columns[at].is_list) leaves.back().list = list.list + kRows;
    }
    return facts.form ? with_leaves(*facts.form, leaves) : leaves[0];
}

Value Lists::element(const Value& list, const ExprPtr& index, const Span& span) {
    if (std::holds_alternative<SliceExpr>(index->node)) return part(list, index, span);
    if (std::holds_alternative<TupleExpr>(index->node)) refuse_as_array(list, span);
    return element_at(list, t_.evaluate(index), span);
}

bool Lists::assign(const ExprPtr& target, const std::function<Value()>& value) {
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    const auto list = subscript ? named(subscript->object) : std::nullopt;
    if (!list) return false;
    Value element = value();
    if (const auto* slice = std::get_if<SliceExpr>(&subscript->index->node)) {
        replace(*list, *slice, element, target->span);
        return true;
    }
    forget_index(list->list, target->span);
    if (t_.has_effects(subscript->index)) element = t_.settled(element);
    const Expr position = position_of(*list, t_.evaluate(subscript->index), target->span, "list assignment index out of range");
    store(*list, position, element, target->span);
    forget_elements(*list);
    return true;
}

bool Lists::update(const AugAssignStmt& s, const Span& span) {
    const auto* subscript = std::get_if<SubscriptExpr>(&s.target->node);
    const auto list = subscript ? named(subscript->object) : std::nullopt;
    if (!list || list->kind == Value::Kind::Rows || list->rank() != 1) return false;
    require_known(*list, span);
    forget_index(list->list, span);
    const Expr position = position_of(*list, t_.evaluate(subscript->index), span);
    const Value before = element_at(*list, symbolic_value(position, span), span);
    const Value present = t_.has_effects(s.value) ? t_.settled(before) : before, more = t_.evaluate(s.value);
    Overflow(t_).check(BinaryExpr{s.op, s.target, s.value}, present, more, span);
    store(*list, position, t_.binary(s.op, present, more, span), span);
    return true;
}

void Lists::store(const Value& list, const Expr& position, const Value& element, const Span& span) {
    note_form(list.list, element, span);
    const std::vector<Value> leaves = leaves_of(element);
    for (std::size_t at = 0; at < leaves.size(); ++at) {
        const bool known = leaves[at].kind == Value::Kind::Tuple;
        Value leaf = known ? t_.as_array(leaves[at], span) : leaves[at];
        leaf.list.clear();
        t_.assign(t_.target_of(row_at(plain(list, at), position), span), leaf, "append");
        if (t_.context_.lists.at(list.list).columns[at].tells_types)
            store_type(row_at(types_of(list, at), position), leaves[at], t_.context_.lists.at(list.list).columns[at], span);
    }
}

// ---- what is known of them ------------------------------------------------------------------------------------------------
/// Each element consists of the same columns.
void Lists::note_form(const std::string& id, const Value& element, const Span& span) {
    ListFacts& facts = t_.context_.lists.at(id);
    const Value form = form_of(element);
    const std::vector<Value> leaves = leaves_of(element);
    const auto is_other = [&](const Value& leaf) {
        return leaf.of_list || !leaf.list.empty() || !leaf.is_elements() || leaf.rank() > 0;
    };
    if (std::exchange(facts.guessed, false) && (leaves.size() != 1 || is_other(leaves[0]))) {  // And what followed from it.
        for (auto& [other, known] : t_.context_.lists) known = {};
    }
    const bool first = !facts.form;
    if (leaves.empty()) unsupported("a list of empty tuples", span, "keep their number");
    if (first) {
        facts.form = form;
        facts.columns.assign(leaves.size(), {});
    } else if (!same_form(*facts.form, form)) {
        refuse("F008", "a list whose elements differ in form", span, "append tuples of one length");
    }
    const bool row = id.ends_with(kRows);
    for (std::size_t at = 0; at < leaves.size(); ++at) {
        note_type(facts.columns[at], leaves[at], first && !row, span);
        const auto place = t_.lists_.find(row ? id.substr(0, id.size() - std::string_view(kRows).size()) : id);
        if (facts.columns[at].open && !facts.columns[at].tells_types && place != t_.lists_.end() && at < place->second.data.size())
            Numbers(t_).add_open(place->second.data[at]);
        note_rows(id, facts.columns[at], leaves[at], span);
        if (!facts.columns[at].is_list) continue;
        ListFacts& inner = t_.context_.lists[id + kRows];
        if (!inner.columns.empty()) {  // What an attempt before this one assigned to elements of rows.
            const ListColumn& assigned = inner.columns[0];
            facts.columns[at].type = code::promote(facts.columns[at].type, assigned.type);
            facts.columns[at].mixed |= assigned.mixed;
            for (const Type& type : assigned.types)
                if (std::ranges::find(facts.columns[at].types, type) == facts.columns[at].types.end())
                    facts.columns[at].types.push_back(type);
            facts.columns[at].of_python &= assigned.of_python;
        }
        inner.form = Value{};
        inner.columns = {facts.columns[at]};
        inner.columns[0].row.clear(), inner.columns[0].is_list = false;
    }
    if (first) throw StartAgain{};
}

/// What runs from here on, the statement around that is the function's own included, with what stands in the place of calls. Within
/// such a body, in doubt they change.
bool Lists::may_change_in_place(const std::set<std::string>& names, const Span& span) const {
    if (!t_.inline_prefix_.empty() || t_.parent_) return true;
    Body rest;
    const Body& all = t_.context_.function->body;
    for (std::size_t at = 0; at < all.size(); ++at)
        if (at + 1 == all.size() || all[at + 1]->span.line > span.line) rest.push_back(all[at]);
    const std::set<std::string> lists = names_of_lists(*t_.context_.function);
    if (!may_change_behind(all, span.line, names, t_.bindings_, lists)) return false;
    for (const auto& [prefix, body] : t_.context_.inlined) rest.insert(rest.end(), body.begin(), body.end());
    return frontend::may_change_in_place(rest, names, t_.bindings_, lists);
}

/// How often the loops around run, since the list was made at this depth.
Expr Lists::times_of(const ListFacts& facts, std::size_t depth) const {
    Expr times = t_.written_out_;
    for (std::size_t loop = std::min(depth, facts.outlives); loop < t_.trips_.size() && !facts.unbounded; ++loop) {
        if (!t_.trips_[loop]) return -1;
        times = times * *t_.trips_[loop];
    }
    return times;
}

void Lists::note_carried() {
    const std::size_t around = t_.trips_.size() - 1;
    const std::function<void(const Value&)> note = [&](const Value& value) {
        for (const Value& element : value.elements) note(element);
        const auto place = t_.lists_.find(value.list);
        if (place == t_.lists_.end() || place->second.depth <= around) return;
        ListFacts& facts = t_.context_.lists.at(value.list);
        facts.outlives = std::min(facts.outlives, around);
    };
    for (const auto& [name, variable] : t_.variables_) note(variable.value);
}

/// `times`: -1 where nobody can tell.
void Lists::note_append(const std::string& id, const CallPlace& site, const Expr& times) {
    ListFacts& facts = t_.context_.lists.at(id);
    if (facts.unbounded) return;
    const auto [known, added] = facts.appends.emplace(site, times);
    // In a loop as long as the list was, there are more appends the more there may be.
    const bool rises = !added && !(known->second == times) && ++facts.raised > kMostRaised;
    facts.unbounded = times.is_integer(-1) || rises;
    if (facts.unbounded && t_.context_.callers.size() == 1) Sizes(t_).take_parameters_as_symbols();
    if (!added && known->second == times && !facts.unbounded) return;
    known->second = times;
    throw StartAgain{};
}

void Lists::note_resize(const Value& list, bool in_front, const Span& span) {
    if (list.list.ends_with(kRows)) unsupported("a list in a list that grows or shrinks", span, "use an array");
    for (const auto& [name, variable] : t_.variables_)
        if (name.starts_with("__over") && variable.value.list == list.list)
            unsupported("a list that grows or shrinks in a loop over it", span, "loop over range(len(...))");
    ListFacts& facts = t_.context_.lists.at(list.list);
    const bool news = !facts.resized || (in_front && !facts.shortened_in_front);
    facts.resized = true;
    facts.shortened_in_front |= in_front;
    if (news && (in_front || !t_.lists_.at(list.list).length.is_symbol())) throw StartAgain{};
}

// ---- lists of a length -------------------------------------------------------------------------------------------------
Value Lists::repeated(const Value& list, const Expr& times, const Span& span) {
    const std::string id = t_.inline_prefix_ + "__times" + std::to_string(span.line) + "_" + std::to_string(span.column);
    const auto width = static_cast<std::int64_t>(list.elements.size());
    const Expr rounds = symbolic::maximum(0, times), length = width * rounds;
    std::vector<Value> once;
    for (const Value& element : list.elements) {
        for (const Value& leaf : leaves_of(element))
            if (!leaf.is_elements() || leaf.rank() > 0)
                unsupported("a repeated list of arrays or lists, which are one each", span, "write a comprehension");
        once.push_back(t_.settled(element));
    }
    static_cast<void>(fresh(id, "list", length, span));
    const auto bound = Sizes(t_).most(length);
    for (const Value& element : once) note_form(id, element, span);
    note_append(id, {span.line, span.column, t_.inline_prefix_}, bound ? *bound : Expr(-1));
    const Value all = whole(id);
    for (std::int64_t at = 0; at < width; ++at) {
        const std::vector<Value> leaves = leaves_of(once[static_cast<std::size_t>(at)]);
        for (std::size_t column = 0; column < leaves.size(); ++column) {
            Value part = plain(all, column);
            const Expr row = iteration_of(0, 1);
            part = substitute(part, {{row.name(), width * row + at}});
            part.shape[0] = rounds;
            t_.assign(t_.target_of(part, span), leaves[column], "repeat");
            if (!t_.context_.lists.at(id).columns[column].tells_types) continue;
            Value types = types_of(all, column);
            types = substitute(types, {{row.name(), width * row + at}});
            types.shape[0] = rounds;
            store_type(types, leaves[column], t_.context_.lists.at(id).columns[column], span);
        }
    }
    return all;
}

/// As the loops that it stands for, with variables of its own.
Value Lists::comprehension(const ComprehensionExpr& n, const Span& span, const std::string& kind) {
    Overflow(t_).refuse_elements(n.element);
    const std::string own = t_.inline_prefix_ + kind + std::to_string(span.line) + "_" + std::to_string(span.column);
    const std::string_view target = name_of(n.clauses[0].target);
    if (n.clauses.size() == 1 && ((!target.empty() && name_of(n.element) == target && kind != "__sum") || kind == "__slice"))
        t_.context_.each_once.insert(own);
    std::map<std::string, ExprPtr> names;
    for (const auto& clause : n.clauses)
        for (const auto& [name, count] :
             binding_counts({std::make_shared<const Stmt>(Stmt{ForStmt{clause.target, clause.iterable, {}, {}}, span})}))
            names.emplace(name, make_name(own + name, span));
    const auto renamed = [&](const ExprPtr& e) { return replace_names(e, names); };
    Body body{std::make_shared<const Stmt>(
        Stmt{ExprStmt{std::make_shared<const code::Expr>(
                 code::Expr{CallExpr{make_attribute(make_name(own, span), "append", span), {renamed(n.element)}, {}}, span})},
             span})};
    for (std::size_t at = n.clauses.size(); at-- > 0;) {
        const auto& clause = n.clauses[at];
        for (std::size_t k = clause.conditions.size(); k-- > 0;)
            body = {std::make_shared<const Stmt>(Stmt{IfStmt{renamed(clause.conditions[k]), std::move(body), {}}, span})};
        const ExprPtr iterable = at == 0 ? clause.iterable : renamed(clause.iterable);
        body = {std::make_shared<const Stmt>(Stmt{ForStmt{renamed(clause.target), iterable, std::move(body), {}}, span})};
    }
    Body& kept = t_.context_.inlined[own];  // The same statements each time: loops are known by their place.
    if (kept.empty()) {
        kept = std::move(body);
        for (const auto& [name, count] : binding_counts(kept)) t_.context_.bindings[name] = count;
        for (const auto& [name, count] : occurrences(kept)) t_.context_.occurrences[name] += count;
    }
    // What a slice or a sum reads has names of its own here; the name that it gets may let go of the last one.
    const bool reads_by_name = kind == "__slice" || kind == "__sum";
    t_.bind(own, fresh(own, reads_by_name && !t_.name_.empty() ? t_.name_ : "list", std::nullopt, span));
    const Restored where(t_.where_, t_.where_);
    const Restored held(t_.held_, t_.held_);
    const Restored inside(t_.inside_expression_, true);
    const Restored hint(t_.hint_, {});
    const Restored wanted(t_.name_, {});
    const Restored statement(t_.statement_, t_.statement_);
    std::set<std::string> known;
    for (const auto& [name, variable] : t_.variables_) known.insert(name);
    t_.translate_from(Body(kept), 0);
    t_.join_in_expression(known, span);
    const Value result = t_.evaluate(make_name(own, span));
    for (const auto& [name, by] : names) t_.variables_.erase(std::string(name_of(by)));
    t_.variables_.erase(own);
    return result;
}

// ---- arrays of them -------------------------------------------------------------------------------------------------------
Value Lists::array(const Value& list, bool typed, const Span& span) {
    require_known(list, span);
    const bool rows = list.kind == Value::Kind::Rows;
    const bool filled = !t_.context_.lists.at(list.list).appends.empty();
    if (rows || (!typed && filled && (list.rank() > 1 || !(list.type.dtype == DType(Scalar::Float64))))) {
        // NumPy knows nothing of the elements that an empty list might have had.
        Expr elements = list.shape[0];
        if (!rows && !(list.type.dtype == DType(Scalar::Float64)))
            for (std::size_t dim = 1; dim < list.rank(); ++dim) elements = elements * list.shape[dim];
        const ExprPtr some = make_compare(ir::to_code(elements), CompareOp::Gt, make_integer(0), span);
        t_.require(some, "NotImplementedError: an array of an empty list, which is of float64", span, {"raised", {}});
    }
    if (rows) {
        std::vector<Value> columns;
        for (std::size_t at = 0; at < list.elements.size(); ++at) {
            columns.push_back(plain(list, at));
            columns.back().type.weak = false;
            if (columns.back().rank() > 1) unsupported("an array of a list of tuples of arrays", span, "keep lists of their own");
            columns.back() = with_axis(columns.back(), 1);
        }
        return t_.joined(columns, 1, span);
    }
    // An array of integers and floats is one of floats if any element is, which only the run knows.
    const auto& types = t_.context_.lists.at(list.list).columns.at(0).types;
    const bool several = std::ranges::any_of(types, [&](const Type& one) { return !(strong(one) == strong(list.type)); });
    if (several && !typed && t_.context_.tells_places) {
        if (t_.context_.strict && tell_types(list.list, 0)) throw StartAgain{};
        const auto codes = t_.context_.strict ? element_type_codes(list) : std::nullopt;
        if (!codes)
            refuse("F008", "an array of a list of numbers of several types: which it has, only the run knows", span,
                   "give its dtype");
        const Value real = t_.combine({*codes}, span, [&](const auto& c) {
            return make_compare(make_binary(BinaryOp::BitAnd, c[0], make_integer(1), span), CompareOp::Ne, make_integer(0), span);
        });
        const Reduction all{.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = {}};
        const Expr some = t_.integer_of(t_.cast(t_.reduce(real, "any", all, span), Scalar::Int64, span), span, "some");
        const ExprPtr fine = make_compare(ir::to_code(symbolic::equal(list.shape[0], 0) + some), CompareOp::Gt, make_integer(0));
        t_.require(fine, "NotImplementedError: an array of a list of integers that might hold floats", span, {"raised", {}});
    }
    Value value = plain(list, 0);
    if (!filled && !typed) return t_.cast(value, Scalar::Float64, span);
    value.type.weak = false;
    return value;
}

Value Lists::returned(const Value& list, std::size_t column, const Span& span) {
    require_known(list, span);
    if (t_.context_.callers.size() > 1) refuse("F011", "a list of the run's length is returned", span, "return an array of it");
    const ListColumn& facts = t_.context_.lists.at(list.list).columns.at(column);
    const auto rows = t_.context_.lists.find(list.list + kRows);
    const bool mixed_rows = facts.is_list && (facts.mixed || (rows != t_.context_.lists.end() && rows->second.columns[0].mixed));
    if (facts.mixed && !facts.is_list && t_.context_.tells_places && tell_types(list.list, column)) throw StartAgain{};
    if (!t_.context_.tells_places || (facts.mixed && !element_type_codes(list, column)) || mixed_rows ||
        (facts.is_list && !facts.of_python && list.rank() > 2))
        refuse_as_array(list, span);
    if (facts.holds_given) unsupported("a returned list that holds an array of the caller's", span, "append a copy: x.copy()");
    Value value = plain(list, column);
    value.type.weak = false;
    return value;
}

Value Lists::indices(const Value& list, const Span& span) {
    const Value value = array(list, true, span);
    return t_.context_.lists.at(list.list).appends.empty() ? t_.cast(value, Scalar::Int64, span) : value;
}

void Lists::refuse_as_array(const Value& value, const Span& span) {
    if (!value.list.empty())
        unsupported("this use of a list whose length the run decides", span, "make an array of it: np.array(...)");
}

}  // namespace sluice::frontend
