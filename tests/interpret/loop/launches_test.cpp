// Launches by hand: what they compute, and faults that are planted in them.
#include <algorithm>

#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

struct LaunchArrays {
    std::vector<std::int64_t> x = {1, 2, 3, 4, 5, 6, 7, 8, 9}, y = std::vector<std::int64_t>(9);
    std::int64_t n = 9;
    std::vector<Region> regions() { return {region(x), region(y), region(n)}; }
};

const char* const kLaunchHead = R"(program m(x: buffer int64 read, y: buffer int64, N: value int64)
  allocate gx: int64 size N heap global
  allocate gy: int64 size N heap global
  copy N int64 &x[0] -> &gx[0]
  zero N int64 &gy[0]
)";
const char* const kLaunchTail = "  copy N int64 &gy[0] -> &y[0]\n";

TEST(Launches, AGridCoversWhatItHasTheThreadsFor) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        LaunchArrays arrays;
        expect_clean(std::string(kLaunchHead) + R"(  launch twice grid {int_ceil(N, 4)}, 1, 1 block 4, 1, 1
    axis grid x i in 0:N covered
      store gy[{i}] = (gx[{i}] * 2)
)" + kLaunchTail,
                     arrays.regions(), seed, 2);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{2, 4, 6, 8, 10, 12, 14, 16, 18}));
    }
}

TEST(Launches, FewThreadsTakeTurns) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        LaunchArrays arrays;
        expect_clean(std::string(kLaunchHead) + R"(  launch k grid 2, 1, 1 block 2, 2, 1
    axis block x b in 0:3
      axis thread x i in {3*b}:{3*b + 3}
        axis thread y j in 0:2
          update atomic sum gy[{i}] with (gx[{i}] + {j})
)" + kLaunchTail,
                     arrays.regions(), seed, 2);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{3, 5, 7, 9, 11, 13, 15, 17, 19}));
    }
}

TEST(Launches, TooFewThreadsForWhatIsCoveredAreFound) {
    LaunchArrays arrays;
    expect_found(std::string(kLaunchHead) +
                     "  launch k grid 2, 1, 1 block 4, 1, 1\n    axis grid x i in 0:N covered\n"
                     "      store gy[{i}] = 1\n",
                 "I001", {"fewer units"}, [&] { return arrays.regions(); });
}

TEST(Launches, NothingRunsWithoutBlocks) {
    LaunchArrays arrays;
    expect_clean(std::string(kLaunchHead) +
                     "  launch k grid {N - 9}, 1, 1 block 4, 1, 1\n    axis grid x i in 0:1\n"
                     "      store gy[0] = 1\n" +
                     kLaunchTail,
                 arrays.regions(), 0, 2);
    EXPECT_EQ(arrays.y[0], 0);
}

// Neighbours through shared memory: the barrier orders what a block's threads do.
std::string through_shared(const std::string& between) {
    return std::string(kLaunchHead) + R"(  launch shift grid 3, 1, 1 block 3, 1, 1
    allocate tile: int64 size 3 stack shared
    axis block x b in 0:3
      axis thread x t in 0:3
        store tile[{t}] = gx[{3*b + t}]
)" + between +
           R"(      axis thread x u in 0:3
        store gy[{3*b + u}] = tile[{2 - u}]
)" + between +
           kLaunchTail;
}

TEST(Launches, SharedMemoryIsOfABlock) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        LaunchArrays arrays;
        expect_clean(through_shared("      barrier\n"), arrays.regions(), seed, 2);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{3, 2, 1, 6, 5, 4, 9, 8, 7}));
    }
}

TEST(Launches, ADroppedBarrierIsFound) {
    LaunchArrays arrays;
    expect_found(through_shared(""), "I004", {"`tile`", "store tile[{t}]"}, [&] { return arrays.regions(); });
}

std::string queued(const std::string& before, const std::string& behind) {
    return "program m(x: buffer int64, y: buffer int64, N: value int64)\n  allocate gx: int64 size N heap global\n"
           "  event e\n  copy N int64 &x[0] -> &gx[0] queue 1 event e\n" +
           before + "  launch k grid 3, 1, 1 block 3, 1, 1\n    axis grid x i in 0:N\n      store gx[{i}] = (gx[{i}] + 1)\n" +
           behind + "  copy N int64 &gx[0] -> &y[0]\n";
}

TEST(Launches, AMissingEventIsARace) {
    LaunchArrays arrays;
    expect_found(queued("", "  await e\n"), "I004", {"`gx` is used before the copy to it has ended", "store gx[{i}]", "queue 1"},
                 [&] { return arrays.regions(); });
    expect_found(queued("  store x[{0}] = 7\n  await e\n", ""), "I004", {"`x` is changed before the copy from it has ended"},
                 [&] { return arrays.regions(); });
    const std::string leaves =
        "program m(x: buffer int64, y: buffer int64, N: value int64)\n  allocate gx: int64 size N heap global\n"
        "  event e\n  copy N int64 &x[0] -> &gx[0] queue 1 event e\n";
    expect_found(leaves, "I004", {"nobody waits for the copy with the event `e`"}, [&] { return arrays.regions(); });
}

TEST(Launches, TheEventOrdersIt) {
    LaunchArrays arrays;
    const std::vector<std::int64_t> before = arrays.x;
    expect_clean(queued("  await e\n", "  store x[{0}] = 7\n"), arrays.regions(), 0, 2);
    for (std::size_t at = 0; at < before.size(); ++at) EXPECT_EQ(arrays.y[at], before[at] + 1);
}

TEST(Launches, BlocksThatMeetInAnElementAreFound) {
    LaunchArrays arrays;
    expect_found(std::string(kLaunchHead) +
                     "  launch k grid 3, 1, 1 block 3, 1, 1\n    axis grid x i in 0:N\n"
                     "      store gy[{i // 2}] = gx[{i}]\n" +
                     kLaunchTail,
                 "I004", {"`gy`"}, [&] { return arrays.regions(); });
}

TEST(Launches, FunctionsOfTheDeviceAreCalled) {
    LaunchArrays arrays;
    expect_clean("device add(a: buffer int64 read global, p: buffer int64, i: value int64)\n  store p[0] = (p[0] + a[i])\n" +
                     std::string(kLaunchHead) + R"(  launch k grid 3, 1, 1 block 3, 1, 1
    axis grid x i in 0:N
      allocate own: int64 size 1 stack zero
      invoke add(&gx[0], &own[0], i)
      store gy[{i}] = (own[0] + 1)
)" + kLaunchTail,
                 arrays.regions(), 0, 2);
    EXPECT_EQ(arrays.y[8], 10);
}

/// Threads push what is larger than 4 into a buffer that the host lets grow before.
std::string sift(const std::string& room, const std::string& conflict) {
    return R"(program m(x: buffer int64 read, y: buffer int64, N: value int64)
  allocate gx: int64 size N heap global
  copy N int64 &x[0] -> &gx[0]
  allocate s: int64 size 1 heap global
  allocate held: int64 size 1 heap zero global
)" + room + R"(  launch sift grid {int_ceil(N, 4)}, 1, 1 block 4, 1, 1
    axis grid x i in 0:N covered
      if (gx[{i}] > 4)
        var place: int64
        update )" +
           conflict + R"( sum held[0] with 1 into place
        store s[place] = gx[{i}]
  copy 5 int64 &s[0] -> &y[0]
  grow s size {2*N}
  copy 4 int64 &s[1] -> &y[5]
)";
}

TEST(Launches, ThreadsPushBehindEachOtherAndWhatGrowsKeepsItsElements) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        LaunchArrays arrays;
        expect_clean(sift("  grow s size N\n", "atomic"), arrays.regions(), seed, 2);
        EXPECT_TRUE(std::equal(arrays.y.begin() + 1, arrays.y.begin() + 5, arrays.y.begin() + 5));
        std::sort(arrays.y.begin(), arrays.y.begin() + 5);
        arrays.y.resize(5);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{5, 6, 7, 8, 9}));
    }
}

TEST(Launches, APushThatIsNotAtomicIsFound) {
    LaunchArrays arrays;
    expect_found(sift("  grow s size N\n", "plain"), "I004", {"`held`"}, [&] { return arrays.regions(); });
}

TEST(Launches, TooLittleRoomIsFound) {
    LaunchArrays arrays;
    expect_found(sift("  grow s size 3\n", "atomic"), "I001", {"behind `s`"}, [&] { return arrays.regions(); });
}

}  // namespace
}  // namespace sluice::interpret::loops::test
