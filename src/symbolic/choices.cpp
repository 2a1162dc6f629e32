#include "symbolic/choices.h"

#include "symbolic/rebuild.h"

namespace sluice::symbolic {

Expr without_choices(const Expr& e, const Assumptions& assumptions) {
    if (e.operands().empty()) return e;
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(without_choices(operand, assumptions));
    const Truth holds = e.kind() == Kind::Select ? decide(operands[0], assumptions) : Truth::Unknown;
    return holds == Truth::Unknown ? rebuild(e, operands) : operands[holds == Truth::Yes ? 1 : 2];
}

}  // namespace sluice::symbolic
