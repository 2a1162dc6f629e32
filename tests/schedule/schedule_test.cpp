// Algorithms as the C++ interface says them; tests/python/test_schedule.py compares many with NumPy.
#include "schedule/schedule.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "poly/budget.h"

namespace sluice::schedule {
namespace {

struct Product {
    Function f{"gemm"};
    Computation c, sum;
    Product()
        : c(declare()),
          sum(f.update("sum", {{"i", "0", "N"}, {"j", "0", "N"}, {"k", "0", "N"}}, c, {"i", "j"}, "+", "A[i, k] * B[k, j]")) {}

private:
    Computation declare() {
        f.constant("N");
        f.input("A", {"N", "N"});
        f.input("B", {"N", "N"});
        return f.computation("C", {{"i", "0", "N"}, {"j", "0", "N"}}, "0.0");
    }
};

TEST(Schedule, TilesMakeLevels) {
    Product product;
    product.sum.tile("i", "j", 32, 16, "i0", "j0", "i1", "j1");
    EXPECT_EQ(product.sum.levels(), (std::vector<std::string>{"i0", "j0", "i1", "j1", "k"}));
    const auto graph = product.f.build({product.c});
    ASSERT_TRUE(graph.ok()) << render(graph.error());
    const std::string text = ir::to_text(*graph);
    EXPECT_NE(text.find("C[32*t + t_1, 16*t_0 + t_2] wcr=\"lambda a, b: a + b\""), std::string::npos) << text;
    EXPECT_TRUE(graph->containers.at("A").shape.size() == 2 && !graph->containers.at("C").transient);
}

TEST(Schedule, AnUpdateBeforeItsTargetIsRefused) {
    Product product;
    product.sum.before(product.c, kRoot);
    const auto graph = product.f.build({product.c});
    ASSERT_FALSE(graph.ok());
    EXPECT_EQ(graph.error().code, "M005");
    EXPECT_NE(graph.error().message.find("does not run C(0, 0) before sum(0, 0, 0)"), std::string::npos) << graph.error().message;
}

TEST(Schedule, RanksAreCountedWhenTheGraphIsMade) {
    Product product;
    product.c.distribute("i");
    const auto graph = product.f.build({product.c});
    ASSERT_FALSE(graph.ok());
    EXPECT_EQ(graph.error().code, "M004");
    EXPECT_NE(graph.error().message.find("how many ranks run `C`"), std::string::npos) << graph.error().message;
}

TEST(Schedule, FullTilesAreUnrolledApartFromTheRest) {
    Product product;
    product.sum.unroll("j", 4);
    const auto graph = product.f.build({product.c});
    ASSERT_TRUE(graph.ok()) << render(graph.error());
    const std::string text = ir::to_text(*graph);
    EXPECT_NE(text.find("[t_0=0:4] passing (A, B) schedule=Sequential unroll"), std::string::npos) << text;
}

TEST(Schedule, CirclesAreRefused) {
    Product product;
    product.sum.after(product.c, kRoot);
    product.c.after(product.sum, kRoot);
    const auto graph = product.f.build({product.c});
    ASSERT_FALSE(graph.ok());
    EXPECT_EQ(graph.error().code, "M004");
}

TEST(Schedule, WhatIsNotKnownWithinTheBudgetIsRefused) {
    Product product;
    product.sum.tile("i", "j", 32, 16, "i0", "j0", "i1", "j1");
    for (const unsigned long operations : {100UL, 500UL, 2'000UL, 5'000UL}) {
        const poly::Budget little(operations);
        const auto graph = product.f.build({product.c});
        ASSERT_FALSE(graph.ok()) << operations;
        EXPECT_EQ(graph.error().code, "M007") << operations << graph.error().message;
    }
}

TEST(Schedule, ComputationsOfAnotherFunctionAreRefused) {
    Product product, other;
    const auto graph = product.f.build({other.c});
    ASSERT_FALSE(graph.ok());
    EXPECT_EQ(graph.error().code, "M001");
    EXPECT_THROW(product.c.after(other.c, kRoot), Failure);
}

TEST(Schedule, ALevelThatIsParallelIsNotForgotten) {
    Product product;
    product.sum.parallelize("i");
    try {
        product.sum.split("i", 4, "i0", "i1");
        FAIL() << "split took a parallel level away";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.diagnostic.code, "M004");
    }
    EXPECT_EQ(product.sum.levels(), (std::vector<std::string>{"i", "j", "k"}));
    EXPECT_TRUE(product.f.build({product.c}).ok());
}

/// t = x, in one element or one for each i; y = t + y, in place.
struct Places {
    Function f{"places", Reads::Memory};
    Computation t, y;
    explicit Places(const std::vector<std::string>& layout) : t(declare()), y(f.computation("y", {{"i", "0", "8"}}, "0.0")) {
        t.store_in("m", layout);
        y.store_in("y_memory", {"i"});
        y.set_expression("t[i] + y[i]");
    }
    std::string code() const {
        const auto graph = f.build({}, {.suggest = false});
        EXPECT_EQ(f.check({}).ok(), graph.ok());
        return graph.ok() ? "" : graph.error().code;
    }

private:
    Computation declare() {
        f.argument("x", {"8"}, code::Scalar::Float64), f.argument("y_memory", {"8"}, code::Scalar::Float64);
        f.buffer("m", {"8"});
        return f.computation("t", {{"i", "0", "8"}}, "x[i]");
    }
};

TEST(ScheduleOfMemory, ReadsFindWhatTheyNameOrWhatWholeComputationsLeave) {
    EXPECT_EQ(Places({"i"}).code(), "");
    EXPECT_EQ(Places({"0"}).code(), "M016");  // All of t before y.
    Places fused({"0"});
    fused.y.after(fused.t, "i");
    EXPECT_EQ(fused.code(), "");
    fused.y.shift("i", -1);
    EXPECT_EQ(fused.code(), "M016");
    Places outside({"i + 1"});
    EXPECT_EQ(outside.code(), "M006");
}

TEST(ScheduleOfMemory, MemoryThatIterationsAllocateIsFoundInThem) {
    Places own({"0"});
    own.y.after(own.t, "i");
    own.t.buffer().allocate_at(own.t, "i");
    EXPECT_EQ(own.code(), "");
    own.y.set_expression("t[i - 1] + y[i] if i > 0 else 0.0");
    EXPECT_EQ(own.code(), "M016");
}

TEST(ScheduleOfMemory, ItHasArgumentsAndNoUpdates) {
    Places p({"i"});
    EXPECT_THROW(p.f.update("u", {{"i", "0", "8"}}, p.t, {"i"}, "+", "1.0"), Failure);
    EXPECT_THROW(Function("values").argument("x", {"8"}, code::Scalar::Float64), Failure);
    EXPECT_EQ(p.t.iterations("i"), 8);
    EXPECT_TRUE(p.t.is_uniform("i"));
    Computation corner = p.f.computation("corner", {{"i", "0", "8"}, {"j", "0", "i"}}, "0.0");
    EXPECT_EQ(corner.iterations("j"), 7);
    EXPECT_FALSE(corner.is_uniform("j"));
}

}  // namespace
}  // namespace sluice::schedule
