// Containers at run time: where their elements lie, and the queues of streams.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "interpret/numbers.h"
#include "interpret/shadow.h"

namespace sluice::interpret {

struct ContainerPlan;

/// A run of bytes, the caller's or our own, and what is known about its elements.
struct Allocation {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::unique_ptr<std::byte[]> owned;
    Shadow shadow;
};

struct Queue {
    std::deque<std::vector<std::byte>> elements;
};
struct QueueArray {
    std::vector<Queue> queues;
    std::int64_t capacity = 0;  ///< 0: unbounded.
};

/// A name bound to memory: an array's own, a view of another's, a nested container's part of an outer one. Instances of one
/// allocation may lie on top of each other.
struct Instance {
    struct Dimension {
        std::int64_t extent = 0, stride = 0, offset = 0;
    };
    const ContainerPlan* plan = nullptr;
    std::shared_ptr<Allocation> allocation;
    std::byte* base = nullptr;
    std::vector<Dimension> dimensions;
    std::int64_t start = 0;
    std::shared_ptr<QueueArray> queues;
    std::size_t first_queue = 0;
    bool laid_out = false;
};

}  // namespace sluice::interpret
