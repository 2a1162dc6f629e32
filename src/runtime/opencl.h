// Launches and memory of an OpenCL device. The library of the system, libOpenCL.so.1, is loaded when the first program that needs
// it runs; what is called of it is declared here (Khronos, The OpenCL Specification 1.2), so that nothing is linked or installed.
#pragma once

#include <dlfcn.h>

#include "memory.h"

namespace sluice::opencl {

/// Since the library was loaded: what programs did.
struct Traffic {
    int64_t launches = 0;
    int64_t to_device = 0, from_device = 0, within_device = 0;  ///< Bytes copied.
};
inline Traffic traffic;
inline void count(int64_t& what, int64_t by) {
    __atomic_fetch_add(&what, by, __ATOMIC_RELAXED);
}

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
    int (*EnqueueNDRangeKernel)(void*, void*, uint32_t, const size_t*, const size_t*, const size_t*, uint32_t, void*, void*);
    int (*GetKernelWorkGroupInfo)(void*, void*, uint32_t, size_t, void*, size_t*);
    void* (*CreateBuffer)(void*, uint64_t, size_t, void*, int*);
    int (*ReleaseMemObject)(void*);
    int (*EnqueueReadBuffer)(void*, void*, uint32_t, size_t, size_t, void*, uint32_t, void*, void*);
    int (*EnqueueWriteBuffer)(void*, void*, uint32_t, size_t, size_t, const void*, uint32_t, void*, void*);
    int (*EnqueueCopyBuffer)(void*, void*, void*, size_t, size_t, size_t, uint32_t, void*, void*);
    int (*EnqueueFillBuffer)(void*, void*, const void*, size_t, size_t, size_t, uint32_t, void*, void*);
    int (*Finish)(void*);
};

/// Ends the call with a sentence about the device.
template <class... Values> [[noreturn]] void fail(const char* format, Values... values) {
    static thread_local char sentence[4096];
    __builtin_snprintf(sentence, sizeof sentence, format, values...);
    throw Failure{kDeviceFailure, {sentence}};
}
inline void expect(int error, const char* what) {
    if (error != 0) fail("%s failed with the OpenCL error %d", what, error);
}

/// Elements of the device from one on; as a pointer, but only kernels and copies reach them.
template <class T> struct Memory {
    void* buffer = nullptr;
    int64_t first = 0;
    Memory operator+(int64_t elements) const { return {buffer, first + elements}; }
    template <class Other> Memory<Other> as() const { return {buffer, first * int64_t(sizeof(T)) / int64_t(sizeof(Other))}; }
};
struct Extents {
    int64_t x, y, z;
};

/// The device of this process, as this library sees it: the first GPU, or the first device that there is.
class Device {
public:
    void open() {
        lock_.lock();
        try {
            if (!context_) find_device();
        } catch (...) {
            lock_.unlock();
            throw;
        }
        lock_.unlock();
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
        count(traffic.to_device, int64_t(bytes));
    }
    void read(void* to, void* buffer, size_t at, size_t bytes) {
        expect(api_.EnqueueReadBuffer(queue_, buffer, 1, at, bytes, to, 0, nullptr, nullptr), "a copy from the device");
        count(traffic.from_device, int64_t(bytes));
    }
    void move(void* to, size_t to_at, void* from, size_t from_at, size_t bytes) {
        expect(api_.EnqueueCopyBuffer(queue_, from, to, from_at, to_at, bytes, 0, nullptr, nullptr), "a copy on the device");
        count(traffic.within_device, int64_t(bytes));
    }
    /// All that was asked for is done when it returns.
    void finish() { expect(api_.Finish(queue_), "a kernel"); }

private:
    template <class Function> void find(void* library, const char* name, Function& function) {
        // A tool that stands in for the library, such as Oclgrind, is in the process already.
        void* found = dlsym(RTLD_DEFAULT, name);
        if (!found && library) found = dlsym(library, name);
        if (!found) fail("there is no OpenCL: `%s` is not in libOpenCL.so.1 (Debian: ocl-icd-libopencl1)", name);
        function = reinterpret_cast<Function>(found);
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
    size_t largest_ = 0;
    SpinLock lock_;
};
inline Device device;

/// The kernels of one program.
class Kernels {
public:
    constexpr Kernels(const char* source, const char* const* names, int count) : source_(source), names_(names), count_(count) {}

    /// Opens the device, and has its compiler build them, once.
    void start() {
        device.open();
        lock_.lock();
        try {
            if (!kernels_) build();
        } catch (...) {
            lock_.unlock();
            throw;
        }
        lock_.unlock();
    }
    /// Runs kernel `number` with its arguments; nothing where a block or the grid is empty.
    template <class... Arguments> void launch(int number, Extents grid, Extents block, const Arguments&... arguments) {
        if (grid.x <= 0 || grid.y <= 0 || grid.z <= 0 || block.x <= 0 || block.y <= 0 || block.z <= 0) return;
        const Api& api = device.api_;
        const char* const name = names_[number];
        void* const kernel = kernels_[number];
        const int64_t threads = block.x * block.y * block.z;
        size_t most = 0;
        constexpr uint32_t kWorkGroupSize = 0x11B0;
        expect(api.GetKernelWorkGroupInfo(kernel, device.device_, kWorkGroupSize, sizeof most, &most, nullptr), name);
        if (threads > int64_t(most))
            fail("the kernel `%s` asks for blocks of %lld threads, and the device runs %lld", name, static_cast<long long>(threads),
                 static_cast<long long>(most));
        const size_t global[3] = {size_t(grid.x * block.x), size_t(grid.y * block.y), size_t(grid.z * block.z)};
        const size_t local[3] = {size_t(block.x), size_t(block.y), size_t(block.z)};
        lock_.lock();
        uint32_t position = 0;
        int error = 0;
        (set(kernel, position, error, arguments), ...);
        if (error == 0) error = api.EnqueueNDRangeKernel(device.queue_, kernel, 3, nullptr, global, local, 0, nullptr, nullptr);
        lock_.unlock();
        if (error != 0) fail("the kernel `%s` failed with the OpenCL error %d", name, error);
        count(traffic.launches, 1);
    }

private:
    template <class T> void set(void* kernel, uint32_t& position, int& error, const Memory<T>& memory) {
        set_bytes(kernel, position, error, memory.buffer);
        set_bytes(kernel, position, error, memory.first);
    }
    void set(void* kernel, uint32_t& position, int& error, const bool& value) {
        set_bytes(kernel, position, error, static_cast<unsigned char>(value));
    }
    template <class T> void set(void* kernel, uint32_t& position, int& error, const T& value) {
        set_bytes(kernel, position, error, value);
    }
    template <class T> void set_bytes(void* kernel, uint32_t& position, int& error, const T& value) {
        if (error == 0) error = device.api_.SetKernelArg(kernel, position++, sizeof value, &value);
    }

    void build() {
        const Api& api = device.api_;
        int error = 0;
        void* const program = api.CreateProgramWithSource(device.context_, 1, &source_, nullptr, &error);
        expect(error, "the source of the kernels");
        if (api.BuildProgram(program, 1, &device.device_, "-cl-std=CL1.2", nullptr, nullptr) != 0) {
            constexpr uint32_t kBuildLog = 0x1183;
            static char log[2048];
            size_t length = 0;
            if (api.GetProgramBuildInfo(program, device.device_, kBuildLog, sizeof log - 1, log, &length) != 0) log[0] = 0;
            fail("the device's compiler does not take the kernels: %s", log);
        }
        auto** made = static_cast<void**>(__builtin_malloc(sizeof(void*) * size_t(count_ + 1)));
        if (!made) throw Failure{kOutOfMemory};
        for (int at = 0; at < count_; ++at) {
            made[at] = api.CreateKernel(program, names_[at], &error);
            expect(error, names_[at]);
        }
        kernels_ = made;
    }

    const char* source_;
    const char* const* names_;
    int count_;
    void** kernels_ = nullptr;
    SpinLock lock_;
};

/// Memory of the device for `count` elements. A failure says what they were for.
template <class T> class DeviceBuffer {
public:
    DeviceBuffer(Claim claim, Extent count, bool zero = false) {
        size_t bytes = 0;
        const bool fits = count.fits() && !__builtin_mul_overflow(size_t(count.value()), sizeof(T), &bytes);
        const bool negative = count.fits() && count.value() < 0;
        // Whole words: an update of a part of one reads all of it.
        bytes = (bytes / 8 + 1) * 8;
        memory_.buffer = fits && !negative ? device.allocate(bytes) : nullptr;
        if (!memory_.buffer) throw Failure{negative ? kBadArgument : kOutOfMemory, claim, count.value(), count.fits(), sizeof(T)};
        if (zero) device.zero(memory_.buffer, 0, bytes);
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { device.free(memory_.buffer); }
    Memory<T> data() const { return memory_; }

private:
    Memory<T> memory_;
};

/// `count` elements from one place to another; on the host a pointer, on the device its memory.
template <class T> void copy(Memory<T> to, const T* from, int64_t count) {
    if (count > 0) device.write(to.buffer, size_t(to.first) * sizeof(T), from, size_t(count) * sizeof(T));
}
template <class T> void copy(T* to, Memory<T> from, int64_t count) {
    if (count > 0) device.read(to, from.buffer, size_t(from.first) * sizeof(T), size_t(count) * sizeof(T));
}
template <class T> void copy(Memory<T> to, Memory<T> from, int64_t count) {
    if (count > 0)
        device.move(to.buffer, size_t(to.first) * sizeof(T), from.buffer, size_t(from.first) * sizeof(T),
                    size_t(count) * sizeof(T));
}
template <class T> void zero(Memory<T> to, int64_t count) {
    if (count > 0) device.zero(to.buffer, size_t(to.first) * sizeof(T), size_t(count) * sizeof(T));
}

}  // namespace sluice::opencl
