#include "support/plugin.h"

#include <dlfcn.h>

#include <string_view>

#include "support/check.h"
#include "support/diagnostic.h"
#include "support/result.h"

namespace sluice {

namespace {

[[noreturn]] void refuse_plugin(std::string code, std::string message, std::string remedy) {
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

}  // namespace

void* plugin_entry(const std::filesystem::path& library, const PluginKind& kind) {
    show_own_functions();
    // A name without a slash would be looked for in the system's folders.
    void* handle = dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char* reason = dlerror();
        refuse_plugin("E009", library.string() + " cannot be loaded: " + (reason ? reason : "no reason is given"),
                      "compile it as " + kind.page + " says");
    }
    const auto interface = reinterpret_cast<const char* (*)()>(dlsym(handle, kind.interface.c_str()));
    void* entry = dlsym(handle, kind.entry.c_str());
    if (!interface || !entry) {
        dlclose(handle);
        refuse_plugin("E009", library.string() + " is no " + kind.what, "define " + kind.macro + " in its source");
    }
    if (std::string_view(interface()) != SLUICE_PLUGIN_INTERFACE) {
        const std::string other = interface();
        dlclose(handle);
        refuse_plugin("E010", library.string() + " was made for " + other + "; this is " SLUICE_PLUGIN_INTERFACE,
                      "compile it again with the headers and the compiler of this Sluice");
    }
    return entry;
}

}  // namespace sluice
