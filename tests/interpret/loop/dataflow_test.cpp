// Processing elements by hand: what they compute in every order, and deadlocks that are planted, told as a cycle of waits.
#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

struct ChainArrays {
    std::vector<std::int64_t> x = {1, 2, 3, 4, 5, 6, 7}, y = std::vector<std::int64_t>(7);
    std::int64_t n = 7;
    std::vector<Region> regions() { return {region(x), region(y), region(n)}; }
};

/// x is read by one element, doubled by another, and written by a third.
std::string chain(const std::string& streams, const std::string& elements) {
    return "program m(x: buffer int64 read, y: buffer int64, N: value int64)\n"
           "  allocate gx: int64 size N heap global\n  allocate gy: int64 size N heap global\n"
           "  copy N int64 &x[0] -> &gx[0]\n  zero N int64 &gy[0]\n  dataflow k\n" +
           streams + "    sections\n" + elements + "  copy N int64 &gy[0] -> &y[0]\n";
}
const std::string kReader = "      section reader\n        pipeline i in 0:N interval 1\n          push s[0] gx[{i}]\n";
const std::string kDoubler =
    "      section doubler\n        pipeline i in 0:N interval 1\n          var v: int64\n          pop s[0] v\n"
    "          push t[0] (v * 2)\n";
const std::string kWriter =
    "      section writer\n        pipeline i in 0:N interval 1\n          var v: int64\n          pop t[0] v\n"
    "          store gy[{i}] = v\n";
const std::string kStreams = "    stream s: int64 count 1 capacity 1\n    stream t: int64 count 1 capacity 2\n";

TEST(Dataflow, ElementsRunAtTheSameTime) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        ChainArrays arrays;
        expect_clean(chain(kStreams, kReader + kDoubler + kWriter), arrays.regions(), seed, 2);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{2, 4, 6, 8, 10, 12, 14}));
    }
}

TEST(Dataflow, AQueueThatIsTooShortIsACycleOfWaits) {
    // The doubler takes everything before it gives anything back.
    const std::string all_first =
        "      section asker\n        pipeline i in 0:N interval 1\n          push s[0] gx[{i}]\n"
        "        pipeline j in 0:N interval 1\n          var v: int64\n          pop t[0] v\n          store gy[{j}] = v\n";
    ChainArrays arrays;
    expect_found(chain(kStreams, all_first + kDoubler), "I005",
                 {"processing elements wait for each other: ", "`asker` waits for room in `s`, which `doubler` empties",
                  "`doubler` waits for room in `t`, which `asker` empties", "push s[0]"},
                 [&] { return arrays.regions(); });
    const std::string roomy = "    stream s: int64 count 1 capacity 7\n    stream t: int64 count 1 capacity 7\n";
    expect_clean(chain(roomy, all_first + kDoubler), arrays.regions(), 3, 2);
}

TEST(Dataflow, AnElementThatHasEndedFillsNothing) {
    const std::string greedy =
        "      section writer\n        pipeline i in 0:{N + 1} interval 1\n          var v: int64\n          pop t[0] v\n"
        "          store gy[0] = v\n";
    ChainArrays arrays;
    expect_found(chain(kStreams, kReader + kDoubler + greedy), "I005",
                 {"waits for one that has ended: `writer` waits for an element of `t`, which `doubler` fills"},
                 [&] { return arrays.regions(); });
}

}  // namespace
}  // namespace sluice::interpret::loops::test
