#include "lower/context.h"

#include <algorithm>

namespace sluice::lower {

bool FunctionContext::in_parallel() const {
    return parallel_caller || std::ranges::any_of(loops, [](const LoopScope& scope) { return scope.parallel; });
}

symbolic::Assumptions FunctionContext::known(std::set<std::string> variables) const {
    symbolic::Assumptions result;
    std::set<std::string> seen;
    while (!variables.empty()) {
        const std::string variable = std::move(variables.extract(variables.begin()).value());
        if (!seen.insert(variable).second) continue;
        const auto loop = std::ranges::find(loops, variable, &LoopScope::variable);
        if (loop == loops.end()) {
            if (!positive.contains(variable)) result.assume_any(variable);
            continue;
        }
        const symbolic::Range& range = loop->range;
        const auto step = range.step.constant();
        if (!step)
            result.assume_any(variable);
        else if (*step > 0)
            result.assume_in(variable, range.begin, range.end);
        else
            result.assume_in(variable, range.end + 1, range.begin + 1);
        variables.merge(symbolic::free_symbols(range.begin));
        variables.merge(symbolic::free_symbols(range.end));
    }
    return result;
}

void ScopedBindings::bind(const std::string& name, SymbolSlot symbol) {
    const auto present = function_.symbols.find(name);
    symbols_.emplace_back(name, present == function_.symbols.end() ? std::nullopt : std::optional(present->second));
    function_.symbols.insert_or_assign(name, std::move(symbol));
}

void ScopedBindings::bind(const std::string& name, Slot slot) {
    const auto present = function_.slots.find(name);
    slots_.emplace_back(name, present == function_.slots.end() ? std::nullopt : std::optional(present->second));
    function_.slots.insert_or_assign(name, std::move(slot));
}

ScopedBindings::~ScopedBindings() {
    function_.names.close();
    for (auto at = symbols_.rbegin(); at != symbols_.rend(); ++at) {
        if (at->second)
            function_.symbols.insert_or_assign(at->first, *at->second);
        else
            function_.symbols.erase(at->first);
    }
    for (auto at = slots_.rbegin(); at != slots_.rend(); ++at) {
        if (at->second)
            function_.slots.insert_or_assign(at->first, *at->second);
        else
            function_.slots.erase(at->first);
    }
}

void refuse(Refusal refusal) {
    fail({.code = std::move(refusal.code),
          .message = std::move(refusal.message),
          .where = refusal.where,
          .path = std::move(refusal.path),
          .remedy = std::move(refusal.remedy),
          .notes = {}});
}

}  // namespace sluice::lower
