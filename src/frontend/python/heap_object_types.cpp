// Objects of the user's classes (heap_classes.h): the types of their fields, and which methods calls of them may mean.
#include <algorithm>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/constants.h"
#include "frontend/python/heap_types.h"
#include "frontend/python/object_parts.h"
#include "frontend/python/raised_texts.h"
#include "frontend/python/ranges.h"
#include "frontend/python/slices.h"

namespace sluice::frontend {

using namespace code;

// ---- classes ----------------------------------------------------------------------------------------------------------------
HeapClass& HeapTypes::class_of(const ClassSource& source, const std::string& name) {
    const auto known = std::ranges::find(classes_, source.order.at(0), [](const HeapClass& one) { return one.of.order.at(0); });
    if (known != classes_.end()) return *known;
    if (source.constants.contains(kGiven)) throw NotOfHeap{"an object of the caller's"};
    classes_.push_back({.of = read_class(name, source), .constants = source.constants});
    HeapClass& made = classes_.back();
    if (made.of.method(kTuple)) {
        for (const Parameter& field : made.of.method("__init__")->function->parameters) made.tuple.push_back(field);
        made.tuple.erase(made.tuple.begin());
    }
    for (HeapFamily& family : families_) {
        const bool shares = std::ranges::any_of(source.order, [&](const std::string& one) { return family.names.contains(one); });
        if (!shares) continue;
        if (made.family) throw NotOfHeap{"a class with bases of several families"};
        made.family = &family;
    }
    if (!made.family) {
        families_.push_back({.number = families_.size(), .type = fresh(HeapKind::Object)});
        made.family = &families_.back();
        made.family->type->family = made.family;
    }
    made.family->names.insert(source.order.begin(), source.order.end());
    made.tag = static_cast<std::int64_t>(made.family->classes.size());
    made.family->classes.push_back(&made);
    return made;
}

HeapTypes::Routine* HeapTypes::routine_around(Scope& scope) const {
    for (Scope* one = &scope; one; one = one->outer)
        if (one->function) return one->function;
    return nullptr;
}

HeapClass* HeapTypes::class_named(const std::string& name, Scope& scope) {
    if (name.empty()) return nullptr;
    for (Scope* one = &scope; one; one = one->outer) {
        if (one->function && one->function->class_name == name) return one->function->of_class;
        if (one->names.contains(name)) return nullptr;
    }
    const auto& classes = routine_around(scope)->definition->classes;
    const auto known = classes.find(name);
    return known == classes.end() ? nullptr : &class_of(known->second, name);
}

HeapClass* HeapTypes::exact_class(const ExprPtr& e, Scope& scope) {
    const std::string name(name_of(e));
    for (Scope* one = &scope; one && !name.empty(); one = one->outer) {
        if (!one->names.contains(name)) continue;
        const Routine* function = one->function;
        const bool is_self = function && function->has_self && function->statement->parameters[0].name == name;
        return is_self && !binding_counts(function->statement->body).contains(name) ? function->of_class : nullptr;
    }
    return nullptr;
}

namespace {

/// `return iter(x)` of an `__iter__`, which nothing but loops calls.
Body without_iterator(const Body& body) {
    Body result = body;
    const auto* end = std::get_if<ReturnStmt>(&body.back()->node);
    const auto* call = end && end->value ? std::get_if<CallExpr>(&end->value->node) : nullptr;
    if (call && name_of(call->function) == "iter" && call->arguments.size() == 1)
        result.back() = make_statement(ReturnStmt{call->arguments[0]}, body.back()->span);
    return result;
}

}  // namespace

/// As the program's own function is written before (module.cpp).
StmtPtr HeapTypes::prepared(const StmtPtr& function) const {
    Definition around;
    around.constants = definition_.constants, around.objects = definition_.objects;
    Bindings globals = *entry_->globals;
    return with_raised_texts(with_ranges(with_slices(with_constants(function, around, globals), globals), globals));
}

HeapTypes::Routine& HeapTypes::method_routine(HeapClass& of_class, const ObjectClass::Method& method) {
    const auto known = methods_.find(method.function);
    if (known != methods_.end()) return *known->second;
    kept_functions_.push_back(prepared(method.kept));
    const FunctionStmt* function = &std::get<FunctionStmt>(kept_functions_.back()->node);
    const std::string name = function->name;
    if (name == "__iter__") {
        methods_of_classes_.push_back(*function);
        methods_of_classes_.back().body = without_iterator(function->body);
        function = &methods_of_classes_.back();
    }
    const bool is_of_class = of_class.of.of_class.contains(name), is_static = of_class.of.statics.contains(name);
    if (!is_static && function->parameters.empty()) throw NotOfHeap{"a method without a parameter for its object"};
    std::string class_name;
    if (is_of_class) {
        FunctionStmt copy = *function;
        class_name = copy.parameters[0].name;
        copy.parameters.erase(copy.parameters.begin());
        if (binding_counts(copy.body).contains(class_name)) throw NotOfHeap{"another value for a parameter that is a class"};
        methods_of_classes_.push_back(std::move(copy));
        function = &methods_of_classes_.back();
    }
    Routine& made = function_of(*function, *entry_->globals, definition_, nullptr);
    made.name = "__h_m" + std::to_string(methods_.size()) + "_" + name;
    made.of_class = &of_class;
    made.owner = method.owner;
    made.has_self = !is_of_class && !is_static;
    made.class_name = class_name;
    if (made.has_self && of_class.tuple.empty())
        flow(of_class.family->type, made.scope.names.at(made.statement->parameters[0].name).type);
    methods_[method.function] = &made;
    changed_ = true;
    return made;
}

HeapTypes::Routine* HeapTypes::special_method(HeapClass& of_class, const std::string& name) {
    const ObjectClass::Method* method = of_class.of.method(name);
    if (!method) return nullptr;
    Routine& made = method_routine(of_class, *method);
    for (std::size_t at = 1; at < made.statement->parameters.size(); ++at)
        flow(of_class.family->type, made.scope.names.at(made.statement->parameters[at].name).type);
    return &made;
}

void HeapTypes::infer_special_methods() {
    for (HeapClass& one : classes_)
        for (const std::string& name : special_)
            if (one.made) special_method(one, name);
}

HeapTypes::Type HeapTypes::field_of(HeapFamily& family, const std::string& name) {
    Type& field = family.fields[name];
    if (!field) field = fresh(), changed_ = true;
    return root(field);
}

bool HeapTypes::has_method(Type type, const std::string& name) const {
    return is_instance(type) &&
           std::ranges::any_of(root(type)->family->classes, [&](const HeapClass* one) { return one->of.method(name) != nullptr; });
}

/// An attribute of the class, as an expression of its own.
ExprPtr HeapTypes::constant_of(const HeapClass& of_class, const std::string& name) {
    ExprPtr& known = class_constants_[{&of_class, name}];
    if (!known) known = parse_expr(of_class.constants.at(name), {.file = {}, .first_line = 1}).or_fail();
    return known;
}

void HeapTypes::make(HeapClass& of_class, Scope& scope) {
    if (!of_class.made) of_class.made = changed_ = true;
    for (const auto& [name, text] : of_class.constants)
        if (of_class.family->fields.contains(name))
            flow(infer(constant_of(of_class, name), scope), field_of(*of_class.family, name));
}

// ---- calls ------------------------------------------------------------------------------------------------------------------
/// Nothing runs but what reads.
bool HeapTypes::is_pure(const ExprPtr& e) {
    if (std::holds_alternative<CallExpr>(e->node) || std::holds_alternative<ComprehensionExpr>(e->node)) return false;
    bool pure = true;
    for_each_child(*e, [&](const ExprPtr& one) { pure = pure && is_pure(one); });
    return pure;
}

/// The arguments by position, those of a starred one each for itself; nullopt where nobody knows yet how many.
std::optional<std::vector<ExprPtr>> HeapTypes::arguments_of_call(const CallExpr& n, std::size_t most, Scope& scope) {
    const auto is_starred = [](const ExprPtr& e) { return std::holds_alternative<StarredExpr>(e->node); };
    const auto starred = std::ranges::count_if(n.arguments, is_starred);
    if (starred == 0) return n.arguments;
    const bool pure = std::ranges::all_of(n.arguments, is_pure) &&
                      std::ranges::all_of(n.keywords, [](const Keyword& one) { return is_pure(one.value); });
    if (starred > 1 || !pure) throw NotOfHeap{"such a starred argument"};
    std::vector<ExprPtr> all;
    for (const ExprPtr& one : n.arguments) {
        if (!is_starred(one)) {
            all.push_back(one);
            continue;
        }
        const ExprPtr& value = std::get<StarredExpr>(one->node).value;
        const Type type = infer(value, scope);
        if (is(type, HeapKind::Unknown)) return std::nullopt;
        if (!is(type, HeapKind::Tuple) && !is_sequence(type)) throw NotOfHeap{"such a starred argument"};
        if (n.arguments.size() - 1 > most) throw NotOfHeap{"too many arguments"};
        const std::size_t count = is(type, HeapKind::Tuple) ? root(type)->parts.size() : most - (n.arguments.size() - 1);
        std::vector<ExprPtr>& parts = starred_[value.get()];
        for (std::size_t at = parts.size(); at < count; ++at) parts.push_back(make_name("<part>", value->span));
        for (std::size_t at = 0; at < count; ++at) {
            types_[parts[at].get()] = is(type, HeapKind::Tuple) ? part(type, at) : part(type);
            all.push_back(parts[at]);
        }
    }
    return all;
}

void HeapTypes::flow_arguments(Routine& called, std::size_t first, const CallExpr& n, Scope& scope) {
    const auto& parameters = called.statement->parameters;
    const auto type_at = [&](std::size_t at) { return called.scope.names.at(parameters[at].name).type; };
    if (parameters.size() < first + n.keywords.size()) throw NotOfHeap{"too many arguments"};
    const auto all = arguments_of_call(n, parameters.size() - first - n.keywords.size(), scope);
    if (!all) return;
    if (all->size() + first > parameters.size()) throw NotOfHeap{"too many arguments"};
    std::set<std::string> given;
    for (std::size_t at = 0; at < all->size(); ++at) {
        const Parameter& parameter = parameters[first + at];
        if (parameter.kind != Parameter::Kind::Either) throw NotOfHeap{"too many arguments by position"};
        flow(known_text_type(all->at(at), scope), type_at(first + at));
        given.insert(parameter.name);
    }
    for (const Keyword& keyword : n.keywords) {
        if (!called.scope.names.contains(keyword.name) || !given.insert(keyword.name).second)
            throw NotOfHeap{"a keyword that no parameter has"};
        flow(infer(keyword.value, scope), called.scope.names.at(keyword.name).type);
    }
    for (std::size_t at = first + all->size(); at < parameters.size(); ++at) {
        if (given.contains(parameters[at].name)) continue;
        if (!parameters[at].default_value) throw NotOfHeap{"fewer arguments than parameters"};
        flow(infer(parameters[at].default_value, scope), type_at(at));
    }
}

HeapTypes::Type HeapTypes::known_text_type(const ExprPtr& e, Scope& scope) {
    return name_of(e) == "<part>" ? type_of(e) : infer(e, scope);
}

/// The call of a method of an object, whichever of the family's it is. exact: its class, where that is known.
void HeapTypes::infer_dispatch(const ExprPtr& e, HeapFamily& family, HeapClass* exact, const std::string& name,
                               const ExprPtr& receiver, const CallExpr& n, Type type, Scope& scope) {
    ObjectCall call{.receiver = receiver, .is_self = exact != nullptr};
    bool known = false;
    for (HeapClass* one : std::vector(family.classes)) {
        const ObjectClass::Method* method = one->of.method(name);
        known = known || method;
        if (exact ? one != exact : !one->made) continue;
        if (!method) {
            call.all = false;
            continue;
        }
        Routine& routine = method_routine(*one, *method);
        if (routine.has_self && !one->tuple.empty())
            flow(infer(receiver, scope), routine.scope.names.at(routine.statement->parameters[0].name).type);
        flow_arguments(routine, routine.has_self ? 1 : 0, n, scope);
        flow(routine.result, type);
        call.methods.push_back({&routine, {one->tag}});
    }
    if (!known) throw NotOfHeap{"the method " + name + ", which no class has"};
    object_calls_[e.get()] = call;
}

ExprPtr HeapTypes::self_of(const Routine& method) {
    ExprPtr& known = selves_[&method];
    if (!known) known = make_name(method.statement->parameters[0].name);
    return known;
}

/// One method, whatever the object.
void HeapTypes::infer_one(const ExprPtr& e, HeapClass& of_class, const ObjectClass::Method* method, const ExprPtr& receiver,
                          const CallExpr& n, Type type, Scope& scope) {
    if (!method) throw NotOfHeap{"a method that the class does not have"};
    Routine& routine = method_routine(of_class, *method);
    if (routine.has_self && !receiver) throw NotOfHeap{"a method without its object"};
    flow_arguments(routine, routine.has_self ? 1 : 0, n, scope);
    flow(routine.result, type);
    object_calls_[e.get()] = {
        .receiver = routine.has_self ? receiver : nullptr, .is_self = true, .methods = {{&routine, {of_class.tag}}}};
}

bool HeapTypes::infer_method_call(const ExprPtr& e, const AttributeExpr& method, const CallExpr& n, Type type, Scope& scope) {
    if (const auto* super = std::get_if<CallExpr>(&method.object->node); super && name_of(super->function) == "super") {
        Scope* own = &scope;
        while (own && !(own->function && own->function->of_class)) own = own->outer;
        if (!own || !super->arguments.empty()) throw NotOfHeap{"super outside of a method"};
        const Routine& around = *own->function;
        HeapClass& of_class = *around.of_class;
        if (!around.has_self) throw NotOfHeap{"super in a method of a class"};
        const ExprPtr self = self_of(around);
        infer(self, scope);
        if (!exact_class(self, scope)) throw NotOfHeap{"super where another value has the name of the object"};
        return infer_one(e, of_class, of_class.of.method(method.name, around.owner + 1), self, n, type, scope), true;
    }
    if (HeapClass* named = class_named(std::string(name_of(method.object)), scope)) {
        const ObjectClass::Method* found = named->of.method(method.name);
        if (!found) throw NotOfHeap{"a method that the class does not have"};
        if (named->of.statics.contains(method.name) || named->of.of_class.contains(method.name))
            return infer_one(e, *named, found, nullptr, n, type, scope), true;
        // `Base.method(self)`: that of the base, among those of the object's class.
        HeapClass* exact = n.arguments.empty() ? nullptr : exact_class(n.arguments[0], scope);
        if (!exact || exact->family != named->family) throw NotOfHeap{"a method of a class with another object"};
        const std::size_t place = exact->of.place_of(named->of.order[0]);
        CallExpr rest = n;
        rest.arguments.erase(rest.arguments.begin());
        infer(n.arguments[0], scope);
        return infer_one(e, *exact, exact->of.method(method.name, place), n.arguments[0], rest, type, scope), true;
    }
    if (!known_function(n.function, scope).empty()) return false;
    const Type object = infer(method.object, scope);
    if (!is_instance(object) && !is_named_tuple(object)) return false;
    infer_dispatch(e, *root(object)->family, exact_class(method.object, scope), method.name, method.object, n, type, scope);
    return true;
}

/// A named tuple is a tuple that has its class.
void HeapTypes::make_tuple(const ExprPtr& e, HeapClass& of_class, const CallExpr& n, Type type, Scope& scope) {
    const auto all = arguments_of_call(n, of_class.tuple.size() - n.keywords.size(), scope);
    if (!all) return;
    if (all->size() > of_class.tuple.size()) throw NotOfHeap{"too many arguments"};
    std::vector<ExprPtr>& parts = tuples_made_[e.get()];
    parts = *all;
    std::set<std::string> used;
    for (std::size_t at = parts.size(); at < of_class.tuple.size(); ++at) {
        const auto keyword = std::ranges::find(n.keywords, of_class.tuple[at].name, &Keyword::name);
        const ExprPtr given = keyword != n.keywords.end() ? keyword->value : of_class.tuple[at].default_value;
        if (!given) throw NotOfHeap{"fewer arguments than fields"};
        if (keyword != n.keywords.end() && n.keywords.size() > 1 && !is_pure(given))
            throw NotOfHeap{"such arguments of a named tuple"};
        if (keyword != n.keywords.end()) used.insert(keyword->name);
        parts.push_back(given);
    }
    if (used.size() != n.keywords.size()) throw NotOfHeap{"a keyword that no field has"};
    if (is(type, HeapKind::Unknown)) {
        const Type made = fresh(HeapKind::Tuple);
        for (std::size_t at = 0; at < parts.size(); ++at) made->parts.push_back(fresh());
        made->family = of_class.family;
        unify(made, type);
    }
    for (std::size_t at = 0; at < parts.size(); ++at) flow(known_text_type(parts[at], scope), part(type, at));
}

/// Calls of classes, methods, and functions of Python's with objects; false for any other.
bool HeapTypes::infer_object_call(const ExprPtr& e, const CallExpr& n, Type type, Scope& scope) {
    const std::string plain(name_of(n.function));
    if (HeapClass* made = class_named(plain, scope)) {
        if (!raises_in_python()) throw NotOfHeap{"an object of a class"};
        make(*made, scope);
        if (!made->tuple.empty()) return make_tuple(e, *made, n, type, scope), true;
        Routine& init = method_routine(*made, *made->of.method("__init__"));
        flow_arguments(init, 1, n, scope);
        object_calls_[e.get()] = {.made = made, .methods = {{&init, {made->tag}}}};
        return unify(made->family->type, type), true;
    }
    if (const auto* method = std::get_if<AttributeExpr>(&n.function->node)) return infer_method_call(e, *method, n, type, scope);
    if (const Variable* known = variable(plain, scope); known && has_method(known->type, "__call__") && n.keywords.empty()) {
        infer(n.function, scope);
        return stands_for(e, make_method(n.function, "__call__", n.arguments), type, scope);
    }
    if (plain == "isinstance" && n.arguments.size() == 2 && !variable(plain, scope)) {
        const Type object = infer(n.arguments[0], scope);
        if (!is_instance(object) && !is(object, HeapKind::Unknown)) throw NotOfHeap{"isinstance of a value that is no object"};
        return flow(number(kTruth), type), true;
    }
    static const std::map<std::string, std::string> kMethods{{"len", "__len__"}, {"abs", "__abs__"}, {"str", "__str__"}};
    const auto known = kMethods.find(plain);
    if (known == kMethods.end() || n.arguments.size() != 1 || known_function(n.function, scope) != plain) return false;
    const Type object = infer(n.arguments[0], scope);
    if (!is_instance(object)) return false;
    return stands_for(e, make_method(n.arguments[0], known->second, {}), type, scope);
}

ExprPtr HeapTypes::make_method(const ExprPtr& object, const std::string& name, std::vector<ExprPtr> arguments) const {
    return make_expression(CallExpr{make_attribute(object, name, object->span), std::move(arguments), {}}, object->span);
}

// ---- expressions --------------------------------------------------------------------------------------------------------------
/// The expression is another one, which is made once.
bool HeapTypes::stands_for(const ExprPtr& e, const ExprPtr& other, Type type, Scope& scope) {
    const ExprPtr& kept = in_place_.try_emplace(e.get(), other).first->second;
    flow(infer(kept, scope), type);
    return true;
}

const ExprPtr& HeapTypes::in_place_of(const ExprPtr& e) const {
    const auto known = in_place_.find(e.get());
    return known == in_place_.end() ? e : in_place_of(known->second);
}

/// What a loop over the expression goes over: what `__iter__` gives for an object.
const ExprPtr& HeapTypes::iterable_of(const ExprPtr& e) const {
    const auto known = iterated_.find(e.get());
    return known == iterated_.end() ? e : known->second;
}

bool HeapTypes::infer_attribute(const ExprPtr& e, const AttributeExpr& n, Type type, Scope& scope) {
    if (HeapClass* named = class_named(std::string(name_of(n.object)), scope)) {
        if (!named->constants.contains(n.name)) throw NotOfHeap{"an attribute of a class that is no constant"};
        return stands_for(e, constant_of(*named, n.name), type, scope);
    }
    const Type object = infer(n.object, scope);
    if (is_named_tuple(object)) {
        const std::vector<Parameter>& fields = root(object)->family->classes.at(0)->tuple;
        const auto field = std::ranges::find(fields, n.name, &Parameter::name);
        if (field != fields.end())
            return stands_for(e, make_subscript(n.object, {make_integer(field - fields.begin(), e->span)}, e->span), type, scope);
        if (root(object)->family->classes[0]->of.properties.contains(n.name))
            return stands_for(e, make_method(n.object, n.name, {}), type, scope);
        throw NotOfHeap{"an attribute of a named tuple"};
    }
    if (!is_instance(object)) return false;
    HeapFamily& family = *root(object)->family;
    if (family.fields.contains(n.name)) {
        if (const auto known = in_place_.find(e.get()); known != in_place_.end())
            made_.push_back(known->second), in_place_.erase(known);
        return flow(field_of(family, n.name), type), true;
    }
    const HeapClass* exact = exact_class(n.object, scope);
    std::set<std::string> constants;
    const HeapClass* with_constant = nullptr;
    bool without = false;
    for (const HeapClass* one : family.classes) {
        if (exact ? one != exact : !one->made) continue;
        if (one->of.properties.contains(n.name)) return stands_for(e, make_method(n.object, n.name, {}), type, scope);
        if (one->of.methods.contains(n.name)) throw NotOfHeap{"a method as a value"};
        const auto constant = one->constants.find(n.name);
        if (constant == one->constants.end())
            without = true;
        else
            constants.insert(constant->second), with_constant = one;
    }
    if (constants.size() == 1 && !without) return stands_for(e, constant_of(*with_constant, n.name), type, scope);
    return flow(field_of(family, n.name), type), true;
}

void HeapTypes::bind_field(const AttributeExpr& n, Type type, Scope& scope) {
    if (class_named(std::string(name_of(n.object)), scope)) throw NotOfHeap{"an assignment to an attribute of a class"};
    const Type object = infer(n.object, scope);
    if (is(object, HeapKind::Unknown) || is(object, HeapKind::None)) return;
    if (!is_instance(object)) throw NotOfHeap{"an assignment to an attribute of this value"};
    HeapFamily& family = *root(object)->family;
    for (const HeapClass* one : family.classes)
        if (one->of.methods.contains(n.name)) throw NotOfHeap{"an assignment to a method or property"};
    for (const HeapClass* one : family.classes) {
        const auto slots = one->constants.find("__slots__");
        if (slots == one->constants.end()) continue;
        const std::vector<ExprPtr> names = elements_of(parse_expr(slots->second, {.file = {}, .first_line = 1}).or_fail());
        if (std::ranges::none_of(names, [&](const ExprPtr& slot) { return *text_of(slot) == n.name; }))
            throw NotOfHeap{"an assignment to an attribute that is no slot"};
    }
    flow(type, field_of(family, n.name));
}

/// An operator as the call of a method.
bool HeapTypes::infer_operator(const ExprPtr& e, const std::string& method, const ExprPtr& left, const ExprPtr& right, Type type,
                               Scope& scope) {
    const Type a = type_of(left), b = right ? type_of(right) : nullptr;
    if (!is_instance(a) && !(b && is_instance(b))) return false;
    if (has_method(a, method))
        return stands_for(e, make_method(left, method, right ? std::vector{right} : std::vector<ExprPtr>()), type, scope);
    const std::string mirrored = "__r" + method.substr(std::min<std::size_t>(2, method.size()));
    if (is(a, HeapKind::Unknown)) return true;
    if (!b || !has_method(b, mirrored) || is_instance(a) || !is_pure(left) || !is_pure(right))
        throw NotOfHeap{"an operator that the class of its operand does not have"};
    return stands_for(e, make_method(right, mirrored, {left}), type, scope);
}

std::vector<HeapTypes::Routine*> HeapTypes::called_by(const ExprPtr& e) const {
    std::vector<Routine*> all;
    if (const auto known = object_calls_.find(in_place_of(e).get()); known != object_calls_.end())
        for (const auto& [routine, tags] : known->second.methods) all.push_back(routine);
    return all;
}

}  // namespace sluice::frontend
