// Consume scopes: workers pop from a stream and process its elements, which may push more, until the stream is quiescent: empty
// while no worker is busy. A worker counts as busy from before its pop to the end of its last element, so whoever finds the
// stream empty and nobody busy knows that nothing can come; the worker whose element pushed last always looks again itself.
#pragma once

#include <omp.h>

#include "stream.h"
#include "threads.h"
#include "types.h"

namespace sluice {

/// A condition that never holds: nobody looks between two elements, so that workers may take several at a time.
struct Never {
    bool operator()() const { return false; }
};

/// One worker, in order: `body(element)` until the stream is empty or `stop()`.
template <class T, class Stop, class Body> inline void consume_in_order(Stream<T>& stream, int64_t chunk, Stop stop, Body body) {
    Buffer<T> elements({}, chunk);
    while (!stop()) {
        const int64_t count = stream.try_pop_many(elements.data(), chunk);
        if (count == 0) return;
        for (int64_t i = 0; i < count; ++i) body(int64_t(0), elements.data()[i], stream);
    }
}

/// How many elements a worker takes at a time: its share of half of what waits, so that the others find work too.
inline int64_t guided_share(int64_t waiting, int64_t workers, int64_t chunk, int64_t most) {
    int64_t share = waiting / (2 * (workers > 0 ? workers : 1));
    if (share > most) share = most;
    return share > chunk ? share : chunk;
}

/// `workers` threads: `body(worker, element, pushes)`, where `pushes` takes what the element pushes into the same stream.
template <class T, class Stop, class Body>
inline void consume_in_parallel(Stream<T>& stream, int64_t workers, int64_t chunk, Stop stop, Body body) {
    Outcome outcome;
    StreamRegion region;
    int64_t busy = 0;
#pragma omp parallel num_threads(static_cast <int>(workers))
    {
        StreamRegion::Member member(region, omp_get_num_threads());
        const int64_t worker = omp_get_thread_num();
        const int64_t team = omp_get_num_threads();
        constexpr int64_t kMost = same<Stop, Never> ? 128 : 1;
        try {
            Buffer<T> elements({}, chunk > kMost ? chunk : kMost);
            PushBlock<T> pushes(stream);
            for (int idle = 0; !outcome.failed() && !stop();) {
                int64_t count = 0;
                if (stream.size() > 0) {
                    __atomic_fetch_add(&busy, 1, __ATOMIC_SEQ_CST);
                    count = stream.try_pop_many(elements.data(), guided_share(stream.size(), team, chunk, kMost));
                    try {
                        for (int64_t i = 0; i < count; ++i) body(worker, elements.data()[i], pushes);
                        pushes.flush();
                    } catch (...) {
                        outcome.keep();
                    }
                    __atomic_fetch_sub(&busy, 1, __ATOMIC_SEQ_CST);
                }
                if (count > 0) {
                    idle = 0;
                } else if (__atomic_load_n(&busy, __ATOMIC_SEQ_CST) == 0 && stream.size() == 0) {
                    break;
                } else if (++idle < 256) {
                    SpinLock::pause();
                } else {
                    sched_yield();
                }
            }
        } catch (...) {
            outcome.keep();
        }
    }
    outcome.rethrow();
}

}  // namespace sluice
