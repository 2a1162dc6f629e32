// Sets of sets are made in front of the statement that asks for them:
//     n = len(s & t)         both = {x for x in s if x in t};  n = len(both)
//     u = s | t              u = set(s); u.update(t)
//     if s <= t: ...         both = {x for x in s if x in t};  if len(both) == len(s): ...
//     s -= t                 rest = {x for x in s if x not in t};  s = set(rest)
// A set is what a name is bound to that is bound to new sets. Nothing is moved in front of what Python may evaluate again, or not
// at all: operators there stay, and the table is refused.
#include "frontend/python/sets.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "code/displays.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"

namespace sluice::frontend {

using namespace code;

namespace {

ExprPtr set_expression(auto node, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{std::move(node), span});
}
StmtPtr set_statement(auto node, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}

class SetOperators {
public:
    SetOperators(const FunctionStmt& function, const Bindings& globals, const std::function<std::string(const std::string&)>& own)
        : globals_(globals), own_(own) {
        const auto counts = binding_counts(function.body);
        for (const auto& [name, count] : counts) bound_.insert(name);
        for (const Parameter& parameter : function.parameters) other_.insert(parameter.name), bound_.insert(parameter.name);
        for (bool settled = false; !settled;) {
            find(function.body);
            std::map<std::string, int> made;
            walk_statements(function.body, [&](const Stmt& one) {
                const auto* s = std::get_if<AssignStmt>(&one.node);
                const auto* u = std::get_if<AugAssignStmt>(&one.node);
                if (s && s->targets.size() == 1 && is_set(s->value)) ++made[std::string(name_of(s->targets[0]))];
                if (u && is_set(u->value)) ++made[std::string(name_of(u->target))];
                return !std::holds_alternative<FunctionStmt>(one.node);
            });
            settled = true;
            for (const std::string& name : names_)
                if (made[name] != counts.at(name)) settled = !other_.insert(name).second && settled;
        }
    }
    Body of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) add(one, out);
        return out;
    }

private:
    /// Names that are bound to sets.
    void find(const Body& body) {
        names_.clear();
        for (std::size_t before = 1; before != names_.size();) {
            before = names_.size();
            walk_statements(body, [&](const Stmt& one) {
                const auto* s = std::get_if<AssignStmt>(&one.node);
                const std::string name(s && s->targets.size() == 1 ? name_of(s->targets[0]) : std::string_view());
                if (!name.empty() && !other_.contains(name) && is_set(s->value)) names_.insert(name);
                return !std::holds_alternative<FunctionStmt>(one.node);
            });
            if (names_.empty()) return;
        }
    }
    /// The operator that a method of sets stands for.
    static std::optional<BinaryOp> operator_of(const std::string& method) {
        if (method == "union") return BinaryOp::BitOr;
        if (method == "intersection") return BinaryOp::BitAnd;
        if (method == "difference") return BinaryOp::Sub;
        if (method == "symmetric_difference") return BinaryOp::BitXor;
        return std::nullopt;
    }
    struct Operation {
        BinaryOp op;
        ExprPtr left, right;
    };
    /// What makes a set of two.
    std::optional<Operation> operation(const ExprPtr& e) const {
        if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
            const bool known = binary->op == BinaryOp::BitOr || binary->op == BinaryOp::BitAnd || binary->op == BinaryOp::Sub ||
                               binary->op == BinaryOp::BitXor;
            if (known && is_set(binary->left) && is_set(binary->right)) return Operation{binary->op, binary->left, binary->right};
            return std::nullopt;
        }
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        const auto op = method ? operator_of(method->name) : std::nullopt;
        if (!op || call->arguments.size() != 1 || !call->keywords.empty() || !is_set(method->object)) return std::nullopt;
        return Operation{*op, method->object, call->arguments[0]};
    }
    bool is_new(const ExprPtr& e) const {
        const auto* call = std::get_if<CallExpr>(&e->node);
        if (!call || !call->keywords.empty() || call->arguments.size() > 1) return false;
        const std::string name(name_of(call->function));
        return name == kSetOf || (name == "set" && !globals_.contains(name) && !bound_.contains(name));
    }
    bool is_copy(const ExprPtr& e) const {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        return method && method->name == "copy" && call->arguments.empty() && call->keywords.empty() && is_set(method->object);
    }
    bool is_set(const ExprPtr& e) const {
        return names_.contains(std::string(name_of(e))) || is_new(e) || is_copy(e) || operation(e).has_value();
    }

    // ---- what is made
    ExprPtr fresh(const Span& span) {
        return make_name(own_("__set" + std::to_string(span.line) + "_" + std::to_string(span.column)), span);
    }
    static ExprPtr set_of(std::vector<ExprPtr> elements, const Span& span) { return make_call(kSetOf, std::move(elements), span); }
    /// `[x for x in left if x in right]`
    ExprPtr chosen(const ExprPtr& left, CompareOp op, const ExprPtr& right, const Span& span) {
        const ExprPtr item = make_name(own_("__item"), span);
        return set_expression(ComprehensionExpr{item, {{item, left, {make_compare(item, op, right, span)}}}, true}, span);
    }
    static StmtPtr update(const ExprPtr& name, const ExprPtr& more, const Span& span) {
        return set_statement(ExprStmt{set_expression(CallExpr{make_attribute(name, "update", span), {more}, {}}, span)}, span);
    }
    /// The statements that make `name` the set.
    void make(const ExprPtr& name, const Operation& given, const Span& span, Body& out) {
        const ExprPtr left = named(given.left, out);
        const ExprPtr right = is_set(given.right) ? named(given.right, out) : as_set(given.right, out);
        const auto assign = [&](const ExprPtr& value) { out.push_back(make_assignment(name, value, span)); };
        if (given.op == BinaryOp::BitOr) {
            assign(set_expression(CallExpr{make_name("set", span), {left}, {}}, span));
            return out.push_back(update(name, right, span));
        }
        assign(set_of({chosen(left, given.op == BinaryOp::BitAnd ? CompareOp::In : CompareOp::NotIn, right, span)}, span));
        if (given.op == BinaryOp::BitXor) out.push_back(update(name, chosen(right, CompareOp::NotIn, left, span), span));
    }
    ExprPtr as_set(const ExprPtr& elements, Body& out) {
        const ExprPtr name = fresh(elements->span);
        names_.emplace(name_of(name));
        out.push_back(make_assignment(name, make_call("set", {in_front(elements, out)}, elements->span), elements->span));
        return name;
    }
    /// A name of the set.
    ExprPtr named(const ExprPtr& e, Body& out) {
        if (!name_of(e).empty()) return e;
        const ExprPtr name = fresh(e->span);
        assign(name, e, e->span, out);
        return name;
    }
    void assign(const ExprPtr& name, const ExprPtr& e, const Span& span, Body& out) {
        names_.emplace(name_of(name));
        if (const auto both = operation(e)) return make(name, *both, span, out);
        const auto& call = std::get<CallExpr>(e->node);
        ExprPtr value = e;
        if (is_copy(e)) {
            value = make_call("set", {named(std::get<AttributeExpr>(call.function->node).object, out)}, span);
        } else if (call.arguments.size() == 1) {
            const bool of_set = is_set(call.arguments[0]) && name_of(call.function) == "set";
            CallExpr copy = call;
            copy.arguments[0] = of_set ? named(call.arguments[0], out) : in_front(call.arguments[0], out);
            value = set_expression(std::move(copy), e->span);
        }
        out.push_back(make_assignment(name, value, span));
    }
    /// Whether sets are in the relation, by the number of common elements.
    ExprPtr relation(CompareOp op, const ExprPtr& first, const ExprPtr& second, const Span& span, Body& out) {
        const bool swapped = op == CompareOp::Ge || op == CompareOp::Gt;
        const ExprPtr left = named(swapped ? second : first, out), right = named(swapped ? first : second, out);
        const ExprPtr both = fresh(span);
        names_.emplace(name_of(both));
        make(both, {BinaryOp::BitAnd, left, right}, span, out);
        const auto size = [&](const ExprPtr& set) { return make_call("len", {set}, span); };
        const ExprPtr inside = make_compare(size(both), CompareOp::Eq, size(left), span);
        if (op == CompareOp::Le || op == CompareOp::Ge) return inside;
        const bool equal = op == CompareOp::Eq || op == CompareOp::Ne;
        const ExprPtr sizes = make_compare(size(left), equal ? CompareOp::Eq : CompareOp::Lt, size(right), span);
        const ExprPtr holds = set_expression(BoolExpr{true, {inside, sizes}}, span);
        return op == CompareOp::Ne ? make_unary(UnaryOp::Not, holds, span) : holds;
    }
    /// `s.issubset(t)`, `s.issuperset(t)`, `s.isdisjoint(t)`; null for others.
    ExprPtr asked(const CallExpr& call, const Span& span, Body& out) {
        const auto* method = std::get_if<AttributeExpr>(&call.function->node);
        if (!method || call.arguments.size() != 1 || !call.keywords.empty() || !is_set(method->object) ||
            !is_set(call.arguments[0]))
            return nullptr;
        if (method->name == "issubset") return relation(CompareOp::Le, method->object, call.arguments[0], span, out);
        if (method->name == "issuperset") return relation(CompareOp::Ge, method->object, call.arguments[0], span, out);
        if (method->name != "isdisjoint") return nullptr;
        const ExprPtr both = fresh(span);
        names_.emplace(name_of(both));
        make(both, {BinaryOp::BitAnd, method->object, call.arguments[0]}, span, out);
        return make_compare(make_call("len", {both}, span), CompareOp::Eq, make_integer(0, span), span);
    }
    ExprPtr in_front(const ExprPtr& e, Body& out) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
            if (std::holds_alternative<LambdaExpr>(one->node) || std::holds_alternative<ComprehensionExpr>(one->node) ||
                std::holds_alternative<BoolExpr>(one->node) || std::holds_alternative<ConditionalExpr>(one->node))
                return one;
            if (operation(one) || is_copy(one)) return named(one, out);
            if (const auto* compare = std::get_if<CompareExpr>(&one->node); compare && compare->ops.size() == 1) {
                const CompareOp op = compare->ops[0];
                const bool orders = op == CompareOp::Le || op == CompareOp::Lt || op == CompareOp::Ge || op == CompareOp::Gt ||
                                    op == CompareOp::Eq || op == CompareOp::Ne;
                if (orders && is_set(compare->operands[0]) && is_set(compare->operands[1]))
                    return relation(op, compare->operands[0], compare->operands[1], one->span, out);
            }
            const auto* call = std::get_if<CallExpr>(&one->node);
            return call ? asked(*call, one->span, out) : nullptr;
        });
    }
    void add(const StmtPtr& one, Body& out) {
        const Span& span = one->span;
        if (std::holds_alternative<FunctionStmt>(one->node)) return out.push_back(one);
        if (const auto* s = std::get_if<AssignStmt>(&one->node); s && s->targets.size() == 1 && !name_of(s->targets[0]).empty())
            if (operation(s->value) || is_copy(s->value)) {
                const ExprPtr made = named(s->value, out);  // It may read the name that it takes.
                return out.push_back(
                    make_assignment(s->targets[0], set_expression(CallExpr{make_name("set", span), {made}, {}}, span), span));
            }
        if (const auto* s = std::get_if<AugAssignStmt>(&one->node); s && is_set(s->target) && is_set(s->value)) {
            const ExprPtr by = named(s->value, out);
            if (s->op == BinaryOp::BitOr) return out.push_back(update(s->target, by, span));
            const ExprPtr made = named(set_expression(BinaryExpr{s->op, s->target, by}, span), out);
            return out.push_back(
                make_assignment(s->target, set_expression(CallExpr{make_name("set", span), {made}, {}}, span), span));
        }
        const bool again = std::holds_alternative<WhileStmt>(one->node);
        out.push_back(with_parts(
            one, [&](const ExprPtr& e) { return again ? e : in_front(e, out); }, [&](const Body& inner) { return of(inner); }));
    }

    const Bindings& globals_;
    const std::function<std::string(const std::string&)>& own_;
    std::set<std::string> bound_;  ///< Names of the function.
    std::set<std::string> names_;  ///< Those that mean sets.
    std::set<std::string> other_;  ///< Those that mean something else as well.
};

}  // namespace

Body with_set_operators(const FunctionStmt& function, const Bindings& globals,
                        const std::function<std::string(const std::string&)>& own) {
    return SetOperators(function, globals, own).of(function.body);
}

}  // namespace sluice::frontend
