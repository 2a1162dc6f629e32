// Numbers of bytes before they are asked for: products of sizes that do not wrap, and what the machine can hold at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sluice {

/// Bytes of `count` elements of `element` bytes; nothing if the count is negative, if 64 bits do not hold the product, or if the
/// machine has less memory than that.
std::optional<std::size_t> bytes_in_memory(std::int64_t count, std::size_t element);

}  // namespace sluice
