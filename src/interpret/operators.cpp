// What the operators of the subset do to numbers of each type: C's types, Python's and NumPy's rounding.
#include "interpret/instructions.h"

namespace sluice::interpret {

namespace {

template <class T> using Bits = std::make_unsigned_t<T>;

template <class Function, class T> const Instruction* binary(const Instruction* at, Execution& run) {
    run.registers[at->to].set(Function::apply(run.registers[at->a].as<T>(), run.registers[at->b].as<T>()));
    return at + 1;
}
template <class Function, class T> const Instruction* unary(const Instruction* at, Execution& run) {
    run.registers[at->to].set(Function::apply(run.registers[at->a].as<T>()));
    return at + 1;
}

// In two's complement, of any width, without leaving the type on the way.
template <class T, class Compute> T wrapped(T a, T b, Compute compute) {
    return static_cast<T>(compute(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}

struct Add {
    template <class T> static T apply(T a, T b) {
        if constexpr (is_bool<T>)
            return a || b;
        else if constexpr (is_whole<T>)
            return wrapped(a, b, [](auto x, auto y) { return x + y; });
        else
            return T(Wide<T>(a) + Wide<T>(b));
    }
};
struct Subtract {
    template <class T> static T apply(T a, T b) {
        if constexpr (is_bool<T>)
            return a != b;
        else if constexpr (is_whole<T>)
            return wrapped(a, b, [](auto x, auto y) { return x - y; });
        else
            return T(Wide<T>(a) - Wide<T>(b));
    }
};
// Complex numbers as in NumPy: products by definition, quotients by Smith's algorithm ("Algorithm 116", CACM 5, 1962). The
// operators of std::complex mend infinities where NumPy says NaN.
template <class T> T complex_product(T a, T b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T> T complex_quotient(T a, T b) {
    using Part = typename T::value_type;
    const Part real = std::abs(b.real()), imag = std::abs(b.imag());
    if (real == 0 && imag == 0) return {a.real() / real, a.imag() / real};
    if (real >= imag) {
        const Part ratio = b.imag() / b.real(), scale = Part(1) / (b.real() + b.imag() * ratio);
        return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
    }
    const Part ratio = b.real() / b.imag(), scale = Part(1) / (b.imag() + b.real() * ratio);
    return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
}
struct Multiply {
    template <class T> static T apply(T a, T b) {
        if constexpr (is_bool<T>)
            return a && b;
        else if constexpr (is_complex_number<T>)
            return complex_product(a, b);
        else if constexpr (is_whole<T>)
            return wrapped(a, b, [](auto x, auto y) { return x * y; });
        else
            return T(Wide<T>(a) * Wide<T>(b));
    }
};
struct Divide {
    template <class T> static T apply(T a, T b) {
        if constexpr (is_bool<T>)
            return b && a;
        else if constexpr (is_whole<T>)
            return b == 0 ? T(0) : b == T(-1) ? Subtract::apply(T(0), a) : T(a / b);
        else if constexpr (is_complex_number<T>)
            return complex_quotient(a, b);
        else
            return T(Wide<T>(a) / Wide<T>(b));
    }
};

template <class F> F floor_remainder(F a, F b) {
    F rest = std::fmod(a, b);
    if (b == 0) return rest;
    if (rest == 0) return std::copysign(F(0), b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}
// As CPython and NumPy: from the exact remainder, so that the quotient is a whole number.
template <class F> F floor_quotient(F a, F b) {
    if (b == 0) return a / b;
    const F rest = std::fmod(a, b);
    F quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(F(0), a / b);
    const F whole = std::floor(quotient);
    return quotient - whole > F(0.5) ? whole + 1 : whole;
}

struct FloorDivide {
    template <class T> static T apply(T a, T b) {
        if constexpr (is_bool<T>)
            return b && a;
        else if constexpr (is_whole<T>) {
            if (b == 0) return T(0);
            if constexpr (std::is_signed_v<T>) {
                if (b == T(-1)) return Subtract::apply(T(0), a);
                return T(a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0));
            } else {
                return T(a / b);
            }
        } else if constexpr (is_complex_number<T>)
            return complex_quotient(a, b);
        else
            return T(floor_quotient(Wide<T>(a), Wide<T>(b)));
    }
};
struct Modulo {
    template <class T> static T apply(T a, T b) {
        if constexpr (is_bool<T>)
            return false;
        else if constexpr (is_whole<T>) {
            if (b == 0 || b == T(-1)) return std::is_signed_v<T> || b == 0 ? T(0) : T(a % b);
            const T rest = T(a % b);
            return rest != 0 && (rest < 0) != (b < 0) ? T(rest + b) : rest;
        } else if constexpr (is_complex_number<T>)
            return T(0);
        else
            return T(floor_remainder(Wide<T>(a), Wide<T>(b)));
    }
};
struct Power {
    template <class T> static T apply(T base, T exponent) {
        if constexpr (is_bool<T>)
            return base || !exponent;
        else if constexpr (is_whole<T>) {
            if constexpr (std::is_signed_v<T>) {
                if (exponent < 0) return base == 1 ? T(1) : base == T(-1) ? T(exponent % 2 == 0 ? 1 : -1) : T(0);
            }
            std::uint64_t result = 1, factor = static_cast<std::uint64_t>(base);
            for (auto rest = static_cast<std::uint64_t>(exponent); rest != 0; rest >>= 1) {
                if (rest & 1) result *= factor;
                factor *= factor;
            }
            return static_cast<T>(result);
        } else if constexpr (is_complex_number<T>)
            return whole_power(base, exponent);
        else
            return exponent == T(2) ? Multiply::apply(base, base) : T(std::pow(Wide<T>(base), Wide<T>(exponent)));
    }
    // Small whole exponents multiply, as NumPy does.
    template <class T> static T whole_power(T base, T exponent) {
        const double n = exponent.real();
        if (exponent.imag() == 0 && n == std::floor(n) && n >= 0 && n <= 100) {
            T result(1);
            for (auto rest = static_cast<int>(n); rest != 0; rest >>= 1) {
                if (rest & 1) result = complex_product(result, base);
                base = complex_product(base, base);
            }
            return result;
        }
        return std::pow(base, exponent);
    }
};
struct BitAnd {
    template <class T> static T apply(T a, T b) { return T(a & b); }
};
struct BitOr {
    template <class T> static T apply(T a, T b) { return T(a | b); }
};
struct BitXor {
    template <class T> static T apply(T a, T b) { return T(a ^ b); }
};
// NumPy shifts out everything when the count reaches the width.
struct ShiftLeft {
    template <class T> static T apply(T a, T count) {
        return static_cast<std::uint64_t>(count) < sizeof(T) * 8 ? static_cast<T>(static_cast<std::uint64_t>(a) << count) : T(0);
    }
};
struct ShiftRight {
    template <class T> static T apply(T a, T count) {
        return static_cast<std::uint64_t>(count) < sizeof(T) * 8 ? T(a >> count) : T(a < 0 ? -1 : 0);
    }
};

// Complex numbers are ordered by their real parts first, as in NumPy.
template <class T> bool is_less(T a, T b) {
    if constexpr (is_complex_number<T>)
        return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    else
        return a < b;
}
template <class T> bool is_less_equal(T a, T b) {
    if constexpr (is_complex_number<T>)
        return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag());
    else
        return a <= b;
}
struct Equal {
    template <class T> static bool apply(T a, T b) { return a == b; }
};
struct NotEqual {
    template <class T> static bool apply(T a, T b) { return a != b; }
};
struct Less {
    template <class T> static bool apply(T a, T b) { return is_less(a, b); }
};
struct LessEqual {
    template <class T> static bool apply(T a, T b) { return is_less_equal(a, b); }
};
struct Greater {
    template <class T> static bool apply(T a, T b) { return is_less(b, a); }
};
struct GreaterEqual {
    template <class T> static bool apply(T a, T b) { return is_less_equal(b, a); }
};
struct Negate {
    template <class T> static T apply(T a) {
        if constexpr (is_whole<T> || is_bool<T>)
            return static_cast<T>(0 - static_cast<std::uint64_t>(a));
        else
            return T(-Wide<T>(a));
    }
};
struct Invert {
    template <class T> static T apply(T a) {
        if constexpr (is_bool<T>)
            return !a;
        else
            return T(~a);
    }
};

template <class Function> Operation binary_of(Scalar scalar, bool whole_only = false) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (requires(T x) { Function::apply(x, x); }) {
            if (!whole_only || is_whole<T> || is_bool<T>) found = &binary<Function, T>;
        }
    });
    return found;
}
template <class Function> Operation bitwise_of(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (is_whole<T> || is_bool<T>) found = &binary<Function, T>;
    });
    return found;
}
template <class Function> Operation shift_of(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (is_whole<T>) found = &binary<Function, T>;
    });
    return found;
}

template <class From, class To> const Instruction* converted(const Instruction* at, Execution& run) {
    run.registers[at->to].set(number<To>(run.registers[at->a].as<From>()));
    return at + 1;
}

}  // namespace

Operation conversion(Scalar from, Scalar to) {
    Operation found = nullptr;
    visit_scalar(from, [&]<class From>() { visit_scalar(to, [&]<class To>() { found = &converted<From, To>; }); });
    return found;
}

Cell convert(const Cell& value, Scalar from, Scalar to) {
    if (from == to) return value;
    const Operation operation = conversion(from, to);
    check(operation != nullptr, "no conversion from ", code::scalar_name(from), " to ", code::scalar_name(to));
    Cell registers[2] = {value, {}};
    const Instruction instruction{operation, 1, 0, 0, 0};
    Execution run{registers, nullptr, nullptr, nullptr};
    operation(&instruction, run);
    return registers[1];
}

Operation move() {
    return [](const Instruction* at, Execution& run) {
        run.registers[at->to] = run.registers[at->a];
        return at + 1;
    };
}

Operation arithmetic(code::BinaryOp op, Scalar scalar) {
    using code::BinaryOp;
    switch (op) {
        case BinaryOp::Add:
            return binary_of<Add>(scalar);
        case BinaryOp::Sub:
            return binary_of<Subtract>(scalar);
        case BinaryOp::Mul:
            return binary_of<Multiply>(scalar);
        case BinaryOp::Div:
            return binary_of<Divide>(scalar);
        case BinaryOp::FloorDiv:
            return binary_of<FloorDivide>(scalar);
        case BinaryOp::Mod:
            return binary_of<Modulo>(scalar);
        case BinaryOp::Pow:
            return binary_of<Power>(scalar);
        case BinaryOp::BitAnd:
            return bitwise_of<BitAnd>(scalar);
        case BinaryOp::BitOr:
            return bitwise_of<BitOr>(scalar);
        case BinaryOp::BitXor:
            return bitwise_of<BitXor>(scalar);
        case BinaryOp::ShiftLeft:
            return shift_of<ShiftLeft>(scalar);
        case BinaryOp::ShiftRight:
            return shift_of<ShiftRight>(scalar);
        case BinaryOp::MatMul:
            return nullptr;
    }
    return nullptr;
}

Operation comparison(code::CompareOp op, Scalar scalar) {
    using code::CompareOp;
    switch (op) {
        case CompareOp::Eq:
        case CompareOp::Is:
            return binary_of<Equal>(scalar);
        case CompareOp::Ne:
        case CompareOp::IsNot:
            return binary_of<NotEqual>(scalar);
        case CompareOp::Lt:
            return binary_of<Less>(scalar);
        case CompareOp::Le:
            return binary_of<LessEqual>(scalar);
        case CompareOp::Gt:
            return binary_of<Greater>(scalar);
        case CompareOp::Ge:
            return binary_of<GreaterEqual>(scalar);
        case CompareOp::In:
        case CompareOp::NotIn:
            return nullptr;
    }
    return nullptr;
}

Operation negation(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() { found = &unary<Negate, T>; });
    return found;
}

Operation inversion(Scalar scalar) {
    Operation found = nullptr;
    visit_scalar(scalar, [&]<class T>() {
        if constexpr (is_whole<T> || is_bool<T>) found = &unary<Invert, T>;
    });
    return found;
}

Operation logical_not() {
    return &unary<Invert, bool>;
}

Operation jump() {
    return [](const Instruction* at, Execution&) { return at + static_cast<std::int32_t>(at->c); };
}
Operation jump_if_not() {
    return [](const Instruction* at, Execution& run) {
        return run.registers[at->a].as<bool>() ? at + 1 : at + static_cast<std::int32_t>(at->c);
    };
}
Operation jump_if() {
    return [](const Instruction* at, Execution& run) {
        return run.registers[at->a].as<bool>() ? at + static_cast<std::int32_t>(at->c) : at + 1;
    };
}

}  // namespace sluice::interpret
