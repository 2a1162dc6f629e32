// Type inference against NumPy's result types, and its diagnostics.
#include "code/infer.h"

#include <gtest/gtest.h>

#include "code/parse.h"
#include "numpy_scalars.h"
#include "numpy_tables.h"

namespace sluice::code {
namespace {

using Names = std::map<std::string, Type>;

TypeEnvironment lookup(const Names& names) {
    return [names](const std::string& name) -> std::optional<Type> {
        const auto found = names.find(name);
        return found == names.end() ? std::nullopt : std::optional(found->second);
    };
}

std::string type_of(const std::string& text, const Names& names = {}) {
    const Result<ExprPtr> e = parse_expr(text, {"t.py"});
    if (!e) return e.error().code;
    const Result<Type> type = infer(**e, lookup(names));
    if (!type) return type.error().code + "@" + std::to_string(type.error().where.column);
    return (type->weak ? "weak " : "") + to_string(type->dtype);
}

std::string expected(char letter) {
    return letter == '-' ? "T002" : std::string(scalar_name(numpy_scalar(letter)));
}

void expect_type(const std::string& text, const Names& names, char letter, const std::string& where) {
    std::string actual = type_of(text, names);
    if (actual.starts_with("T002")) actual = "T002";
    EXPECT_EQ(actual, expected(letter)) << where;
}

Names pair_of(char a, char b) {
    return {{"x", {numpy_scalar(a), false}}, {"y", {numpy_scalar(b), false}}};
}

TEST(InferNumpy, BinaryFunctions) {
    for (const auto& [name, table] : kBinaryResults)
        for (std::size_t a = 0; a < table.size(); ++a)
            for (std::size_t b = 0; b < table.size(); ++b)
                expect_type(std::string(name) + "(x, y)", pair_of(kNumpyTypes[a], kNumpyTypes[b]), table[a][b],
                            std::string(name) + " " + kNumpyTypes[a] + " " + kNumpyTypes[b]);
}

TEST(InferNumpy, UnaryFunctions) {
    for (const auto& [name, row] : kUnaryResults)
        for (std::size_t a = 0; a < row.size(); ++a)
            if (row[a] != '*')
                expect_type(std::string(name) + "(x)", pair_of(kNumpyTypes[a], '?'), row[a],
                            std::string(name) + " " + kNumpyTypes[a]);
}

TEST(InferNumpy, PythonNumbersAreWeak) {
    for (const auto& [name, rows] : kWeakResults)
        for (std::size_t w = 0; w < rows.size(); ++w)
            for (std::size_t a = 0; a < kNumpyTypes.size(); ++a) {
                const std::string call = std::string(name) + "(x, " + std::array{"1", "1.0", "1j"}[w] + ")";
                expect_type(call, pair_of(kNumpyTypes[a], '?'), rows[w][a], call + " " + kNumpyTypes[a]);
            }
}

TEST(InferNumpy, OperatorsAgreeWithTheirFunctions) {
    const std::map<std::string, std::string> operators = {
        {"np.add", "+"},           {"np.subtract", "-"}, {"np.multiply", "*"},    {"np.true_divide", "/"}, {"np.mod", "%"},
        {"np.floor_divide", "//"}, {"np.power", "**"},   {"np.left_shift", "<<"}, {"np.bitwise_and", "&"}, {"np.less", "<"}};
    for (const auto& [name, table] : kBinaryResults) {
        const auto found = operators.find(std::string(name));
        if (found == operators.end()) continue;
        for (std::size_t a = 0; a < table.size(); ++a)
            for (std::size_t b = 0; b < table.size(); ++b)
                expect_type("x " + found->second + " y", pair_of(kNumpyTypes[a], kNumpyTypes[b]), table[a][b], found->second);
    }
}

TEST(Infer, PythonArithmetic) {
    EXPECT_EQ(type_of("1 + True"), "weak int64");
    EXPECT_EQ(type_of("True + True"), "weak int64");
    EXPECT_EQ(type_of("-True"), "weak int64");
    EXPECT_EQ(type_of("1 / 2"), "weak float64");
    EXPECT_EQ(type_of("2 ** -1"), "weak float64");
    EXPECT_EQ(type_of("2 ** 3"), "weak int64");
    EXPECT_EQ(type_of("1 < 2.0"), "weak bool");
    EXPECT_EQ(type_of("3j * 2"), "weak complex128");
    EXPECT_EQ(type_of("math.sqrt(2)"), "weak float64");
    EXPECT_EQ(type_of("np.sqrt(2)"), "float64");
    EXPECT_EQ(type_of("math.pi"), "weak float64");
    EXPECT_EQ(type_of("abs(3j)"), "weak float64");
}

TEST(Infer, Expressions) {
    const Names names = {{"f", {Scalar::Float32, false}},
                         {"i", {Scalar::Int32, false}},
                         {"z", {Scalar::Complex64, false}},
                         {"p", {DType::pointer(Scalar::Float64), false}},
                         {"v", {DType(Scalar::Float32, 4), false}},
                         {"b", {Scalar::BFloat16, false}},
                         {"s", {DType::pointer(DType::structure("pair", {{"a", Scalar::Int8}})), false}},
                         {"cb", {DType::callback({Scalar::Float64}, {Scalar::Int16}), false}}};
    EXPECT_EQ(type_of("f * 2.0 + 1", names), "float32");
    EXPECT_EQ(type_of("f + i", names), "float64");
    EXPECT_EQ(type_of("f[i, 1:i] + f", names), "float32");
    EXPECT_EQ(type_of("p[i]", names), "float64");
    EXPECT_EQ(type_of("p + 1", names), "pointer<float64>");
    EXPECT_EQ(type_of("v * f + 1.5", names), "vector<float32, 4>");
    EXPECT_EQ(type_of("v < f", names), "vector<bool, 4>");
    EXPECT_EQ(type_of("b + 1.0", names), "bfloat16");
    EXPECT_EQ(type_of("b + f", names), "float32");
    EXPECT_EQ(type_of("z.real + f", names), "float32");
    EXPECT_EQ(type_of("np.angle(z)", names), "float32");
    EXPECT_EQ(type_of("z.conj()", names), "complex64");
    EXPECT_EQ(type_of("f.astype(np.int8)", names), "int8");
    EXPECT_EQ(type_of("s.a", names), "int8");
    EXPECT_EQ(type_of("cb(1.0)", names), "int16");
    EXPECT_EQ(type_of("f if i else i", names), "float64");
    EXPECT_EQ(type_of("f and not i", names), "bool");
    EXPECT_EQ(type_of("i is None", names), "bool");
    EXPECT_EQ(type_of("dace.float64(f)", names), "float64");
    EXPECT_EQ(type_of("sluice.float32(1)", names), "float32");
    EXPECT_EQ(type_of("int(f)", names), "weak int64");
    EXPECT_EQ(type_of("-inf", names), "weak float64");
    EXPECT_EQ(type_of("f + nan", names), "float32");
    EXPECT_EQ(type_of("dace.float32('inf')", names), "float32");
    EXPECT_EQ(type_of("float('-inf')", names), "weak float64");
    EXPECT_EQ(type_of("complex(1, f)", names), "weak complex128");
    EXPECT_EQ(type_of("max(i, 1, f)", names), "float64");
    EXPECT_EQ(type_of("min(f, 2)", names), "float32");
    EXPECT_EQ(type_of("where(i < 1, f, 0)", names), "float32");
    EXPECT_EQ(type_of("np.clip(i, 0, 9)", names), "int32");
    EXPECT_EQ(type_of("np.where(True, 1, 2.0)", names), "float64");
    EXPECT_EQ(type_of("len(f) == 0", names), "weak bool");
    EXPECT_EQ(type_of("~i", names), "int32");
    EXPECT_EQ(type_of("[1, f]", names), "float32");
}

TEST(Infer, Diagnostics) {
    const Names names = {{"f", {Scalar::Float32, false}},
                         {"q", {Scalar::Bool, false}},
                         {"v", {DType(Scalar::Int8, 4), false}},
                         {"w", {DType(Scalar::Int8, 2), false}},
                         {"o", {DType::opaque("MPI_Comm"), false}}};
    EXPECT_EQ(type_of("f + unknown", names), "T001@5");
    EXPECT_EQ(type_of("f[unknown]", names), "T001@3");
    EXPECT_EQ(type_of("1 + (f & 1)", names), "T002@6");
    EXPECT_EQ(type_of("q - q", names), "T002@1");
    EXPECT_EQ(type_of("-q", names), "T002@1");
    EXPECT_EQ(type_of("~f", names), "T002@1");
    EXPECT_EQ(type_of("v + w", names), "T002@1");
    EXPECT_EQ(type_of("o * 2", names), "T002@1");
    EXPECT_EQ(type_of("o < 2", names), "T002@1");
    EXPECT_EQ(type_of("sqrt(o)", names), "T002@1");
    EXPECT_EQ(type_of("f.nothing", names), "T002@1");
    EXPECT_EQ(type_of("(1, 2)", names), "T002@1");
    EXPECT_EQ(type_of("lambda: 1", names), "T002@1");
    EXPECT_EQ(type_of("[]", names), "T002@1");
    EXPECT_EQ(type_of("frobnicate(f)", names), "T003@1");
    EXPECT_EQ(type_of("np.min(f, f)", names), "T003@1");
    EXPECT_EQ(type_of("f + sqrt(f, f)", names), "T004@5");
    EXPECT_EQ(type_of("min(f)", names), "T004@1");
    EXPECT_EQ(type_of("np.sqrt(f, out=f)", names), "T004@16");
    EXPECT_EQ(type_of("float()", names), "T004@1");
    const Result<Type> unknown = infer(**parse_expr("\n 1 + nobody", {"t.py", 10}), lookup({}));
    ASSERT_FALSE(unknown);
    EXPECT_EQ(render(unknown.error()),
              "t.py:11:6: error T001: `nobody` is not defined here\n"
              "help: assign it first, or add a connector or symbol of that name\n");
}

std::string locals_of(const std::string& text, const Names& names) {
    const Result<Body> body = parse_body(text);
    if (!body) return render(body.error());
    const auto types = infer_locals(*body, lookup(names));
    if (!types) return types.error().code;
    std::string all;
    for (const auto& [name, type] : *types) all += name + ":" + (type.weak ? "weak " : "") + to_string(type.dtype) + " ";
    return all;
}

TEST(InferLocals, PromoteOverAllAssignments) {
    const Names names = {{"x", {Scalar::Float32, false}}, {"out", {Scalar::Float32, false}}, {"n", {Scalar::Int32, false}}};
    EXPECT_EQ(locals_of("a = x * 2\nout = a", names), "a:float32 ");
    EXPECT_EQ(locals_of("s = 0\nfor i in range(n):\n    s = s + x\nout = s", names), "i:weak int64 s:float32 ");
    EXPECT_EQ(locals_of("s = 0\nt = 0\nfor i in range(n):\n    t = s\n    s += x", names), "i:weak int64 s:float32 t:float32 ");
    EXPECT_EQ(locals_of("a, (b, c) = x, (1, n)", names), "a:float32 b:weak int64 c:int32 ");
    EXPECT_EQ(locals_of("if x > 1:\n    a = 1\nelif x > 0:\n    a = n\nelse:\n    a = True", names), "a:int32 ");
    EXPECT_EQ(locals_of("a: dace.float64 = 1\nb: int\nout[n] = a", names), "a:float64 b:int64 ");
    EXPECT_EQ(locals_of("a = b = np.float64(1)\nwhile a < 3: a += 1", names), "a:float64 b:float64 ");
    EXPECT_EQ(locals_of("for i, j in dace.map[0:n, 0:n]:\n    k = i + j", names), "i:weak int64 j:weak int64 k:weak int64 ");
    EXPECT_EQ(locals_of("a += 1", names), "T001");
    EXPECT_EQ(locals_of("a = 'text'\na = 1", names), "T002");
    EXPECT_EQ(locals_of("a, b = x", names), "T002");
}

TEST(Functions, NamesAndSynonyms) {
    for (const char* name : {"sqrt", "math.sqrt", "np.sqrt", "numpy.sqrt", "dace.math.sqrt"}) {
        ASSERT_NE(find_function(name), nullptr) << name;
        EXPECT_EQ(find_function(name)->name, "sqrt");
        EXPECT_EQ(find_function(name)->arity, 1);
    }
    EXPECT_EQ(find_function("fabs")->name, "abs");
    EXPECT_EQ(find_function("np.arctan2")->name, "atan2");
    EXPECT_EQ(find_function("pow")->name, "power");
    EXPECT_EQ(find_function("max")->name, "maximum");
    EXPECT_EQ(find_function("other.sqrt"), nullptr);
    EXPECT_EQ(find_function("np.max"), nullptr);
    EXPECT_EQ(find_function("math.remainder"), nullptr);
    EXPECT_EQ(cast_target("np.int32"), DType(Scalar::Int32));
    EXPECT_EQ(cast_target("dace.bool_"), DType(Scalar::Bool));
    EXPECT_EQ(cast_target("float"), DType(Scalar::Float64));
    EXPECT_EQ(cast_target("np.double"), DType(Scalar::Float64));
    EXPECT_FALSE(cast_target("void"));
    EXPECT_FALSE(cast_target("np.sqrt"));
    EXPECT_FALSE(cast_target("math.float32"));
    EXPECT_TRUE(named_constant("np.inf") && !named_constant("pi") && !named_constant("x.pi"));
}

}  // namespace
}  // namespace sluice::code
