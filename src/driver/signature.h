// How a compiled program is called: its arguments in the order of the C signature, and how sizes follow from array shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::driver {

struct Argument {
    enum class Kind : std::uint8_t { Array, Scalar, Symbol };
    std::string name;
    Kind kind = Kind::Array;
    code::DType dtype;                    ///< Int64 for symbols.
    std::vector<symbolic::Expr> shape;    ///< Arrays.
    std::vector<symbolic::Expr> strides;  ///< Arrays: in elements.
    bool written = false;
    bool is_return = false;  ///< `__return`, ...: allocated by the caller of the Python face.
    bool optional = false;
    bool may_alias = false;          ///< May share memory with others.
    bool scalar_by_pointer = false;  ///< A scalar that the program writes.
    bool on_device = false;          ///< An array in the memory of the device.
};
struct Signature {
    std::string program;
    std::vector<Argument> arguments;      ///< Arrays and scalars first, symbols last.
    std::vector<std::size_t> positional;  ///< Places of those that a caller passes by position, in its order.
};
Signature signature_of(const ir::Sdfg& sdfg);

/// An actual argument as the caller has it.
struct ActualArray {
    const void* data = nullptr;
    code::DType dtype;
    std::span<const std::int64_t> shape;
    std::span<const std::int64_t> strides;  ///< In bytes.
    bool writable = true;
    bool on_device = false;
};
/// Solves the size symbols from shapes, precomputed once per program so that a call costs well under a microsecond.
class ShapeSolver {
public:
    explicit ShapeSolver(const Signature& signature);
    /// `actuals[i]` belongs to arguments[i] (null for scalars, symbols, returns). Fills `symbols` (in order of the signature's
    /// symbols) where `given` has no value. Errors A001 wrong rank, A002 wrong dtype, A003 wrong size or sizes that disagree (names
    /// both), A004 not contiguous / wrong strides, A005 missing symbol, A006 read-only array for a written argument, A007
    /// misaligned data, A016 an array of the host for one of the device or the other way round.
    Result<std::vector<std::int64_t>> solve(std::span<const ActualArray* const> actuals,
                                            std::span<const std::optional<std::int64_t>> given) const;

    /// The symbol has this value in every call, unless it is no symbol of the program's. Error A003 where a call gives another.
    void know(const std::string& symbol, std::int64_t value);

private:
    /// extent of dimension `dimension` (or its stride in elements) of argument `argument` == expr.
    struct Equation {
        std::size_t argument, dimension;
        bool is_stride;
        symbolic::Expr expr;
        int symbol = -1;  ///< Index among the symbols if expr == factor * symbol + offset with factor != 0.
        std::int64_t factor = 0, offset = 0;
        bool constant = false;  ///< expr == offset
    };
    struct State;
    void check_array(std::size_t argument, const ActualArray& actual) const;
    void solve_linear(const Equation& equation, State& state) const;
    void solve_general(State& state) const;
    bool solve_for_last(const Equation& equation, State& state) const;
    [[noreturn]] void disagree(const Equation& equation, std::int64_t expected, const State& state) const;
    std::optional<std::int64_t> value_of(const symbolic::Expr& e, const State& state) const;
    Equation equation(std::size_t argument, std::size_t dimension, bool is_stride, const symbolic::Expr& expr) const;

    Signature signature_;
    std::vector<std::string> symbols_;
    std::vector<std::pair<std::size_t, std::int64_t>> known_;  ///< Symbol and value.
    std::vector<bool> c_order_;                                ///< Per argument: strides follow from the actual shape.
    std::vector<Equation> linear_;                             ///< Each in at most one symbol, in order of the arguments.
    std::vector<Equation> general_;
};

}  // namespace sluice::driver
