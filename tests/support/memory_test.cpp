#include "support/memory.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice {
namespace {

TEST(BytesInMemory, AreTheProductWhereTheMachineHoldsIt) {
    EXPECT_EQ(bytes_in_memory(0, 8), 0u);
    EXPECT_EQ(bytes_in_memory(1000, 8), 8000u);
}

TEST(BytesInMemory, AreNothingWhereTheProductWrapsOrNoMachineHoldsIt) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(bytes_in_memory(-1, 8));
    EXPECT_FALSE(bytes_in_memory(kMost, 8));
    EXPECT_FALSE(bytes_in_memory(std::int64_t(1) << 61, 8)) << "2**64 bytes wrap to none";
    EXPECT_FALSE(bytes_in_memory(kMost, 1));
    EXPECT_FALSE(bytes_in_memory(std::int64_t(1) << 55, 8));
}

}  // namespace
}  // namespace sluice
