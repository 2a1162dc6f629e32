#include "support/words.h"

#include <algorithm>

namespace sluice {

std::vector<std::string_view> words_in(std::string_view text) {
    std::vector<std::string_view> words;
    for (auto at = text.begin(); (at = std::find_if(at, text.end(), is_word_part)) != text.end();) {
        const auto end = std::find_if_not(at, text.end(), is_word_part);
        words.emplace_back(at, end);
        at = end;
    }
    return words;
}

bool mentions_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word_part(text[at - 1])) && (end == text.size() || !is_word_part(text[end]))) return true;
    }
    return false;
}

}  // namespace sluice
