#include "frontend/python/keys_of_loops.h"

#include <functional>

#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// What of `target` is a key where it goes over `iterable`: `k` of `for k in sorted(d)`, of `for k, v in d.items()`; null: nothing.
ExprPtr key_in(const ExprPtr& target, const ExprPtr& iterable, const std::string& dictionary) {
    if (name_of(iterable) == dictionary) return target;
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    if (!call) return nullptr;
    const auto* method = std::get_if<AttributeExpr>(&call->function->node);
    if (method && name_of(method->object) == dictionary && call->arguments.empty()) {
        if (method->name == "keys") return target;
        return method->name == "items" && elements_of(target).size() == 2 ? elements_of(target)[0] : nullptr;
    }
    const std::string_view function = name_of(call->function);
    const bool same = function == "sorted" || function == "list" || function == "reversed";
    return same && !call->arguments.empty() ? key_in(target, call->arguments[0], dictionary) : nullptr;
}

using Names = std::set<std::string>;

struct Reads {
    const std::string& dictionary;
    std::set<const code::Expr*> found = {};

    /// What `target` binds is a key, or no longer one.
    Names behind(Names keys, const ExprPtr& target, const ExprPtr& iterable) const {
        const ExprPtr key = key_in(target, iterable, dictionary);
        const std::function<void(const ExprPtr&)> bind = [&](const ExprPtr& one) {
            if (const std::string name(name_of(one)); !name.empty()) keys.erase(name);
            for_each_child(*one, bind);
        };
        bind(target);
        if (key && !name_of(key).empty()) keys.emplace(name_of(key));
        return keys;
    }
    void look(const ExprPtr& e, const Names& keys) {
        if (const auto* list = std::get_if<ComprehensionExpr>(&e->node)) {
            Names inside = keys;
            for (const ComprehensionClause& clause : list->clauses) {
                look(clause.iterable, inside);
                inside = behind(inside, clause.target, clause.iterable);
                for (const ExprPtr& condition : clause.conditions) look(condition, inside);
            }
            return look(list->element, inside);
        }
        if (const auto* lambda = std::get_if<LambdaExpr>(&e->node)) {
            Names inside = keys;
            for (const std::string& parameter : lambda->parameters) inside.erase(parameter);
            return look(lambda->body, inside);
        }
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        if (subscript && name_of(subscript->object) == dictionary && keys.contains(std::string(name_of(subscript->index))))
            found.insert(e.get());
        for_each_child(*e, [&](const ExprPtr& child) { look(child, keys); });
    }
    void look(const Body& body, const Names& keys) {
        for (const StmtPtr& one : body) {
            for_each_expr(*one, [&](const ExprPtr& e) { look(e, keys); });
            const auto* loop = std::get_if<ForStmt>(&one->node);
            Names inside = loop ? behind(keys, loop->target, loop->iterable) : keys;
            if (loop)
                for (const auto& [name, count] : binding_counts(loop->body)) inside.erase(name);
            for_each_body(*one, [&](const Body& part) { look(part, loop && &part != &loop->body ? keys : inside); });
        }
    }
};

}  // namespace

std::set<const code::Expr*> reads_of_keys(const Body& body, const std::string& dictionary) {
    Reads reads{dictionary};
    reads.look(body, {});
    return reads.found;
}

}  // namespace sluice::frontend
