#include "library/environment.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>

namespace sluice::library {

namespace {

std::vector<Environment> builtin_environments() {
    return {
        {.name = "numpy",
         .headers = {"sluice/blas.h"},
         .library_files = {"libscipy_openblas64_.so"},
         .compiler_flags = {"-DSLUICE_SCIPY_OPENBLAS"},
         .remedy = "programs of Python call the OpenBLAS that PyPI's numpy brings"},
        {.name = "numpy_lapack",
         .headers = {"sluice/lapack.h"},
         .library_files = {"libscipy_openblas64_.so"},
         .compiler_flags = {"-DSLUICE_SCIPY_OPENBLAS"},
         .remedy = "programs of Python call the OpenBLAS that PyPI's numpy brings",
         .apart = true,
         .part_of = "numpy"},
        {.name = "openblas",
         .aliases = {"OpenBLAS", "dace.libraries.blas.environments.openblas.OpenBLAS"},
         .headers = {"sluice/blas.h"},
         .library_files = {"libopenblas.so"},
         .remedy = "install it (on Debian the package libopenblas-dev)"},
        {.name = "mkl",
         .aliases = {"IntelMKL", "dace.libraries.blas.environments.intel_mkl.IntelMKL"},
         .headers = {"sluice/blas.h", "sluice/lapack.h", "sluice/mkl.h"},
         .library_files = {"libmkl_rt.so", "libmkl_rt.so.3", "libmkl_rt.so.2"},
         .init_code = "sluice::mkl::share_threads();",
         .remedy = "install it (the package `mkl` of PyPI, or Intel's)"},
        {.name = "lapacke",
         .aliases = {"LAPACKE"},
         .headers = {"sluice/lapack.h"},
         .library_files = {"liblapacke.so"},
         .remedy = "install it (on Debian the package liblapacke-dev)",
         .apart = true},
        {.name = "scalapack", .headers = {"sluice/scalapack.h"}},
        {.name = "sorting", .headers = {"sluice/sort.h"}, .apart = true},
        {.name = "elimination", .headers = {"sluice/elimination.h"}},
        {.name = "jacobi", .headers = {"sluice/jacobi.h"}, .apart = true},
        {.name = "selection", .headers = {"sluice/selection.h"}},
        {.name = "matrix_vector", .headers = {"sluice/matrix_vector.h"}},
        {.name = "matrix_vector_pair", .headers = {"sluice/matrix_vector_pair.h"}},
        {.name = "small_product", .headers = {"sluice/small_product.h"}},
        {.name = "fourier", .headers = {"sluice/fourier.h"}, .apart = true},
        {.name = "lookup", .headers = {"sluice/lookup.h"}},
        {.name = "random", .headers = {"sluice/random.h"}},
    };
}

struct Table {
    std::mutex mutex;
    std::vector<std::unique_ptr<const Environment>> all;  ///< The last of a name counts.
    std::vector<std::string> folders;

    Table() {
        for (Environment& one : builtin_environments()) all.push_back(std::make_unique<const Environment>(std::move(one)));
    }
};
Table& table() {
    static Table only;
    return only;
}

std::vector<std::string> search_folders() {
    std::vector<std::string> found;
    const auto add_from = [&](const char* variable, const std::string& suffix) {
        const char* value = std::getenv(variable);
        std::istringstream parts(value ? value : "");
        for (std::string folder; std::getline(parts, folder, ':');)
            if (!folder.empty()) found.push_back(folder + suffix);
    };
    add_from("LIBRARY_PATH", "");
    {
        const std::lock_guard lock(table().mutex);
        found.insert(found.end(), table().folders.begin(), table().folders.end());
    }
    add_from("MKLROOT", "/lib");
    add_from("MKLROOT", "/lib/intel64");
    add_from("VIRTUAL_ENV", "/lib");
    return found;
}

constexpr const char* kSystemFolders[] = {"/usr/local/lib",
                                          "/usr/local/lib64",
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/usr/lib/aarch64-linux-gnu",
                                          "/usr/lib64",
                                          "/usr/lib",
                                          "/lib64",
                                          "/lib"};

}  // namespace

void add_environment(Environment environment) {
    // The same functions, found elsewhere.
    if (const Environment* before = find_environment(environment.name); before && before->headers == environment.headers)
        environment.apart = before->apart, environment.part_of = before->part_of;
    const std::lock_guard lock(table().mutex);
    table().all.push_back(std::make_unique<const Environment>(std::move(environment)));
}

const Environment* find_environment(const std::string& name) {
    const std::lock_guard lock(table().mutex);
    const auto& all = table().all;
    for (auto at = all.rbegin(); at != all.rend(); ++at)
        if ((*at)->name == name || std::ranges::find((*at)->aliases, name) != (*at)->aliases.end()) return at->get();
    return nullptr;
}

std::vector<std::string> environment_names() {
    const std::lock_guard lock(table().mutex);
    std::vector<std::string> names;
    for (const auto& one : table().all)
        if (std::ranges::find(names, one->name) == names.end()) names.push_back(one->name);
    return names;
}

void add_library_folder(const std::string& folder) {
    const std::lock_guard lock(table().mutex);
    if (std::ranges::find(table().folders, folder) == table().folders.end()) table().folders.push_back(folder);
}

std::optional<std::vector<std::string>> link_words(const Environment& environment) {
    if (environment.library_files.empty()) return environment.compiler_flags;
    const auto found_in = [&](const std::string& folder, bool of_system) -> std::optional<std::vector<std::string>> {
        for (const std::string& file : environment.library_files) {
            std::error_code error;
            const std::filesystem::path path = std::filesystem::path(folder) / file;
            if (!std::filesystem::exists(path, error)) continue;
            std::vector<std::string> words = environment.compiler_flags;
            words.push_back(of_system ? "-l:" + file : path.string());
            if (!of_system) words.push_back("-Wl,-rpath," + folder);
            return words;
        }
        return std::nullopt;
    };
    for (const std::string& folder : search_folders())
        if (auto words = found_in(folder, false)) return words;
    for (const char* folder : kSystemFolders)
        if (auto words = found_in(folder, true)) return words;
    return std::nullopt;
}

}  // namespace sluice::library
