#include "driver/shared_library.h"

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

// The threads of OpenMP's pool outlive every compiled library, so their code must never be unmapped.
void keep_openmp() {
    static const void* kept = dlopen("libgomp.so.1", RTLD_NOW | RTLD_NODELETE);
    (void)kept;
}

}  // namespace

SharedLibrary::SharedLibrary(const std::filesystem::path& path) {
    keep_openmp();
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
