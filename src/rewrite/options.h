// Parameters of transformations and their values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/result.h"
#include "symbolic/expr.h"

namespace sluice::rewrite {

using OptionValue =
    std::variant<bool, std::int64_t, std::string, symbolic::Expr, std::vector<std::string>, std::vector<symbolic::Expr>>;
using Options = std::map<std::string, OptionValue, std::less<>>;

/// The alternative that the default value holds is the type of the parameter.
struct Parameter {
    std::string name;
    OptionValue default_value;
    std::string help;           ///< One sentence.
    bool begins_names = false;  ///< Of a text: names are made of it and what follows, so letters, digits and `_` only.
};

/// As recipes write it: `True`, `4`, `"tile"`, `2*N`, `["i", "j"]`, `[32, N]`.
std::string to_string(const OptionValue& value);
/// A value of the parameter's type. A bare word is text as well. Error E002.
Result<OptionValue> parse_option(const Parameter& parameter, std::string_view text);
/// `given` with defaults for what is missing; integers are taken for expressions and single values for lists where these are
/// asked for. Errors E002: unknown name, wrong type, a text that begins no name where names begin with it. `owner` names the
/// transformation.
Result<Options> complete(const std::string& owner, const std::vector<Parameter>& parameters, const Options& given);

}  // namespace sluice::rewrite
