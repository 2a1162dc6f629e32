#include "analysis/cost/summation.h"

namespace sluice::analysis {

using symbolic::Expr;

Expr sum_over(const Expr& summand, const std::string& parameter, const symbolic::Range& range, const symbolic::Assumptions& known,
              bool& exact) {
    const Expr count = symbolic::count(range, known);
    if (!symbolic::depends_on(summand, parameter)) return summand * count;
    constexpr int kHighestDegree = 3;
    const Expr next = symbolic::symbol(parameter) + range.step;
    Expr difference = summand, total = 0, choose = count;
    for (int degree = 0; degree <= kHighestDegree; ++degree) {
        total = total + symbolic::substitute(difference, {{parameter, range.begin}}) * choose;
        difference = symbolic::substitute(difference, {{parameter, next}}) - difference;
        if (difference.is_integer(0)) return total;
        choose = choose * (count - (degree + 1)) * symbolic::rational(1, degree + 2);
    }
    exact = false;
    const auto at = [&](const Expr& value) { return symbolic::substitute(summand, {{parameter, value}}); };
    return count * symbolic::maximum(at(range.begin), at(range.begin + (count - 1) * range.step));
}

}  // namespace sluice::analysis
