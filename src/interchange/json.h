// The .sdfg interchange format of DaCe, releases 0.14 to 2.0.0a6: JSON, plain or gzipped.
#pragma once

#include <string>
#include <string_view>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::interchange {

/// Reads any dialect (by what is present; `dace_version` only selects the symbolic dialect), gzip detected by its magic.
/// Errors J001..J0nn carry the JSON pointer of the offending place in Diagnostic::path. The result is not verified.
Result<ir::Sdfg> from_json(std::string_view bytes, const std::string& file = {});

struct JsonOptions {
    bool readable = false;  ///< Indented by two.
    bool compressed = false;
    /// `legacy`: plain symbol names and dace_version 1.0.2, which every reader of 2025 and later and SDFV accept.
    /// `dollar`: the dialect of 2.0.0a4 and later.
    enum class Dialect { legacy, dollar } dialect = Dialect::dollar;
};
std::string to_json(const ir::Sdfg& sdfg, const JsonOptions& options = {});

}  // namespace sluice::interchange
