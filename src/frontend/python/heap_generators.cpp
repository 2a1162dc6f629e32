// Generators of the module in programs over one memory: what goes through all that one yields goes through a list.
//     def squares(xs):                  def squares(xs):
//         for x in xs:                      __yielded = []
//             yield x * x        ->         for x in xs: __yielded.append(x * x)
//                                           return __yielded
// The list has the same elements where the loop over it is never left and neither changes what the other reads.
#include <algorithm>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr const char* kYielded = "__yielded";

const CallExpr* yield_in(const Stmt& statement) {
    const auto* expression = std::get_if<ExprStmt>(&statement.node);
    const auto* call = expression ? std::get_if<CallExpr>(&expression->value->node) : nullptr;
    return call && name_of(call->function) == kYield ? call : nullptr;
}

Body with_appends(const Body& body) {
    Body out;
    for (const StmtPtr& one : body) {
        const Span& span = one->span;
        if (const CallExpr* yielded = yield_in(*one)) {
            const ExprPtr append = make_attribute(make_name(kYielded, span), "append", span);
            const CallExpr call{append, {yielded->arguments.at(0)}, {}};
            out.push_back(make_statement(ExprStmt{std::make_shared<const code::Expr>(code::Expr{call, span})}, span));
        } else if (const auto* end = std::get_if<ReturnStmt>(&one->node)) {
            if (end->value) throw NotOfHeap{"a generator that returns a value"};
            out.push_back(make_statement(ReturnStmt{make_name(kYielded, span)}, span));
        } else if (std::holds_alternative<FunctionStmt>(one->node)) {
            out.push_back(one);
        } else {
            out.push_back(with_parts(
                one, [](const ExprPtr& e) { return e; }, with_appends));
        }
    }
    return out;
}

}  // namespace

bool yields(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& one) {
        found = found || yield_in(one);
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return found;
}

namespace {

/// A loop whose condition is a constant, and which nothing leaves: whoever goes through what it yields stops by himself.
bool is_endless(const Stmt& statement) {
    const auto* loop = std::get_if<WhileStmt>(&statement.node);
    if (!loop || !std::holds_alternative<ConstantExpr>(loop->condition->node) || has_break(loop->body)) return false;
    bool returns = false;
    walk_statements(loop->body, [&](const Stmt& one) {
        returns = returns || std::holds_alternative<ReturnStmt>(one.node);
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return !returns;
}

}  // namespace

FunctionStmt with_list_of_yielded(const FunctionStmt& generator) {
    walk_statements(generator.body, [](const Stmt& one) {
        if (is_endless(one)) throw NotOfHeap{"a generator without an end"};
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    FunctionStmt result = generator;
    const Span& span = generator.body.front()->span;
    result.body = with_appends(generator.body);
    const ExprPtr none = std::make_shared<const code::Expr>(code::Expr{ListExpr{}, span});
    result.body.insert(result.body.begin(), make_assignment(make_name(kYielded, span), none, span));
    result.body.push_back(make_statement(ReturnStmt{make_name(kYielded, span)}, span));
    return result;
}

const HeapTypes::Routine* HeapWriter::generator_of(const ExprPtr& given, Scope& scope) {
    const ExprPtr& e = iterable_of(given);
    const auto* call = std::get_if<CallExpr>(&e->node);
    for (const Routine* method : called_by(e))
        if (method->generates) return method;
    const Routine* function = call ? function_named(std::string(name_of(call->function)), scope) : nullptr;
    return function && function->generates ? function : nullptr;
}

/// Whether something in the expression may change objects: a method of a collection, or a function of the user's.
bool HeapWriter::changes_objects(const ExprPtr& e, Scope& scope) {
    static const std::set<std::string> kChanging{
        "append",  "extend",     "insert",      "appendleft",  "pop",    "extendleft",  "popleft",     "remove",  "clear",
        "update",  "setdefault", "rotate",      "popitem",     "sort",   "reverse",     "add",         "discard", "heappush",
        "heappop", "heapify",    "heappushpop", "heapreplace", "insort", "insort_left", "insort_right"};
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    if (call && kChanging.contains(method ? method->name : std::string(name_of(call->function)))) return true;
    std::vector<Routine*> called = called_by(e);
    if (Routine* function = function_named(std::string(name_of(e)), scope)) called.push_back(function);
    std::set<const Routine*> seen;
    for (const Routine* one : called)
        if (!changes_nothing(*one, seen)) return true;
    bool found = false;
    for_each_child(*e, [&](const ExprPtr& child) { found = found || changes_objects(child, scope); });
    return found;
}

/// A loop that goes through the list of all that is yielded, and not turn by turn with the generator.
void HeapWriter::require_apart(const ForStmt& s, Scope& scope) {
    if (!generator_of(s.iterable, scope)) return;
    const ExprPtr& iterable = iterable_of(s.iterable);
    bool given = !called_by(iterable).empty();  // A method's object.
    for (const ExprPtr& one : std::get<CallExpr>(iterable->node).arguments) {
        const Type type = type_of(one);
        given = given || (holds_objects(type) && !is(type, HeapKind::Text));
    }
    walk_statements(s.body, [&](const Stmt& one) {
        if (std::holds_alternative<BreakStmt>(one.node) || std::holds_alternative<ReturnStmt>(one.node))
            throw NotOfHeap{"a loop over a generator that is left"};
        const auto* update = std::get_if<AugAssignStmt>(&one.node);
        const bool updates = update && (name_of(update->target).empty() || is_object(type_of(update->target)));
        const bool stores = updates || std::holds_alternative<DeleteStmt>(one.node) || std::holds_alternative<ExprStmt>(one.node);
        const auto* assign = std::get_if<AssignStmt>(&one.node);
        const bool elements = assign && std::ranges::any_of(assign->targets, [](const ExprPtr& e) { return name_of(e).empty(); });
        bool changes_some = false;
        for_each_expr(one, [&](const ExprPtr& e) { changes_some = changes_some || (given && changes_objects(e, scope)); });
        if (given && (stores || elements || changes_some)) throw NotOfHeap{"a loop that may change what its generator reads"};
        return true;
    });
}

}  // namespace sluice::frontend
