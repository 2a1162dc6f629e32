// Element types: promotion against NumPy's own table, names and sizes.
#include "code/dtype.h"

#include <gtest/gtest.h>

#include "numpy_scalars.h"
#include "numpy_tables.h"

namespace sluice::code {
namespace {

TEST(Promote, AgreesWithNumpyOnEveryPair) {
    for (std::size_t a = 0; a < kNumpyTypes.size(); ++a)
        for (std::size_t b = 0; b < kNumpyTypes.size(); ++b)
            EXPECT_EQ(promote(DType(numpy_scalar(kNumpyTypes[a])), DType(numpy_scalar(kNumpyTypes[b]))),
                      DType(numpy_scalar(kPromoteTypes[a][b])))
                << kNumpyTypes[a] << " " << kNumpyTypes[b];
}

TEST(Promote, TypesUnknownToNumpyCountAsFloat32) {
    for (const Scalar narrow : {Scalar::BFloat16, Scalar::Float8E4M3, Scalar::Float8E5M2}) {
        EXPECT_EQ(promote(DType(narrow), DType(narrow)), DType(narrow));
        for (const char other : kNumpyTypes)
            EXPECT_EQ(promote(DType(numpy_scalar(other)), DType(narrow)),
                      promote(DType(numpy_scalar(other)), DType(Scalar::Float32)));
    }
    EXPECT_EQ(promote(DType(Scalar::BFloat16), DType(Scalar::Float8E5M2)), DType(Scalar::Float32));
}

TEST(Promote, Vectors) {
    EXPECT_EQ(promote(DType(Scalar::Float32, 4), DType(Scalar::Int64)), DType(Scalar::Float64, 4));
    EXPECT_TRUE(promote(DType(Scalar::Float32, 4), DType(Scalar::Float32, 8)).is_void());
    EXPECT_TRUE(promote(DType::opaque("MPI_Comm"), DType(Scalar::Int32)).is_void());
    EXPECT_TRUE(promote(DType(Scalar::String), DType(Scalar::Int32)).is_void());
    EXPECT_EQ(promote(DType::opaque("MPI_Comm"), DType::opaque("MPI_Comm")), DType::opaque("MPI_Comm"));
}

TEST(DTypeNames, RoundTrip) {
    std::vector<DType> types = {DType(Scalar::Float32, 4), DType::pointer(Scalar::Int32), DType::pointer(DType::pointer(DType())),
                                DType::opaque("MPI_Comm"), DType::pointer(DType(Scalar::Float64, 2))};
    for (int s = 0; s <= static_cast<int>(Scalar::String); ++s) types.emplace_back(static_cast<Scalar>(s));
    for (const DType& type : types) EXPECT_EQ(parse_dtype(to_string(type)), type) << to_string(type);
    EXPECT_EQ(to_string(types[0]), "vector<float32, 4>");
    EXPECT_EQ(to_string(types[1]), "pointer<int32>");
    EXPECT_EQ(parse_dtype("bool_"), DType(Scalar::Bool));
    EXPECT_EQ(parse_dtype("int"), DType(Scalar::Int64));
    EXPECT_EQ(parse_dtype("float"), DType(Scalar::Float64));
    EXPECT_EQ(to_string(DType::structure("pair", {})), "struct pair");
    EXPECT_EQ(to_string(DType::callback({Scalar::Float64, Scalar::Int32}, {Scalar::Float64})),
              "callback<(float64, int32) -> (float64)>");
    for (const char* wrong : {"", "double", "float128", "vector<float32>", "vector<float32, 0>", "vector<float32, x>", "pointer<",
                              "vector<,4>", "pointer<wat>", "vector<vector<int8, 2>, 2>"})
        EXPECT_FALSE(parse_dtype(wrong)) << wrong;
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "pointer<";
    EXPECT_FALSE(parse_dtype(deep + "int8" + std::string(100000, '>')));
}

TEST(DTypeSizes, AsInC) {
    struct Pair {
        std::int32_t a;
        double* p;
        char c;
    };
    EXPECT_EQ(size_in_bytes(
                  DType::structure("pair", {{"a", Scalar::Int32}, {"p", DType::pointer(Scalar::Float64)}, {"c", Scalar::Int8}})),
              sizeof(Pair));
    EXPECT_EQ(size_in_bytes(Scalar::Complex128), 16u);
    EXPECT_EQ(size_in_bytes(DType(Scalar::Float16, 8)), 16u);
    EXPECT_EQ(size_in_bytes(DType()), 0u);
    EXPECT_EQ(size_in_bytes(Scalar::String), 0u);
    EXPECT_EQ(size_in_bytes(DType::opaque("x")), 0u);
    EXPECT_EQ(size_in_bytes(DType::callback({}, {})), 8u);
}

TEST(DTypeKinds, Partition) {
    EXPECT_TRUE(is_integer(Scalar::UInt64) && !is_integer(Scalar::Bool) && !is_integer(Scalar::Float16));
    EXPECT_TRUE(is_signed(Scalar::Int8) && !is_signed(Scalar::UInt8) && !is_signed(Scalar::Bool));
    EXPECT_TRUE(is_floating(Scalar::BFloat16) && is_floating(Scalar::Float8E4M3) && !is_floating(Scalar::Complex64));
    EXPECT_TRUE(is_complex(Scalar::Complex64) && !is_complex(Scalar::Float64));
}

TEST(DTypeEquality, IsDeep) {
    EXPECT_EQ(DType::pointer(DType::structure("s", {{"a", Scalar::Int8}})),
              DType::pointer(DType::structure("s", {{"a", Scalar::Int8}})));
    EXPECT_FALSE(DType::pointer(Scalar::Int8) == DType::pointer(Scalar::Int16));
    EXPECT_FALSE(DType::pointer(Scalar::Int8) == DType());
}

}  // namespace
}  // namespace sluice::code
