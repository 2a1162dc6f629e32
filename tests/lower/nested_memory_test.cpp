// Which arguments of a nested SDFG the loop IR takes for one memory.
#include <gtest/gtest.h>

#include <string>

#include "oracle.h"

namespace sluice {
namespace {

/// The line of the loop IR that begins the function.
std::string head_of(const std::string& function, const std::string& text) {
    const std::string module = test::lowered(test::graph(text));
    const std::size_t at = module.find("function " + function + "(");
    return at == std::string::npos ? module : module.substr(at, module.find('\n', at) - at);
}

const std::string kInner = R"(nested inner (p) -> (q) sdfg inner(p, q) {
      array p: int64[2]
      array q: int64[2]
      state s {
        n0 = access p
        n1 = access q
        n0 -> n1 : p[0:2] -> [0:2]
      }
    }
)";

TEST(NestedMemory, WhatOverlapsInACallOverlapsInTheCallsInside) {
    const std::string text = R"(sdfg outer(A) {
  array A: int64[4]
  state only {
    n0 = access A
    n1 = access A
    n2 = nested middle (p) -> (q) sdfg middle(p, q) {
      array p: int64[2]
      array q: int64[2]
      state s {
        n0 = access p
        n1 = access q
        n2 = )" + kInner + R"(        n0 -> n2.p : p[0:2]
        n2.q -> n1 : q[0:2]
      }
    }
    n0 -> n2.p : A[0:2]
    n2.q -> n1 : A[1:3]
  }
}
)";
    EXPECT_NE(head_of("middle", text).find("q: buffer int64 aliased"), std::string::npos) << head_of("middle", text);
    EXPECT_NE(head_of("inner", text).find("q: buffer int64 aliased"), std::string::npos) << head_of("inner", text);
}

TEST(NestedMemory, ViewsOfTwoArraysAreApart) {
    const auto text = [](const std::string& viewed) {
        return R"(sdfg outer(A, B) {
  array A: int64[4]
  array B: int64[4]
  transient view array v: int64[2]
  state only {
    n0 = access A
    n1 = access v (views)
    n2 = access )" +
               viewed + R"(
    n3 = )" + kInner +
               R"(    n0 -> n1.views : A[0:2]
    n1 -> n3.p : v[0:2]
    n3.q -> n2 : )" +
               viewed + R"([1:3]
  }
}
)";
    };
    EXPECT_EQ(head_of("inner", text("B")).find("aliased"), std::string::npos) << head_of("inner", text("B"));
    EXPECT_NE(head_of("inner", text("A")).find("aliased"), std::string::npos) << head_of("inner", text("A"));
}

}  // namespace
}  // namespace sluice
