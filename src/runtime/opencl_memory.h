// Launches and memory of an OpenCL device. The library of the system, libOpenCL.so.1, is loaded when the first program that needs
// it runs; what is called of it is declared here (Khronos, The OpenCL Specification 1.2), so that nothing is linked or installed.
#pragma once

#include "offload.h"

namespace sluice::opencl {

using offload::copy;
using offload::count;
using offload::Extents;
using offload::fail;
using offload::traffic;
using offload::zero;

/// The functions that are called, by their names without `cl`.
struct Api {
    int (*GetPlatformIDs)(uint32_t, void**, uint32_t*);
    int (*GetDeviceIDs)(void*, uint64_t, uint32_t, void**, uint32_t*);
    int (*GetDeviceInfo)(void*, uint32_t, size_t, void*, size_t*);
    void* (*CreateContext)(const intptr_t*, uint32_t, void* const*, void*, void*, int*);
    void* (*CreateCommandQueue)(void*, void*, uint64_t, int*);
    void* (*CreateProgramWithSource)(void*, uint32_t, const char**, const size_t*, int*);
    int (*BuildProgram)(void*, uint32_t, void* const*, const char*, void*, void*);
    int (*GetProgramBuildInfo)(void*, void*, uint32_t, size_t, void*, size_t*);
    void* (*CreateKernel)(void*, const char*, int*);
    int (*SetKernelArg)(void*, uint32_t, size_t, const void*);
    int (*EnqueueNDRangeKernel)(void*, void*, uint32_t, const size_t*, const size_t*, const size_t*, uint32_t, void* const*,
                                void**);
    int (*GetKernelWorkGroupInfo)(void*, void*, uint32_t, size_t, void*, size_t*);
    void* (*CreateBuffer)(void*, uint64_t, size_t, void*, int*);
    int (*ReleaseMemObject)(void*);
    int (*EnqueueReadBuffer)(void*, void*, uint32_t, size_t, size_t, void*, uint32_t, void* const*, void**);
    int (*EnqueueWriteBuffer)(void*, void*, uint32_t, size_t, size_t, const void*, uint32_t, void* const*, void**);
    int (*EnqueueCopyBuffer)(void*, void*, void*, size_t, size_t, size_t, uint32_t, void* const*, void**);
    int (*EnqueueFillBuffer)(void*, void*, const void*, size_t, size_t, size_t, uint32_t, void*, void*);
    int (*Finish)(void*);
    int (*Flush)(void*);
    int (*EnqueueMarkerWithWaitList)(void*, uint32_t, void* const*, void**);
    int (*WaitForEvents)(uint32_t, void* const*);
    int (*ReleaseEvent)(void*);
    void* (*EnqueueMapBuffer)(void*, void*, uint32_t, uint64_t, size_t, size_t, uint32_t, void* const*, void**, int*);
    int (*EnqueueUnmapMemObject)(void*, void*, void*, uint32_t, void* const*, void**);
};

inline void expect(int error, const char* what) {
    if (error != 0) fail("%s failed with the OpenCL error %d", what, error);
}

/// The device of this process, as this library sees it: the first GPU, or the first device that there is.
class Device {
public:
    using Handle = void*;
    static Device& of_process();

    void open() {
        offload::locked(lock_, [&] {
            if (!context_) find_device();
        });
    }
    void* allocate(size_t bytes) {
        int error = 0;
        constexpr uint64_t kReadWrite = 1;
        if (bytes > largest_) return nullptr;
        void* const buffer = api_.CreateBuffer(context_, kReadWrite, bytes, nullptr, &error);
        return error == 0 ? buffer : nullptr;
    }
    void free(void* buffer) noexcept { api_.ReleaseMemObject(buffer); }
    void zero(void* buffer, size_t at, size_t bytes) {
        const char nothing = 0;
        expect(api_.EnqueueFillBuffer(queue_, buffer, &nothing, 1, at, bytes, 0, nullptr, nullptr), "filling memory of the device");
    }
    void write(void* buffer, size_t at, const void* from, size_t bytes) {
        expect(api_.EnqueueWriteBuffer(queue_, buffer, 1, at, bytes, from, 0, nullptr, nullptr), "a copy to the device");
    }
    void read(void* to, void* buffer, size_t at, size_t bytes) {
        expect(api_.EnqueueReadBuffer(queue_, buffer, 1, at, bytes, to, 0, nullptr, nullptr), "a copy from the device");
    }
    void move(void* to, size_t to_at, void* from, size_t from_at, size_t bytes) {
        expect(api_.EnqueueCopyBuffer(queue_, from, to, from_at, to_at, bytes, 0, nullptr, nullptr), "a copy on the device");
    }
    /// Memory of the host that the driver has taken, or null.
    void* pin(size_t bytes, void*& owner) {
        constexpr uint64_t kReadWrite = 1, kOnTheHost = 16, kToReadAndWrite = 3;
        int error = 0;
        if (bytes > largest_) return nullptr;
        owner = api_.CreateBuffer(context_, kReadWrite | kOnTheHost, bytes, nullptr, &error);
        if (error != 0) return nullptr;
        void* const place = api_.EnqueueMapBuffer(queue_, owner, 1, kToReadAndWrite, 0, bytes, 0, nullptr, nullptr, &error);
        if (error == 0) return place;
        api_.ReleaseMemObject(owner);
        return nullptr;
    }
    void unpin(void* place, void* owner) noexcept {
        api_.EnqueueUnmapMemObject(queue_, owner, place, 0, nullptr, nullptr);
        api_.ReleaseMemObject(owner);
    }
    // ---- on a queue of its own, behind what it and the first one have; the event that `await` takes ----
    void* start_write(void* buffer, size_t at, const void* from, size_t bytes, int queue) {
        return start(queue, "a copy to the device", [&](void* own, void* const* before, void** event) {
            return api_.EnqueueWriteBuffer(own, buffer, 0, at, bytes, from, 1, before, event);
        });
    }
    void* start_read(void* to, void* buffer, size_t at, size_t bytes, int queue) {
        return start(queue, "a copy from the device", [&](void* own, void* const* before, void** event) {
            return api_.EnqueueReadBuffer(own, buffer, 0, at, bytes, to, 1, before, event);
        });
    }
    void* start_move(void* to, size_t to_at, void* from, size_t from_at, size_t bytes, int queue) {
        return start(queue, "a copy on the device", [&](void* own, void* const* before, void** event) {
            return api_.EnqueueCopyBuffer(own, from, to, from_at, to_at, bytes, 1, before, event);
        });
    }
    template <class Enqueue> void* start(int queue, const char* what, const Enqueue& enqueue) {
        void* const own = queue_of(queue);
        void *before = nullptr, *event = nullptr;
        expect(api_.EnqueueMarkerWithWaitList(queue_, 0, nullptr, &before), what);
        int error = api_.Flush(queue_);
        if (error == 0) error = enqueue(own, &before, &event);
        api_.ReleaseEvent(before);
        expect(error, what);
        expect(api_.Flush(own), what);
        return event;
    }
    int await(void* event) noexcept {
        const int error = api_.WaitForEvents(1, &event);
        api_.ReleaseEvent(event);
        return error;
    }
    /// All that was asked for is done when it returns.
    void finish() { expect(api_.Finish(queue_), "a kernel"); }

private:
    template <class Function> void find(void* library, const char* name, Function& function) {
        if (!offload::find(library, name, function))
            fail("there is no OpenCL: `%s` is not in libOpenCL.so.1 (Debian: ocl-icd-libopencl1)", name);
    }
    void find_device() {
        void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
        find(library, "clGetPlatformIDs", api_.GetPlatformIDs);
        find(library, "clGetDeviceIDs", api_.GetDeviceIDs);
        find(library, "clGetDeviceInfo", api_.GetDeviceInfo);
        find(library, "clCreateContext", api_.CreateContext);
        find(library, "clCreateCommandQueue", api_.CreateCommandQueue);
        find(library, "clCreateProgramWithSource", api_.CreateProgramWithSource);
        find(library, "clBuildProgram", api_.BuildProgram);
        find(library, "clGetProgramBuildInfo", api_.GetProgramBuildInfo);
        find(library, "clCreateKernel", api_.CreateKernel);
        find(library, "clSetKernelArg", api_.SetKernelArg);
        find(library, "clEnqueueNDRangeKernel", api_.EnqueueNDRangeKernel);
        find(library, "clGetKernelWorkGroupInfo", api_.GetKernelWorkGroupInfo);
        find(library, "clCreateBuffer", api_.CreateBuffer);
        find(library, "clReleaseMemObject", api_.ReleaseMemObject);
        find(library, "clEnqueueReadBuffer", api_.EnqueueReadBuffer);
        find(library, "clEnqueueWriteBuffer", api_.EnqueueWriteBuffer);
        find(library, "clEnqueueCopyBuffer", api_.EnqueueCopyBuffer);
        find(library, "clEnqueueFillBuffer", api_.EnqueueFillBuffer);
        find(library, "clFinish", api_.Finish);
        find(library, "clFlush", api_.Flush);
        find(library, "clEnqueueMarkerWithWaitList", api_.EnqueueMarkerWithWaitList);
        find(library, "clWaitForEvents", api_.WaitForEvents);
        find(library, "clReleaseEvent", api_.ReleaseEvent);
        find(library, "clEnqueueMapBuffer", api_.EnqueueMapBuffer);
        find(library, "clEnqueueUnmapMemObject", api_.EnqueueUnmapMemObject);
        choose();
        int error = 0;
        void* const context = api_.CreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
        expect(error, "a context of the device");
        queue_ = api_.CreateCommandQueue(context, device_, 0, &error);
        expect(error, "a queue of the device");
        constexpr uint32_t kMaxMemAllocSize = 0x1010;
        uint64_t largest = 0;
        expect(api_.GetDeviceInfo(device_, kMaxMemAllocSize, sizeof largest, &largest, nullptr), "asking the device");
        largest_ = largest;
        context_ = context;
    }
    /// Made when it is first asked for.
    void* queue_of(int number) {
        offload::locked(lock_, [&] {
            int error = 0;
            if (!queues_[number]) queues_[number] = api_.CreateCommandQueue(context_, device_, 0, &error);
            expect(error, "a queue of the device");
        });
        return queues_[number];
    }
    void choose() {
        constexpr uint64_t kGpu = 4, kAll = 0xFFFFFFFF;
        void* platforms[16];
        uint32_t found = 0;
        if (api_.GetPlatformIDs(16, platforms, &found) != 0) found = 0;
        if (found > 16) found = 16;
        constexpr uint64_t kinds[] = {kGpu, kAll};
        for (const uint64_t kind : kinds)
            for (uint32_t at = 0; at < found; ++at)
                if (uint32_t devices = 0; api_.GetDeviceIDs(platforms[at], kind, 1, &device_, &devices) == 0 && devices > 0) return;
        fail("OpenCL has no device here (Debian: pocl-opencl-icd runs kernels on the CPU)");
    }
    friend class Kernels;
    Api api_ = {};
    void *device_ = nullptr, *context_ = nullptr, *queue_ = nullptr;
    void* queues_[offload::kQueues] = {};  ///< Of what runs beside the host.
    size_t largest_ = 0;
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

}  // namespace sluice::opencl
