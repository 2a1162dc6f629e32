// Typed 32-bit ids. A NodeId is not an EdgeId; both are plain integers that stay valid under edits of their table.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace sluice {

template <class Tag> struct Id {
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::uint32_t value = kNone;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t index) : value(index) {}

    constexpr bool valid() const { return value != kNone; }
    constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace sluice

template <class Tag> struct std::hash<sluice::Id<Tag>> {
    std::size_t operator()(sluice::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
