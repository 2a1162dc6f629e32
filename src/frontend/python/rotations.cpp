#include "frontend/python/rotations.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// An expression of a new list of numbers.
bool makes_list(const ExprPtr& e) {
    static const std::set<std::string> kMaking{"list", "sorted"};
    const auto is_number = [](const ExprPtr& one) { return !makes_list(one) && !std::holds_alternative<TupleExpr>(one->node); };
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        if (binary->op == BinaryOp::Mul) return makes_list(binary->left);
        return binary->op == BinaryOp::Add && makes_list(binary->left) && makes_list(binary->right);
    }
    if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node))
        return comprehension->is_list && is_number(comprehension->element);
    if (const auto* list = std::get_if<ListExpr>(&e->node)) return std::ranges::all_of(list->elements, is_number);
    const auto* call = std::get_if<CallExpr>(&e->node);
    return (call && kMaking.contains(std::string(name_of(call->function))));
}

class Rotations {
public:
    explicit Rotations(const FunctionStmt& function) : all_(occurrences(function.body)), bound_(binding_counts(function.body)) {
        for (const Parameter& parameter : function.parameters) other_.insert(parameter.name);
        look_at(function.body, nullptr);
        for (const auto& [name, count] : all_)
            if (plain_[name] != count) other_.insert(name);
    }
    Body of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) {
            const auto replaced = std::ranges::find(rotations_, one.get(), &Rotation::statement);
            const auto* s = std::get_if<AssignStmt>(&one->node);
            if (replaced == rotations_.end() || other_.contains(replaced->from) || other_.contains(replaced->to)) {
                const bool function = std::holds_alternative<FunctionStmt>(one->node);
                out.push_back(function
                                  ? with_rotations(one)
                                  : with_parts(
                                        one, [](const ExprPtr& e) { return e; }, [&](const Body& inside) { return of(inside); }));
                changed_ |= function && out.back() != one;
                continue;
            }
            changed_ = true;
            const ExprPtr whole = std::make_shared<const code::Expr>(code::Expr{SliceExpr{}, one->span});
            out.push_back(make_assignment(make_subscript(s->targets[0], {whole}, one->span), s->value, one->span));
        }
        return out;
    }
    bool changed() const { return changed_; }

private:
    struct Rotation {
        const Stmt* statement;
        std::string to, from;
    };

    /// Counts the occurrences that give a list no other name.
    void look_at(const Body& body, const Body* loop) {
        for (std::size_t at = 0; at < body.size(); ++at) {
            const Stmt& one = *body[at];
            if (std::holds_alternative<FunctionStmt>(one.node)) continue;  // What it names counts as another use.
            if (const auto* s = std::get_if<AssignStmt>(&one.node); s && s->targets.size() == 1) {
                const std::string to(name_of(s->targets[0])), from(name_of(s->value));
                if (!to.empty() && makes_list(s->value)) {
                    ++plain_[to];
                    if (in_loop_ && !walked_.contains(to) && occurrences({body[at]}).at(to) > 1)
                        rotations_.push_back({&one, to, to});
                }
                if (!to.empty() && !from.empty() && to != from && loop == &body && !walked_.contains(to) &&
                    is_rotation(body, at, to, from)) {
                    rotations_.push_back({&one, to, from});
                    ++plain_[to], ++plain_[from];
                    continue;
                }
            }
            if (const auto* s = std::get_if<ReturnStmt>(&one.node); s && s->value)
                for (const ExprPtr& part : elements_of(s->value))
                    if (!name_of(part).empty()) ++plain_[std::string(name_of(part))];
            if (const auto* s = std::get_if<ForStmt>(&one.node); s && !name_of(s->iterable).empty())
                ++plain_[std::string(name_of(s->iterable))];
            for_each_expr(one, [&](const ExprPtr& e) { count_readings(e); });
            const bool loops = std::holds_alternative<ForStmt>(one.node) || std::holds_alternative<WhileStmt>(one.node);
            const bool outside = std::exchange(in_loop_, in_loop_ || loops);
            const std::set<std::string> walked_outside = walked_;
            if (const auto* s = std::get_if<ForStmt>(&one.node)) add_names(s->iterable);
            for_each_body(one, [&](const Body& inside) { look_at(inside, loops ? &inside : nullptr); });
            in_loop_ = outside, walked_ = walked_outside;
        }
    }
    /// Names whose lists a loop may go over.
    void add_names(const ExprPtr& e) {
        if (!name_of(e).empty()) walked_.emplace(name_of(e));
        for_each_child(*e, [&](const ExprPtr& child) { add_names(child); });
    }
    /// `from` is made anew in front, in the same body, and says nothing behind or outside of it.
    bool is_rotation(const Body& body, std::size_t place, const std::string& to, const std::string& from) const {
        std::size_t first = body.size();
        for (std::size_t at = 0; at < body.size(); ++at) {
            const auto counts = occurrences({body[at]});
            if (at > place && (counts.contains(from) || binding_counts({body[at]}).contains(to))) return false;
            if (counts.contains(from)) first = std::min(first, at);
        }
        const auto* made = first < place ? std::get_if<AssignStmt>(&body[first]->node) : nullptr;
        const bool anew = made && made->targets.size() == 1 && name_of(made->targets[0]) == from && makes_list(made->value) &&
                          occurrences({body[first]}).at(from) == 1;
        return anew && occurrences(body).at(from) == all_.at(from);
    }
    /// NumPy's functions keep no list.
    bool is_numpys(const ExprPtr& function) const {
        const auto* attribute = std::get_if<AttributeExpr>(&function->node);
        const std::string_view module = attribute ? name_of(attribute->object) : std::string_view();
        return (module == "np" || module == "numpy") && !bound_.contains(std::string(module));
    }
    /// Elements, lengths, and functions that keep nothing of a list.
    void count_readings(const ExprPtr& e) {
        static const std::set<std::string> kReading{"len",  "sum",    "min", "max", "zip",   "enumerate",
                                                    "list", "sorted", "any", "all", "range", "reversed"};
        static const std::set<std::string> kMethods{"append",  "extend", "insert", "pop",  "sort",
                                                    "reverse", "remove", "index",  "count"};
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node); subscript && !name_of(subscript->object).empty())
            ++plain_[std::string(name_of(subscript->object))];
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            if (method && kMethods.contains(method->name) && !name_of(method->object).empty())
                ++plain_[std::string(name_of(method->object))];
            if (kReading.contains(std::string(name_of(call->function))) || is_numpys(call->function))
                for (const ExprPtr& one : call->arguments)
                    if (!name_of(one).empty()) ++plain_[std::string(name_of(one))];
        }
        if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node))
            for (const ComprehensionClause& clause : comprehension->clauses)
                if (!name_of(clause.iterable).empty()) ++plain_[std::string(name_of(clause.iterable))];
        for_each_child(*e, [&](const ExprPtr& child) { count_readings(child); });
    }

    std::map<std::string, int> all_, bound_, plain_;
    bool in_loop_ = false;
    std::set<std::string> walked_;  ///< In the iterables of the loops around.
    std::set<std::string> other_;   ///< Names of which an occurrence was not understood.
    std::vector<Rotation> rotations_;
    bool changed_ = false;
};

}  // namespace

StmtPtr with_rotations(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    Rotations rotations(before);
    definition.body = rotations.of(before.body);
    return rotations.changed() ? std::make_shared<const Stmt>(std::move(copy)) : function;
}

}  // namespace sluice::frontend
