#include "driver/targets/shared_library.h"

#include <dlfcn.h>

namespace sluice::driver {

namespace {

[[noreturn]] void refuse() {
    const char* reason = dlerror();
    fail({"D006",
          std::string("the compiled library does not load: ") + (reason ? reason : "unknown reason"),
          {},
          {},
          "clear the cache folder and compile again",
          {}});
}

}  // namespace

SharedLibrary::SharedLibrary(const std::filesystem::path& path) {
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) refuse();
}

SharedLibrary::~SharedLibrary() {
    if (handle_) dlclose(handle_);
}

void* SharedLibrary::find(const std::string& name) const {
    return dlsym(handle_, name.c_str());
}

void* SharedLibrary::symbol(const std::string& name) const {
    void* found = find(name);
    if (!found) refuse();
    return found;
}

}  // namespace sluice::driver
