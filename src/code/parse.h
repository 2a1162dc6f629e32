// Parser of the Python subset. Needs no Python interpreter.
#pragma once

#include <string_view>

#include "code/ast.h"
#include "support/result.h"

namespace sluice::code {

struct ParseOptions {
    std::string file;              ///< For spans; may be empty.
    std::uint32_t first_line = 1;  ///< Line of the text's first line in `file`.
    /// Keep module-level statements outside the subset as UnsupportedStmt instead of failing.
    bool tolerate_unsupported = false;
};

/// A statement list: a tasklet body or a module. Errors P001..P012, each with its span.
Result<Body> parse_body(std::string_view source, const ParseOptions& options = {});
/// One expression: a condition, an interstate assignment's value, a lambda.
Result<ExprPtr> parse_expr(std::string_view source, const ParseOptions& options = {});

}  // namespace sluice::code
