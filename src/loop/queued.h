// Queues of a device beside the one on which the host waits for everything.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::loop {

/// Where a launch or a copy of the device stands in line. On queue 0 the host goes on when it has ended. On another one it begins
/// when all before it on queue 0 and on its own has ended, the host goes on at once, and the event says that it has ended.
struct Queued {
    std::int64_t queue = 0;
    std::string event = {};
    explicit operator bool() const { return queue != 0; }
};
inline constexpr std::int64_t kQueues = 8;

}  // namespace sluice::loop
