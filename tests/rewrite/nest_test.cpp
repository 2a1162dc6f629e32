#include "rewrite/nest.h"

#include <gtest/gtest.h>

#include "../transform/memory.h"
#include "analysis/propagate.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "rewrite/edit.h"
#include "rewrite/wires.h"

namespace sluice::rewrite {
namespace {

ir::State& main_state(ir::Sdfg& sdfg) {
    return *ir::as_state(sdfg.body.blocks[sdfg.body.start]);
}

std::vector<ir::NodeId> node_ids(std::initializer_list<std::uint32_t> values) {
    std::vector<ir::NodeId> found;
    for (const std::uint32_t value : values) found.emplace_back(value);
    return found;
}

/// Nests the nodes of the first state; the result is valid and computes the same.
ir::Sdfg nested(const char* text, std::initializer_list<std::uint32_t> nodes) {
    const ir::Sdfg before = parsed(text);
    ir::Sdfg after = before;
    const std::vector<ir::NodeId> chosen = node_ids(nodes);
    EXPECT_EQ(why_not_nested(after, main_state(after), chosen), std::nullopt);
    nest_nodes(after, main_state(after), chosen, "part");
    analysis::propagate_memlets(after);
    for (const Diagnostic& problem : ir::verify(after)) ADD_FAILURE() << render(problem) << ir::to_text(after);
    const auto symbols = test::symbol_values(before, {});
    const auto expected = test::run(before, symbols, 0);
    for (const std::uint64_t seed : {0, 1, 2}) {
        const auto actual = test::run(after, symbols, seed);
        if (!actual) ADD_FAILURE() << render(actual.error()) << ir::to_text(after);
        EXPECT_TRUE(actual && *actual == *expected) << ir::to_text(after);
    }
    return after;
}

std::string refusal(const char* text, std::initializer_list<std::uint32_t> nodes) {
    ir::Sdfg sdfg = parsed(text);
    return why_not_nested(sdfg, main_state(sdfg), node_ids(nodes)).value_or("");
}

const char* const kScope = R"(sdfg scope(x, y) {
  symbol N: int64
  array x: float64[N]
  array y: float64[N]
  transient scalar t: float64
  state main {
    n0 = access x
    n1 = map_entry all [i=0:N] passing (x)
    n2 = tasklet first (a) -> (b) { b = a + i }
    n3 = access t
    n4 = tasklet second (a) -> (b) { b = a * N }
    n5 = map_exit n1 passing (y)
    n6 = access y
    n0 -> n1.IN_x : x[0:N]
    n1.OUT_x -> n2.a : x[i]
    n2.b -> n3 : t
    n3 -> n4.a : t
    n4.b -> n5.IN_y : y[i]
    n5.OUT_y -> n6 : y[0:N]
  }
})";

TEST(NestNodes, AWholeScope) {
    const ir::Sdfg after = nested(kScope, {1, 2, 3, 4, 5});
    EXPECT_FALSE(after.containers.contains("t"));
}

TEST(NestNodes, TheInsideOfAScopeMapsTheParameter) {
    ir::Sdfg after = nested(kScope, {2, 3, 4});
    for (const auto& [id, node] : main_state(after).nodes)
        if (const auto* call = std::get_if<ir::NestedSdfg>(&node.kind)) {
            EXPECT_TRUE(call->symbol_mapping.contains("i"));
            EXPECT_TRUE(call->symbol_mapping.contains("N"));
            EXPECT_TRUE(call->sdfg->containers.at("t").transient);
        }
}

TEST(NestNodes, AnAccessNodeThatTheOutsideReadsStaysVisible) {
    nested(kScope, {2, 3});
    nested(kScope, {3, 4});
}

TEST(NestNodes, PartOfAScopeIsRefused) {
    EXPECT_NE(refusal(kScope, {1, 2, 3}).find("only a part of the scope"), std::string::npos);
    EXPECT_NE(refusal(kScope, {2, 6}).find("different scopes"), std::string::npos);
}

TEST(NestNodes, APathThatComesBackIsRefused) {
    EXPECT_NE(refusal(kScope, {2, 4}).find("comes back"), std::string::npos);
}

const char* const kChain = R"(sdfg chain(x, y) {
  array x: float64[8]
  array y: float64[8]
  transient array t: float64[8]
  transient view array v: float64[4]
  state main {
    n0 = access x
    n1 = access t
    n2 = access v (views)
    n3 = tasklet sum (a) -> (b) { b = a[0] + a[3] }
    n4 = access y
    n5 = tasklet twice (a) -> (b) { b = 2 * a }
    n6 = access y
    n0 -> n1 : x[0:8]
    n1 -> n2.views : t[2:6]
    n2 -> n3.a : v[0:4]
    n3.b -> n4 : y[0] wcr="lambda a, b: a + b"
    n4 -> n5.a : y[0]
    n5.b -> n6 : y[1]
  }
})";

TEST(NestNodes, CopiesViewsAndResolutions) {
    nested(kChain, {1, 2, 3});
    nested(kChain, {2, 3, 4});
    nested(kChain, {3, 4, 5});
    nested(kChain, {1});
    nested(kChain, {4});
    nested(kChain, {0, 1, 2, 3, 4, 5, 6});
}

TEST(NestNodes, AViewStaysWithWhatItViews) {
    EXPECT_NE(refusal(kChain, {2}).find("both sides"), std::string::npos);
}

// The number rounds to float32 on its way, whatever becomes of the container that says so.
const char* const kWire = R"(sdfg wire(x, y) {
  array x: int8[1]
  array y: float64[1]
  transient array t: float32[1]
  state main {
    n0 = access x
    n1 = tasklet first (a) -> (w) { w = 16777217 + a - a }
    n2 = tasklet second (w) -> (o) { o = w }
    n3 = access y
    n0 -> n1.a : x[0]
    n1.w -> n2.w : t[0]
    n2.o -> n3 : y[0]
  }
})";

TEST(NestNodes, AValueBetweenTaskletsNeedsNoContainer) {
    const std::string text = ir::to_text(nested(kWire, {1, 2}));
    EXPECT_NE(text.find("tasklet first (a) -> (w: float32)"), std::string::npos) << text;
}

TEST(EraseContainer, LeavesTheValuesThatGoFromCodeToCode) {
    const ir::Sdfg before = parsed(kWire);
    ir::Sdfg after = before;
    erase_container(after, "t");
    for (const Diagnostic& problem : ir::verify(after)) ADD_FAILURE() << render(problem) << ir::to_text(after);
    EXPECT_EQ(*test::run(after, {}, 0), *test::run(before, {}, 0));
}

}  // namespace
}  // namespace sluice::rewrite
