// The search against brute force over all assignments of nodes to the places of a pattern.
#include "rewrite/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

ir::State random_state(std::mt19937& random) {
    ir::State state;
    const auto count = 3 + random() % 5;
    for (std::size_t i = 0; i < count; ++i)
        if (random() % 2)
            state.nodes.add({.kind = ir::Access{.data = "x"}, .in = {}, .out = {}, .metadata = {}});
        else
            state.nodes.add({.kind = ir::Tasklet(), .in = {}, .out = {}, .metadata = {}});
    for (std::uint32_t a = 0; a < count; ++a)
        for (std::uint32_t b = a + 1; b < count; ++b)
            for (std::size_t copies = random() % 3 == 0 ? 1 + random() % 2 : 0; copies > 0; --copies)
                state.edges.add({ir::NodeId(a), "", ir::NodeId(b), "", ir::no_memlet()});
    return state;
}

std::vector<std::vector<ir::NodeId>> brute_force(const ir::State& state, const Pattern& pattern) {
    std::vector<std::vector<ir::NodeId>> found;
    std::vector<ir::NodeId> chosen(pattern.nodes.size());
    const auto edge_exists = [&](ir::NodeId a, ir::NodeId b) {
        return std::ranges::any_of(state.edges, [&](const auto& e) { return e.second.src == a && e.second.dst == b; });
    };
    const std::function<void(std::size_t)> choose = [&](std::size_t position) {
        if (position == chosen.size()) {
            if (std::ranges::all_of(pattern.edges, [&](const auto& e) { return edge_exists(chosen[e.first], chosen[e.second]); }))
                found.push_back(chosen);
            return;
        }
        for (const auto& [id, node] : state.nodes) {
            if ((kind_of(node) & pattern.nodes[position].kinds) == 0) continue;
            if (std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(position), id) !=
                chosen.begin() + static_cast<std::ptrdiff_t>(position))
                continue;
            chosen[position] = id;
            choose(position + 1);
        }
    };
    choose(0);
    return found;
}

TEST(Match, FindsWhatBruteForceFinds) {
    const std::vector<Pattern> patterns{
        {.nodes = {{"a", kind::any_node}}, .edges = {}},
        chain({{"a", kind::access}, {"b", kind::tasklet}}),
        chain({{"a", kind::access}, {"b", kind::any_node}, {"c", kind::access}}),
        {.nodes = {{"a", kind::any_node}, {"b", kind::any_node}, {"c", kind::any_node}}, .edges = {{0, 1}, {0, 2}, {1, 2}}},
        {.nodes = {{"a", kind::tasklet}, {"b", kind::any_node}, {"c", kind::tasklet}}, .edges = {{0, 1}, {2, 1}}},
    };
    std::mt19937 random(3);
    std::size_t total = 0;
    for (int round = 0; round < 200; ++round) {
        ir::Sdfg sdfg{.name = "g"};
        const ir::State state = random_state(random);
        sdfg.body.start = sdfg.body.blocks.add({.label = "s", .kind = Cow<ir::State>(state), .metadata = {}});
        for (const Pattern& pattern : patterns) {
            Descriptor descriptor;
            descriptor.patterns = {pattern};
            std::vector<std::vector<ir::NodeId>> found;
            for (const Match& match : find_matches(sdfg, descriptor)) found.push_back(match.nodes);
            const auto expected = brute_force(state, pattern);
            EXPECT_EQ(found, expected) << "round " << round;
            total += expected.size();
        }
    }
    EXPECT_GT(total, 1000u);
}

TEST(Match, LibraryNodesByOperation) {
    ir::Sdfg sdfg{.name = "g"};
    ir::StateBuilder state = ir::add_state(sdfg, "s");
    state.library("Reduce", "r", {}, {});
    state.library("MatMul", "m", {}, {});
    Descriptor descriptor;
    descriptor.patterns = {{.nodes = {{"node", kind::library, "Reduce"}}, .edges = {}}};
    ASSERT_EQ(find_matches(sdfg, descriptor).size(), 1u);
}

TEST(Match, BlocksAndWholeGraphs) {
    ir::Sdfg sdfg{.name = "g"};
    const ir::BlockId first = ir::add_block(sdfg.body, {.label = "a", .kind = Cow<ir::State>(), .metadata = {}});
    const ir::BlockId loop = ir::add_block(sdfg.body, ir::for_loop("l", "i", "0", "4"));
    ir::add_transition(sdfg.body, first, loop);
    Descriptor descriptor;
    descriptor.patterns = {chain({{"before", kind::state}, {"loop", kind::loop}})};
    const auto matches = find_matches(sdfg, descriptor);
    ASSERT_EQ(matches.size(), 1u);
    EXPECT_EQ(matches[0].blocks, (std::vector{first, loop}));
    descriptor.patterns = {Pattern{}};
    EXPECT_EQ(find_matches(sdfg, descriptor).size(), 1u) << "once for the graph, not for each region";
}

}  // namespace
}  // namespace sluice::rewrite
