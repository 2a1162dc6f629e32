#include "frontend/python/in_place.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/signatures.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// The name that `a[i].T[j]` begins with.
std::string_view root_of(const ExprPtr& e) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) return root_of(subscript->object);
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) return root_of(attribute->object);
    return name_of(e);
}

bool is_list(const ExprPtr& e) {
    const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* sum = std::get_if<BinaryExpr>(&e->node);
    return std::holds_alternative<ListExpr>(e->node) || (comprehension && comprehension->is_list) ||
           (call && (name_of(call->function) == "list" || name_of(call->function) == "sorted")) ||
           (sum && (is_list(sum->left) || is_list(sum->right)));
}

class InPlace {
public:
    InPlace(std::set<std::string> names, const Bindings& bindings, const std::set<std::string>& lists)
        : names_(std::move(names)), bindings_(bindings), lists_(lists) {}

    bool changes(const Body& body) {
        add_names(body);
        bool found = false;
        walk_statements(body, [&](const Stmt& statement) {
            found = found || changes(statement);
            return !found;
        });
        return found;
    }

    bool returns(const Body& body) {
        add_names(body);
        bool found = false;
        walk_statements(body, [&](const Stmt& statement) {
            const auto* returned = std::get_if<ReturnStmt>(&statement.node);
            found = found || (returned && returned->value && may_be(returned->value));
            return !found;
        });
        return found;
    }

    /// The same for what runs behind the statements of a line that holds the array in these names; a name that is bound to
    /// something new no longer means it. Nothing if there is no such statement.
    std::optional<bool> changes_behind(const Body& body, std::uint32_t line) {
        held_ = std::exchange(names_, {});
        line_ = line;
        const bool found = follow(body);
        return reached_ ? std::optional(found) : std::nullopt;
    }

private:
    using Names = std::set<std::string>;

    /// Goes through the statements in their order, with the names that may mean the array.
    bool follow(const Body& body) {
        for (const StmtPtr& statement : body) {
            if (follow(*statement)) return true;
            seen_.insert(names_.begin(), names_.end());
        }
        return false;
    }
    bool follow(const Stmt& statement) {
        if (const auto* s = std::get_if<IfStmt>(&statement.node)) {
            if (changes(s->condition)) return true;
            const Names before = names_;
            if (follow(s->then_body)) return true;
            const Names then = std::exchange(names_, before);
            if (follow(s->else_body)) return true;
            names_.insert(then.begin(), then.end());
            return false;
        }
        if (const auto* s = std::get_if<ForStmt>(&statement.node))
            for (const ExprPtr& target : elements_of(s->target)) lambdas_.erase(std::string(name_of(target)));
        if (const auto* s = std::get_if<ForStmt>(&statement.node)) return follow_loop(statement, s->body, s->else_body);
        if (const auto* s = std::get_if<WhileStmt>(&statement.node)) return follow_loop(statement, s->body, s->else_body);
        if (changes(statement)) return true;
        if (const auto* s = std::get_if<WithStmt>(&statement.node)) return follow(s->body);
        if (std::holds_alternative<UnsupportedStmt>(statement.node)) return true;
        if (const auto* s = std::get_if<FunctionStmt>(&statement.node)) {
            local_[s->name] = s;
            return false;
        }
        if (statement.span.line == line_) {  // What it is stored in means the array from here on.
            reached_ = true;
            names_.insert(held_.begin(), held_.end());
        }
        if (const auto* s = std::get_if<AssignStmt>(&statement.node)) {
            const auto* lambda = std::get_if<LambdaExpr>(&s->value->node);
            for (const ExprPtr& target : s->targets) {
                lambdas_.erase(std::string(name_of(target)));
                if (lambda) lambdas_[std::string(name_of(target))] = lambda;
            }
        }
        if (std::holds_alternative<AssignStmt>(statement.node) || std::holds_alternative<AnnAssignStmt>(statement.node))
            bind(statement);
        else
            add_names(statement);  // It forgets none.
        return false;
    }
    /// Again and again, until an iteration begins with no name that an earlier one did not begin with. Whoever leaves one early may
    /// have any name that it had.
    bool follow_loop(const Stmt& loop, const Body& body, const Body& else_body) {
        if (changes(loop)) return true;
        const Names seen_outside = std::exchange(seen_, {});
        for (Names before; before != names_ || before.empty();) {
            before = names_;
            seen_ = names_;
            add_names(loop);
            if (follow(body)) return true;
            names_.insert(seen_.begin(), seen_.end());
            names_.insert(before.begin(), before.end());
            if (names_.empty()) break;
        }
        seen_.insert(seen_outside.begin(), seen_outside.end());
        return follow(else_body);
    }
    void bind(const Stmt& statement) {
        std::vector<ExprPtr> targets;
        ExprPtr value;
        if (const auto* s = std::get_if<AssignStmt>(&statement.node)) {
            targets = s->targets;
            value = s->value;
        } else {
            const auto& annotated = std::get<AnnAssignStmt>(statement.node);
            targets = {annotated.target};
            value = annotated.value;
        }
        if (!value) return;
        Names now = names_;
        const auto take = [&](const ExprPtr& target, const ExprPtr& from) {
            const bool means = may_be(from);
            if (const auto name = name_of(target); !name.empty() && !means)
                now.erase(std::string(name));
            else if (means && !root_of(target).empty())
                now.emplace(root_of(target));
        };
        for (const ExprPtr& target : targets) {
            const bool several = std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node);
            const std::vector<ExprPtr> places = several ? elements_of(target) : std::vector<ExprPtr>{target};
            const std::vector<ExprPtr> values =
                several && std::holds_alternative<TupleExpr>(value->node) ? elements_of(value) : std::vector<ExprPtr>();
            for (std::size_t at = 0; at < places.size(); ++at)
                take(places[at], values.size() == places.size() ? values[at] : value);
        }
        const Names before = names_;
        for_each_expr(statement, [&](const ExprPtr& e) { add_names(e); });
        std::ranges::set_difference(names_, before, std::inserter(now, now.end()));
        names_ = std::move(now);
    }

    bool has(std::string_view name) const { return names_.contains(std::string(name)); }

    void add_target(const ExprPtr& target) {
        if (const auto root = root_of(target); !root.empty()) names_.emplace(root);
        if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node))
            for (const ExprPtr& one : elements_of(target)) add_target(one);
    }

    /// Other names for an array or its parts.
    void add_names(const Body& body) {
        for (std::size_t before = 0; before != names_.size();) {
            before = names_.size();
            walk_statements(body, [&](const Stmt& statement) {
                add_names(statement);
                return true;
            });
        }
    }
    void add_names(const Stmt& statement) {
        if (const auto* s = std::get_if<AssignStmt>(&statement.node); s && may_be(s->value))
            for (const ExprPtr& target : s->targets) add_target(target);
        if (const auto* s = std::get_if<AnnAssignStmt>(&statement.node); s && s->value && may_be(s->value)) add_target(s->target);
        if (const auto* s = std::get_if<ForStmt>(&statement.node); s && may_be(s->iterable)) add_target(s->target);
        for_each_expr(statement, [&](const ExprPtr& e) { add_names(e); });
    }
    void add_names(const ExprPtr& e) {
        if (const auto* named = std::get_if<NamedExpr>(&e->node); named && may_be(named->value)) add_target(named->target);
        if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node))
            for (const ComprehensionClause& clause : comprehension->clauses)
                if (may_be(clause.iterable)) add_target(clause.target);
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);  // `rows.append(x)`
            const bool given = std::ranges::any_of(call->arguments, [&](const ExprPtr& one) { return may_be(one); });
            if (method && given && qualified_name(*call->function, bindings_).empty()) add_target(method->object);
        }
        for_each_child(*e, [&](const ExprPtr& part) { add_names(part); });
    }

    /// Whether the value may share memory with an array of these names.
    bool may_be(const ExprPtr& e) const {
        if (const auto name = name_of(e); !name.empty()) return has(name);
        if (const auto* sum = std::get_if<BinaryExpr>(&e->node))  // Of lists, which hold the elements of both.
            return sum->op == BinaryOp::Add && (is_list(sum->left) || is_list(sum->right)) &&
                   (may_be(sum->left) || may_be(sum->right));
        if (std::holds_alternative<UnaryExpr>(e->node) || std::holds_alternative<CompareExpr>(e->node)) return false;
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            static const std::set<std::string> kNew{"copy", "astype", "sum", "mean", "min", "max", "std", "var", "dot", "tolist"};
            static const std::set<std::string> kNewOfNumpy{
                "array",  "copy",   "zeros",   "ones",    "empty", "full", "zeros_like", "ones_like", "empty_like",  "full_like",
                "where",  "exp",    "sin",     "cos",     "sqrt",  "abs",  "roll",       "clip",      "concatenate", "stack",
                "vstack", "hstack", "maximum", "minimum", "sum",   "mean", "dot",        "matmul",    "tanh",        "log"};
            const std::string name = qualified_name(*call->function, bindings_);
            if (name.starts_with("numpy.") && kNewOfNumpy.contains(name.substr(6))) return false;
            if (local_.contains(std::string(name_of(call->function)))) return !names_.empty();  // It may return what it sees.
            if (const auto lambda = lambdas_.find(std::string(name_of(call->function))); lambda != lambdas_.end())
                return inside_of(*lambda->second, *call).may_be(lambda->second->body);
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            if (name.empty() && method && kNew.contains(method->name)) return false;
        }
        bool found = false;
        for_each_child(*e, [&](const ExprPtr& part) { found = found || may_be(part); });
        return found;
    }

    bool changes(const Stmt& statement) const {
        const auto by_target = [&](const ExprPtr& target) {
            const auto targets = std::holds_alternative<NameExpr>(target->node) ? std::vector<ExprPtr>() : elements_of(target);
            return std::ranges::any_of(
                targets, [&](const ExprPtr& one) { return !std::holds_alternative<NameExpr>(one->node) && has(root_of(one)); });
        };
        const auto replaces_element = [&](const ExprPtr& target) {
            const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
            return subscript && lists_.contains(std::string(name_of(subscript->object)));
        };
        if (const auto* s = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& targets : s->targets)
                for (const ExprPtr& target : elements_of(targets))
                    if (!replaces_element(target) && by_target(target)) return true;
        if (const auto* s = std::get_if<AugAssignStmt>(&statement.node); s && has(root_of(s->target))) return true;
        if (const auto* s = std::get_if<ForStmt>(&statement.node); s && by_target(s->target)) return true;
        bool found = false;
        for_each_expr(statement, [&](const ExprPtr& e) { found = found || changes(e); });
        return found;
    }

    bool changes(const ExprPtr& e) const {
        bool found = false;
        if (const auto* call = std::get_if<CallExpr>(&e->node)) found = changes(*call);
        for_each_child(*e, [&](const ExprPtr& part) { found = found || changes(part); });
        return found;
    }

    bool changes(const CallExpr& call) const {
        static const std::set<std::string> kPure{"len", "abs", "float", "int",  "range", "enumerate", "zip",  "min",
                                                 "max", "sum", "print", "list", "tuple", "bool",      "round"};
        static const std::set<std::string> kInPlace{"sort",      "fill",    "put",      "resize",
                                                    "partition", "itemset", "setflags", "setfield"};
        static const std::set<std::string> kInPlaceOfNumpy{"copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"};
        if (const auto local = local_.find(std::string(name_of(call.function))); local != local_.end())
            return !is_harmless(call, *local->second, bindings_, names_);
        if (const auto lambda = lambdas_.find(std::string(name_of(call.function))); lambda != lambdas_.end())
            return inside_of(*lambda->second, call).changes(lambda->second->body);
        for (const Keyword& keyword : call.keywords)
            if (keyword.name == "out" && may_be(keyword.value)) return true;
        const std::string name = qualified_name(*call.function, bindings_);
        const bool given = std::ranges::any_of(call.arguments, [&](const ExprPtr& one) { return may_be(one); }) ||
                           std::ranges::any_of(call.keywords, [&](const Keyword& one) { return may_be(one.value); });
        if (name.starts_with("numpy."))
            return given && (kInPlaceOfNumpy.contains(name.substr(6)) || name.ends_with(".at") ||
                             name.starts_with("numpy.random") || call.arguments.size() > 2 || is_given_out(call, bindings_));
        if (!name.empty() || kPure.contains(std::string(name_of(call.function)))) return false;
        if (const auto* method = std::get_if<AttributeExpr>(&call.function->node))
            return (kInPlace.contains(method->name) && may_be(method->object)) || (method->name == "shuffle" && given);
        return given && !is_harmless(call);
    }

    /// The names that may mean the array in the body of a lambda that is called.
    InPlace inside_of(const LambdaExpr& lambda, const CallExpr& call) const {
        Names seen = names_;
        for (const std::string& parameter : lambda.parameters) seen.erase(parameter);
        const bool given = std::ranges::any_of(call.arguments, [&](const ExprPtr& one) { return may_be(one); }) ||
                           std::ranges::any_of(call.keywords, [&](const Keyword& one) { return may_be(one.value); });
        if (given) seen.insert(lambda.parameters.begin(), lambda.parameters.end());
        InPlace inside(std::move(seen), bindings_, kNoLists);
        inside.local_ = local_;
        return inside;
    }
    /// A function around the program that changes none of the arrays that it is given.
    bool is_harmless(const CallExpr& call) const {
        const auto bound = bindings_.find(std::string(name_of(call.function)));
        const auto* program = bound == bindings_.end() ? nullptr : std::get_if<ProgramBinding>(&bound->second);
        return program &&
               is_harmless(call, std::get<FunctionStmt>(program->program->function->node), program->program->globals, {});
    }
    /// `seen`: names that the function sees around it.
    bool is_harmless(const CallExpr& call, const FunctionStmt& function, const Bindings& bindings, Names seen) const {
        if (!call.keywords.empty() || depth_ > 4 || call.arguments.size() > function.parameters.size()) return false;
        for (const auto& parameter : function.parameters) seen.erase(parameter.name);
        for (std::size_t at = 0; at < call.arguments.size(); ++at)
            if (may_be(call.arguments[at])) seen.insert(function.parameters[at].name);
        InPlace inside(std::move(seen), bindings, kNoLists);
        inside.depth_ = depth_ + 1;
        inside.local_ = local_;
        return !inside.changes(function.body);
    }

    static inline const Names kNoLists = {};
    std::set<std::string> names_;
    const Bindings& bindings_;
    const Names& lists_;
    int depth_ = 0;
    std::map<std::string, const FunctionStmt*> local_;  ///< Functions that the statements define.
    std::map<std::string, const LambdaExpr*> lambdas_;  ///< And those that they assign to names.
    Names held_, seen_;
    std::uint32_t line_ = 0;
    bool reached_ = false;
};

}  // namespace

bool may_change_in_place(const Body& body, std::set<std::string> names, const Bindings& bindings,
                         const std::set<std::string>& lists) {
    return InPlace(std::move(names), bindings, lists).changes(body);
}

bool may_be_returned(const Body& body, std::set<std::string> names, const Bindings& bindings) {
    const std::set<std::string> no_lists;
    return InPlace(std::move(names), bindings, no_lists).returns(body);
}

bool may_change_behind(const Body& body, std::uint32_t line, std::set<std::string> names, const Bindings& bindings,
                       const std::set<std::string>& lists) {
    return InPlace(std::move(names), bindings, lists).changes_behind(body, line).value_or(true);
}

std::set<std::string> names_of_lists(const FunctionStmt& function) {
    auto others = binding_counts(function.body);
    std::set<std::string> lists;
    walk_statements(function.body, [&](const Stmt& statement) {
        if (const auto* s = std::get_if<AssignStmt>(&statement.node); s && is_list(s->value))
            for (const ExprPtr& target : s->targets)
                if (const std::string name(name_of(target)); !name.empty()) --others[name], lists.insert(name);
        return true;
    });
    for (const Parameter& parameter : function.parameters) lists.erase(parameter.name);
    std::erase_if(lists, [&](const std::string& name) { return others.at(name) > 0; });
    return lists;
}

}  // namespace sluice::frontend
