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
    kBadArgument = 2,     // a null handle, sizes that differ from those given to init, or a container of negative size
    kStreamDeadlock = 3,  // a pop or push that waits for something that cannot come
    kUserException = 4,   // the user's C++ threw
    kDeviceFailure = 5,   // a device, its compiler or a launch failed
    kMessageFailure = 6,  // MPI failed, or a rank, tag or size does not fit
    kInterrupted = 7,     // somebody asked for it (interruption.h)
    kFirstCheck = 16,     // and more: a check of the program does not hold
};

/// What memory is for, as texts that live as long as the library: `tmp` and `N * M`. Null: the runtime's own. Of a check: its
/// sentence, as printf takes it.
struct Claim {
    const char* container = nullptr;
    const char* extent = nullptr;
};

struct Failure {
    int status;
    Claim claim = {};      ///< Of memory that could not be had, with
    int64_t elements = 0;  ///< how many elements (if 64 bits hold it) of how many bytes.
    bool fits = true;
    size_t element = 0;
    long long values[8] = {};  ///< Of a check: what its sentence names.
};

/// The exception being handled.
inline Failure caught() noexcept {
    try {
        throw;
    } catch (const Failure& failure) {
        return failure;
    } catch (...) {
        return {kUserException};
    }
}

/// First failure of the threads of a parallel region.
class Outcome {
public:
    bool failed() const noexcept { return __atomic_load_n(&failed_, __ATOMIC_RELAXED); }
    /// Keeps the exception being handled. The first one wins.
    void keep() noexcept {
        const Failure failure = caught();
        if (!__atomic_exchange_n(&failed_, true, __ATOMIC_RELAXED)) failure_ = failure;
    }
    /// After the threads have joined.
    void rethrow() const {
        if (failed()) throw Failure(failure_);
    }

private:
    bool failed_ = false;
    Failure failure_ = {kOk};
};

/// Selects construction in existing memory; <new> would cost more than the rest of this file.
struct AtPlace {};

}  // namespace sluice

inline void* operator new(size_t, void* place, sluice::AtPlace) noexcept {
    return place;
}
inline void operator delete(void*, void*, sluice::AtPlace) noexcept {}
