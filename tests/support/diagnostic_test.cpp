// Diagnostics as people read them: place, sentence, excerpt with caret, notes, help.
#include "support/diagnostic.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

Span at(std::uint32_t line, std::uint32_t column, std::uint32_t end_column) {
    return {intern_file_name("lu.py"), line, column, line, end_column};
}

TEST(Diagnostics, ShowTheSourceLineWithACaret) {
    const Diagnostic diagnostic{.code = "P101",
                                .message = "'foo' is not defined",
                                .where = at(2, 5, 8),
                                .remedy = "define it",
                                .notes = {{"first used here", at(1, 1, 2)}, {"elsewhere"}}};
    EXPECT_EQ(render(diagnostic, "a = 1\nb = foo\n"),
              "lu.py:2:5: error P101: 'foo' is not defined\n"
              "    2 | b = foo\n"
              "      |     ^~~\n"
              "lu.py:1:1: note: first used here\n"
              "note: elsewhere\n"
              "help: define it\n");
}

TEST(Diagnostics, PlaceWithoutSourceText) {
    EXPECT_EQ(render({.code = "V1", .message = "no", .path = "gemm/state_0/n3"}), "gemm/state_0/n3: error V1: no\n");
    EXPECT_EQ(render({.code = "V1", .message = "no"}), "error V1: no\n");
    EXPECT_EQ(render({.code = "V1", .message = "no", .where = at(3, 0, 0)}), "lu.py:3: error V1: no\n");
    EXPECT_EQ(render({.code = "V1", .message = "no", .where = at(9, 1, 2)}, "one line"), "lu.py:9:1: error V1: no\n");
}

TEST(Diagnostics, TabsKeepTheCaretInPlace) {
    EXPECT_EQ(render({.code = "P1", .message = "m", .where = at(1, 2, 3)}, "\tx"),
              "lu.py:1:2: error P1: m\n    1 | \tx\n      | \t^\n");
}

TEST(Diagnostics, FileNamesAreInterned) {
    EXPECT_EQ(intern_file_name("same.py"), intern_file_name(std::string("same") + ".py"));
    EXPECT_NE(intern_file_name("same.py"), intern_file_name("other.py"));
}

}  // namespace
}  // namespace sluice
