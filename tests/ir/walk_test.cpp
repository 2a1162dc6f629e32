// The walks over control flow, compared with the same graph written down by hand.
#include "ir/walk.h"

#include "ir/query.h"
#include "sample_graphs.h"

namespace sluice::ir {

namespace {

BlockId place(Region& region, const std::string& label, decltype(Block::kind) kind) {
    return add_block(region, {.label = label, .kind = std::move(kind), .metadata = {}});
}

/// first; for i { inside; if c { leave } else { again } }; group { ends { return } }
Sdfg tree() {
    Sdfg sdfg{.name = "tree"};
    place(sdfg.body, "first", Cow<State>());
    LoopRegion loop{.variable = "i",
                    .init = CodeBlock{"i = 0", Language::Python},
                    .condition = CodeBlock{"i < N", Language::Python},
                    .update = CodeBlock{"i = i + 1", Language::Python},
                    .body = {}};
    const BlockId inside = place(loop.body, "inside", Cow<State>());
    ConditionalBlock choice;
    for (const char* condition : {"c", ""}) {
        Branch branch;
        if (*condition) branch.condition = CodeBlock{condition, Language::Python};
        place(branch.body, *condition ? "leave" : "again",
              *condition ? decltype(Block::kind)(BreakBlock{}) : decltype(Block::kind)(ContinueBlock{}));
        choice.branches.push_back(std::move(branch));
    }
    const BlockId choose = place(loop.body, "choose", std::move(choice));
    add_transition(loop.body, inside, choose, {}, {{"k", "A[i]"}});
    place(sdfg.body, "loop", std::move(loop));
    NamedRegion group;
    place(group.body, "ends", ReturnBlock{});
    place(sdfg.body, "group", std::move(group));
    return sdfg;
}

std::vector<std::string> labels(const std::vector<const Block*>& blocks) {
    std::vector<std::string> found;
    for (const Block* block : blocks) found.push_back(block->label);
    return found;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST(Walk, EveryBlockComesBeforeWhatItHolds) {
    const Sdfg sdfg = tree();
    Texts found;
    for_each_block(sdfg.body, [&](const Block& block) { found.push_back(block.label); });
    EXPECT_EQ(found, (Texts{"first", "loop", "group", "inside", "choose", "leave", "again", "ends"}));
}

TEST(Walk, CodeOfARegionIsItsOwn) {
    const Sdfg sdfg = tree();
    std::vector<Texts> found;
    for_each_region(sdfg.body, [&](const Region& region) {
        Texts& texts = found.emplace_back();
        for_each_code(
            region, [&](const CodeBlock& statement) { texts.push_back(statement.text); },
            [&](const std::string& expression) { texts.push_back(expression); });
    });
    EXPECT_EQ(found, (std::vector<Texts>{{"i = 0", "i = i + 1", "i < N"}, {"A[i]", "c"}, {}, {}, {}}));
}

TEST(Walk, JumpsLeadOutOfWhatTheyLeave) {
    const Sdfg sdfg = tree();
    EXPECT_EQ(labels(jumps_out(sdfg.body)), Texts{"ends"});
    for_each_block(sdfg.body, [](const Block& block) {
        if (const auto* loop = std::get_if<LoopRegion>(&block.kind)) {
            EXPECT_EQ(labels(jumps_out(loop->body)), (Texts{"leave", "again"}));
            EXPECT_TRUE(jumps_out(block).empty());
        }
    });
    EXPECT_TRUE(any_block(sdfg.body, [](const Block& block) { return block.label == "again"; }));
    EXPECT_FALSE(any_block(sdfg.body, [](const Block& block) { return block.label == "k"; }));
    EXPECT_EQ(assigned_symbols(sdfg.body), (std::set<std::string>{"i", "k"}));
}

TEST(Walk, WritingLeavesTheCopyAlone) {
    const Sdfg before = axpy();
    Sdfg after = before;
    edit_each_state(after.body, [](State& state) { state.nosync = true; });
    for_each_state(before.body, [](const State& state) { EXPECT_FALSE(state.nosync); });
    for_each_state(after.body, [](const State& state) { EXPECT_TRUE(state.nosync); });
}

TEST(Walk, NestedGraphsComeAfterTheirCaller) {
    Sdfg outer{.name = "outer"};
    StateBuilder state = add_state(outer, "main");
    state.nested("call", axpy(), {"x"}, {"y"}, {{"N", symbolic::symbol("N")}});
    Texts found;
    for_each_sdfg(outer, [&](const Sdfg& sdfg) { found.push_back(sdfg.name); });
    EXPECT_EQ(found, (Texts{"outer", "axpy"}));
}

}  // namespace sluice::ir
