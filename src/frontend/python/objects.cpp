#include "frontend/python/objects.h"

#include <algorithm>
#include <functional>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/object_parts.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr const char* kInit = "__init__";

[[noreturn]] void refuse_use(const std::string& what, const Span& span) {
    refuse("F020", what, span, "read and assign its fields and call its methods, or hand on the fields one by one");
}

/// The targets and the value of an assignment of any form; no value for other statements.
std::pair<std::vector<ExprPtr>, ExprPtr> assignment_of(const Stmt& one) {
    if (const auto* s = std::get_if<AssignStmt>(&one.node)) return {s->targets, s->value};
    if (const auto* s = std::get_if<AnnAssignStmt>(&one.node); s && s->value) return {{s->target}, s->value};
    return {};
}

}  // namespace

Objects::Objects(const FunctionStmt& function, const Definition& definition)
    : function_(function), definition_(definition), copies_(function.body), bound_(binding_counts(function.body)) {
    for (const auto& [name, count] : occurrences(function.body)) taken_.insert(name);
    for (const Parameter& parameter : function.parameters) taken_.insert(parameter.name), bound_[parameter.name] += 1;
}

bool Objects::any() {
    std::set<std::string> seen;
    return !definition_.classes.empty() && mentions_classes(function_.body, seen);
}

Body Objects::body() {
    Scope scope = entered(function_.body, function_.parameters, "", {});
    scope.hands_out = true;
    Body rest = of(function_.body, scope), all;
    for (const std::string& name : order_) all.push_back(written_.at(name));
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

// ---- the names of a body -------------------------------------------------------------------------------------------------
Objects::Scope Objects::entered(const Body& body, const std::vector<Parameter>& parameters, const std::string& prefix,
                                Scope scope) {
    struct Found {
        const ObjectClass* of_class;
        int made = 0, named = 0;
        Span span;
    };
    std::map<std::string, int> bound = binding_counts(body);
    for (const Parameter& parameter : parameters) bound[parameter.name] += 1;
    for (const auto& [name, count] : bound)  // What the function around calls so is hidden.
        if (std::ranges::find(parameters, name, &Parameter::name) == parameters.end()) scope.names.erase(name);
    Scope guess = scope;
    std::map<std::string, Found> found;
    std::map<std::string, std::pair<int, Span>> of_loops;  ///< How often loops over objects bind a name.
    for (bool grows = true; grows;) {
        grows = false;
        found.clear(), of_loops.clear();
        const auto learn = [&](const ExprPtr& target, const Meaning& kind) {
            const std::string name(name_of(target));
            if (!name.empty() && kind && guess.names.emplace(name, kind).second) grows = true;
        };
        const auto bound_to = [&](const ExprPtr& target, const Meaning& kind, const ExprPtr& value, bool is_new) {
            learn(target, kind);
            if (kind.kind != Meaning::Kind::Object || name_of(target).empty()) return;
            const ObjectClass& of_class = class_of(kind.name);
            Found& one = found.try_emplace(std::string(name_of(target)), Found{&of_class, 0, 0, value->span}).first->second;
            if (one.of_class != &of_class) refuse_use("a name of objects of several classes", value->span);
            (is_new ? one.made : one.named) += 1;
        };
        const auto assigned = [&](const ExprPtr& target, const ExprPtr& value) {
            const std::string name(name_of(target));
            if (name.empty()) return;
            if (is_list_of_objects(value, guess)) {
                if (!guess.names.contains(name)) learn(target, any_list(value, guess));
                return;
            }
            bound_to(target, kind_of(value, guess), value, new_class(value, guess) != nullptr);
        };
        walk_statements(body, [&](const Stmt& one) {
            const auto [targets, value] = assignment_of(one);
            for (const ExprPtr& target : targets) {
                const auto names = elements_of(target), values = elements_of(value);
                if (names.size() > 1 && names.size() == values.size())
                    for (std::size_t at = 0; at < names.size(); ++at) assigned(names[at], values[at]);
                else
                    assigned(target, value);
                if (names.size() > 1 && values.size() == 1)
                    if (const auto parts = made_in_tuple(value, guess); parts.size() == names.size())
                        for (std::size_t at = 0; at < names.size(); ++at) bound_to(names[at], parts[at], value, true);
            }
            if (const auto* s = std::get_if<AugAssignStmt>(&one.node))
                if (const ExprPtr value_of = updated(*s, guess, one.span)) assigned(s->target, value_of);
            if (const auto* s = std::get_if<ForStmt>(&one.node))
                if (const auto all = turns(s->target, s->iterable, guess, {}, nullptr); all && !all->empty())
                    for (const std::string& name : bound_by(s->target)) {
                        const auto& names = (*all)[0].scope.names;
                        if (const auto kind = names.find(name); kind != names.end() && kind->second) {
                            learn(make_name(name), kind->second);
                            ++of_loops.try_emplace(name, 0, one.span).first->second.first;
                        }
                    }
            return !std::holds_alternative<FunctionStmt>(one.node);
        });
    }
    const auto times = [&](const std::string& name) {  // The body of a `with` binds names that are not counted.
        const auto counted = bound.find(name);
        return counted == bound.end() ? 0 : counted->second;
    };
    for (const auto& [name, count] : of_loops)
        if (times(name) != count.first || found.contains(name))
            refuse_use("a name of an object that means something else as well", count.second);
    for (const auto& [name, one] : found) {
        const bool other = times(name) != one.made + one.named, again = one.made > 0 || times(name) > 1;
        if (one.made > 0 && other) refuse_use("a name of an object that means something else as well", one.span);
        if (other || (!again && !is_unchanged(*one.of_class))) continue;
        if (one.named > 0 && !is_unchanged(*one.of_class))
            refuse_use("a second name of an object that is changed, among others", one.span);
        scope.names[name] =
            prefix == "?" ? any_of(*one.of_class) : Meaning{Meaning::Kind::Object, prefix.empty() ? name : own(prefix + name), 0};
        class_of_[scope.names.at(name).name] = one.of_class;
    }
    if (prefix == "?") scope = std::move(guess);
    scope.bound = std::make_shared<const std::map<std::string, int>>(std::move(bound));
    return scope;
}

// ---- statements ------------------------------------------------------------------------------------------------------------
Body Objects::of(const Body& body, Scope scope) {
    Body out;
    for (const StmtPtr& one : body) {
        add(one, scope, out);
        note_return(*one, scope);
    }
    return out;
}

void Objects::add(const StmtPtr& one, Scope& scope, Body& out) {
    const Span& span = one->span;
    if (const auto* inner = std::get_if<FunctionStmt>(&one->node)) {
        Scope inside = scope;
        inside.hands_out = scope.hands_out && is_only_returned(inner->name);
        inner_[inner->name] = {inner, inside};
        const auto used = occurrences(inner->body);
        std::set<std::string> seen;
        if ((inside.hands_out && mentions_classes(inner->body, seen)) ||
            std::ranges::any_of(scope.names, [&](const auto& entry) { return entry.second && used.contains(entry.first); })) {
            const Call call{inner, inner->name, nullptr, 0, {}, nullptr, {}, {}};
            StmtPtr written = written_.at(function_of(call, {}, {}));
            FunctionStmt renamed_function = std::get<FunctionStmt>(written->node);
            const std::string generated = renamed_function.name;
            std::erase(order_, generated);
            std::erase_if(names_, [&](const auto& entry) { return entry.second == generated; });
            renamed_function.name = inner->name;
            renamed_function.parameters = inner->parameters;
            return out.push_back(make_statement(std::move(renamed_function), span));
        }
        return out.push_back(one);
    }
    if (const auto* s = std::get_if<ReturnStmt>(&one->node); s && s->value) {
        const Meaning kind = kind_of(s->value, scope);
        if (scope.into.size() > 1) return out.push_back(return_parts(s->value, scope, out));
        if (!scope.into.empty() && kind.kind == Meaning::Kind::Object) {
            make_of(scope.into[0], s->value, scope, out);
            return out.push_back(make_statement(ReturnStmt{nullptr}, span));
        }
        if (scope.returns_self) return out.push_back(make_statement(ReturnStmt{nullptr}, span));
        if (scope.hands_out && holds_objects(s->value, scope)) return add_return(s->value, scope, out);
    }
    note_begun(assignment_of(*one).first, scope);
    if (const auto [targets, value] = assignment_of(*one); targets.size() == 1) return assign(targets[0], value, one, scope, out);
    if (const auto* s = std::get_if<AssignStmt>(&one->node))
        for (const ExprPtr& target : s->targets) refuse_property(target, scope);
    if (const auto* s = std::get_if<AugAssignStmt>(&one->node)) {
        refuse_property(s->target, scope);
        if (const ExprPtr value = updated(*s, scope, span)) return assign(s->target, value, one, scope, out);
    }
    if (const auto* s = std::get_if<ExprStmt>(&one->node)) {
        if (append(s->value, scope, out)) return;
        if (const auto call = call_of(s->value, scope))
            return out.push_back(make_statement(ExprStmt{written(*call, {}, scope, span, &out)}, span));
    }
    if (const auto* s = std::get_if<IfStmt>(&one->node))
        if (const auto taken = decided(s->condition, scope)) {
            for (const StmtPtr& inside : of(*taken ? s->then_body : s->else_body, scope)) out.push_back(inside);
            return;
        }
    if (const auto* s = std::get_if<DeleteStmt>(&one->node))
        for (const ExprPtr& target : s->targets)
            if (meaning(target, scope)) refuse_use("del of an object", span);
    if (const auto* s = std::get_if<ForStmt>(&one->node)) {
        if (add_loop(*s, scope, span, out)) return;
        if (const Meaning kind = kind_of(s->iterable, scope);
            kind.kind == Meaning::Kind::Object && class_of(kind.name).method(kTuple)) {
            const ExprPtr all = written(*method_call(s->iterable, kind, kTuple, {}), {}, scope, span, &out);
            return add(make_statement(ForStmt{s->target, all, s->body, s->else_body}, span), scope, out);
        }
    }
    const bool again = std::holds_alternative<WhileStmt>(one->node), once = once_;
    once_ = once_ && std::holds_alternative<WithStmt>(one->node);
    out.push_back(with_parts(
        one, [&](const ExprPtr& e) { return of(e, scope, again ? nullptr : &out); },
        [&](const Body& inner) { return of(inner, scope); }));
    once_ = once;
}

/// The value of `p += v` for an object; null where it is none, or its class changes it in place.
ExprPtr Objects::updated(const AugAssignStmt& s, const Scope& scope, const Span& span) {
    if (const auto* element = std::get_if<SubscriptExpr>(&s.target->node);
        element && kind_of(element->object, scope).kind == Meaning::Kind::Object)
        return make_binary(s.op, s.target, s.value, span);
    const Meaning target = meaning(s.target, scope);
    if (target.kind != Meaning::Kind::Object) return nullptr;
    const std::string in_place = "__i" + operator_method(s.op).substr(2);
    if (!class_of(target.name).method(in_place)) return make_binary(s.op, s.target, s.value, span);
    return make_expression(CallExpr{make_attribute(s.target, in_place, span), {s.value}, {}}, span);
}

void Objects::assign(const ExprPtr& target, const ExprPtr& value, const StmtPtr& one, Scope& scope, Body& out) {
    const Span& span = one->span;
    for (const ExprPtr& part : elements_of(target)) refuse_property(part, scope);
    const std::string name(name_of(target));
    const Meaning known = meaning(target, scope), kind = kind_of(value, scope);
    const std::vector<ExprPtr> parts = elements_of(target), values = elements_of(value);
    const auto is_object = [&](const ExprPtr& e) { return static_cast<bool>(kind_of(e, scope)) || is_list_of_objects(e, scope); };
    if (!name.empty() || std::holds_alternative<AttributeExpr>(target->node)) {
        if (known.kind == Meaning::Kind::Object && kind == known) {  // p = p, and what methods change in place
            if (!meaning(value, scope))
                out.push_back(make_statement(ExprStmt{written(*call_of(value, scope), {}, scope, span, &out)}, span));
            return;
        }
        if (name.empty()) {
            if (assign_field(std::get<AttributeExpr>(target->node), value, scope, span, out)) return;
        } else if (known.kind == Meaning::Kind::Object && kind.kind == Meaning::Kind::Object) {
            return make(known.name, value, scope, out);
        } else if (is_object(value)) {
            if (scope.bound && scope.bound->at(name) > 1) refuse_use("a name of objects that means something else as well", span);
            const Meaning all = is_list_of_objects(value, scope) ? new_list(value, scope, out) : object_of(value, scope, &out);
            name_again(all, span);
            scope.names[name] = all;
            return;
        }
    } else if (const auto* element = std::get_if<SubscriptExpr>(&target->node);
               element && kind_of(element->object, scope).kind == Meaning::Kind::Object) {
        const auto call = method_call(element->object, kind_of(element->object, scope), "__setitem__", {element->index, value});
        return out.push_back(make_statement(ExprStmt{written(*call, {}, scope, span, &out)}, span));
    } else if (kind.kind == Meaning::Kind::List && parts.size() > 1) {
        const std::vector<Meaning> all = lists_.at(kind.name);
        if (all.size() != parts.size()) refuse_use("a list of objects taken apart into another number of names", span);
        for (std::size_t at = 0; at < parts.size(); ++at) {
            const std::string part(name_of(parts[at]));
            if (part.empty() || (scope.bound && scope.bound->at(part) > 1)) refuse_use("such a target of an object", span);
            name_again(all[at], span);
            scope.names[part] = all[at];
        }
        return;
    } else if (parts.size() > 1 && kind.kind == Meaning::Kind::Object && class_of(kind.name).method(kTuple)) {
        const auto all = written(*method_call(value, kind, kTuple, {}), {}, scope, span, &out);
        return add(make_assignment(target, all, span), scope, out);
    } else if (parts.size() > 1 && assign_parts(parts, value, scope, out)) {
        return;
    } else if (parts.size() > 1 && parts.size() == values.size() && std::ranges::any_of(values, is_object)) {
        for (const ExprPtr& part : parts) {
            const std::string written(name_of(part));
            if (std::ranges::any_of(values, [&](const ExprPtr& e) {
                    return written.empty() ? dotted_name(*e) == dotted_name(*part)
                                           : occurrences({make_statement(ExprStmt{e}, span)}).contains(written);
                }))
                refuse_use("objects that exchange their names", span);
        }
        for (std::size_t at = 0; at < parts.size(); ++at) add(make_assignment(parts[at], values[at], span), scope, out);
        return;
    }
    StmtPtr plain = one;
    if (std::holds_alternative<AnnAssignStmt>(one->node) && std::holds_alternative<AttributeExpr>(target->node))
        plain = make_assignment(target, value, span);
    plain = with_parts(
        plain, [&](const ExprPtr& e) { return of(e, scope, &out); }, [](const Body& inner) { return inner; });
    if (const auto* s = std::get_if<AssignStmt>(&plain->node))
        if (const auto* list = std::get_if<ListExpr>(&s->value->node); list && list->elements.empty() && once_)
            empty_.emplace(name_of(s->targets[0]));
    out.push_back(plain);
}

/// Whether the field is an object or a list of objects, or becomes one.
bool Objects::assign_field(const AttributeExpr& target, const ExprPtr& value, const Scope& scope, const Span& span, Body& out) {
    const Meaning holder = kind_of(target.object, scope);
    if (holder.kind != Meaning::Kind::Object) return false;
    const Meaning object = object_of(target.object, scope, &out);
    const std::pair<std::string, std::string> field{object.name, target.name};
    meet(object.name, target.name);
    const auto known = fields_.find(field);
    const bool is_list = is_list_of_objects(value, scope);
    const Meaning kind = is_list ? Meaning() : kind_of(value, scope);
    if (!is_list && kind.kind != Meaning::Kind::Object && kind.kind != Meaning::Kind::List) {
        if (known != fields_.end()) refuse_use("a field of an object that means something else as well", span);
        return false;
    }
    if (variables_.contains(field)) refuse_use("a field of an object that means something else as well", span);
    if (!class_of(object.name).fields.contains(target.name))
        refuse_use(class_of(object.name).name + " has no field " + target.name, span);
    if (is_list || kind.kind == Meaning::Kind::List) {
        if (known != fields_.end()) refuse_use("a field that is another list of objects later", span);
        fields_[field] = is_list ? new_list(value, scope, out) : meaning(value, scope);
        return true;
    }
    const ObjectClass& of_class = class_of(kind.name);
    if (known != fields_.end() && &class_of(known->second.name) != &of_class)
        refuse_use("a field of objects of several classes", span);
    const bool named = static_cast<bool>(meaning(value, scope));
    if (named && !is_unchanged(of_class)) {
        if (known != fields_.end()) refuse_use("a field that is another object later", span);
        name_again(kind, span);
        fields_[field] = meaning(value, scope);
        return true;
    }
    const std::string made = known != fields_.end() ? known->second.name : new_object(object.name + "__" + target.name, of_class);
    make(made, value, scope, out);
    fields_[field] = {Meaning::Kind::Object, made, 0};
    return true;
}

/// A named tuple's fields are properties, too.
void Objects::refuse_property(const ExprPtr& target, const Scope& scope) {
    const auto* attribute = std::get_if<AttributeExpr>(&target->node);
    const Meaning object = attribute ? kind_of(attribute->object, scope) : Meaning();
    if (object.kind == Meaning::Kind::Object && class_of(object.name).properties.contains(attribute->name))
        refuse_use("an assignment to " + attribute->name + ", which no assignment changes", target->span);
}

// ---- objects -----------------------------------------------------------------------------------------------------------------
std::string Objects::new_object(const std::string& base, const ObjectClass& of_class) {
    std::string name = own(base);
    class_of_[name] = &of_class;
    return name;
}

void Objects::name_again(const Meaning& of, const Span& span) {
    if (of.kind != Meaning::Kind::Object) return;
    if (made_again_.contains(of.name)) refuse_use("a second name of an object that is made again", span);
    named_again_.insert(of.name);
}

/// The statements that make the object.
void Objects::make(const std::string& object, const ExprPtr& value, const Scope& scope, Body& out) {
    if (!made_.insert(object).second || !once_) {
        made_again_.insert(object);
        if (named_again_.contains(object)) refuse_use("an object with two names that is made again", value->span);
    }
    make_of(object, value, scope, out);
}

void Objects::make_of(const std::string& object, const ExprPtr& value, const Scope& scope, Body& out) {
    const Span& span = value->span;
    if (const Meaning known = meaning(value, scope)) return copy(known.name, object, span, out);
    const bool once = once_;
    if (const auto* choice = std::get_if<ConditionalExpr>(&value->node)) {
        const ExprPtr condition = of(choice->condition, scope, &out);
        once_ = false;
        Body first, second;
        make_of(object, choice->if_true, scope, first);
        make_of(object, choice->if_false, scope, second);
        once_ = once;
        return out.push_back(make_statement(IfStmt{condition, std::move(first), std::move(second)}, span));
    }
    const auto* call = std::get_if<CallExpr>(&value->node);
    const ObjectClass* by_class = call ? class_of_call(call->function, scope) : nullptr;
    Call made;
    if (by_class) {
        const ObjectClass::Method* init = by_class->method(kInit);
        made = {init->function, kInit,           by_class,      init->owner, {Meaning::Kind::Object, object, 0},
                nullptr,        call->arguments, call->keywords};
    } else {
        made = *call_of(value, scope);
    }
    // What the new object is made of is read before it takes its place.
    const auto is_it = [&](const ExprPtr& e) { return meaning(e, scope).name == object; };
    if (std::ranges::any_of(made.arguments, is_it) ||
        (by_class && std::ranges::any_of(made.keywords, [&](const Keyword& k) { return is_it(k.value); })) ||
        (!by_class && (made.self.name == object || scope.self == object))) {
        if (const auto* s = by_class ? nullptr : &made; !s || !is_plain_result(made, scope)) {
            const std::string other =
                new_object("__object" + std::to_string(span.line) + "_" + std::to_string(span.column_in_line()), class_of(object));
            make(other, value, scope, out);
            return copy(other, object, span, out);
        }
    }
    const ExprPtr run = written(made, by_class ? std::vector<std::string>() : std::vector{object}, scope, span, &out);
    out.push_back(make_statement(ExprStmt{run}, span));
}

/// Whether the function ends with its only return, of a new object that is made of values alone.
bool Objects::is_plain_result(const Call& call, const Scope& scope) {
    int returns = 0;
    walk_statements(call.function->body,
                    [&](const Stmt& one) { return returns += std::holds_alternative<ReturnStmt>(one.node), true; });
    const auto* last = call.function->body.empty() ? nullptr : std::get_if<ReturnStmt>(&call.function->body.back()->node);
    const auto* made = last && last->value ? std::get_if<CallExpr>(&last->value->node) : nullptr;
    if (returns != 1 || !made || !class_of_call(made->function, scope)) return false;
    const auto plain = [](const ExprPtr& e) { return !std::holds_alternative<NameExpr>(e->node); };
    return std::ranges::all_of(made->arguments, plain) &&
           std::ranges::all_of(made->keywords, [&](const Keyword& k) { return plain(k.value); });
}

void Objects::copy(const std::string& from, const std::string& to, const Span& span, Body& out) {
    if (from == to) return;
    copied_.insert(to);
    made_.insert(to);
    for (const std::string& field : std::vector<std::string>(met_[from])) {
        if (once_ && !left_early_ && begun_.contains({from, field})) begun_.emplace(to, field);
        if (const auto known = fields_.find({from, field}); known != fields_.end()) {
            const Meaning of = known->second;
            const auto there = fields_.find({to, field});
            if (of.kind != Meaning::Kind::Object || !is_unchanged(class_of(of.name))) {
                if (there != fields_.end() && there->second != of) refuse_use("a field that is another object later", span);
                fields_[{to, field}] = of;
                meet(to, field);
                continue;
            }
            const std::string inside =
                there != fields_.end() ? there->second.name : new_object(to + "__" + field, class_of(of.name));
            fields_[{to, field}] = {Meaning::Kind::Object, inside, 0};
            meet(to, field);
            copy(of.name, inside, span, out);
        } else if (variables_.contains({from, field})) {
            out.push_back(make_assignment(make_name(variable(to, field), span), make_name(variable(from, field), span), span));
        }
    }
}

// ---- methods -----------------------------------------------------------------------------------------------------------------
/// The function that the call is for these objects; it is written where it is first called.
std::string Objects::function_of(const Call& call, const std::map<std::string, Meaning>& objects,
                                 const std::vector<std::string>& into) {
    std::string key = "__" + (call.self ? call.self.name + "_" : std::string()) + call.key;
    for (const auto& [parameter, object] : objects) key += "_" + object.name;
    for (const std::string& object : into) key += "_into_" + object;
    if (appended_ > 0) key += "_" + std::to_string(appended_);
    if (const auto known = names_.find(key); known != names_.end()) return known->second;
    std::string readable = key;
    std::ranges::replace_if(
        readable, [](char c) { return c == '[' || c == ']' || c == '.' || c == '<' || c == '>'; }, '_');
    const std::string name = names_[key] = own(readable);
    const FunctionStmt& method = *call.function;
    const Span& span = method.body.at(0)->span;
    if (call.self && method.parameters.empty()) refuse_use("a method without a parameter for its object", span);
    if (!entered_.insert(&method).second && call.of_class == nullptr) refuse_use("recursion with objects", span);
    FunctionStmt function{name, {}, nullptr, {}, {}};
    const auto bound = binding_counts(method.body);
    const bool left_early = left_early_;
    Scope scope;
    if (const auto inner = inner_.find(method.name); inner != inner_.end() && inner->second.first == &method)
        scope = inner->second.second;
    scope.of_class = call.of_class;
    scope.owner = call.owner;
    scope.self = call.self.kind == Meaning::Kind::Object ? call.self.name : std::string();
    scope.into = into;
    scope.returns_self = returns_self(call);
    if (call.self) scope.names[method.parameters[0].name] = call.self;
    for (std::size_t at = call.self ? 1 : 0; at < method.parameters.size(); ++at) {
        const Parameter& parameter = method.parameters[at];
        const auto object = objects.find(parameter.name);
        if (object == objects.end()) {
            scope.names.erase(parameter.name);
            function.parameters.push_back(parameter);
            function.parameters.back().annotation = nullptr;
            continue;
        }
        if (bound.contains(parameter.name)) refuse_use("a parameter that is bound again", parameter.span);
        scope.names[parameter.name] = object->second;
    }
    function.body = of(copies_.of(method.body), entered(method.body, method.parameters, name + "_", std::move(scope)));
    left_early_ = left_early;
    if (!function.body.empty())
        if (const auto* last = std::get_if<ReturnStmt>(&function.body.back()->node); last && !last->value) function.body.pop_back();
    if (function.body.empty()) function.body.push_back(make_statement(PassStmt{}, span));
    entered_.erase(&method);
    std::set<std::string> fields;
    const auto assigned = binding_counts(function.body);
    for (const auto& [place, field_name] : variables_)
        if (assigned.contains(field_name)) fields.insert(field_name);
    if (!fields.empty()) {
        CallExpr names{make_name(kNonlocal, span), {}, {}};
        for (const std::string& one : fields) names.arguments.push_back(make_name(one, span));
        function.body.insert(function.body.begin(), make_statement(ExprStmt{make_expression(std::move(names), span)}, span));
    }
    written_[name] = make_statement(std::move(function), span);
    order_.push_back(name);
    return name;
}

StmtPtr with_fields_as_variables(const StmtPtr& function, const Definition& definition) {
    if (definition.classes.empty()) return function;
    Stmt copy = *function;
    auto& of_copy = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = of_copy;
    Objects objects(before, definition);
    if (!objects.any()) return function;
    of_copy.body = objects.body();
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
