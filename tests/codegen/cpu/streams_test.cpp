// Streams between loops and between concurrent sections, waits that can never end, and consume scopes.
#include <algorithm>

#include "compiled.h"

namespace sluice::codegen {
namespace {

using namespace loop;
using code::DType;
using code::Scalar;

const DType kElement = Scalar::Int64;

Statement add_to_out(const Expr& index, ValuePtr value, Conflict conflict = Conflict::None) {
    Update update;
    update.buffer = "out";
    update.index = at(index);
    update.op = ReductionType::Sum;
    update.value = std::move(value);
    update.conflict = conflict;
    return {update, {}};
}
Statement push(const std::string& stream, ValuePtr value) {
    return {Push{stream, at(0), std::move(value)}, {}};
}
Body pop_into_out(const std::string& stream, const std::string& variable, const Expr& slot) {
    return {{Declare{variable, kElement, nullptr, false}, {}},
            {Pop{stream, at(0), variable}, {}},
            add_to_out(slot, loop::variable(variable, kElement))};
}
Module program(const std::string& name) {
    Module module;
    module.name = module.program.name = name;
    module.program.parameters = {buffer("out", kElement), number("N")};
    return module;
}

// Threads collect what they push: nothing is lost at the ends of their shares, and a bounded queue is filled as far as it goes
// while another section empties it.
TEST(Streams, CollectedPushesArriveOnceEach) {
    Module module = program("collected");
    Body& body = module.program.body;
    put(body, AllocateStream{"all", kElement, 2, 0});
    For fill = count("i", sym("N"), {}, LoopMode::Parallel);
    fill.body.push_back(push("all", at(sym("i"))));
    fill.body.push_back(push("all", at(sym("i") + sym("N"))));
    put(body, fill);
    put(body, Store{"out", at(0), std::make_shared<const Value>(Value{kElement, StreamSize{"all", at(0)}})});
    put(body, Drain{"all", at(0), address("out", at(1), kElement), nullptr});
    const std::string source = print_cpu(module).host();
    EXPECT_NE(source.find("all_pushes.push("), std::string::npos) << source;
    std::int64_t n = 1000;
    std::vector<std::int64_t> out(2 * 1000 + 1, -1);
    ASSERT_EQ(Compiled(module).run({out.data(), &n}), 0);
    EXPECT_EQ(out[0], 2 * n);
    std::sort(out.begin() + 1, out.end());
    for (std::int64_t i = 0; i < 2 * n; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i) + 1], i);
}

// One thread fails between two barriers; the others meet it there all the same.
TEST(Streams, AFailureBetweenBarriersOfATeam) {
    Module module = program("team_failure");
    Body& body = module.program.body;
    ParallelRegion region{2, "thread", "", {}};
    If first{binary(BinaryOp::Equal, at(sym("thread")), integer_value(0)),
             {{Allocate{"huge", kElement, -1 * sym("N"), Place::Heap}, {}}},
             {}};
    put(region.body, Barrier{});
    put(region.body, first);
    put(region.body, Barrier{});
    put(region.body, Barrier{});
    put(body, region);
    std::int64_t n = 1;
    std::vector<std::int64_t> out(1);
    EXPECT_EQ(Compiled(module).run({out.data(), &n}), 2);
}

// A loop whose body waits for elements must not hold back its own.
TEST(Streams, LoopsThatWaitPushAtOnce) {
    Module module = program("at_once");
    Body& body = module.program.body;
    put(body, AllocateStream{"token", kElement, 1, 1});
    body.push_back(push("token", integer_value(1)));
    For pass = count("i", sym("N"), {}, LoopMode::Parallel);
    put(pass.body, Declare{"held", kElement, nullptr, false});
    put(pass.body, Pop{"token", at(0), "held"});
    pass.body.push_back(push("token", binary(BinaryOp::Add, variable("held", kElement), integer_value(1))));
    put(body, pass);
    put(body, Drain{"token", at(0), address("out", at(0), kElement), nullptr});
    EXPECT_EQ(print_cpu(module).host().find("token_pushes"), std::string::npos);
    std::int64_t n = 300;
    std::vector<std::int64_t> out(1);
    ASSERT_EQ(Compiled(module).run({out.data(), &n}), 0);
    EXPECT_EQ(out[0], n + 1);
}

TEST(Streams, FilterDrainAndSections) {
    Module module = program("queues");
    Body& body = module.program.body;
    // a parallel filter, its size, and everything that waits
    put(body, AllocateStream{"found", kElement, 2, 0});
    For filter = count("i", sym("N"), {}, LoopMode::Parallel);
    put(filter.body, If{binary(BinaryOp::Equal, binary(BinaryOp::Rem, at(sym("i")), integer_value(3)), integer_value(0)),
                        {push("found", at(sym("i")))},
                        {}});
    put(body, filter);
    put(body, Store{"out", at(0), std::make_shared<const Value>(Value{kElement, StreamSize{"found", at(0)}})});
    put(body, Drain{"found", at(0), address("out", at(10), kElement), nullptr});
    put(body, Store{"out", at(1), std::make_shared<const Value>(Value{kElement, StreamSize{"found", at(0)}})});
    // a pipeline of three sections over bounded streams, the last written first
    put(body, AllocateStream{"first", kElement, 1, 2});
    put(body, AllocateStream{"second", kElement, 1, 3});
    ParallelSections pipeline;
    pipeline.sections.push_back({{count("i", sym("N"), pop_into_out("second", "last", 2)), {}}});
    Body middle{{Declare{"element", kElement, nullptr, false}, {}},
                {Pop{"first", at(0), "element"}, {}},
                push("second", binary(BinaryOp::Mul, variable("element", kElement), integer_value(2)))};
    pipeline.sections.push_back({{count("i", sym("N"), middle), {}}});
    pipeline.sections.push_back({{count("i", sym("N"), {push("first", at(sym("i")))}), {}}});
    put(body, pipeline);
    Compiled compiled(module);
    std::int64_t n = 300;
    std::vector<std::int64_t> out(200, -1);
    out[2] = 0;
    ASSERT_EQ(compiled.run({out.data(), &n}), 0);
    EXPECT_EQ(out[0], 100);
    EXPECT_EQ(out[1], 0);
    EXPECT_EQ(out[2], n * (n - 1));
    std::vector<std::int64_t> found(out.begin() + 10, out.begin() + 110);
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(found[i], static_cast<std::int64_t>(3 * i));
}

// N chooses: 0 pops from an empty stream, 1 fills a bounded one, 2 starves a section, 3 two sections wait for each other.
TEST(Streams, WaitsThatCannotEndAreAStatus) {
    Module module = program("stuck");
    Body& body = module.program.body;
    put(body, AllocateStream{"a", kElement, 1, 2});
    put(body, AllocateStream{"b", kElement, 1, 2});
    const auto when = [&](std::int64_t choice, Body chosen) {
        put(body, If{binary(BinaryOp::Equal, at(sym("N")), integer_value(choice)), std::move(chosen), {}});
    };
    when(0, pop_into_out("a", "none", 0));
    when(1, {{count("i", 3, {push("a", at(sym("i")))}), {}}});
    when(2, {{ParallelSections{
                  {{{count("i", 5, pop_into_out("a", "hungry", 0)), {}}}, {{count("i", 4, {push("a", at(sym("i")))}), {}}}}},
              {}}});
    Body left = pop_into_out("a", "from_right", 0), right = pop_into_out("b", "from_left", 1);
    left.push_back(push("b", integer_value(1)));
    right.push_back(push("a", integer_value(1)));
    when(3, {{ParallelSections{{left, right}}, {}}});
    Compiled compiled(module);
    for (std::int64_t choice = 0; choice < 4; ++choice) {
        std::vector<std::int64_t> out(2, 0);
        EXPECT_EQ(compiled.run({out.data(), &choice}), 3) << choice;
    }
}

TEST(Streams, ConsumeComputesFibonacci) {
    for (const bool parallel : {false, true}) {
        Module module = program(parallel ? "fibonacci_parallel" : "fibonacci_in_order");
        Body& body = module.program.body;
        put(body, AllocateStream{"work", kElement, 1, 0});
        body.push_back(push("work", at(sym("N"))));
        Consume consume{"work", at(0), "p", "s", kElement, 4, parallel ? 1 : 8, nullptr, parallel, {}};
        If split{binary(BinaryOp::Less, variable("s", kElement), integer_value(2)), {}, {}};
        split.then_body = {add_to_out(0, variable("s", kElement), parallel ? Conflict::Atomic : Conflict::None)};
        for (const int less : {1, 2})
            split.else_body.push_back(push("work", binary(BinaryOp::Sub, variable("s", kElement), integer_value(less))));
        put(consume.body, split);
        put(body, consume);
        // stops early: the first element ends it
        put(body, count("i", 10, {push("work", integer_value(1))}));
        Consume stopped{"work",   at(0), "p", "s",
                        kElement, 1,     1,   binary(BinaryOp::GreaterEqual, load("out", at(1), kElement), integer_value(3)),
                        parallel, {}};
        stopped.body = {add_to_out(1, variable("s", kElement))};
        put(body, stopped);
        Compiled compiled(module);
        std::int64_t n = 20;
        std::vector<std::int64_t> out(2, 0);
        ASSERT_EQ(compiled.run({out.data(), &n}), 0);
        EXPECT_EQ(out[0], 6765);
        EXPECT_EQ(out[1], 3);
    }
}

}  // namespace
}  // namespace sluice::codegen
