// A list or dictionary is a value that the translation knows; what changes it makes another value of everything that may be this
// object, under whatever name:
//     ys = xs; xs.append(a)   ->   both names mean the longer list
// That is so where the change happens exactly once for each time that the object is made: in the same region of the graph. In a
// loop or branch that only the run decides, a list of numbers grows as lists.cpp says, and elements of a literal are variables
// (slots.cpp).
#include "frontend/python/mutations.h"

#include <algorithm>
#include <set>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/collections.h"
#include "frontend/python/lists.h"
#include "frontend/python/overflow.h"

namespace sluice::frontend {

using namespace code;

namespace {

void edit_object(Value& value, std::size_t object, const std::function<void(Value&)>& edit) {
    for (Value& element : value.elements) edit_object(element, object, edit);
    if (value.objects.contains(object)) edit(value);
}

bool is_unsure(const Value& value, std::size_t object) {
    return (value.objects.size() > 1 && value.objects.contains(object)) ||
           std::ranges::any_of(value.elements, [&](const Value& element) { return is_unsure(element, object); });
}

}  // namespace

/// `object` is a list or dictionary; others that may be the same one, or not, keep it as it is.
void Mutations::change(const Value& object, const std::function<void(Value&)>& edit, const Span& span, bool resizes) {
    const std::size_t number = object.objects.empty() ? kGivenObject : *object.objects.begin();
    if (number == kGivenObject)
        unsupported("a change of a list or dictionary of the caller's", span, "change a copy, or its arrays");
    const auto unsure = [&](const auto& one) { return is_unsure(one.second.value, number); };
    const auto walked = [&](const auto& one) {
        return one.first.starts_with("__over") && one.second.value.objects.contains(number);
    };
    if (resizes && std::ranges::any_of(t_.variables_, walked)) {
        Lists(t_).leave_to_the_run(number);
        unsupported("a list that grows or shrinks in a loop over it", span, "loop over a copy, or over range(len(...))");
    }
    if (t_.flat_ || t_.parent_ || t_.context_.made_in.at(number) != t_.context_.region ||
        std::ranges::any_of(t_.variables_, unsure)) {
        Lists(t_).leave_to_the_run(number);
        unsupported("a change of a list or dictionary in a loop or branch that the run decides", span,
                    "use an array, or assign each element to a name of its own");
    }
    for (auto& [name, variable] : t_.variables_) edit_object(variable.value, number, edit);
}

/// Beside the call, what was evaluated before it would keep the object as it was, and what Python does not evaluate would change
/// it.
void Mutations::require_alone(const Span& span) const {
    const auto is_call = [&](const ExprPtr& e) { return e && e->span == span; };
    const auto* expression = std::get_if<ExprStmt>(&t_.statement_->node);
    const auto* assign = std::get_if<AssignStmt>(&t_.statement_->node);
    const auto* returns = std::get_if<ReturnStmt>(&t_.statement_->node);
    const bool named = assign && assign->targets.size() == 1 && !name_of(assign->targets[0]).empty();
    if ((expression && is_call(expression->value)) || (named && is_call(assign->value)) || (returns && is_call(returns->value)))
        return;
    unsupported("a change of a list inside of an expression", span, "give it a statement of its own");
}

std::optional<Value> Mutations::method(const Value& list, const std::string& name, const CallExpr& node, const Span& span) {
    const std::size_t arguments = node.arguments.size();
    static const std::set<std::string> kChanging{"append", "extend", "insert", "pop"};
    static const std::set<std::string> kOfTheRun{"remove", "index", "count", "reverse", "clear", kPopFirst, kPopLast};
    if (list.of_list && kOfTheRun.contains(name))
        for (const std::size_t object : list.objects) Lists(t_).leave_to_the_run(object);
    if (list.of_list && name == "copy" && arguments == 0 && node.keywords.empty()) {
        Value copy = list;
        copy.objects = {t_.context_.new_object()};
        return copy;
    }
    if (!list.of_list || !node.keywords.empty() || !kChanging.contains(name)) return std::nullopt;
    require_alone(span);
    const auto size = static_cast<std::int64_t>(list.elements.size());
    const auto place = [&](const ExprPtr& e, std::int64_t end) {
        const auto known = t_.known_integer(e);
        if (!known) {
            for (const std::size_t object : list.objects) Lists(t_).leave_to_the_run(object);
            unsupported("a place in a list that only the run knows", e->span, "use an array");
        }
        return *known < 0 ? std::max<std::int64_t>(*known + size, 0) : std::min(*known, end);
    };
    if (name == "append" && arguments == 1) {
        const Value added = Collections(t_).stored(t_.evaluate(node.arguments[0]));
        change(
            list, [&](Value& one) { one.elements.push_back(added); }, span);
        return none_value();
    }
    if (name == "extend" && arguments == 1) {
        extend(list, node.arguments[0], span);
        return none_value();
    }
    if (name == "insert" && arguments == 2) {
        const std::int64_t at = place(node.arguments[0], size);
        const Value added = Collections(t_).stored(t_.evaluate(node.arguments[1]));
        change(
            list, [&](Value& one) { one.elements.insert(one.elements.begin() + at, added); }, span);
        return none_value();
    }
    if (name == "pop" && arguments < 2) {
        const std::int64_t at = arguments == 0 ? size - 1 : place(node.arguments[0], size);
        if (at < 0 || at >= size) refuse("F007", "pop from a list that has no such element", span, "use a smaller index");
        const Value taken = list.elements[static_cast<std::size_t>(at)];
        change(
            list, [&](Value& one) { one.elements.erase(one.elements.begin() + at); }, span);
        return taken;
    }
    return std::nullopt;
}

void Mutations::extend(const Value& list, const ExprPtr& more, const Span& span) {
    const auto added = Collections(t_).known_elements(more);
    if (!added) {
        for (const std::size_t object : list.objects) Lists(t_).leave_to_the_run(object);
        unsupported("a list that grows by this value", span, "append its elements in a loop");
    }
    std::vector<Value> elements;
    for (const Value& one : *added) elements.push_back(Collections(t_).stored(one));
    change(
        list, [&](Value& one) { one.elements.insert(one.elements.end(), elements.begin(), elements.end()); }, span);
}

bool Mutations::update(const AugAssignStmt& s, const Span& span) {
    const auto* subscript = std::get_if<SubscriptExpr>(&s.target->node);
    const auto object = subscript ? Collections(t_).named(subscript->object) : std::nullopt;
    if (!object) return false;
    const Value element = t_.index(*object, subscript->index, span);
    if (element.of_list && s.op == BinaryOp::Add) {
        extend(element, s.value, span);
        return true;
    }
    if (element.rank() == 0)
        return assign(s.target, [&] {
            const Value more = t_.evaluate(s.value);
            Overflow(t_).check(BinaryExpr{s.op, s.target, s.value}, element, more, span);
            return t_.binary(s.op, element, more, span);
        });
    const std::string name = "__element" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bind(name, element);  // An array is updated in place.
    t_.augmented({make_name(name, span), s.op, s.value}, span);
    t_.variables_.erase(name);
    return true;
}

bool Mutations::assign(const ExprPtr& target, const std::function<Value()>& value) {
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    const auto of = subscript ? Collections(t_).named(subscript->object) : std::nullopt;
    if (!of) return false;
    const Value& object = *of;
    const Span& span = target->span;
    if (!object.of_keys && !object.of_list)
        refuse("F004", "TypeError: 'tuple' object does not support item assignment", span, "use a list");
    const Value added = Collections(t_).stored(value());
    if (std::holds_alternative<SliceExpr>(subscript->index->node)) {
        for (const std::size_t one : object.objects) Lists(t_).leave_to_the_run(one);
        unsupported("an assignment to a slice of a list", span, "assign its elements");
    }
    if (!object.of_keys) {
        const auto at = t_.known_integer(subscript->index);
        const auto size = static_cast<std::int64_t>(object.elements.size());
        if (!at) {
            for (const std::size_t one : object.objects) Lists(t_).leave_to_the_run(one);
            unsupported("an assignment to an element of a list by an index that is no constant", span, "use an array");
        }
        if (*at < -size || *at >= size)
            refuse("F007", "the list has " + std::to_string(size) + " elements", span, "use a smaller index");
        const auto place = static_cast<std::size_t>(*at < 0 ? *at + size : *at);
        change(
            object, [&](Value& one) { one.elements[place] = added; }, span, false);
        return true;
    }
    const auto key = Collections(t_).key_of(subscript->index);
    if (!key) unsupported("a key that only the run knows", span, "use an array, or a condition for each key");
    const auto known = std::ranges::find(object.keys, *key);
    const auto place = static_cast<std::size_t>(known - object.keys.begin());
    const bool fresh = known == object.keys.end();
    change(
        object,
        [&](Value& one) {
            if (fresh) one.keys.push_back(*key), one.elements.emplace_back();
            one.elements[place] = added;
        },
        span, fresh);
    return true;
}

}  // namespace sluice::frontend
