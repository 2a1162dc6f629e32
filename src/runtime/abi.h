// Status codes of every exported function, and the exception that carries one inside a library.
//
// A Failure may be thrown in any generated code. It must not leave a thread of a parallel region: the region catches it into an
// Outcome, skips its remaining work, and rethrows after the threads have joined.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sluice {

enum Status : int {
    kOk = 0,
    kOutOfMemory = 1,
    kBadArgument = 2,     // a null handle, or sizes that differ from those given to init
    kStreamDeadlock = 3,  // a pop or push that waits for something that cannot come
    kUserException = 4,   // the user's C++ threw
};

struct Failure {
    int status;
};

/// Status of the exception being handled.
inline int caught_status() noexcept {
    try {
        throw;
    } catch (const Failure& failure) {
        return failure.status;
    } catch (...) {
        return kUserException;
    }
}

/// First failure of the threads of a parallel region.
class Outcome {
public:
    bool failed() const noexcept { return __atomic_load_n(&status_, __ATOMIC_RELAXED) != kOk; }
    /// Keeps the exception being handled. The first one wins.
    void keep() noexcept {
        int none = kOk;
        const int status = caught_status();
        __atomic_compare_exchange_n(&status_, &none, status, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    void rethrow() const {
        if (failed()) throw Failure{status_};
    }

private:
    int status_ = kOk;
};

/// Selects construction in existing memory; <new> would cost more than the rest of this file.
struct AtPlace {};

}  // namespace sluice

inline void* operator new(size_t, void* place, sluice::AtPlace) noexcept {
    return place;
}
inline void operator delete(void*, void*, sluice::AtPlace) noexcept {}
