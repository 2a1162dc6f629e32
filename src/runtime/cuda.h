// Launches and memory of a CUDA device. The driver, libcuda.so.1, and NVRTC, which compiles kernels, are loaded when the first
// program that needs them runs.
#pragma once

#include "cuda_driver.h"
#include "offload.h"

namespace sluice::cuda {

using offload::copy;
using offload::count;
using offload::Extents;
using offload::fail;
using offload::traffic;
using offload::zero;

/// The device of this process, as this library sees it: the first one. Its primary context is that of CUDA's runtime.
class Device {
public:
    using Handle = uint64_t;
    static Device& of_process();

    void open() {
        offload::locked(lock_, [&] {
            if (!context_) find_device();
        });
    }
    uint64_t allocate(size_t bytes) {
        constexpr int kNoRoom = 2;
        uint64_t place = 0;
        const int error = enter().MemAllocFromPoolAsync(&place, bytes, pool_, nullptr);
        if (error == kNoRoom) return 0;
        expect(error, "taking memory of the device");
        return place;
    }
    void free(uint64_t place) noexcept {
        if (api_.CtxSetCurrent(context_) == 0) api_.MemFreeAsync(place, nullptr);
    }
    void zero(uint64_t place, size_t at, size_t bytes) {
        expect(enter().MemsetD8(place + at, 0, bytes), "filling memory of the device");
    }
    void write(uint64_t place, size_t at, const void* from, size_t bytes) {
        expect(enter().MemcpyHtoD(place + at, from, bytes), "a copy to the device");
    }
    void read(void* to, uint64_t place, size_t at, size_t bytes) {
        expect(enter().MemcpyDtoH(to, place + at, bytes), "a copy from the device");
    }
    void move(uint64_t to, size_t to_at, uint64_t from, size_t from_at, size_t bytes) {
        expect(enter().MemcpyDtoD(to + to_at, from + from_at, bytes), "a copy on the device");
    }
    /// Memory of the host that is page-locked, or null.
    void* pin(size_t bytes, void*&) {
        void* place = nullptr;
        return enter().MemHostAlloc(&place, bytes, 0) == 0 ? place : nullptr;
    }
    void unpin(void* place, void*) noexcept {
        if (api_.CtxSetCurrent(context_) == 0) api_.MemFreeHost(place);
    }
    /// On a stream of its own, behind what the others have. The event that `await` takes.
    void* start_write(uint64_t place, size_t at, const void* from, size_t bytes, int queue) {
        constexpr const char* kWhat = "a copy to the device";
        constexpr unsigned kWithoutTimes = 2;
        void* const own = stream(queue);
        void *before = nullptr, *event = nullptr;
        expect(api_.EventCreate(&before, kWithoutTimes), kWhat);
        expect(api_.EventRecord(before, nullptr), kWhat);
        expect(api_.StreamWaitEvent(own, before, 0), kWhat);
        api_.EventDestroy(before);
        expect(api_.MemcpyHtoDAsync(place + at, from, bytes, own), kWhat);
        expect(api_.EventCreate(&event, kWithoutTimes), kWhat);
        expect(api_.EventRecord(event, own), kWhat);
        return event;
    }
    int await(void* event) noexcept {
        int error = api_.CtxSetCurrent(context_);
        if (error == 0) error = api_.EventSynchronize(event);
        api_.EventDestroy(event);
        return error;
    }
    /// All that was asked for is done when it returns.
    void finish() { expect(enter().CtxSynchronize(), "a kernel"); }

    void expect(int error, const char* what) {
        if (error == 0) return;
        const char* sentence = nullptr;
        if (!api_.GetErrorString || api_.GetErrorString(error, &sentence) != 0 || !sentence) sentence = "an unknown error";
        fail("%s failed with the CUDA error %d: %s", what, error, sentence);
    }

private:
    /// A context is current in a thread.
    const Api& enter() {
        expect(api_.CtxSetCurrent(context_), "choosing the device");
        return api_;
    }
    /// Of copies; made when it is first asked for. It does not wait for the default stream, on which kernels run.
    void* stream(int number) {
        enter();
        offload::locked(lock_, [&] {
            constexpr unsigned kNonBlocking = 1;
            if (!streams_[number]) expect(api_.StreamCreate(&streams_[number], kNonBlocking), "a stream of the device");
        });
        return streams_[number];
    }
    template <class Function> void find(void* library, const char* name, Function& function) {
        if (!offload::find(library, name, function))
            fail("there is no CUDA: `%s` is not in libcuda.so.1, which NVIDIA's driver brings", name);
    }
    template <class Function> void find_compiler(void* library, const char* name, Function& function) {
        if (!offload::find(library, name, function))
            fail("there is no compiler for CUDA: `%s` is not in libnvrtc.so (`pip install nvidia-cuda-nvrtc-cu12` brings it)",
                 name);
    }
    void find_device() {
        void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        find(library, "cuInit", api_.Init);
        find(library, "cuDeviceGet", api_.DeviceGet);
        find(library, "cuDeviceGetAttribute", api_.DeviceGetAttribute);
        find(library, "cuDevicePrimaryCtxRetain", api_.DevicePrimaryCtxRetain);
        find(library, "cuCtxSetCurrent", api_.CtxSetCurrent);
        find(library, "cuCtxSynchronize", api_.CtxSynchronize);
        find(library, "cuMemPoolCreate", api_.MemPoolCreate);
        find(library, "cuMemPoolSetAttribute", api_.MemPoolSetAttribute);
        find(library, "cuMemAllocFromPoolAsync", api_.MemAllocFromPoolAsync);
        find(library, "cuMemFreeAsync", api_.MemFreeAsync);
        find(library, "cuMemcpyHtoD_v2", api_.MemcpyHtoD);
        find(library, "cuMemcpyDtoH_v2", api_.MemcpyDtoH);
        find(library, "cuMemcpyDtoD_v2", api_.MemcpyDtoD);
        find(library, "cuMemsetD8_v2", api_.MemsetD8);
        find(library, "cuMemHostAlloc", api_.MemHostAlloc);
        find(library, "cuMemFreeHost", api_.MemFreeHost);
        find(library, "cuStreamCreate", api_.StreamCreate);
        find(library, "cuStreamWaitEvent", api_.StreamWaitEvent);
        find(library, "cuEventCreate", api_.EventCreate);
        find(library, "cuEventRecord", api_.EventRecord);
        find(library, "cuEventSynchronize", api_.EventSynchronize);
        find(library, "cuEventDestroy_v2", api_.EventDestroy);
        find(library, "cuMemcpyHtoDAsync_v2", api_.MemcpyHtoDAsync);
        find(library, "cuModuleLoadData", api_.ModuleLoadData);
        find(library, "cuModuleGetFunction", api_.ModuleGetFunction);
        find(library, "cuFuncGetAttribute", api_.FuncGetAttribute);
        find(library, "cuLaunchKernel", api_.LaunchKernel);
        find(library, "cuGetErrorString", api_.GetErrorString);
        find_compilers_functions();
        int device = 0;
        expect(api_.Init(0), "starting CUDA");
        expect(api_.DeviceGet(&device, 0), "finding a device");
        constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76;
        int major = 0, minor = 0;
        expect(api_.DeviceGetAttribute(&major, kComputeCapabilityMajor, device), "asking the device");
        expect(api_.DeviceGetAttribute(&minor, kComputeCapabilityMinor, device), "asking the device");
        __builtin_snprintf(architecture_, sizeof architecture_, "--gpu-architecture=sm_%d%d", major, minor);
        void* context = nullptr;
        expect(api_.DevicePrimaryCtxRetain(&context, device), "a context of the device");
        expect(api_.CtxSetCurrent(context), "choosing the device");
        make_pool(device);
        context_ = context;
    }
    /// Programs take and give memory back in each call, in order with their kernels: the pool keeps up to 1 GiB in between,
    /// so that neither waits for the device.
    void make_pool(int device) {
        constexpr int kReleaseThreshold = 4;
        uint64_t kept = uint64_t(1) << 30;
        PoolProperties properties;
        properties.device = device;
        expect(api_.MemPoolCreate(&pool_, &properties), "a pool of memory");
        expect(api_.MemPoolSetAttribute(pool_, kReleaseThreshold, &kept), "a pool of memory");
    }
    void find_compilers_functions() {
        void* library = nullptr;
        constexpr const char* kNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
        for (const char* name : kNames)
            if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        find_compiler(library, "nvrtcCreateProgram", compiler_.CreateProgram);
        find_compiler(library, "nvrtcCompileProgram", compiler_.CompileProgram);
        find_compiler(library, "nvrtcGetProgramLogSize", compiler_.GetProgramLogSize);
        find_compiler(library, "nvrtcGetProgramLog", compiler_.GetProgramLog);
        find_compiler(library, "nvrtcGetCUBINSize", compiler_.GetCUBINSize);
        find_compiler(library, "nvrtcGetCUBIN", compiler_.GetCUBIN);
        find_compiler(library, "nvrtcDestroyProgram", compiler_.DestroyProgram);
    }
    friend class Kernels;
    Api api_ = {};
    Compiler compiler_ = {};
    void *context_ = nullptr, *pool_ = nullptr;
    void* streams_[offload::kQueues] = {};
    char architecture_[64] = {};
    SpinLock lock_;
};
inline Device device;
inline Device& Device::of_process() {
    return device;
}
template <class T> using Memory = offload::Memory<Device, T>;
template <class T> using DeviceBuffer = offload::DeviceBuffer<Device, T>;
template <class T> using PinnedBuffer = offload::PinnedBuffer<Device, T>;
using Event = offload::Event<Device>;

/// Memory of the device that the caller has. What it asked for in streams of its own is done when this returns.
template <class T> Memory<T> given(const T* place) {
    device.finish();
    return {reinterpret_cast<uint64_t>(place), 0};
}

/// The kernels of one program.
class Kernels {
public:
    constexpr Kernels(const char* source, const char* const* names, int count) : source_(source), names_(names), count_(count) {}

    /// Opens the device, and has NVRTC compile them for it, once.
    void start() {
        device.open();
        offload::locked(lock_, [&] {
            if (!kernels_) build();
        });
    }
    /// Runs kernel `number` with its arguments; nothing where a block or the grid is empty. Loops of kernels over y and z of the
    /// grid take as many turns as they need.
    template <class... Arguments> void launch(int number, Extents grid, Extents block, const Arguments&... arguments) {
        const Api& api = device.enter();
        const char* const name = names_[number];
        constexpr int kMaxThreadsPerBlock = 0;
        int most = 0;
        device.expect(api.FuncGetAttribute(&most, kMaxThreadsPerBlock, kernels_[number]), name);
        if (!offload::runs(name, grid, block, most)) return;
        constexpr int64_t kLargestX = 0x7fffffff, kLargest = 65535;
        if (grid.x > kLargestX) fail("the kernel `%s` asks for a grid of %lld blocks", name, static_cast<long long>(grid.x));
        Value values[sizeof...(arguments) + 1];
        void* places[sizeof...(arguments) + 1];
        int position = 0;
        (set(values[position++], arguments), ...);
        for (int at = 0; at < int(sizeof...(arguments)); ++at) places[at] = &values[at];
        device.expect(api.LaunchKernel(kernels_[number], unsigned(grid.x), unsigned(grid.y < kLargest ? grid.y : kLargest),
                                       unsigned(grid.z < kLargest ? grid.z : kLargest), unsigned(block.x), unsigned(block.y),
                                       unsigned(block.z), 0, nullptr, places, nullptr),
                      name);
        count(traffic.launches, 1);
    }

private:
    /// An argument: a number, complex128 the largest, or an address.
    struct alignas(16) Value {
        uint64_t words[2];
    };
    template <class T> static void set(Value& place, const Memory<T>& memory) { place.words[0] = memory.buffer + memory.at(); }
    template <class T> static void set(Value& place, const T& value) {
        static_assert(sizeof value <= sizeof place);
        __builtin_memcpy(&place, &value, sizeof value);
    }
    void build() {
        const Api& api = device.enter();
        const Compiler& compiler = device.compiler_;
        void* program = nullptr;
        if (compiler.CreateProgram(&program, source_, "kernels.cu", 0, nullptr, nullptr) != 0) fail("NVRTC does not start");
        // As on a CPU: no contraction to fused operations, exact division and square roots, denormal numbers.
        const char* const options[] = {device.architecture_, "--fmad=false", "--device-as-default-execution-space",
                                       "--disable-warnings"};
        const int error = compiler.CompileProgram(program, int(sizeof options / sizeof *options), options);
        size_t length = 0;
        if (error != 0) {
            static char log[1 << 16];
            if (compiler.GetProgramLogSize(program, &length) != 0 || length > sizeof log ||
                compiler.GetProgramLog(program, log) != 0)
                log[0] = 0;
            log[2047] = 0;
            compiler.DestroyProgram(&program);
            fail("NVRTC does not take the kernels for %s: %s", device.architecture_ + 2, log);
        }
        compiler.GetCUBINSize(program, &length);
        auto* const binary = static_cast<char*>(__builtin_malloc(length + 1));
        auto** const made = static_cast<void**>(__builtin_malloc(sizeof(void*) * size_t(count_ + 1)));
        if (!binary || !made) throw Failure{kOutOfMemory};
        compiler.GetCUBIN(program, binary);
        compiler.DestroyProgram(&program);
        void* module = nullptr;
        device.expect(api.ModuleLoadData(&module, binary), "loading the kernels");
        __builtin_free(binary);
        for (int at = 0; at < count_; ++at) device.expect(api.ModuleGetFunction(&made[at], module, names_[at]), names_[at]);
        kernels_ = made;
    }

    const char* source_;
    const char* const* names_;
    int count_;
    void** kernels_ = nullptr;
    SpinLock lock_;
};

}  // namespace sluice::cuda
