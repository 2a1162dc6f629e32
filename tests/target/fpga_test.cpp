// Which states are kernels of an FPGA, and what of them it cannot hold: text and place.
#include "target/fpga.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace sluice::target {
namespace {

std::string found_on_fpga(const std::string& containers, const std::string& nodes) {
    const Result<ir::Sdfg> sdfg =
        ir::parse_text("sdfg g() {\n  symbol N: int64\n" + containers + "  state main {\n" + nodes + "  }\n}\n");
    if (!sdfg) return render(sdfg.error());
    std::string all;
    for (const Diagnostic& one : fpga_violations(*sdfg, "an FPGA")) all += one.code + " " + one.path + ": " + one.message + "\n";
    return all;
}
/// A map over A that writes B.
std::string fpga_map_of(const std::string& code) {
    return "    n0 = access A\n    n1 = map_entry work [i=0:N] passing (A) schedule=FPGA_Device\n    n2 = tasklet work (a) -> (b) "
           "{\n" +
           code +
           "    }\n    n3 = map_exit n1 passing (B)\n    n4 = access B\n    n0 -> n1.IN_A : A[0:N]\n    n1.OUT_A -> n2.a : A[i]\n"
           "    n2.b -> n3.IN_B : B[i]\n    n3.OUT_B -> n4 : B[0:N]\n";
}
const std::string kFpgaDoubled = "      b = 2 * a\n";
const std::string kFpgaThere =
    "  transient array A: float64[N] storage=FPGA_Global\n  transient array B: float64[N] storage=FPGA_Global\n";

TEST(FpgaViolations, AStateWhoseMemoryIsAllThereIsAKernel) {
    EXPECT_EQ(found_on_fpga(kFpgaThere, fpga_map_of(kFpgaDoubled)), "");
    EXPECT_EQ(found_on_fpga("  transient array A: float64[N]\n  transient array B: float64[N] storage=FPGA_Global\n",
                            fpga_map_of(kFpgaDoubled)),
              "L026 g/main/n1: map `work` is for the FPGA, but its state is no kernel: `A` lies on the host\n"
              "L026 g/main/n2: `work` of the host touches `B`, which lies on the FPGA; `A` lies on the host\n"
              "L026 g/main/n3: `work[i=0:N]` of the host touches `B`, which lies on the FPGA; `A` lies on the host\n");
}

TEST(FpgaViolations, WhatNoKernelHolds) {
    EXPECT_EQ(found_on_fpga(kFpgaThere, fpga_map_of("      assert a > 0\n      b = a\n")),
              "L030 g/main/n2: a kernel of an FPGA cannot hold the assertion of tasklet `work`\n");
    EXPECT_EQ(found_on_fpga(
                  "  transient array A: complex128[N] storage=FPGA_Global\n  transient array B: float64[N] storage=FPGA_Global\n",
                  fpga_map_of("      b = a.real\n")),
              "L030 g/A: a kernel of an FPGA cannot hold `A` of type complex128\n");
    EXPECT_EQ(found_on_fpga("  array A: float64[N] storage=FPGA_Global\n  transient array B: float64[N] storage=FPGA_Global\n",
                            fpga_map_of(kFpgaDoubled)),
              "L030 g/A: `A` is an argument and lies on the FPGA\n");
}

TEST(FpgaViolations, AStreamHasABoundAndLiesOnTheChip) {
    const std::string pushes =
        "    n0 = access A\n    n1 = map_entry work [i=0:N] passing (A) schedule=FPGA_Device\n    n2 = tasklet work (a) -> (b) { b "
        "= a }\n"
        "    n3 = map_exit n1 passing (S)\n    n4 = access S\n    n0 -> n1.IN_A : A[0:N]\n    n1.OUT_A -> n2.a : A[i]\n"
        "    n2.b -> n3.IN_S : S[0]\n    n3.OUT_S -> n4 : S[0] volume=N\n";
    const std::string array = "  transient array A: float64[N] storage=FPGA_Global\n";
    EXPECT_EQ(found_on_fpga(array + "  transient stream S: float64 buffer_size=4 storage=FPGA_Local\n", pushes), "");
    EXPECT_EQ(found_on_fpga(array + "  transient stream S: float64 storage=FPGA_Local\n", pushes),
              "L030 g/S: stream `S` on the FPGA has no bound\n");
    EXPECT_EQ(found_on_fpga(array + "  transient stream S: float64 buffer_size=4 storage=FPGA_Global\n", pushes),
              "L030 g/S: stream `S` lies off the chip\n");
}

}  // namespace
}  // namespace sluice::target
