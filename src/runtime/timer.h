// Time and counters of instrumented parts of a program, summed over its runs.
#pragma once

#include <stdint.h>
#include <time.h>

extern "C" int omp_in_parallel(void);

namespace sluice {

struct ProfileEntry {
    const char* name;
    int64_t nanoseconds = 0;
    int64_t count = 0;
};

inline int64_t nanoseconds_now() noexcept {
    timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return int64_t(at.tv_sec) * 1000000000 + at.tv_nsec;
}

/// Adds the time of its scope to an entry.
class Timing {
public:
    explicit Timing(ProfileEntry& entry) noexcept : entry_(&entry), start_(nanoseconds_now()) {}
    Timing(const Timing&) = delete;
    ~Timing() {
        __atomic_fetch_add(&entry_->nanoseconds, nanoseconds_now() - start_, __ATOMIC_RELAXED);
        __atomic_fetch_add(&entry_->count, 1, __ATOMIC_RELAXED);
    }

private:
    ProfileEntry* entry_;
    int64_t start_;
};

constexpr int kMostCounters = 8;

/// Whoever loads the library says how counters are read: `read` fills `values` with what `number` of them show now, of the calling
/// thread (`alone`) or of the whole process. Without it time alone is taken.
struct CounterReader {
    int64_t number = 0;
    void (*read)(void* provider, int alone, int64_t* values) = nullptr;
    void* provider = nullptr;
};

/// Adds what counters count and the time of its scope to an entry. In a team each thread counts for itself.
class Counting {
public:
    Counting(ProfileEntry& entry, int64_t* counts, const CounterReader& reader) noexcept
        : entry_(&entry), counts_(counts), reader_(&reader), alone_(reader.read ? omp_in_parallel() : 0) {
        if (reader_->read) reader_->read(reader_->provider, alone_, before_);
        start_ = nanoseconds_now();
    }
    Counting(const Counting&) = delete;
    ~Counting() {
        const int64_t time = nanoseconds_now() - start_;
        if (reader_->read) {
            int64_t after[kMostCounters];
            reader_->read(reader_->provider, alone_, after);
            for (int64_t i = 0; i < reader_->number; ++i) __atomic_fetch_add(&counts_[i], after[i] - before_[i], __ATOMIC_RELAXED);
        }
        __atomic_fetch_add(&entry_->nanoseconds, time, __ATOMIC_RELAXED);
        __atomic_fetch_add(&entry_->count, 1, __ATOMIC_RELAXED);
    }

private:
    ProfileEntry* entry_;
    int64_t* counts_;
    const CounterReader* reader_;
    int alone_;
    int64_t before_[kMostCounters];
    int64_t start_;
};

}  // namespace sluice
