// The templates of `text % values` and `text.format(...)`, in the words of f-strings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "code/ast.h"

namespace sluice::frontend {

/// Literal text, or a value with its format.
struct TemplatePiece {
    std::string text;
    code::ExprPtr value = nullptr;
    std::string format = {};
    bool as_repr = false;
};

/// `%-5d` is `{:<5d}`. Nothing where the template is of another kind, or for other values.
std::optional<std::vector<TemplatePiece>> percent_template(const std::string& text, const std::vector<code::ExprPtr>& values);
/// `{} {1} {name!r} {:>5}`, with the arguments of the call.
std::optional<std::vector<TemplatePiece>> braces_template(const std::string& text, const code::CallExpr& call);

}  // namespace sluice::frontend
