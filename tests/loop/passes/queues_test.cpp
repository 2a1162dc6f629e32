// Which launches and copies get a queue of their own, and where somebody waits for them.
#include "loop/passes/queues.h"

#include <gtest/gtest.h>

#include "loop/text.h"
#include "loop/verify.h"

namespace sluice::loop {
namespace {

const char* const kHead = R"(module m
library apart
program m(x: buffer int64 PARAMETER, y: buffer int64, N: value int64)
  allocate gx: int64 size N heap global
  allocate gy: int64 size N heap global
)";

std::string overlapped(const std::string& body, const std::string& parameter = "read") {
    std::string head = kHead;
    head.replace(head.find("PARAMETER"), 9, parameter);
    Result<Module> module = parse_text(head + body);
    if (!module) return render(module.error());
    overlap_on_device(*module);
    std::string text = to_text(*module);
    text.erase(0, text.find("  allocate gy"));
    text.erase(0, text.find('\n') + 1);
    for (const std::string& violation : verify(*module)) text += "\n" + violation;
    return text;
}

const std::string kUse = "  launch l grid 1, 1, 1 block 1, 1, 1\n    store gx[0] = gy[0]\n";
const std::string kOther = "  launch k grid 1, 1, 1 block 1, 1, 1\n    store gy[0] = 1\n";
const std::string kCopy = "copy N int64 &x[0] -> &gx[0]", kQueued = kCopy + " queue 1 event gx_copied\n";

TEST(Queues, ACopyRunsBesideWhatDoesNotNeedIt) {
    EXPECT_EQ(overlapped("  " + kCopy + "\n" + kOther + kUse),
              "  event gx_copied\n  " + kQueued + kOther + "  await gx_copied\n" + kUse);
}

TEST(Queues, LaunchesRunBesideEachOtherAndCopiesBack) {
    const std::string k = "  launch k grid 1, 1, 1 block 1, 1, 1", l = "  launch l grid 1, 1, 1 block 1, 1, 1";
    EXPECT_EQ(overlapped(k + "\n    store gx[0] = 1\n" + l +
                             "\n    store gy[0] = 2\n  copy N int64 &gx[0] -> &x[0]\n"
                             "  copy N int64 &gy[0] -> &y[0]\n",
                         ""),
              "  event k_done\n" + k + " queue 1 event k_done\n    store gx[0] = 1\n  event l_done\n" + l +
                  " queue 2 event l_done\n    store gy[0] = 2\n  event x_copied\n"
                  "  copy N int64 &gx[0] -> &x[0] queue 1 event x_copied\n  await l_done\n  copy N int64 &gy[0] -> &y[0]\n"
                  "  await x_copied\n");
}

TEST(Queues, AcrossBlocksAndToTheEnd) {
    EXPECT_EQ(overlapped("  block \"in\"\n    " + kCopy + "\n  block \"main\"\n  " + kOther.substr(0, kOther.find('\n')) +
                         "\n      store gy[0] = 1\n"),
              "  event gx_copied\n  block \"in\"\n    " + kQueued +
                  "  block \"main\"\n    launch k grid 1, 1, 1 block 1, 1, 1\n      store gy[0] = 1\n  await gx_copied\n");
}

TEST(Queues, StayWhereNothingRunsBesideThem) {
    const auto stays = [](const std::string& body, const std::string& parameter = "read") {
        EXPECT_EQ(overlapped(body, parameter), body);
    };
    stays("  " + kCopy + "\n" + kUse + kOther);
    stays("  " + kCopy + "\n  store y[0] = 1\n" + kUse);
    stays("  " + kCopy + "\n" + kOther + kUse, "read aliased");
    stays("  for i in 0:3\n    " + kCopy + "\n" + kOther + kUse);
    stays("  alias z: int64 = &x[0]\n  " + kCopy + "\n" + kOther + kUse);
    stays("  alias z: int64 = &gx[0]\n  launch k grid 1, 1, 1 block 1, 1, 1\n    store z[0] = 1\n" + kUse);
    stays("  " + kCopy + "\n  timed \"k\"\n    " + kOther.substr(2, kOther.find('\n') - 1) + "      store gy[0] = 1\n" + kUse);
}

TEST(Queues, SomebodyWaitsBeforeTheSourceChanges) {
    const auto waits = [](const std::string& change) {
        EXPECT_EQ(overlapped("  " + kCopy + "\n" + kOther + change, ""),
                  "  event gx_copied\n  " + kQueued + kOther + "  await gx_copied\n" + change);
    };
    waits("  store x[0] = 2\n");
    waits("  extern apart \"sorted\"(&x[0], N)\n");
    const std::string leave = "  if (N < 3)\n    return\n";
    EXPECT_EQ(overlapped("  " + kCopy + "\n" + kOther + leave),
              "  event gx_copied\n  " + kQueued + kOther + "  await gx_copied\n" + leave);
}

}  // namespace
}  // namespace sluice::loop
