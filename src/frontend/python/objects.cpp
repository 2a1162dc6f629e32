// An object is what a name is bound to that is bound to new objects of one class alone. Understood are its fields, read and
// assigned, calls of its methods, its properties, operators that its class defines, and methods and operators that end in `return
// C(...)`:
//     u = v + w        ->      def v_add_into_u(): u_init(v__x + w__x, v__y + w__y)
//                              v_add_into_u()
// A method is written once for each object, and for each object among its arguments. Nobody else can hold such an object, so that
// fields need no memory that is shared.
#include "frontend/python/objects.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "code/encoded.h"
#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr const char* kInit = "__init__";

ExprPtr object_expression(auto node, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{std::move(node), span});
}
StmtPtr object_statement(auto node, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}

[[noreturn]] void refuse_use(const std::string& what, const Span& span) {
    refuse("F020", what, span, "read and assign its fields and call its methods, or hand on the fields one by one");
}

/// What a class of the user's has.
struct Class {
    std::vector<StmtPtr> kept;
    std::map<std::string, const FunctionStmt*> methods;
    std::set<std::string> properties, fields, shared;  ///< shared: attributes of the class that objects assign.
    std::map<std::string, std::string> constants;
};

Class read_class(const ClassSource& source) {
    Class result{{}, {}, source.properties, {}, {}, source.constants};
    for (const auto& [text, first_line] : source.methods) {
        const Body body = parse_body(text, {.file = source.file, .first_line = first_line}).or_fail();
        for (const StmtPtr& one : body) {
            const auto* method = std::get_if<FunctionStmt>(&one->node);
            if (!method) continue;
            result.kept.push_back(one);
            result.methods[method->name] = method;
        }
    }
    for (const auto& [name, method] : result.methods) {
        if (method->parameters.empty()) continue;  // F020 where it is called.
        const std::string self = method->parameters[0].name;
        const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
            const auto* attribute = std::get_if<AttributeExpr>(&e->node);
            if (attribute && name_of(attribute->object) == self && !result.methods.contains(attribute->name) &&
                !result.constants.contains(attribute->name))
                result.fields.insert(attribute->name);
            for_each_child(*e, visit);
        };
        const auto assigned = [&](const ExprPtr& target) {  // What a class and its objects have both is left to Python.
            const auto* attribute = std::get_if<AttributeExpr>(&target->node);
            if (attribute && name_of(attribute->object) == self && result.constants.erase(attribute->name) > 0)
                result.shared.insert(attribute->name);
        };
        walk_statements(method->body, [&](const Stmt& one) {
            if (const auto* s = std::get_if<AssignStmt>(&one.node))
                for (const ExprPtr& target : s->targets) std::ranges::for_each(elements_of(target), assigned);
            if (const auto* u = std::get_if<AugAssignStmt>(&one.node)) assigned(u->target);
            if (const auto* a = std::get_if<AnnAssignStmt>(&one.node)) assigned(a->target);
            return for_each_expr(one, visit), true;
        });
    }
    for (const std::string& name : result.shared) result.fields.erase(name);
    return result;
}

std::string method_of(BinaryOp op) {
    static const std::map<BinaryOp, std::string> kNames{{BinaryOp::Add, "__add__"},    {BinaryOp::Sub, "__sub__"},
                                                        {BinaryOp::Mul, "__mul__"},    {BinaryOp::Div, "__truediv__"},
                                                        {BinaryOp::Mod, "__mod__"},    {BinaryOp::FloorDiv, "__floordiv__"},
                                                        {BinaryOp::Pow, "__pow__"},    {BinaryOp::MatMul, "__matmul__"},
                                                        {BinaryOp::BitAnd, "__and__"}, {BinaryOp::BitOr, "__or__"}};
    const auto known = kNames.find(op);
    return known == kNames.end() ? std::string() : known->second;
}
std::string method_of(CompareOp op) {
    static const std::map<CompareOp, std::string> kNames{{CompareOp::Eq, "__eq__"}, {CompareOp::Ne, "__ne__"},
                                                         {CompareOp::Lt, "__lt__"}, {CompareOp::Le, "__le__"},
                                                         {CompareOp::Gt, "__gt__"}, {CompareOp::Ge, "__ge__"}};
    const auto known = kNames.find(op);
    return known == kNames.end() ? std::string() : known->second;
}

class Objects {
public:
    Objects(const FunctionStmt& function, const std::map<std::string, ClassSource>& sources)
        : function_(function), sources_(sources), bound_(binding_counts(function.body)) {
        for (const auto& [name, count] : occurrences(function.body)) taken_.insert(name);
        for (const Parameter& parameter : function.parameters) taken_.insert(parameter.name), bound_[parameter.name] += 1;
        find();
    }
    bool any() const { return !class_of_.empty(); }
    Body body() {
        Scope scope;
        for (const auto& [name, of_class] : class_of_) scope.emplace(name, name);
        Body rest = of(function_.body, scope), all;
        for (const std::string& name : order_) all.push_back(written_.at(name));
        all.insert(all.end(), rest.begin(), rest.end());
        return all;
    }

private:
    /// What a name of the body means: an object, by the name that it has in the function.
    using Scope = std::map<std::string, std::string>;
    /// A call of a method, and the objects among its arguments by parameter.
    struct Call {
        std::string object, method;
        std::vector<ExprPtr> arguments;
        std::vector<Keyword> keywords;
    };

    // ---- which names
    const Class* class_named(const std::string& name) {
        const auto source = sources_.find(name);
        if (source == sources_.end() || bound_.contains(name)) return nullptr;
        if (const auto known = classes_.find(name); known != classes_.end()) return &known->second;
        return &classes_.emplace(name, read_class(source->second)).first->second;
    }
    const Class& class_of(const std::string& object) { return classes_.at(class_of_.at(object)); }
    static const std::string& meaning(const ExprPtr& e, const Scope& scope) {
        static const std::string kNone;
        const auto known = scope.find(std::string(name_of(e)));
        return known == scope.end() ? kNone : known->second;
    }
    /// The class of the object that a method returns, of its own making; empty for other methods.
    std::string made_by(const Class& of_class, const std::string& method) {
        const auto known = of_class.methods.find(method);
        if (known == of_class.methods.end() || known->second->body.empty()) return {};
        int returns = 0;
        walk_statements(known->second->body, [&](const Stmt& one) {
            returns += std::holds_alternative<ReturnStmt>(one.node);
            return !std::holds_alternative<FunctionStmt>(one.node);
        });
        const auto* last = std::get_if<ReturnStmt>(&known->second->body.back()->node);
        const auto* call = last && last->value ? std::get_if<CallExpr>(&last->value->node) : nullptr;
        const std::string name(call && returns == 1 ? name_of(call->function) : std::string_view());
        return class_named(name) ? name : std::string();
    }
    /// The class of the new object that an expression makes; empty for other expressions.
    std::string new_class(const ExprPtr& e, const Scope& scope) {
        const auto of_method = [&](const ExprPtr& object, const std::string& method) {
            const std::string named = meaning(object, scope);
            const std::string known = named.empty() ? new_class(object, scope) : class_of_.at(named);
            return known.empty() || method.empty() ? std::string() : made_by(classes_.at(known), method);
        };
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            if (const std::string name(name_of(call->function)); class_named(name)) return name;
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            return method ? of_method(method->object, method->name) : std::string();
        }
        if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) return of_method(binary->left, method_of(binary->op));
        const auto* unary = std::get_if<UnaryExpr>(&e->node);
        return unary && unary->op == UnaryOp::Minus ? of_method(unary->operand, "__neg__") : std::string();
    }
    bool is_object(const ExprPtr& e, const Scope& scope) { return !meaning(e, scope).empty() || !new_class(e, scope).empty(); }
    void find() {
        for (std::size_t before = 1; before != class_of_.size();) {
            before = class_of_.size();
            Scope scope;
            for (const auto& [name, of_class] : class_of_) scope.emplace(name, name);
            std::map<std::string, int> made;
            walk_statements(function_.body, [&](const Stmt& one) {
                const auto* s = std::get_if<AssignStmt>(&one.node);
                const std::string name(s && s->targets.size() == 1 ? name_of(s->targets[0]) : std::string_view());
                const std::string of_class = name.empty() ? std::string() : new_class(s->value, scope);
                if (!of_class.empty()) {
                    if (class_of_.emplace(name, of_class).first->second != of_class)
                        refuse_use("a name of objects of several classes", one.span);
                    ++made[name];
                    place_.emplace(name, one.span);
                }
                return !std::holds_alternative<FunctionStmt>(one.node);
            });
            if (class_of_.size() != before) continue;
            for (const auto& [name, count] : made)
                if (bound_.at(name) != count) refuse_use("a name of an object that means something else as well", place_.at(name));
            break;
        }
    }

    // ---- expressions
    std::string own(const std::string& base) {
        std::string name = base;
        while (!taken_.insert(name).second) name += "_";
        return name;
    }
    /// The variable of a field.
    std::string variable(const std::string& object, const std::string& field) {
        std::string& name = variables_[{object, field}];
        if (name.empty()) name = own(object + "__" + field);
        return name;
    }
    /// The name of the object that an expression is; a new one is made in front of the statement.
    std::string object_of(const ExprPtr& e, const Scope& scope, Body* out) {
        if (const std::string& named = meaning(e, scope); !named.empty()) return named;
        if (!out) refuse_use("a new object where Python may make it again, or not at all", e->span);
        const std::string name = own("__object" + std::to_string(e->span.line) + "_" + std::to_string(e->span.column));
        class_of_.emplace(name, new_class(e, scope));
        make(name, e, scope, *out);
        return name;
    }
    ExprPtr field(const std::string& object, const std::string& name, const Span& span) {
        const Class& of_class = class_of(object);
        if (of_class.properties.contains(name)) return make_call(function_of({object, name, {}, {}}, {}, ""), {}, span);
        if (of_class.methods.contains(name)) refuse_use("a method that is not called", span);
        if (const auto constant = of_class.constants.find(name); constant != of_class.constants.end())
            return parse_expr(constant->second, {.file = span.file ? *span.file : std::string(), .first_line = span.line})
                .or_fail();
        if (!of_class.fields.contains(name)) refuse_use(class_of_.at(object) + " has no field " + name, span);
        return make_name(variable(object, name), span);
    }
    std::optional<Call> call_of(const ExprPtr& e, const Scope& scope, Body* out) {
        const auto of_object = [&](const ExprPtr& one, const std::string& method, std::vector<ExprPtr> arguments) {
            const std::string object = object_of(one, scope, out);
            if (!class_of(object).methods.contains(method))
                refuse_use(class_of_.at(object) + " has no method " + (method.empty() ? "for this" : method), e->span);
            return Call{object, method, std::move(arguments), {}};
        };
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            if (name_of(call->function) == "abs" && call->arguments.size() == 1 && is_object(call->arguments[0], scope))
                return of_object(call->arguments[0], "__abs__", {});
            if (!method || !is_object(method->object, scope)) return std::nullopt;
            Call result = of_object(method->object, method->name, call->arguments);
            result.keywords = call->keywords;
            return result;
        }
        if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
            if (is_object(binary->left, scope)) return of_object(binary->left, method_of(binary->op), {binary->right});
            const std::string method = method_of(binary->op);
            if (!method.empty() && is_object(binary->right, scope))
                return of_object(binary->right, "__r" + method.substr(2), {binary->left});
        }
        if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && is_object(unary->operand, scope))
            return of_object(unary->operand, unary->op == UnaryOp::Minus ? "__neg__" : "", {});
        if (const auto* compare = std::get_if<CompareExpr>(&e->node); compare && compare->ops.size() == 1)
            if (is_object(compare->operands[0], scope))
                return of_object(compare->operands[0], method_of(compare->ops[0]), {compare->operands[1]});
        return std::nullopt;
    }
    /// The call of the function that the method is. `into`: the object that takes the place of the new one that it returns.
    ExprPtr written(const Call& call, const std::string& into, const Scope& scope, const Span& span, Body* out) {
        const FunctionStmt& method = *class_of(call.object).methods.at(call.method);
        std::map<std::string, std::string> objects;
        CallExpr plain{nullptr, {}, {}};
        for (std::size_t at = 0; at < call.arguments.size(); ++at) {
            const ExprPtr& argument = call.arguments[at];
            if (!is_object(argument, scope))
                plain.arguments.push_back(of(argument, scope, out));
            else if (at + 1 < method.parameters.size())
                objects[method.parameters[at + 1].name] = object_of(argument, scope, out);
            else
                refuse_use("an object among the arguments of " + call.method, argument->span);
        }
        for (const Keyword& keyword : call.keywords)
            if (is_object(keyword.value, scope))
                objects[keyword.name] = object_of(keyword.value, scope, out);
            else
                plain.keywords.push_back({keyword.name, of(keyword.value, scope, out)});
        plain.function = make_name(function_of(call, objects, into), span);
        return object_expression(std::move(plain), span);
    }
    ExprPtr of(const ExprPtr& e, const Scope& scope, Body* out) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
            const bool later = std::holds_alternative<LambdaExpr>(one->node) ||
                               std::holds_alternative<ComprehensionExpr>(one->node) ||
                               std::holds_alternative<BoolExpr>(one->node) || std::holds_alternative<ConditionalExpr>(one->node);
            if (later && out) return of(one, scope, nullptr);
            if (const std::string& named = meaning(one, scope); !named.empty()) refuse_use("an object as a value", one->span);
            if (const auto* attribute = std::get_if<AttributeExpr>(&one->node); attribute && is_object(attribute->object, scope))
                return field(object_of(attribute->object, scope, out), attribute->name, one->span);
            if (!new_class(one, scope).empty()) refuse_use("an object as a value", one->span);
            if (const auto call = call_of(one, scope, out)) return written(*call, "", scope, one->span, out);
            return nullptr;
        });
    }

    // ---- statements
    /// The statements that make the object.
    void make(const std::string& object, const ExprPtr& value, const Scope& scope, Body& out) {
        const auto* call = std::get_if<CallExpr>(&value->node);
        const bool by_class = call && class_named(std::string(name_of(call->function)));
        const auto run = [&](const ExprPtr& e) { out.push_back(object_statement(ExprStmt{e}, value->span)); };
        if (!by_class) return run(written(*call_of(value, scope, &out), object, scope, value->span, &out));
        run(written({object, kInit, call->arguments, call->keywords}, "", scope, value->span, &out));
    }
    Body of(const Body& body, const Scope& scope) {
        Body out;
        for (const StmtPtr& one : body) add(one, scope, out);
        return out;
    }
    void add(const StmtPtr& one, const Scope& scope, Body& out) {
        if (const auto* inner = std::get_if<FunctionStmt>(&one->node)) {
            for (const auto& [name, count] : occurrences(inner->body))
                if (scope.contains(name)) refuse_use("an object in a function inside of the function", one->span);
            return out.push_back(one);
        }
        if (const auto* s = std::get_if<AssignStmt>(&one->node))
            for (const ExprPtr& target : s->targets) refuse_property(target, scope);
        if (const auto* s = std::get_if<AugAssignStmt>(&one->node)) refuse_property(s->target, scope);
        if (const auto* s = std::get_if<AssignStmt>(&one->node); s && s->targets.size() == 1)
            if (const std::string& object = meaning(s->targets[0], scope); !object.empty() && is_made(s->value, scope))
                return make(object, s->value, scope, out);
        if (const auto* s = std::get_if<DeleteStmt>(&one->node); s)
            for (const ExprPtr& target : s->targets)
                if (!meaning(target, scope).empty()) refuse_use("del of an object", one->span);
        const bool again = std::holds_alternative<WhileStmt>(one->node);
        out.push_back(with_parts(
            one, [&](const ExprPtr& e) { return of(e, scope, again ? nullptr : &out); },
            [&](const Body& inner) { return of(inner, scope); }));
    }
    /// A named tuple's fields are properties, too.
    void refuse_property(const ExprPtr& target, const Scope& scope) {
        const auto* attribute = std::get_if<AttributeExpr>(&target->node);
        if (attribute && is_object(attribute->object, scope) &&
            class_of(object_of(attribute->object, scope, nullptr)).properties.contains(attribute->name))
            refuse_use("an assignment to " + attribute->name + ", which no assignment changes", target->span);
    }
    bool is_made(const ExprPtr& value, const Scope& scope) { return !new_class(value, scope).empty(); }

    // ---- methods
    /// The function that a method is for these objects; it is written where it is first called.
    std::string function_of(const Call& call, const std::map<std::string, std::string>& objects, const std::string& into) {
        std::string key = "__" + call.object + "_" + call.method;
        for (const auto& [parameter, object] : objects) key += "_" + object;
        if (!into.empty()) key += "_into_" + into;
        if (const auto known = names_.find(key); known != names_.end()) return known->second;
        const std::string name = names_[key] = own(key);
        const FunctionStmt& method = *class_of(call.object).methods.at(call.method);
        FunctionStmt function{name, {}, nullptr, {}, {}};
        if (method.parameters.empty()) refuse_use("a method without a parameter for its object", method.body.at(0)->span);
        const auto bound = binding_counts(method.body);
        Scope scope{{method.parameters[0].name, call.object}};
        for (std::size_t at = 1; at < method.parameters.size(); ++at) {
            const Parameter& parameter = method.parameters[at];
            const auto object = objects.find(parameter.name);
            if (object == objects.end()) {
                function.parameters.push_back(parameter);
                function.parameters.back().annotation = nullptr;
                continue;
            }
            if (bound.contains(parameter.name)) refuse_use("a parameter that is bound again", parameter.span);
            scope.emplace(parameter.name, object->second);
        }
        Body body = method.body;
        const Span& span = method.body.at(0)->span;
        if (!into.empty()) {
            const auto& call_of_class = std::get<CallExpr>(std::get<ReturnStmt>(body.back()->node).value->node);
            body.pop_back();
            function.body = of(body, scope);
            const Call init{into, kInit, call_of_class.arguments, call_of_class.keywords};
            const ExprPtr run = written(init, "", scope, span, &function.body);
            function.body.push_back(object_statement(ExprStmt{run}, span));
        } else {
            function.body = of(body, scope);
        }
        std::set<std::string> fields;
        const auto assigned = binding_counts(function.body);
        for (const auto& [place, field_name] : variables_)
            if (assigned.contains(field_name)) fields.insert(field_name);
        if (!fields.empty()) {
            CallExpr names{make_name(kNonlocal, span), {}, {}};
            for (const std::string& one : fields) names.arguments.push_back(make_name(one, span));
            function.body.insert(function.body.begin(),
                                 object_statement(ExprStmt{object_expression(std::move(names), span)}, span));
        }
        written_[name] = object_statement(std::move(function), span);
        order_.push_back(name);
        return name;
    }

    const FunctionStmt& function_;
    const std::map<std::string, ClassSource>& sources_;
    std::map<std::string, int> bound_;
    std::set<std::string> taken_;
    std::map<std::string, Class> classes_;
    std::map<std::string, std::string> class_of_;  ///< By object.
    std::map<std::string, Span> place_;
    std::map<std::pair<std::string, std::string>, std::string> variables_;  ///< By object and field.
    std::map<std::string, std::string> names_;  ///< Of functions that methods are, by what they are for.
    std::map<std::string, StmtPtr> written_;
    std::vector<std::string> order_;
};

}  // namespace

StmtPtr with_fields_as_variables(const StmtPtr& function, const std::map<std::string, ClassSource>& classes) {
    if (classes.empty()) return function;
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    Objects objects(before, classes);
    if (!objects.any()) return function;
    definition.body = objects.body();
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
