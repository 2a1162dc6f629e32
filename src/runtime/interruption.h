// How a program that runs for long is asked to end: by a flag of the thread that called it, which a signal handler may set.
//
// The loops around all others look at it in each round, in the thread of the call, and end by a Failure. A team's first thread
// looks for all of it; the threads of a parallel loop whose iterations hold loops all look at the caller's. A loop of many
// iterations that hold none is gone through in parts, between which the thread of the call looks. A call of a library ends by
// itself first.
#pragma once

#include "abi.h"

namespace sluice {

/// Whether what this thread runs is asked to end.
inline thread_local volatile int interruption = 0;

inline void end_if_asked() {
    if (__builtin_expect(interruption, 0)) throw Failure{kInterrupted};
}

/// The flag of this thread, for loops to look at: by an address that stays in a register. GCC would ask for it in each round.
inline const volatile int& asked_of_this_thread() noexcept {
    const volatile int* flag = &interruption;
    asm("" : "+r"(flag));
    return *flag;
}

/// Iterations `begin` to `end` of a loop, by one thread or a team: so many that looking between them costs nothing, and so few that
/// they take a fraction of a second.
class Part {
public:
    Part(int64_t first, int64_t last, int64_t step) noexcept : begin(first), end(first), last_(last), length_(step * kIterations) {}
    /// The part behind this one; at first the first one.
    bool next() {
        begin = end;
        if (length_ > 0 ? begin >= last_ : begin <= last_) return false;
        end_if_asked();
        const int64_t rest = last_ - begin;  // Negative where 64 bits do not hold it: then it is one part.
        end = (length_ > 0 ? rest > length_ : rest < length_) ? begin + length_ : last_;
        return true;
    }

    int64_t begin, end;

private:
    static constexpr int64_t kIterations = int64_t{1} << 24;
    int64_t last_, length_;
};

/// Of a team whose threads run the rounds of one loop together, and meet in each round. Rounds take turns with two answers: the
/// first thread writes one again when every thread has read it, for a round with a barrier lies between.
class TeamInterruption {
public:
    /// At the beginning of a round.
    void look(bool first_thread, int64_t round) noexcept {
        if (first_thread) __atomic_store_n(&asked_[round & 1], interruption, __ATOMIC_RELAXED);
    }
    /// At the end of the round, behind a barrier: the same to every thread.
    bool asked(int64_t round) const noexcept { return __atomic_load_n(&asked_[round & 1], __ATOMIC_RELAXED); }
    /// After the threads have joined.
    void rethrow() const {
        if (asked_[0] || asked_[1]) throw Failure{kInterrupted};
    }

private:
    int asked_[2] = {0, 0};
};

}  // namespace sluice
