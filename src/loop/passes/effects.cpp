#include "loop/passes/effects.h"

#include "loop/walk.h"

namespace sluice::loop {

namespace {

bool checks_an_index(const Value& value) {
    const auto* call = std::get_if<Call>(&value.node);
    bool found = call && call->function == "checked_index";
    for_each_operand(value, [&](const ValuePtr& operand) { found = found || (operand && checks_an_index(*operand)); });
    return found;
}

}  // namespace

bool meets_team(const Body& statements) {
    bool found = false;
    for_each_statement(statements, [&](const Statement& s) {
        const auto* shared = std::get_if<For>(&s.node);
        found = found || std::holds_alternative<Barrier>(s.node) || (shared && shared->mode == LoopMode::Parallel);
    });
    return found;
}

Effects::Effects(const Module& module) {
    for (const Function& function : module.functions) {
        if (may_fail(function.body)) failing_.insert(function.name);
        if (may_wait(function.body)) waiting_.insert(function.name);
        if (takes_long(function.body)) long_.insert(function.name);
    }
}

std::map<std::string, ValuePtr> Effects::collectable_pushes(const Body& statements) const {
    std::map<std::string, ValuePtr> pushed;
    std::set<std::string> refused;
    bool waits = false;
    const auto is_fixed = [](const ValuePtr& index) {
        const auto* at = index ? std::get_if<Index>(&index->node) : nullptr;
        return !index || (at && at->expr.is_integer());
    };
    const auto same_place = [](const ValuePtr& a, const ValuePtr& b) {
        const auto at = [](const ValuePtr& index) { return index ? std::get<Index>(index->node).expr : symbolic::Expr(0); };
        return at(a) == at(b);
    };
    for_each_statement(statements, [&](const Statement& s) {
        // Whoever waits for another stream, looks at how many elements wait, or runs text or functions that may, must not hold
        // back.
        waits = waits || std::holds_alternative<Pop>(s.node) || std::holds_alternative<Drain>(s.node) ||
                std::holds_alternative<Consume>(s.node) || std::holds_alternative<Verbatim>(s.node) ||
                std::holds_alternative<While>(s.node) || std::holds_alternative<ParallelSections>(s.node) ||
                std::holds_alternative<ParallelRegion>(s.node) || std::holds_alternative<AllocateStream>(s.node);
        if (const auto* call = std::get_if<Invoke>(&s.node)) waits = waits || waiting_.contains(call->function);
        const auto* push = std::get_if<Push>(&s.node);
        if (!push) return;
        const auto before = pushed.emplace(push->stream, push->index);
        if (!is_fixed(push->index) || !is_fixed(before.first->second) || !same_place(push->index, before.first->second))
            refused.insert(push->stream);
    });
    for (const std::string& stream : refused) pushed.erase(stream);
    return waits ? std::map<std::string, ValuePtr>() : pushed;
}

bool Effects::may_fail(const Body& statements) const {
    bool found = false;
    for_each_statement(statements, [&](const Statement& s) {
        found = found || std::visit(Overloaded{
                                        [](const Allocate& n) { return n.place != Place::Stack; },
                                        [](const AllocateStream&) { return true; },
                                        [](const Grow&) { return true; },
                                        [](const Push&) { return true; },
                                        [](const Pop&) { return true; },
                                        [](const Consume&) { return true; },
                                        [](const ParallelSections&) { return true; },
                                        [](const Verbatim&) { return true; },
                                        [](const Extern&) { return true; },  // It may want memory.
                                        [](const Message&) { return true; },
                                        [](const WaitFor&) { return true; },
                                        [](const Collective&) { return true; },
                                        [](const Fail&) { return true; },
                                        [&](const Invoke& n) { return failing_.contains(n.function); },
                                        [](const auto&) { return false; },
                                    },
                                    s.node);
        for_each_value(s, [&](const ValuePtr& value) { found = found || checks_an_index(*value); });
    });
    return found;
}

bool Effects::may_wait(const Body& statements) const {
    bool found = false;
    for_each_statement(statements, [&](const Statement& s) {
        found = found || std::visit(Overloaded{
                                        [](const Push&) { return true; },
                                        [](const Pop&) { return true; },
                                        [&](const Invoke& n) { return waiting_.contains(n.function); },
                                        [](const auto&) { return false; },
                                    },
                                    s.node);
    });
    return found;
}

bool Effects::takes_long(const Body& statements) const {
    constexpr std::int64_t kShort = 16;
    bool found = false;
    for_each_statement(statements, [&](const Statement& s) {
        found = found || std::visit(Overloaded{
                                        [](const For& n) {
                                            const auto trips = symbolic::ceil_divide(n.end - n.begin, n.step).constant();
                                            return !(trips && *trips <= kShort);
                                        },
                                        [](const While&) { return true; },
                                        [](const ParallelRegion&) { return true; },
                                        [](const ParallelSections&) { return true; },
                                        [](const Extern&) { return true; },
                                        [](const Launch&) { return true; },
                                        [&](const Invoke& n) { return long_.contains(n.function); },
                                        [](const auto&) { return false; },
                                    },
                                    s.node);
    });
    return found;
}

}  // namespace sluice::loop
