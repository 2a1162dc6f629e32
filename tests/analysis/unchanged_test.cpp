#include "analysis/unchanged.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/query.h"

namespace sluice::analysis {
namespace {

/// One state that copies a to b.
ir::Sdfg copying() {
    ir::Sdfg sdfg{.name = "copying"};
    for (const char* name : {"a", "b"}) ir::add_array(sdfg, name, code::Scalar::Float64, {symbolic::Expr(4)});
    ir::StateBuilder state = ir::add_state(sdfg, "main");
    state.edge(state.access("a"), "", state.access("b"), "", ir::memlet("a[0:4]"));
    return sdfg;
}

/// How often its value was computed, and which.
struct Counted {
    OfUnchanged<std::size_t> nodes;
    int computed = 0;

    std::size_t of(const ir::Sdfg& sdfg) {
        return nodes.of(sdfg, [&] {
            ++computed;
            return ir::as_state(sdfg.body.blocks[sdfg.body.start])->nodes.size() + sdfg.containers.size();
        });
    }
};

TEST(OfUnchanged, IsComputedOnceWhileNothingChanges) {
    const ir::Sdfg sdfg = copying();
    Counted counted;
    for (int again = 0; again < 3; ++again) EXPECT_EQ(counted.of(sdfg), 4u);
    EXPECT_EQ(counted.computed, 1);
}

TEST(OfUnchanged, SeesEditsOfStatesAndOfTheRest) {
    ir::Sdfg sdfg = copying();
    Counted counted;
    EXPECT_EQ(counted.of(sdfg), 4u);
    ir::edit_state(sdfg.body, sdfg.body.start).access("a");
    EXPECT_EQ(counted.of(sdfg), 5u);
    ir::add_array(sdfg, "c", code::Scalar::Float64, {symbolic::Expr(4)});
    EXPECT_EQ(counted.of(sdfg), 6u);
    EXPECT_EQ(counted.computed, 3);
}

TEST(OfUnchanged, KeepsSeveralGraphsAndAsksForThatOfEachAddress) {
    const ir::Sdfg a = copying();
    ir::Sdfg b = copying();
    Counted counted;
    for (int again = 0; again < 2; ++again) EXPECT_EQ(counted.of(a) + counted.of(b), 8u);
    EXPECT_EQ(counted.computed, 2);
    b = {.name = "other"};
    ir::add_state(b, "main");
    EXPECT_EQ(counted.of(b), 0u);
    EXPECT_EQ(counted.of(a), 4u);
    EXPECT_EQ(counted.computed, 3);
}

}  // namespace
}  // namespace sluice::analysis
