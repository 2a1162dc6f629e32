#include "support/words.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Words, AreRunsOfLettersDigitsAndUnderscores) {
    EXPECT_EQ(words_in("a1 = _b->c(2);"), (std::vector<std::string_view>{"a1", "_b", "c", "2"}));
    EXPECT_TRUE(words_in(" ;-").empty());
    EXPECT_TRUE(words_in("").empty());
}

TEST(Words, AreMentionedWholeOnly) {
    EXPECT_TRUE(mentions_word("x+ab", "ab"));
    EXPECT_TRUE(mentions_word("abc ab", "ab")) << "behind a longer one";
    EXPECT_FALSE(mentions_word("abc _ab ab2", "ab"));
}

}  // namespace
}  // namespace sluice
