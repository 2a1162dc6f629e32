// An index that only the run knows, which counts from the end where it is negative.
#pragma once

#include "abi.h"

namespace sluice {

[[gnu::cold, gnu::noinline, noreturn]] inline void leave_bounds(int64_t at, int64_t size, int64_t axis, int status) {
    throw Failure{status, {"index %lld is out of bounds for axis %lld with size %lld"}, 0, true, 0, {at, axis, size}};
}

/// `status`: of the failure where the index lies outside.
inline int64_t checked_index(int64_t at, int64_t size, int64_t axis, int status) {
    const int64_t place = at < 0 ? at + size : at;
    if (uint64_t(place) >= uint64_t(size)) leave_bounds(at, size, axis, status);
    return place;
}

}  // namespace sluice
