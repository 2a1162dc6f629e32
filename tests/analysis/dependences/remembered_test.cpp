#include <gtest/gtest.h>

#include "analysis/dependences/access_model.h"
#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "ir/builder.h"

namespace sluice::analysis {
namespace {

using symbolic::symbol;

/// map i: a[i] = a[i] + 1
struct OneMap {
    ir::Sdfg sdfg{.name = "one"};
    ir::NodeId entry;

    OneMap() {
        ir::add_symbol(sdfg, "N");
        ir::add_array(sdfg, "a", code::Scalar::Float64, {2 * symbol("N")});
        auto s = ir::add_state(sdfg, "main");
        const auto [e, x] = s.map("points", {{"i", "0:N"}});
        const auto t = s.tasklet("plus", {{"in", {}}}, {{"out", {}}}, "out = in + 1");
        s.memlet_path({s.access("a"), e, t}, "", "in", ir::memlet("a[i]"));
        s.memlet_path({t, x, s.access("a")}, "out", "", ir::memlet("a[i]"));
        entry = e;
    }
    ir::State& edit() { return *ir::as_state(sdfg.body.blocks[sdfg.body.start]); }
    const ir::State& state() const { return *ir::as_state(sdfg.body.blocks[sdfg.body.start]); }
    Verdict verdict() const { return map_parallel(sdfg, state(), entry, assumptions_of(sdfg)); }
    /// What the tasklet reads.
    ir::Memlet& read() {
        for (auto [id, edge] : edit().edges)
            if (edge.dst_connector == "in") return edge.memlet;
        throw std::logic_error("no such edge");
    }
};

TEST(RememberedModels, TheSameQuestionIsAnsweredFromMemory) {
    const OneMap one;
    EXPECT_TRUE(one.verdict().yes());
    const std::size_t built = access_models_built();
    EXPECT_TRUE(one.verdict().yes());
    EXPECT_EQ(access_models_built(), built);
}

TEST(RememberedModels, AnEditOfAStateInPlaceIsSeen) {
    OneMap one;
    EXPECT_TRUE(one.verdict().yes());
    one.read().subset = symbolic::Subset::indices({symbol("i") + 1});
    const Verdict verdict = one.verdict();
    ASSERT_TRUE(verdict.no()) << "the answer of before the edit";
    EXPECT_EQ(verdict.witness->container, "a");
    one.read().subset = symbolic::Subset::indices({symbol("i")});
    EXPECT_TRUE(one.verdict().yes());
}

TEST(RememberedModels, AnEditThatIsTakenBackIsBuiltAnewForItsAddresses) {
    OneMap one;
    const ModelRoot before = ScopesRoot{.state = &one.state(), .entries = {one.entry}};
    access_model(one.sdfg, before, assumptions_of(one.sdfg));
    const ir::Sdfg copy = one.sdfg;
    one.edit();  // the state is an object of its own now, with the same contents
    const ModelRoot after = ScopesRoot{.state = &one.state(), .entries = {one.entry}};
    const AccessModel model = access_model(one.sdfg, after, assumptions_of(one.sdfg));
    for (const Statement& statement : model.statements) EXPECT_EQ(statement.state, &one.state());
}

TEST(RememberedModels, AnotherContainerOrAnotherFactIsAnotherQuestion) {
    OneMap one;
    EXPECT_TRUE(one.verdict().yes());
    const std::size_t built = access_models_built();
    one.sdfg.containers.find("a")->shape = {3 * symbol("N")};
    EXPECT_TRUE(one.verdict().yes());
    EXPECT_EQ(access_models_built(), built + 1);
    symbolic::Assumptions known = assumptions_of(one.sdfg);
    known.assume(symbolic::less_equal(symbol("N"), 10));
    EXPECT_TRUE(map_parallel(one.sdfg, one.state(), one.entry, known).yes());
    EXPECT_EQ(access_models_built(), built + 2);
}

TEST(RememberedModels, AnotherGraphAtTheSameAddressIsSeen) {
    OneMap shifted;
    shifted.read().subset = symbolic::Subset::indices({symbol("i") + 1});
    OneMap one;
    EXPECT_TRUE(one.verdict().yes());
    one.sdfg = shifted.sdfg;
    EXPECT_TRUE(one.verdict().no());
}

}  // namespace
}  // namespace sluice::analysis
