#include "frontend/python/heap_types.h"

#include <algorithm>

#include "code/displays.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"

namespace sluice::frontend {

using namespace code;

namespace {

[[noreturn]] void refuse_kinds(const HeapType* a, const HeapType* b, const std::string& where) {
    static const std::map<HeapKind, std::string> kNames{
        {HeapKind::Number, "a number"}, {HeapKind::None, "None"},         {HeapKind::Text, "a text"},
        {HeapKind::List, "a list"},     {HeapKind::Queue, "a deque"},     {HeapKind::Row, "a tuple"},
        {HeapKind::Tuple, "a tuple"},   {HeapKind::Dict, "a dictionary"}, {HeapKind::Set, "a set"},
        {HeapKind::Array, "an array"},  {HeapKind::Object, "an object"}};
    std::string both;
    const auto known = [&](const HeapType* one) { return kNames.contains(one->kind) ? kNames.at(one->kind) : "another value"; };
    if (a->kind != b->kind) both = ", " + known(a) + " and " + known(b);
    throw NotOfHeap{"values of several kinds " + where + both};
}

/// It is a list to what goes over it, and to nobody else. `x in range(n)` is written otherwise before (ranges.h).
void refuse_range(const ExprPtr& e) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    if (call && name_of(call->function) == "range") throw NotOfHeap{"a range as a value", e->span};
}

}  // namespace

void placed(const StmtPtr& one, const std::function<void()>& work) {
    try {
        work();
    } catch (NotOfHeap& refused) {
        if (!refused.where.known()) refused.where = one->span;
        throw;
    }
}

HeapTypes::HeapTypes(const FunctionStmt& function, const Bindings& globals, const Definition& definition,
                     const std::map<std::string, ArgumentType>& arguments, std::string given, bool with_arrays,
                     const std::set<std::string>& special)
    : main_(function),
      definition_(definition),
      special_(special),
      arguments_(arguments),
      given_(std::move(given)),
      with_arrays_(with_arrays) {
    entry_ = &function_of(function, globals, definition_, nullptr);
}

// ---- types ----------------------------------------------------------------------------------------------------------------
HeapType* HeapTypes::root(Type type) {
    while (type->same) type = type->same;
    return type;
}
HeapTypes::Type HeapTypes::fresh(HeapKind kind, std::vector<Type> parts) {
    all_.push_back({.kind = kind, .parts = std::move(parts), .number = all_.size()});
    return &all_.back();
}
HeapTypes::Type HeapTypes::number(unsigned numbers) {
    const Type type = fresh(HeapKind::Number);
    type->numbers = numbers;
    return type;
}
HeapTypes::Type HeapTypes::type_of_integers() {
    if (!integers_) integers_ = fresh(HeapKind::List, {number(kInteger)});
    return integers_;
}
HeapTypes::Type HeapTypes::type_of_texts() {
    if (!texts_list_) texts_list_ = fresh(HeapKind::List, {fresh(HeapKind::Text)});
    return texts_list_;
}
bool HeapTypes::is_object(Type type) const {
    const HeapKind is = kind(type);
    return is == HeapKind::Text || is == HeapKind::List || is == HeapKind::Queue || is == HeapKind::Row || is == HeapKind::Dict ||
           is == HeapKind::Set || is == HeapKind::Array || is == HeapKind::Object;
}
bool HeapTypes::holds_objects(Type type) const {
    return is_object(type) ||
           (is(type, HeapKind::Tuple) && std::ranges::any_of(root(type)->parts, [&](Type one) { return holds_objects(one); }));
}

void HeapTypes::unify(Type a, Type b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (a->number > b->number) std::swap(a, b);
    if (a->kind == HeapKind::Unknown) std::swap(a, b);
    const bool both_known = a->number < pass_begin_ && b->number < pass_begin_;
    if (b->kind == HeapKind::Unknown) {
        changed_ |= b->number < pass_begin_;
        b->same = a;
        return;
    }
    if (a->kind == HeapKind::Number && b->kind == HeapKind::Number) {
        changed_ |= both_known || (b->numbers & ~a->numbers) != 0;
        a->numbers |= b->numbers;
        b->same = a;
        return;
    }
    changed_ |= both_known;
    if (a->kind == HeapKind::None && b->kind == HeapKind::Object) std::swap(a, b);
    if (a->kind == HeapKind::Object && b->kind == HeapKind::None) {  // None is among the objects.
        changed_ |= b->number < pass_begin_;
        b->same = a;
        return;
    }
    if (a->family != b->family) throw NotOfHeap{"objects of several classes in one place"};
    if (a->kind != b->kind || a->parts.size() != b->parts.size() || a->missing != b->missing || a->rank != b->rank)
        refuse_kinds(a, b, "in one place");
    changed_ |= both_known && (a->rows_given != b->rows_given || a->frozen != b->frozen || a->view != b->view);
    a->rows_given |= b->rows_given, a->frozen |= b->frozen, a->view |= b->view;
    b->same = a;
    for (std::size_t at = 0; at < a->parts.size(); ++at) unify(a->parts[at], b->parts[at]);
}

/// Another object of such elements.
void HeapTypes::like(Type object, Type type) {
    if (is(object, HeapKind::Text)) return unify(object, type);
    if (is_instance(object)) throw NotOfHeap{"arithmetic of objects"};
    if (is(type, HeapKind::Unknown)) {
        const Type made = fresh(kind(object), root(object)->parts);
        made->missing = root(object)->missing;
        return unify(made, type);
    }
    if (kind(type) != kind(object) || root(type)->missing != root(object)->missing)
        throw NotOfHeap{"values of several kinds in one place"};
    unify_elements(object, type);
}
/// Two objects of such elements: what one has, the other could have.
void HeapTypes::unify_elements(Type a, Type b) {
    for (std::size_t at = 0; at < root(a)->parts.size(); ++at) unify(part(a, at), part(b, at));
}
/// The caller's own: it is not changed, and not handed back.
void HeapTypes::freeze(Type type) {
    type = root(type);
    if (is_object(type) && type->kind != HeapKind::Text) type->frozen = true;
    for (const Type one : type->parts) freeze(one);
}

/// A value of the one type comes into a variable of the other: numbers and tuples of them are copied, objects are the same.
void HeapTypes::flow(Type from, Type to) {
    from = root(from), to = root(to);
    if (from == to || from->kind == HeapKind::Unknown) return;
    if (from->kind == HeapKind::Number || from->kind == HeapKind::Tuple) {
        if (to->kind == HeapKind::Unknown) {
            to->kind = from->kind, to->family = from->family;
            for (std::size_t at = 0; at < from->parts.size(); ++at) to->parts.push_back(fresh());
            changed_ |= to->number < pass_begin_;
        }
        if (to->kind == HeapKind::Other && from->kind == HeapKind::Number) return;
        if (to->kind != from->kind || to->parts.size() != from->parts.size()) refuse_kinds(from, to, "under one name");
        if (from->family != to->family) throw NotOfHeap{"a named tuple and another one in one place"};
        if ((from->numbers & ~to->numbers) != 0) to->numbers |= from->numbers, changed_ |= to->number < pass_begin_;
        for (std::size_t at = 0; at < from->parts.size(); ++at) flow(from->parts[at], to->parts[at]);
        return;
    }
    if (from->kind == HeapKind::Other && to->kind == HeapKind::Number) {
        to->kind = HeapKind::Other, changed_ |= to->number < pass_begin_;
        return;
    }
    unify(from, to);
}

/// The same for operands of which one may be anything: where they are of several kinds, nobody keeps it.
void HeapTypes::join(Type from, Type to) {
    if (is(from, HeapKind::None) && is_instance(to)) return flow(from, to);
    if (kind(to) != HeapKind::Unknown && kind(from) != HeapKind::Unknown && kind(to) != kind(from)) {
        if (is_object(to)) throw NotOfHeap{"values of several kinds under one name"};
        if (!is(to, HeapKind::Other))
            root(to)->kind = HeapKind::Other, root(to)->parts.clear(), changed_ |= root(to)->number < pass_begin_;
        return;
    }
    if (!is(to, HeapKind::Other)) flow(from, to);
}

HeapTypes::Type HeapTypes::type_of(const ExprPtr& e) {
    const auto known = types_.find(e.get());
    if (known == types_.end()) throw NotOfHeap{"an expression that nobody looked at"};
    return root(known->second);
}

// ---- functions ------------------------------------------------------------------------------------------------------------
HeapTypes::Type HeapTypes::of_argument(const ArgumentType& type) {
    if (type.shape) return fresh(HeapKind::Other);
    const Scalar scalar = type.dtype.scalar;
    if (!type.of_python && scalar != Scalar::Bool) return fresh(HeapKind::Other);
    return scalar == Scalar::Bool ? number(kTruth)
           : is_integer(scalar)   ? number(kInteger)
           : is_floating(scalar)  ? number(kReal)
                                  : fresh(HeapKind::Other);
}

void HeapTypes::infer_all() {
    std::size_t place = 1;
    for (const Parameter& parameter : main_.parameters) {
        if (!given_.empty()) {
            given_types_.push_back(of_form(given_, place));
            const Type type = entry_->scope.names.at(parameter.name).type;
            is(given_types_.back(), HeapKind::None) ? join(given_types_.back(), type) : flow(given_types_.back(), type);
            continue;
        }
        const auto given = arguments_.find(parameter.name);
        const Type type = given == arguments_.end() ? fresh(HeapKind::Other) : of_argument(given->second);
        flow(type, entry_->scope.names.at(parameter.name).type);
    }
    for (int pass = 0; pass < 60; ++pass) {
        changed_ = pass == 0;
        pass_begin_ = all_.size();
        infer(*entry_);
        infer_special_methods();
        for (std::size_t at = 0; at < order_.size(); ++at)
            if (order_[at] != entry_) infer(*order_[at]);
        if (!changed_) return;
    }
    throw NotOfHeap{"types that do not settle"};
}

void HeapTypes::infer(Routine& function) {
    infer(function.statement->body, function.scope);
}
void HeapTypes::infer(const Body& body, Scope& scope) {
    for (const StmtPtr& one : body) placed(one, [&] { infer(one, scope); });
}

void HeapTypes::infer(const StmtPtr& one, Scope& scope) {
    std::visit(Overloaded{
                   [&](const AssignStmt& s) {
                       const Type type = infer(s.value, scope);
                       for (const ExprPtr& target : s.targets) bind(target, type, scope);
                   },
                   [&](const AugAssignStmt& s) {
                       const Type target = infer(s.target, scope), value = infer(s.value, scope);
                       if (is_instance(target)) {
                           if (!is_pure(s.target)) throw NotOfHeap{"an update of an object in such a place"};
                           ExprPtr& whole = updates_[s.value.get()];
                           if (!whole) whole = make_binary(s.op, s.target, s.value, s.value->span);
                           if (has_method(target, "__i" + operator_method(s.op).substr(2)))
                               throw NotOfHeap{"an update of an object in its place"};
                           return bind(s.target, infer(whole, scope), scope);
                       }
                       if (is(target, HeapKind::Array)) {  // In its own place.
                           const unsigned element = of_elements(s.op, target, value);
                           if (element != 0 && element != root(part(target))->numbers)
                               throw NotOfHeap{"an update of an array by numbers of another type"};
                           return;
                       }
                       if (is(value, HeapKind::Array)) throw NotOfHeap{"arithmetic of whole arrays with this value"};
                       if (is_sequence(target) && s.op == BinaryOp::Add) return flow(element_of(value), part(target));
                       if (is(target, HeapKind::Set) && root(target)->missing.empty()) {
                           if (is(value, HeapKind::Unknown)) return;
                           if (!is(value, HeapKind::Set)) throw NotOfHeap{"an update of a set by this value"};
                           return unify_elements(target, value);
                       }
                       if (is(target, HeapKind::Dict)) {
                           if (is(value, HeapKind::Unknown)) return;
                           const bool tables = is(value, HeapKind::Dict) && s.op == BinaryOp::BitOr;
                           if (!tables) throw NotOfHeap{"an update of a dictionary by this value"};
                           return unify_elements(target, value);
                       }
                       const Type result = fresh();
                       infer_binary(s.op, target, value, result);
                       bind(s.target, result, scope);
                   },
                   [&](const AnnAssignStmt& s) {
                       if (s.value) bind(s.target, infer(s.value, scope), scope);
                   },
                   [&](const ExprStmt& s) { infer(s.value, scope); },
                   [&](const IfStmt& s) { infer(s.condition, scope), infer(s.then_body, scope), infer(s.else_body, scope); },
                   [&](const ForStmt& s) {
                       bind(s.target, element_of(s.iterable, scope), scope);
                       infer(s.body, scope), infer(s.else_body, scope);
                   },
                   [&](const WhileStmt& s) { infer(s.condition, scope), infer(s.body, scope), infer(s.else_body, scope); },
                   [&](const ReturnStmt& s) {
                       if (!s.value) return;
                       refuse_range(s.value);
                       const Type type = infer(s.value, scope);
                       if (scope.function == entry_)  // Each path may return what it likes.
                           return;
                       if (!is(type, HeapKind::None) || is_instance(scope.function->result)) flow(type, scope.function->result);
                   },
                   [&](const AssertStmt& s) {
                       if (s.condition) infer(s.condition, scope);
                       if (!s.message || raises_in_python()) return;
                       const auto* call = std::get_if<CallExpr>(&s.message->node);
                       if (!s.raises) return infer_sentence(s.message, scope);
                       for (const ExprPtr& part : call ? call->arguments : std::vector<ExprPtr>()) infer_sentence(part, scope);
                   },
                   [&](const DeleteStmt& s) {
                       for (const ExprPtr& target : s.targets) infer(target, scope);
                   },
                   [](const auto&) {},
               },
               one->node);
}

/// What an exception says.
void HeapTypes::infer_sentence(const ExprPtr& e, Scope& scope) {
    if (const auto* parts = formatted_parts(e)) {
        for (const ExprPtr& one : *parts) {
            const auto* repr = std::get_if<CallExpr>(&one->node);
            infer(repr && name_of(repr->function) == kRepr ? repr->arguments.at(0) : one, scope);
        }
        return;
    }
    if (!std::holds_alternative<BinaryExpr>(e->node)) infer(e, scope);
}

void HeapTypes::bind(const ExprPtr& target, Type type, Scope& scope) {
    if (const std::string name(name_of(target)); !name.empty()) {
        Variable* known = variable(name, scope);
        if (!known) throw NotOfHeap{"a target that nobody knows"};
        if (is(type, HeapKind::None)) return join(type, known->type);
        return flow(type, known->type);
    }
    if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node)) {
        const auto targets = elements_of(target);
        const bool tuple = is(type, HeapKind::Tuple);
        const bool starred =
            std::ranges::any_of(targets, [](const auto& e) { return std::holds_alternative<StarredExpr>(e->node); });
        if (tuple && (starred || root(type)->parts.size() != targets.size())) throw NotOfHeap{"unpacking of this tuple"};
        if (!tuple && !is_sequence(type) && !is(type, HeapKind::Text) && !is(type, HeapKind::Array)) {
            if (is(type, HeapKind::Unknown)) return;
            throw NotOfHeap{"unpacking of this value"};
        }
        for (std::size_t at = 0; at < targets.size(); ++at) {
            const Type one = tuple ? part(type, at) : element_of(type);
            if (const auto* rest = std::get_if<StarredExpr>(&targets[at]->node))
                bind(rest->value, fresh(HeapKind::List, {one}), scope);
            else
                bind(targets[at], one, scope);
        }
        return;
    }
    if (const auto* attribute = std::get_if<AttributeExpr>(&target->node)) return bind_field(*attribute, type, scope);
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) throw NotOfHeap{"a target of this kind"};
    const Type object = infer(subscript->object, scope);
    if (is_instance(object)) {
        ExprPtr& call = element_calls_[target.get()];
        if (!call) call = make_method(subscript->object, "__setitem__", {subscript->index, make_name("<part>", target->span)});
        const ExprPtr& stored = std::get<CallExpr>(call->node).arguments[1];
        Type& known = types_[stored.get()];
        if (!known) known = fresh(), changed_ = true;
        flow(type, known);
        infer(call, scope);
        return;
    }
    if (std::holds_alternative<SliceExpr>(subscript->index->node)) {
        infer(subscript->index, scope);
        if (is(object, HeapKind::List)) flow(element_of(type), part(object));
        return;
    }
    const Type index = infer(subscript->index, scope);
    if (is(object, HeapKind::Array)) {
        // An element has the array's own type, whatever it is given.
    } else if (is_sequence(object)) {
        flow(type, part(object));
    } else if (is(object, HeapKind::Dict)) {
        flow(index, part(object, 0)), flow(type, part(object, 1));
    }
    types_[target.get()] = type;
}

// ---- expressions ----------------------------------------------------------------------------------------------------------
HeapTypes::Type HeapTypes::infer(const ExprPtr& e, Scope& scope) {
    Type& type = types_[e.get()];
    if (!type) type = fresh(), changed_ = true;
    const Type result = type;
    infer_into(e, result, scope);
    return root(result);
}

HeapTypes::Type HeapTypes::element_of(Type type) {
    type = root(type);
    if (type->kind == HeapKind::Text || type->kind == HeapKind::Other || type->kind == HeapKind::Unknown) return type;
    if (type->kind == HeapKind::Tuple) {
        const Type one = fresh();
        for (const Type each : type->parts) flow(each, one);
        return root(one);
    }
    if (type->kind == HeapKind::None && raises_in_python()) return fresh();
    if (type->parts.empty()) throw NotOfHeap{"a loop over this value"};
    return root(type->parts[type->rank > 1 ? 1 : 0]);  // The rows of an array, or what else is there.
}

HeapTypes::Type HeapTypes::element_of(const ExprPtr& e, Scope& scope) {
    const Type type = infer(e, scope);
    if (!is_instance(type)) return element_of(type);
    ExprPtr& call = iterated_[e.get()];
    if (!call) call = make_method(e, "__iter__", {});
    return element_of(infer(call, scope));
}

void HeapTypes::element_into(const ExprPtr& e, Type element, Scope& scope) {
    const Type one = element_of(e, scope);
    if (is(type_of(e), HeapKind::Set)) return unify(one, element);  // An empty one is of no other table.
    flow(one, element);
}

void HeapTypes::infer_into(const ExprPtr& e, Type type, Scope& scope) {
    std::visit(
        Overloaded{
            [&](const NameExpr& n) {
                if (const Variable* known = variable(n.id, scope)) return flow(known->type, type);
                const Routine* function = nullptr;
                for (Scope* one = &scope; one && !function; one = one->outer) function = one->function;
                const auto bound = function->globals->find(n.id);
                const auto* constant = bound == function->globals->end() ? nullptr : std::get_if<NumberBinding>(&bound->second);
                if (!constant || constant->dtype) return flow(fresh(HeapKind::Other), type);
                flow(number(std::holds_alternative<bool>(constant->value)           ? kTruth
                            : std::holds_alternative<std::int64_t>(constant->value) ? kInteger
                                                                                    : kReal),
                     type);
            },
            [&](const ConstantExpr& n) {
                if (std::holds_alternative<std::int64_t>(n.value)) return flow(number(kInteger), type);
                if (std::holds_alternative<double>(n.value)) return flow(number(kReal), type);
                if (std::holds_alternative<bool>(n.value)) return flow(number(kTruth), type);
                if (std::holds_alternative<std::string>(n.value)) return unify(fresh(HeapKind::Text), type);
                if (std::holds_alternative<NoneValue>(n.value)) return unify(fresh(HeapKind::None), type);
                unify(fresh(HeapKind::Other), type);
            },
            [&](const UnaryExpr& n) {
                const Type operand = infer(n.operand, scope);
                if (is_instance(operand) && n.op != UnaryOp::Not) {
                    if (n.op != UnaryOp::Minus) throw NotOfHeap{"an operator of an object"};
                    return void(infer_operator(e, "__neg__", n.operand, nullptr, type, scope));
                }
                infer_negation(n.op, operand, type);
            },
            [&](const BinaryExpr& n) {
                const Type left = infer(n.left, scope), right = infer(n.right, scope);
                if (infer_operator(e, operator_method(n.op), n.left, n.right, type, scope)) return;
                infer_binary(n.op, left, right, type);
            },
            [&](const BoolExpr& n) {
                std::vector<Type> all;
                for (const ExprPtr& operand : n.operands) all.push_back(infer(operand, scope));
                const bool objects = std::ranges::any_of(all, [&](Type one) { return is_object(one); });
                const bool mixed = std::ranges::any_of(all, [&](Type one) {
                    return !is(one, HeapKind::Unknown) && kind(one) != kind(all[0]) && !is(all[0], HeapKind::Unknown);
                });
                if (objects && mixed && is(type, HeapKind::Unknown)) return flow(fresh(HeapKind::Other), type);
                for (const Type one : all) join(one, type);
            },
            [&](const CompareExpr& n) {
                std::vector<Type> all;
                for (const ExprPtr& operand : n.operands) refuse_range(operand), all.push_back(infer(operand, scope));
                for (std::size_t at = 0; at < n.ops.size(); ++at) {
                    const bool in = n.ops[at] == CompareOp::In || n.ops[at] == CompareOp::NotIn;
                    if (in && is_instance(all[at + 1])) {
                        if (n.ops.size() != 1) throw NotOfHeap{"a chain with in"};
                        ExprPtr found = make_method(n.operands[1], "__contains__", {n.operands[0]});
                        if (n.ops[0] == CompareOp::NotIn) found = make_expression(UnaryExpr{UnaryOp::Not, found}, e->span);
                        return void(stands_for(e, found, type, scope));
                    }
                    if (in && !is(all[at + 1], HeapKind::Other) && !is(all[at + 1], HeapKind::Unknown) &&
                        !is(all[at + 1], HeapKind::Tuple) && is_object(all[at]))
                        unify(all[at], element_of(all[at + 1]));
                    else if (in && (is(all[at + 1], HeapKind::Dict) || is(all[at + 1], HeapKind::Set)) &&
                             (is(all[at], HeapKind::Number) || is(all[at], HeapKind::Tuple)))
                        flow(all[at], part(all[at + 1]));
                    else if (is(all[at], HeapKind::Set) && is(all[at + 1], HeapKind::Set) && !in)
                        unify_elements(all[at], all[at + 1]);
                    else if (is_object(all[at]) && is_object(all[at + 1]) && !in)
                        unify(all[at], all[at + 1]);
                }
                infer_comparison(n, all, type);
            },
            [&](const ConditionalExpr& n) {
                infer(n.condition, scope);
                flow(infer(n.if_true, scope), type), flow(infer(n.if_false, scope), type);
            },
            [&](const CallExpr& n) { infer_call(e, n, type, scope); },
            [&](const AttributeExpr& n) {
                const std::string known = known_function(e, scope);
                if (known.empty() && infer_attribute(e, n, type, scope)) return;
                // Of what nobody knows yet.
                if (const auto object = types_.find(n.object.get()); known.empty() && raises_in_python() && object != types_.end())
                    if (is(object->second, HeapKind::Unknown) || is(object->second, HeapKind::None)) return;
                if (!known_constant(known).empty()) return flow(number(kReal), type);
                if (known.empty() && infer_array_attribute(n.name, infer(n.object, scope), type)) return;
                flow(fresh(HeapKind::Other), type);
            },
            [&](const SubscriptExpr& n) { infer_subscript(e, n, type, scope); },
            [&](const SliceExpr& n) {
                for (const ExprPtr& bound : {n.begin, n.end, n.step})
                    if (bound) infer(bound, scope);
                flow(fresh(HeapKind::Other), type);
            },
            [&](const TupleExpr& n) {
                std::vector<Type> parts;
                for (const ExprPtr& one : n.elements) {
                    refuse_range(one);
                    parts.push_back(infer(one, scope));
                    if (is(parts.back(), HeapKind::Unknown)) return;
                }
                flow(fresh(HeapKind::Tuple, parts), type);
            },
            [&](const ListExpr& n) {
                if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::List, {fresh()}), type);
                for (const ExprPtr& one : n.elements) {
                    if (const auto* starred = std::get_if<StarredExpr>(&one->node))
                        flow(element_of(starred->value, scope), part(type));
                    else
                        flow(infer(one, scope), part(type));
                }
            },
            [&](const LambdaExpr&) { flow(fresh(HeapKind::Other), type); },
            [&](const StarredExpr&) { throw NotOfHeap{"a starred expression here"}; },
            [&](const NamedExpr&) { throw NotOfHeap{"an assignment in an expression"}; },
            [&](const DictExpr& n) {
                if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::Dict, {fresh(), fresh()}), type);
                for (std::size_t at = 0; at < n.keys.size(); ++at)
                    flow(infer(n.keys[at], scope), part(type, 0)), flow(infer(n.values[at], scope), part(type, 1));
            },
            [&](const ComprehensionExpr& n) {
                std::vector<ExprPtr> targets;
                for (const ComprehensionClause& clause : n.clauses) targets.push_back(clause.target);
                Scope& own = scope_of(e, scope, targets);
                for (std::size_t at = 0; at < n.clauses.size(); ++at) {
                    const ComprehensionClause& clause = n.clauses[at];
                    bind(clause.target, element_of(clause.iterable, at == 0 ? scope : own), own);
                    for (const ExprPtr& condition : clause.conditions) infer(condition, own);
                }
                if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::List, {fresh()}), type);
                flow(infer(n.element, own), part(type));
            },
        },
        e->node);
}

}  // namespace sluice::frontend
