// parse_text(to_text(m)) is m: every statement, every value, every option; and what is no module is refused with its place.
#include "loop/text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::loop {
namespace {

const char* const kEverything = R"(module all
library fftw header "<fftw3.h>"
library openblas header "sluice/blas.h" link "-l:libopenblas.so" link "-Wl,-rpath,/opt/lib"
library sorting header "sluice/sort.h" apart
struct pair (first: int32, second: pointer<float64>)
constant table: int8 integers 1 -2 3
constant large: int8 global integers 4 5
constant roots: complex128 values (1.0, -0.5) nan 2.5e-300
constant limit: float32 scalar values -inf
persistent kept: float64 size {2*N + 1} persistent align 128 zero
global_code "#include <x>\n// \"quoted\" \\ back"
init_code "begin();"
exit_code "end();"
function part(a: buffer float64, b: buffer float32 read aliased, s: stream int32, n: value int64)
  set n = (n + 1)
device here(a: buffer float64 read constant)
  return
device there(a: buffer float64 global, b: buffer float64 read aliased shared)
  store a[0] = b[0]
program all(x: buffer float64, z: buffer complex64, p: buffer struct pair, f: value float32, q: stream int32, N: value int64)
  var i: int64 = 0
  const c: uint8 = 255:uint8
  var t: float64
  set t = ((2.5 * x[{i + 1}]) - -1e-30)
  set t = (x[i] if (i < {N - 1}) else -(t))
  set t = (f as float64)
  set t = sqrt(t)
  set t = floor(f):float64
  set t = nan:float64
  set i = #q[0]
  var ok: bool = ((i <= N) and not ((i == 0)))
  set i = (~(i) << 2)
  var v: vector<float64, 4> = x[i]:vector<float64, 4>
  store z[i] = (1.0, -2.0):complex64
  store x[{x[i]}] = (p[0]).second:float64
  update plain sum x[0] with t
  update atomic max x[i] with (t + 1.0)
  update critical custom t with 2.0 by (old, new_) -> ((old * new_) + 1.0)
  allocate heap: int16 size {M*N} heap
  allocate little: bool size 4 stack align 32 zero
  allocate mine: float64 size N thread_local
  stream w: int32 count 3 capacity {N + 2}
  alias y: float64 = &x[{2*i}] restricted
  alias r: float64
  alias m: int32 = (p[0]).&first:pointer<int32>
  rebind r = &y[1]
  copy {N - 1} float64 &x[0] -> &y[1]
  allocate asked: int64 size 2 stack
  send float64 &x[0] to (i + 1) tag 0 synchronous
  send float64 &x[{N}] over {N - 1}:{2*N}, 4:1 to 1 tag N request &asked[0]
  receive complex64 &z[0] over N:1 from 0 tag 3 request &asked[1]
  wait int64 &asked[0] over 2:1
  collective barrier
  collective broadcast float64 &x[0] over N:1 root 0
  collective broadcast float64 &x[0] root 0 among 0 over 2:1, N:4
  send float64 &x[0] to 1 tag 0 among N over 2:1
  collective all_reduce bitwise_xor int64 &asked[0] -> int64 &asked[1]
  collective gather_blocks float64 &y[0] over N:1 -> float64 &x[0] over {2*N}:1 root (N - 1)
  zero N float64 &x[0]
  for k in 0:N from "all/main/n3"
    if (k < 3) from "all/main/n4"
      continue
    else
      break from "all/main/n5"
    block "of a pass" from ""
      return from "all/main/n3"
  allocate far: float64 size N heap global
  allocate banked: float64 size N heap global bank "HBM[3]"
  allocate taps: float64 size 9 heap constant
  prefetch &x[{i + 8}]
  allocate locked: float64 size N pinned zero
  allocate filed: float64 size N mapped "/tmp/a \"b\""
  event copied
  copy N float64 &locked[0] -> &far[0] queue 1 event copied
  await copied
  grow far size {2*N}
  launch kernel grid {(N + 31)//32}, 1, 1 block 32, N, 1
    allocate tile: float64 size 32 stack zero shared
    axis grid x k in 0:N covered
      invoke there(&far[0], &tile[0])
      var before: float64
      update atomic sum far[0] with 1.0 into before
    axis block z k in 0:N:2
      barrier
    axis thread y k in 0:N
      store far[{k}] = 1.0
  parallel k in {N - 1}:-1:-1 collapse 2 schedule guided chunk 4 threads 3 reduce sum t reduce custom x elements 8
    for l in 0:{min(5, N)}
      block
  simd k in 0:8:2 reduce min t
    store x[k] = 0.0
  unroll k in 0:8 factor 4
    barrier
  while ok
    set ok = 0:bool
  repeat ok
    return
  sections
    section
      push w[1] 7:int32
    section
      var e: int32
      pop w[i] e
  region thread me of all_of_them threads 2
    barrier
  region
    block "a # comment"
      drain w[0] &m[0] most (N - 1)
  consume w[2] parallel pes {2*N} chunk 2 by pe element item: int32 until (item == 9:int32)
    invoke part(&x[0], &y[0]:pointer<float32>, w, N)
  consume w[2] pes 1 chunk 1 element item: int32
    extern openblas "sluice::blas::multiply"(2.0, &x[0], N)
    extern sorting "sluice::sorting::sort"(N, &x[0], 1, &y[0]:pointer<float32>, 1) reads 1
    verbatim "x[0] = 1;\ny();"
    fail "sizes differ"
    fail IndexError "index {} is out of bounds"(1)
  timed "all\n"
    counted "some"
      goto out
  label out
)";

TEST(LoopText, EveryConstructComesBack) {
    const auto module = parse_text(kEverything, "all.loops");
    ASSERT_TRUE(module.ok()) << render(module.error(), kEverything);
    EXPECT_EQ(to_text(*module), kEverything);
    const auto& first = std::get<Declare>(module->program.body[0].node);
    EXPECT_EQ(std::get<IntegerLiteral>(first.value->node).value, 0);
    const auto parallel = std::ranges::find_if(module->program.body, [](const Statement& one) {
        const auto* loop = std::get_if<For>(&one.node);
        return loop && loop->mode == LoopMode::Parallel;
    });
    ASSERT_NE(parallel, module->program.body.end());
    const auto& loop = std::get<For>(parallel->node);
    EXPECT_EQ(loop.mode, LoopMode::Parallel);
    EXPECT_EQ(loop.collapse, 2);
    EXPECT_EQ(loop.schedule, OmpSchedule::Guided);
    ASSERT_EQ(loop.reductions.size(), 2u);
    EXPECT_EQ(loop.reductions[1].elements, 8);
}

TEST(LoopText, EveryRefusalNamesItsPlace) {
    struct Case {
        std::string line, code;
        std::uint32_t column;
    };
    const std::vector<Case> cases{
        {"set i = 1 +", "X001", 13},
        {"frobnicate i", "X003", 3},
        {"var t: flaot64", "X003", 10},
        {"set i = (i ? 2)", "X001", 14},
        {"set i = unknown", "X006", 18},
        {"set i = {1 +}", "X004", 11},
        {"set i = 99999999999999999999", "X008", 31},
        {"verbatim \"x", "X002", 14},
        {"store x[{i] = 0.0", "X002", 11},
        {"update often sum x[0] with 1.0", "X003", 10},
        {"var s: struct none", "X006", 21},
    };
    for (const Case& one : cases) {
        const auto module = parse_text("module m\nprogram m(x: buffer float64, i: value int64)\n  " + one.line + "\n", "m.loops");
        ASSERT_FALSE(module.ok()) << one.line;
        EXPECT_EQ(module.error().code, one.code) << one.line << ": " << module.error().message;
        EXPECT_EQ(module.error().where.line, 3u) << one.line;
        EXPECT_EQ(module.error().where.column, one.column) << one.line << ": " << module.error().message;
        EXPECT_FALSE(module.error().remedy.empty()) << one.line;
    }
    const std::string deep = "module m\nprogram m(i: value int64)\n  set i = " + std::string(5000, '(') + "\n";
    EXPECT_EQ(parse_text(deep).error().code, "X007");
    EXPECT_EQ(parse_text("").error().code, "X001");
    EXPECT_EQ(parse_text("module m\n").error().code, "X001");
}

/// A text cut anywhere is refused or read, and never crashes.
TEST(LoopText, EveryPrefixIsAnswered) {
    const std::string text = kEverything;
    for (std::size_t size = 0; size < text.size(); size += 5) {
        const auto module = parse_text(std::string_view(text).substr(0, size));
        EXPECT_TRUE(module.ok() || module.error().code.starts_with("X")) << size;
    }
}

}  // namespace
}  // namespace sluice::loop
