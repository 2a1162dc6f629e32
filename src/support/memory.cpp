#include "support/memory.h"

#include <unistd.h>

#include <algorithm>

namespace sluice {

namespace {

/// Of the machine; what 63 bits hold where it does not say.
std::size_t physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    std::size_t bytes = 0;
    if (pages <= 0 || page <= 0 || __builtin_mul_overflow(static_cast<std::size_t>(pages), static_cast<std::size_t>(page), &bytes))
        return PTRDIFF_MAX;
    return std::min<std::size_t>(bytes, PTRDIFF_MAX);
}

}  // namespace

std::optional<std::size_t> bytes_in_memory(std::int64_t count, std::size_t element) {
    static const std::size_t most = physical_memory();
    std::size_t bytes = 0;
    if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), element, &bytes) || bytes > most) return std::nullopt;
    return bytes;
}

}  // namespace sluice
