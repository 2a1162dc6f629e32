// Lists that grow while the program runs are the beginning of a container, as long as a symbol says:
//     xs = []                             xs_length = 0; xs_list: float64[N]
//     for i in range(N):            ->    for i in range(N):
//         if a[i] > 0: xs.append(a[i])        if a[i] > 0: xs_list[xs_length] = a[i]; xs_length += 1
//     np.array(xs)                        xs_list[0:xs_length]
// The type of the elements, and how many there are at most, follow from the calls of append and the loops around them; the
// translation starts again once it has seen them. The elements are numbers of one type or arrays of one shape: what is mutable is
// copied, so that it must be new where it is appended.
#include "frontend/python/lists.h"

#include <algorithm>

#include "frontend/python/collections.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/sizes.h"
#include "frontend/python/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// The list that `x.append(...)`, `x.extend(...)` changes; empty for any other call.
std::string appended_name(const CallExpr& call) {
    const auto* method = std::get_if<AttributeExpr>(&call.function->node);
    const bool grows =
        method && (method->name == "append" || method->name == "extend") && call.arguments.size() == 1 && call.keywords.empty();
    return grows ? std::string(name_of(method->object)) : std::string();
}

bool appends_to(const Body& body, const std::string& name) {
    bool found = false;
    walk_statements(body, [&](const Stmt& statement) {
        const auto* expression = std::get_if<ExprStmt>(&statement.node);
        const auto* call = expression ? std::get_if<CallExpr>(&expression->value->node) : nullptr;
        const auto* update = std::get_if<AugAssignStmt>(&statement.node);
        const bool extends = update && update->op == BinaryOp::Add && name_of(update->target) == name &&
                             std::holds_alternative<ListExpr>(update->value->node);
        found = found || extends || (call && appended_name(*call) == name);
        return !found;
    });
    return found;
}

}  // namespace

bool Lists::create(const std::string& name, const ExprPtr& e) {
    const auto* list = std::get_if<ListExpr>(&e->node);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const bool empty_call = call && name_of(call->function) == "list" && call->arguments.empty() && !t_.bindings_.contains("list");
    if ((!list && !empty_call) || t_.flat_) return false;
    bool grows = appends_to(t_.context_.function->body, name);
    for (const auto& [prefix, body] : t_.context_.inlined) grows = grows || appends_to(body, name);
    if (!grows) return false;
    const std::string id = t_.inline_prefix_ + name + std::to_string(e->span.line) + "_" + std::to_string(e->span.column);
    t_.context_.grown.insert(id);
    if (!t_.context_.grown_by_the_run.contains(id)) {
        Value value = list ? t_.evaluate(e) : tuple({});
        value.of_list = true;
        if (!list) value.objects = {t_.context_.new_object()};
        t_.context_.grown_objects.emplace(*value.objects.begin(), id);
        t_.bind(name, std::move(value));
        return true;
    }
    const std::vector<Value> first = list ? t_.evaluate_all(list->elements) : std::vector<Value>();
    const Value value = fresh(id, name, e->span);
    for (std::size_t at = 0; at < first.size(); ++at) push(value, first[at], e->span, at);
    t_.bind(name, value);
    return true;
}

void Lists::leave_to_the_run(std::size_t object) {
    const auto known = t_.context_.grown_objects.find(object);
    if (known == t_.context_.grown_objects.end() || !t_.context_.grown_by_the_run.insert(known->second).second) return;
    throw StartAgain{};
}

/// A list of no elements. It is a new one each time, in the same memory: the last must be out of reach.
Value Lists::fresh(const std::string& id, const std::string& base, const Span& span) {
    if (t_.parent_) unsupported("a list that grows in a map", span, "use a loop over range(...)");
    ListFacts& facts = t_.context_.lists[id];
    Translator::ListPlace& place = t_.lists_[id];
    if (place.data.empty()) {
        Expr room = 0;
        for (const auto& [where, times] : facts.appends) room = room + times;
        std::vector<Expr> shape{facts.appends.empty() ? Expr(1) : room};
        shape.insert(shape.end(), facts.row.begin(), facts.row.end());
        place = {t_.add_temporary(base + "_list", facts.type.dtype, shape), t_.fresh_symbol(base + "_length"), 0};
        t_.assumptions_.assume_in(place.length, 0, shape[0] + 1);
        t_.most_.insert_or_assign(place.length, shape[0]);
        t_.behind_checks_.insert(place.length);
    } else if (t_.shared_with_others(place.data, base)) {
        unsupported("a new list while the last one of this line has another name", span, "give it a line of its own");
    }
    place.depth = t_.trips_.size();
    t_.assign_symbols({{place.length, "0"}});
    Value value = t_.read_container(place.data);
    value.shape[0] = symbolic::symbol(place.length);
    value.type.weak = facts.type.weak;
    value.list = id;
    return value;
}

void Lists::push(const Value& list, const Value& element, const Span& span, std::size_t which) {
    ListFacts& facts = t_.context_.lists.at(list.list);
    const Translator::ListPlace& place = t_.lists_.at(list.list);
    if (!element.is_elements() || !element.list.empty())
        unsupported("a list of this value", span, "append numbers, or arrays of one shape");
    if (const Operand* view = as_view(element); view && element.rank() > 0) {
        const bool named = !t_.container(view->data).transient || std::ranges::any_of(t_.variables_, [&](const auto& one) {
            return t_.refers_to(one.second.value, view->data);
        });
        if (named && !t_.context_.read_at_once.contains({span.line, span.column, t_.inline_prefix_}))
            unsupported("a list of arrays that have names", span, "append a copy: x.copy()");
    }
    for (const auto& [name, variable] : t_.variables_)
        if (name.starts_with("__over") && variable.value.list == list.list)
            unsupported("a list that grows in a loop over it", span, "loop over range(len(...))");
    Expr times = 1;
    for (std::size_t loop = place.depth; loop < t_.trips_.size(); ++loop) {
        if (!t_.trips_[loop])
            refuse("F010", "a list that grows in a loop whose iterations only the run can count", span,
                   "use a for loop, or an array with room for all");
        times = times * *t_.trips_[loop];
    }
    const auto site = std::make_tuple(span.line, span.column, t_.inline_prefix_ + std::to_string(which));
    const bool first = facts.appends.empty();
    const DType own = strong(element.type);
    const Type type{own, element.type.weak && !(own == DType(Scalar::Bool))};
    for (const Expr& extent : element.shape)
        for (const std::string& symbol : symbolic::free_symbols(extent))
            if (t_.defined_symbols_.contains(symbol))
                refuse("F010", "a list of arrays whose size only the run knows", span, "append numbers, or arrays of one shape");
    if (first) facts.type = type, facts.row = element.shape, facts.of_python = element.type.weak;
    // A number of Python's counts as NumPy's beside those, as where paths meet.
    const Type joint = code::promote(facts.type, type);
    facts.mixed |= !(facts.type == type) || facts.of_python != element.type.weak;
    static const std::set<Scalar> kWide{Scalar::Int64, Scalar::Float64, Scalar::Complex128};
    if (!(facts.type == type) && (facts.type.weak || type.weak) && element.rank() == 0 && kWide.contains(joint.dtype.scalar)) {
        if (!(facts.type == joint)) {
            facts.type = joint;
            throw StartAgain{};
        }
    } else if (!(facts.type == type)) {
        refuse("F008", "a list whose elements differ in type", span, "append values of one type");
    }
    const auto [known, added] = facts.appends.emplace(site, times);
    if (added || !(known->second == times)) {
        known->second = times;
        throw StartAgain{};
    }
    if (facts.row != element.shape) refuse("F008", "a list whose elements differ in shape", span, "append values of one shape");
    Value end = t_.read_container(place.data);
    end = substitute(end, {{iteration_of(0, end.rank()).name(), symbolic::symbol(place.length)}});
    end.shape.erase(end.shape.begin());
    t_.assign(t_.target_of(end, span), element, "append");
    t_.assign_symbols({{place.length, place.length + " + 1"}});
}

bool Lists::append(const CallExpr& call, const Span& span) {
    const auto known = t_.variables_.find(appended_name(call));
    if (known == t_.variables_.end() || known->second.value.list.empty()) return false;
    const bool one = std::get<AttributeExpr>(call.function->node).name == "append";
    const Value list = t_.evaluate(std::get<AttributeExpr>(call.function->node).object);
    if (one)
        push(list, t_.evaluate(call.arguments[0]), span, 0);
    else
        extend(list, call.arguments[0], span);
    return true;
}

void Lists::extend(const Value& list, const ExprPtr& more, const Span& span) {
    const Value value = t_.evaluate(more);
    if (value.kind != Value::Kind::Tuple || value.of_keys)
        unsupported("a list that grows by this value", span, "append its elements in a loop");
    for (std::size_t at = 0; at < value.elements.size(); ++at) push(list, value.elements[at], span, at);
}

/// As the loops that it stands for, with variables of its own.
Value Lists::comprehension(const ComprehensionExpr& n, const Span& span) {
    const std::string own = t_.inline_prefix_ + "__list" + std::to_string(span.line) + "_" + std::to_string(span.column);
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
    t_.bind(own, fresh(own, "list", span));
    const Restored where(t_.where_, t_.where_);
    const Restored held(t_.held_, t_.held_);
    const Restored handed_out(t_.handed_out_, t_.handed_out_);
    const Restored hint(t_.hint_, {});
    const Restored wanted(t_.name_, {});
    const Restored statement(t_.statement_, t_.statement_);
    t_.translate_from(Body(kept), 0);
    const Value result = t_.evaluate(make_name(own, span));
    for (const auto& [name, by] : names) t_.variables_.erase(std::string(name_of(by)));
    t_.variables_.erase(own);
    return result;
}

Value Lists::array(const Value& list, bool typed, const Span& span) {
    if (!typed && (list.rank() > 1 || !(list.type.dtype == DType(Scalar::Float64)))) {
        // NumPy knows nothing of the elements that an empty list might have had.
        const ExprPtr some = make_compare(make_name(t_.lists_.at(list.list).length), CompareOp::Gt, make_integer(0), span);
        t_.require(some, "NotImplementedError: an array of an empty list, which is of float64", span, {"raised", {}});
    }
    Value value = list;
    value.list.clear();
    value.type.weak = false;
    return value;
}

Value Lists::returned(const Value& list, const Span& span) {
    if (t_.context_.callers.size() > 1) refuse("F011", "a list of the run's length is returned", span, "return an array of it");
    if (!t_.context_.tells_places || t_.context_.lists.at(list.list).mixed) refuse_as_array(list, span);
    Value value = list;
    value.list.clear();
    value.type.weak = false;
    return value;
}

Value Lists::stacked(const Value& list, std::int64_t axis, const Span& span) {
    t_.require(make_compare(ir::to_code(list.shape[0]), CompareOp::Gt, make_integer(0), span),
               "ValueError: need at least one array to stack", span, {"raised", {}});
    Value value = list;
    value.list.clear();
    value.type.weak = false;
    return t_.move_axes(value, {0}, {axis}, span);
}

Value Lists::concatenated(const Value& list, std::int64_t axis, const Span& span) {
    const Value stack = stacked(list, axis, span);
    std::vector<Expr> shape = stack.shape;
    const auto place = shape.begin() + axis;
    *place = *place * *(place + 1);
    shape.erase(place + 1);
    return t_.reshape(stack, shape, span);
}

Value Lists::indices(const Value& list, const Span& span) {
    const Value value = array(list, true, span);
    return t_.context_.lists.at(list.list).appends.empty() ? t_.cast(value, Scalar::Int64, span) : value;
}

Value Lists::element(const Value& list, const ExprPtr& index, const Span& span) {
    const bool slices = std::holds_alternative<SliceExpr>(index->node) || std::holds_alternative<TupleExpr>(index->node);
    const Value at = slices ? Value{} : t_.evaluate(index);
    if (slices || !at.is_scalar()) refuse_as_array(list, span);
    Value plain = list;
    plain.list.clear();
    return t_.index(plain, index, span);
}

void Lists::refuse_as_array(const Value& value, const Span& span) {
    if (!value.list.empty())
        unsupported("this use of a list whose length the run decides", span, "make an array of it: np.array(...)");
}

}  // namespace sluice::frontend
