// Operations and environments from shared libraries. The source of one ends with
//     SLUICE_OPERATIONS(registry) { registry.add(my_operation()); }
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "library/registry.h"
#include "support/plugin.h"

#define SLUICE_OPERATIONS(registry)                                                               \
    extern "C" __attribute__((visibility("default"))) const char* sluice_operations_interface() { \
        return SLUICE_PLUGIN_INTERFACE;                                                           \
    }                                                                                             \
    extern "C" __attribute__((visibility("default"))) void sluice_register_operations(sluice::library::Registry& registry)

namespace sluice::library {

/// Adds the operations of the library to those of the process. Returns the names that it added or replaced. Failures E009, E010 as
/// of plugin_entry, B006 as of Registry::add.
std::vector<std::string> load_operations(const std::filesystem::path& library);

}  // namespace sluice::library
