// Ctrl-C while a compiled program runs.
#pragma once

#include "bindings/convert.h"

namespace sluice::bindings {

/// While it lives, in Python's main thread and where SIGINT raises KeyboardInterrupt, the signal asks the program to end as well.
/// Elsewhere, and where a handler of the user's decides what SIGINT means, nothing is changed. Made with the GIL held.
class EndedByInterrupt {
public:
    /// Null: the program does not look.
    explicit EndedByInterrupt(volatile int* flag);
    ~EndedByInterrupt();
    EndedByInterrupt(const EndedByInterrupt&) = delete;
    EndedByInterrupt& operator=(const EndedByInterrupt&) = delete;

private:
    bool armed_ = false;
};

}  // namespace sluice::bindings
