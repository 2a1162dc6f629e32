#include "support/version.h"

#include <fmt/format.h>

namespace sluice {

std::string version_text() {
    std::string text =
        fmt::format("sluice {}\ncommit {}\nlicence BSD-3-Clause\n", version(), commit().empty() ? "unknown" : commit());
    for (const Component& one : components())
        text += fmt::format("{} {}{}({}, {})\n", one.name, one.version, one.version.empty() ? "" : " ", one.licence, one.use);
    return text;
}

}  // namespace sluice
