// Statements of every kind in one program: each writes its answer to a slot of `out`.
#include <bit>
#include <cmath>
#include <limits>

#include "compiled.h"

namespace sluice::codegen {
namespace {

using namespace loop;
using code::DType;
using code::Scalar;

const DType kInt = Scalar::Int64, kDouble = Scalar::Float64;

ValuePtr ints(std::int64_t value) {
    return integer_value(value);
}
Statement add_to(const std::string& buffer, const Expr& index, ValuePtr value) {
    Update update;
    update.buffer = buffer;
    update.index = at(index);
    update.op = ReductionType::Sum;
    update.value = std::move(value);
    return {update, {}};
}
For loop_from(const std::string& variable, const Expr& begin, const Expr& end, const Expr& step, Body body) {
    For result = count(variable, end, std::move(body));
    result.begin = begin;
    result.step = step;
    return result;
}
Module program(const std::string& name, std::vector<Parameter> parameters) {
    Module module;
    module.name = module.program.name = name;
    module.program.parameters = std::move(parameters);
    return module;
}

TEST(Statements, LoopsAndBranches) {
    Module module = program("control", {buffer("out", kInt), number("N")});
    Body& body = module.program.body;
    const auto i = [] { return at(sym("i")); };
    put(body, loop_from("i", sym("N") - 1, -1, -2, {add_to("out", 0, i())}));       // 9+7+5+3+1
    put(body, loop_from("i", 2, sym("N"), 3, {add_to("out", 1, i())}));             // 2+5+8
    put(body, loop_from("i", 0, sym("N"), sym("N") - 7, {add_to("out", 2, i())}));  // step 3: 0+3+6+9
    For unrolled = count("i", 5, {add_to("out", 3, i())}, LoopMode::Unroll);
    put(body, unrolled);
    For simd = count("i", sym("N"), {}, LoopMode::Simd);
    put(body, Declare{"total", kInt, ints(0), false});
    simd.reductions.push_back({"total", ReductionType::Sum, 0});
    Update accumulate;
    accumulate.buffer = "total";
    accumulate.op = ReductionType::Sum;
    accumulate.value = i();
    put(simd.body, accumulate);
    put(body, simd);
    put(body, Store{"out", at(4), variable("total", kInt)});
    // while with break and continue
    put(body, Declare{"k", kInt, ints(0), false});
    While loop{binary(BinaryOp::Less, variable("k", kInt), ints(100)), false, {}};
    put(loop.body, Assign{"k", binary(BinaryOp::Add, variable("k", kInt), ints(1))});
    put(loop.body, If{binary(BinaryOp::Equal, variable("k", kInt), ints(3)), {{Continue{}, {}}}, {}});
    put(loop.body, If{binary(BinaryOp::Greater, variable("k", kInt), ints(5)), {{Break{}, {}}}, {}});
    loop.body.push_back(add_to("out", 5, variable("k", kInt)));  // 1+2+4+5
    put(body, loop);
    put(body, While{binary(BinaryOp::Less, variable("k", kInt), ints(0)), true, {add_to("out", 6, ints(1))}});
    // an if-chain inside a collapsed parallel loop
    For outer = count("i", 4, {}, LoopMode::Parallel);
    outer.collapse = 2;
    outer.schedule = OmpSchedule::Dynamic;
    outer.chunk = 2;
    For inner = count("j", 5);
    If chain{binary(BinaryOp::Less, at(sym("j")), ints(2)), {}, {}};
    put(chain.then_body, Store{"out", at(20 + 5 * sym("i") + sym("j")), ints(1)});
    If second{binary(BinaryOp::Equal, at(sym("j")), at(sym("i"))), {}, {}};
    put(second.then_body, Store{"out", at(20 + 5 * sym("i") + sym("j")), ints(2)});
    put(second.else_body, Store{"out", at(20 + 5 * sym("i") + sym("j")), ints(3)});
    put(chain.else_body, second);
    put(inner.body, chain);
    put(outer.body, inner);
    put(body, outer);
    // goto: an irreducible jump into the middle
    put(body, Declare{"round", kInt, ints(0), false});
    put(body, Goto{"middle"});
    put(body, Label{"top"});
    body.push_back(add_to("out", 7, ints(10)));
    put(body, Label{"middle"});
    put(body, Assign{"round", binary(BinaryOp::Add, variable("round", kInt), ints(1))});
    put(body, If{binary(BinaryOp::Less, variable("round", kInt), ints(4)), {{Goto{"top"}, {}}}, {}});
    // a bound that the body moves is taken once
    put(body, Declare{"bound", kInt, ints(4), false});
    For moving = count("i", sym("bound"));
    put(moving.body, Assign{"bound", ints(0)});
    moving.body.push_back(add_to("out", 8, ints(1)));
    put(body, moving);
    put(body, ParallelRegion{2,
                             "thread",
                             "threads",
                             {{Barrier{}, {}},
                              {[&] {
                                   For shared = count("i", 12, {}, LoopMode::Parallel);
                                   Update add = std::get<Update>(add_to("out", 9, at(sym("i"))).node);
                                   add.conflict = Conflict::Atomic;
                                   put(shared.body, add);
                                   return shared;
                               }(),
                               {}}}});
    put(body, Block{"state: end", {{If{binary(BinaryOp::Greater, at(sym("N")), ints(0)), {{Return{}, {}}}, {}}, {}}}});
    put(body, Store{"out", at(0), ints(-1)});

    Compiled compiled(module);
    std::vector<std::int64_t> out(40, 0);
    std::int64_t n = 10;
    ASSERT_EQ(compiled.run({out.data(), &n}), 0);
    EXPECT_EQ(std::vector<std::int64_t>(out.begin(), out.begin() + 10),
              (std::vector<std::int64_t>{25, 15, 18, 10, 45, 12, 1, 30, 4, 66}));
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 5; ++c)
            EXPECT_EQ(out[static_cast<std::size_t>(20 + 5 * r + c)], c < 2 ? 1 : c == r ? 2 : 3) << r << ", " << c;
}

TEST(Statements, MemoryAndCalls) {
    Module module = program("memory", {buffer("out", kDouble), buffer("x", kDouble, false), number("N")});
    module.persistent.push_back({"kept", kDouble, sym("N"), Place::Persistent, 0, true});
    module.constants.push_back({"table", kDouble, {{0.1, 0}, {std::numeric_limits<double>::infinity(), 0}, {-0.0, 0}}, {}, false});
    module.constants.push_back({"seven", kInt, {}, {7}, true});
    module.global_code = "#include <cmath>\nstatic int started = 0;";
    module.init_code = "started = 41;";
    Function twice{"twice", {buffer("to", kDouble), buffer("from", kDouble, false), number("count")}, {}, {}};
    put(twice.body,
        count("i", sym("count"),
              {{Store{"to", at(sym("i")), binary(BinaryOp::Mul, float_value(2), load("from", at(sym("i")), kDouble))}, {}}}));
    module.functions.push_back(twice);
    Body& body = module.program.body;
    const auto copy = [&](const std::string& to, const Expr& offset, const std::string& from, const Expr& start, const Expr& size) {
        put(body, CopyContiguous{address(to, at(offset), kDouble), address(from, at(start), kDouble), size, kDouble});
    };
    put(body, Allocate{"heap", kDouble, sym("N"), Place::Heap, 128, false});
    put(body, Invoke{"twice", {address("heap", at(0), kDouble), address("x", at(0), kDouble), at(sym("N"))}});
    copy("out", 0, "heap", 0, sym("N"));
    put(body, Allocate{"small", kDouble, 4, Place::Stack, 64, true});
    put(body, Store{"small", at(1), load("x", at(1), kDouble)});
    copy("out", 10, "small", 0, 4);
    body.push_back(add_to("kept", 0, float_value(1)));
    copy("out", 20, "kept", 0, 2);
    put(body, Alias{"view", kInt, address("heap", at(0), kDouble), false});
    put(body, Store{"out", at(22), cast(load("view", at(0), kInt), kDouble)});  // the bits of 2*x[0]
    put(body, Alias{"reference", kDouble, address("heap", at(1), kDouble), false});
    put(body, Rebind{"reference", address("small", at(1), kDouble)});
    put(body, Store{"out", at(23), load("reference", at(0), kDouble)});
    for (int k = 0; k < 3; ++k) put(body, Store{"out", at(24 + k), load("table", at(k), kDouble)});
    put(body, Store{"out", at(27), cast(variable("seven", kInt), kDouble)});
    put(body, Verbatim{"out[28] = std::cbrt(27.0) + started;\nout[29] = exp(0.0);"});
    For parallel = count("i", 8, {}, LoopMode::Parallel);
    put(parallel.body, Allocate{"scratch", kDouble, sym("N"), Place::ThreadLocal, 0, true});
    put(parallel.body, Allocate{"private_copy", kDouble, sym("N"), Place::Heap, 0, true});
    parallel.body.push_back(add_to("scratch", 0, cast(at(sym("i")), kDouble)));
    parallel.body.push_back(add_to("private_copy", 0, load("scratch", at(0), kDouble)));
    put(parallel.body, Store{"out", at(30 + sym("i")), load("private_copy", at(0), kDouble)});
    put(body, parallel);
    put(body, ZeroFill{address("out", at(10), kDouble), 1, kDouble});
    const DType four(Scalar::Float64, 4);
    put(body, Store{"out", at(41), binary(BinaryOp::Add, load("x", at(1), four), cast(float_value(0.5), four))});
    put(body, Timed{"all", false, {add_to("out", 45, float_value(1))}});

    Compiled compiled(module);
    std::vector<double> out(50, 0), x{1, 2, 3, 4, 5, 6, 7, 8};
    std::int64_t n = 8, other = 9;
    ASSERT_EQ(compiled.run({out.data(), x.data(), &n}), 0);
    EXPECT_EQ(compiled.run({out.data(), x.data(), &other}), 2) << "sizes differ from init";
    ASSERT_EQ(compiled.run({out.data(), x.data(), &n}), 0);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], 2 * x[i]);
    EXPECT_EQ(out[11], 2);
    EXPECT_EQ(out[13], 0);
    EXPECT_EQ(out[20], 2) << "persistent memory lives from run to run";
    EXPECT_EQ(out[22], static_cast<double>(std::bit_cast<std::int64_t>(2.0)));
    EXPECT_EQ(out[23], 2);
    EXPECT_EQ(out[24], 0.1);
    EXPECT_TRUE(std::isinf(out[25]));
    EXPECT_TRUE(std::signbit(out[26]));
    EXPECT_EQ(out[27], 7);
    EXPECT_EQ(out[28], 44);
    EXPECT_EQ(out[29], 1);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out[30 + i], static_cast<double>(i));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(out[41 + i], x[i + 1] + 0.5);
    const auto profile =
        reinterpret_cast<int (*)(std::int64_t, const char**, std::int64_t*, std::int64_t*)>(compiled.symbol("memory_profile"));
    const char* name = nullptr;
    std::int64_t nanoseconds = 0, calls = 0;
    EXPECT_EQ(profile(0, &name, &nanoseconds, &calls), 0);
    EXPECT_STREQ(name, "all");
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(profile(1, &name, &nanoseconds, &calls), 2);
}

// A variable may have the name of a function of the module or of the runtime.
TEST(Statements, NamesThatHideFunctions) {
    Module module = program("hidden", {buffer("out", kDouble), number("N")});
    Function f{"product", {buffer("to", kDouble)}, {}, {}};
    put(f.body, Store{"to", at(0), call("exp", {float_value(0)}, kDouble)});
    module.functions.push_back(f);
    Body& body = module.program.body;
    for (const char* name : {"exp", "maximum", "Buffer", "outcome", "complex128", "handle_", "status"})
        put(body, Declare{name, kDouble, float_value(2), false});
    put(body, Allocate{"product", kDouble, 1, Place::Heap, 0, false});
    put(body, Invoke{"product", {address("product", at(0), kDouble)}});
    put(body, Store{"out", at(0),
                    call("maximum", {load("product", at(0), kDouble), call("exp", {variable("exp", kDouble)}, kDouble)}, kDouble)});
    const loop::ValuePtr literal =
        binary(BinaryOp::Add, cast(variable("exp", kDouble), Scalar::Complex128), float_value(0, Scalar::Complex128));
    put(body, Store{"out", at(1), call("abs", {literal}, kDouble)});
    Compiled compiled(module);
    std::vector<double> out(2);
    std::int64_t n = 1;
    ASSERT_EQ(compiled.run({out.data(), &n}), 0);
    EXPECT_DOUBLE_EQ(out[0], std::exp(2.0));
    EXPECT_EQ(out[1], 2);
}

/// A library's function that finds no memory in a thread of a team ended the process.
TEST(Statements, NoMemoryInALibraryIsAStatus) {
    Module module = program("sorter", {buffer("out", kDouble), number("N")});
    module.libraries["sorting"] = {{"sluice/sort.h"}, {}};
    For parallel = count("i", 4, {}, LoopMode::Parallel);
    const loop::ValuePtr first = loop::address("out", at(sym("i")), kDouble);
    put(parallel.body, loop::Extern{"sorting", "sluice::sorting::arg_sort", {at(sym("N")), first, ints(1), first, ints(1)}});
    put(module.program.body, parallel);
    Compiled compiled(module);
    std::vector<double> out(4);
    std::int64_t small = 1, enormous = std::int64_t(1) << 58;
    EXPECT_EQ(compiled.run({out.data(), &small}), 0);
    EXPECT_EQ(compiled.run({out.data(), &enormous}), 1);
}

TEST(Statements, NoMemoryIsAStatus) {
    Module module = program("greedy", {buffer("out", kInt), number("N"), number("shared")});
    Body& body = module.program.body;
    const Allocate huge{"huge", kInt, sym("N"), Place::Heap, 0, false};
    For parallel = count("i", 4, {}, LoopMode::Parallel);
    put(parallel.body, huge);
    put(parallel.body, Store{"huge", at(0), at(sym("i"))});
    put(body, If{binary(BinaryOp::NotEqual, at(sym("shared")), ints(0)), {{parallel, {}}}, {{huge, {}}}});
    put(body, Store{"out", at(0), ints(1)});
    Compiled compiled(module);
    std::int64_t out = 0, small = 10, enormous = std::int64_t(1) << 58, negative = -1, no = 0, yes = 1;
    for (std::int64_t* shared : {&no, &yes}) {
        EXPECT_EQ(compiled.run({&out, &enormous, shared}), 1);
        EXPECT_EQ(compiled.run({&out, &negative, shared}), 2);
        EXPECT_EQ(out, 0);
        EXPECT_EQ(compiled.run({&out, &small, shared}), 0);
        EXPECT_EQ(out, 1);
        out = 0;
    }
}

}  // namespace
}  // namespace sluice::codegen
