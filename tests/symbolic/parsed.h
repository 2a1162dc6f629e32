// Expressions from text for the tests of this room.
#pragma once

#include <gtest/gtest.h>

#include "symbolic/expr.h"

namespace sluice::symbolic {

/// The expression of the text; a test that gives a wrong one fails.
inline Expr parsed(std::string_view text) {
    auto result = parse(text);
    EXPECT_TRUE(result.ok()) << text << ": " << (result.ok() ? "" : render(result.error()));
    return result.ok() ? *result : Expr();
}

}  // namespace sluice::symbolic
