// Streams: first-in first-out queues for many producers and consumers, bounded or growing.
#pragma once

#include "memory.h"
#include "team.h"

namespace sluice {

template <class T> class alignas(64) Stream {
public:
    /// Before any use; capacity 0 means unbounded.
    void set_capacity(int64_t capacity) noexcept { capacity_ = capacity; }

    void push(const T& value) {
        if (capacity_ == 0)
            try_push(value);
        else
            wait_until([&] { return try_push(value); });
    }
    T pop() {
        T value;
        wait_until([&] { return try_pop_many(&value, 1) == 1; });
        return value;
    }
    /// Pops up to `limit` waiting elements to consecutive places; how many there were.
    int64_t try_pop_many(T* out, int64_t limit) {
        lock_.lock();
        const int64_t moved = limit < count_ ? limit : count_;
        const int64_t straight = moved < slots_ - head_ ? moved : slots_ - head_;
        for (int64_t i = 0; i < straight; ++i) out[i] = ring_.data()[head_ + i];
        for (int64_t i = straight; i < moved; ++i) out[i] = ring_.data()[i - straight];
        head_ += moved;
        if (head_ >= slots_) head_ -= slots_;
        __atomic_store_n(&count_, count_ - moved, __ATOMIC_RELAXED);
        lock_.unlock();
        if (moved > 0) announce_move();
        return moved;
    }
    /// Everything that waits, in pieces, so that a producer in between is seen too.
    void drain(T* out, int64_t limit = INT64_MAX) {
        for (int64_t moved = 1; moved > 0 && limit > 0; limit -= moved, out += moved) moved = try_pop_many(out, limit);
    }
    int64_t size() const noexcept { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

private:
    bool try_push(const T& value) {
        lock_.lock();
        if (capacity_ != 0 && count_ >= capacity_) {
            lock_.unlock();
            return false;
        }
        if (count_ == slots_) {
            try {
                grow();
            } catch (...) {
                lock_.unlock();
                throw;
            }
        }
        int64_t tail = head_ + count_;
        if (tail >= slots_) tail -= slots_;
        ring_.data()[tail] = value;
        __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELAXED);
        lock_.unlock();
        announce_move();
        return true;
    }
    void grow() {
        const int64_t slots = slots_ == 0 ? 64 : slots_ * 2;
        Buffer<T> larger(slots);
        const int64_t straight = count_ < slots_ - head_ ? count_ : slots_ - head_;
        for (int64_t i = 0; i < straight; ++i) larger.data()[i] = ring_.data()[head_ + i];
        for (int64_t i = straight; i < count_; ++i) larger.data()[i] = ring_.data()[i - straight];
        ring_.swap(larger);
        slots_ = slots;
        head_ = 0;
    }

    SpinLock lock_;
    int64_t capacity_ = 0, slots_ = 0, head_ = 0, count_ = 0;
    Buffer<T> ring_;
};

/// An array of streams.
template <class T> class Streams {
public:
    explicit Streams(int64_t count, int64_t capacity) {
        queues_.allocate(count);
        for (count_ = 0; count_ < count; ++count_) {
            Stream<T>* queue = queues_.data() + count_;
            new (queue, AtPlace{}) Stream<T>();
            queue->set_capacity(capacity);
        }
    }
    Streams(const Streams&) = delete;
    ~Streams() {
        for (int64_t i = 0; i < count_; ++i) queues_.data()[i].~Stream<T>();
    }
    Stream<T>& operator[](int64_t index) const { return queues_.data()[index]; }

private:
    Buffer<Stream<T>> queues_;
    int64_t count_ = 0;
};

}  // namespace sluice
