// Parser of the Python subset. Needs no Python interpreter.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "code/ast.h"
#include "support/result.h"

namespace sluice::code {

struct ParseOptions {
    std::string file;              ///< For spans; may be empty.
    std::uint32_t first_line = 1;  ///< Line of the text's first line in `file`.
    /// Keep the innermost statement that holds a construct outside the subset as UnsupportedStmt instead of failing with P007
    /// or P012; a module-level if, for, while or with around it is kept whole. Text that is no Python fails all the same.
    bool tolerate_unsupported = false;
    std::map<std::string, std::string> fields = {};  ///< Chains of attributes that stand for one name each: `cfg.dt` for `cfg_dt`.
};

/// A statement list: a tasklet body or a module. Errors P001..P013, each with its span. The whole text may be
/// indented, as a tasklet's often is.
Result<Body> parse_body(std::string_view source, const ParseOptions& options = {});
/// One expression or bare tuple: a condition, an interstate assignment's value, a lambda. Newlines join lines.
Result<ExprPtr> parse_expr(std::string_view source, const ParseOptions& options = {});

}  // namespace sluice::code
