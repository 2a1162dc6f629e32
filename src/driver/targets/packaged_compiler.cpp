#include "driver/targets/packaged_compiler.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

struct Folders {
    std::mutex mutex;
    std::vector<fs::path> given;
};
Folders& folders() {
    static Folders all;
    return all;
}

/// lib/python3.x/site-packages of every version below a virtual environment or a prefix.
void add_environment(const fs::path& prefix, std::vector<fs::path>& found) {
    std::error_code error;
    for (fs::directory_iterator each(prefix / "lib", error), end; !error && each != end; each.increment(error))
        if (each->path().filename().string().starts_with("python3"))
            for (const char* name : {"site-packages", "dist-packages"}) found.push_back(each->path() / name);
}

/// Where the loader finds the library; empty where it finds none.
std::string path_of_library(const char* name) {
    void* library = dlopen(name, RTLD_LAZY);
    link_map* map = nullptr;
    const bool known = library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map;
    std::string path = known ? map->l_name : "";
    if (library) dlclose(library);
    return path;
}

}  // namespace

void set_package_folders(std::vector<fs::path> given) {
    const std::lock_guard lock(folders().mutex);
    folders().given = std::move(given);
}

std::vector<fs::path> package_folders() {
    std::vector<fs::path> found;
    {
        const std::lock_guard lock(folders().mutex);
        found = folders().given;
    }
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void*>(&find_packaged_compiler), &here) != 0 && here.dli_fname) {
        std::error_code error;
        const fs::path library = fs::canonical(here.dli_fname, error);
        if (!error) {
            found.push_back(library.parent_path().parent_path());         // site-packages/sluice/_core.so
            add_environment(library.parent_path().parent_path(), found);  // bin/sluice, lib/libsluice.so
        }
    }
    if (const char* environment = std::getenv("VIRTUAL_ENV")) add_environment(environment, found);
    return found;
}

std::optional<PackagedCompiler> find_packaged_compiler() {
    fs::path compiler, openmp;
    for (const fs::path& folder : package_folders()) {
        const fs::path zig = folder / "ziglang" / "zig", runtime = folder / "cmeel.prefix";
        if (compiler.empty() && access(zig.c_str(), X_OK) == 0) compiler = zig;
        if (openmp.empty() && access((runtime / "lib" / "libomp.so").c_str(), R_OK) == 0 &&
            access((runtime / "include" / "omp.h").c_str(), R_OK) == 0)
            openmp = runtime;
    }
    if (compiler.empty() || openmp.empty()) return {};
    const fs::path library = openmp / "lib" / "libomp.so";
    // The bounds of a shared loop lie where the runtime has written them. Unless Clang knows that it keeps no pointer to them, any
    // store of the loop might change them, so that the loop is no loop of known length to it, and no vectors are made.
    PackagedCompiler found{.compiler = compiler,
                           .words = {"c++", "-DSLUICE_END_STATICS", "-nostdlib++", "-fveclib=libmvec", "-mllvm",
                                     "-openmp-ir-builder-optimistic-attributes", "-I" + (openmp / "include").string(),
                                     library.string(), "-Wl,-rpath," + (openmp / "lib").string()},
                           .openmp = library};
    for (const char* name : {"libstdc++.so.6", "libmvec.so.1"})
        if (std::string path = path_of_library(name); !path.empty()) found.words.push_back(std::move(path));
    return found;
}

void load_packaged_openmp(const PackagedCompiler& packaged) {
    // Read when the runtime starts, at its first call; its own 200 ms would keep the processor from others (openmp.cpp).
    const bool chosen = std::getenv("OMP_WAIT_POLICY") || std::getenv("KMP_BLOCKTIME");
    if (!chosen) setenv("KMP_BLOCKTIME", "50us", 1);
    void* library = dlopen(packaged.openmp.c_str(), RTLD_NOW | RTLD_NODELETE);
    if (library)
        if (void* const ask = dlsym(library, "omp_get_max_threads")) reinterpret_cast<int (*)()>(ask)();
    if (!chosen) unsetenv("KMP_BLOCKTIME");
}

}  // namespace sluice::driver
