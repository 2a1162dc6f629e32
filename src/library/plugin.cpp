#include "library/plugin.h"

#include <algorithm>

namespace sluice::library {

std::vector<std::string> load_operations(const std::filesystem::path& library) {
    const auto enter = reinterpret_cast<void (*)(Registry&)>(plugin_entry(library, {.interface = "sluice_operations_interface",
                                                                                    .entry = "sluice_register_operations",
                                                                                    .what = "library of operations",
                                                                                    .macro = "SLUICE_OPERATIONS",
                                                                                    .page = "docs/writing-operations.md"}));
    const std::vector<const Operation*> before = operations().all();
    enter(operations());
    std::vector<std::string> added;
    for (const Operation* operation : operations().all())
        if (std::ranges::find(before, operation) == before.end()) added.push_back(operation->name);
    return added;
}

}  // namespace sluice::library
