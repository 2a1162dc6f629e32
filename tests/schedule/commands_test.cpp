// Every command of the table in docs/schedule.md: a schedule in which it is legal, run by the interpreter beside the algorithm's
// values, and one in which it is refused, with its witness.
#include <gtest/gtest.h>

#include <functional>
#include <regex>

#include "interpret/interpret.h"
#include "schedule/schedule.h"

namespace sluice::schedule {
namespace {

/// a = 2 x + 1; c, of a column and the next one of a; r, along a diagonal; s, sums of rows of c.
struct CommandProgram {
    Function f{"commands"};
    std::vector<Var> square{{"i", "0", "N"}, {"j", "0", "N"}};
    Computation a, c;
    std::optional<Computation> r, s, total, d;

    CommandProgram() : a(declare()), c(f.computation("c", square, "a[i, j] + a[i + 1, j]")) {}
    Computation& diagonal() {
        r = f.computation("r", square, "0.0");
        return r->set_expression("x[i, j] if i == 0 or j == N - 1 else r[i - 1, j + 1] + x[i, j]");
    }
    Computation& sums() {
        s = f.computation("s", {{"i", "0", "N"}}, "0.0");
        total = f.update("total", square, *s, {"i"}, "+", "c[i, j]");
        return *total;
    }
    Computation& on_two_ranks() { return *(d = f.computation("d", {{"p", "0", "2"}, {"j", "0", "N"}}, "x[p, j]")); }
    std::vector<Computation> outputs() const {
        std::vector<Computation> all{c};
        for (const auto& one : {r, s, d})
            if (one) all.push_back(*one);
        return all;
    }

private:
    Computation declare() {
        f.constant("N");
        f.input("x", {"N + 1", "N"});
        return f.computation("a", {{"i", "0", "N + 1"}, {"j", "0", "N"}}, "2.0 * x[i, j] + 1.0");
    }
};

constexpr double kNobody = -7.0;

void expect_values(const CommandProgram& p, const ir::Sdfg& graph, std::int64_t n, std::uint64_t seed) {
    const auto at = [&](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * n + j); };
    std::vector<double> x(at(n + 1, 0)), c(at(n, 0), kNobody), r = c, s(static_cast<std::size_t>(n), kNobody), d(at(2, 0), kNobody);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<double>(k * k % 13) - 5;
    std::vector<double> wanted_c = c, wanted_r = c, wanted_s(s.size(), 0), wanted_d = d;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            wanted_c[at(i, j)] = 2 * x[at(i, j)] + 2 * x[at(i + 1, j)] + 2;
            wanted_r[at(i, j)] = x[at(i, j)] + (i == 0 || j == n - 1 ? 0 : wanted_r[at(i - 1, j + 1)]);
            wanted_s[static_cast<std::size_t>(i)] += wanted_c[at(i, j)];
            if (i == 1) wanted_d[at(1, j)] = x[at(1, j)];
        }
    // The rank is the second of two.
    interpret::Arguments arguments{.memory = {{"x", x.data()}}, .symbols = {{"N", n}, {"comm_place", 2}, {"comm_size", 2}}};
    std::erase_if(arguments.symbols, [&](const auto& symbol) { return !graph.symbols.contains(symbol.first); });
    for (auto& [name, memory] : std::map<std::string, double*>{{"c", c.data()}, {"r", r.data()}, {"s", s.data()}, {"d", d.data()}})
        if (graph.containers.contains(name) && !graph.containers.at(name).transient) arguments.memory[name] = memory;
    const auto report = interpret::interpret(graph, arguments, {.seed = seed});
    ASSERT_TRUE(report.ok()) << render(report.error());
    for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
    EXPECT_EQ(c, wanted_c) << "c, N = " << n;
    if (p.r) {
        EXPECT_EQ(r, wanted_r) << "r, N = " << n;
    }
    if (p.s) {
        EXPECT_EQ(s, wanted_s) << "s, N = " << n;
    }
    if (p.d) {
        EXPECT_EQ(d, wanted_d) << "d, N = " << n;
    }
}

struct Refusal {
    std::function<void(CommandProgram&)> commands;
    std::string code, words;  ///< A regular expression.
};
struct Case {
    std::string command;
    std::function<void(CommandProgram&)> legal;
    Refusal illegal;
};
using P = CommandProgram;

const char* const kDiagonal = R"(does not run r\(\d+, \d+\) before r\(\d+, \d+\))";

std::vector<Case> loops() {
    return {
        {"tile",
         [](P& p) { p.c.tile("i", "j", 2, 3, "i0", "j0", "i1", "j1"); },
         {[](P& p) { p.diagonal().tile("i", "j", 2, 2, "i0", "j0", "i1", "j1"); }, "M005", kDiagonal}},
        {"interchange",
         [](P& p) { p.sums().interchange("i", "j"); },
         {[](P& p) { p.diagonal().interchange("i", "j"); }, "M005", kDiagonal}},
        {"shift",
         [](P& p) { p.c.shift("i", 1).after(p.a, "i"); },
         {[](P& p) { p.c.shift("i", 1).after(p.a, "i"), p.a.shift("i", 1); }, "M005",
          R"(does not run a\(1, 0\) before c\(0, 0\))"}},
        {"split",
         [](P& p) { p.diagonal().split("j", 3, "j0", "j1"); },
         {[](P& p) { p.diagonal().split("i", 2, "i0", "i1").interchange("i1", "j"); }, "M005", kDiagonal}},
        {"skew",
         [](P& p) { p.diagonal().skew("i", "j", 1, "i", "k").tile("i", "k", 2, 2, "i0", "k0", "i1", "k1"); },
         {[](P& p) { p.diagonal().skew("i", "j", -1, "i", "k").interchange("i", "k"); }, "M005", kDiagonal}},
        {"transform",
         [](P& p) {
             p.diagonal().transform("i", "j", {1, 0, 1, 1}, "i", "k").tile("i", "k", 2, 2, "i0", "k0", "i1", "k1");
         },
         {[](P& p) {
              p.diagonal().transform("i", "j", {0, 1, 1, 0}, "j", "i");
          },
          "M005", kDiagonal}},
        {"transform, one by one",
         [](P& p) {
             p.c.transform("i", "j", {2, 1, 1, 1}, "k", "l");
         },
         {[](P& p) {
              p.c.transform("i", "j", {2, 0, 0, 1}, "i", "j");
          },
          "M004", "maps iterations to no iterations one by one"}},
        {"unroll_level",
         [](P& p) { p.c.split("j", 2, "j0", "j1").unroll_level("j1"); },
         {[](P& p) { p.c.unroll_level("j"); }, "M004", "`j` of `c` has no constant number of iterations"}},
        {"vectorize_level",
         [](P& p) { p.c.split("j", 4, "j0", "j1").vectorize_level("j1", 4); },
         {[](P& p) { p.diagonal().split("i", 2, "i0", "i1").vectorize_level("i1"); }, "M005", "`i1` of `r` is not parallel"}},
        {"reverse",
         [](P& p) { p.diagonal().reverse("j", "k"); },
         {[](P& p) { p.diagonal().reverse("i", "k"); }, "M005", kDiagonal}},
        {"set_schedule",
         [](P& p) { p.c.set_schedule("{ c[i, j] -> [i + j, -j] }"); },
         {[](P& p) { p.diagonal().set_schedule("{ r[i, j] -> [j, i] }"); }, "M005", kDiagonal}},
        {"set_schedule, injective",
         [](P& p) { p.c.set_schedule("[N] -> { c[i, j] -> [N - j, i] }"); },
         {[](P& p) { p.c.set_schedule("{ c[i, j] -> [i + j] }"); }, "M004",
          "does not give each instance of `c` a time of its own"}},
        {"unroll",
         [](P& p) { p.c.unroll("j", 2), p.sums().unroll("j", 3); },
         {[](P& p) { p.c.unroll("j", 0); }, "M004", "a tile of 0 iterations"}},
        {"vectorize",
         [](P& p) { p.c.vectorize("j", 4), p.diagonal().vectorize("j", 2); },
         {[](P& p) { p.diagonal().vectorize("i", 2); }, "M005", R"(`i_inner` of `r` is not parallel: r\(\d+, \d+\) comes before)"}},
        {"parallelize",
         [](P& p) { p.c.parallelize("i"), p.diagonal().parallelize("j"); },
         {[](P& p) { p.diagonal().parallelize("i"); }, "M005", R"(`i` of `r` is not parallel: r\(\d+, \d+\) comes before)"}},
    };
}

std::vector<Case> places() {
    return {
        {"after",
         [](P& p) { p.c.after(p.a, kRoot), p.diagonal().after(p.c, "j"); },
         {[](P& p) { p.c.after(p.a, "j"); }, "M005", R"(does not run a\(1, 0\) before c\(0, 0\))"}},
        {"before",
         [](P& p) { p.c.before(p.diagonal(), "i"); },
         {[](P& p) { p.c.before(p.a, kRoot); }, "M005", R"(does not run a\(0, 0\) before c\(0, 0\))"}},
        {"then",
         [](P& p) { p.a.then(p.c, kRoot).then(p.diagonal(), "j"); },
         {[](P& p) { p.c.then(p.a, "i"); }, "M005", R"(does not run a\()"}},
        {"between",
         [](P& p) { p.diagonal().between(p.a, "i", p.c, kRoot); },
         {[](P& p) { p.diagonal().between(p.a, "j", p.c, "j"); }, "M005", R"(does not run a\(1, 0\) before c\(0, 0\))"}},
        {"compute_at",
         [](P& p) { p.c.tile("i", "j", 2, 2, "i0", "j0", "i1", "j1"), p.a.compute_at(p.c, "j0"); },
         {[](P& p) { p.a.compute_at(p.diagonal(), "i"); }, "M004", "`c` reads it and does not run in these loops of `r`"}},
        {"store_at",
         [](P& p) { p.a.compute_at(p.c, "j").store_at(p.c, "i"); },
         {[](P& p) { p.a.compute_at(p.c, "i").store_at(p.c, "j"); }, "M004", "is not computed in the loop `j` of `c`"}},
        {"inline",
         [](P& p) { p.a.inline_into_readers(); },
         {[](P& p) { p.c.inline_into_readers(); }, "M004", "`c` cannot be inlined: it is an output"}},
        {"infer_bounds",
         [](P& p) {
             p.d = p.f.computation("small", {{"i", "0", "1"}, {"j", "0", "1"}}, "x[i, j]"), p.d->infer_bounds(), p.d.reset();
         },
         {[](P& p) { p.f.computation("e", p.square, "x[i, j]", "i < j").infer_bounds(); }, "M004", "not given by bounds alone"}},
        {"set_expression",
         [](P& p) { p.c.set_expression("a[i + 1, j] + a[i, j]"); },
         {[](P& p) { p.c.set_expression("a[i + 2, j]"); }, "M003", R"(c\(\d+, 0\) reads a\(\d+, 0\))"}},
        {"add_predicate",
         [](P& p) { p.diagonal().add_predicate("i >= 0"); },
         {[](P& p) { p.a.add_predicate("i % 2 == 0"); }, "M003",
          R"(c\(\d, 0\) reads a\(1, 0\), which lies outside of the domain)"}},
    };
}

std::vector<Case> memory() {
    return {
        {"store_in",
         [](P& p) {
             p.a.store_in(std::vector<std::string>{"i % 2", "j"}), p.c.shift("i", 1).after(p.a, "i");
         },
         {[](P& p) {
              p.a.store_in(std::vector<std::string>{"0", "j"}), p.c.shift("i", 1).after(p.a, "i");
          },
          "M006", R"(a\(1, 0\) stores in `a` over a value that c\(0, 0\) still reads)"}},
        {"Buffer",
         [](P& p) {
             p.f.buffer("b", {"2", "N"}), p.a.store_in("b", {"i % 2", "j"}), p.c.shift("i", 1).after(p.a, "i");
         },
         {[](P& p) {
              p.f.buffer("b", {"N", "N"}), p.a.store_in("b");
          },
          "M006", R"(a\(1, 0\) is stored at b\[1, 0\], outside of its extents)"}},
        {"set_size",
         [](P& p) {
             p.a.buffer().set_size({"N + 5", "N + 1"});
         },
         {[](P& p) {
              p.a.buffer().set_size({"N", "N"});
          },
          "M006", R"(a\(\d+, 0\) )"}},
        {"buffer",
         [](P& p) { EXPECT_EQ(p.a.buffer().name(), "a"); },
         {[](P& p) { p.a.store_in("nowhere"); }, "M001", "there is no buffer `nowhere`"}},
        {"allocate_at",
         [](P& p) {
             p.sums(), p.diagonal().after(p.c, "i"), p.d = p.f.computation("e", p.square, "x[i, j]"), p.d->after(p.c, "i"),
                                                     p.d->buffer().allocate_at(p.c, "i"), p.d.reset();
         },
         {[](P& p) { p.c.shift("i", 1).after(p.a, "i"), p.a.buffer().allocate_at(p.c, "i"); }, "M006", "whose memory is gone"}},
        {"copy_at",
         [](P& p) { p.a.copy_at(p.c, "i"); },
         {[](P& p) { p.a.copy_at(p.diagonal(), "i"); }, "M004", "`r` does not read `a`"}},
        {"cache_local_at",
         [](P& p) { p.a.cache_local_at(p.c, "j"), p.f.cache_at("x", p.a, "i", ir::Storage::Register); },
         {[](P& p) { p.c.cache_local_at(p.a, "i"); }, "M004", "`a` does not read `c`"}},
        {"cache_shared_at",
         [](P& p) {
             p.c.gpu({"i", "j"}), p.a.gpu({"i", "j"});
             p.f.cache_at("x", p.a, "i", ir::Storage::GPU_Shared);
         },
         {[](P& p) { p.a.cache_shared_at(p.c, "i"); }, "M010", "is tagged as memory of a block, and is allocated once"}},
    };
}

std::vector<Case> devices() {
    const auto both = [](P& p) { p.a.gpu({"i", "j"}), p.c.tile_gpu("i", "j", 2, 2, "i0", "j0", "i1", "j1"); };
    const auto tagged = [](ir::Storage storage) { return [storage](P& p) { p.a.buffer().tag_gpu(storage); }; };
    return {
        {"gpu",
         [](P& p) {
             p.a.gpu({"i", "j"}), p.c.gpu({"i", "j"});
         },
         {[](P& p) {
              p.diagonal().gpu({"i", "j"});
          },
          "M005", "`i` of `r` is not parallel"}},
        {"tile_gpu",
         both,
         {[](P& p) { p.diagonal().tile_gpu("i", "j", 2, 2, "i0", "j0", "i1", "j1"); }, "M005", R"(r\(\d+, \d+\) before r\()"}},
        {"tag_gpu_global",
         [=](P& p) { both(p), p.a.buffer().tag_gpu(ir::Storage::GPU_Global); },
         {[](P& p) {
              p.c.tile_gpu("i", "j", 2, 2, "i0", "j0", "i1", "j1"), p.a.compute_at(p.c, "j0");
              p.a.buffer().tag_gpu(ir::Storage::GPU_Global);
          },
          "M010", "`a` is tagged as memory of the device, and is allocated by blocks"}},
        {"tag_gpu_shared",
         [](P& p) {
             p.c.tile_gpu("i", "j", 2, 2, "i0", "j0", "i1", "j1"), p.a.compute_at(p.c, "j0");
             p.a.buffer().tag_gpu(ir::Storage::GPU_Shared);
         },
         {tagged(ir::Storage::GPU_Shared), "M010", "`a` is tagged as memory of a block, and is allocated once"}},
        {"tag_gpu_local",
         [](P& p) {
             p.c.tile_gpu("i", "j", 2, 2, "i0", "j0", "i1", "j1"), p.a.compute_at(p.c, "j1");
             p.a.buffer().tag_gpu(ir::Storage::Register);
         },
         {tagged(ir::Storage::Register), "M010", "`a` is tagged as memory of a thread, and is allocated once"}},
        {"host_to_device",
         [=](P& p) { both(p), p.f.host_to_device("x"), p.c.device_to_host(); },
         {[=](P& p) { both(p), p.f.host_to_device("x"); }, "M010", "`c`.*no device_to_host"}},
        {"device_to_host",
         [=](P& p) { both(p), p.c.device_to_host(), p.f.host_to_device("x"); },
         {[=](P& p) { both(p), p.c.device_to_host(); }, "M010", "kernels read `x`, and no host_to_device says so"}},
    };
}

/// Messages and barriers mean nothing on one rank: message_programs_test.cpp of interpret/loop and test_schedule_ranks.py run them.
std::vector<Case> ranks() {
    return {
        {"distribute",
         [](P& p) { p.on_two_ranks().distribute("p"); },
         {[](P& p) {
              p.on_two_ranks().distribute("p");
              p.f.computation("e", {{"p", "0", "2"}, {"j", "0", "N"}}, "d[1 - p, j]").distribute("p");
          },
          "M003", R"(e\(0, 0\) reads d\(1, 0\), which another rank computes, and no message brings it)"}},
        {"barrier_at", [](P&) {}, {[](P& p) { p.f.barrier_at(p.c, "i"); }, "M004", "ranks would meet in a loop of `c`"}},
        {"send",
         [](P&) {},
         {[](P& p) {
              Operation sent = p.f.send({"q", "1", "2"}, "d[q, 0]", "N", "q - 1", Delivery::Synchronous);
              p.f.computation("e", {{"j", "0", "N"}}, "x[0, j]");
              sent.distribute("q").after(p.c);
          },
          "M001", "`d` is no computation and no input"}},
        {"receive",
         [](P&) {},
         {[](P& p) {
              p.on_two_ranks().distribute("p");
              Operation sent = p.f.send({"q", "1", "2"}, "d[q, 0]", "N", "q - 1", Delivery::Synchronous);
              Operation got = p.f.receive({"g", "0", "1"}, "d[g, 0]", "N", "g + 1", Delivery::Synchronous, sent);
              sent.distribute("q").after(*p.d), got.distribute("g").after(sent);
          },
          "M003", R"(receive\(0\) receives other points than are sent to it: d\([01], 0\))"}},
    };
}

class Commands : public testing::TestWithParam<std::vector<Case> (*)()> {};

TEST_P(Commands, AreCarriedOutOrRefused) {
    for (const Case& one : GetParam()()) {
        SCOPED_TRACE(one.command);
        CommandProgram legal;
        one.legal(legal);
        const Result<ir::Sdfg> graph = legal.f.build(legal.outputs(), {.suggest = false});
        ASSERT_TRUE(graph.ok()) << render(graph.error());
        for (const std::int64_t n : {2, 5})
            for (const std::uint64_t seed : {0, 3}) expect_values(legal, *graph, n, seed);

        CommandProgram illegal;
        const Result<ir::Sdfg> refused = capture([&] {
            one.illegal.commands(illegal);
            Result<ir::Sdfg> made = illegal.f.build(illegal.outputs(), {.suggest = false});
            if (!made.ok()) fail(made.error());
            return *made;
        });
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, one.illegal.code) << refused.error().message;
        EXPECT_TRUE(std::regex_search(refused.error().message, std::regex(one.illegal.words))) << refused.error().message;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, Commands, testing::Values(&loops, &places, &memory, &devices, &ranks));

}  // namespace
}  // namespace sluice::schedule
