#include "support/formatted_number.h"

#include <bit>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace sluice {
namespace {

std::string with(std::string place, std::int64_t number) {
    return place.replace(place.find("{}"), 2, std::to_string(number));
}
std::string of(std::string_view format, double value) {
    return with_numbers_written("a" + with(place_of_number(format, WrittenNumber::Float), std::bit_cast<std::int64_t>(value)) +
                                "b");
}
std::string of(std::string_view format, std::int64_t value) {
    return with_numbers_written(with(place_of_number(format, WrittenNumber::Integer), value));
}

// What Python's format() says; tests/python/test_raised_texts.py asks it about more.
TEST(FormattedNumber, FloatsAreWrittenAsPythonDoes) {
    EXPECT_EQ(of("", 1.0), "a1.0b");
    EXPECT_EQ(of("", 1e16), "a1e+16b");
    EXPECT_EQ(of("", -0.0), "a-0.0b");
    EXPECT_EQ(of(".3f", 2.0 / 3), "a0.667b");
    EXPECT_EQ(of(">10.2e", 12345.678), "a  1.23e+04b");
    EXPECT_EQ(of(".3", 123456.0), "a1.23e+05b");
    EXPECT_EQ(of(".5", 12.0), "a12.0b");
    EXPECT_EQ(of(".1%", 0.256), "a25.6%b");
    EXPECT_EQ(of("08.3f", -std::numeric_limits<double>::infinity()), "a-0000infb");
    EXPECT_EQ(of("", -std::numeric_limits<double>::quiet_NaN()), "ananb");
}

TEST(FormattedNumber, IntegersAreWrittenAsPythonDoes) {
    EXPECT_EQ(of("05d", std::int64_t{-42}), "-0042");
    EXPECT_EQ(of(",", std::int64_t{1234567}), "1,234,567");
    EXPECT_EQ(of("x", std::numeric_limits<std::int64_t>::min()), "-8000000000000000");
    EXPECT_EQ(of("*^7", std::int64_t{12}), "**12***");
    EXPECT_EQ(of(".2f", std::int64_t{3}), "3.00");
}

TEST(FormattedNumber, OtherTextsStay) {
    EXPECT_EQ(with_numbers_written("a\tb\t12\t:"), "a\tb\t12\t:");
    EXPECT_FALSE(is_known_format("08,", WrittenNumber::Float));
    EXPECT_FALSE(is_known_format("d", WrittenNumber::Float));
    EXPECT_FALSE(is_known_format(".3d", WrittenNumber::Integer));
    EXPECT_FALSE(is_known_format("5", WrittenNumber::Truth));
}

}  // namespace
}  // namespace sluice
