// Off-chip memory of a simulated FPGA: the host's, its accesses counted.
#pragma once

#include "offload.h"

namespace sluice::hls {

using offload::copy;
using offload::traffic;
using offload::zero;

/// Off-chip memory is the host's here.
class Device {
public:
    using Handle = char*;
    static Device& of_process() {
        static Device device;
        return device;
    }
    char* allocate(size_t bytes) { return static_cast<char*>(__builtin_malloc(bytes)); }
    void free(char* place) noexcept { __builtin_free(place); }
    void zero(char* place, size_t at, size_t bytes) { __builtin_memset(place + at, 0, bytes); }
    void write(char* place, size_t at, const void* from, size_t bytes) { __builtin_memcpy(place + at, from, bytes); }
    void read(void* to, char* place, size_t at, size_t bytes) { __builtin_memcpy(to, place + at, bytes); }
    void move(char* to, size_t to_at, char* from, size_t from_at, size_t bytes) {
        __builtin_memmove(to + to_at, from + from_at, bytes);
    }
};
template <class T> using Memory = offload::Memory<Device, T>;
template <class T> using DeviceBuffer = offload::DeviceBuffer<Device, T>;

/// What kernels did: processing elements that ran, elements of off-chip memory that they read and wrote.
inline struct Counts { int64_t elements = 0, off_chip_reads = 0, off_chip_writes = 0; } done;
/// Of this thread, which adds them up when it ends.
inline thread_local int64_t reads = 0, writes = 0;

/// An element of off-chip memory that a kernel may write.
template <class T> class Place {
public:
    explicit Place(T* at) : at_(at) {}
    operator T() const {
        ++reads;
        return *at_;
    }
    T operator=(const T& value) const {
        ++writes;
        return *at_ = value;
    }
    T operator=(const Place& other) const { return *this = T(other); }
    Place(const Place&) = default;
    template <class Other> T operator+=(const Other& value) const { return *this = T(T(*this) + value); }
    template <class Other> T operator-=(const Other& value) const { return *this = T(T(*this) - value); }
    template <class Other> T operator*=(const Other& value) const { return *this = T(T(*this) * value); }
    template <class Other> T operator/=(const Other& value) const { return *this = T(T(*this) / value); }
    template <class Other> T operator&=(const Other& value) const { return *this = T(T(*this) & value); }
    template <class Other> T operator|=(const Other& value) const { return *this = T(T(*this) | value); }
    template <class Other> T operator^=(const Other& value) const { return *this = T(T(*this) ^ value); }

private:
    T* at_;
};

/// As the pointer that a kernel has into off-chip memory.
template <class T> class OffChip {
public:
    explicit OffChip(T* first) : first_(first) {}
    /// Truth values are bytes there.
    template <class Held> OffChip(Memory<Held> memory) : first_(reinterpret_cast<T*>(memory.buffer + memory.at())) {
        static_assert(sizeof(Held) == sizeof(T));
    }
    Place<T> operator[](int64_t at) const { return Place<T>(first_ + at); }
    OffChip operator+(int64_t elements) const { return OffChip(first_ + elements); }

private:
    template <class> friend class OffChip;
    T* first_;
};
template <class T> class OffChip<const T> {
public:
    explicit OffChip(const T* first) : first_(first) {}
    template <class Held> OffChip(Memory<Held> memory) : first_(reinterpret_cast<const T*>(memory.buffer + memory.at())) {
        static_assert(sizeof(Held) == sizeof(T));
    }
    OffChip(OffChip<T> other) : first_(other.first_) {}
    T operator[](int64_t at) const {
        ++reads;
        return first_[at];
    }
    OffChip operator+(int64_t elements) const { return OffChip(first_ + elements); }

private:
    const T* first_;
};

template <class... Parameters, class... Arguments> void launch(void (*kernel)(Parameters...), const Arguments&... arguments) {
    kernel(Parameters(arguments)...);
    offload::count(offload::traffic.launches, 1);
}

}  // namespace sluice::hls
