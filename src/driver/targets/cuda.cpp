#include "driver/targets/cuda.h"

#include <dlfcn.h>

#include <array>

#include "driver/targets/openmp.h"
#include "driver/targets/packaged_compiler.h"

namespace sluice::driver {

namespace {

Diagnostic missing(const std::string& message, const std::string& remedy) {
    return {"D024", message, {}, {}, remedy, {}};
}

// A tool that stands in for the library may be in the process already. NVIDIA, CUDA Driver API; as runtime/cuda_driver.h declares
// them.
template <class Function> Function function(void* library, const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    if (!found && library) found = dlsym(library, name);
    return reinterpret_cast<Function>(found);
}

/// Loads NVRTC as runtime/cuda_memory.h finds it again: by its name, whatever folder it came from.
bool load_compiler() {
    if (dlsym(RTLD_DEFAULT, "nvrtcCompileProgram")) return true;
    constexpr std::array kNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    for (const char* name : kNames)
        if (dlopen(name, RTLD_NOW | RTLD_LOCAL)) return true;
    for (const auto& packages : package_folders())
        for (const char* folder : {"cu13/lib", "cuda_nvrtc/lib"})
            for (const char* name : kNames)
                if (dlopen((packages / "nvidia" / folder / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return true;
    return false;
}

}  // namespace

Result<std::string> cuda_device() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto start = function<int (*)(unsigned)>(library, "cuInit");
    const auto device = function<int (*)(int*, int)>(library, "cuDeviceGet");
    const auto name_of = function<int (*)(char*, int, int)>(library, "cuDeviceGetName");
    const std::string driver = "install NVIDIA's driver";
    if (!start || !device || !name_of) return missing("there is no CUDA here: libcuda.so.1 cannot be loaded", driver);
    int number = 0;
    std::array<char, 256> name{};
    if (start(0) != 0 || device(&number, 0) != 0 || name_of(name.data(), name.size() - 1, number) != 0)
        return missing("CUDA finds no device here", driver);
    if (!load_compiler())
        return missing("there is no compiler for CUDA here: NVRTC cannot be loaded",
                       "`pip install nvidia-cuda-nvrtc-cu12` brings it");
    return std::string(name.data());
}

void load_cuda() {
    load_openmp();
    cuda_device().or_fail();
}

}  // namespace sluice::driver
