// Names that a path leaves without a value. Where one is read, a symbol tells at run time whether it is bound, and a check raises
// Python's UnboundLocalError:
//     if c: t = 1.0                    if c { t = 1.0; t_is_bound = 1 }
//     return t              ->         assert t_is_bound == 1; return t
// Only names that are read like this have such a symbol; it is assigned where paths meet, and behind a loop rather than in it.
// What an iteration reads before it binds it, for the first one has not, makes the iterations mean two things (references.cpp):
//     for i in range(n):               for i in 0:n { if binding == 1 { if i > 0 { raise }; before = x[i]; binding = 2 }
//         if i > 0: s += before  ->                   elif binding == 2 { if i > 0 { s += before }; before = x[i] } }
//         before = x[i]
#include <algorithm>
#include <functional>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/unbound.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_bound(const Variables& variables, const std::string& name) {
    const auto known = variables.find(name);
    return known != variables.end() && !known->second.unsure;
}

std::string message_of(const std::string& name) {
    return "cannot access local variable '" + name + "' where it is not associated with a value";
}

}  // namespace

bool Unbound::may_read(const ExprPtr& e) const {
    std::set<std::string> own;  // Of comprehensions and lambdas.
    const std::function<bool(const ExprPtr&)> look = [&](const ExprPtr& one) {
        if (const auto* comprehension = std::get_if<ComprehensionExpr>(&one->node))
            for (const auto& clause : comprehension->clauses)
                for (const ExprPtr& target : elements_of(clause.target)) own.emplace(name_of(target));
        if (const auto* lambda = std::get_if<LambdaExpr>(&one->node))
            own.insert(lambda->parameters.begin(), lambda->parameters.end());
        if (const std::string name(name_of(one)); !name.empty() && !own.contains(name)) {
            const auto known = t_.variables_.find(name);
            if (known != t_.variables_.end()) return known->second.unsure;
            return t_.context_.bindings.contains(name) && !t_.bindings_.contains(name);
        }
        bool found = false;
        for_each_child(*one, [&](const ExprPtr& child) { found = found || look(child); });
        return found;
    };
    return look(e);
}

/// Whether a statement in front of the place binds the name, if it runs.
bool Unbound::bound_before(const std::string& name, const Span& place) const {
    return std::ranges::any_of(t_.context_.function->body, [&](const StmtPtr& statement) {
        return statement->span.line < place.line && binding_counts({statement}).contains(name);
    });
}

/// The variables of a map's body do not outlive it.
bool Unbound::bound_in_map(const std::string& name) const {
    bool found = false;
    walk_statements(t_.context_.function->body, [&](const Stmt& statement) {
        const auto* loop = std::get_if<ForStmt>(&statement.node);
        const auto* ranges = loop ? std::get_if<SubscriptExpr>(&loop->iterable->node) : nullptr;
        found = found || (ranges && binding_counts(loop->body).contains(name));
        return !found;
    });
    return found;
}

void Unbound::read(const std::string& name, const Span& span) {
    bool in_a_loop = false;
    for (const LoopFrame* loop = t_.frame_; loop; loop = loop->around) {
        const auto* counted = std::get_if<ForStmt>(&loop->statement->node);
        const Body& body = counted ? counted->body : std::get<WhileStmt>(loop->statement->node).body;
        if (!binding_counts(body).contains(name)) continue;
        if (t_.context_.bound_apart[loop->statement].insert(name).second) in_a_loop = true;
        t_.context_.choosing_loops.insert(loop->statement);
    }
    if (in_a_loop) throw StartAgain{};
    const bool on_a_path = t_.depth_ > 0 || t_.translating_again_ || !t_.which_.empty() || bound_before(name, span);
    const bool in_a_head = t_.statement_ && std::holds_alternative<WhileStmt>(t_.statement_->node);
    if (!on_a_path || in_a_head || t_.flat_ || t_.parent_ || !t_.prelude_prefix_.empty() || bound_in_map(name))
        refuse("F002", "the variable " + name + " is used before it has a value", span,
               "give it a value on every path; variables of a map body do not outlive the map");
    t_.require(make_boolean(false, span), message_of(name), span, {"UnboundLocalError", {}});
    throw PathEnds{};
}

void Unbound::require(const std::string& name) {
    if (!t_.context_.watched.contains(name)) {
        std::string symbol = name + "_is_bound";
        for (int suffix = 0; t_.name_taken(symbol); ++suffix) symbol = name + "_is_bound" + std::to_string(suffix);
        t_.context_.taken.insert(symbol);
        t_.context_.watched.emplace(name, symbol);
        throw StartAgain{};
    }
    const std::string& tells = t_.context_.watched.at(name);
    t_.refuse_flat();
    t_.define_symbol(tells);
    t_.require(make_compare(make_name(tells, t_.where_), CompareOp::Eq, make_integer(1), t_.where_), message_of(name), t_.where_,
               {"UnboundLocalError", {}});
    Variable& variable = t_.variables_.at(name);
    variable.unsure = false;
    add_value_symbols(variable.value, t_.behind_checks_);
}

void Unbound::note(Path& path, const std::vector<std::size_t>& joined, const Endings& classes) {
    std::vector<std::pair<std::string, std::string>> assignments;
    for (const auto& [name, tells] : t_.context_.watched) {
        std::set<std::int64_t> choices;
        bool binds = false;
        for (std::size_t at = 0; at < joined.size(); ++at) {
            const Ending& ending = path.endings[at];
            if (!is_bound(ending.variables, name) || is_bound(classes[joined[at]].variables, name)) continue;
            binds = true;
            choices.insert(ending.choices.begin(), ending.choices.end());
        }
        if (!binds) continue;
        t_.define_symbol(tells);
        t_.forget(tells);
        assignments.emplace_back(tells, joined.size() == 1 ? "1" : "1 if (" + t_.chosen_text(choices) + ") else " + tells);
    }
    if (!assignments.empty()) t_.assign_at_end(path, "bound", std::move(assignments));
}

void Unbound::note_in_iteration(LoopFrame& frame) {
    std::vector<std::pair<std::string, std::string>> assignments;
    const Variables& entry = frame.meanings.front().variables;
    for (const auto& [name, tells] : t_.context_.watched) {
        if (!is_bound(t_.variables_, name) || is_bound(entry, name)) continue;
        if (frame.notes_behind && !entry.contains(name)) {
            frame.bound.insert(name);
            continue;
        }
        t_.define_symbol(tells);
        assignments.emplace_back(tells, "1");
    }
    if (!assignments.empty()) t_.assign_symbols(std::move(assignments));
}

void Unbound::note_behind(const LoopFrame& frame, const symbolic::Range& range, bool up) {
    std::vector<std::pair<std::string, std::string>> assignments;
    for (const std::string& name : frame.bound) {
        const std::string& tells = t_.context_.watched.at(name);
        const std::string begin = symbolic::to_string(range.begin), end = symbolic::to_string(range.end);
        t_.define_symbol(tells);
        assignments.emplace_back(tells, "1 if (" + begin + ")" + (up ? " < (" : " > (") + end + ") else " + tells);
    }
    if (!assignments.empty()) t_.assign_symbols(std::move(assignments));
}

/// The range has an iteration whatever the sizes are: any may be 0, unless the bounds of loops around say more.
bool Translator::runs_surely(const symbolic::Range& range, bool up, bool down) const {
    if (!up && !down) return false;
    const Expr length = up ? range.end - range.begin : range.begin - range.end;
    if (length.is_integer()) return length.integer() > 0;
    symbolic::Assumptions known = assumptions_;
    for (const std::string& symbol : symbolic::free_symbols(length)) known.assume_any(symbol);
    return symbolic::is_yes(symbolic::decide(symbolic::less(0, length), known));
}

}  // namespace sluice::frontend
