// How a Failure leaves a library: as a status, and as a sentence for whoever asks for more.
#pragma once

#include "abi.h"

namespace sluice {

/// What the last failure in this thread was about; empty where the status says it all.
inline thread_local char failure_sentence[1024] = "";

/// Status of the exception being handled, whose sentence is kept.
inline int caught_status() noexcept {
    const Failure failure = caught();
    const char* const container = failure.claim.container;
    const char* const extent = failure.claim.extent ? failure.claim.extent : "";
    const char* const equals = failure.claim.extent ? " = " : "";
    char count[32] = "more than 2**63 - 1";
    if (failure.fits) __builtin_snprintf(count, sizeof count, "%lld", static_cast<long long>(failure.elements));
    if (failure.status >= kFirstCheck)
        __builtin_snprintf(failure_sentence, sizeof failure_sentence, container ? container : "", failure.values[0],
                           failure.values[1], failure.values[2], failure.values[3], failure.values[4], failure.values[5],
                           failure.values[6], failure.values[7]);
    else if (!container)
        failure_sentence[0] = 0;
    else if (failure.status == kDeviceFailure || failure.status == kMessageFailure || failure.status == kStreamDeadlock)
        __builtin_snprintf(failure_sentence, sizeof failure_sentence, "%s", container);
    else if (failure.status == kBadArgument)
        __builtin_snprintf(failure_sentence, sizeof failure_sentence, "`%s` would have %s%s%s elements", container, extent, equals,
                           count);
    else
        __builtin_snprintf(failure_sentence, sizeof failure_sentence, "`%s` has %s%s%s elements of %zu bytes", container, extent,
                           equals, count, failure.element);
    return failure.status;
}

}  // namespace sluice
