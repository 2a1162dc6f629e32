// How a program that runs for long is asked to end: by a flag of the thread that called it, which a signal handler may set.
//
// The loops around all others look at it in each round, in the thread of the call, and end by a Failure. A team's first thread
// looks for all of it; the threads of a parallel loop whose iterations hold loops all look at the caller's. A call of a library
// ends by itself first.
#pragma once

#include "abi.h"

namespace sluice {

/// Whether what this thread runs is asked to end.
inline thread_local volatile int interruption = 0;

inline void end_if_asked() {
    if (__builtin_expect(interruption, 0)) throw Failure{kInterrupted};
}

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
