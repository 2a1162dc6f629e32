// What libgomp does not do by itself for the threads that it keeps between parallel regions.
//
// A child of fork has one thread, but libgomp's records of the waiting ones: its first region would wait for them for ever. So they
// end before every fork, and both processes begin new ones when they need them (50 us). Waiting threads stand in libgomp's code,
// which therefore stays mapped when the last library that needs it is closed. LLVM's runtime sees to both itself.
#pragma once

#include "memory.h"

#ifndef __clang__

extern "C" void* dlopen(const char*, int) noexcept;

namespace sluice {

/// The name that <omp.h> gives it would take omp.h's types.
int pause_resources(int kind) noexcept __asm__("omp_pause_resource_all");

inline void end_waiting_threads() noexcept {
    constexpr int kSoft = 1;
    pause_resources(kSoft);
}

struct ThreadKeeping {
    ThreadKeeping() noexcept {
        constexpr int kLazy = 0x1, kNoLoad = 0x4, kNoDelete = 0x1000;
        dlopen("libgomp.so.1", kLazy | kNoLoad | kNoDelete);
        pthread_atfork(end_waiting_threads, nullptr, nullptr);
    }
};
/// After block_pool: the handlers run in reverse, and a thread that ends gives its buffers back.
inline const ThreadKeeping thread_keeping;

}  // namespace sluice

#endif
