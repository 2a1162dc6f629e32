// What hosts of every kind of device share: traffic, memory of the device as values, copies. opencl.h and cuda.h say what a driver
// does.
#pragma once

#include <dlfcn.h>

#include "memory.h"

namespace sluice::offload {

/// Since the library was loaded: what programs did.
struct Traffic {
    int64_t launches = 0;
    int64_t to_device = 0, from_device = 0, within_device = 0;  ///< Bytes copied.
};
inline Traffic traffic;
inline void count(int64_t& what, int64_t by) {
    __atomic_fetch_add(&what, by, __ATOMIC_RELAXED);
}

/// Ends the call with a sentence about the device.
template <class... Values> [[noreturn]] void fail(const char* format, Values... values) {
    static thread_local char sentence[4096];
    __builtin_snprintf(sentence, sizeof sentence, format, values...);
    throw Failure{kDeviceFailure, {sentence}};
}
/// Runs `what` with the lock held.
template <class What> void locked(SpinLock& lock, const What& what) {
    lock.lock();
    try {
        what();
    } catch (...) {
        lock.unlock();
        throw;
    }
    lock.unlock();
}
/// A function of a driver's library. A tool that stands in for the library is in the process already. Null: there is none.
template <class Function> bool find(void* library, const char* name, Function& function) {
    void* found = dlsym(RTLD_DEFAULT, name);
    if (!found && library) found = dlsym(library, name);
    function = reinterpret_cast<Function>(found);
    return found != nullptr;
}

struct Extents {
    int64_t x, y, z;
};
/// Elements of the device from one on; as a pointer, but only kernels and copies reach them. `Device` is a driver's: `Handle`, what
/// it calls memory; `of_process()`; `allocate`, which gives `Handle()` where there is no room, `free`, `zero`, `write`, `read`,
/// `move`.
template <class Device, class T> struct Memory {
    typename Device::Handle buffer = {};
    int64_t first = 0;
    Memory operator+(int64_t elements) const { return {buffer, first + elements}; }
    template <class Other> Memory<Device, Other> as() const {
        return {buffer, first * int64_t(sizeof(T)) / int64_t(sizeof(Other))};
    }
    size_t at() const { return size_t(first) * sizeof(T); }
};

/// Memory of the device for `count` elements. A failure says what they were for.
template <class Device, class T> class DeviceBuffer {
public:
    DeviceBuffer(Claim claim, Extent count, bool zero = false) {
        size_t bytes = 0;
        const bool fits = count.fits() && !__builtin_mul_overflow(size_t(count.value()), sizeof(T), &bytes);
        const bool negative = count.fits() && count.value() < 0;
        // Whole words: an update of a part of one reads all of it.
        bytes = (bytes / 8 + 1) * 8;
        if (fits && !negative) memory_.buffer = Device::of_process().allocate(bytes);
        if (!memory_.buffer) throw Failure{negative ? kBadArgument : kOutOfMemory, claim, count.value(), count.fits(), sizeof(T)};
        count_ = count.value();
        if (zero) Device::of_process().zero(memory_.buffer, 0, bytes);
    }
    /// Room for so many elements from here on; what it holds stays.
    void grow(Claim claim, Extent count) {
        if (count.fits() && count.value() <= count_) return;
        DeviceBuffer larger(claim, count);
        if (count_ > 0) Device::of_process().move(larger.memory_.buffer, 0, memory_.buffer, 0, size_t(count_) * sizeof(T));
        count_ = larger.count_;
        const Memory<Device, T> before = memory_;
        memory_ = larger.memory_;
        larger.memory_ = before;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { Device::of_process().free(memory_.buffer); }
    Memory<Device, T> data() const { return memory_; }

private:
    Memory<Device, T> memory_;
    int64_t count_ = 0;
};

/// Page-locked memory of the host for `count` elements, which a device copies to and from without a stop on the way.
template <class Device, class T> class PinnedBuffer {
public:
    PinnedBuffer(Claim claim, Extent count, bool zero = false) {
        size_t bytes = 0;
        const bool fits = count.fits() && !__builtin_mul_overflow(size_t(count.value()), sizeof(T), &bytes);
        const bool negative = count.fits() && count.value() < 0;
        if (bytes == 0) bytes = 1;
        if (fits && !negative) data_ = static_cast<T*>(Device::of_process().pin(bytes, owner_));
        if (!data_) throw Failure{negative ? kBadArgument : kOutOfMemory, claim, count.value(), count.fits(), sizeof(T)};
        if (zero) __builtin_memset(static_cast<void*>(data_), 0, bytes);
    }
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;
    ~PinnedBuffer() { Device::of_process().unpin(data_, owner_); }
    T* data() const { return data_; }

private:
    T* data_ = nullptr;
    void* owner_ = nullptr;
};

/// The end of a launch or copy on a queue of its own. Nobody leaves its scope before that.
template <class Device> class Event {
public:
    Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() {
        if (under_way_) Device::of_process().await(under_way_);
    }
    void wait() {
        void* const ended = under_way_;
        under_way_ = nullptr;
        if (const int error = ended ? Device::of_process().await(ended) : 0)
            fail("a kernel or copy on a queue of its own failed with the error %d", error);
    }
    void begin(void* under_way) { under_way_ = under_way; }

private:
    void* under_way_ = nullptr;
};
// Behind all that was asked for before on the first queue and its own, beside what is asked for until somebody waits for the event.
template <class Device, class T> void copy(Memory<Device, T> to, const T* from, int64_t count, int queue, Event<Device>& event) {
    if (count <= 0) return;
    const size_t bytes = size_t(count) * sizeof(T);
    event.begin(Device::of_process().start_write(to.buffer, to.at(), from, bytes, queue));
    offload::count(traffic.to_device, int64_t(bytes));
}
template <class Device, class T> void copy(T* to, Memory<Device, T> from, int64_t count, int queue, Event<Device>& event) {
    if (count <= 0) return;
    const size_t bytes = size_t(count) * sizeof(T);
    event.begin(Device::of_process().start_read(to, from.buffer, from.at(), bytes, queue));
    offload::count(traffic.from_device, int64_t(bytes));
}
template <class Device, class T>
void copy(Memory<Device, T> to, Memory<Device, T> from, int64_t count, int queue, Event<Device>& event) {
    if (count <= 0) return;
    const size_t bytes = size_t(count) * sizeof(T);
    event.begin(Device::of_process().start_move(to.buffer, to.at(), from.buffer, from.at(), bytes, queue));
    offload::count(traffic.within_device, int64_t(bytes));
}
inline constexpr int kQueues = 8;

/// `count` elements from one place to another; on the host a pointer, on the device its memory.
template <class Device, class T> void copy(Memory<Device, T> to, const T* from, int64_t count) {
    if (count <= 0) return;
    const size_t bytes = size_t(count) * sizeof(T);
    Device::of_process().write(to.buffer, to.at(), from, bytes);
    offload::count(traffic.to_device, int64_t(bytes));
}
template <class Device, class T> void copy(T* to, Memory<Device, T> from, int64_t count) {
    if (count <= 0) return;
    const size_t bytes = size_t(count) * sizeof(T);
    Device::of_process().read(to, from.buffer, from.at(), bytes);
    offload::count(traffic.from_device, int64_t(bytes));
}
template <class Device, class T> void copy(Memory<Device, T> to, Memory<Device, T> from, int64_t count) {
    if (count <= 0) return;
    const size_t bytes = size_t(count) * sizeof(T);
    Device::of_process().move(to.buffer, to.at(), from.buffer, from.at(), bytes);
    offload::count(traffic.within_device, int64_t(bytes));
}
template <class Device, class T> void zero(Memory<Device, T> to, int64_t count) {
    if (count > 0) Device::of_process().zero(to.buffer, to.at(), size_t(count) * sizeof(T));
}

/// Is there anything to run, and may the device run it?
inline bool runs(const char* kernel, Extents grid, Extents block, int64_t most_threads) {
    if (grid.x <= 0 || grid.y <= 0 || grid.z <= 0 || block.x <= 0 || block.y <= 0 || block.z <= 0) return false;
    const int64_t threads = block.x * block.y * block.z;
    if (threads > most_threads)
        fail("the kernel `%s` asks for blocks of %lld threads, and the device runs %lld", kernel, static_cast<long long>(threads),
             static_cast<long long>(most_threads));
    return true;
}

}  // namespace sluice::offload
