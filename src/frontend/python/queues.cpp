// Queues become lists, which the front end takes elements from at both ends:
//     q = deque([0])                                q = [0]
//     while q:                               ->     while len(q) > 0:
//         u = q.popleft()                               u = q.<popleft>()
// A name is treated so if it is bound to new queues alone and each of its occurrences is one that is understood here. Elements in
// front of the first (`appendleft`) are inserted, which moves the others.
#include "frontend/python/queues.h"

#include <map>
#include <optional>
#include <set>
#include <string>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/lists.h"

namespace sluice::frontend {

using namespace code;

namespace {

StmtPtr queue_statement(auto node, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}
ExprPtr queue_expression(auto node, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{std::move(node), span});
}

class Queues {
public:
    Queues(const FunctionStmt& function, const Bindings& globals) : function_(function), globals_(globals) {
        std::set<std::string> refused;
        for (const Parameter& parameter : function.parameters) refused.insert(parameter.name);
        for (const auto& [name, count] : binding_counts(function.body)) bound_.insert(name);
        walk_statements(function.body, [&](const Stmt& statement) {
            const auto* assign = std::get_if<AssignStmt>(&statement.node);
            if (assign && assign->targets.size() == 1 && made_by(assign->value)) names_.emplace(name_of(assign->targets[0]));
            if (assign && !(assign->targets.size() == 1 && made_by(assign->value)))
                for (const ExprPtr& target : assign->targets)
                    for (const ExprPtr& one : elements_of(target)) refused.emplace(name_of(one));
            if (const auto* loop = std::get_if<ForStmt>(&statement.node))
                for (const ExprPtr& one : elements_of(loop->target)) refused.emplace(name_of(one));
            if (const auto* inner = std::get_if<FunctionStmt>(&statement.node))  // Closures keep the name.
                for (const auto& [name, count] : occurrences(inner->body)) refused.insert(name);
            return !std::holds_alternative<FunctionStmt>(statement.node);
        });
        for (const std::string& name : refused) names_.erase(name);
        names_.erase("");
    }

    std::optional<Body> replaced() {
        while (!names_.empty()) {
            other_.clear();
            Body body = of(function_.body);
            if (other_.empty()) return body;
            for (const std::string& name : other_) names_.erase(name);
        }
        return std::nullopt;
    }

private:
    /// The list that a new queue begins as; null for other values.
    ExprPtr made_by(const ExprPtr& value) const {
        const auto* call = std::get_if<CallExpr>(&value->node);
        if (!call || !call->keywords.empty() || call->arguments.size() > 1 ||
            qualified_name(*call->function, globals_) != "collections.deque" ||
            bound_.contains(std::string(name_of(call->function))))
            return nullptr;
        if (call->arguments.empty()) return queue_expression(ListExpr{}, value->span);
        const ExprPtr& elements = call->arguments[0];
        if (const auto* tuple = std::get_if<TupleExpr>(&elements->node))
            return queue_expression(ListExpr{tuple->elements}, value->span);
        if (std::holds_alternative<ListExpr>(elements->node)) return elements;
        return make_call("list", {elements}, value->span);
    }
    bool is_queue(const ExprPtr& e) const { return names_.contains(std::string(name_of(e))); }
    static ExprPtr any(const ExprPtr& queue) {
        return make_compare(make_call("len", {queue}, queue->span), CompareOp::Gt, make_integer(0), queue->span);
    }
    ExprPtr truth_of(const ExprPtr& e) {
        if (is_queue(e)) return any(e);
        const auto* several = std::get_if<BoolExpr>(&e->node);
        if (!several) return of(e);
        BoolExpr copy = *several;
        for (ExprPtr& one : copy.operands) one = truth_of(one);
        return queue_expression(std::move(copy), e->span);
    }

    ExprPtr of(const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr { return part_of(one); });
    }
    ExprPtr part_of(const ExprPtr& e) {
        const Span& span = e->span;
        if (is_queue(e)) {
            other_.emplace(name_of(e));
            return nullptr;
        }
        if (const auto* call = std::get_if<CallExpr>(&e->node)) return of_call(*call, span);
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node))
            if (is_queue(subscript->object) && !std::holds_alternative<SliceExpr>(subscript->index->node))
                return make_subscript(subscript->object, {of(subscript->index)}, span);
        if (const auto* compare = std::get_if<CompareExpr>(&e->node); compare && compare->ops.size() == 1)
            if (is_queue(compare->operands[1]) && (compare->ops[0] == CompareOp::In || compare->ops[0] == CompareOp::NotIn))
                return make_compare(of(compare->operands[0]), compare->ops[0], compare->operands[1], span);
        if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Not && is_queue(unary->operand))
            return make_compare(make_call("len", {unary->operand}, span), CompareOp::Eq, make_integer(0), span);
        if (const auto* list = std::get_if<ComprehensionExpr>(&e->node)) {
            ComprehensionExpr copy = *list;
            copy.element = of(copy.element);
            for (auto& clause : copy.clauses) {
                if (!is_queue(clause.iterable)) clause.iterable = of(clause.iterable);
                for (ExprPtr& condition : clause.conditions) condition = truth_of(condition);
            }
            return queue_expression(std::move(copy), span);
        }
        return nullptr;
    }
    ExprPtr of_call(const CallExpr& call, const Span& span) {
        static const std::set<std::string> kReading{"len", "list", "tuple", "sum",       "sorted",      "min",          "max",
                                                    "any", "all",  "zip",   "enumerate", "numpy.array", "numpy.asarray"};
        static const std::map<std::string, std::string> kMethods{
            {"append", "append"}, {"extend", "extend"},   {"clear", "clear"},     {"insert", "insert"},
            {"count", "count"},   {"reverse", "reverse"}, {"popleft", kPopFirst}, {"pop", kPopLast}};
        CallExpr copy = call;
        if (const auto* method = std::get_if<AttributeExpr>(&call.function->node); method && is_queue(method->object)) {
            for (ExprPtr& argument : copy.arguments) argument = of(argument);
            const auto known = kMethods.find(method->name);
            const bool left = method->name == "appendleft" && call.arguments.size() == 1;
            if (!call.keywords.empty() || (known == kMethods.end() && !left) ||
                (method->name == "pop" && !call.arguments.empty())) {
                other_.emplace(name_of(method->object));
                return nullptr;
            }
            if (left) copy.arguments.insert(copy.arguments.begin(), make_integer(0, span));
            copy.function = make_attribute(method->object, left ? "insert" : known->second, call.function->span);
            return queue_expression(std::move(copy), span);
        }
        const std::string plain(name_of(call.function)), qualified = qualified_name(*call.function, globals_);
        const bool own = qualified.empty() && !globals_.contains(plain) && !bound_.contains(plain);
        if (!kReading.contains(own ? plain : qualified)) return nullptr;
        for (ExprPtr& argument : copy.arguments)
            if (!is_queue(argument)) argument = of(argument);
        for (Keyword& keyword : copy.keywords) keyword.value = of(keyword.value);
        return queue_expression(std::move(copy), span);
    }

    Body of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) out.push_back(of(one));
        return out;
    }
    StmtPtr of(const StmtPtr& one) {
        const Span& span = one->span;
        if (std::holds_alternative<FunctionStmt>(one->node)) return one;
        if (const auto* s = std::get_if<AssignStmt>(&one->node); s && s->targets.size() == 1 && is_queue(s->targets[0]))
            return make_assignment(s->targets[0], of(made_by(s->value)), span);
        if (const auto* s = std::get_if<ForStmt>(&one->node); s && is_queue(s->iterable))
            return queue_statement(ForStmt{s->target, s->iterable, of(s->body), of(s->else_body)}, span);
        if (const auto* s = std::get_if<IfStmt>(&one->node))
            return queue_statement(IfStmt{truth_of(s->condition), of(s->then_body), of(s->else_body)}, span);
        if (const auto* s = std::get_if<WhileStmt>(&one->node))
            return queue_statement(WhileStmt{truth_of(s->condition), of(s->body), of(s->else_body)}, span);
        return with_parts(
            one, [&](const ExprPtr& e) { return of(e); }, [&](const Body& inner) { return of(inner); });
    }

    const FunctionStmt& function_;
    const Bindings& globals_;
    std::set<std::string> names_, bound_;
    std::set<std::string> other_;  ///< Names of which an occurrence was not understood.
};

}  // namespace

StmtPtr with_queues(const StmtPtr& function, const Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    auto body = Queues(before, globals).replaced();
    if (!body) return nullptr;
    definition.body = std::move(*body);
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
