#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <optional>
#include <random>

#include "cli/command.h"
#include "driver/tuning/store.h"
#include "support/memory.h"

namespace sluice::cli {

using code::Scalar;
using driver::Argument;

namespace {

/// IEEE binary16 of a float; values too small for a normal number become zero.
std::uint16_t to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127 + 15;
    if (exponent <= 0) return static_cast<std::uint16_t>(sign);
    if (exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7c00u);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(exponent) << 10 | (bits >> 13 & 0x3ffu));
}
float from_half(std::uint16_t half) {
    const std::uint32_t exponent = half >> 10 & 0x1fu, mantissa = half & 0x3ffu;
    const float magnitude = exponent == 0    ? std::ldexp(static_cast<float>(mantissa), -24)
                            : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                             : std::ldexp(static_cast<float>(mantissa + 1024), static_cast<int>(exponent) - 25);
    return half & 0x8000u ? -magnitude : magnitude;
}

/// Calls use(T()) with the C++ type of a scalar; half precision as std::uint16_t tagged by `Scalar::Float16` at the callers.
template <class Use> void with_type(Scalar scalar, Use&& use) {
    switch (scalar) {
        case Scalar::Bool:
            return use(bool());
        case Scalar::Int8:
            return use(std::int8_t());
        case Scalar::Int16:
            return use(std::int16_t());
        case Scalar::Int32:
            return use(std::int32_t());
        case Scalar::Int64:
            return use(std::int64_t());
        case Scalar::UInt8:
            return use(std::uint8_t());
        case Scalar::UInt16:
            return use(std::uint16_t());
        case Scalar::UInt32:
            return use(std::uint32_t());
        case Scalar::UInt64:
            return use(std::uint64_t());
        case Scalar::Float32:
            return use(float());
        case Scalar::Float64:
            return use(double());
        case Scalar::Complex64:
            return use(std::complex<float>());
        case Scalar::Complex128:
            return use(std::complex<double>());
        default:
            break;
    }
    fail_usage("C005", "values of type " + std::string(code::scalar_name(scalar)) + " cannot be made on the command line",
               "call the program from Python or C");
}

template <class Make> void fill(Buffer& buffer, Scalar scalar, Make&& make) {
    if (scalar == Scalar::Float16) {
        auto* at = reinterpret_cast<std::uint16_t*>(buffer.data());
        for (std::size_t i = 0; i < buffer.size() / 2; ++i) at[i] = to_half(static_cast<float>(make()));
        return;
    }
    with_type(scalar, [&](auto type) {
        using T = decltype(type);
        auto* at = reinterpret_cast<T*>(buffer.data());
        for (std::size_t i = 0; i < buffer.size() / sizeof(T); ++i) at[i] = static_cast<T>(make());
    });
}

void fill_randomly(Buffer& buffer, Scalar scalar, std::mt19937_64& random) {
    if (scalar == Scalar::Bool || code::is_integer(scalar)) {
        std::uniform_int_distribution<int> pick(0, scalar == Scalar::Bool ? 1 : 99);
        return fill(buffer, scalar, [&] { return static_cast<double>(pick(random)); });
    }
    std::uniform_real_distribution<double> pick(0.0, 1.0);
    fill(buffer, scalar, [&] { return pick(random); });
}

std::optional<double> number(const std::string& text) {
    if (text == "True" || text == "true") return 1.0;
    if (text == "False" || text == "false") return 0.0;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}
std::optional<std::int64_t> whole_number(const std::string& text) {
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    return !text.empty() && *end == '\0' && errno == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

[[noreturn]] void fail_value(const Argument& argument, const std::string& text, const std::string& expected) {
    fail_usage("C005", "`" + argument.name + "=" + text + "` is no value for " + argument.name, "give " + expected);
}

class Maker {
public:
    Maker(const driver::Signature& signature, const driver::ShapeSolver& solver, const std::map<std::string, std::string>& given,
          std::uint64_t seed)
        : signature_(signature),
          solver_(solver),
          arguments_(signature.arguments),
          given_(given),
          random_(seed),
          values_(arguments_.size()) {}

    std::vector<Value> make() {
        check_names();
        load_files();
        solve_symbols();
        for (std::size_t at = 0; at < arguments_.size(); ++at) {
            values_[at].argument = &arguments_[at];
            if (arguments_[at].kind == Argument::Kind::Array && !values_[at].initial.size()) make_array(at);
            if (arguments_[at].kind == Argument::Kind::Scalar) make_scalar(at);
            values_[at].working = values_[at].initial;
        }
        return std::move(values_);
    }

private:
    void check_names() const {
        for (const auto& [name, text] : given_) {
            const auto same = [&](const Argument& argument) { return argument.name == name && !argument.is_return; };
            if (std::ranges::any_of(arguments_, same)) continue;
            std::string names;
            for (const Argument& argument : arguments_)
                if (!argument.is_return) names += (names.empty() ? "" : ", ") + argument.name;
            fail_usage("C005", signature_.program + " has no argument named " + name, "its arguments are " + names);
        }
    }
    const std::string* text_of(const Argument& argument) const {
        const auto at = given_.find(argument.name);
        return at == given_.end() ? nullptr : &at->second;
    }

    void load_files() {
        files_.resize(arguments_.size());
        for (std::size_t at = 0; at < arguments_.size(); ++at) {
            const std::string* text = text_of(arguments_[at]);
            if (arguments_[at].kind != Argument::Kind::Array || !text || !text->ends_with(".npy")) continue;
            files_[at] = read_npy(*text);
        }
    }
    /// Sizes from the files' shapes and from N=...; the solver also checks the files against the signature.
    void solve_symbols() {
        std::vector<driver::ActualArray> actuals(arguments_.size());
        std::vector<const driver::ActualArray*> pointers(arguments_.size());
        std::vector<std::vector<std::int64_t>> strides(arguments_.size());
        std::vector<std::optional<std::int64_t>> symbols;
        std::vector<std::size_t> places;
        for (std::size_t at = 0; at < arguments_.size(); ++at) {
            const Argument& argument = arguments_[at];
            if (argument.kind == Argument::Kind::Symbol) {
                const std::string* text = text_of(argument);
                symbols.push_back(text ? whole_number(*text) : std::nullopt);
                if (text && !symbols.back()) fail_value(argument, *text, "an integer, " + argument.name + "=1000");
                places.push_back(at);
            }
            if (!files_[at]) continue;
            NpyArray& file = *files_[at];
            strides[at].resize(file.shape.size());
            auto step = static_cast<std::int64_t>(code::size_in_bytes(file.dtype));
            for (std::size_t d = file.shape.size(); d-- > 0; step *= file.shape[d]) strides[at][d] = step;
            actuals[at] = {.data = file.bytes.data(), .dtype = file.dtype, .shape = file.shape, .strides = strides[at]};
            pointers[at] = &actuals[at];
        }
        const std::vector<std::int64_t> solved = solver_.solve(pointers, symbols).or_fail();
        for (std::size_t k = 0; k < solved.size(); ++k) {
            const std::size_t at = places[k];
            symbols_[arguments_[at].name] = solved[k];
            values_[at].initial = Buffer(sizeof(std::int64_t));
            std::memcpy(values_[at].initial.data(), &solved[k], sizeof(std::int64_t));
        }
        for (std::size_t at = 0; at < arguments_.size(); ++at)
            if (files_[at]) {
                values_[at].shape = files_[at]->shape;
                values_[at].initial = std::move(files_[at]->bytes);
            }
    }

    std::int64_t value_of(const symbolic::Expr& e) const { return symbolic::evaluate(e, symbols_).or_fail(); }

    /// From the first to the last place of an array, and at least as many as it has; nothing where 64 bits do not hold them.
    std::optional<std::int64_t> elements_of(const Argument& argument, const std::vector<std::int64_t>& shape) const {
        std::int64_t spanned = 1, contiguous = 1, reach = 0;
        bool fits = true;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            fits = fits && !__builtin_mul_overflow(contiguous, shape[d], &contiguous);
            if (shape[d] <= 0 || d >= argument.strides.size()) continue;
            fits = fits && !__builtin_mul_overflow(shape[d] - 1, value_of(argument.strides[d]), &reach) &&
                   !__builtin_add_overflow(spanned, reach, &spanned);
        }
        return fits ? std::optional(std::max(spanned, contiguous)) : std::nullopt;
    }
    /// Throws Failure C013 where there is none: twice as much is needed, as every repetition begins with the initial values.
    Buffer memory_for(const Argument& argument, std::optional<std::int64_t> elements) {
        const auto bytes = elements ? bytes_in_memory(*elements, 2 * code::size_in_bytes(argument.dtype)) : std::nullopt;
        if (bytes && bytes_in_memory(static_cast<std::int64_t>(taken_ + *bytes), 1)) {
            taken_ += *bytes;
            return Buffer(*bytes / 2);
        }
        std::string sizes;
        for (const auto& [name, value] : symbols_) sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", name, value);
        fail_usage("C013",
                   fmt::format("argument {} of shape ({}) does not fit into memory, with {}", argument.name,
                               fmt::join(texts_of(argument.shape), ", "), sizes.empty() ? "constant sizes" : sizes),
                   "choose smaller sizes");
    }
    static std::vector<std::string> texts_of(const std::vector<symbolic::Expr>& shape) {
        std::vector<std::string> texts;
        for (const symbolic::Expr& extent : shape) texts.push_back(symbolic::to_string(extent));
        return texts;
    }

    void make_array(std::size_t at) {
        const Argument& argument = arguments_[at];
        Value& value = values_[at];
        for (const symbolic::Expr& extent : argument.shape) {
            value.shape.push_back(value_of(extent));
            if (value.shape.back() < 0)
                fail_usage("A003",
                           fmt::format("argument {} would have {} = {} elements in a dimension", argument.name,
                                       symbolic::to_string(extent), value.shape.back()),
                           "choose larger sizes");
        }
        if (argument.on_device)
            fail_usage("A016",
                       "argument " + argument.name + " lies in the memory of the device, and this command has arrays of the host",
                       "call the program from Python with an array of CuPy, PyTorch or Numba");
        value.initial = memory_for(argument, elements_of(argument, value.shape));
        const std::string* text = text_of(argument);
        const std::optional<double> constant = !text || *text == "random" ? std::nullopt
                                               : *text == "zeros"         ? std::optional(0.0)
                                               : *text == "ones"          ? std::optional(1.0)
                                                                          : number(*text);
        if (argument.is_return) return;
        if (constant)
            fill(value.initial, argument.dtype.scalar, [&] { return *constant; });
        else if (!text || *text == "random")
            fill_randomly(value.initial, argument.dtype.scalar, random_);
        else
            fail_value(argument, *text, "a .npy file, `random`, `zeros`, `ones` or a number for every element");
    }
    void make_scalar(std::size_t at) {
        const Argument& argument = arguments_[at];
        values_[at].initial = Buffer(std::max<std::size_t>(code::size_in_bytes(argument.dtype), 8));
        if (argument.is_return) return;
        const std::string* text = text_of(argument);
        if (!text) fail_usage("A005", "argument " + argument.name + " is missing", "give it: " + argument.name + "=1");
        const bool integral = code::is_integer(argument.dtype.scalar);
        const std::optional<std::int64_t> whole = integral ? whole_number(*text) : std::nullopt;
        const std::optional<double> real = integral ? std::nullopt : number(*text);
        if (!whole && !real) fail_value(argument, *text, integral ? "an integer" : "a number");
        Buffer one(code::size_in_bytes(argument.dtype));
        if (whole)
            fill(one, argument.dtype.scalar, [&] { return *whole; });
        else
            fill(one, argument.dtype.scalar, [&] { return *real; });
        std::memcpy(values_[at].initial.data(), one.data(), one.size());
    }

    const driver::Signature& signature_;
    const driver::ShapeSolver& solver_;
    const std::vector<Argument>& arguments_;
    const std::map<std::string, std::string>& given_;
    std::mt19937_64 random_;
    std::vector<Value> values_;
    std::vector<std::optional<NpyArray>> files_;
    std::map<std::string, std::int64_t> symbols_;
    std::size_t taken_ = 0;  ///< Bytes of all arguments.
};

}  // namespace

std::vector<Value> make_values(const driver::Signature& signature, const driver::ShapeSolver& solver,
                               const std::map<std::string, std::string>& given, std::uint64_t seed) {
    return Maker(signature, solver, given, seed).make();
}

std::map<std::string, std::string> by_name(const std::vector<std::string>& assignments) {
    std::map<std::string, std::string> given;
    for (const std::string& text : assignments) {
        const std::size_t at = text.find('=');
        if (at == std::string::npos || at == 0)
            fail_usage("C005", "`" + text + "` is no argument", "write name=value, for example N=1000");
        given[text.substr(0, at)] = text.substr(at + 1);
    }
    return given;
}

std::string class_of_sizes(const ir::Sdfg& program, const std::map<std::string, std::string>& given) {
    driver::Sizes sizes;
    for (const auto& [name, text] : given) {
        if (!program.symbols.contains(name)) continue;
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (error == std::errc() && end == text.data() + text.size()) sizes.emplace(name, size);
    }
    return driver::size_class(sizes);
}

std::vector<double> run_repeatedly(driver::CompiledProgram& program, std::vector<Value>& values, int repeat) {
    std::vector<double> seconds;
    std::vector<void*> addresses;
    for (Value& value : values) addresses.push_back(value.working.data());
    for (int round = 0; round < repeat; ++round) {
        for (Value& value : values)
            if (value.initial.size()) std::memcpy(value.working.data(), value.initial.data(), value.initial.size());
        const auto begin = std::chrono::steady_clock::now();
        program.run(addresses).or_fail();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::sort(seconds);
    return seconds;
}

bool is_result(const Value& value) {
    return value.argument->written || value.argument->is_return;
}

std::string summary(const Value& value) {
    const code::DType& dtype = value.argument->dtype;
    std::string text = code::to_string(dtype);
    if (value.argument->kind == Argument::Kind::Array) text += fmt::format("[{}]", fmt::join(value.shape, ", "));
    double sum = 0, least = INFINITY, most = -INFINITY;
    std::size_t count = value.working.size() / std::max<std::size_t>(code::size_in_bytes(dtype), 1);
    if (value.argument->kind == Argument::Kind::Scalar) count = 1;
    if (value.argument->kind == Argument::Kind::Array)  // The memory of an empty array may hold an element.
        for (const auto extent : value.shape) count = extent == 0 ? 0 : count;
    const auto add = [&](double element) {
        sum += element;
        least = std::min(least, element);
        most = std::max(most, element);
    };
    const auto* bytes = value.working.data();
    if (dtype.scalar == Scalar::Float16) {
        for (std::size_t i = 0; i < count; ++i) add(from_half(reinterpret_cast<const std::uint16_t*>(bytes)[i]));
    } else if (!dtype.compound) {
        with_type(dtype.scalar, [&](auto type) {
            using T = decltype(type);
            for (std::size_t i = 0; i < count * dtype.lanes; ++i) {
                const T element = reinterpret_cast<const T*>(bytes)[i];
                if constexpr (requires { element.real(); })
                    add(std::abs(element));
                else
                    add(static_cast<double>(element));
            }
        });
    }
    if (count == 0) return text + ": empty";
    return count == 1 ? fmt::format("{}: {}", text, sum)
                      : fmt::format("{}: sum {:.10g}, min {:.10g}, max {:.10g}", text, sum, least, most);
}

bool same_results(const std::vector<Value>& some, const std::vector<Value>& others) {
    return std::ranges::equal(some, others, [](const Value& one, const Value& other) {
        return !is_result(one) || (one.working.size() == other.working.size() &&
                                   std::equal(one.working.data(), one.working.data() + one.working.size(), other.working.data()));
    });
}

}  // namespace sluice::cli
