#include "frontend/python/slots.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool same_key(const ExprPtr& a, const ExprPtr& b) {
    return code::to_string(*a) == code::to_string(*b);
}

std::set<std::string> names_in(const std::vector<ExprPtr>& list) {
    std::set<std::string> names;
    for (const ExprPtr& one : list) names.emplace(name_of(one));
    return names;
}

/// A list or dictionary, or a tuple that iterations replace, and the variables that stand for its elements.
struct Aggregate {
    bool of_keys = false;  ///< A dictionary.
    bool is_tuple = false;
    int bindings = 0;                           ///< Statements that assign a literal.
    bool in_loop = false;                       ///< One of them lies in a loop.
    bool changes = false;                       ///< An element is assigned.
    bool uniform = true;                        ///< Every literal has the same keys in one order.
    bool grows_surely = true;                   ///< What is added is added on every path.
    bool returned = false;                      ///< As a whole, so far.
    std::size_t literals = 0;                   ///< Elements of the literals.
    int understood = 0;                         ///< Occurrences of the name in such roles.
    std::vector<ExprPtr> keys;                  ///< In the order of insertion.
    std::map<std::string, ExprPtr> slots = {};  ///< Variable by the text of the key.

    bool has(const ExprPtr& key) const {
        return std::ranges::any_of(keys, [&](const ExprPtr& other) { return same_key(key, other); });
    }
    void add_key(const ExprPtr& key) {
        if (!has(key)) keys.push_back(key);
    }
};

class Slots {
public:
    explicit Slots(const FunctionStmt& function) : function_(function) {
        for (const auto& [name, count] : occurrences(function.body)) taken_.insert(name);
        for (const Parameter& parameter : function.parameters) taken_.insert(parameter.name);
        for (const StmtPtr& statement : function.body) always_.insert(statement.get());
        find_literals(function.body, false);
        walk_statements(function.body, [&](const Stmt& statement) {
            const auto* inner = std::get_if<FunctionStmt>(&statement.node);
            if (!inner) note(statement);
            return !inner;
        });
        keep_those_apart();
    }
    bool any() const { return !all_.empty(); }
    Body replaced(const Body& body) const {
        Body result;
        for (const StmtPtr& one : body) result.push_back(replaced(one));
        return result;
    }

private:
    /// The literal of `x = [1, 2]`, `x = {"a": 1}` and `x = (1, 2)`; null for other statements.
    static ExprPtr literal_in(const Stmt& statement) {
        const auto* assign = std::get_if<AssignStmt>(&statement.node);
        if (!assign || assign->targets.size() != 1 || name_of(assign->targets[0]).empty()) return nullptr;
        if (const auto* keyed = std::get_if<DictExpr>(&assign->value->node))
            return std::ranges::all_of(keyed->keys, [](const ExprPtr& key) { return key && is_key(key); }) ? assign->value
                                                                                                           : nullptr;
        const bool list = std::holds_alternative<ListExpr>(assign->value->node);
        if (!list && !std::holds_alternative<TupleExpr>(assign->value->node)) return nullptr;
        const auto starred = [](const ExprPtr& e) { return std::holds_alternative<StarredExpr>(e->node); };
        const std::vector<ExprPtr> elements = elements_of(assign->value);
        return !elements.empty() && std::ranges::none_of(elements, starred) ? assign->value : nullptr;
    }
    static std::vector<ExprPtr> keys_of(const ExprPtr& literal) {
        if (const auto* keyed = std::get_if<DictExpr>(&literal->node)) return keyed->keys;
        std::vector<ExprPtr> keys;
        for (std::size_t at = 0; at < elements_of(literal).size(); ++at)
            keys.push_back(make_integer(static_cast<std::int64_t>(at)));
        return keys;
    }
    static bool is_key(const ExprPtr& e) {
        const auto* constant = std::get_if<ConstantExpr>(&e->node);
        return constant &&
               (std::holds_alternative<std::string>(constant->value) || std::holds_alternative<std::int64_t>(constant->value));
    }

    void find_literals(const Body& body, bool in_loop) {
        for (const StmtPtr& statement : body) {
            if (std::holds_alternative<FunctionStmt>(statement->node)) continue;
            if (const ExprPtr literal = literal_in(*statement)) {
                Aggregate& one = all_[std::string(name_of(std::get<AssignStmt>(statement->node).targets[0]))];
                const bool of_keys = std::holds_alternative<DictExpr>(literal->node);
                const bool is_tuple = std::holds_alternative<TupleExpr>(literal->node);
                const std::vector<ExprPtr> keys = keys_of(literal);
                for (const ExprPtr& key : keys) one.add_key(key);
                one.uniform &= std::ranges::equal(one.keys, keys, same_key) &&
                               (one.bindings == 0 || (one.of_keys == of_keys && one.is_tuple == is_tuple));
                one.of_keys = of_keys, one.is_tuple = is_tuple;
                one.literals = keys.size();
                one.in_loop |= in_loop;
                ++one.bindings;
                ++one.understood;
            }
            const bool loops =
                std::holds_alternative<ForStmt>(statement->node) || std::holds_alternative<WhileStmt>(statement->node);
            for_each_body(*statement, [&](const Body& inside) { find_literals(inside, in_loop || loops); });
        }
    }

    /// The aggregate whose element of a constant key the expression is.
    Aggregate* element(const ExprPtr& e, ExprPtr* key) {
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        const auto at = subscript ? all_.find(std::string(name_of(subscript->object))) : all_.end();
        if (at == all_.end() || !is_key(subscript->index)) return nullptr;
        *key = subscript->index;
        return &at->second;
    }
    void note(const Stmt& statement) {
        const auto assigned = [&](const ExprPtr& target) {
            ExprPtr key;
            for (const ExprPtr& part : elements_of(target))
                if (Aggregate* one = element(part, &key)) {
                    one->changes = true;
                    if (!one->of_keys || one->has(key)) continue;
                    one->grows_surely &= !one->returned && always_.contains(&statement);
                    one->add_key(key);
                }
        };
        if (const auto* assign = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : assign->targets) assigned(target);
        if (const auto* update = std::get_if<AugAssignStmt>(&statement.node)) assigned(update->target);
        if (const auto* returns = std::get_if<ReturnStmt>(&statement.node); returns && returns->value)
            for (const std::string& name : names_in(elements_of(returns->value)))  // Twice in one result, it is one object.
                if (const auto at = all_.find(name); at != all_.end()) {
                    ++at->second.understood;
                    at->second.returned = true;
                }
        if (std::holds_alternative<DeleteStmt>(statement.node)) return;  // Elements that go are not understood.
        for_each_expr(statement, [&](const ExprPtr& e) { note_elements(e); });
    }
    void note_elements(const ExprPtr& e) {
        ExprPtr key;
        if (std::holds_alternative<LambdaExpr>(e->node) || std::holds_alternative<ComprehensionExpr>(e->node)) return;
        if (Aggregate* one = element(e, &key)) {
            ++one->understood;
            used_[one].push_back(key);
        }
        for_each_child(*e, [&](const ExprPtr& child) { note_elements(child); });
    }

    using Keys = std::set<std::string>;

    /// Whether each element of the dictionary that the expression reads is among these.
    static bool reads_what_is_there(const ExprPtr& e, const std::string& name, const Keys& present) {
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        bool sure = !subscript || name_of(subscript->object) != name || present.contains(code::to_string(*subscript->index));
        for_each_child(*e, [&](const ExprPtr& child) { sure = sure && reads_what_is_there(child, name, present); });
        return sure;
    }
    /// The same for statements, in front of which the dictionary surely has the keys `present`; behind them, too.
    bool reads_what_is_there(const Body& body, const std::string& name, Keys& present) const {
        return std::ranges::all_of(body, [&](const StmtPtr& one) { return reads_what_is_there(*one, name, present); });
    }
    bool reads_what_is_there(const Stmt& one, const std::string& name, Keys& present) const {
        const auto is_its_element = [&](const ExprPtr& target) {
            const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
            return subscript && name_of(subscript->object) == name;
        };
        if (const auto* s = std::get_if<AssignStmt>(&one.node)) {
            bool sure = reads_what_is_there(s->value, name, present);
            for (const ExprPtr& target : s->targets)
                for (const ExprPtr& part : elements_of(target)) {
                    sure = sure && (is_its_element(part) || reads_what_is_there(part, name, present));
                    if (name_of(part) == name) present.clear();
                    if (is_its_element(part)) present.insert(code::to_string(*std::get<SubscriptExpr>(part->node).index));
                }
            if (name_of(s->targets[0]) == name)
                for (const ExprPtr& key : keys_of(s->value)) present.insert(code::to_string(*key));
            return sure;
        }
        const bool loops = std::holds_alternative<ForStmt>(one.node) || std::holds_alternative<WhileStmt>(one.node);
        if (loops && binding_counts({std::make_shared<const Stmt>(one)}).contains(name)) present.clear();
        bool sure = true;
        for_each_expr(one, [&](const ExprPtr& e) { sure = sure && reads_what_is_there(e, name, present); });
        if (const auto* s = std::get_if<IfStmt>(&one.node)) {
            Keys otherwise = present;
            sure = sure && reads_what_is_there(s->then_body, name, present) && reads_what_is_there(s->else_body, name, otherwise);
            std::erase_if(present, [&](const std::string& key) { return !otherwise.contains(key); });
            return sure;
        }
        for_each_body(one, [&](const Body& body) {
            Keys inside = present;
            sure = sure && reads_what_is_there(body, name, inside);
        });
        return sure;
    }

    void keep_those_apart() {
        const auto counts = occurrences(function_.body), bound = binding_counts(function_.body);
        std::set<std::string> inner = inner_names(function_.body);  // And all in functions of the function.
        walk_statements(function_.body, [&](const Stmt& one) {
            if (std::holds_alternative<FunctionStmt>(one.node))
                for (const auto& [name, count] : occurrences({std::make_shared<const Stmt>(one)})) inner.insert(name);
            return true;
        });
        std::erase_if(all_, [&](const auto& entry) {
            const auto& [name, one] = entry;
            const bool parameter = std::ranges::any_of(function_.parameters, [&](const Parameter& p) { return p.name == name; });
            const auto uses = used_.find(&one);
            const bool known =
                uses == used_.end() || std::ranges::all_of(uses->second, [&](const ExprPtr& k) { return one.has(k); });
            const bool grows = one.keys.size() > one.literals;
            if (one.is_tuple)  // Nobody changes it, so that it may be read anywhere.
                return parameter || !one.uniform || one.changes || !one.in_loop || one.bindings < 2 || inner.contains(name) ||
                       bound.at(name) != one.bindings;
            const bool apart = parameter || !one.uniform || !one.changes || !known || one.understood != counts.at(name);
            if (apart || !grows || (one.of_keys && one.grows_surely && !one.in_loop && one.bindings == 1)) return apart;
            Keys present;
            return !one.of_keys || one.returned || !reads_what_is_there(function_.body, name, present);
        });
        for (auto& [name, one] : all_)
            for (const ExprPtr& key : one.keys) {
                std::string text = code::to_string(*key), variable = name + "_";
                for (const char c : text)
                    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') variable += c;
                while (!taken_.insert(variable).second) variable += "_";
                one.slots.emplace(std::move(text), make_name(variable));
            }
    }

    ExprPtr slot(const Aggregate& one, const ExprPtr& key, const Span& span) const {
        return make_name(std::string(name_of(one.slots.at(code::to_string(*key)))), span);
    }
    /// The literal of the variables that a name stands for; null for other expressions.
    ExprPtr whole(const ExprPtr& e) const {
        const auto at = all_.find(std::string(name_of(e)));
        if (at == all_.end()) return nullptr;
        DictExpr literal{at->second.keys, {}};
        for (const ExprPtr& key : literal.keys) literal.values.push_back(slot(at->second, key, e->span));
        if (at->second.is_tuple) return make_expression(TupleExpr{literal.values}, e->span);
        if (!at->second.of_keys) return std::make_shared<const code::Expr>(code::Expr{ListExpr{literal.values}, e->span});
        return std::make_shared<const code::Expr>(code::Expr{std::move(literal), e->span});
    }
    ExprPtr replaced(const ExprPtr& e) const {
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            const auto* subscript = std::get_if<SubscriptExpr>(&part->node);
            const auto at = all_.find(std::string(name_of(subscript ? subscript->object : part)));
            if (at == all_.end()) return nullptr;
            if (!subscript) return at->second.is_tuple ? whole(part) : nullptr;
            const bool known = is_key(subscript->index) && at->second.has(subscript->index);
            return known || !at->second.is_tuple ? slot(at->second, subscript->index, part->span) : nullptr;
        });
    }
    StmtPtr replaced(const StmtPtr& statement) const {
        if (std::holds_alternative<FunctionStmt>(statement->node)) return statement;
        const auto make = [&](auto node) { return std::make_shared<const Stmt>(Stmt{std::move(node), statement->span}); };
        if (const auto* returns = std::get_if<ReturnStmt>(&statement->node); returns && returns->value)
            return make(ReturnStmt{replace_parts(replaced(returns->value), [&](const ExprPtr& part) { return whole(part); })});
        const ExprPtr literal = literal_in(*statement);
        const auto target = literal ? std::get<AssignStmt>(statement->node).targets[0] : nullptr;
        if (const auto at = all_.find(std::string(name_of(target))); at != all_.end()) {
            const auto* keyed = std::get_if<DictExpr>(&literal->node);
            const std::vector<ExprPtr> keys = keys_of(literal), values = keyed ? keyed->values : elements_of(literal);
            if (values.empty()) return make(PassStmt{});
            TupleExpr targets, sources;
            for (std::size_t k = 0; k < values.size(); ++k) {
                targets.elements.push_back(slot(at->second, keys[k], target->span));
                sources.elements.push_back(replaced(values[k]));
            }
            if (values.size() == 1) return make(AssignStmt{{targets.elements[0]}, sources.elements[0]});
            const auto together = [&](TupleExpr tuple, const Span& span) {
                return std::make_shared<const code::Expr>(code::Expr{std::move(tuple), span});
            };
            return make(AssignStmt{{together(targets, target->span)}, together(sources, literal->span)});
        }
        return with_parts(
            statement, [&](const ExprPtr& e) { return replaced(e); }, [&](const Body& body) { return replaced(body); });
    }

    const FunctionStmt& function_;
    std::set<std::string> taken_;
    std::set<const Stmt*> always_;  ///< Statements of the body itself: not of branches and loops.
    std::map<std::string, Aggregate> all_;
    std::map<const Aggregate*, std::vector<ExprPtr>> used_;  ///< Keys by which elements are read or assigned.
};

Body with_slots_inside(const Body& body) {
    Body result;
    for (const StmtPtr& one : body)
        result.push_back(
            std::holds_alternative<FunctionStmt>(one->node)
                ? with_slots(one)
                : with_parts(
                      one, [](const ExprPtr& e) { return e; }, [](const Body& inside) { return with_slots_inside(inside); }));
    return result;
}

/// `xs = [0] + [1] * n` is a list that gets more.
bool is_sum_of_lists(const ExprPtr& e) {
    const auto* binary = std::get_if<BinaryExpr>(&e->node);
    const auto is_part = [](const ExprPtr& one) {
        const auto* product = std::get_if<BinaryExpr>(&one->node);
        return product && product->op == BinaryOp::Mul && std::holds_alternative<ListExpr>(product->left->node);
    };
    if (!binary || binary->op != BinaryOp::Add ||
        !(is_part(binary->right) || std::holds_alternative<ListExpr>(binary->right->node)))
        return false;
    return is_part(binary->left) || (std::holds_alternative<ListExpr>(binary->left->node) && is_part(binary->right)) ||
           is_sum_of_lists(binary->left);
}

/// `xs, ys = [t], []` is two statements: each name is that of a list. What a value reads must be none of the names. So is `a = b =
/// 0`.
std::vector<StmtPtr> with_lists_apart(const StmtPtr& statement) {
    const auto* assign = std::get_if<AssignStmt>(&statement->node);
    if (assign && assign->targets.size() == 1 && is_sum_of_lists(assign->value)) {
        const auto& sum = std::get<BinaryExpr>(assign->value->node);
        const std::string name(name_of(assign->targets[0]));
        if (name.empty() || occurrences({make_assignment(assign->targets[0], sum.right, statement->span)}).at(name) > 1)
            return {statement};
        std::vector<StmtPtr> all = with_lists_apart(make_assignment(assign->targets[0], sum.left, statement->span));
        all.push_back(
            std::make_shared<const Stmt>(Stmt{AugAssignStmt{assign->targets[0], BinaryOp::Add, sum.right}, statement->span}));
        return all;
    }
    if (assign && assign->targets.size() > 1 && std::holds_alternative<ConstantExpr>(assign->value->node)) {
        std::vector<StmtPtr> all;  // `a[0] = a[1] = 0`
        for (const ExprPtr& target : assign->targets) all.push_back(make_assignment(target, assign->value, statement->span));
        return all;
    }
    const bool several = assign && assign->targets.size() == 1 && std::holds_alternative<TupleExpr>(assign->value->node);
    if (!several) return {statement};
    const std::vector<ExprPtr> targets = elements_of(assign->targets[0]), values = elements_of(assign->value);
    const auto is_list = [](const ExprPtr& e) {
        static const std::set<std::string> kMaking{"set", "dict", "list", "deque", "defaultdict", "Counter"};
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* product = std::get_if<BinaryExpr>(&e->node);
        return std::holds_alternative<ListExpr>(e->node) || std::holds_alternative<DictExpr>(e->node) ||
               std::holds_alternative<ComprehensionExpr>(e->node) ||
               (product && product->op == BinaryOp::Mul && std::holds_alternative<ListExpr>(product->left->node)) ||
               (call && kMaking.contains(std::string(name_of(call->function))));
    };
    const std::set<std::string> names = names_in(targets);
    const bool plain = targets.size() == values.size() && names.size() == targets.size() && !names.contains("");
    if (!plain || std::ranges::none_of(values, is_list)) return {statement};
    std::vector<StmtPtr> result;
    for (std::size_t at = 0; at < targets.size(); ++at) {
        result.push_back(make_assignment(targets[at], values[at], statement->span));
        for (const auto& [name, count] : occurrences({result.back()}))
            if (names.contains(name) && name != name_of(targets[at])) return {statement};
        if (occurrences({result.back()}).at(std::string(name_of(targets[at]))) > 1) return {statement};
    }
    return result;
}

Body with_lists_apart(const Body& body) {
    Body result;
    for (const StmtPtr& one : body) {
        const StmtPtr inside =
            std::holds_alternative<FunctionStmt>(one->node)
                ? one
                : with_parts(
                      one, [](const ExprPtr& e) { return e; }, [](const Body& part) { return with_lists_apart(part); });
        for (const StmtPtr& part : with_lists_apart(inside)) result.push_back(part);
    }
    return result;
}

bool has_lists_together(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& statement) {
        found = found || with_lists_apart(std::make_shared<const Stmt>(statement)).size() > 1;
        return !std::holds_alternative<FunctionStmt>(statement.node);
    });
    return found;
}

}  // namespace

StmtPtr with_slots(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const bool together = has_lists_together(definition.body);
    if (together) definition.body = with_lists_apart(definition.body);
    const Slots slots(definition);
    if (slots.any()) definition.body = slots.replaced(definition.body);
    bool nested = false;
    walk_statements(definition.body, [&](const Stmt& one) { return !(nested |= std::holds_alternative<FunctionStmt>(one.node)); });
    if (nested) definition.body = with_slots_inside(definition.body);
    return together || slots.any() || nested ? std::make_shared<const Stmt>(std::move(copy)) : function;
}

}  // namespace sluice::frontend
