// Which Sluice this is, and whose work it carries. Defined in a source that cmake/version.cmake writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// `0.1.0`
std::string_view version();
/// The commit that was configured, or empty: a source that is neither a clone nor an archive of one.
std::string_view commit();

struct Component {
    std::string name, version;
    std::string licence;  ///< Its SPDX name where there is one.
    std::string use;      ///< `linked`, `compiled in`, `in pages`
};
/// What of others is in this build or is loaded with it.
const std::vector<Component>& components();
/// Version, commit and components as text, for people.
std::string version_text();

}  // namespace sluice
