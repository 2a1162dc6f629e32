// The kernels of a program on a CUDA device: NVRTC compiles them, the device runs them.
#pragma once

#include <sched.h>

#include "cuda_memory.h"

namespace sluice::cuda {

/// A variable of a program's kernels in the memory of constants, of which there is one, whoever calls the program.
struct ConstantVariable {
    const char* name;
    uint64_t place = 0;
    bool taken = false;
};
/// The kernels of one program.
class Kernels {
public:
    /// `kernels` has room for as many handles as there are names.
    constexpr Kernels(const char* source, const char* const* names, int count, void** kernels,
                      ConstantVariable* constants = nullptr, int constant_count = 0)
        : source_(source),
          names_(names),
          count_(count),
          constants_(constants),
          constant_count_(constant_count),
          kernels_(kernels) {}
    ConstantVariable& constant(int number) { return constants_[number]; }

    /// Opens the device, and has NVRTC compile them for it, once.
    void start() {
        device.open();
        offload::locked(lock_, [&] {
            if (!built_) build();
        });
    }
    /// Runs kernel `number` with its arguments. Loops of kernels over y and z of the
    /// grid take as many turns as they need.
    template <class... Arguments> void launch(int number, Extents grid, Extents block, const Arguments&... arguments) {
        prepared(
            number, grid, block, [&](const auto& enqueue) { device.expect(enqueue(nullptr), names_[number]); }, arguments...);
    }
    /// On a stream of its own; the event says when it has ended.
    template <class... Arguments>
    void launch_on(int queue, Event& event, int number, Extents grid, Extents block, const Arguments&... arguments) {
        prepared(
            number, grid, block, [&](const auto& enqueue) { event.begin(device.start(queue, names_[number], enqueue)); },
            arguments...);
    }

private:
    /// Hands `run` what puts the kernel with its arguments on a stream; nothing where a block or the grid is empty.
    template <class Run, class... Arguments>
    void prepared(int number, Extents grid, Extents block, const Run& run, const Arguments&... arguments) {
        const Api& api = device.enter();
        const char* const name = names_[number];
        constexpr int kMaxThreadsPerBlock = 0;
        int most = 0;
        device.expect(api.FuncGetAttribute(&most, kMaxThreadsPerBlock, kernels_[number]), name);
        if (!offload::runs(name, grid, block, most)) return;
        constexpr int64_t kLargestX = 0x7fffffff, kLargest = 65535;
        if (grid.x > kLargestX) fail("the kernel `%s` asks for a grid of %lld blocks", name, static_cast<long long>(grid.x));
        Value values[sizeof...(arguments) + 1];
        void* places[sizeof...(arguments) + 1] = {};
        int position = 0;
        (set(values[position++], arguments), ...);
        for (int at = 0; at < int(sizeof...(arguments)); ++at) places[at] = &values[at];
        run([&](void* stream) {
            return api.LaunchKernel(kernels_[number], unsigned(grid.x), unsigned(grid.y < kLargest ? grid.y : kLargest),
                                    unsigned(grid.z < kLargest ? grid.z : kLargest), unsigned(block.x), unsigned(block.y),
                                    unsigned(block.z), 0, stream, places, nullptr);
        });
        count(traffic.launches, 1);
    }
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
        if (!binary) throw Failure{kOutOfMemory};
        compiler.GetCUBIN(program, binary);
        compiler.DestroyProgram(&program);
        void* module = nullptr;
        device.expect(api.ModuleLoadData(&module, binary), "loading the kernels");
        __builtin_free(binary);
        for (int at = 0; at < count_; ++at) device.expect(api.ModuleGetFunction(&kernels_[at], module, names_[at]), names_[at]);
        for (int at = 0; at < constant_count_; ++at) {
            size_t bytes = 0;
            device.expect(api.ModuleGetGlobal(&constants_[at].place, &bytes, module, constants_[at].name), constants_[at].name);
        }
        built_ = true;
    }

    const char* source_;
    const char* const* names_;
    int count_;
    ConstantVariable* constants_;
    int constant_count_;
    void** kernels_;
    bool built_ = false;
    SpinLock lock_;
};

/// Memory of constants as long as the value lives; another call of the program waits for it. What this one asked for is done, or
/// stands in front of what the next one asks for, on the default stream.
template <class T> class ConstantBuffer {
public:
    ConstantBuffer(Kernels& kernels, int number, int64_t cleared = 0) : variable_(kernels.constant(number)) {
        while (__atomic_test_and_set(&variable_.taken, __ATOMIC_ACQUIRE)) sched_yield();
        try {
            zero(data(), cleared);
        } catch (...) {
            __atomic_clear(&variable_.taken, __ATOMIC_RELEASE);
            throw;
        }
    }
    ConstantBuffer(const ConstantBuffer&) = delete;
    ConstantBuffer& operator=(const ConstantBuffer&) = delete;
    ~ConstantBuffer() { __atomic_clear(&variable_.taken, __ATOMIC_RELEASE); }
    Memory<T> data() const { return {variable_.place, 0}; }

private:
    ConstantVariable& variable_;
};

}  // namespace sluice::cuda
