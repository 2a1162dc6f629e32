// The kernels of a program on an OpenCL device: its compiler builds them, the device runs them.
#pragma once

#include "opencl_memory.h"

namespace sluice::opencl {

/// The kernels of one program.
class Kernels {
public:
    /// `kernels` has room for as many handles as there are names.
    constexpr Kernels(const char* source, const char* const* names, int count, void** kernels)
        : source_(source), names_(names), count_(count), kernels_(kernels) {}

    /// Opens the device, and has its compiler build them, once.
    void start() {
        device.open();
        offload::locked(lock_, [&] {
            if (!built_) build();
        });
    }
    /// Runs kernel `number` with its arguments; nothing where a block or the grid is empty.
    template <class... Arguments> void launch(int number, Extents grid, Extents block, const Arguments&... arguments) {
        prepared(
            number, grid, block,
            [&](void* kernel, const size_t* global, const size_t* local) {
                return device.api_.EnqueueNDRangeKernel(device.queue_, kernel, 3, nullptr, global, local, 0, nullptr, nullptr);
            },
            arguments...);
    }
    /// On a queue of its own; the event says when it has ended.
    template <class... Arguments>
    void launch_on(int queue, Event& event, int number, Extents grid, Extents block, const Arguments&... arguments) {
        prepared(
            number, grid, block,
            [&](void* kernel, const size_t* global, const size_t* local) {
                event.begin(device.start(queue, names_[number], [&](void* own, void* const* before, void** done) {
                    return device.api_.EnqueueNDRangeKernel(own, kernel, 3, nullptr, global, local, 1, before, done);
                }));
                return 0;
            },
            arguments...);
    }

private:
    /// Sets the arguments and has `enqueue` run the kernel; nothing where a block or the grid is empty.
    template <class Enqueue, class... Arguments>
    void prepared(int number, Extents grid, Extents block, const Enqueue& enqueue, const Arguments&... arguments) {
        const Api& api = device.api_;
        const char* const name = names_[number];
        void* const kernel = kernels_[number];
        size_t most = 0;
        constexpr uint32_t kWorkGroupSize = 0x11B0;
        expect(api.GetKernelWorkGroupInfo(kernel, device.device_, kWorkGroupSize, sizeof most, &most, nullptr), name);
        if (!offload::runs(name, grid, block, int64_t(most))) return;
        const size_t global[3] = {size_t(grid.x * block.x), size_t(grid.y * block.y), size_t(grid.z * block.z)};
        const size_t local[3] = {size_t(block.x), size_t(block.y), size_t(block.z)};
        int error = 0;
        offload::locked(lock_, [&] {
            uint32_t position = 0;
            (set(kernel, position, error, arguments), ...);
            if (error == 0) error = enqueue(kernel, global, local);
        });
        if (error != 0) fail("the kernel `%s` failed with the OpenCL error %d", name, error);
        count(traffic.launches, 1);
    }
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
        for (int at = 0; at < count_; ++at) {
            kernels_[at] = api.CreateKernel(program, names_[at], &error);
            expect(error, names_[at]);
        }
        built_ = true;
    }

    const char* source_;
    const char* const* names_;
    int count_;
    void** kernels_;
    bool built_ = false;
    SpinLock lock_;
};

}  // namespace sluice::opencl
