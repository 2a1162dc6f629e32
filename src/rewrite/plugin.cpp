#include "rewrite/plugin.h"

namespace sluice::rewrite {

namespace {

std::map<std::string, const Transformation*> by_name(const Registry& registry) {
    std::map<std::string, const Transformation*> found;
    for (const Transformation* transformation : registry.all()) found.emplace(transformation->descriptor.name, transformation);
    return found;
}

}  // namespace

std::vector<std::string> load_plugin(Registry& registry, const std::filesystem::path& library) {
    const auto enter = reinterpret_cast<void (*)(Registry&)>(plugin_entry(library, {.interface = "sluice_plugin_interface",
                                                                                    .entry = "sluice_register",
                                                                                    .what = "library of transformations",
                                                                                    .macro = "SLUICE_TRANSFORMATIONS",
                                                                                    .page = "docs/writing-transformations.md"}));
    const auto before = by_name(registry);
    enter(registry);
    std::vector<std::string> added;
    for (const auto& [name, transformation] : by_name(registry)) {
        const auto present = before.find(name);
        if (present == before.end() || present->second != transformation) added.push_back(name);
    }
    return added;
}

}  // namespace sluice::rewrite
