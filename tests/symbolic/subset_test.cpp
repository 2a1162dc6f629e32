// Subsets as people meet them: tiles, halos, triangles; text and errors.
#include <gtest/gtest.h>

#include "parsed.h"

#include "symbolic/subset.h"

namespace sluice::symbolic {
namespace {

Subset subset(std::string_view text) {
    return std::move(parse_subset(text)).or_fail();
}
TEST(Subsets, Text) {
    EXPECT_EQ(to_string(subset("0:N,i , 0:N:2, 0:N:4:2, 0:N:1:4")), "0:N, i, 0:N:2, 0:N:4:2, 0:N:1:4");
    EXPECT_EQ(subset("i:i+1"), subset("i"));
    EXPECT_EQ(subset("").rank(), 0u);
    EXPECT_EQ(parse_subset("0:").error().code, "S010");
    EXPECT_EQ(parse_subset("0:").error().where.column, 3u);
    EXPECT_EQ(parse_subset("0:N:0").error().code, "S010");
    EXPECT_EQ(parse_subset("i j").error().where.column, 3u);
}

TEST(Subsets, Sizes) {
    EXPECT_EQ(num_elements(subset("0:N, 0:M")), symbol("N") * symbol("M"));
    EXPECT_EQ(sizes(subset("0:N:32, i, N-1:-1:-1")), (std::vector<Expr>{parsed("(N + 31)//32"), 1, symbol("N")}));
    EXPECT_EQ(to_string(count(subset("a:b").dims[0])), "max(0, b - a)");
    EXPECT_EQ(num_elements(subset("0:N:4:4")), parsed("4*((N + 3)//4)"));
    EXPECT_EQ(num_elements(Subset{}), 1);
}

TEST(Subsets, CoverUnderAssumptions) {
    Assumptions inside;
    inside.assume_in("i", 0, symbol("N"));
    EXPECT_EQ(covers(subset("0:N"), subset("i"), inside), Truth::Yes);
    EXPECT_EQ(covers(subset("0:N"), subset("i + 1"), inside), Truth::Unknown);
    EXPECT_EQ(covers(subset("0:N"), subset("i - N"), inside), Truth::No);
    EXPECT_EQ(covers(subset("0:N"), subset("i:N"), inside), Truth::Yes);
    EXPECT_EQ(covers(subset("0:N:2"), subset("2*i"), inside), Truth::Unknown);
    EXPECT_EQ(covers(subset("0:2*N:2"), subset("2*i"), inside), Truth::Yes);
    EXPECT_EQ(covers(subset("0:2*N:2"), subset("2*i + 1"), inside), Truth::No);
    EXPECT_EQ(covers(subset("0:N"), subset("0:N, 0:N")), Truth::No);
    EXPECT_EQ(covers(subset("0:N, 0:M"), subset("i, 0:M"), inside), Truth::Yes);
}

TEST(Subsets, DisjointByBoundsAndResidues) {
    EXPECT_EQ(disjoint(subset("0:N"), subset("N:2*N")), Truth::Yes);
    EXPECT_EQ(disjoint(subset("0:N:2"), subset("1:N:2")), Truth::Yes);
    EXPECT_EQ(disjoint(subset("0:N"), subset("N-1:M")), Truth::Unknown);
    EXPECT_EQ(disjoint(subset("i"), subset("i + 1")), Truth::Yes);
    EXPECT_EQ(disjoint(subset("i"), subset("j")), Truth::Unknown);
    EXPECT_EQ(disjoint(subset("i, 0:N"), subset("j, 0:N")), Truth::Unknown);
    EXPECT_EQ(disjoint(subset("0:N"), subset("0:M")), Truth::No);
    EXPECT_EQ(disjoint(Subset{}, Subset{}), Truth::No);
}

TEST(Subsets, Images) {
    const auto image = [](const char* text, const char* range) {
        const Image result = image_over(subset(text), "i", subset(range).dims[0]);
        return to_string(result.subset) + (result.exact ? " exactly" : "");
    };
    EXPECT_EQ(image("i, 0:M", "0:N"), "0:N, 0:M exactly");
    EXPECT_EQ(image("i - 1:i + 2", "1:N - 1"), "0:N exactly");
    EXPECT_EQ(image("2*i", "0:N"), "0:2*N - 1:2 exactly");
    EXPECT_EQ(image("i:min(i + 32, N)", "0:N:32"), "0:N");
    EXPECT_EQ(image("0:i + 1", "0:N"), "0:N exactly");
    EXPECT_EQ(image("i, i", "0:N"), "0:N, 0:N");
    EXPECT_EQ(image("N - 1 - i", "0:N"), "0:N exactly");
    EXPECT_EQ(image("i//2", "0:N"), "0:(N + 1)//2");
    EXPECT_EQ(image("A[i]", "0:N"), "A[i]");
    EXPECT_EQ(image("i*M:i*M + M", "0:N"), "0:M*N exactly");
}

TEST(Subsets, Algebra) {
    EXPECT_EQ(to_string(hull_union(subset("0:N"), subset("N:N + M"))), "0:M + N");
    EXPECT_EQ(to_string(*intersection(subset("0:N"), subset("2:M"))), "2:min(M, N)");
    EXPECT_EQ(to_string(*intersection(subset("0:12:2"), subset("0:12:3"))), "0:12:6");
    EXPECT_FALSE(intersection(subset("0:N:2"), subset("a:N:3")).has_value());
    EXPECT_EQ(offset_by(subset("i, 0:N"), {2, -1}), subset("i + 2, -1:N - 1"));
    EXPECT_EQ(compose(subset("a:b, i"), subset("0:4, 0")), subset("a:a + 4, i"));
    EXPECT_EQ(compose(subset("0:N:2"), subset("k")), subset("2*k"));
    EXPECT_EQ(free_symbols(subset("i:N, A[j]")), (std::set<std::string>{"A", "N", "i", "j"}));
    EXPECT_EQ(substitute(subset("i:i + 4"), {{"i", 8}}), subset("8:12"));
}

// Each step doubles the expression; as a graph it stays small.
TEST(Image, OfAnExpressionThatOccursOftenEndsSoon) {
    Expr e = symbol("i");
    for (int k = 0; k < 60; ++k) e = minimum(modulo(e + k, 100), floor_divide(3 * e, 2) + symbol("i"));
    const Image image = image_over({{Range::index(e)}}, "i", {0, symbol("N"), 1, 1});
    EXPECT_FALSE(image.exact);
    EXPECT_TRUE(depends_on(image.subset.dims[0].begin, "i"));
}

}  // namespace
}  // namespace sluice::symbolic
