// `dace_version` selects the dialect of symbolic expressions.
#pragma once

#include <optional>
#include <string_view>

namespace sluice::interchange {

/// Versions that we write.
inline constexpr std::string_view kDollarVersion = "2.0.0a6";
inline constexpr std::string_view kLegacyVersion = "1.0.2";

/// Is the version 2.0.0a4 or later, in the order of PEP 440? Nullopt: the text is no version.
std::optional<bool> has_dollar_dialect(std::string_view version);

}  // namespace sluice::interchange
