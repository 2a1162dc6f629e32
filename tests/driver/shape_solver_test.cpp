#include <gtest/gtest.h>

#include "driver/signature.h"
#include "ir/builder.h"

namespace sluice::driver {
namespace {

using code::Scalar;
using symbolic::parse;

// An array of the caller's in C order, or with strides of its own (in elements).
struct Actual {
    std::vector<std::int64_t> shape, strides;
    ActualArray array;

    Actual(std::vector<std::int64_t> extents, code::DType dtype = Scalar::Float64, std::vector<std::int64_t> in_elements = {})
        : shape(std::move(extents)), strides(shape.size()) {
        const auto size = static_cast<std::int64_t>(code::size_in_bytes(dtype));
        std::int64_t stride = size;
        for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
            strides[d] = in_elements.empty() ? stride : in_elements[d] * size;
        array = {nullptr, dtype, shape, strides, true};
    }
};

Argument array(std::string name, std::vector<std::string> shape, bool written = false, std::vector<std::string> strides = {}) {
    Argument result;
    result.name = std::move(name);
    result.dtype = Scalar::Float64;
    result.written = written;
    for (const std::string& extent : shape) result.shape.push_back(*parse(extent));
    result.strides.assign(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) result.strides[d - 1] = result.strides[d] * result.shape[d];
    for (std::size_t d = 0; d < strides.size(); ++d) result.strides[d] = *parse(strides[d]);
    return result;
}
Argument size_symbol(std::string name) {
    Argument result;
    result.name = std::move(name);
    result.kind = Argument::Kind::Symbol;
    result.dtype = Scalar::Int64;
    return result;
}

class Shapes : public ::testing::Test {
protected:
    Signature signature_{
        "p",
        {array("A", {"N", "M"}), array("B", {"2*N + 1"}, true), array("C", {"N*M"}), size_symbol("M"), size_symbol("N")},
        {0, 1, 2}};
    using Values = std::vector<std::int64_t>;

    static std::string outcome(const Signature& signature, const std::vector<const Actual*>& actuals,
                               std::vector<std::optional<std::int64_t>> given = {}) {
        std::vector<const ActualArray*> pointers;
        for (const Actual* actual : actuals) pointers.push_back(actual ? &actual->array : nullptr);
        pointers.resize(signature.arguments.size());
        const auto solved = ShapeSolver(signature).solve(pointers, given);
        if (!solved.ok()) return solved.error().code + " " + solved.error().message;
        std::string text;
        for (const std::int64_t value : *solved) text += std::to_string(value) + " ";
        return text;
    }
    std::string outcome(const std::vector<const Actual*>& actuals, std::vector<std::optional<std::int64_t>> given = {}) const {
        return outcome(signature_, actuals, std::move(given));
    }
};

TEST_F(Shapes, SolvesDirectLinearAndGeneralExtents) {
    const Actual a({3, 5}), b({7}), c({15});
    EXPECT_EQ(outcome({&a, &b, &c}), "5 3 ");
    EXPECT_EQ(outcome({nullptr, &b, &c}), "5 3 ") << "M follows from N*M once N is known";
    EXPECT_EQ(outcome({nullptr, &b, nullptr}, {4, std::nullopt}), "4 3 ");
    const Actual none({0, 5}), one({1}), empty(std::vector<std::int64_t>{0});
    EXPECT_EQ(outcome({&none, &one, &empty}), "5 0 ");
}

TEST_F(Shapes, RefusesWithTheReason) {
    const Actual a({3, 5}), b({7}), c({15});
    EXPECT_EQ(outcome({&b, &b, &c}), "A001 argument `A` has 1 dimensions instead of 2");
    const Actual integers({3, 5}, Scalar::Int32);
    EXPECT_EQ(outcome({&integers, &b, &c}), "A002 argument `A` has elements of type int32 instead of float64");
    const Actual nine({9}), eight({8});
    EXPECT_EQ(outcome({&a, &nine, &c}),
              "A003 argument `B` has extent 9 in dimension 0 instead of 2*N + 1 = 7: N is 3 by dimension 0 of `A`, which has shape "
              "(3, 5)");
    EXPECT_EQ(outcome({nullptr, &eight, &c}), "A003 argument `B` has extent 8 in dimension 0, which is 2*N + 1 for no N");
    EXPECT_EQ(outcome({&a, &b, &nine}).substr(0, 70), "A003 argument `C` has extent 9 in dimension 0 instead of M*N = 15");
    EXPECT_EQ(outcome({&a, &b, &c}, {std::nullopt, 4}),
              "A003 argument `A` has extent 3 in dimension 0 instead of N = 4: N is 4, as given");
    const Actual transposed({3, 5}, Scalar::Float64, {1, 3});
    EXPECT_EQ(outcome({&transposed, &b, &c}), "A004 argument `A` is not contiguous in C order");
    EXPECT_EQ(outcome({nullptr, nullptr, nullptr}), "A005 symbols `M`, `N` have no values: no array argument determines them");
    Actual frozen({7});
    frozen.array.writable = false;
    EXPECT_EQ(outcome({&a, &frozen, &c}), "A006 argument `B` is written but the array is read-only");
    Actual odd({7});
    odd.array.data = reinterpret_cast<const void*>(0x1001);
    EXPECT_EQ(outcome({&a, &odd, &c}), "A007 the data of argument `B` is not aligned to its element type");
}

TEST_F(Shapes, StridesMayBeSymbols) {
    const Signature strided{"p", {array("A", {"N", "4"}, false, {"S", "1"}), size_symbol("N"), size_symbol("S")}, {0}};
    const Actual padded({3, 4}, Scalar::Float64, {6, 1}), wrong({3, 4}, Scalar::Float64, {6, 2});
    EXPECT_EQ(outcome(strided, {&padded}), "3 6 ");
    EXPECT_EQ(outcome(strided, {&wrong}),
              "A004 argument `A` has stride 16 bytes in dimension 1 where the program expects 1 elements");
}

}  // namespace
}  // namespace sluice::driver
