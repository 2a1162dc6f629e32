#include "driver/targets/opencl.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>

#include "driver/targets/openmp.h"

namespace sluice::driver {

namespace {

// Khronos, The OpenCL Specification 1.2; as runtime/opencl_memory.h declares them.
using GetPlatforms = int (*)(std::uint32_t, void**, std::uint32_t*);
using GetDevices = int (*)(void*, std::uint64_t, std::uint32_t, void**, std::uint32_t*);
using GetInfo = int (*)(void*, std::uint32_t, std::size_t, void*, std::size_t*);
constexpr std::uint64_t kGpu = 4, kAll = 0xFFFFFFFF;
constexpr std::uint32_t kPlatformName = 0x0902, kDeviceName = 0x102B;

Diagnostic missing(const std::string& message) {
    return {
        "D024",
        message,
        {},
        {},
        "install a device's driver; on a CPU `apt-get install ocl-icd-libopencl1 pocl-opencl-icd`, then `sluice doctor` names it",
        {}};
}

// A tool that stands in for the library may be in the process already.
void* function(void* library, const char* name) {
    void* const found = dlsym(RTLD_DEFAULT, name);
    return found || !library ? found : dlsym(library, name);
}

std::string name_of(GetInfo ask, void* of, std::uint32_t what) {
    std::array<char, 256> text{};
    return ask && ask(of, what, text.size() - 1, text.data(), nullptr) == 0 ? text.data() : "";
}

}  // namespace

Result<std::string> opencl_device() {
    void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto platforms_of = reinterpret_cast<GetPlatforms>(function(library, "clGetPlatformIDs"));
    const auto devices_of = reinterpret_cast<GetDevices>(function(library, "clGetDeviceIDs"));
    if (!platforms_of || !devices_of) return missing("there is no OpenCL here: libOpenCL.so.1 cannot be loaded");
    std::array<void*, 16> platforms{};
    std::uint32_t count = 0;
    if (platforms_of(platforms.size(), platforms.data(), &count) != 0) count = 0;
    for (const std::uint64_t kind : {kGpu, kAll})
        for (std::uint32_t at = 0; at < count && at < platforms.size(); ++at) {
            void* device = nullptr;
            std::uint32_t devices = 0;
            if (devices_of(platforms[at], kind, 1, &device, &devices) != 0 || devices == 0) continue;
            const std::string platform =
                name_of(reinterpret_cast<GetInfo>(function(library, "clGetPlatformInfo")), platforms[at], kPlatformName);
            return name_of(reinterpret_cast<GetInfo>(function(library, "clGetDeviceInfo")), device, kDeviceName) + " (" + platform +
                   ")";
        }
    return missing("OpenCL finds no device here");
}

void load_opencl() {
    load_openmp();
    opencl_device().or_fail();
}

}  // namespace sluice::driver
