// What C++ sees of alternatives and layers; tests/python/test_schedule_alternatives.py and test_schedule_layers.py have many.
#include "schedule/layers.h"

#include <gtest/gtest.h>

#include "driver/scheduled.h"
#include "ir/walk.h"

namespace sluice::schedule {
namespace {

/// c looks one row ahead in b.
struct Rows {
    Function f{"rows"};
    Computation b, c;
    Rows() : b(declare()), c(f.computation("c", {{"i", "0", "N"}, {"j", "0", "N"}}, "b[i, j] + b[i + 1, j]")) {}

private:
    Computation declare() {
        f.constant("N");
        f.input("x", {"N + 1", "N"});
        return f.computation("b", {{"k", "0", "N + 1"}, {"j", "0", "N"}}, "2.0 * x[k, j]");
    }
};

TEST(ScheduleAlternatives, ARefusalNamesCommandsThatRepairGives) {
    Rows rows;
    rows.c.after(rows.b, "j");
    const auto refused = rows.f.build({rows.c});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "M005");
    EXPECT_NE(render(refused.error()).find("legal instead: c."), std::string::npos) << render(refused.error());
    const auto plain = rows.f.build({rows.c}, {.suggest = false});
    ASSERT_FALSE(plain.ok());
    EXPECT_EQ(render(plain.error()).find("legal instead"), std::string::npos);
    const auto done = rows.f.repair({rows.c});
    ASSERT_TRUE(done);
    EXPECT_NE(render(refused.error()).find(*done), std::string::npos);
    EXPECT_TRUE(rows.f.build({rows.c}).ok());
}

TEST(ScheduleLayers, ReadBackAsThemselves) {
    Rows rows;
    rows.b.store_in(std::vector<std::string>{"k % 2", "j"});
    rows.c.shift("i", 1).after(rows.b, "k");
    rows.c.parallelize("j");
    for (int number = 1; number <= 4; ++number) {
        const auto layer = rows.f.layer(number, {rows.c});
        ASSERT_TRUE(layer.ok()) << render(layer.error());
        const std::string text = to_text(*layer);
        const auto again = parse_layer(text);
        ASSERT_TRUE(again.ok()) << render(again.error());
        EXPECT_TRUE(*again == *layer) << text;
        EXPECT_EQ(to_text(*again), text);
    }
    EXPECT_EQ(rows.f.layer(0, {rows.c}).error().code, "M004");
    EXPECT_EQ(parse_layer("layer 1 of f\nloop i").error().code, "M021");
}

TEST(ScheduleOnDevice, AGraphIsReadyToBeCompiled) {
    Rows rows;
    rows.c.tile_gpu("i", "j", 4, 4, "i0", "j0", "i1", "j1");
    rows.b.compute_at(rows.c, "j0");
    const auto graph = driver::scheduled(rows.f, {rows.c});
    ASSERT_TRUE(graph.ok()) << render(graph.error());
    // What a block runs, in one state.
    int kernels = 0;
    ir::for_each_state(graph->body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            kernels += nested && nested->sdfg->body.blocks.size() > 1 ? 1 : 0;
        }
    });
    EXPECT_EQ(kernels, 0);
}

}  // namespace
}  // namespace sluice::schedule
