// Symbolic expressions as the .sdfg format spells them, in both dialects: `$N - 1`, `symbol($i, dtype=dace.int64)`,
// `floor(1/2*$N)` since 2.0.0a4, and SymPy's plain `N - 1`, `floor(N/2)`, `A[i]` before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/dtype.h"
#include "symbolic/expr.h"

namespace sluice::interchange {

using symbolic::Expr;

/// What an expression says of a symbol besides its name.
struct SymbolFact {
    std::string name;
    std::optional<code::DType> dtype;
    std::string assumptions;  ///< `nonnegative=True, nonzero=True`, or empty.
};
struct ParsedExpression {
    Expr value;
    std::vector<SymbolFact> facts;
};

/// Reads either dialect; `dollar` only decides whether the bare names `E` and `I` are constants or, in the legacy dialect,
/// symbols. The unknown size `?` becomes the call `UnknownSize()`. Failure J010, without a place.
ParsedExpression parse_expression(std::string_view text, bool dollar);

struct ExpressionStyle {
    bool dollar = true;
    /// How to write a symbol, `$N` or `symbol($N, dtype=dace.int64)`; unused in the legacy dialect.
    std::function<std::string(const std::string&)> symbol;
};
std::string print_expression(const Expr& e, const ExpressionStyle& style);

}  // namespace sluice::interchange
