// Transformations from shared libraries (support/plugin.h). The source of one ends with
//     SLUICE_TRANSFORMATIONS(registry) { registry.add(my_transformation()); }
#pragma once

#include <filesystem>
#include <vector>

#include "rewrite/registry.h"
#include "support/plugin.h"

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
