#include "loop/passes/rare.h"

#include <algorithm>
#include <optional>
#include <set>

#include "loop/names.h"
#include "loop/origins.h"
#include "loop/walk.h"

namespace sluice::loop {

using code::Scalar;

namespace {

constexpr std::int64_t kBlock = 64;        // A look at fewer costs as much as it saves; a block that is hit runs as a whole.
constexpr std::int64_t kFewest = 16;       // Iterations that a look pays for.
constexpr std::int64_t kMostUnseen = 255;  // Blocks that run without a look.

std::set<std::string> names_in(const ValuePtr& v) {
    std::set<std::string> names;
    if (!v) return names;
    std::visit(Overloaded{[&](const Variable& n) { names.insert(n.name); }, [&](const Load& n) { names.insert(n.buffer); },
                          [&](const Index& n) { names.merge(symbolic::free_symbols(n.expr)); }, [](const auto&) {}},
               v->node);
    for_each_operand(*v, [&](const ValuePtr& operand) { names.merge(names_in(operand)); });
    return names;
}

/// Does a condition ask whether something is less or greater than one of the names?
bool is_compared(const ValuePtr& condition, const std::set<std::string>& names) {
    const auto* both = std::get_if<Binary>(&condition->node);
    if (!both) return false;
    switch (both->op) {
        case BinaryOp::LogicalAnd:
            return is_compared(both->left, names) || is_compared(both->right, names);
        case BinaryOp::Less:
        case BinaryOp::LessEqual:
        case BinaryOp::Greater:
        case BinaryOp::GreaterEqual:
            return std::ranges::any_of(names_in(condition), [&](const auto& name) { return names.contains(name); });
        default:
            return false;
    }
}

/// How a loop's body looks for the branches that it takes, where it can.
class Look {
public:
    Look(const For& loop, const std::string& hit, UsedNames& names) : loop_(loop), hit_(hit), names_(names) {
        collect(loop.body);
        if (followed_) body = sequence(loop.body);
        for (auto at = outer_.rbegin(); at != outer_.rend(); ++at)
            body.insert(body.begin(), {Declare{at->second.name, at->second.type, nullptr}, {}});
    }

    Body body;
    bool pays() const { return followed_ && pays_; }
    /// Does it set variables that live on? Then the last iteration runs as it was.
    bool leaves_values() const { return !outer_.empty(); }

private:
    struct Outer {
        std::string name;
        DType type;
    };

    /// What each iteration sets, whatever it compares.
    void collect(const Body& statements) {
        for (const Statement& s : statements) {
            if (const auto* block = std::get_if<Block>(&s.node)) collect(block->body);
            if (const auto* declared = std::get_if<Declare>(&s.node)) set_.insert(declared->name), own_.insert(declared->name);
            if (const auto* assigned = std::get_if<Assign>(&s.node)) set_.insert(assigned->name);
        }
    }
    Body sequence(const Body& statements) {
        Body result;
        for (const Statement& s : statements)
            std::visit(Overloaded{
                           [&](const Block& n) {
                               result.push_back({Block{n.comment, sequence(n.body)}, s.where, s.origin});
                           },
                           [&](const Declare& n) {
                               result.push_back({Declare{n.name, n.type, n.value ? value(n.value) : nullptr}, s.where, s.origin});
                               if (n.value) define(n.name, n.value);
                           },
                           [&](const Assign& n) {
                               result.push_back({Assign{own_name(n.name, n.value->type), value(n.value)}, s.where, s.origin});
                               define(n.name, n.value);
                           },
                           [&](const If& n) {
                               if (sets_only(n.then_body) && sets_only(n.else_body)) {
                                   ValuePtr condition = value(n.condition);
                                   Body then_body = sequence(n.then_body), else_body = sequence(n.else_body);
                                   places_.clear();  // Which of two, only the run knows.
                                   result.push_back(
                                       {If{std::move(condition), std::move(then_body), std::move(else_body)}, s.where, s.origin});
                                   return;
                               }
                               Update update;
                               update.buffer = hit_;
                               update.op = code::ReductionType::BitwiseOr;
                               update.value = cast(taken(n), Scalar::Int64);
                               result.push_back({std::move(update), s.where, s.origin});
                           },
                           [&](const auto&) { followed_ = false; },
                       },
                       s.node);
        return result;
    }
    /// Does a branch change nothing but what the iteration has set?
    bool sets_only(const Body& branch) const {
        return std::ranges::all_of(branch, [&](const Statement& s) {
            const auto* assigned = std::get_if<Assign>(&s.node);
            const auto* block = std::get_if<Block>(&s.node);
            return (assigned && known_.contains(assigned->name)) || (block && sets_only(block->body)) ||
                   std::holds_alternative<Declare>(s.node);
        });
    }
    /// Does it take one of its branches, of which one at most is no choice in turn?
    ValuePtr taken(const If& choice) {
        const ValuePtr condition = value(choice.condition);
        std::set<std::string> changed;
        for_each_statement(choice.then_body, [&](const Statement& s) { change(s, changed); });
        followed_ = followed_ && !choice.then_body.empty();
        pays_ = pays_ || is_compared(choice.condition, changed);
        const Body* otherwise = &choice.else_body;
        if (otherwise->empty()) return condition;
        while (otherwise->size() == 1 && std::holds_alternative<Block>(otherwise->front().node))
            otherwise = &std::get<Block>(otherwise->front().node).body;
        const auto* next = otherwise->size() == 1 ? std::get_if<If>(&otherwise->front().node) : nullptr;
        if (next) return binary(BinaryOp::LogicalOr, condition, taken(*next));
        followed_ = false;
        return condition;
    }
    /// A branch that leaves the loop, or may fail, would keep later iterations from being looked at.
    void change(const Statement& s, std::set<std::string>& changed) {
        std::visit(Overloaded{
                       [&](const Assign& n) { changed.insert(n.name); },
                       [&](const Store& n) { changed.insert(n.buffer); },
                       [&](const Update& n) { changed.insert(n.buffer), followed_ = followed_ && n.before.empty(); },
                       [](const Declare&) {},
                       [](const Block&) {},
                       [](const If&) {},
                       [&](const auto&) { followed_ = false; },
                   },
                   s.node);
    }
    void define(const std::string& name, const ValuePtr& v) {
        known_.insert(name);
        places_.erase(name);
        if (const auto place = place_of(v)) places_.emplace(name, *place);
    }
    /// The variable's name in the look: those that live on keep their values.
    std::string own_name(const std::string& name, const DType& type) {
        if (own_.contains(name)) return name;
        if (!outer_.contains(name)) outer_.emplace(name, Outer{names_.fresh(name), type});
        return outer_.at(name).name;
    }
    /// Does a name hold what it held in front of the loop, or what the iteration has set?
    bool is_known(const std::string& name) const { return !set_.contains(name) || known_.contains(name); }

    /// An integer over the loop's variable and names that the iterations leave alone.
    std::optional<Expr> place_of(const ValuePtr& v) const {
        if (v->type != DType(Scalar::Int64)) return {};
        if (const auto* index = std::get_if<Index>(&v->node))
            return std::ranges::any_of(symbolic::free_symbols(index->expr), [&](const auto& n) { return set_.contains(n); })
                       ? std::nullopt
                       : std::optional(index->expr);
        if (const auto* literal = std::get_if<IntegerLiteral>(&v->node)) return Expr(literal->value);
        if (const auto* name = std::get_if<Variable>(&v->node)) {
            const auto at = places_.find(name->name);
            if (at != places_.end()) return at->second;
            return set_.contains(name->name) ? std::nullopt : std::optional(symbolic::symbol(name->name));
        }
        const auto* check = std::get_if<Call>(&v->node);
        if (!check || check->function != "checked_index") return {};
        const auto place = place_of(check->arguments[0]), size = place_of(check->arguments[1]);
        const bool holds = place && size && *place == symbolic::symbol(loop_.variable) && *size == loop_.end &&
                           loop_.begin.is_integer() && loop_.begin.integer() >= 0;
        return holds ? place : std::nullopt;
    }
    /// Elements that are neighbours in vectors, or one for all.
    bool is_near(const Expr& place) const {
        const Expr next = symbolic::substitute(place, {{loop_.variable, symbolic::symbol(loop_.variable) + 1}}) - place;
        return next.is_integer() && (next.integer() == 0 || next.integer() == 1);
    }
    /// What vectors compute and nothing can fail in.
    bool is_plain(const Value& v) const {
        const bool number =
            v.type.is_scalar() && !v.type.compound && v.type.scalar != Scalar::Float16 && !code::is_complex(v.type.scalar);
        return number && std::visit(Overloaded{
                                        [](const IntegerLiteral&) { return true; },
                                        [](const FloatLiteral&) { return true; },
                                        [&](const Variable& n) { return is_known(n.name); },
                                        [&](const Index& n) {
                                            return std::ranges::all_of(symbolic::free_symbols(n.expr),
                                                                       [&](const auto& name) { return !set_.contains(name); });
                                        },
                                        [](const Load&) { return true; },
                                        [](const Unary&) { return true; },
                                        [&](const Binary& n) {
                                            const bool divides = n.op == BinaryOp::Div || n.op == BinaryOp::Rem ||
                                                                 n.op == BinaryOp::ShiftLeft || n.op == BinaryOp::ShiftRight;
                                            return !divides || (n.op == BinaryOp::Div && code::is_floating(v.type.scalar));
                                        },
                                        [](const Select&) { return true; },
                                        [](const Cast&) { return true; },
                                        [](const Call& n) {
                                            return n.function == "abs" || n.function == "square" || n.function == "sqrt" ||
                                                   n.function == "minimum" || n.function == "maximum";
                                        },
                                        [](const auto&) { return false; },
                                    },
                                    v.node);
    }
    ValuePtr value(const ValuePtr& v) {
        followed_ = followed_ && is_plain(*v);
        auto copy = std::make_shared<Value>(*v);
        if (auto* element = std::get_if<Load>(&copy->node)) {
            const auto place = place_of(element->index);
            followed_ = followed_ && place && is_near(*place);
            if (place) element->index = index_value(*place);
            return copy;
        }
        if (auto* name = std::get_if<Variable>(&copy->node); name && outer_.contains(name->name))
            name->name = outer_.at(name->name).name;
        for_each_operand(*copy, [&](ValuePtr& operand) { operand = value(operand); });
        return copy;
    }

    const For& loop_;
    const std::string hit_;
    UsedNames& names_;
    bool followed_ = true, pays_ = false;
    std::set<std::string> set_, own_;     ///< Variables that each iteration sets, and those of them that it declares.
    std::set<std::string> known_;         ///< Of them, those that it has set.
    std::map<std::string, Expr> places_;  ///< Of them, those that are integers of the loop.
    std::map<std::string, Outer> outer_;  ///< Those that live on, under the look's names.
};

/// Nothing where a look is impossible or does not pay.
std::optional<Statement> looking_ahead(const For& loop, const Span& where, UsedNames& names) {
    if (loop.mode != LoopMode::Sequential || !loop.step.is_integer(1)) return {};
    const std::string hit = names.fresh("hit"), unseen = names.fresh("unseen"), next = names.fresh("unseen_next"),
                      block = names.fresh(loop.variable + "_block");
    Look look(loop, hit, names);
    if (!look.pays()) return {};
    const auto number = [](const std::string& name) { return variable(name, Scalar::Int64); };
    const auto assign = [&](const std::string& name, ValuePtr value) { return Statement{Assign{name, std::move(value)}, where}; };
    const Expr begin = symbolic::symbol(block), end = symbolic::minimum(loop.end, begin + kBlock);
    For looked, part = loop;
    looked.variable = part.variable = loop.variable;
    looked.begin = part.begin = begin;
    looked.end = part.end = end;
    looked.mode = LoopMode::Simd;
    looked.reductions = {{hit, code::ReductionType::BitwiseOr}};
    looked.body = std::move(look.body);

    If seen{binary(BinaryOp::NotEqual, number(hit), integer_value(0)), {}, {}};
    const ValuePtr more = binary(BinaryOp::Add, binary(BinaryOp::Add, number(next), number(next)), integer_value(1));
    seen.then_body = {assign(unseen, number(next)),
                      assign(next, call("minimum", {more, integer_value(kMostUnseen)}, Scalar::Int64))};
    seen.else_body = {assign(next, integer_value(0))};
    const std::int64_t least = look.leaves_values() ? kBlock + 1 : kFewest;
    If pays{binary(BinaryOp::LogicalOr, binary(BinaryOp::Greater, number(unseen), integer_value(0)),
                   binary(BinaryOp::Less, index_value(loop.end - begin), integer_value(least))),
            {assign(unseen, binary(BinaryOp::Sub, number(unseen), integer_value(1)))},
            {assign(hit, integer_value(0)), {std::move(looked), where}, {std::move(seen), where}}};
    If run{binary(BinaryOp::NotEqual, number(hit), integer_value(0)), {{std::move(part), where}}, {}};

    For blocks = loop;
    blocks.variable = block;
    blocks.step = kBlock;
    blocks.body = {{Declare{hit, Scalar::Int64, integer_value(1)}, where}, {std::move(pays), where}, {std::move(run), where}};
    Block whole{"look ahead", {}};
    whole.body = {{Declare{unseen, Scalar::Int64, integer_value(0)}, where},
                  {Declare{next, Scalar::Int64, integer_value(0)}, where},
                  {std::move(blocks), where}};
    return Statement{std::move(whole), where};
}

void rewrite(Body& statements, UsedNames& names) {
    for (Statement& s : statements) {
        if (std::holds_alternative<Launch>(s.node)) continue;
        if (const auto* loop = std::get_if<For>(&s.node))
            if (auto better = looking_ahead(*loop, s.where, names)) {
                give_origin(*better, s.origin);
                s = std::move(*better);
                continue;
            }
        for_each_body(s, [&](Body& inner) { rewrite(inner, names); });
    }
}

}  // namespace

void look_ahead_for_rare_branches(Module& module) {
    const auto in = [](Function& function) {
        UsedNames names(function);
        rewrite(function.body, names);
    };
    for (Function& function : module.functions)
        if (!function.on_device) in(function);
    in(module.program);
}

}  // namespace sluice::loop
