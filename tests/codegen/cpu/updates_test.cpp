// Every reduction operator, under every resolution of conflicts and as an OpenMP reduction, for every element type, against
// sequential computation in plain C++.
#include <complex>
#include <type_traits>

#include "compiled.h"

namespace sluice::codegen {
namespace {

using code::ReductionType;
using code::Scalar;
using loop::Conflict;

constexpr std::int64_t kCount = 96, kSlots = 3;

template <class T> constexpr bool is_complex_number = false;
template <class T> constexpr bool is_complex_number<std::complex<T>> = true;

template <class T> Scalar scalar_of() {
    if constexpr (std::is_same_v<T, bool>) return Scalar::Bool;
    if constexpr (std::is_same_v<T, std::int8_t>) return Scalar::Int8;
    if constexpr (std::is_same_v<T, std::int16_t>) return Scalar::Int16;
    if constexpr (std::is_same_v<T, std::int32_t>) return Scalar::Int32;
    if constexpr (std::is_same_v<T, std::int64_t>) return Scalar::Int64;
    if constexpr (std::is_same_v<T, std::uint8_t>) return Scalar::UInt8;
    if constexpr (std::is_same_v<T, std::uint16_t>) return Scalar::UInt16;
    if constexpr (std::is_same_v<T, std::uint32_t>) return Scalar::UInt32;
    if constexpr (std::is_same_v<T, std::uint64_t>) return Scalar::UInt64;
    if constexpr (std::is_same_v<T, _Float16>) return Scalar::Float16;
    if constexpr (std::is_same_v<T, float>) return Scalar::Float32;
    if constexpr (std::is_same_v<T, double>) return Scalar::Float64;
    if constexpr (std::is_same_v<T, std::complex<float>>) return Scalar::Complex64;
    if constexpr (std::is_same_v<T, std::complex<double>>) return Scalar::Complex128;
    return Scalar::Void;
}

template <class T> bool smaller(T a, T b) {
    if constexpr (is_complex_number<T>)
        return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    else
        return a < b;
}

template <class T> T combine(ReductionType op, T a, T b) {
    const T zero(0);
    switch (op) {
        case ReductionType::Sum:
            return T(a + b);
        case ReductionType::Product:
            return T(a * b);
        case ReductionType::Sub:
            return T(a - b);
        case ReductionType::Div:
            if constexpr (!std::is_same_v<T, bool>) return T(a / b);
            return a;
        case ReductionType::Min:
            return smaller(b, a) ? b : a;
        case ReductionType::Max:
            return smaller(a, b) ? b : a;
        case ReductionType::LogicalAnd:
            return T(a != zero && b != zero);
        case ReductionType::LogicalOr:
            return T(a != zero || b != zero);
        case ReductionType::LogicalXor:
            return T((a != zero) != (b != zero));
        case ReductionType::Exchange:
            return b;
        default:
            break;
    }
    if constexpr (std::is_integral_v<T>) {
        if (op == ReductionType::BitwiseAnd) return T(a & b);
        if (op == ReductionType::BitwiseOr) return T(a | b);
        if (op == ReductionType::BitwiseXor) return T(a ^ b);
    }
    return a;
}

template <class T> std::vector<ReductionType> operators() {
    std::vector<ReductionType> ops{ReductionType::Sum,        ReductionType::Product,    ReductionType::Min,
                                   ReductionType::Max,        ReductionType::LogicalAnd, ReductionType::LogicalOr,
                                   ReductionType::LogicalXor, ReductionType::Exchange};
    if (!std::is_same_v<T, bool>) ops.push_back(ReductionType::Sub);
    if (!std::is_integral_v<T>) ops.push_back(ReductionType::Div);
    if (std::is_integral_v<T>)
        ops.insert(ops.end(), {ReductionType::BitwiseAnd, ReductionType::BitwiseOr, ReductionType::BitwiseXor});
    return ops;
}

// Mostly ones, so that products stay exact; exchanged values are all alike, because any of them may be the last.
template <class T> T datum(ReductionType op, std::int64_t i) {
    if (op == ReductionType::Exchange) return T(1);
    if (std::is_same_v<T, bool>) return T(i % 2 == 0 || op == ReductionType::LogicalAnd);
    if (op == ReductionType::Product || op == ReductionType::Div) return T(i % 32 < 3 ? 2 : 1);
    return T(i % 7 == 5 ? 3 : 1 + i % 2);
}
template <class T> T first_value(ReductionType op) {
    if (std::is_same_v<T, bool>) return T(op == ReductionType::LogicalAnd || op == ReductionType::Product);
    if (op == ReductionType::Div) return T(64);
    return T(op == ReductionType::Max ? 2 : 5);
}

// For each operator: three updates of slots by conflict kind, and one reduction over a scalar. Results are in out[case * kSlots +
// slot].
template <class T> loop::Module module_for(const std::string& name, std::vector<std::pair<ReductionType, int>>& cases) {
    using namespace loop;
    const code::DType type(scalar_of<T>());
    Module module;
    module.name = module.program.name = name;
    module.program.parameters = {buffer("out", type), buffer("data", type, false)};
    Body& body = module.program.body;
    int row = 0;
    for (const ReductionType op : operators<T>()) {
        const Expr data_row = row * kCount;
        for (const Conflict conflict : {Conflict::None, Conflict::Atomic, Conflict::CompareExchange, Conflict::Critical}) {
            const Expr slot = static_cast<int>(cases.size()) * kSlots + symbolic::modulo(sym("i"), kSlots);
            Update update;
            update.buffer = "out";
            update.index = at(slot);
            update.op = op;
            update.value = load("data", at(data_row + sym("i")), type);
            update.conflict = conflict;
            For over = count("i", kCount, {}, conflict == Conflict::None ? LoopMode::Sequential : LoopMode::Parallel);
            put(over.body, update);
            put(body, over);
            cases.emplace_back(op, row);
        }
        if (op != ReductionType::Exchange) {
            const std::string sum = "total_" + std::to_string(row);
            put(body, Declare{sum, type, load("out", at(static_cast<int>(cases.size()) * kSlots), type), false});
            For over = count("i", kCount, {}, LoopMode::Parallel);
            over.reductions.push_back({sum, op, 0});
            Update update;
            update.buffer = sum;
            update.op = op;
            update.value = load("data", at(data_row + sym("i")), type);
            put(over.body, update);
            put(body, over);
            put(body, Store{"out", at(static_cast<int>(cases.size()) * kSlots), variable(sum, type)});
            cases.emplace_back(op, row);
        }
        ++row;
    }
    return module;
}

// A name for an element type: the compiler has no type information of _Float16 itself.
template <class T> struct Element { using type = T; };
template <class T> class Updates : public ::testing::Test {};
using Types = ::testing::Types<Element<bool>, Element<std::int8_t>, Element<std::int16_t>, Element<std::int32_t>,
                               Element<std::int64_t>, Element<std::uint8_t>, Element<std::uint16_t>, Element<std::uint32_t>,
                               Element<std::uint64_t>, Element<_Float16>, Element<float>, Element<double>,
                               Element<std::complex<float>>, Element<std::complex<double>>>;
TYPED_TEST_SUITE(Updates, Types);

// The user's own operator: the value that lies further from 50, under every way to keep updates apart.
TEST(CustomUpdates, KeepTheExtremeValue) {
    using namespace loop;
    for (const Conflict conflict : {Conflict::None, Conflict::CompareExchange, Conflict::Critical}) {
        Module module;
        module.name = module.program.name = "furthest_" + std::to_string(static_cast<int>(conflict));
        module.program.parameters = {buffer("out", Scalar::Int64), number("N")};
        const auto square = [](const char* name) {
            const ValuePtr off = binary(BinaryOp::Sub, variable(name, Scalar::Int64), integer_value(50));
            return binary(BinaryOp::Mul, off, off);
        };
        Update update;
        update.buffer = "out";
        update.index = at(0);
        update.op = ReductionType::Custom;
        update.value = at(sym("i"));
        update.conflict = conflict;
        update.old_name = "kept", update.new_name = "candidate";
        update.combine = select(binary(BinaryOp::Greater, square("candidate"), square("kept")),
                                variable("candidate", Scalar::Int64), variable("kept", Scalar::Int64));
        For loop = count("i", sym("N"), {}, conflict == Conflict::None ? LoopMode::Sequential : LoopMode::Parallel);
        put(loop.body, update);
        put(module.program.body, loop);
        std::int64_t n = 400;
        std::vector<std::int64_t> out{50};
        ASSERT_EQ(Compiled(module).run({out.data(), &n}), 0);
        EXPECT_EQ(out[0], 399) << static_cast<int>(conflict);
    }
}

TYPED_TEST(Updates, AllOperatorsAndConflicts) {
    using T = typename TypeParam::type;
    std::vector<std::pair<ReductionType, int>> cases;
    Compiled compiled(module_for<T>("updates_of_" + std::string(code::scalar_name(scalar_of<T>())), cases));
    const auto ops = operators<T>();
    const auto data = std::make_unique<T[]>(ops.size() * kCount), out = std::make_unique<T[]>(cases.size() * kSlots),
               expected = std::make_unique<T[]>(cases.size() * kSlots);
    for (std::size_t row = 0; row < ops.size(); ++row)
        for (std::int64_t i = 0; i < kCount; ++i) data[row * kCount + static_cast<std::size_t>(i)] = datum<T>(ops[row], i);
    std::map<int, int> seen;
    for (std::size_t c = 0; c < cases.size(); ++c) {
        const auto [op, row] = cases[c];
        const bool reduction = ++seen[row] == 5;
        for (std::int64_t slot = 0; slot < kSlots; ++slot) out[c * kSlots + static_cast<std::size_t>(slot)] = first_value<T>(op);
        for (std::int64_t slot = 0; slot < kSlots; ++slot) {
            T value = first_value<T>(op);
            for (std::int64_t i = 0; i < kCount; ++i)
                if (reduction ? slot == 0 : i % kSlots == slot)
                    value = combine<T>(op, value, data[static_cast<std::size_t>(row * kCount + i)]);
            expected[c * kSlots + static_cast<std::size_t>(slot)] = value;
        }
    }
    ASSERT_EQ(compiled.run({out.get(), data.get()}), 0);
    for (std::size_t i = 0; i < cases.size() * kSlots; ++i)
        EXPECT_TRUE(out[i] == expected[i]) << "operator " << static_cast<int>(cases[i / kSlots].first) << ", case " << i / kSlots
                                           << ", slot " << i % kSlots;
}

}  // namespace
}  // namespace sluice::codegen
