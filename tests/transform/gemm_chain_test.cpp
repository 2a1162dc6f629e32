// The recipe of examples/gemm makes of a map and a reduction a blocked product with the same result.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "driver/compile.h"
#include "ir/verify.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::test {
namespace {

const std::string kFolder = SLUICE_SOURCE_DIR "/examples/gemm/";

TEST(GemmChain, ComputesTheProduct) {
    const auto programs = driver::read_programs(kFolder + "product.py");
    ASSERT_TRUE(programs) << render(programs.error());
    rewrite::Session session(programs->front(), transform::builtin());
    std::ifstream file(kFolder + "product.recipe");
    std::stringstream recipe;
    recipe << file.rdbuf();
    const auto done = session.replay(recipe.str(), "product.recipe");
    ASSERT_TRUE(done) << render(done.error());
    for (const Diagnostic& problem : ir::verify(session.program())) ADD_FAILURE() << render(problem);

    constexpr std::size_t n = 1024;
    std::vector<double> a(n * n), b(n * n), c(n * n, -1);
    for (std::size_t i = 0; i < n * n; ++i) {
        a[i] = static_cast<double>(i % 7) - 3;
        b[i] = static_cast<double>((i * i) % 5) - 2;
    }
    auto program = driver::compile(session.program());
    ASSERT_TRUE(program) << render(program.error());
    void* arguments[] = {a.data(), b.data(), c.data()};
    ASSERT_TRUE(program->run(arguments));
    for (std::size_t i = 0; i < n; i += 31)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            ASSERT_EQ(c[i * n + j], sum) << i << ", " << j;
        }
}

}  // namespace
}  // namespace sluice::test
