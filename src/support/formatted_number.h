// Numbers as Python's format() writes them, in texts that a program leaves behind: the run gives integers and the bits of floats
// alone, and what reads the text writes the numbers.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// What a number is that stands in a text.
enum class WrittenNumber : char { Integer = 'i', Float = 'f', Truth = 'b' };

/// Whether the format of an f-string (`{x:8.3f}`; empty: `{x}`) is known for such numbers.
bool is_known_format(std::string_view format, WrittenNumber kind);
/// What stands in a text for a number in a format: the integer, or the bits of the float, take the place of `{}`.
std::string place_of_number(std::string_view format, WrittenNumber kind);
/// The text with its numbers, once their places are filled.
std::string with_numbers_written(std::string_view text);

}  // namespace sluice
