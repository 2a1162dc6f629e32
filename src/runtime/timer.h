// Wall time of instrumented parts of a program, summed over its runs.
#pragma once

#include <stdint.h>
#include <time.h>

namespace sluice {

struct ProfileEntry {
    const char* name;
    int64_t nanoseconds = 0;
    int64_t count = 0;
};

/// Adds the time of its scope to an entry.
class Timing {
public:
    explicit Timing(ProfileEntry& entry) noexcept : entry_(&entry), start_(now()) {}
    Timing(const Timing&) = delete;
    ~Timing() {
        __atomic_fetch_add(&entry_->nanoseconds, now() - start_, __ATOMIC_RELAXED);
        __atomic_fetch_add(&entry_->count, 1, __ATOMIC_RELAXED);
    }

private:
    static int64_t now() noexcept {
        timespec at;
        clock_gettime(CLOCK_MONOTONIC, &at);
        return int64_t(at.tv_sec) * 1000000000 + at.tv_nsec;
    }
    ProfileEntry* entry_;
    int64_t start_;
};

}  // namespace sluice
