// What of a graph with device parts lies where it cannot be reached, or is nothing that a kernel holds: text and place.
#include "target/device.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace sluice::target {
namespace {

std::string found_in(const std::string& containers, const std::string& nodes) {
    const Result<ir::Sdfg> sdfg =
        ir::parse_text("sdfg g(A, B) {\n  symbol N: int64\n" + containers + "  state main {\n" + nodes + "  }\n}\n");
    if (!sdfg) return render(sdfg.error());
    std::string all;
    for (const Diagnostic& one : device_violations(*sdfg, "OpenCL")) all += one.code + " " + one.path + ": " + one.message + "\n";
    return all;
}

/// A map over A that writes B.
std::string map_of(const std::string& schedule, const std::string& code) {
    return "    n0 = access A\n    n1 = map_entry work [i=0:N] passing (A) schedule=" + schedule +
           "\n    n2 = tasklet work (a) -> (b) {\n" + code +
           "    }\n    n3 = map_exit n1 passing (B)\n    n4 = access B\n    n0 -> n1.IN_A : A[0:N]\n    n1.OUT_A -> n2.a : A[i]\n"
           "    n2.b -> n3.IN_B : B[i]\n    n3.OUT_B -> n4 : B[0:N]\n";
}
const std::string kThere = "  array A: float64[N] storage=GPU_Global\n  array B: float64[N] storage=GPU_Global\n";
const std::string kHere = "  array A: float64[N]\n  array B: float64[N]\n";
const std::string kDoubled = "      b = 2 * a\n";

TEST(DeviceViolations, EachSideReachesItsOwnMemory) {
    EXPECT_EQ(found_in(kThere, map_of("GPU_Device", kDoubled)), "");
    EXPECT_EQ(found_in(kHere, map_of("Sequential", kDoubled)), "");
    EXPECT_EQ(found_in(kHere, map_of("GPU_Device", kDoubled)),
              "L026 g/main/n2: `work` of a map that the device runs touches `A`, which lies on the host\n"
              "L026 g/main/n2: `work` of a map that the device runs touches `B`, which lies on the host\n");
    EXPECT_EQ(found_in(kThere, map_of("Sequential", kDoubled)),
              "L026 g/main/n2: `work` of the host touches `A`, which lies on the device\n"
              "L026 g/main/n2: `work` of the host touches `B`, which lies on the device\n");
}

TEST(DeviceViolations, WhatNoKernelHolds) {
    EXPECT_EQ(found_in(kThere, map_of("GPU_Device", "      assert a > 0\n      b = a\n")),
              "L025 g/main/n2: a kernel of OpenCL cannot hold the assertion of tasklet `work`\n");
    const std::string half = "  array A: float16[N] storage=GPU_Global\n  array B: float64[N] storage=GPU_Global\n";
    EXPECT_EQ(found_in(half, map_of("GPU_Device", "      b = abs(a)\n")),
              "L025 g/main/n2: a kernel of OpenCL cannot hold `A` of type float16\n");
    EXPECT_EQ(found_in(kThere, map_of("GPU_ThreadBlock", kDoubled)).substr(0, 130),
              "L025 g/main/n1: map `work` has schedule GPU_ThreadBlock, but no block of a GPU_Device map around it\n"
              "L026 g/main/n2: `work` of the ");
}

TEST(DeviceViolations, ConditionsAreTheHosts) {
    const Result<ir::Sdfg> sdfg = ir::parse_text(R"(sdfg g(A) {
  array A: float64[3] storage=GPU_Global
  loop while [`A[0] > 1`] {
    state main {
    }
  }
}
)");
    ASSERT_TRUE(sdfg) << render(sdfg.error());
    const auto found = device_violations(*sdfg, "OpenCL");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].message, "loop `while` reads `A`, which lies on the device");
    EXPECT_FALSE(has_device_parts(*sdfg)) << "an argument that lies there is none";
}

}  // namespace
}  // namespace sluice::target
