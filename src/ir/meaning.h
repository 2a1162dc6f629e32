// What a library node means, in numbers: the bridge from the contracts of library/ to the interpreter, which do not know each
// other.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

/// Integers wrap at 64 bits; everything else is computed in double precision.
struct Number {
    bool integral = true;
    std::int64_t integer = 0;         ///< Where `integral`.
    std::complex<double> real = 0.0;  ///< Where not.

    Number() = default;
    Number(std::int64_t value) : integer(value) {}                        // NOLINT: an integer is a number
    Number(double value) : integral(false), real(value) {}                // NOLINT: so is a real one
    Number(std::complex<double> value) : integral(false), real(value) {}  // NOLINT: and a complex one
    std::complex<double> complex() const { return integral ? std::complex<double>(static_cast<double>(integer)) : real; }

    friend Number operator+(const Number& a, const Number& b) {
        return a.integral && b.integral ? Number(wrapped(unsigned_of(a) + unsigned_of(b))) : Number(a.complex() + b.complex());
    }
    friend Number operator-(const Number& a, const Number& b) {
        return a.integral && b.integral ? Number(wrapped(unsigned_of(a) - unsigned_of(b))) : Number(a.complex() - b.complex());
    }
    friend Number operator*(const Number& a, const Number& b) {
        return a.integral && b.integral ? Number(wrapped(unsigned_of(a) * unsigned_of(b))) : Number(a.complex() * b.complex());
    }
    /// True division: never an integer.
    friend Number operator/(const Number& a, const Number& b) { return a.complex() / b.complex(); }

private:
    static std::uint64_t unsigned_of(const Number& number) { return static_cast<std::uint64_t>(number.integer); }
    static std::int64_t wrapped(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
};

/// What an operation is called with, by connector: sizes and elements in row-major order. An output holds what was there before.
struct Operand {
    std::vector<std::int64_t> shape;
    std::vector<Number> values;
    code::Scalar type = code::Scalar::Float64;  ///< Of its elements.
};
using Operands = std::map<std::string, Operand>;

/// Memory that a function is handed by the address of an element: elements from there on, in the order of memory.
class Memory {
public:
    virtual ~Memory() = default;
    virtual Number read(std::int64_t at) = 0;
    virtual void write(std::int64_t at, const Number& value) = 0;
};
using CallValue = std::variant<Number, Memory*>;
/// A call of a library's function: an edge is the address of the first element that it moves.
struct Call {
    std::vector<std::variant<EdgeId, Number, Expr>> arguments;
    std::function<void(const std::vector<CallValue>&)> run;
};

/// The definition of one node.
struct Meaning {
    std::map<EdgeId, std::string> operands = {};  ///< The edges that bring and take operands, by what the definition calls them.
    bool reads_outputs = false;                   ///< What an output holds before matters, even if no edge brings it.
    std::function<void(Operands&)> run = {};      ///< Null: the node has no definition of its own.
    std::optional<Call> call = {};                ///< In place of a definition.
};
/// Given the SDFG, the state, the node and its path.
using MeaningOf = std::function<Meaning(const Sdfg&, const State&, NodeId, const std::string&)>;

}  // namespace sluice::ir
