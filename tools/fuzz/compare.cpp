#include "fuzz/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "interpret/numbers.h"

namespace sluice::fuzz {

namespace {

using code::Scalar;
using interpret::Cell;
using Number = std::complex<double>;

Cell load(const std::byte* at, Scalar scalar, std::size_t size) {
    Cell result;
    std::memcpy(result.bytes.data(), at, size);
    if (scalar == Scalar::Bool) result.set(at[0] != std::byte{0});
    return result;
}

bool is_rounded(Scalar scalar) {
    return code::is_floating(scalar) || code::is_complex(scalar);
}

Number number_of(const Cell& cell, Scalar scalar) {
    Number result;
    interpret::visit_scalar(scalar, [&]<class T>() { result = interpret::number<std::complex<double>>(cell.as<T>()); });
    return result;
}

std::string text_of(const Cell& cell, Scalar scalar) {
    std::string text = "?";
    interpret::visit_scalar(scalar, [&]<class T>() {
        const T value = cell.as<T>();
        if constexpr (interpret::is_complex_number<T>)
            text = fmt::format("({}, {})", value.real(), value.imag());
        else if constexpr (interpret::is_real_number<T>)
            text = std::is_same_v<T, double> ? fmt::format("{}", static_cast<double>(value))
                                             : fmt::format("{}", static_cast<float>(value));
        else
            text = fmt::format("{}", value);
    });
    return text;
}

double epsilon_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::Float8E4M3:
            return 0x1p-3;
        case Scalar::Float8E5M2:
            return 0x1p-2;
        case Scalar::BFloat16:
            return 0x1p-7;
        case Scalar::Float16:
            return 0x1p-10;
        case Scalar::Float32:
        case Scalar::Complex64:
            return 0x1p-23;
        default:
            return 0x1p-52;
    }
}

double smallest_normal(Scalar scalar) {
    return scalar == Scalar::Float16                                                                ? 0x1p-14
           : scalar == Scalar::BFloat16 || scalar == Scalar::Float32 || scalar == Scalar::Complex64 ? 0x1p-126
                                                                                                    : 0x1p-1022;
}

/// Equal bits, or both not numbers.
bool same_part(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool is_same(const Cell& a, const Cell& b, Scalar scalar, std::size_t size) {
    if (std::memcmp(a.bytes.data(), b.bytes.data(), size) == 0) return true;
    if (!is_rounded(scalar)) return false;
    const Number left = number_of(a, scalar), right = number_of(b, scalar);
    return same_part(left.real(), right.real()) && same_part(left.imag(), right.imag());
}

bool is_finite(const Number& value) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
}

class Comparison {
public:
    Comparison(const Expectation& expected, const Memory& actual, std::size_t at, const Allowance& allowance)
        : expected_(expected),
          allowance_(allowance),
          argument_(expected.memory.description(at)),
          scalar_(argument_.dtype.compound ? Scalar::UInt8 : argument_.dtype.scalar),
          size_(code::size_in_bytes(code::DType(scalar_))),
          left_(expected.memory.blocks[at]),
          right_(actual.blocks[at]) {
        const auto found = expected.exactness.find(argument_.name);
        if (found != expected.exactness.end() && is_rounded(scalar_)) exactness_ = found->second;
        if (allowance.fused && is_rounded(scalar_)) exactness_ = std::max(exactness_, Exactness::Derived);
        if (exactness_ != Exactness::Exact && expected.magnitudes) magnitudes_ = &expected.magnitudes->blocks[at];
    }

    std::optional<Difference> run() {
        if (std::memcmp(left_.data(), right_.data(), left_.size()) == 0) return std::nullopt;
        const std::size_t count = size_ == 0 ? 0 : left_.size() / size_;
        for (std::size_t element = 0; element < count; ++element) {
            const Cell a = load(left_.data() + element * size_, scalar_, size_),
                       b = load(right_.data() + element * size_, scalar_, size_);
            if (is_same(a, b, scalar_, size_) || both_zero(a, b)) continue;
            double bound = 0;
            if (exactness_ != Exactness::Exact) {
                const Number left = number_of(a, scalar_), right = number_of(b, scalar_);
                bound = bound_of(element, left);
                // Beyond the range of the type the order decides what overflows.
                if (!std::isfinite(bound) || !is_finite(left) || std::abs(left - right) <= bound) continue;
            }
            return Difference{argument_.name, element, text_of(a, scalar_), text_of(b, scalar_), bound};
        }
        return std::nullopt;
    }

private:
    bool both_zero(const Cell& a, const Cell& b) const {
        return allowance_.zeros && is_rounded(scalar_) && number_of(a, scalar_) == Number(0) && number_of(b, scalar_) == Number(0);
    }
    double bound_of(std::size_t element, const Number& value) {
        const double epsilon = epsilon_of(scalar_);
        const double size =
            magnitudes_ ? std::abs(number_of(load(magnitudes_->data() + element * size_, scalar_, size_), scalar_)) : 0;
        if (!std::isfinite(size)) return size;
        if (magnitudes_ && exactness_ == Exactness::Reassociated) {
            return 2 * static_cast<double>(expected_.operations + 4) * epsilon * std::max(size, std::abs(value)) +
                   smallest_normal(scalar_);
        }
        return std::sqrt(epsilon) * (largest() + 1);
    }
    double largest() {
        if (!largest_) {
            largest_ = 0;
            for (std::size_t at = 0; at + size_ <= left_.size(); at += size_)
                if (const Number value = number_of(load(left_.data() + at, scalar_, size_), scalar_); is_finite(value))
                    largest_ = std::max(*largest_, std::abs(value));
        }
        return *largest_;
    }

    const Expectation& expected_;
    const Allowance allowance_;
    const driver::Argument& argument_;
    Scalar scalar_;
    std::size_t size_;
    const Block &left_, &right_;
    Exactness exactness_ = Exactness::Exact;
    const Block* magnitudes_ = nullptr;
    std::optional<double> largest_;
};

}  // namespace

std::optional<Difference> first_difference(const Expectation& expected, const Memory& actual, const Allowance& allowance) {
    for (std::size_t at = 0; at < expected.memory.blocks.size(); ++at)
        if (std::optional<Difference> difference = Comparison(expected, actual, at, allowance).run()) return difference;
    return std::nullopt;
}

std::string to_string(const Difference& difference) {
    std::string text =
        fmt::format("{}[{}]: {} instead of {}", difference.argument, difference.element, difference.actual, difference.expected);
    if (difference.bound > 0) text += fmt::format(", further off than {:.3g}", difference.bound);
    return text;
}

std::vector<std::string> elements_in_python(const Memory& memory, const std::string& argument) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < memory.signature.arguments.size(); ++at) {
        const driver::Argument& found = memory.signature.arguments[at];
        if (found.name != argument || !found.dtype.is_scalar()) continue;
        const Scalar scalar = found.dtype.scalar;
        const std::size_t size = code::size_in_bytes(scalar);
        for (std::size_t byte = 0; byte + size <= memory.blocks[at].size(); byte += size) {
            const Cell cell = load(memory.blocks[at].data() + byte, scalar, size);
            texts.push_back(scalar == Scalar::Bool ? (cell.as<bool>() ? "True" : "False") : text_of(cell, scalar));
        }
    }
    return texts;
}

}  // namespace sluice::fuzz
