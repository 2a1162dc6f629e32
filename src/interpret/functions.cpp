// The mathematical functions, by NumPy's meaning, on the C library's: the reference that generated code approximates.
#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "code/c_functions.h"
#include "interpret/instructions.h"

namespace sluice::interpret {

namespace {

template <class F, class T> const Instruction* call1(const Instruction* at, Execution& run) {
    run.registers[at->to].set(F::apply(run.registers[at->a].as<T>()));
    return at + 1;
}
template <class F, class T> const Instruction* call2(const Instruction* at, Execution& run) {
    run.registers[at->to].set(F::apply(run.registers[at->a].as<T>(), run.registers[at->b].as<T>()));
    return at + 1;
}
template <class F, class T> const Instruction* call3(const Instruction* at, Execution& run) {
    run.registers[at->to].set(F::apply(run.registers[at->a].as<T>(), run.registers[at->b].as<T>(), run.registers[at->c].as<T>()));
    return at + 1;
}

template <class T>
concept Real = is_real_number<T>;
template <class T>
concept AnyComplex = is_complex_number<T>;
template <class T>
concept Inexact = Real<T> || AnyComplex<T>;
template <class T>
concept Whole = is_whole<T> || is_bool<T>;
template <class T>
concept Ordered = Real<T> || Whole<T>;

// A function of the C++ library on floats (and complex numbers where it has one).
template <auto function> struct Library {
    template <Inexact T> static T apply(T x) requires requires { function(Wide<T>(x)); }
    { return T(function(Wide<T>(x))); }
};

struct Abs {
    template <Whole T> static T apply(T x) {
        if constexpr (std::is_signed_v<T>)
            return x < 0 ? static_cast<T>(0 - static_cast<std::uint64_t>(x)) : x;
        else
            return x;
    }
    template <Real T> static T apply(T x) { return T(std::abs(Wide<T>(x))); }
    template <AnyComplex T> static auto apply(T x) { return std::abs(x); }
};
struct RealPart {
    template <Ordered T> static T apply(T x) { return x; }
    template <AnyComplex T> static auto apply(T x) { return x.real(); }
};
struct ImaginaryPart {
    template <Ordered T> static T apply(T) { return T(0); }
    template <AnyComplex T> static auto apply(T x) { return x.imag(); }
};
struct Angle {
    template <Real T> static T apply(T x) { return x != x ? x : T(std::signbit(Wide<T>(x)) ? 3.14159265358979323846 : 0.0); }
    template <AnyComplex T> static auto apply(T x) { return std::arg(x); }
};
struct Conjugate {
    template <Ordered T> static T apply(T x) { return x; }
    template <AnyComplex T> static T apply(T x) { return std::conj(x); }
};
struct Square {
    template <Whole T> static T apply(T x) { return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x)); }
    template <Inexact T> static T apply(T x) { return T(Wide<T>(x) * Wide<T>(x)); }
};
struct Reciprocal {
    template <Whole T> static T apply(T x) { return x == T(0) ? T(0) : T(1 / x); }
    template <Inexact T> static T apply(T x) { return T(Wide<T>(1) / Wide<T>(x)); }
};
struct Negative {
    template <Whole T> static T apply(T x) { return static_cast<T>(0 - static_cast<std::uint64_t>(x)); }
    template <Inexact T> static T apply(T x) { return T(-Wide<T>(x)); }
};
struct Positive {
    template <class T> static T apply(T x) { return x; }
};
struct Sign {
    template <Whole T> static T apply(T x) { return T((x > T(0)) - (x < T(0))); }
    template <Real T> static T apply(T x) { return x != x ? x : T(static_cast<float>((x > T(0)) - (x < T(0)))); }
    template <AnyComplex T> static T apply(T x) {
        const auto size = std::abs(x);
        return size == 0 ? T(0) : x / size;
    }
};
struct Invert {
    template <Whole T> static T apply(T x) {
        if constexpr (is_bool<T>)
            return !x;
        else
            return T(~x);
    }
};
template <auto function> struct Rounding {
    template <Whole T> static T apply(T x) { return x; }
    template <Real T> static T apply(T x) { return T(function(Wide<T>(x))); }
    template <AnyComplex T> static T apply(T x) { return T(function(x.real()), function(x.imag())); }
};
struct DegreesToRadians {
    template <Real T> static T apply(T x) { return T(Wide<T>(x) * Wide<T>(0.017453292519943295769236907684886)); }
};
struct RadiansToDegrees {
    template <Real T> static T apply(T x) { return T(Wide<T>(x) * Wide<T>(57.295779513082320876798154814105)); }
};
struct IsNan {
    template <Ordered T> static bool apply(T x) { return x != x; }
    template <AnyComplex T> static bool apply(T x) { return std::isnan(x.real()) || std::isnan(x.imag()); }
};
struct IsInfinite {
    template <Whole T> static bool apply(T) { return false; }
    template <Real T> static bool apply(T x) { return std::isinf(Wide<T>(x)); }
    template <AnyComplex T> static bool apply(T x) { return std::isinf(x.real()) || std::isinf(x.imag()); }
};
struct IsFinite {
    template <Whole T> static bool apply(T) { return true; }
    template <Real T> static bool apply(T x) { return std::isfinite(Wide<T>(x)); }
    template <AnyComplex T> static bool apply(T x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }
};
struct SignBit {
    template <Whole T> static bool apply(T x) { return x < T(0); }
    template <Real T> static bool apply(T x) { return std::signbit(Wide<T>(x)); }
};
struct LogicalNot {
    template <class T> static bool apply(T x) { return !truth(x); }
};

template <class T> bool below(T a, T b) {
    if constexpr (is_complex_number<T>)
        return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    else
        return a < b;
}
template <class T> bool is_nan(T x) {
    return x != x;
}
// A NaN in either operand is the result.
struct Minimum {
    template <class T> static T apply(T a, T b) { return is_nan(a) ? a : is_nan(b) ? b : below(b, a) ? b : a; }
};
struct Maximum {
    template <class T> static T apply(T a, T b) { return is_nan(a) ? a : is_nan(b) ? b : below(a, b) ? b : a; }
};
// A NaN gives way to the other operand.
struct Fmin {
    template <class T> static T apply(T a, T b) { return is_nan(a) ? b : is_nan(b) ? a : below(b, a) ? b : a; }
};
struct Fmax {
    template <class T> static T apply(T a, T b) { return is_nan(a) ? b : is_nan(b) ? a : below(a, b) ? b : a; }
};
struct Fmod {
    template <Whole T> static T apply(T a, T b) {
        if (b == T(0)) return T(0);
        if constexpr (std::is_signed_v<T>) {
            if (b == T(-1)) return T(0);
        }
        return T(a % b);
    }
    template <Real T> static T apply(T a, T b) { return T(std::fmod(Wide<T>(a), Wide<T>(b))); }
};
// Rows of C's functions.
template <std::size_t row> struct OfOne {
    template <Real T> static T apply(T x) {
        if constexpr (std::is_same_v<Wide<T>, float>)
            return T(code::kOfOne[row].single(x));
        else
            return T(code::kOfOne[row].wide(x));
    }
};
template <std::size_t row> struct OfTwo {
    template <Real T> static T apply(T a, T b) {
        if constexpr (std::is_same_v<Wide<T>, float>)
            return T(code::kOfTwo[row].single(a, b));
        else
            return T(code::kOfTwo[row].wide(a, b));
    }
};
struct Heaviside {
    template <Real T> static T apply(T x, T at_zero) { return x != x ? x : x == T(0) ? at_zero : x < T(0) ? T(0.f) : T(1.f); }
};
struct IntCeil {
    template <Whole T> static T apply(T a, T b) {
        if (b == T(0)) return T(0);
        if constexpr (std::is_signed_v<T>) {
            if (b == T(-1)) return static_cast<T>(0 - static_cast<std::uint64_t>(a));
        }
        return T(a / b + (a % b != 0 && (a < T(0)) == (b < T(0)) ? 1 : 0));
    }
};
struct LogicalAnd {
    template <class T> static bool apply(T a, T b) { return truth(a) && truth(b); }
};
struct LogicalOr {
    template <class T> static bool apply(T a, T b) { return truth(a) || truth(b); }
};
struct LogicalXor {
    template <class T> static bool apply(T a, T b) { return truth(a) != truth(b); }
};
struct Equal {
    template <class T> static bool apply(T a, T b) { return a == b; }
};
struct NotEqual {
    template <class T> static bool apply(T a, T b) { return a != b; }
};
struct Less {
    template <class T> static bool apply(T a, T b) { return below(a, b); }
};
struct LessEqual {
    template <class T> static bool apply(T a, T b) { return below(a, b) || a == b; }
};
struct Greater {
    template <class T> static bool apply(T a, T b) { return below(b, a); }
};
struct GreaterEqual {
    template <class T> static bool apply(T a, T b) { return below(b, a) || a == b; }
};
struct Clip {
    template <class T> static T apply(T x, T low, T high) { return Minimum::apply(Maximum::apply(x, low), high); }
};

/// What it leads to is looked at when memory is touched.
struct CheckedIndex {
    template <Whole T> static T apply(T at, T size, T) { return at < T(0) ? T(at + size) : at; }
};

using Select = Operation (*)(Scalar);

template <class F> Operation select1(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (requires(T x) { F::apply(x); }) found = &call1<F, T>;
    });
    return found;
}
template <class F> Operation select2(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (requires(T x) { F::apply(x, x); }) found = &call2<F, T>;
    });
    return found;
}
template <class F> Operation select3(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (requires(T x) { F::apply(x, x, x); }) found = &call3<F, T>;
    });
    return found;
}

constexpr auto kSqrt = [](auto x) { return std::sqrt(x); };
constexpr auto kExp = [](auto x) { return std::exp(x); };
constexpr auto kExp2 = [](auto x) {
    if constexpr (is_complex_number<decltype(x)>)
        return std::exp(x * decltype(x)(0.693147180559945309417232121458));
    else
        return std::exp2(x);
};
constexpr auto kExpm1 = [](auto x) {
    if constexpr (is_complex_number<decltype(x)>)
        return std::exp(x) - decltype(x)(1);
    else
        return std::expm1(x);
};
constexpr auto kLog = [](auto x) { return std::log(x); };
constexpr auto kLog2 = [](auto x) {
    if constexpr (is_complex_number<decltype(x)>)
        return std::log(x) * decltype(x)(1.442695040888963407359924681002);
    else
        return std::log2(x);
};
constexpr auto kLog10 = [](auto x) { return std::log10(x); };
constexpr auto kLog1p = [](auto x) {
    if constexpr (is_complex_number<decltype(x)>)
        return std::log(x + decltype(x)(1));
    else
        return std::log1p(x);
};
constexpr auto kSin = [](auto x) { return std::sin(x); };
constexpr auto kCos = [](auto x) { return std::cos(x); };
constexpr auto kTan = [](auto x) { return std::tan(x); };
constexpr auto kAsin = [](auto x) { return std::asin(x); };
constexpr auto kAcos = [](auto x) { return std::acos(x); };
constexpr auto kAtan = [](auto x) { return std::atan(x); };
constexpr auto kSinh = [](auto x) { return std::sinh(x); };
constexpr auto kCosh = [](auto x) { return std::cosh(x); };
constexpr auto kTanh = [](auto x) { return std::tanh(x); };
constexpr auto kAsinh = [](auto x) { return std::asinh(x); };
constexpr auto kAcosh = [](auto x) { return std::acosh(x); };
constexpr auto kAtanh = [](auto x) { return std::atanh(x); };
constexpr auto kFloor = [](auto x) { return std::floor(x); };
constexpr auto kCeil = [](auto x) { return std::ceil(x); };
constexpr auto kTrunc = [](auto x) { return std::trunc(x); };
constexpr auto kRint = [](auto x) { return std::nearbyint(x); };

using Table = std::unordered_map<std::string_view, Select>;

template <std::size_t... rows> void add_of_one(Table& functions, std::index_sequence<rows...>) {
    (functions.emplace(code::kOfOne[rows].name, &select1<OfOne<rows>>), ...);
}
template <std::size_t... rows> void add_of_two(Table& functions, std::index_sequence<rows...>) {
    (functions.emplace(code::kOfTwo[rows].name, &select2<OfTwo<rows>>), ...);
}

Table make_table() {
    Table functions = {
        {"abs", &select1<Abs>},
        {"real", &select1<RealPart>},
        {"imag", &select1<ImaginaryPart>},
        {"angle", &select1<Angle>},
        {"conj", &select1<Conjugate>},
        {"square", &select1<Square>},
        {"reciprocal", &select1<Reciprocal>},
        {"negative", &select1<Negative>},
        {"positive", &select1<Positive>},
        {"sign", &select1<Sign>},
        {"invert", &select1<Invert>},
        {"floor", &select1<Rounding<kFloor>>},
        {"ceil", &select1<Rounding<kCeil>>},
        {"trunc", &select1<Rounding<kTrunc>>},
        {"rint", &select1<Rounding<kRint>>},
        {"sqrt", &select1<Library<kSqrt>>},
        {"exp", &select1<Library<kExp>>},
        {"exp2", &select1<Library<kExp2>>},
        {"expm1", &select1<Library<kExpm1>>},
        {"log", &select1<Library<kLog>>},
        {"log2", &select1<Library<kLog2>>},
        {"log10", &select1<Library<kLog10>>},
        {"log1p", &select1<Library<kLog1p>>},
        {"sin", &select1<Library<kSin>>},
        {"cos", &select1<Library<kCos>>},
        {"tan", &select1<Library<kTan>>},
        {"asin", &select1<Library<kAsin>>},
        {"acos", &select1<Library<kAcos>>},
        {"atan", &select1<Library<kAtan>>},
        {"sinh", &select1<Library<kSinh>>},
        {"cosh", &select1<Library<kCosh>>},
        {"tanh", &select1<Library<kTanh>>},
        {"asinh", &select1<Library<kAsinh>>},
        {"acosh", &select1<Library<kAcosh>>},
        {"atanh", &select1<Library<kAtanh>>},
        {"deg2rad", &select1<DegreesToRadians>},
        {"rad2deg", &select1<RadiansToDegrees>},
        {"isnan", &select1<IsNan>},
        {"isinf", &select1<IsInfinite>},
        {"isfinite", &select1<IsFinite>},
        {"signbit", &select1<SignBit>},
        {"logical_not", &select1<LogicalNot>},
        {"minimum", &select2<Minimum>},
        {"maximum", &select2<Maximum>},
        {"fmin", &select2<Fmin>},
        {"fmax", &select2<Fmax>},
        {"fmod", &select2<Fmod>},
        {"heaviside", &select2<Heaviside>},
        {"int_ceil", &select2<IntCeil>},
        {"logical_and", &select2<LogicalAnd>},
        {"logical_or", &select2<LogicalOr>},
        {"logical_xor", &select2<LogicalXor>},
        {"equal", &select2<Equal>},
        {"not_equal", &select2<NotEqual>},
        {"less", &select2<Less>},
        {"less_equal", &select2<LessEqual>},
        {"greater", &select2<Greater>},
        {"greater_equal", &select2<GreaterEqual>},
        {"clip", &select3<Clip>},
        {"checked_index", &select3<CheckedIndex>},
    };
    add_of_one(functions, std::make_index_sequence<code::kOfOne.size()>());
    add_of_two(functions, std::make_index_sequence<code::kOfTwo.size()>());
    return functions;
}

}  // namespace

Operation function(std::string_view name, std::size_t, Scalar scalar) {
    static const Table table = make_table();
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second(scalar);
}

}  // namespace sluice::interpret
