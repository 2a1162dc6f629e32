// Launches and copies on queues of their own: what runs beside what, and events that are left out.
#include <random>

#include "loop/passes/queues.h"
#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

struct ThreeArrays {
    std::vector<std::int64_t> x = {1, 2, 3, 4}, y = {5, 6, 7, 8}, z = {9, 10, 11, 12};
    std::int64_t n = 4;
    std::vector<Region> regions() { return {region(x), region(y), region(z), region(n)}; }
};

const char* const kHead = R"(program m(x: buffer int64, y: buffer int64, z: buffer int64, N: value int64)
  allocate gx: int64 size N heap global
  allocate gy: int64 size N heap global
  allocate gz: int64 size N heap global
  zero N int64 &gx[0]
  zero N int64 &gy[0]
  zero N int64 &gz[0]
)";

std::string launch(const std::string& name, const std::string& to, const std::string& value, const std::string& queued = "") {
    return "  launch " + name + " grid 2, 1, 1 block 2, 1, 1" + queued + "\n    axis grid x i in 0:N\n      store " + to +
           "[{i}] = " + value + "\n";
}

void found(const std::string& body, const std::vector<std::string>& pieces) {
    ThreeArrays arrays;
    expect_found(kHead + body, "I004", pieces, [&] { return arrays.regions(); });
}

TEST(DeviceQueues, ALaunchThatNobodyWaitsForMeetsWhatComesBehind) {
    const std::string writes = "  event e\n" + launch("k", "gx", "{i}", " queue 1 event e");
    found(writes + "  copy N int64 &gx[0] -> &x[0]\n  await e\n",
          {"`gx` is used before the launch of `k` that writes it has ended", "wait for the event `e` first", "store gx[{i}]"});
    found(writes + launch("l", "gy", "gx[{i}]") + "  await e\n", {"`gx` is used before the launch of `k`"});
    found("  event e\n" + launch("k", "gy", "gx[{i}]", " queue 1 event e") + "  zero N int64 &gx[0]\n  await e\n",
          {"`gx` is changed before the launch of `k` that reads it has ended"});
    found(writes, {"nobody waits for the launch of `k` with the event `e`"});
    found("  event e\n  copy N int64 &gx[0] -> &x[0] queue 1 event e\n  store y[0] = x[1]\n  await e\n",
          {"`x` is used before the copy to it has ended"});
}

TEST(DeviceQueues, TwoQueuesMeetAndOneIsInOrder) {
    const auto both = [](const std::string& queue) {
        return "  event e\n  event f\n" + launch("k", "gx", "{i + 1}", " queue 1 event e") +
               launch("l", "gy", "(gx[{i}] * 2)", " queue " + queue + " event f") + "  await f\n  await e\n" +
               "  copy N int64 &gy[0] -> &y[0]\n";
    };
    found(both("2"), {"`gx`", "before the launch of `k` that writes it has ended"});
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        ThreeArrays arrays;
        expect_clean(kHead + both("1"), arrays.regions(), seed, 2);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{2, 4, 6, 8}));
    }
}

TEST(DeviceQueues, VariablesAreTakenWhereALaunchBegins) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        ThreeArrays arrays;
        expect_clean(kHead + ("  event e\n  var a: int64 = 3\n" + launch("k", "gx", "a", " queue 1 event e") +
                              "  set a = 4\n  await e\n  copy N int64 &gx[0] -> &x[0]\n"),
                     arrays.regions(), seed, 2);
        EXPECT_EQ(arrays.x, (std::vector<std::int64_t>(4, 3)));
    }
}

/// Copies, launches and stores in any order.
std::string straight_code(std::mt19937& random) {
    const auto letter = [&] { return std::string(1, "xyz"[random() % 3]); };
    std::string body;
    for (int at = 0; at < 12; ++at) {
        const std::string one = letter(), other = letter();
        switch (random() % 5) {
            case 0:
                body += "  copy N int64 &" + one + "[0] -> &g" + one + "[0]\n";
                break;
            case 1:
                body += "  copy N int64 &g" + one + "[0] -> &" + other + "[0]\n";
                break;
            case 2:
                body += "  store " + one + "[1] = (" + other + "[2] + 1)\n";
                break;
            default:
                body += launch("k" + std::to_string(at), "g" + one, "(g" + other + "[{i}] + " + std::to_string(at) + ")");
        }
    }
    return body;
}

TEST(DeviceQueues, WhatThePassOverlapsIsInOrderAndNoEventIsTooMuch) {
    std::mt19937 random(3);
    std::size_t left_out = 0;
    for (int program = 0; program < 150; ++program) {
        const std::string text = kHead + straight_code(random);
        ThreeArrays expected;
        expect_clean(text, expected.regions(), 0, 2);
        loop::Module module = module_of(text);
        loop::overlap_on_device(module);
        for (const std::string& violation : loop::verify(module)) ADD_FAILURE() << violation;
        const auto run_once = [](const loop::Module& one, ThreeArrays& arrays, std::uint64_t seed) {
            Options options;
            options.seed = seed;
            return interpret(one, {arrays.regions()}, options);
        };
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            ThreeArrays arrays;
            const Result<Report> report = run_once(module, arrays, seed);
            ASSERT_TRUE(report) << render(report.error()) << loop::to_text(module);
            for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding) << loop::to_text(module);
            EXPECT_TRUE(arrays.x == expected.x && arrays.y == expected.y && arrays.z == expected.z) << loop::to_text(module);
        }
        for (std::size_t at = 0; at < module.program.body.size(); ++at) {
            if (!std::holds_alternative<loop::Await>(module.program.body[at].node)) continue;
            loop::Module without = module;
            without.program.body.erase(without.program.body.begin() + static_cast<std::ptrdiff_t>(at));
            ThreeArrays arrays;
            const Result<Report> report = run_once(without, arrays, 1);
            ASSERT_TRUE(report) << render(report.error());
            EXPECT_FALSE(report->findings.empty()) << loop::to_text(without);
            ++left_out;
        }
    }
    EXPECT_GT(left_out, 100u);
}

}  // namespace
}  // namespace sluice::interpret::loops::test
