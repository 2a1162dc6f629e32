// The C++ text of random integer expressions, compiled with the runtime header and run, gives the values of evaluate().
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "symbolic/assumptions.h"

namespace sluice::symbolic {
namespace {

Expr random_expression(std::mt19937& random, int depth) {
    if (depth == 0)
        return random() % 3 == 0 ? Expr(static_cast<std::int64_t>(random() % 9) - 4)
                                 : symbol(std::string(1, static_cast<char>('a' + random() % 3)));
    const Expr a = random_expression(random, depth - 1), b = random_expression(random, depth - 1);
    const Expr divisor = static_cast<std::int64_t>(random() % 5) + 1;
    switch (random() % 10) {
        case 0:
            return floor_divide(a, divisor);
        case 1:
            return modulo(a, divisor);
        case 2:
            return a - b;
        case 3:
            return a * b;
        case 4:
            return minimum(a, b);
        case 5:
            return maximum(a, b);
        case 6:
            return select(less_equal(a, b), a, b);
        case 7:
            return a * (a + 1) * Expr(rational(1, 2));
        case 8:
            return call("abs", {a});
        default:
            return a + b;
    }
}

TEST(CppText, ComputesTheSameValues) {
    std::mt19937 random(5);
    Assumptions assumptions;
    assumptions.assume_any("c");
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("sluice_cpp_text_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream source(folder / "check.cpp");
    source << "#include \"" << SLUICE_SOURCE_DIR << "/src/runtime/integer.h\"\nint64_t a, b, c;\nstatic int bad = 0;\n"
           << "static void same(long id, int64_t x, int64_t y) { if (x != y) { __builtin_printf(\"%ld: %ld is not %ld\\n\", id, x, "
              "y); bad = 1; } }\n"
           << "int main() {\n";
    for (int id = 0; id < 60; ++id) {
        const Expr e = random_expression(random, 3);
        for (int point = 0; point < 4; ++point) {
            const std::map<std::string, std::int64_t> values = {{"a", 1 + static_cast<std::int64_t>(random() % 20)},
                                                                {"b", 1 + static_cast<std::int64_t>(random() % 20)},
                                                                {"c", static_cast<std::int64_t>(random() % 21) - 10}};
            const auto value = evaluate(e, values);
            if (!value.ok()) continue;
            if (point == 0) source << "// " << to_string(e) << "\n";
            source << "a = " << values.at("a") << "; b = " << values.at("b") << "; c = " << values.at("c") << "; same(" << id
                   << ", " << to_cpp(e, assumptions) << ", " << *value << ");\n";
        }
    }
    source << "return bad; }\n";
    source.close();
    const char* compiler = std::getenv("CXX");
    const std::string program = (folder / "check").string();
    const std::string command =
        std::string(compiler ? compiler : "c++") + " -std=c++20 -O0 " + program + ".cpp -o " + program + " && " + program;
    EXPECT_EQ(std::system(command.c_str()), 0) << "see " << program << ".cpp";
    if (!HasFailure()) std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sluice::symbolic
