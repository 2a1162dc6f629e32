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
    // ---- on a stream of its own, behind what it and the default one have; the event that `await` takes ----
    void* start_write(uint64_t place, size_t at, const void* from, size_t bytes, int queue) {
        return start(queue, "a copy to the device", [&](void* own) { return api_.MemcpyHtoDAsync(place + at, from, bytes, own); });
    }
    void* start_read(void* to, uint64_t place, size_t at, size_t bytes, int queue) {
        return start(queue, "a copy from the device", [&](void* own) { return api_.MemcpyDtoHAsync(to, place + at, bytes, own); });
    }
    void* start_move(uint64_t to, size_t to_at, uint64_t from, size_t from_at, size_t bytes, int queue) {
        return start(queue, "a copy on the device",
                     [&](void* own) { return api_.MemcpyDtoDAsync(to + to_at, from + from_at, bytes, own); });
    }
    template <class Enqueue> void* start(int queue, const char* what, const Enqueue& enqueue) {
        constexpr unsigned kWithoutTimes = 2;
        void* const own = stream(queue);
        void *before = nullptr, *event = nullptr;
        expect(api_.EventCreate(&before, kWithoutTimes), what);
        expect(api_.EventRecord(before, nullptr), what);
        expect(api_.StreamWaitEvent(own, before, 0), what);
        api_.EventDestroy(before);
        expect(enqueue(own), what);
        expect(api_.EventCreate(&event, kWithoutTimes), what);
        expect(api_.EventRecord(event, own), what);
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
        find(library, "cuMemcpyDtoHAsync_v2", api_.MemcpyDtoHAsync);
        find(library, "cuMemcpyDtoDAsync_v2", api_.MemcpyDtoDAsync);
        find(library, "cuModuleLoadData", api_.ModuleLoadData);
        find(library, "cuModuleGetFunction", api_.ModuleGetFunction);
        find(library, "cuModuleGetGlobal_v2", api_.ModuleGetGlobal);
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

}  // namespace sluice::cuda
