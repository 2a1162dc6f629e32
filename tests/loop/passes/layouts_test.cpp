// Which messages move parts whose layout changes while the program runs.
#include "loop/passes/layouts.h"

#include <gtest/gtest.h>

#include "loop/text.h"
#include "loop/verify.h"

namespace sluice::loop {
namespace {

/// The variables that the warnings name.
std::string warned(const std::string& body, const std::string& functions = "") {
    Result<Module> module =
        parse_text("module m\n" + functions + "program m(x: buffer float64 read, N: value int64, M: value int64)\n" + body);
    if (!module) return render(module.error());
    std::string all;
    for (const std::string& violation : verify(*module)) all += violation + "\n";
    for (const Diagnostic& one : changing_layouts(*module)) {
        EXPECT_EQ(one.code, "L039");
        const std::size_t begin = one.message.find('`') + 1;
        all += one.message.substr(begin, one.message.find('`', begin) - begin) + ";";
    }
    return all;
}

TEST(ChangingLayouts, SizesOfTheProgramStayTheSame) {
    EXPECT_EQ(warned("  for i in 0:N\n    send float64 &x[{i}] over N:{M} to 1 tag 0\n"), "") << "its place changes, and no size";
    EXPECT_EQ(warned("  var half: int64 = {N // 2}\n  send float64 &x[0] over {half}:{M} to 1 tag 0\n"), "");
}

TEST(ChangingLayouts, LoopsChangeTheirs) {
    EXPECT_EQ(warned("  for i in 0:N\n    send float64 &x[{i}] over {N - i}:{M} to 1 tag 0\n"), "i;");
    EXPECT_EQ(warned("  for i in 0:N\n    send float64 &x[{i}] over {N - i}:1 to 1 tag 0\n"), "") << "it has no gaps";
    EXPECT_EQ(warned("  for i in 0:N\n    var k: int64 = {i + 1}\n    send float64 &x[0] over 3:{k} to 1 tag 0\n"), "k;");
    EXPECT_EQ(warned("  var k: int64 = 2\n  while ({k} < N)\n    send float64 &x[0] over 3:{k} to 1 tag 0\n    set k = {2*k}\n"),
              "k;");
}

TEST(ChangingLayouts, FunctionsAreHandedThem) {
    const std::string sends =
        "function f(x: buffer float64 read, n: value int64, k: value int64)\n  send float64 &x[0] over n:k to 1 tag 0\n";
    EXPECT_EQ(warned("  invoke f(&x[0], N, M)\n", sends), "");
    EXPECT_EQ(warned("  for i in 1:N\n    invoke f(&x[0], {i}, M)\n", sends), "n;");
}

}  // namespace
}  // namespace sluice::loop
