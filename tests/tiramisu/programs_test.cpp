// Programs in Tiramisu's style: what their objects compute, called as its wrappers call them, beside loops written by hand; and
// programs that are refused.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "tiramisu/tiramisu.h"

namespace tiramisu {
namespace {

/// halide_buffer_t of a dense array.
struct Array {
    struct Dimension {
        std::int32_t min, extent, stride;
        std::uint32_t flags;
    };
    struct Raw {
        std::uint64_t device;
        const void* device_interface;
        void* host;
        std::uint64_t flags;
        std::uint8_t code, bits;
        std::uint16_t lanes;
        std::int32_t dimensions;
        Dimension* dim;
        void* padding;
    };
    template <class T> explicit Array(std::vector<T>& data) : dimension{0, static_cast<std::int32_t>(data.size()), 1, 0} {
        raw = {0, nullptr, data.data(), 0, 0, 8 * sizeof(T), 1, 1, &dimension, nullptr};
    }
    Dimension dimension;
    Raw raw;
};

/// The object that the program wrote, loaded.
class Object {
public:
    explicit Object(const std::string& name) : name_(name) {
        folder_ = std::filesystem::temp_directory_path() / (name + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    ~Object() {
        if (library_) dlclose(library_);
        std::filesystem::remove_all(folder_);
    }
    std::string file() const { return folder_ / "object.o"; }

    template <class... Vectors> int operator()(Vectors&... data) {
        const std::string library = folder_ / "object.so";
        if (!library_) {
            const char* compiler = std::getenv("CXX");
            const std::string link = std::string(compiler ? compiler : "c++") + " -shared -fopenmp -o " + library + " " + file();
            EXPECT_EQ(std::system(link.c_str()), 0);
            library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
            EXPECT_TRUE(library_) << dlerror();
        }
        if (!library_) return -1;
        std::vector<Array> arrays;
        arrays.reserve(sizeof...(data));
        (arrays.emplace_back(data), ...);
        for (Array& one : arrays) one.raw.dim = &one.dimension;
        std::vector<void*> raw;
        for (Array& one : arrays) raw.push_back(&one.raw);
        auto* function = reinterpret_cast<int (*)(void**)>(dlsym(library_, (name_ + "_argv").c_str()));
        return function(raw.data());
    }

private:
    std::string name_;
    std::filesystem::path folder_;
    void* library_ = nullptr;
};

using Bytes = std::vector<std::uint8_t>;

template <class T> std::vector<T> pattern(std::size_t size, int step = 7) {
    std::vector<T> made(size);
    for (std::size_t at = 0; at < size; ++at) made[at] = static_cast<T>(at * static_cast<std::size_t>(step) % 101);
    return made;
}

TEST(Tiramisu, TilesOfAConstantAreWritten) {
    Object object("tiles");
    function f("tiles");
    constant N("N", expr(10), p_int32, true, NULL, 0, &f);
    var i("i"), j("j"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
    computation S("[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }", expr(std::uint8_t{250}) + std::uint8_t{9}, true, p_uint8, &f);
    buffer memory("memory", {10, 10}, p_uint8, a_output, &f);
    S.set_access("{ S[i, j] -> memory[i, j] }");
    S.tile(i, j, 3, 4, i0, j0, i1, j1);
    S.tag_parallel_level(i0);
    f.set_arguments({&memory});
    f.gen_time_space_domain();
    f.gen_isl_ast();
    f.gen_halide_stmt();
    f.gen_halide_obj(object.file());
    Bytes data(100, 1);
    ASSERT_EQ(object(data), 0);
    EXPECT_EQ(data, Bytes(100, 3));  // Of eight bits.
}

TEST(Tiramisu, AMatrixProductAddsUpInItsMemory) {
    Object object("product");
    init("product");
    constant N("N", 20);
    var i("i", 0, N), j("j", 0, N), k("k", 0, N), i0("i0"), j0("j0"), i1("i1"), j1("j1");
    input A("A", {"i", "j"}, {N, N}, p_int32), B("B", {"i", "j"}, {N, N}, p_int32);
    computation C_init("C_init", {i, j}, expr(0));
    computation C("C", {i, j, k}, p_int32);
    C.set_expression(C(i, j, k - 1) + A(i, k) * B(k, j));
    C_init.tile(i, j, 8, 8, i0, j0, i1, j1);
    C.tile(i, j, 8, 8, i0, j0, i1, j1);
    C.parallelize(i0);
    C.after(C_init, j1);
    buffer a("a", {N, N}, p_int32, a_input), b("b", {N, N}, p_int32, a_input), c("c", {N, N}, p_int32, a_output);
    A.store_in(&a);
    B.store_in(&b);
    C_init.store_in(&c, {i, j});
    C.store_in(&c, {i, j});
    codegen({&a, &b, &c}, object.file());
    auto left = pattern<std::int32_t>(400, 7), right = pattern<std::int32_t>(400, 11);
    std::vector<std::int32_t> product(400, -1), wanted(400, 0);
    for (int r = 0; r < 20; ++r)
        for (int s = 0; s < 20; ++s)
            for (int t = 0; t < 20; ++t) wanted[r * 20 + s] += left[r * 20 + t] * right[t * 20 + s];
    ASSERT_EQ(object(left, right, product), 0);
    EXPECT_EQ(product, wanted);
}

TEST(Tiramisu, DefinitionsOfOneNameFollowEachOther) {
    Object object("total");
    function f("total");
    constant N("N", expr(30), p_int32, true, nullptr, 0, &f);
    var i("i");
    computation x("[N] -> { x[i] }", expr(), false, p_uint8, &f);
    computation sum("[N] -> { sum[0] }", x(0), true, p_uint8, &f);
    sum.add_definitions("[N] -> { sum[i] : 1 <= i < N }", sum(i - 1) + x(i), true, p_uint8, &f);
    buffer from("from", {30}, p_uint8, a_input, &f), scalar("scalar", {1}, p_uint8, a_output, &f);
    x.set_access("{ x[i] -> from[i] }");
    sum.set_access("{ sum[i] -> scalar[0] }");
    sum.get_update(1).after(sum, computation::root);
    f.codegen({&from, &scalar}, object.file());
    Bytes data = pattern<std::uint8_t>(30), made(1);
    ASSERT_EQ(object(data, made), 0);
    EXPECT_EQ(made[0], std::accumulate(data.begin(), data.end(), std::uint8_t{0}));
}

TEST(Tiramisu, SizesAreReadAtTheCall) {
    Object object("sized");
    init("sized");
    input sizes("sizes", {"s"}, {2}, p_int32);
    constant N("N", sizes(0)), M("M", sizes(1));
    var i("i", 0, N), j("j", 0, M);
    input A("A", {i, j}, p_uint8);
    computation T("T", {i, j}, A(i, j) * 2);
    computation S("S", {i, j}, select(T(i, j) > std::uint8_t{100}, T(i, j), cast(p_uint8, i)));
    T.then(S, j);
    buffer temporary("temporary", {N, M}, p_uint8, a_temporary);
    T.store_in(&temporary);
    codegen({sizes.get_buffer(), A.get_buffer(), S.get_buffer()}, object.file());
    for (const auto& [n, m] : {std::pair{5, 9}, std::pair{8, 3}}) {
        std::vector<std::int32_t> extents{n, m};
        Bytes data = pattern<std::uint8_t>(n * m), made(n * m), wanted(n * m);
        for (int r = 0; r < n; ++r)
            for (int s = 0; s < m; ++s)
                wanted[r * m + s] = 2 * data[r * m + s] > 100 ? 2 * data[r * m + s] : static_cast<std::uint8_t>(r);
        ASSERT_EQ(object(extents, data, made), 0);
        EXPECT_EQ(made, wanted);
    }
    std::vector<std::int32_t> extents{5, 9};
    Bytes data(45), small(44);
    EXPECT_EQ(object(extents, data, small), 1);  // Nothing is written.
    extents = {0, 9};
    EXPECT_EQ(object(extents, data, data), 1);
}

TEST(Tiramisu, ABlurIsComputedWhereItIsRead) {
    Object object("blur");
    init("blur");
    var i("i", 0, 30), j("j", 0, 20), wide("j", 0, 22);
    input x("x", {"i", "j"}, {30, 24}, p_float32);
    computation bx("bx", {i, wide}, x(i, j) + x(i, j + 1) + x(i, j + 2));
    computation by("by", {i, j}, (bx(i, j) + bx(i, j + 2)) / 6.0F);
    bx.compute_at(by, i);
    by.vectorize(j, 4);
    codegen({x.get_buffer(), by.get_buffer()}, object.file());
    auto data = pattern<float>(30 * 24);
    std::vector<float> made(600), wanted(600);
    const auto row = [&](int r, int s) { return data[r * 24 + s] + data[r * 24 + s + 1] + data[r * 24 + s + 2]; };
    for (int r = 0; r < 30; ++r)
        for (int s = 0; s < 20; ++s) wanted[r * 20 + s] = (row(r, s) + row(r, s + 2)) / 6.0F;
    ASSERT_EQ(object(data, made), 0);
    EXPECT_EQ(made, wanted);
}

/// u(i, j) = u(i - 1, j) + u(i, j - 1) in place.
struct InPlace {
    explicit InPlace(const std::string& name) : begun(name) {}
    struct Begun {
        explicit Begun(const std::string& name) { init(name); }
    } begun;
    constant N{"N", 12};
    var i{"i", 1, N - 1}, j{"j", 1, N - 1}, i1{"i1"}, j1{"j1"};
    input A{"A", {i, j}, p_uint8};
    computation u{"u", {i, j}, A(i - 1, j) + A(i, j - 1)};
    buffer memory{"memory", {N, N}, p_uint8, a_output};
    void store() {
        A.store_in(&memory);
        u.store_in(&memory);
    }
};

TEST(Tiramisu, ASkewedWaveIsParallel) {
    Object object("wave");
    InPlace p("wave");
    p.store();
    EXPECT_TRUE(check_legality_of_function());
    EXPECT_FALSE(loop_parallelization_is_legal(p.i, {&p.u}));
    EXPECT_FALSE(loop_parallelization_is_legal(p.j, {&p.u}));
    EXPECT_TRUE(loop_unrolling_is_legal(p.j, {&p.u}));
    const auto [outer, inner, neither] = global::get_implicit_function()->skewing_local_solver({&p.u}, p.i, p.j, 1);
    EXPECT_TRUE(outer.empty());
    ASSERT_FALSE(inner.empty());
    p.u.skew(p.i, p.j, inner[0].first, inner[0].second, p.i1, p.j1);
    EXPECT_TRUE(loop_parallelization_is_legal(p.j1, {&p.u}));
    EXPECT_FALSE(loop_unrolling_is_legal(p.j1, {&p.u}));
    p.u.parallelize(p.j1);
    codegen({&p.memory}, object.file());
    Bytes data = pattern<std::uint8_t>(144), wanted = data;
    for (int r = 1; r < 11; ++r)
        for (int s = 1; s < 11; ++s) wanted[r * 12 + s] = wanted[(r - 1) * 12 + s] + wanted[r * 12 + s - 1];
    ASSERT_EQ(object(data), 0);
    EXPECT_EQ(data, wanted);
}

TEST(Tiramisu, ShiftsThatMakeAFusionLegalAreFound) {
    Object object("fused");
    init("fused");
    constant N("N", 14);
    var i("i", 1, N - 2), j("j", 1, N - 2);
    input A("A", {i, j}, p_uint8);
    computation first("first", {i, j}, A(i - 1, j) + A(i + 1, j) + A(i, j - 1) + A(i, j + 1));
    computation second("second", {i, j}, first(i, j) + 5);
    buffer memory("memory", {N, N}, p_uint8, a_input);
    A.store_in(&memory);
    first.store_in(&memory, {i, j});
    second.store_in(&memory, {i, j});
    first.then(second, j);
    function& f = *global::get_implicit_function();
    EXPECT_FALSE(f.check_legality_of_function());
    for (const auto& [level, by] : f.correcting_loop_fusion_with_shifting({&first}, second, {i, j})) second.shift(level, by);
    EXPECT_TRUE(f.check_legality_of_function());
    codegen({&memory}, object.file());
    Bytes data = pattern<std::uint8_t>(196), wanted = data;
    for (int r = 1; r < 12; ++r)
        for (int s = 1; s < 12; ++s)
            wanted[r * 14 + s] =
                wanted[(r - 1) * 14 + s] + wanted[(r + 1) * 14 + s] + wanted[r * 14 + s - 1] + wanted[r * 14 + s + 1];
    for (int r = 1; r < 12; ++r)
        for (int s = 1; s < 12; ++s) wanted[r * 14 + s] += 5;
    ASSERT_EQ(object(data), 0);
    EXPECT_EQ(data, wanted);
}

TEST(Tiramisu, PredicatesLayoutsAndAllocations) {
    Object object("layouts");
    init("layouts");
    var i("i", 0, 9), j("j", 0, 16), j0("j0"), j1("j1"), renamed("renamed");
    input x("x", {"i", "j"}, {9, 16}, p_int32);
    computation half("half", {i, j}, x(i, j) / 2);
    computation row("row", {i, j}, half(i, j) + cast(p_int32, i));
    computation out("out", {i, j}, row(i, j) * 3);
    half.set_inline();
    // Not affine: memory keeps what it has where it does not hold.
    out.add_predicate((i - 4) * (i - 4) + (j - 8) * (j - 8) <= 20);
    buffer line("line", {16}, p_int32, a_temporary), result("result", {16, 9}, p_int32, a_output);
    row.store_in(&line, {j});
    out.store_in(&result, {j, i});
    computation* place = line.allocate_at(row, i);
    place->then(row, i).then(out, i);
    row.unroll(j, 4, j0, j1);
    out.loop_reversal(j, renamed);
    codegen({x.get_buffer(), &result}, object.file());
    auto data = pattern<std::int32_t>(144);
    std::vector<std::int32_t> made(144, -1), wanted(144, -1);
    for (std::int32_t& value : data) value -= 50;
    for (int r = 0; r < 9; ++r)
        for (int s = 0; s < 16; ++s)
            if ((r - 4) * (r - 4) + (s - 8) * (s - 8) <= 20)
                wanted[s * 9 + r] = (static_cast<int>(std::floor(data[r * 16 + s] / 2.0)) + r) * 3;
    ASSERT_EQ(object(data, made), 0);
    EXPECT_EQ(made, wanted);
}

TEST(Tiramisu, BlocksAndTimesAsMaps) {
    Object object("blocks");
    init("blocks");
    var i("i", 0, 10), j("j", 0, 21), l0("l0"), l1("l1");
    input A({i, j}, p_uint32);
    computation B({i, j}, A(i, j) * 2), C({i, j}, B(i, j) * 3);
    block both({&B, &C});
    both.parallelize(i);
    both.vectorize(j, 4, l0, l1);
    B.then(C, l1);
    computation last("last", {i}, C(i, 20) + 1);
    last.set_low_level_schedule("{ last[i] -> last[0, 0, -i, 0] }");
    C.then(last, computation::root);
    codegen({A.get_buffer(), C.get_buffer(), last.get_buffer()}, object.file());
    auto data = pattern<std::uint32_t>(210);
    std::vector<std::uint32_t> made(210), wanted(210), end(10), wanted_end(10);
    for (int at = 0; at < 210; ++at) wanted[at] = data[at] * 6;
    for (int at = 0; at < 10; ++at) wanted_end[at] = wanted[at * 21 + 20] + 1;
    ASSERT_EQ(object(data, made, end), 0);
    EXPECT_EQ(made, wanted);
    EXPECT_EQ(end, wanted_end);
}

TEST(Tiramisu, UnrolledAndVectorizedLevels) {
    Object object("levels");
    init("levels");
    constant N("N", 10);
    var i("i", 1, N), j("j", 3, N), k("k", 0, 4);
    computation S("S", {i, j}, cast(p_uint8, i * 10 + j));
    computation T("T", {k}, cast(p_uint8, k + 1));
    S.tag_unroll_level(i, 3);
    S.vectorize(j, 4);
    T.tag_vector_level(k, 4);
    buffer memory("memory", {N, N}, p_uint8, a_output);
    S.store_in(&memory, {i, j});
    codegen({&memory, T.get_buffer()}, object.file());
    Bytes data(100, 0), wanted(100, 0), four(4);
    for (int r = 1; r < 10; ++r)
        for (int s = 3; s < 10; ++s) wanted[r * 10 + s] = static_cast<std::uint8_t>(r * 10 + s);
    ASSERT_EQ(object(data, four), 0);
    EXPECT_EQ(data, wanted);
    EXPECT_EQ(four, (Bytes{1, 2, 3, 4}));
}

// ---- refused ----------------------------------------------------------------------------------------------------------------

/// Sums of products on a device, into what the caller has: `copies` says in which order.
template <class Copies>
void product_on_a_device(const std::string& name, const std::string& file, const Copies& copies, bool kernels = true) {
    init(name);
    var i("i", 0, 24), j("j", 0, 40), k("k", 0, 7), i0("i0"), j0("j0"), i1("i1"), j1("j1");
    buffer b_A("b_A", {24, 7}, p_float32, a_input), b_B("b_B", {7, 40}, p_float32, a_input),
        b_C("b_C", {24, 40}, p_float32, a_output);
    input A("A", {i, k}, p_float32), B("B", {k, j}, p_float32);
    computation C("C", {i, j, k}, p_float32);
    C.store_in({i, j}, {24, 40});
    for (const buffer* one : {A.get_buffer(), B.get_buffer(), C.get_buffer()}) const_cast<buffer*>(one)->tag_gpu_global();
    C.set_expression(C(i, j, 0) + A(i, k) * B(k, j));
    computation in_A({}, memcpy(b_A, *A.get_buffer())), in_B({}, memcpy(b_B, *B.get_buffer()));
    computation in_C({}, memcpy(b_C, *C.get_buffer())), out_C({}, memcpy(*C.get_buffer(), b_C));
    C.gpu_tile(i, j, 8, 16, i0, j0, i1, j1);
    copies(in_A, in_B, in_C, C, out_C);
    codegen({&b_A, &b_B, &b_C}, file, kernels);
}
const auto kInOrder = [](auto& a, auto& b, auto& c, auto& product, auto& back) {
    a.then(b, computation::root).then(c, computation::root).then(product, computation::root).then(back, computation::root);
};

TEST(Tiramisu, KernelsOnCopiesOfWhatTheCallerHas) {
    Object object("on_a_device");
    setenv("SLUICE_TARGET_GPU", "opencl", 1);
    product_on_a_device("on_a_device", object.file(), kInOrder);
    unsetenv("SLUICE_TARGET_GPU");
    auto a = pattern<float>(24 * 7), b = pattern<float>(7 * 40, 3), c = pattern<float>(24 * 40, 5), wanted = c;
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 40; ++j)
            for (std::size_t k = 0; k < 7; ++k) wanted[i * 40 + j] += a[i * 7 + k] * b[k * 40 + j];
    using Platforms = int (*)(std::uint32_t, void*, std::uint32_t*);
    void* const driver = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto platforms = driver ? reinterpret_cast<Platforms>(dlsym(driver, "clGetPlatformIDs")) : nullptr;
    std::uint32_t found = 0;
    if (!platforms || platforms(0, nullptr, &found) != 0 || found == 0) GTEST_SKIP() << "OpenCL finds no device here";
    ASSERT_EQ(object(a, b, c), 0);
    EXPECT_EQ(c, wanted);
}

TEST(TiramisuRefused, CopiesThatAreNotAroundAllComputations) {
    const auto refused = [](const auto& copies, const std::string& why, bool kernels = true) {
        EXPECT_EXIT(product_on_a_device("refused", "refused.o", copies, kernels), testing::ExitedWithCode(1), why);
    };
    refused(
        [](auto& a, auto& b, auto& c, auto& product, auto& back) {
            a.then(b, computation::root).then(product, computation::root).then(c, computation::root).then(back, computation::root);
        },
        "M018.*the copy of `b_C` to `C.*does not run behind it");
    refused(
        [](auto& a, auto& b, auto& c, auto& product, auto& back) {
            a.then(b, computation::root).then(c, computation::root).then(back, computation::root).then(product, computation::root);
        },
        "M018.*does not run before it");
    refused(kInOrder, "M018.*not asked for kernels", false);
}

TEST(TiramisuRefused, AnIllegalOrderNamesBothValues) {
    InPlace p("interchanged");
    p.store();
    p.u.loop_reversal(p.i, p.i1);
    EXPECT_FALSE(check_legality_of_function());
    EXPECT_EXIT(codegen({&p.memory}, "refused.o"), testing::ExitedWithCode(1), "M016.*u\\(1, 1\\) before u\\(2, 1\\)");
}
TEST(TiramisuRefused, WhatIsOverwrittenIsNotFound) {
    init("overwritten");
    var i("i", 0, 8);
    computation a("a", {i}, cast(p_uint8, i)), b("b", {i}, a(i) + 1);
    buffer one("one", {1}, p_uint8, a_temporary);
    a.store_in(&one, {0});
    b.after(a, computation::root);
    EXPECT_EXIT(codegen({b.get_buffer()}, "refused.o"), testing::ExitedWithCode(1),
                "M016.*b\\(0\\).*a\\(7\\) stores, and not what a\\(0\\)");
}
TEST(TiramisuRefused, WhatTheCallerKeepsIsTheLastValue) {
    init("kept");
    var i("i", 0, 8), r("r");
    computation a("a", {i}, cast(p_uint8, i));
    buffer one("one", {1}, p_uint8, a_output);
    a.store_in(&one, {0});
    a.loop_reversal(i, r);
    EXPECT_EXIT(codegen({&one}, "refused.o"), testing::ExitedWithCode(1),
                "M016.*`one` would keep what a\\(0\\) stores, and not what a\\(7\\)");
}
TEST(TiramisuRefused, MemoryThatNobodyStoredIn) {
    init("unset");
    var i("i", 0, 8);
    input x({i}, p_uint8);
    computation a("a", {i}, x(i) + 1);
    EXPECT_EXIT(codegen({a.get_buffer()}, "refused.o"), testing::ExitedWithCode(1), "M017.*a\\(0\\) reads");
}
TEST(TiramisuRefused, WhatHasNoObject) {
    init("foreign");
    var i("i", 0, 8);
    computation a("a", {i}, expr(o_call, "of_the_caller", {expr(1)}, p_uint8));
    EXPECT_EXIT(codegen({a.get_buffer()}, "refused.o"), testing::ExitedWithCode(1), "M018.*of_the_caller");
    EXPECT_EXIT(a.tag_distribute_level(i), testing::ExitedWithCode(1), "M018");
    EXPECT_EXIT(a.get_buffer()->tag_gpu_shared(), testing::ExitedWithCode(1), "M018");
}

}  // namespace
}  // namespace tiramisu
