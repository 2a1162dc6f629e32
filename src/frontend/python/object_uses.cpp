// What expressions mean where objects take part, and the expressions of fields and functions that take their places.
#include <algorithm>
#include <functional>

#include "code/displays.h"
#include "code/encoded.h"
#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/object_parts.h"

namespace sluice::frontend {

using namespace code;

// ---- names ------------------------------------------------------------------------------------------------------------
const ObjectClass* Objects::class_named(const std::string& name) {
    const auto source = definition_.classes.find(name);
    if (source == definition_.classes.end() || bound_.contains(name)) return nullptr;
    if (const auto known = classes_.find(name); known != classes_.end()) return &known->second;
    return &classes_.emplace(name, read_class(name, source->second)).first->second;
}

const ObjectClass* Objects::class_of_call(const ExprPtr& e, const Scope& scope) {
    const std::string name(name_of(e));
    const auto known = scope.names.find(name);
    if (known == scope.names.end()) return class_named(name);
    return known->second.kind == Meaning::Kind::Class ? class_named(known->second.name) : nullptr;
}

const FunctionStmt* Objects::helper_named(const std::string& name, const Scope& scope) {
    if (scope.names.contains(name) || bound_.contains(name)) return nullptr;
    if (const auto inner = inner_.find(name); inner != inner_.end()) return inner->second.first;
    const auto source = definition_.helpers.find(name);
    if (source == definition_.helpers.end()) return nullptr;
    StmtPtr& read = helpers_[name];
    if (!read) read = read_function(source->second);
    return read ? std::get_if<FunctionStmt>(&read->node) : nullptr;
}

bool Objects::mentions_classes(const Body& body, std::set<std::string>& seen) {
    return std::ranges::any_of(occurrences(body), [&](const auto& entry) {
        if (class_named(entry.first)) return true;
        const FunctionStmt* helper = helper_named(entry.first, {});
        return helper && seen.insert(entry.first).second && mentions_classes(helper->body, seen);
    });
}

std::string Objects::own(const std::string& base) {
    std::string name = base;
    while (!taken_.insert(name).second) name += "_";
    return name;
}

std::string Objects::variable(const std::string& object, const std::string& field) {
    std::string& name = variables_[{object, field}];
    if (name.empty()) name = own(object + "__" + field);
    meet(object, field);
    return name;
}

void Objects::meet(const std::string& object, const std::string& field) {
    std::vector<std::string>& all = met_[object];
    if (std::ranges::find(all, field) == all.end()) all.push_back(field);
}

// ---- what expressions are ----------------------------------------------------------------------------------------------
std::optional<std::int64_t> Objects::folded(const ExprPtr& e, const Scope& scope) {
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node)) {
        const auto* number = std::get_if<std::int64_t>(&constant->value);
        return number ? std::optional(*number) : std::nullopt;
    }
    if (const auto known = scope.names.find(std::string(name_of(e))); known != scope.names.end())
        return known->second.kind == Meaning::Kind::Number ? std::optional(known->second.number) : std::nullopt;
    if (const auto* call = std::get_if<CallExpr>(&e->node);
        call && name_of(call->function) == "len" && call->arguments.size() == 1) {
        const Meaning of = meaning(call->arguments[0], scope);
        return of.kind == Meaning::Kind::List ? std::optional(static_cast<std::int64_t>(lists_.at(of.name).size())) : std::nullopt;
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Minus)
        if (const auto value = folded(unary->operand, scope)) return -*value;
    const auto* binary = std::get_if<BinaryExpr>(&e->node);
    const auto left = binary ? folded(binary->left, scope) : std::nullopt,
               right = left ? folded(binary->right, scope) : std::nullopt;
    if (!right) return std::nullopt;
    if (binary->op == BinaryOp::Add) return *left + *right;
    return binary->op == BinaryOp::Sub ? std::optional(*left - *right) : std::nullopt;
}

Objects::Meaning Objects::meaning(const ExprPtr& e, const Scope& scope) {
    if (const std::string_view name = name_of(e); !name.empty()) {
        const auto known = scope.names.find(std::string(name));
        return known == scope.names.end() ? Meaning() : known->second;
    }
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) {
        const Meaning object = meaning(attribute->object, scope);
        const auto known = fields_.find({object.name, attribute->name});
        return object.kind == Meaning::Kind::Object && known != fields_.end() ? known->second : Meaning();
    }
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
        const Meaning list = meaning(subscript->object, scope);
        if (list.kind != Meaning::Kind::List) return {};
        const std::vector<Meaning> all = lists_.at(list.name);
        const auto size = static_cast<std::int64_t>(all.size());
        if (const auto* slice = std::get_if<SliceExpr>(&subscript->index->node)) {
            const auto begin = slice->begin ? folded(slice->begin, scope) : std::optional<std::int64_t>(0);
            const auto end = slice->end ? folded(slice->end, scope) : std::optional(size);
            const auto step = slice->step ? folded(slice->step, scope) : std::optional<std::int64_t>(1);
            if (!begin || !end || !step || (*step != 1 && !(*step == -1 && !slice->begin && !slice->end))) return {};
            const auto inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
            std::vector<Meaning> part(all.begin() + inside(*begin), all.begin() + std::max(inside(*begin), inside(*end)));
            if (*step == -1) std::ranges::reverse(part);
            const std::string name = list.name + "[" + std::to_string(lists_.size()) + "]";
            lists_[name] = part;
            return {Meaning::Kind::List, name, 0};
        }
        const auto at = folded(subscript->index, scope);
        if (!at || *at >= size || *at < -size) return {};
        return all[static_cast<std::size_t>(*at < 0 ? *at + size : *at)];
    }
    if (const auto* call = std::get_if<CallExpr>(&e->node);
        call && name_of(call->function) == "reversed" && call->arguments.size() == 1) {
        const Meaning list = meaning(call->arguments[0], scope);
        if (list.kind != Meaning::Kind::List) return {};
        std::vector<Meaning> all = lists_.at(list.name);
        std::ranges::reverse(all);
        const std::string name = list.name + "[" + std::to_string(lists_.size()) + "]";
        lists_[name] = all;
        return {Meaning::Kind::List, name, 0};
    }
    return {};
}

Objects::Meaning Objects::any_of(const ObjectClass& of_class) {
    const std::string name = "?" + of_class.name;
    class_of_[name] = &of_class;
    return {Meaning::Kind::Object, name, 0};
}

Objects::Meaning Objects::kind_of(const ExprPtr& e, const Scope& scope) {
    if (const Meaning known = meaning(e, scope)) return known;
    if (const auto* call = std::get_if<CallExpr>(&e->node))
        if (const ObjectClass* of_class = class_of_call(call->function, scope)) return any_of(*of_class);
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node)) {
        const Meaning first = kind_of(choice->if_true, scope), second = kind_of(choice->if_false, scope);
        const bool objects = first.kind == Meaning::Kind::Object && second.kind == Meaning::Kind::Object;
        return objects && &class_of(first.name) == &class_of(second.name) ? any_of(class_of(first.name)) : Meaning();
    }
    const auto call = call_of(e, scope);
    if (!call) return {};
    if (returns_self(*call)) return call->self;
    const ObjectClass* of_class = made_by(*call, scope);
    return of_class ? any_of(*of_class) : Meaning();
}

const ObjectClass* Objects::new_class(const ExprPtr& e, const Scope& scope) {
    const Meaning kind = meaning(e, scope) ? Meaning() : kind_of(e, scope);
    return kind.kind == Meaning::Kind::Object && kind.name.starts_with("?") ? &class_of(kind.name) : nullptr;
}

/// What the names in the function mean when it is called so.
Objects::Scope Objects::inside_of(const Call& call, const Scope& scope) {
    Scope inside;
    if (const auto inner = inner_.find(call.function->name); inner != inner_.end() && inner->second.first == call.function)
        inside = inner->second.second;
    inside.of_class = call.of_class;
    inside.owner = call.owner;
    inside.self = call.self.name;
    const std::size_t skipped = call.self ? 1 : 0;
    if (call.self && !call.function->parameters.empty()) inside.names[call.function->parameters[0].name] = call.self;
    for (std::size_t at = 0; at < call.arguments.size() && at + skipped < call.function->parameters.size(); ++at)
        if (const Meaning kind = kind_of(call.arguments[at], scope))
            inside.names[call.function->parameters[at + skipped].name] = kind;
    for (const Keyword& keyword : call.keywords)
        if (const Meaning kind = kind_of(keyword.value, scope)) inside.names[keyword.name] = kind;
    return entered(call.function->body, call.function->parameters, "?", std::move(inside));
}

/// Whether the function makes the object that it returns; other names are of objects that somebody else has.
bool Objects::makes(const FunctionStmt& function, const ExprPtr& returned, const Scope& inside) {
    const std::string name(name_of(returned));
    if (name.empty()) return new_class(returned, inside) != nullptr;
    bool any = false, others = false;
    walk_statements(function.body, [&](const Stmt& one) {
        const auto* s = std::get_if<AssignStmt>(&one.node);
        if (s && s->targets.size() == 1 && name_of(s->targets[0]) == name) (new_class(s->value, inside) ? any : others) = true;
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return any && !others;
}

const ObjectClass* Objects::made_by(const Call& call, const Scope& scope) {
    if (!entered_.insert(call.function).second) return nullptr;
    const Scope inside = inside_of(call, scope);
    const ObjectClass* result = nullptr;
    bool all = true, made = true;
    walk_statements(call.function->body, [&](const Stmt& one) {
        const auto* s = std::get_if<ReturnStmt>(&one.node);
        if (!s) return !std::holds_alternative<FunctionStmt>(one.node);
        const Meaning kind = s->value ? kind_of(s->value, inside) : Meaning();
        const ObjectClass* returned = kind.kind == Meaning::Kind::Object ? &class_of(kind.name) : nullptr;
        all = all && returned && (!result || result == returned);
        made = made && returned && makes(*call.function, s->value, inside);
        result = returned;
        return true;
    });
    entered_.erase(call.function);
    return all && result && (made || is_unchanged(*result)) ? result : nullptr;
}

bool Objects::returns_self(const Call& call) const {
    if (call.self.kind != Meaning::Kind::Object || call.function->parameters.empty()) return false;
    bool all = true, any = false;
    walk_statements(call.function->body, [&](const Stmt& one) {
        const auto* s = std::get_if<ReturnStmt>(&one.node);
        if (!s) return !std::holds_alternative<FunctionStmt>(one.node);
        any = true;
        all = all && name_of(s->value) == call.function->parameters[0].name;
        return true;
    });
    return any && all;
}

bool Objects::is_unchanged(const ObjectClass& of_class) {
    if (!changed_) {
        changed_.emplace();
        const auto read = [&](const Body& body, const std::string& self) {
            const std::function<void(const ExprPtr&)> target = [&](const ExprPtr& e) {
                if (const auto* attribute = std::get_if<AttributeExpr>(&e->node); attribute && name_of(attribute->object) != self)
                    changed_->insert(attribute->name);
            };
            const auto targets = [&](const ExprPtr& e) { std::ranges::for_each(elements_of(e), target); };
            walk_statements(body, [&](const Stmt& one) {
                if (const auto* s = std::get_if<AssignStmt>(&one.node)) std::ranges::for_each(s->targets, targets);
                if (const auto* s = std::get_if<AugAssignStmt>(&one.node)) targets(s->target);
                if (const auto* s = std::get_if<AnnAssignStmt>(&one.node)) targets(s->target);
                if (const auto* s = std::get_if<ForStmt>(&one.node)) targets(s->target);
                if (const auto* s = std::get_if<WithStmt>(&one.node))
                    for (const WithItem& item : s->items)
                        if (item.target) targets(item.target);
                return true;
            });
        };
        read(function_.body, "");
        for (const auto& [name, source] : definition_.helpers)
            if (const FunctionStmt* helper = helper_named(name, {})) read(helper->body, "");
        for (const auto& [name, source] : definition_.classes)
            if (const ObjectClass* one = class_named(name))
                for (const auto& [called, all] : one->methods)
                    for (const ObjectClass::Method& method : all) {
                        const bool begins =
                            (called == "__init__" || called == "__post_init__") && !method.function->parameters.empty();
                        read(method.function->body, begins ? method.function->parameters[0].name : std::string());
                    }
    }
    return std::ranges::none_of(of_class.fields, [&](const std::string& field) { return changed_->contains(field); });
}

// ---- calls ---------------------------------------------------------------------------------------------------------------
std::optional<Objects::Call> Objects::method_call(const ExprPtr& receiver, const Meaning& object, const std::string& method,
                                                  std::vector<ExprPtr> arguments) {
    if (object.kind != Meaning::Kind::Object) return std::nullopt;
    const ObjectClass& known = class_of(object.name);
    const ObjectClass::Method* found = known.method(method);
    if (!found)
        refuse("F020", known.name + " has no method " + (method.empty() ? "for this" : method), receiver->span,
               "read and assign its fields and call its methods, or hand on the fields one by one");
    Call call{found->function, method, &known, found->owner, object, receiver, std::move(arguments), {}};
    if (known.statics.contains(method)) {
        call.self = {};
        call.receiver = nullptr;
    } else if (known.of_class.contains(method)) {
        call.self = {Meaning::Kind::Class, known.name, 0};
        call.receiver = nullptr;
    }
    return call;
}

std::optional<Objects::Call> Objects::named_call(const CallExpr& call, const Scope& scope) {
    const std::string name(name_of(call.function));
    static const std::map<std::string, std::string> kOfPython{{"abs", "__abs__"}, {"len", "__len__"}};
    if (const auto known = kOfPython.find(name); known != kOfPython.end() && call.arguments.size() == 1)
        if (const Meaning object = kind_of(call.arguments[0], scope); object.kind == Meaning::Kind::Object)
            return method_call(call.arguments[0], object, known->second, {});
    if (const Meaning object = meaning(call.function, scope); object.kind == Meaning::Kind::Object) {
        auto found = method_call(call.function, object, "__call__", call.arguments);
        found->keywords = call.keywords;
        return found;
    }
    const FunctionStmt* helper = helper_named(name, scope);
    if (!helper || entered_.contains(helper)) return std::nullopt;
    const auto is_object = [&](const ExprPtr& e) { return static_cast<bool>(kind_of(e, scope)) || is_list_of_objects(e, scope); };
    Call found{helper, name, nullptr, 0, {}, nullptr, call.arguments, call.keywords};
    const bool with_objects = std::ranges::any_of(call.arguments, is_object) ||
                              std::ranges::any_of(call.keywords, [&](const Keyword& k) { return is_object(k.value); });
    return with_objects || made_by(found, scope) || !made_in_tuple(found, scope).empty() ? std::optional(found) : std::nullopt;
}

std::optional<Objects::Call> Objects::attribute_call(const CallExpr& call, const AttributeExpr& function, const Scope& scope) {
    const auto with = [&](const ObjectClass& known, const ObjectClass::Method* method, const Meaning& self, const ExprPtr& receiver,
                          std::vector<ExprPtr> arguments) {
        if (!method)
            refuse("F020", known.name + " has no method " + function.name, function.object->span,
                   "call one that its class or a base has");
        return Call{method->function,
                    function.name + "_of_" + (method->owner < known.order.size() ? known.order[method->owner] : std::string()),
                    &known,
                    method->owner,
                    self,
                    receiver,
                    std::move(arguments),
                    call.keywords};
    };
    if (const auto* super = std::get_if<CallExpr>(&function.object->node);
        super && name_of(super->function) == "super" && scope.of_class)
        return with(*scope.of_class, scope.of_class->method(function.name, scope.owner + 1), {Meaning::Kind::Object, scope.self, 0},
                    nullptr, call.arguments);
    if (const ObjectClass* known = class_of_call(function.object, scope)) {
        if (known->statics.contains(function.name)) return with(*known, known->method(function.name), {}, nullptr, call.arguments);
        if (known->of_class.contains(function.name))
            return with(*known, known->method(function.name), {Meaning::Kind::Class, known->name, 0}, nullptr, call.arguments);
        const Meaning self = call.arguments.empty() ? Meaning() : kind_of(call.arguments[0], scope);
        if (self.kind != Meaning::Kind::Object) return std::nullopt;
        const ObjectClass& of_object = class_of(self.name);
        return with(of_object, of_object.method(function.name, of_object.place_of(known->order.at(0))), self, call.arguments[0],
                    {call.arguments.begin() + 1, call.arguments.end()});
    }
    const Meaning object = kind_of(function.object, scope);
    if (object.kind != Meaning::Kind::Object) return std::nullopt;
    const Meaning of_field = meaning(call.function, scope);
    const bool calls_field = of_field.kind == Meaning::Kind::Object;
    const ObjectClass& known = class_of(object.name);
    if (!calls_field && !known.method(function.name)) return std::nullopt;  // A branch for another class may call it.
    auto found = calls_field ? method_call(call.function, of_field, "__call__", call.arguments)
                             : method_call(function.object, object, function.name, call.arguments);
    found->keywords = call.keywords;
    return found;
}

std::optional<Objects::Call> Objects::call_of(const ExprPtr& e, const Scope& scope) {
    if (const auto* call = std::get_if<CallExpr>(&e->node)) {
        if (class_of_call(call->function, scope)) return std::nullopt;
        const auto* attribute = std::get_if<AttributeExpr>(&call->function->node);
        return attribute ? attribute_call(*call, *attribute, scope) : named_call(*call, scope);
    }
    const auto object = [&](const ExprPtr& one) {
        const Meaning kind = kind_of(one, scope);
        return kind.kind == Meaning::Kind::Object ? kind : Meaning();
    };
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        const std::string method = operator_method(binary->op);
        if (const Meaning left = object(binary->left)) return method_call(binary->left, left, method, {binary->right});
        if (const Meaning right = method.empty() ? Meaning() : object(binary->right))
            return method_call(binary->right, right, "__r" + method.substr(2), {binary->left});
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op != UnaryOp::Not)
        if (const Meaning operand = object(unary->operand))
            return method_call(unary->operand, operand, unary->op == UnaryOp::Minus ? "__neg__" : "", {});
    if (const auto* compare = std::get_if<CompareExpr>(&e->node); compare && compare->ops.size() == 1) {
        const ExprPtr &left = compare->operands[0], &right = compare->operands[1];
        const std::string method = operator_method(compare->ops[0]);
        if (const Meaning container = compare->ops[0] == CompareOp::In ? object(right) : Meaning())
            return method_call(right, container, "__contains__", {left});
        const Meaning first = method.empty() ? Meaning() : object(left);
        if (first && class_of(first.name).method(method)) return method_call(left, first, method, {right});
        const std::string mirrored = mirrored_method(compare->ops[0]);
        if (const Meaning second = mirrored.empty() ? Meaning() : object(right); second && class_of(second.name).method(mirrored))
            return method_call(right, second, mirrored, {left});
        const bool of_any = compare->ops[0] == CompareOp::Eq || compare->ops[0] == CompareOp::Ne;  // compared() knows them.
        if (first && !of_any) return method_call(left, first, method, {right});
    }
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node))
        if (const Meaning container = object(subscript->object))
            return method_call(subscript->object, container, "__getitem__", {subscript->index});
    return std::nullopt;
}

// ---- expressions in their places -----------------------------------------------------------------------------------------
namespace {
[[noreturn]] void refuse_value(const Span& span) {
    refuse("F020", "an object as a value", span,
           "read and assign its fields and call its methods, or hand on the fields one by one");
}
}  // namespace

Objects::Meaning Objects::object_of(const ExprPtr& e, const Scope& scope, Body* out) {
    if (const Meaning known = meaning(e, scope)) return known;
    if (!out)
        refuse("F020", "a new object where Python may make it again, or not at all", e->span,
               "give it a name in a statement of its own");
    if (is_list_of_objects(e, scope)) return new_list(e, scope, *out);
    const ObjectClass* of_class = new_class(e, scope);
    if (!of_class) {  // a method that returns its object
        Call call = *call_of(e, scope);
        if (call.receiver) call.self = object_of(call.receiver, scope, out);
        call.receiver = nullptr;
        out->push_back(make_statement(ExprStmt{written(call, {}, scope, e->span, out)}, e->span));
        return call.self;
    }
    const std::string name =
        new_object("__object" + std::to_string(e->span.line) + "_" + std::to_string(e->span.column_in_line()), *of_class);
    make(name, e, scope, *out);
    return {Meaning::Kind::Object, name, 0};
}

ExprPtr Objects::field(const std::string& object, const std::string& name, const Span& span) {
    const ObjectClass& known = class_of(object);
    if (name.starts_with(kMatched)) {
        const auto place = static_cast<std::size_t>(std::stoul(name.substr(std::string_view(kMatched).size())));
        if (place >= known.matched.size())
            refuse("F020", known.name + " has no further attribute for patterns", span,
                   "name the attribute: " + known.name + "(x=...)");
        return field(object, known.matched[place], span);
    }
    const ObjectClass::Method* method = known.method(name);
    if (method && known.properties.contains(name)) {
        const Call call{method->function, name, &known, method->owner, {Meaning::Kind::Object, object, 0}, nullptr, {}, {}};
        return make_call(function_of(call, {}, {}), {}, span);
    }
    if (method) refuse("F020", "a method that is not called", span, "call it where it is needed");
    if (const auto constant = known.constants.find(name); constant != known.constants.end())
        return parse_expr(constant->second, {.file = span.file ? *span.file : std::string(), .first_line = span.line}).or_fail();
    if (!known.fields.contains(name))
        refuse("F020", known.name + " has no field " + name, span, "name one that its methods read or assign");
    return make_name(variable(object, name), span);
}

ExprPtr Objects::written(const Call& given, const std::vector<std::string>& into, const Scope& scope, const Span& span, Body* out) {
    Call call = given;
    if (call.receiver) call.self = object_of(call.receiver, scope, out);
    call.receiver = nullptr;
    const std::size_t skipped = call.self ? 1 : 0;
    const std::vector<Parameter>& parameters = call.function->parameters;
    std::map<std::string, Meaning> objects;
    CallExpr plain{nullptr, {}, {}};
    const auto is_object = [&](const ExprPtr& e) { return static_cast<bool>(kind_of(e, scope)) || is_list_of_objects(e, scope); };
    for (std::size_t at = 0; at < call.arguments.size(); ++at) {
        const ExprPtr& argument = call.arguments[at];
        if (!is_object(argument)) {
            plain.arguments.push_back(of(argument, scope, out));
            continue;
        }
        if (at + skipped >= parameters.size() || parameters[at + skipped].kind == Parameter::Kind::Variadic ||
            at != plain.arguments.size() + objects.size())
            refuse("F020", "an object among the arguments of " + call.function->name, argument->span,
                   "hand on its fields one by one");
        objects[parameters[at + skipped].name] = object_of(argument, scope, out);
    }
    for (const Keyword& keyword : call.keywords)
        if (keyword.name.empty()) {
            refuse("F020", "keywords by a dictionary for " + call.function->name + " of an object", keyword.value->span,
                   "name each argument");
        } else if (is_object(keyword.value)) {
            const auto parameter = std::ranges::find(parameters, keyword.name, &Parameter::name);
            if (parameter == parameters.end() || objects.contains(keyword.name) ||
                static_cast<std::size_t>(parameter - parameters.begin()) < skipped + call.arguments.size())
                refuse("F011", call.function->name + " takes no further " + keyword.name, keyword.value->span,
                       "give each parameter once");
            objects[keyword.name] = object_of(keyword.value, scope, out);
        } else
            plain.keywords.push_back({keyword.name, of(keyword.value, scope, out)});
    plain.function = make_name(function_of(call, objects, into), span);
    return make_expression(std::move(plain), span);
}

/// `isinstance(object, classes)`
ExprPtr Objects::is_of_class(const Meaning& object, const ExprPtr& classes, const Scope& scope) {
    static const std::set<std::string> kOfNumbers{"int", "float", "complex", "bool", "str", "list", "dict", "set"};
    const ObjectClass& known = class_of(object.name);
    bool found = false;
    for (const ExprPtr& one : elements_of(classes)) {
        const ObjectClass* asked = class_of_call(one, scope);
        if (!asked && !kOfNumbers.contains(std::string(name_of(one))))
            refuse("F020", "whether an object is of this class", one->span, "name a class of the module");
        found = found || (asked && known.place_of(asked->order.at(0)) < known.order.size());
    }
    return make_boolean(found, classes->span);
}

/// Whether the condition holds, where the classes of objects say so; operands behind the one that decides are not looked at.
std::optional<bool> Objects::decided(const ExprPtr& condition, const Scope& scope) {
    if (const auto* joined = std::get_if<BoolExpr>(&condition->node)) {
        for (const ExprPtr& one : joined->operands)
            if (const auto known = decided(one, scope); known != std::optional(joined->is_and)) return known;
        return joined->is_and;
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&condition->node); unary && unary->op == UnaryOp::Not) {
        const auto known = decided(unary->operand, scope);
        return known ? std::optional(!*known) : std::nullopt;
    }
    const auto* call = std::get_if<CallExpr>(&condition->node);
    if (!call || name_of(call->function) != "isinstance" || call->arguments.size() != 2) return std::nullopt;
    const Meaning object = kind_of(call->arguments[0], scope);
    if (object.kind != Meaning::Kind::Object) return std::nullopt;
    return std::get<bool>(std::get<ConstantExpr>(is_of_class(object, call->arguments[1], scope)->node).value);
}

ExprPtr Objects::compared(const CompareExpr& compare, const Scope& scope, const Span& span, Body* out) {
    const bool is = compare.ops[0] == CompareOp::Is || compare.ops[0] == CompareOp::Eq;
    const bool is_not = compare.ops[0] == CompareOp::IsNot || compare.ops[0] == CompareOp::Ne;
    if (compare.ops.size() != 1 || (!is && !is_not)) return nullptr;
    const Meaning left = kind_of(compare.operands[0], scope), right = kind_of(compare.operands[1], scope);
    const bool of_none = is_none(compare.operands[1]) || is_none(compare.operands[0]);
    const bool identity = compare.ops[0] == CompareOp::Is || compare.ops[0] == CompareOp::IsNot;
    if (of_none && identity && (meaning(compare.operands[0], scope) || meaning(compare.operands[1], scope)))
        return make_boolean(is_not, span);
    const auto left_number = folded(compare.operands[0], scope), right_number = folded(compare.operands[1], scope);
    if (left_number && right_number) return make_boolean((*left_number == *right_number) == is, span);
    if (left.kind != Meaning::Kind::Object || right.kind != Meaning::Kind::Object) return nullptr;
    if (compare.ops[0] == CompareOp::Ne && !class_of(left.name).method("__ne__") && class_of(left.name).method("__eq__"))
        return make_unary(UnaryOp::Not, of(make_compare(compare.operands[0], CompareOp::Eq, compare.operands[1], span), scope, out),
                          span);
    if (!identity && class_of(left.name).method(operator_method(compare.ops[0]))) return nullptr;
    if (left.name.starts_with("?") || right.name.starts_with("?")) return nullptr;  // What makes it has to run.
    if (copied_.contains(left.name) || copied_.contains(right.name))
        refuse("F020", "whether two names are one object", span, "compare their fields");
    return make_boolean((left.name == right.name) == is, span);
}

/// `*p` and `sum(p)` of a named tuple, with the tuple that it is in its place; null for other expressions.
ExprPtr Objects::as_tuple(const ExprPtr& e, const Scope& scope, Body* out) {
    static const std::set<std::string> kTaking{"sum", "max", "min", "list",      "tuple", "sorted",
                                               "set", "any", "all", "enumerate", "zip"};
    const auto is_tuple = [&](const ExprPtr& one) {
        const Meaning object = kind_of(one, scope);
        return object.kind == Meaning::Kind::Object && class_of(object.name).method(kTuple);
    };
    const auto tuple = [&](const ExprPtr& one) {
        return written(*method_call(one, kind_of(one, scope), kTuple, {}), {}, scope, one->span, out);
    };
    if (const auto* starred = std::get_if<StarredExpr>(&e->node); starred && is_tuple(starred->value))
        return make_expression(StarredExpr{tuple(starred->value)}, e->span);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const std::string taking(call ? name_of(call->function) : std::string_view());
    if (!kTaking.contains(taking) || std::ranges::none_of(call->arguments, is_tuple)) return nullptr;
    CallExpr with = *call;
    for (ExprPtr& one : with.arguments) one = is_tuple(one) ? tuple(one) : of(one, scope, out);
    for (Keyword& one : with.keywords) one.value = of(one.value, scope, out);
    return make_expression(std::move(with), e->span);
}

ExprPtr Objects::of(const ExprPtr& e, const Scope& scope, Body* out) {
    return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
        if (const auto* all = std::get_if<ComprehensionExpr>(&one->node))
            if (const ExprPtr list = listed(*all, scope, one->span, out)) return list;
        if (const auto* choice = std::get_if<ConditionalExpr>(&one->node))
            if (const auto taken = decided(choice->condition, scope))
                return of(*taken ? choice->if_true : choice->if_false, scope, out);
        const bool later = std::holds_alternative<LambdaExpr>(one->node) || std::holds_alternative<ComprehensionExpr>(one->node) ||
                           std::holds_alternative<BoolExpr>(one->node) || std::holds_alternative<ConditionalExpr>(one->node);
        if (later && out) return of(one, scope, nullptr);
        if (const ExprPtr parts = as_tuple(one, scope, out)) return parts;
        if (meaning(one, scope)) refuse_value(one->span);
        if (const auto* attribute = std::get_if<AttributeExpr>(&one->node)) {
            if (const ObjectClass* known = class_of_call(attribute->object, scope)) {
                const auto constant = known->constants.find(attribute->name);
                if (constant != known->constants.end())
                    return parse_expr(constant->second, {.file = {}, .first_line = one->span.line}).or_fail();
            }
            if (kind_of(attribute->object, scope).kind == Meaning::Kind::Object)
                return field(object_of(attribute->object, scope, out).name, attribute->name, one->span);
        }
        if (const auto* compare = std::get_if<CompareExpr>(&one->node))
            if (const ExprPtr known = compared(*compare, scope, one->span, out)) return known;
        if (const auto* call = std::get_if<CallExpr>(&one->node)) {
            if (name_of(call->function) == "len")
                if (const auto size = folded(one, scope)) return make_integer(*size, one->span);
            if (name_of(call->function) == "isinstance" && call->arguments.size() == 2)
                if (const Meaning object = kind_of(call->arguments[0], scope); object.kind == Meaning::Kind::Object)
                    return is_of_class(object, call->arguments[1], scope);
        }
        if (new_class(one, scope)) refuse_value(one->span);
        if (const auto call = call_of(one, scope)) {
            if (returns_self(*call)) refuse_value(one->span);
            return written(*call, {}, scope, one->span, out);
        }
        return nullptr;
    });
}

}  // namespace sluice::frontend
