// The pages of docs/ that `sluice explain` quotes, embedded at build time.
#pragma once

#include <string_view>

namespace sluice::cli {

std::string_view diagnostics_page();    ///< docs/diagnostics.md
std::string_view specification_page();  ///< docs/spec.md

}  // namespace sluice::cli
