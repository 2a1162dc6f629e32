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
            try_push_many(&value, 1);
        else
            wait_until([&] { return try_push_many(&value, 1) == 1; });
    }
    void push_many(const T* values, int64_t count) {
        for (int64_t pushed = 0; pushed < count;)
            wait_until([&] {
                const int64_t moved = try_push_many(values + pushed, count - pushed);
                pushed += moved;
                return moved > 0;
            });
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
    /// As many as there is room for.
    int64_t try_push_many(const T* values, int64_t count) {
        lock_.lock();
        const int64_t room = capacity_ == 0 ? count : capacity_ - count_;
        const int64_t moved = count < room ? count : room;
        if (moved <= 0) {
            lock_.unlock();
            return 0;
        }
        if (count_ + moved > slots_) {
            try {
                grow(count_ + moved);
            } catch (...) {
                lock_.unlock();
                throw;
            }
        }
        int64_t tail = head_ + count_;
        if (tail >= slots_) tail -= slots_;
        const int64_t straight = moved < slots_ - tail ? moved : slots_ - tail;
        for (int64_t i = 0; i < straight; ++i) ring_.data()[tail + i] = values[i];
        for (int64_t i = straight; i < moved; ++i) ring_.data()[i - straight] = values[i];
        __atomic_store_n(&count_, count_ + moved, __ATOMIC_RELAXED);
        lock_.unlock();
        announce_move();
        return moved;
    }
    void grow(int64_t least) {
        int64_t slots = slots_ == 0 ? 64 : slots_ * 2;
        while (slots < least) slots *= 2;
        Buffer<T> larger({}, slots);
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

/// What one thread of a parallel loop pushes, collected and handed over in blocks: their order among the threads is free, and a
/// lock for each element costs more than most loops compute. Whoever pushes through it must not wait for other streams meanwhile.
template <class T> class PushBlock {
public:
    explicit PushBlock(Stream<T>& stream) : stream_(&stream) {}
    void push(const T& value) {
        if (count_ == kMost) flush();
        values_[count_++] = value;
    }
    void flush() {
        const int64_t count = count_;
        count_ = 0;
        if (count > 0) stream_->push_many(values_, count);
    }

private:
    static constexpr int64_t kMost = sizeof(T) <= 64 ? 256 : 16;
    Stream<T>* stream_;
    int64_t count_ = 0;
    T values_[kMost];
};

/// An array of streams.
template <class T> class Streams {
public:
    Streams(Claim claim, Extent count, int64_t capacity) {
        queues_.allocate(claim, count);
        for (count_ = 0; count_ < count.value(); ++count_) {
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
