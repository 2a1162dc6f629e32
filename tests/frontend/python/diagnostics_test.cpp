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
        {"F001", "def f(A: sluice.float64[N]):\n    try:\n        A[:] = 1\n    except Exception:\n        pass\n", 8, 9,
         "unsupported"},
        {"F001", "def f(A: sluice.float64[N]):\n    for x in 3:\n        A[0] = x\n", 7, 14, "loop over"},
        {"F002", "def f(A: sluice.float64[N]):\n    A[:] = B\n", 7, 12, "B is not known"},
        {"F003", "def f(A):\n    A[:] = 1\n", 6, 7, "A has no type"},
        {"F004", "def f(A: sluice.float64[N], B: sluice.float64[N + 1]):\n    A[:] = A + B\n", 7, 12, "sizes N and N + 1"},
        {"F006", "def f(A: sluice.float64[N]):\n    A[:] = np.linalg.eigvals(A)\n", 7, 12, "np.linalg.eigvals"},
        {"F007", "def f(A: sluice.float64[4]):\n    A[7] = 1\n", 7, 7, "index 7"},
        {"F010", "def f(A: sluice.float64[N], x: sluice.float64):\n    A[x] = 1\n", 7, 7, "integer"},
        {"F001", "def f(A: sluice.float64[N]):\n    s = A[0]\n    for i in sluice.map[0:N]:\n        s = A[i]\n    A[0] = s\n", 9,
         9, "assigns the variable s"},
        {"F005", "def f(A: sluice.float64[N]):\n    for i in range(0, N, 0):\n        A[i] = 1\n", 7, 5, "step 0"},
        {"F008",
         "def f(a: sluice.float64[N], b: sluice.float64[N], c: sluice.float64[N], d: sluice.float64[N]):\n    for i in range(9):\n"
         "        if i > 3:\n            a, b = b, a\n        a, b, c, d = b, c, d, a\n    a[0] = 1\n",
         8, 9, "more than 12 combinations"},
        {"F009", "def f(A: sluice.float64[N], B: sluice.complex128[N]):\n    A[:] = B\n", 7, 5, "complex"},
        {"F012", "def f(A: sluice.float64[N]):\n    with sluice.tasklet:\n        a << A[0]\n        b = a\n", 7, 5, "output"},
        {"F012",
         "def f(A: sluice.float64[N]):\n    S = sluice.define_stream(sluice.float64, 0)\n    @sluice.consume(S, 4, x > 0, 2)\n"
         "    def scope(s, p):\n        a >> A(-1)\n        a = s\n",
         9, 5, "a number of workers and a condition"},
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

TEST(Diagnostics, CallsOfProgramsThatDoNotFit) {
    const std::string head =
        "import sluice\nN = sluice.symbol('N')\n@sluice.program\ndef g(A: sluice.float64[3], b: sluice.float64):\n    A[:] = b\n"
        "@sluice.program\ndef f(A: sluice.float64[4], B: sluice.float64[3, 3], C: sluice.float64[3]):\n    ";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"g(C)", "argument b of g is missing"},   {"g(C, 1.0, 2.0)", "takes at most 2 positional arguments"},
        {"g(A, 1.0)", "has size 4 where 3"},      {"g(B, 1.0)", "number of dimensions"},
        {"g(C, C)", "is a number, not an array"}, {"g(C + 1, 1.0)", "must be a view"},
    };
    for (const auto& [call, says] : cases) {
        const auto programs = find_programs(head + call + "\n", "call.py");
        ASSERT_TRUE(programs.ok()) << call;
        const auto built = build(programs->back());
        ASSERT_FALSE(built.ok()) << call;
        EXPECT_EQ(built.error().code, "F011") << call << ": " << built.error().message;
        EXPECT_NE(built.error().message.find(says), std::string::npos) << built.error().message;
        EXPECT_EQ(built.error().where.line, 8u) << call;
        EXPECT_FALSE(built.error().remedy.empty()) << call;
    }
}

TEST(Diagnostics, ATextWithoutAFunction) {
    const auto program = parse_program("x = 1\n", "none.py", 7, {});
    ASSERT_FALSE(program.ok());
    EXPECT_EQ(program.error().code, "F013");
    EXPECT_EQ(program.error().where.line, 7u);
    EXPECT_FALSE(program.error().remedy.empty());
}

/// Remedies read as the rest of a sentence, `help: use ...`.
TEST(Diagnostics, RemediesBeginWithASmallLetter) {
    const auto programs = find_programs("import sluice\n@sluice.program\ndef f(A):\n    A[:] = 1\n", "small.py");
    const auto built = build(programs->front());
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(built.error().remedy.substr(0, 8), "annotate");
}

}  // namespace
}  // namespace sluice::frontend
