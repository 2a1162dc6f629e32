// Names that C++ has taken, in every place where a graph has names: compiled and interpreted.
#include <string>
#include <vector>

#include "loop/identifier.h"
#include "oracle.h"

namespace sluice {
namespace {

using test::Arguments;
using test::graph;
using test::run_both;

struct Named {
    std::string sdfg = "program", x = "x", y = "y", n = "N", scalar = "s", transient = "t", state = "state", map = "map", i = "i",
                tasklet = "tasklet", in = "a", in2 = "b", out = "c", nested = "nested", inner = "inner", inner_in = "p",
                inner_out = "q", inner_scalar = "r";
};

// y = 2 x + exp(0) by a parallel map; then y[0] = exp(y[0] + 1) through a transient and a nested SDFG.
std::string text_of(const Named& named) {
    std::string text = R"(sdfg <SDFG>(<XX>, <YY>) {
  symbol <NN>: int64
  array <XX>: float64[<NN>]
  array <YY>: float64[<NN>]
  transient scalar <SS>: float64
  transient array <TT>: float64[<NN>]
  state <STATE> {
    n0 = map_entry <MAP> [<II>=0:<NN>] passing (<XX>, <SS>) schedule=CPU_Multicore
    n1 = map_exit n0 passing (<YY>)
    n2 = tasklet <TASKLET> (<INONE>, <INTWO>) -> (<OUT>) { <OUT> = <INONE> * 2 + exp(<INTWO>) + <NN> - <NN> }
    n3 = access <XX>
    n6 = access <YY>
    n7 = access <SS>
    n8 = tasklet zero () -> (o) { o = 0.0 }
    n8.o -> n7 : <SS>
    n7 -> n0.IN_<SS> : <SS>
    n0.OUT_<SS> -> n2.<INTWO> : <SS>
    n3 -> n0.IN_<XX> : <XX>[0:<NN>]
    n0.OUT_<XX> -> n2.<INONE> : <XX>[<II>]
    n2.<OUT> -> n1.IN_<YY> : <YY>[<II>]
    n1.OUT_<YY> -> n6 : <YY>[0:<NN>]
  }
  state second {
    n0 = access <YY>
    n1 = access <TT>
    n2 = access <YY>
    n3 = nested <NESTED> (<PP>) -> (<QQ>) sdfg <INNER>(<PP>, <QQ>) {
      array <PP>: float64[2]
      array <QQ>: float64[2]
      transient scalar <RR>: float64
      state only {
        n0 = access <PP>
        n1 = access <QQ>
        n2 = access <RR>
        n3 = tasklet next (p0) -> (p1) { p1 = p0 + 1 }
        n4 = tasklet other (a) -> (b) { b = exp(a) }
        n0 -> n3.p0 : <PP>[0]
        n3.p1 -> n2 : <RR>
        n2 -> n4.a : <RR>
        n4.b -> n1 : <QQ>[0]
      }
    }
    n0 -> n1 : <YY>[0:<NN>] -> [0:<NN>]
    n1 -> n3.<PP> : <TT>[0:2]
    n3.<QQ> -> n2 : <YY>[0:2]
  }
  <STATE> -> second
}
)";
    const auto name = [&](const std::string& word, const std::string& with) {
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + with.size()))
            text.replace(at, word.size(), with);
    };
    name("<SDFG>", named.sdfg), name("<XX>", named.x), name("<YY>", named.y), name("<NN>", named.n), name("<SS>", named.scalar);
    name("<TT>", named.transient), name("<STATE>", named.state), name("<MAP>", named.map), name("<II>", named.i);
    name("<TASKLET>", named.tasklet), name("<INONE>", named.in), name("<INTWO>", named.in2), name("<OUT>", named.out);
    name("<NESTED>", named.nested), name("<INNER>", named.inner), name("<PP>", named.inner_in), name("<QQ>", named.inner_out);
    name("<RR>", named.inner_scalar);
    return text;
}

void compiles(const Named& named) {
    const std::vector<double> x{1, 2, 3}, y{0, 0, 0};
    const Arguments result = run_both(graph(text_of(named)), Arguments().array(named.x, x).array(named.y, y).symbol(named.n, 3));
    EXPECT_EQ(result.values<double>(named.y)[1], 5);
}

TEST(Names, WordsOfTheLanguage) {
    compiles({.sdfg = "int",
              .x = "class",
              .y = "double",
              .n = "operator",
              .scalar = "new",
              .transient = "asm",
              .state = "switch",
              .map = "for_",
              .i = "template",
              .tasklet = "return_",
              .in = "this",
              .in2 = "void",
              .out = "float",
              .nested = "struct",
              .inner = "union",
              .inner_in = "restrict",
              .inner_out = "int",
              .inner_scalar = "double"});
}

TEST(Names, ReservedIdentifiersTypesAndMacros) {
    compiles({.sdfg = "__LINE__",
              .x = "_Bool",
              .y = "int64_t",
              .n = "INT64_MAX",
              .scalar = "NULL",
              .transient = "size_t",
              .state = "main",
              .map = "main",
              .i = "__COUNTER__",
              .tasklet = "main",
              .in = "__FILE__",
              .in2 = "UINT8_C",
              .out = "offsetof",
              .nested = "main",
              .inner = "main",
              .inner_in = "stdin",
              .inner_out = "errno",
              .inner_scalar = "complex128"});
}

TEST(Names, FunctionsOfTheRuntimeAndTheCLibrary) {
    compiles({.sdfg = "malloc",
              .x = "exp",
              .y = "malloc",
              .n = "sqrt",
              .scalar = "max",
              .transient = "memcpy",
              .state = "exp",
              .map = "exp",
              .i = "min",
              .tasklet = "exp",
              .in = "abs",
              .in2 = "vector",
              .out = "Buffer",
              .nested = "exp",
              .inner = "exp",
              .inner_in = "sluice",
              .inner_out = "generated",
              .inner_scalar = "exp"});
}

TEST(Names, OfTheGeneratedUnitItself) {
    compiles({.sdfg = "p",
              .x = "p_run",
              .y = "arguments",
              .n = "place",
              .scalar = "p_init",
              .transient = "handle",
              .state = "p",
              .map = "p",
              .i = "profile",
              .tasklet = "p",
              .in = "outcome",
              .in2 = "std",
              .out = "before",
              .nested = "p",
              .inner = "p",
              .inner_in = "made",
              .inner_out = "status",
              .inner_scalar = "ended"});
    compiles({.sdfg = "p", .x = "made", .y = "p_handle", .n = "status", .inner_in = "x", .inner_out = "y"});
}

TEST(Names, LabelsMayHoldAnything) {
    Named named;
    named.tasklet = R"("a\n#error b\\")", named.nested = R"("\n#error c")", named.map = R"("*/ \\")";
    compiles(named);
}

TEST(Names, ACppTaskletMeansTheWordsOfCpp) {
    const ir::Sdfg sdfg = graph(R"(sdfg words(y) {
  symbol int: int64
  symbol N: int64
  array y: float64[1]
  state only {
    n0 = tasklet sum () -> (out) CPP { int two = 2; out = two + N; }
    n1 = access y
    n0.out -> n1 : y[0]
  }
  state more {
    n0 = tasklet product () -> (out) { out = int * 10 }
    n1 = access y
    n0.out -> n1 : y[0] wcr="lambda a, b: a + b"
  }
  only -> more
}
)");
    double y = 0;
    std::int64_t n = 5, i = 7;
    test::run_program(sdfg, {&y, &n, &i});
    EXPECT_EQ(y, 77);
}

TEST(Names, AnIdentifierIsFreeInCAndCpp) {
    for (const char* taken :
         {"int", "restrict", "static_cast", "_A", "__x__", "INT64_MAX", "UINT_FAST8_WIDTH", "SIZE_MAX", "int8_t", ""})
        EXPECT_FALSE(loop::is_identifier(taken)) << taken;
    for (const char* free : {"_a", "__return", "INT64", "_", "integer", "INT_FAST", "MIN", "N", "exp"})
        EXPECT_TRUE(loop::is_identifier(free)) << free;
    EXPECT_EQ(loop::identifier("int"), "int_");
    EXPECT_EQ(loop::identifier("__LINE__"), "v__LINE__");
    EXPECT_EQ(loop::identifier("2.x"), "v2_x");
}

}  // namespace
}  // namespace sluice
