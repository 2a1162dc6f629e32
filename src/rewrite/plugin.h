// Transformations from shared libraries. A library is compiled against the headers in src/ and finds the functions of Sluice in the
// process that loads it, so that there is one program, one registry and one table of symbols. Its source ends with
//     SLUICE_TRANSFORMATIONS(registry) { registry.add(my_transformation()); }
#pragma once

#include <filesystem>
#include <vector>

#include "rewrite/registry.h"

/// What objects of C++ look like depends on both.
#define SLUICE_PLUGIN_INTERFACE "sluice 0.1.0, compiler " __VERSION__

#define SLUICE_TRANSFORMATIONS(registry)                                                      \
    extern "C" __attribute__((visibility("default"))) const char* sluice_plugin_interface() { \
        return SLUICE_PLUGIN_INTERFACE;                                                       \
    }                                                                                         \
    extern "C" __attribute__((visibility("default"))) void sluice_register(sluice::rewrite::Registry& registry)

namespace sluice::rewrite {

/// Adds the transformations of the library to the registry. The library stays loaded until the process ends. Returns the names that
/// it added. Failure E009: the file cannot be loaded or is no such library. E010: it was compiled for another Sluice.
std::vector<std::string> load_plugin(Registry& registry, const std::filesystem::path& library);

}  // namespace sluice::rewrite
