// Sizes from shapes. Almost every extent is a constant, a symbol or a*N + b: those are solved in one pass over a precomputed list
// without touching the symbolic engine. What remains is evaluated once its symbols are known.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "driver/signature.h"

namespace sluice::driver {

namespace {

using symbolic::Expr;
using symbolic::Kind;

[[noreturn]] void refuse(std::string code, std::string message, std::string remedy) {
    fail({std::move(code), std::move(message), {}, {}, std::move(remedy), {}});
}

bool is_affine(const Expr& e) {
    switch (e.kind()) {
        case Kind::Integer:
        case Kind::Symbol:
            return true;
        case Kind::Add:
            return std::all_of(e.operands().begin(), e.operands().end(), is_affine);
        case Kind::Multiply:
            return e.operands().size() == 2 && e.operands()[0].is_integer() && e.operands()[1].is_symbol();
        default:
            return false;
    }
}

std::string shape_text(std::span<const std::int64_t> shape) {
    std::string text = "(";
    for (const std::int64_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::string shape_text(const std::vector<Expr>& shape) {
    std::string text = "(";
    for (const Expr& extent : shape) text += (text.size() > 1 ? ", " : "") + symbolic::to_string(extent);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::size_t alignment_of(const code::DType& type) {
    if (type.compound) return alignof(void*);
    const std::size_t bytes = code::size_in_bytes(code::DType(type.scalar));
    return std::max<std::size_t>(code::is_complex(type.scalar) ? bytes / 2 : bytes, 1);
}

}  // namespace

struct ShapeSolver::State {
    std::span<const ActualArray* const> actuals;
    std::span<const std::optional<std::int64_t>> given;
    std::vector<std::int64_t> values;
    std::uint64_t known = 0;         // bit i: symbol i
    std::vector<bool> known_beyond;  // symbols past the 64th

    bool is_known(std::size_t i) const { return i < 64 ? (known >> i & 1) != 0 : known_beyond[i - 64]; }
    void set(std::size_t i, std::int64_t value) {
        values[i] = value;
        if (i < 64)
            known |= std::uint64_t(1) << i;
        else
            known_beyond[i - 64] = true;
    }
    std::int64_t actual(const Equation& e, std::size_t bytes) const {
        const ActualArray& array = *actuals[e.argument];
        return e.is_stride ? array.strides[e.dimension] / static_cast<std::int64_t>(std::max<std::size_t>(bytes, 1))
                           : array.shape[e.dimension];
    }
};

ShapeSolver::Equation ShapeSolver::equation(std::size_t argument, std::size_t dimension, bool is_stride, const Expr& expr) const {
    Equation result{argument, dimension, is_stride, expr, -1, 0, 0, false};
    const std::set<std::string> names = symbolic::free_symbols(expr);
    if (names.empty()) {
        if (const auto value = expr.constant()) result.constant = true, result.offset = *value;
        return result;
    }
    if (names.size() != 1 || !is_affine(expr)) return result;
    const auto symbol = std::find(symbols_.begin(), symbols_.end(), *names.begin());
    if (symbol == symbols_.end()) return result;
    const auto at_zero = symbolic::evaluate(expr, {{*names.begin(), 0}}), at_one = symbolic::evaluate(expr, {{*names.begin(), 1}});
    if (!at_zero.ok() || !at_one.ok()) return result;
    result.symbol = static_cast<int>(symbol - symbols_.begin());
    result.offset = *at_zero;
    result.factor = *at_one - *at_zero;
    return result;
}

ShapeSolver::ShapeSolver(const Signature& signature) : signature_(signature) {
    for (const Argument& argument : signature_.arguments)
        if (argument.kind == Argument::Kind::Symbol) symbols_.push_back(argument.name);
    const auto add = [&](Equation e) { (e.symbol >= 0 || e.constant ? linear_ : general_).push_back(std::move(e)); };
    for (std::size_t i = 0; i < signature_.arguments.size(); ++i) {
        const Argument& argument = signature_.arguments[i];
        bool in_order = argument.strides.size() == argument.shape.size();
        Expr stride = 1;
        for (std::size_t d = argument.shape.size(); d-- > 0;) {
            in_order = in_order && argument.strides[d] == stride;
            stride = stride * argument.shape[d];
        }
        c_order_.push_back(in_order);
        for (std::size_t d = 0; d < argument.shape.size(); ++d) add(equation(i, d, false, argument.shape[d]));
        if (!in_order)
            for (std::size_t d = 0; d < argument.strides.size(); ++d) add(equation(i, d, true, argument.strides[d]));
    }
}

void ShapeSolver::check_array(std::size_t index, const ActualArray& actual) const {
    const Argument& argument = signature_.arguments[index];
    if (actual.shape.size() != argument.shape.size())
        refuse("A001",
               "argument `" + argument.name + "` has " + std::to_string(actual.shape.size()) + " dimensions instead of " +
                   std::to_string(argument.shape.size()),
               "pass an array of shape " + shape_text(argument.shape));
    if (!(actual.dtype == argument.dtype))
        refuse("A002",
               "argument `" + argument.name + "` has elements of type " + code::to_string(actual.dtype) + " instead of " +
                   code::to_string(argument.dtype),
               "convert the array to " + code::to_string(argument.dtype));
    if (argument.on_device != actual.on_device)
        refuse("A016",
               "argument `" + argument.name + "` lies in the memory of " + (argument.on_device ? "the device" : "the host") +
                   ", and an array of " + (actual.on_device ? "the device" : "the host") + " was given",
               argument.on_device ? "pass an array of CuPy, PyTorch or Numba, which has __cuda_array_interface__"
                                  : "copy it to the host, or annotate the parameter as float64[N] @ StorageType.GPU_Global");
    if (argument.written && !actual.writable)
        refuse("A006", "argument `" + argument.name + "` is written but the array is read-only", "pass a writable copy");
    if (reinterpret_cast<std::uintptr_t>(actual.data) % alignment_of(argument.dtype) != 0)
        refuse("A007", "the data of argument `" + argument.name + "` is not aligned to its element type", "pass an aligned copy");
    if (!c_order_[index]) return;
    bool contiguous = true, empty = false;
    std::int64_t stride = static_cast<std::int64_t>(code::size_in_bytes(argument.dtype));
    for (std::size_t d = actual.shape.size(); d-- > 0;) {
        contiguous = contiguous && (actual.shape[d] == 1 || actual.strides[d] == stride);
        empty = empty || actual.shape[d] == 0;
        if (__builtin_mul_overflow(stride, actual.shape[d], &stride)) contiguous = false;
    }
    if (!contiguous && !empty)
        refuse("A004", "argument `" + argument.name + "` is not contiguous in C order", "pass numpy.ascontiguousarray of it");
}

void ShapeSolver::disagree(const Equation& equation, std::int64_t expected, const State& state) const {
    const Argument& argument = signature_.arguments[equation.argument];
    const ActualArray& actual = *state.actuals[equation.argument];
    if (equation.is_stride)
        refuse("A004",
               "argument `" + argument.name + "` has stride " + std::to_string(actual.strides[equation.dimension]) +
                   " bytes in dimension " + std::to_string(equation.dimension) + " where the program expects " +
                   std::to_string(expected) + " elements",
               "pass an array with the strides " + shape_text(argument.strides) + " (in elements)");
    std::string why;
    if (equation.symbol >= 0) {
        const std::string& name = symbols_[static_cast<std::size_t>(equation.symbol)];
        const std::string value = std::to_string(state.values[static_cast<std::size_t>(equation.symbol)]);
        const bool is_given = state.given.size() > static_cast<std::size_t>(equation.symbol) &&
                              state.given[static_cast<std::size_t>(equation.symbol)];
        why = ": " + name + " is " + value;
        if (is_given) why += ", as given";
        const auto first = std::find_if(linear_.begin(), linear_.end(), [&](const Equation& e) {
            return e.symbol == equation.symbol && state.actuals[e.argument] && !e.is_stride;
        });
        if (!is_given && first != linear_.end() && &*first != &equation)
            why += " by dimension " + std::to_string(first->dimension) + " of `" + signature_.arguments[first->argument].name +
                   "`, which has shape " + shape_text(state.actuals[first->argument]->shape);
    }
    refuse("A003",
           "argument `" + argument.name + "` has extent " + std::to_string(actual.shape[equation.dimension]) + " in dimension " +
               std::to_string(equation.dimension) + " instead of " + symbolic::to_string(equation.expr) +
               (equation.constant ? "" : " = " + std::to_string(expected)) + why,
           "pass arrays whose sizes agree: `" + argument.name + "` has shape " + shape_text(argument.shape));
}

void ShapeSolver::solve_linear(const Equation& e, State& state) const {
    const Argument& argument = signature_.arguments[e.argument];
    const std::int64_t actual = state.actual(e, code::size_in_bytes(argument.dtype));
    if (e.constant) {
        if (actual != e.offset && !(e.is_stride && state.actuals[e.argument]->shape[e.dimension] <= 1))
            disagree(e, e.offset, state);
        return;
    }
    const auto symbol = static_cast<std::size_t>(e.symbol);
    if (!state.is_known(symbol)) {
        if ((actual - e.offset) % e.factor != 0)
            refuse("A003",
                   "argument `" + argument.name + "` has extent " + std::to_string(actual) + " in dimension " +
                       std::to_string(e.dimension) + ", which is " + symbolic::to_string(e.expr) + " for no " + symbols_[symbol],
                   "pass an array of shape " + shape_text(argument.shape));
        return state.set(symbol, (actual - e.offset) / e.factor);
    }
    std::int64_t expected = 0;
    if (__builtin_mul_overflow(e.factor, state.values[symbol], &expected) || __builtin_add_overflow(expected, e.offset, &expected))
        refuse("A003",
               "the size " + symbolic::to_string(e.expr) + " of argument `" + argument.name + "` leaves 64 bits, with " +
                   symbols_[symbol] + " = " + std::to_string(state.values[symbol]),
               "use smaller sizes");
    if (actual != expected && !(e.is_stride && state.actuals[e.argument]->shape[e.dimension] <= 1)) disagree(e, expected, state);
}

std::optional<std::int64_t> ShapeSolver::value_of(const Expr& e, const State& state) const {
    symbolic::Environment environment;
    environment.symbol = [&](const std::string& name) -> std::optional<std::int64_t> {
        const auto found = std::find(symbols_.begin(), symbols_.end(), name);
        if (found == symbols_.end()) return std::nullopt;
        const auto index = static_cast<std::size_t>(found - symbols_.begin());
        return state.is_known(index) ? std::optional(state.values[index]) : std::nullopt;
    };
    const Result<std::int64_t> value = symbolic::evaluate(e, environment);
    return value.ok() ? std::optional(*value) : std::nullopt;
}

// Solves an equation that is affine in its only unknown symbol once the others are put in.
bool ShapeSolver::solve_for_last(const Equation& e, State& state) const {
    symbolic::Substitution known;
    for (std::size_t i = 0; i < symbols_.size(); ++i)
        if (state.is_known(i)) known.emplace(symbols_[i], state.values[i]);
    const Equation reduced = equation(e.argument, e.dimension, e.is_stride, symbolic::substitute(e.expr, known));
    if (reduced.symbol < 0) return false;
    solve_linear(reduced, state);
    return true;
}

void ShapeSolver::solve_general(State& state) const {
    std::vector<const Equation*> open;
    for (const Equation& e : general_)
        if (state.actuals[e.argument]) open.push_back(&e);
    for (bool progress = true; progress && !open.empty();) {
        progress = false;
        std::erase_if(open, [&](const Equation* e) {
            const auto expected = value_of(e->expr, state);
            if (expected) {
                const std::int64_t actual = state.actual(*e, code::size_in_bytes(signature_.arguments[e->argument].dtype));
                if (actual != *expected && !(e->is_stride && state.actuals[e->argument]->shape[e->dimension] <= 1))
                    disagree(*e, *expected, state);
            } else if (!solve_for_last(*e, state)) {
                return false;
            }
            progress = true;
            return true;
        });
    }
}

void ShapeSolver::know(const std::string& symbol, std::int64_t value) {
    const auto found = std::ranges::find(symbols_, symbol);
    if (found != symbols_.end()) known_.emplace_back(found - symbols_.begin(), value);
}

Result<std::vector<std::int64_t>> ShapeSolver::solve(std::span<const ActualArray* const> actuals,
                                                     std::span<const std::optional<std::int64_t>> given) const {
    return capture([&] {
        State state{actuals, given, std::vector<std::int64_t>(symbols_.size()), 0, {}};
        if (symbols_.size() > 64) state.known_beyond.resize(symbols_.size() - 64);
        for (std::size_t i = 0; i < given.size() && i < symbols_.size(); ++i)
            if (given[i]) state.set(i, *given[i]);
        for (const auto& [i, value] : known_) {
            if (state.is_known(i) && state.values[i] != value)
                refuse("A003",
                       "symbol `" + symbols_[i] + "` is " + std::to_string(value) + " in this process, not " +
                           std::to_string(state.values[i]),
                       "leave it out");
            state.set(i, value);
        }
        for (std::size_t i = 0; i < actuals.size(); ++i)
            if (actuals[i]) check_array(i, *actuals[i]);
        for (const Equation& e : linear_)
            if (actuals[e.argument]) solve_linear(e, state);
        if (!general_.empty()) solve_general(state);
        std::vector<std::string> unknown, words;
        for (std::size_t i = 0; i < symbols_.size(); ++i)
            if (!state.is_known(i)) unknown.push_back("`" + symbols_[i] + "`"), words.push_back(symbols_[i] + "=...");
        const bool one = unknown.size() == 1;
        if (!unknown.empty())
            refuse("A005",
                   fmt::format("symbol{} {} {}: no array argument determines {}", one ? "" : "s", fmt::join(unknown, ", "),
                               one ? "has no value" : "have no values", one ? "it" : "them"),
                   fmt::format("pass {} by name: {}", one ? "it" : "them", fmt::join(words, " ")));
        return std::move(state.values);
    });
}

}  // namespace sluice::driver
