// Shared libraries of the user's, which add to what Sluice knows. A library is compiled against the headers in src/ and finds the
// functions of Sluice in the process that loads it, so that there is one program and one table of symbols.
#pragma once

#include <filesystem>
#include <string>

/// What objects of C++ look like depends on both.
#define SLUICE_PLUGIN_INTERFACE "sluice 0.1.0, compiler " __VERSION__

namespace sluice {

/// What is looked for in a library: `sluice_plugin_interface`, whose text must be that of this process, and the entry.
struct PluginKind {
    std::string interface, entry;
    std::string what;   ///< `library of transformations`
    std::string macro;  ///< By which a source defines both.
    std::string page;   ///< That says how it is compiled.
};
/// Loads the library and returns its entry. It stays loaded until the process ends. Failure E009: the file cannot be loaded or is
/// no such library. E010: it was compiled for another Sluice.
void* plugin_entry(const std::filesystem::path& library, const PluginKind& kind);

}  // namespace sluice
