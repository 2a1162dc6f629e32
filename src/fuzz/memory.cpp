#include "fuzz/memory.h"

#include <cmath>
#include <complex>
#include <cstring>

#include "fuzz/random.h"
#include "symbolic/expr.h"

namespace sluice::fuzz {

namespace {

using code::Scalar;

constexpr std::int64_t kMostElements = 1 << 22;

[[noreturn]] void fail_unmade(const driver::Argument& argument, const std::string& why) {
    fail({"Z002",
          "no values can be made up for the argument " + argument.name + ": " + why,
          {},
          {},
          "give smaller values to the symbols, or pass arrays and scalars of numbers",
          {}});
}

/// A multiple of 1/4 of small magnitude: sums and products of a few are exact in every type but the 8-bit ones.
double small_real(Random& random) {
    return 0.25 * random.between(-16, 16);
}

/// `indices`: as in TestCase.
std::int64_t some_integer(Random& random, std::int64_t indices) {
    if (indices > 0) return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(indices)));
    return random.chance(4) ? static_cast<std::int64_t>(random.next()) : random.between(-9, 9);
}

template <class T> void put(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

std::uint16_t bfloat_bits(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<std::uint16_t>(bits >> 16);
}

void put_scalar(std::byte* at, Scalar scalar, Random& random, std::int64_t indices) {
    switch (scalar) {
        case Scalar::Bool:
            return put(at, random.chance(50));
        case Scalar::Int8:
        case Scalar::UInt8:
            return put(at, static_cast<std::int8_t>(some_integer(random, indices)));
        case Scalar::Int16:
        case Scalar::UInt16:
            return put(at, static_cast<std::int16_t>(some_integer(random, indices)));
        case Scalar::Int32:
        case Scalar::UInt32:
            return put(at, static_cast<std::int32_t>(some_integer(random, indices)));
        case Scalar::Int64:
        case Scalar::UInt64:
            return put(at, some_integer(random, indices));
        case Scalar::BFloat16:
            return put(at, bfloat_bits(static_cast<float>(small_real(random))));
        case Scalar::Float16:
            return put(at, static_cast<_Float16>(small_real(random)));
        case Scalar::Float32:
            return put(at, static_cast<float>(small_real(random)));
        case Scalar::Float64:
            return put(at, small_real(random));
        case Scalar::Complex64:
        case Scalar::Complex128: {
            const double real = small_real(random), imaginary = small_real(random);
            if (scalar == Scalar::Complex64)
                return put(at, std::complex<float>(static_cast<float>(real), static_cast<float>(imaginary)));
            return put(at, std::complex<double>(real, imaginary));
        }
        case Scalar::Float8E4M3:
        case Scalar::Float8E5M2:
            return put(at, static_cast<std::uint8_t>(random.below(0x40)));
        case Scalar::Void:
        case Scalar::String:
            return;
    }
}

std::int64_t value_of(const symbolic::Expr& e, const TestCase& test) {
    return symbolic::evaluate(e, test.symbols).or_fail();
}

/// Elements from the first to the last that the descriptor can reach.
std::int64_t elements_of(const driver::Argument& argument, const ir::Container& container, const TestCase& test) {
    std::int64_t reach = 1, count = 1;
    for (std::size_t d = 0; d < argument.shape.size(); ++d) {
        const std::int64_t extent = value_of(argument.shape[d], test);
        if (extent < 0) fail_unmade(argument, "its extent " + symbolic::to_string(argument.shape[d]) + " is negative");
        count *= extent;
        reach += (extent - 1) * value_of(argument.strides[d], test);
        if (std::max(count, reach) > kMostElements) fail_unmade(argument, "it is too large");
    }
    std::int64_t total = count == 0 ? 0 : std::max(count, reach);
    if (const auto* array = std::get_if<ir::Array>(&container.kind)) {
        total = std::max(total, value_of(array->total_size, test));
        if (count > 0) total = std::max(total, reach + value_of(array->start_offset, test));
    }
    if (total > kMostElements) fail_unmade(argument, "it is too large");
    return total;
}

Block make_block(const driver::Argument& argument, const TestCase& test) {
    const std::size_t size = code::size_in_bytes(argument.dtype);
    if (size == 0 || argument.dtype.compound) fail_unmade(argument, "its type is " + code::to_string(argument.dtype));
    std::int64_t count = 1;
    if (argument.kind == driver::Argument::Kind::Array) {
        const ir::Container& container = test.sdfg.containers.at(argument.name);
        if (!std::holds_alternative<ir::Array>(container.kind)) fail_unmade(argument, "it is no array of numbers");
        count = elements_of(argument, container, test);
    }
    Block block(static_cast<std::size_t>(count) * size);
    std::uint64_t name = 0;
    for (const char c : argument.name) name = name * 131 + static_cast<unsigned char>(c);
    Random random(derived_seed(test.inputs, name));
    const std::size_t step = size / argument.dtype.lanes;
    for (std::size_t at = 0; at + step <= block.size(); at += step)
        put_scalar(block.data() + at, argument.dtype.scalar, random, test.indices);
    return block;
}

}  // namespace

Result<Memory> make_memory(const TestCase& test) {
    return capture([&] {
        Memory memory{driver::signature_of(test.sdfg), {}};
        for (const driver::Argument& argument : memory.signature.arguments) {
            if (argument.kind == driver::Argument::Kind::Symbol) {
                const auto value = test.symbols.find(argument.name);
                if (value == test.symbols.end()) fail_unmade(argument, "the symbol has no value");
                memory.blocks.emplace_back(sizeof value->second);
                put(memory.blocks.back().data(), value->second);
            } else {
                memory.blocks.push_back(make_block(argument, test));
            }
        }
        return memory;
    });
}

interpret::Arguments arguments_of(const TestCase& test, Memory& memory) {
    interpret::Arguments arguments;
    for (const auto& [name, value] : test.symbols) arguments.symbols[name] = value;
    for (std::size_t at = 0; at < memory.blocks.size(); ++at) {
        const driver::Argument& argument = memory.signature.arguments[at];
        if (argument.kind == driver::Argument::Kind::Symbol) continue;
        if (test.sdfg.containers.contains(argument.name)) {
            arguments.memory[argument.name] = memory.blocks[at].data();
            continue;
        }
        // A symbol that is no integer.
        double value = 0;
        std::memcpy(&value, memory.blocks[at].data(), std::min(memory.blocks[at].size(), sizeof value));
        if (argument.dtype == code::DType(Scalar::Float32)) {
            float narrow = 0;
            std::memcpy(&narrow, memory.blocks[at].data(), sizeof narrow);
            value = narrow;
        }
        arguments.symbols[argument.name] = value;
    }
    return arguments;
}

}  // namespace sluice::fuzz
