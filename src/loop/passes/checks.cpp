#include "loop/passes/checks.h"

#include <algorithm>
#include <optional>
#include <set>

#include "loop/names.h"
#include "loop/origins.h"
#include "loop/walk.h"
#include "symbolic/choices.h"

namespace sluice::loop {

using code::Scalar;

namespace {

constexpr std::int64_t kBlock = 512;  // Indices that were compared are still in the first cache when they are used.

const Call* as_check(const ValuePtr& value) {
    const auto* call = value ? std::get_if<Call>(&value->node) : nullptr;
    return call && call->function == "checked_index" ? call : nullptr;
}

/// The names of a function, and those whose memory another name in scope reaches.
struct Names : UsedNames {
    std::set<std::string> shared;

    explicit Names(const Function& function) : UsedNames(function) {
        for (const Parameter& parameter : function.parameters)
            if (parameter.kind == Parameter::Kind::Buffer && !parameter.restricted) shared.insert(parameter.name);
        for_each_statement(function.body, [&](const Statement& s) {
            if (const auto* alias = std::get_if<Alias>(&s.node); alias && !alias->restricted) {
                shared.insert(alias->name);
                for_each_value(s, [&](const ValuePtr& value) {
                    if (const auto* of = std::get_if<Address>(&value->node)) shared.insert(of->buffer);
                });
            }
        });
    }
};

/// What a loop compares in every iteration, and how the same values are computed in front of it.
class Comparisons {
public:
    Comparisons(const For& loop, const Names& names) : loop_(loop), names_(names) {
        body(loop.body, [&](const Statement& s, bool) { writes(s); });
        for (const Expr& bound : {loop.begin, loop.end})
            followed =
                followed && std::ranges::all_of(symbolic::free_symbols(bound), [&](const auto& name) { return is_stable(name); });
        if (followed) body(loop.body, [&](const Statement& s, bool certain) { statement(s, certain); });
    }

    bool followed = true;         ///< No statement hides what it does.
    Body definitions;             ///< Of the variables that what is compared needs.
    std::vector<ValuePtr> found;  ///< Calls of checked_index.
    bool wraps = false;           ///< An index that counts from the end where the variable is negative.

    /// Where nothing lies outside, and the variable is not negative.
    ValuePtr rewritten(const ValuePtr& v) const {
        if (!v) return v;
        if (is_found(v)) return rewritten(as_check(v)->arguments[0]);
        auto copy = std::make_shared<Value>(*v);
        if (auto* index = std::get_if<Index>(&copy->node)) index->expr = risen(index->expr);
        for_each_operand(*copy, [&](ValuePtr& operand) { operand = rewritten(operand); });
        return copy;
    }
    Body rewritten(Body statements) const {
        for (Statement& s : statements) {
            for_each_value(s, [&](ValuePtr& value) { value = rewritten(value); });
            for_each_body(s, [&](Body& inner) { inner = rewritten(std::move(inner)); });
        }
        return statements;
    }

private:
    template <class Visit> void body(const Body& statements, const Visit& visit, bool certain = true) {
        for (const Statement& s : statements) {
            visit(s, certain);
            const bool choice = std::holds_alternative<If>(s.node);
            for_each_body(s, [&](const Body& inner) { body(inner, visit, certain && !choice); });
        }
    }
    void writes(const Statement& s) {
        std::visit(Overloaded{
                       [&](const Declare& n) {
                           if (!own_.insert(n.name).second) changed_.insert(n.name);  // Which of two it is, the scopes say.
                       },
                       [&](const Assign& n) { changed_.insert(n.name); },
                       [&](const Store& n) { changed_.insert(n.buffer); },
                       [&](const Update& n) { changed_.insert(n.buffer), followed = followed && !n.combine && n.before.empty(); },
                       [](const If&) {},
                       [](const Block&) {},
                       [&](const auto&) { followed = false; },
                   },
                   s.node);
    }
    void statement(const Statement& s, bool certain) {
        for_each_value(s, [&](const ValuePtr& value) { this->value(value, certain); });
        const auto* declared = std::get_if<Declare>(&s.node);
        if (!declared || !certain || !declared->value || !is_known(declared->value) || changed_.contains(declared->name)) return;
        definitions.push_back(s);
        own_.erase(declared->name);
    }
    void value(const ValuePtr& v, bool certain) {
        if (!v) return;
        if (const Call* check = as_check(v); check && certain && is_known(check->arguments[0]) && is_known(check->arguments[1]))
            if (!is_found(v)) found.push_back(v);
        if (const auto* index = std::get_if<Index>(&v->node)) wraps |= !(risen(index->expr) == index->expr);
        const auto* choice = std::get_if<Select>(&v->node);
        const auto* both = std::get_if<Binary>(&v->node);
        const bool lazy = both && (both->op == BinaryOp::LogicalAnd || both->op == BinaryOp::LogicalOr);
        for_each_operand(*v, [&](const ValuePtr& operand) {
            value(operand, certain && (choice ? operand == choice->condition : !lazy || operand == both->left));
        });
    }

    /// As it is where the variable is not negative.
    Expr risen(const Expr& e) const {
        symbolic::Assumptions known;
        for (const std::string& name : symbolic::free_symbols(e)) known.assume_any(name);
        known.assume(symbolic::less_equal(0, symbolic::symbol(loop_.variable)));
        return symbolic::without_choices(e, known);
    }
    bool is_found(const ValuePtr& v) const { return std::ranges::find(found, v) != found.end(); }
    /// Is a value the same before the loop's stores as after them?
    bool is_stable(const std::string& name) const { return !own_.contains(name) && !changed_.contains(name); }
    bool is_memory_stable(const std::string& buffer) const {
        const auto shared = [&](const std::string& name) { return names_.shared.contains(name); };
        return is_stable(buffer) && (!shared(buffer) || std::ranges::none_of(changed_, shared));
    }
    bool is_known(const Expr& e) const {
        if (e.is_symbol()) return is_stable(e.name());
        if (e.kind() == symbolic::Kind::Call) return false;
        return std::ranges::all_of(e.operands(), [&](const Expr& operand) { return is_known(operand); });
    }
    bool is_known(const ValuePtr& v) const {
        bool known = !as_check(v) && std::visit(Overloaded{
                                                    [&](const Variable& n) { return is_stable(n.name); },
                                                    [&](const Load& n) { return is_memory_stable(n.buffer); },
                                                    [&](const Index& n) { return is_known(n.expr); },
                                                    [](const Address&) { return false; },
                                                    [](const Member&) { return false; },
                                                    [](const StreamSize&) { return false; },
                                                    [](const auto&) { return true; },
                                                },
                                                v->node);
        for_each_operand(*v, [&](const ValuePtr& operand) { known = known && (!operand || is_known(operand)); });
        return known;
    }

    const For& loop_;
    const Names& names_;
    std::set<std::string> own_;      ///< Declared in the body, and not defined by `definitions`.
    std::set<std::string> changed_;  ///< Variables and buffers.
};

/// The iterations of `loop` in [begin, end), by one thread.
Statement part_of(const For& loop, const Expr& begin, const Expr& end, Body body, const Span& where) {
    For part;
    part.variable = loop.variable;
    part.begin = begin;
    part.end = end;
    part.step = loop.step;
    part.mode = loop.simd ? LoopMode::Simd : loop.mode == LoopMode::Parallel ? LoopMode::Sequential : loop.mode;
    if (part.mode == LoopMode::Simd) part.reductions = loop.reductions;
    part.body = std::move(body);
    return {std::move(part), where};
}

Statement either(ValuePtr condition, Statement first, Statement second) {
    If choice;
    choice.condition = std::move(condition);
    const Span where = first.where;
    choice.then_body.push_back(std::move(first));
    choice.else_body.push_back(std::move(second));
    return {std::move(choice), where};
}

/// Blocks of iterations, each behind a loop that compares what it finds.
Statement in_blocks(const For& loop, const Comparisons& comparisons, const Span& where, Names& names) {
    const std::string outside = names.fresh("outside"), block = names.fresh(loop.variable + "_block");
    const Expr begin = symbolic::symbol(block), end = symbolic::minimum(loop.end, begin + kBlock * loop.step);
    For compare;
    compare.variable = loop.variable;
    compare.begin = begin;
    compare.end = end;
    compare.step = loop.step;
    compare.mode = LoopMode::Simd;
    compare.reductions = {{outside, code::ReductionType::BitwiseOr}};
    compare.body = comparisons.rewritten(comparisons.definitions);
    for (const ValuePtr& check : comparisons.found) {
        const auto bits = [&](std::size_t argument) {
            return cast(comparisons.rewritten(as_check(check)->arguments[argument]), Scalar::UInt64);
        };
        Update update;  // An index that counts from the end is larger than all, too.
        update.buffer = outside;
        update.op = code::ReductionType::BitwiseOr;
        update.value = cast(binary(BinaryOp::GreaterEqual, bits(0), bits(1)), Scalar::Int64);
        compare.body.push_back({std::move(update), where});
    }
    For blocks = loop;
    blocks.variable = block;
    blocks.step = kBlock * loop.step;
    blocks.simd = false;
    blocks.chunk = (loop.chunk + kBlock - 1) / kBlock;
    if (loop.mode != LoopMode::Parallel) {
        blocks.mode = LoopMode::Sequential;
        blocks.reductions.clear();
    }
    blocks.body = {
        {Declare{outside, Scalar::Int64, integer_value(0)}, where},
        {std::move(compare), where},
        either(binary(BinaryOp::Equal, variable(outside, Scalar::Int64), integer_value(0)),
               part_of(loop, begin, end, comparisons.rewritten(loop.body), where), part_of(loop, begin, end, loop.body, where))};
    return {std::move(blocks), where};
}

/// Nothing where there is nothing to compare.
std::optional<Statement> compared_before(const For& loop, const Span& where, Names& names) {
    const bool counts = loop.step.is_integer() && loop.step.integer() > 0 && loop.collapse <= 1;
    if (!counts || !(loop.mode == LoopMode::Parallel || loop.mode == LoopMode::Simd || loop.mode == LoopMode::Sequential))
        return {};
    const Comparisons comparisons(loop, names);
    if (!comparisons.followed || (comparisons.found.empty() && !comparisons.wraps)) return {};
    For risen = loop;
    risen.body = comparisons.rewritten(loop.body);
    Statement better = comparisons.found.empty() ? Statement{std::move(risen), where} : in_blocks(loop, comparisons, where, names);
    if (!comparisons.wraps) return better;
    return either(binary(BinaryOp::LessEqual, integer_value(0), index_value(loop.begin)), std::move(better), {loop, where});
}

void rewrite(Body& statements, Names& names) {
    for (Statement& s : statements) {
        if (std::holds_alternative<Launch>(s.node)) continue;
        if (const auto* loop = std::get_if<For>(&s.node))
            if (auto better = compared_before(*loop, s.where, names)) {
                give_origin(*better, s.origin);
                s = std::move(*better);
                continue;
            }
        for_each_body(s, [&](Body& inner) { rewrite(inner, names); });
    }
}

}  // namespace

void compare_indices_in_blocks(Module& module) {
    const auto in = [](Function& function) {
        Names names(function);
        rewrite(function.body, names);
    };
    for (Function& function : module.functions)
        if (!function.on_device) in(function);
    in(module.program);
}

}  // namespace sluice::loop
