// Words of program text: letters, digits and underscores of ASCII, whatever the locale.
#pragma once

#include <string_view>
#include <vector>

namespace sluice {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A letter or an underscore.
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_word_part(char c) {
    return is_letter(c) || is_digit(c);
}

/// The words of the text in order, numbers among them.
std::vector<std::string_view> words_in(std::string_view text);

/// Is `word` one of the words of the text?
bool mentions_word(std::string_view text, std::string_view word);

}  // namespace sluice
