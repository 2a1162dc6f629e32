#include "rewrite/plugin.h"

#include <dlfcn.h>

namespace sluice::rewrite {

namespace {

[[noreturn]] void refuse(std::string code, std::string message, std::string remedy) {
    fail({.code = std::move(code),
          .message = std::move(message),
          .where = {},
          .path = {},
          .remedy = std::move(remedy),
          .notes = {}});
}

/// Where Sluice itself is a library that was loaded for one client alone (a module of Python), its functions become visible to
/// libraries that are loaded later.
void show_own_functions() {
    Dl_info self{};
    if (dladdr(reinterpret_cast<const void*>(&show_own_functions), &self) && self.dli_fname)
        dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

std::map<std::string, const Transformation*> by_name(const Registry& registry) {
    std::map<std::string, const Transformation*> found;
    for (const Transformation* transformation : registry.all()) found.emplace(transformation->descriptor.name, transformation);
    return found;
}

}  // namespace

std::vector<std::string> load_plugin(Registry& registry, const std::filesystem::path& library) {
    show_own_functions();
    // A name without a slash would be looked for in the system's folders.
    void* handle = dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char* reason = dlerror();
        refuse("E009", library.string() + " cannot be loaded: " + (reason ? reason : "no reason is given"),
               "compile it as docs/writing-transformations.md says");
    }
    const auto interface = reinterpret_cast<const char* (*)()>(dlsym(handle, "sluice_plugin_interface"));
    const auto enter = reinterpret_cast<void (*)(Registry&)>(dlsym(handle, "sluice_register"));
    if (!interface || !enter) {
        dlclose(handle);
        refuse("E009", library.string() + " is no library of transformations", "define SLUICE_TRANSFORMATIONS in its source");
    }
    if (std::string_view(interface()) != SLUICE_PLUGIN_INTERFACE) {
        const std::string other = interface();
        dlclose(handle);
        refuse("E010", library.string() + " was made for " + other + "; this is " SLUICE_PLUGIN_INTERFACE,
               "compile it again with the headers and the compiler of this Sluice");
    }
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
