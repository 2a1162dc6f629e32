// Stands in for libcuda.so.1 and libnvrtc.so in tests: kernels are compiled for the CPU, and a block's threads are tasks that take
// turns at its barriers. One library for both; a process loads it before a program with kernels.
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

// What kernels.cuh, beside this file, stands for is in front of a kernel's text; what calls them with an array of arguments behind
// it.
struct Program {
    std::string source, log, library;
};

std::string folder() {
    Dl_info here{};
    dladdr(reinterpret_cast<void*>(&folder), &here);
    const std::string path = here.dli_fname;
    return path.substr(0, path.rfind('/'));
}

std::string read(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

using Launcher = void (*)(void*, const unsigned*, const unsigned*, void**);
struct Module {
    void* library;
    Launcher launch;
};
struct Function {
    void* call;
    Launcher launch;
};

}  // namespace

extern "C" {

int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
    *program = new Program{source, "", ""};
    return 0;
}
int nvrtcCompileProgram(void* made, int count, const char* const* options) {
    auto& program = *static_cast<Program*>(made);
    std::string architecture;
    for (int i = 0; i < count; ++i)
        if (std::string(options[i]).rfind("--gpu-architecture=", 0) == 0) architecture = options[i];
    if (architecture != "--gpu-architecture=sm_90") return 5;
    char name[] = "/tmp/kernelsXXXXXX";
    const int file = mkstemp(name);
    if (file < 0) return 1;
    const std::string base = name;
    std::ofstream out(base + ".cpp");
    out << "#include \"" << folder() << "/kernels.cuh\"\n" << program.source;
    const std::regex kernel("__global__ void (\\w+)\\(");
    for (std::sregex_iterator at(program.source.begin(), program.source.end(), kernel), end; at != end; ++at)
        out << "extern \"C\" void " << (*at)[1] << "_on_cpu(void** arguments) { cuda_on_cpu::call(" << (*at)[1]
            << ", arguments); }\n";
    out.close();
    program.library = base + ".so";
    const std::string command = "g++ -std=c++20 -O1 -w -fwrapv -fno-strict-aliasing -ffp-contract=off -shared -fPIC " + base +
                                ".cpp -o " + program.library + " 2> " + base + ".log";
    const int status = std::system(command.c_str());
    program.log = read(base + ".log");
    for (const char* end : {"", ".cpp", ".log"}) std::remove((base + end).c_str());
    return status == 0 ? 0 : 6;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
    *size = static_cast<Program*>(program)->log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
    std::strcpy(log, static_cast<Program*>(program)->log.c_str());
    return 0;
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
    *size = static_cast<Program*>(program)->library.size() + 1;
    return 0;
}
int nvrtcGetCUBIN(void* program, char* binary) {
    std::strcpy(binary, static_cast<Program*>(program)->library.c_str());
    return 0;
}
int nvrtcDestroyProgram(void** program) {
    delete static_cast<Program*>(*program);
    return 0;
}

int cuInit(unsigned) {
    return 0;
}
int cuDeviceGet(int* device, int number) {
    *device = 0;
    return number == 0 ? 0 : 101;
}
int cuDeviceGetName(char* name, int length, int) {
    std::snprintf(name, static_cast<size_t>(length), "kernels on this CPU");
    return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
    *value = which == 75 ? 9 : 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
    static char only;
    *context = &only;
    return 0;
}
int cuCtxSetCurrent(void*) {
    return 0;
}
int cuCtxSynchronize() {
    return 0;
}
// Addresses of the device are none of the host: one that is used as the other's is far outside.
constexpr std::uint64_t kApart = std::uint64_t(1) << 60;
static char* place(std::uint64_t address) {
    return reinterpret_cast<char*>(address - kApart);
}
int cuMemPoolCreate(void** pool, const void*) {
    static char only;
    *pool = &only;
    return 0;
}
int cuMemPoolSetAttribute(void*, int, void*) {
    return 0;
}
int cuMemAllocFromPoolAsync(std::uint64_t* address, size_t bytes, void*, void*) {
    void* const memory = bytes >> 40 ? nullptr : std::malloc(bytes);
    if (memory) std::memset(memory, 0xa5, bytes);
    *address = reinterpret_cast<std::uint64_t>(memory) + kApart;
    return memory ? 0 : 2;
}
int cuMemAlloc_v2(std::uint64_t* address, size_t bytes) {
    return cuMemAllocFromPoolAsync(address, bytes, nullptr, nullptr);
}
int cuMemFreeAsync(std::uint64_t address, void*) {
    std::free(place(address));
    return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, size_t bytes) {
    std::memcpy(place(to), from, bytes);
    return 0;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, size_t bytes) {
    std::memcpy(to, place(from), bytes);
    return 0;
}
int cuMemcpyDtoD_v2(std::uint64_t to, std::uint64_t from, size_t bytes) {
    std::memmove(place(to), place(from), bytes);
    return 0;
}
// What is on a stream takes what it finds when somebody waits for its event: what is not waited for is seen.
static std::map<void*, std::vector<std::function<void()>>> streams;
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, size_t bytes, void* stream) {
    streams[stream].push_back([=] { std::memcpy(place(to), from, bytes); });
    return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, size_t bytes, void* stream) {
    streams[stream].push_back([=] { std::memcpy(to, place(from), bytes); });
    return 0;
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, size_t bytes, void* stream) {
    streams[stream].push_back([=] { std::memmove(place(to), place(from), bytes); });
    return 0;
}
int cuStreamCreate(void** stream, unsigned) {
    *stream = new char;
    return 0;
}
int cuStreamWaitEvent(void*, void*, unsigned) {
    return 0;
}
int cuEventCreate(void** event, unsigned) {
    *event = new void*;
    return 0;
}
int cuEventRecord(void* event, void* stream) {
    *static_cast<void**>(event) = stream;
    return 0;
}
int cuEventSynchronize(void* event) {
    for (const auto& run : streams[*static_cast<void**>(event)]) run();
    streams.erase(*static_cast<void**>(event));
    return 0;
}
int cuEventDestroy_v2(void* event) {
    delete static_cast<void**>(event);
    return 0;
}
int cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
    *memory = std::malloc(bytes);
    return *memory ? 0 : 2;
}
int cuMemFreeHost(void* memory) {
    std::free(memory);
    return 0;
}
int cuMemsetD8_v2(std::uint64_t to, unsigned char value, size_t bytes) {
    std::memset(place(to), value, bytes);
    return 0;
}
int cuModuleLoadData(void** module, const void* binary) {
    const std::string path = static_cast<const char*>(binary);
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::remove(path.c_str());
    if (!library) return 200;
    *module = new Module{library, reinterpret_cast<Launcher>(dlsym(library, "cuda_on_cpu_launch"))};
    return 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    const auto& from = *static_cast<Module*>(module);
    void* const call = dlsym(from.library, (std::string(name) + "_on_cpu").c_str());
    *function = new Function{call, from.launch};
    return call ? 0 : 500;
}
int cuModuleGetGlobal_v2(std::uint64_t* address, size_t* bytes, void* module, const char* name) {
    void* const found = dlsym(static_cast<Module*>(module)->library, name);
    *address = reinterpret_cast<std::uint64_t>(found) + kApart;
    *bytes = 0;
    return found ? 0 : 500;
}
int cuFuncGetAttribute(int* value, int, void*) {
    *value = 1024;
    return 0;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned,
                   void* stream, void** arguments, void**) {
    if (gx == 0 || gy == 0 || gz == 0 || gy > 65535 || gz > 65535) return 1;
    const auto& of = *static_cast<Function*>(function);
    const auto run = [=](void** given) {
        const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
        of.launch(of.call, grid, block, given);
    };
    if (!stream) {
        run(arguments);
        return 0;
    }
    // Arguments are taken at the launch: 16 bytes each in runtime/cuda.h, and behind the last none.
    std::vector<std::array<char, 16>> values;
    for (; *arguments; ++arguments) std::memcpy(values.emplace_back().data(), *arguments, 16);
    streams[stream].push_back([=]() mutable {
        std::vector<void*> given;
        for (auto& value : values) given.push_back(value.data());
        run(given.data());
    });
    return 0;
}
int cuGetErrorString(int error, const char** sentence) {
    *sentence = error == 2 ? "out of memory" : "an error";
    return 0;
}

}  // extern "C"
