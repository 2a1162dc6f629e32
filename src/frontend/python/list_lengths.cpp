// How long a list surely is that loops have filled, where all paths append as often:
//     row = []
//     for j in range(m):
//         if x[j] > 0: row.append(x[j])
//         else: row.append(0.0)
//     rows.append(row)                         len(row) == m
// Lists of lists and arrays of them need one size for all rows, known before the call; the symbol of a length says the run's.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "frontend/python/loop_exits.h"

namespace sluice::frontend {

using namespace code;

bool slices_by_the_run(const Body& body, const std::string& name) {
    bool found = false;
    const auto varies = [](const ExprPtr& bound) {
        const auto* minus = bound ? std::get_if<UnaryExpr>(&bound->node) : nullptr;
        return bound && !std::holds_alternative<ConstantExpr>((minus ? minus->operand : bound)->node);
    };
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        const auto* part = std::get_if<SubscriptExpr>(&e->node);
        const auto* slice = part && name_of(part->object) == name ? std::get_if<SliceExpr>(&part->index->node) : nullptr;
        found = found || (slice && (varies(slice->begin) || varies(slice->end)));
        if (!found) for_each_child(*e, look);
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (!found) for_each_expr(statement, look);
        return !found;
    });
    return found;
}

namespace {

/// `name.append(e)`; null for any other statement.
const CallExpr* as_append(const Stmt& statement, const std::string& name) {
    const auto* expression = std::get_if<ExprStmt>(&statement.node);
    const auto* call = expression ? std::get_if<CallExpr>(&expression->value->node) : nullptr;
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    const bool appends = method && method->name == "append" && name_of(method->object) == name;
    return appends && call->arguments.size() == 1 ? call : nullptr;
}

}  // namespace

/// How often the statements hand on the list of this name, other than to what reads its elements.
std::size_t Lists::times_handed_on(const Body& body, const std::string& name) const {
    static const std::set<std::string> kReading{"len",   "sum", "max", "min",       "sorted", "list",
                                                "tuple", "any", "all", "enumerate", "zip"};
    std::size_t times = 0;
    const auto is_it = [&](const ExprPtr& e) { return name_of(e) == name; };
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        if (is_it(e)) ++times;
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        const bool reads = call && (kReading.contains(std::string(name_of(call->function))) ||
                                    qualified_name(*call->function, t_.bindings_).starts_with("numpy."));
        const auto* element = std::get_if<SubscriptExpr>(&e->node);
        for_each_child(*e, [&](const ExprPtr& part) {
            const bool of_list =
                (element && part == element->object) || (method && part == call->function && is_it(method->object));
            if (!(is_it(part) && (reads || of_list)) && !(method && of_list)) look(part);
        });
    };
    walk_statements(body, [&](const Stmt& statement) {
        const auto* loop = std::get_if<ForStmt>(&statement.node);
        if (loop && is_it(loop->iterable)) return true;
        const auto* assign = std::get_if<AssignStmt>(&statement.node);
        if (assign) {
            look(assign->value);
            for (const ExprPtr& target : assign->targets)
                if (!is_it(target)) look(target);
        } else {
            for_each_expr(statement, look);
        }
        return true;
    });
    return times;
}

void Lists::note_turns(const Span& loop, const std::optional<Expr>& iterations) {
    const std::set<std::string> symbols = iterations ? symbolic::free_symbols(*iterations) : std::set<std::string>();
    const bool known =
        iterations && std::ranges::none_of(symbols, [&](const std::string& one) { return t_.defined_symbols_.contains(one); });
    const CallPlace place{loop.line, loop.column, t_.inline_prefix_};
    if (known)
        t_.turns_.insert_or_assign(place, symbolic::maximum(0, *iterations));
    else
        t_.turns_.erase(place);
}

/// How many elements the statements append to the list of this name; nullopt where that depends on the run.
std::optional<Expr> Lists::pushes(const Body& body, const std::string& name) const {
    Expr all = 0;
    for (const StmtPtr& statement : body) {
        if (!changes_list({statement}, name)) continue;
        std::optional<Expr> here;
        if (const CallExpr* append = as_append(*statement, name)) {
            const Body argument{std::make_shared<const Stmt>(Stmt{ExprStmt{append->arguments[0]}, statement->span})};
            if (!changes_list(argument, name)) here = 1;
        } else if (const auto* choice = std::get_if<IfStmt>(&statement->node)) {
            const auto one = pushes(choice->then_body, name), other = pushes(choice->else_body, name);
            if (one && other && *one == *other) here = one;
        } else if (const auto* loop = std::get_if<ForStmt>(&statement->node)) {
            const auto turns = t_.turns_.find({statement->span.line, statement->span.column, t_.inline_prefix_});
            const auto each = pushes(loop->body, name);
            if (each && turns != t_.turns_.end() && loop->else_body.empty() && !leaves_early(loop->body))
                here = turns->second * *each;
        }
        if (!here) return std::nullopt;
        all = all + *here;
    }
    return all;
}

/// The list that is appended in the present statement, with its length where all that is between the statement that makes it and
/// this one is sure.
Value Lists::of_known_length(const Value& list) const {
    const auto place = t_.lists_.find(list.list);
    if (place == t_.lists_.end() || list.kind == Value::Kind::Rows || !list.shape[0].is_symbol()) return list;
    std::optional<Expr> length;
    const std::function<void(const Body&)> look = [&](const Body& body) {
        std::optional<std::size_t> made;
        for (std::size_t at = 0; at < body.size(); ++at) {
            const auto* assign = std::get_if<AssignStmt>(&body[at]->node);
            const auto* display = assign ? std::get_if<ListExpr>(&assign->value->node) : nullptr;
            const std::string name(assign ? name_of(assign->targets[0]) : "");
            if (display && assign->targets.size() == 1 && id_of(name, assign->value->span) == list.list) made = at;
            if (!made || body[at].get() != t_.statement_) continue;
            const auto& first = std::get<AssignStmt>(body[*made]->node);
            std::set<std::string> names{std::string(name_of(first.targets[0]))};
            add_aliases(t_.context_.function->body, names);
            const Body between(body.begin() + static_cast<std::ptrdiff_t>(*made) + 1,
                               body.begin() + static_cast<std::ptrdiff_t>(at));
            const bool alone = names.size() == 1 && times_handed_on(between, *names.begin()) == 0;
            const auto more = alone ? pushes(between, *names.begin()) : std::nullopt;
            if (more) length = static_cast<std::int64_t>(std::get<ListExpr>(first.value->node).elements.size()) + *more;
        }
        for (const StmtPtr& statement : body) for_each_body(*statement, look);
    };
    look(t_.context_.function->body);
    for (const auto& [prefix, body] : t_.context_.inlined) look(body);
    if (!length) return list;
    Value known = list;
    known.shape[0] = *length;
    return known;
}

}  // namespace sluice::frontend
