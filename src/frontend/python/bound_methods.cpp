#include "frontend/python/bound_methods.h"

#include <map>
#include <set>
#include <string>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/caught.h"

namespace sluice::frontend {

using namespace code;

namespace {

class BoundMethods {
public:
    BoundMethods(const Body& body, const Bindings& globals) : globals_(globals), bound_(binding_counts(body)) {
        auto [plain, defaulted] = dictionaries(body);
        dictionaries_ = std::move(plain);
        dictionaries_.merge(defaulted);
    }

    Body replaced(const Body& body) {
        return with_expressions(body, [&](const ExprPtr& e) { return replaced(e); });
    }
    bool found() const { return found_; }

private:
    ExprPtr replaced(const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            const auto* given = std::get_if<CallExpr>(&part->node);
            if (!given) return nullptr;
            CallExpr call = *given;
            bool changed = false;
            const std::string_view all = call.arguments.empty() ? std::string_view() : gone_through(call.arguments[0]);
            const auto replace = [&](ExprPtr& argument) {
                if (const ExprPtr lambda = lambda_for(argument, all)) argument = lambda, changed = true;
            };
            for (Keyword& keyword : call.keywords)
                if (keyword.name == "key") replace(keyword.value);
            const std::string_view function = name_of(call.function);
            if ((function == "map" || function == "filter") && !call.arguments.empty()) replace(call.arguments[0]);
            if (!changed) return nullptr;
            found_ = true;
            for (ExprPtr& argument : call.arguments) argument = replaced(argument);
            return make_expression(std::move(call), part->span);
        });
    }

    /// The object of `max(t, ...)` and `max(t.keys(), ...)`.
    static std::string_view gone_through(const ExprPtr& iterable) {
        const auto* call = std::get_if<CallExpr>(&iterable->node);
        const auto* method = call && call->arguments.empty() ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        return name_of(method && method->name == "keys" ? method->object : iterable);
    }
    /// Is it a dictionary, as far as can be seen, and always the same one?
    bool is_dictionary(const std::string& name) const {
        const auto bound = bound_.find(name);
        return bound == bound_.end() || (bound->second == 1 && dictionaries_.contains(name));
    }

    /// Null for any other expression. A dictionary that is gone through itself has each key: `get` is a subscript.
    ExprPtr lambda_for(const ExprPtr& e, std::string_view all) const {
        const auto* method = std::get_if<AttributeExpr>(&e->node);
        const std::string object(method ? name_of(method->object) : std::string_view());
        if (object.empty() || globals_.contains(object) || (method->name != "get" && method->name != "__getitem__")) return nullptr;
        const ExprPtr key = make_name("__key", e->span);
        if (method->name == "get" && object == all && !is_dictionary(object)) return nullptr;
        const bool has_all = method->name == "__getitem__" || object == all;
        const ExprPtr body =
            has_all ? make_subscript(method->object, {key}, e->span) : make_expression(CallExpr{e, {key}, {}}, e->span);
        return make_expression(LambdaExpr{{"__key"}, body}, e->span);
    }

    const Bindings& globals_;
    std::map<std::string, int> bound_;
    std::set<std::string> dictionaries_;
    bool found_ = false;
};

}  // namespace

ExprPtr looked_up_in(const ExprPtr& function_of_keys) {
    if (const auto* method = std::get_if<AttributeExpr>(&function_of_keys->node); method && method->name == "get")
        return method->object;
    const auto* lambda = std::get_if<LambdaExpr>(&function_of_keys->node);
    const auto* subscript = lambda ? std::get_if<SubscriptExpr>(&lambda->body->node) : nullptr;
    const bool reads = subscript && lambda->parameters.size() == 1 && name_of(subscript->index) == lambda->parameters[0];
    return reads ? subscript->object : nullptr;
}

StmtPtr with_bound_methods(const StmtPtr& function, const Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    BoundMethods methods(definition.body, globals);
    definition.body = methods.replaced(definition.body);
    return methods.found() ? std::make_shared<const Stmt>(std::move(copy)) : function;
}

}  // namespace sluice::frontend
