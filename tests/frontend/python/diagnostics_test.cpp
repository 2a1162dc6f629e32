// Every refusal names its code, its place and what to do.
#include <gtest/gtest.h>

#include "frontend/python/frontend.h"

namespace sluice::frontend {
namespace {

struct Case {
    std::string code, body;
    std::uint32_t line, column;
    std::string says;
};

TEST(Diagnostics, CodePlaceAndText) {
    const std::string head = "import numpy as np, sluice\n";
    const std::vector<Case> cases{
        {"F001", "def f(A: sluice.float64[N]):\n    try:\n        A[:] = 1\n    except Exception:\n        pass\n", 7, 5,
         "unsupported"},
        {"F001", "def f(A: sluice.float64[N]):\n    for x in A:\n        A[0] = x\n", 7, 14, "loop over"},
        {"F002", "def f(A: sluice.float64[N]):\n    A[:] = B\n", 7, 12, "B is not known"},
        {"F003", "def f(A):\n    A[:] = 1\n", 6, 7, "A has no type"},
        {"F004", "def f(A: sluice.float64[N], B: sluice.float64[M]):\n    A[:] = A + B\n", 7, 12, "sizes N and M"},
        {"F006", "def f(A: sluice.float64[N]):\n    A[:] = np.fft.fft(A)\n", 7, 12, "np.fft.fft"},
        {"F007", "def f(A: sluice.float64[4]):\n    A[7] = 1\n", 7, 7, "index 7"},
        {"F010", "def f(A: sluice.float64[N], x: sluice.float64):\n    A[x] = 1\n", 7, 7, "integer"},
        {"F001", "def f(A: sluice.float64[N]):\n    s = A[0]\n    for i in sluice.map[0:N]:\n        s = A[i]\n    A[0] = s\n", 9,
         9, "assigns the variable s"},
        {"F005", "def f(A: sluice.float64[N]):\n    for i in range(0, N, 0):\n        A[i] = 1\n", 7, 5, "step 0"},
        {"F008", "def f(A: sluice.float64[N]):\n    B = A[1:] + 1\n    for i in range(4):\n        B = A + 1\n    A[1:] = B\n", 9,
         9, "changes its shape"},
        {"F009", "def f(A: sluice.float64[N], B: sluice.complex128[N]):\n    A[:] = B\n", 7, 5, "complex"},
        {"F012", "def f(A: sluice.float64[N]):\n    with sluice.tasklet:\n        a << A[0]\n        b = a\n", 7, 5, "output"},
    };
    for (const Case& one : cases) {
        const auto programs = find_programs(
            "import numpy as np\nimport sluice\nN = sluice.symbol('N')\nM = sluice.symbol('M')\n@sluice.program\n" + one.body,
            "d.py");
        const Diagnostic* error = nullptr;
        std::optional<Result<ir::Sdfg>> built;
        if (!programs.ok()) {
            error = &programs.error();
        } else {
            ASSERT_EQ(programs->size(), 1u) << one.body;
            built.emplace(build(programs->front()));
            ASSERT_FALSE(built->ok()) << one.body;
            error = &built->error();
        }
        EXPECT_EQ(error->code, one.code) << error->message << "\n" << one.body;
        EXPECT_EQ(error->where.line, one.line) << one.body;
        EXPECT_EQ(error->where.column, one.column) << one.body;
        EXPECT_NE(error->message.find(one.says), std::string::npos) << error->message;
        EXPECT_FALSE(error->remedy.empty());
    }
}

}  // namespace
}  // namespace sluice::frontend
