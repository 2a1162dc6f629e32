// Arguments made up for a program: small symbols, arrays of small whole numbers, so that sums are exact in any order.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "analysis/symbols.h"
#include "interpret/interpret.h"
#include "library/reference.h"

namespace sluice::test {

struct Memory {
    std::map<std::string, std::vector<std::byte>> bytes;
    bool operator==(const Memory&) const = default;
};

/// A number as the type stores it.
template <class Number> void store(std::byte* target, const code::DType& type, Number value) {
    const auto scalar = type.scalar;
    if (scalar == code::Scalar::Float64 || scalar == code::Scalar::Complex128) {
        const auto real = static_cast<double>(value);
        std::memcpy(target, &real, sizeof real);
    } else if (scalar == code::Scalar::Float32 || scalar == code::Scalar::Complex64) {
        const auto real = static_cast<float>(value);
        std::memcpy(target, &real, sizeof real);
    } else if (scalar == code::Scalar::Bool) {
        const bool flag = static_cast<std::int64_t>(value) % 2 != 0;
        std::memcpy(target, &flag, sizeof flag);
    } else {
        const auto whole = static_cast<std::int64_t>(value);
        std::memcpy(target, &whole, std::min(code::size_in_bytes(type), sizeof whole));  // little-endian
    }
}

/// Value of element `at`: 0 .. 6 with a pattern that differs between containers.
inline void fill(std::vector<std::byte>& bytes, const code::DType& type, std::size_t salt) {
    const std::size_t size = code::size_in_bytes(type);
    for (std::size_t at = 0; at < bytes.size() / size; ++at)
        store(bytes.data() + at * size, type, static_cast<std::int64_t>((at * 7 + salt * 3 + (at * at) % 5) % 7));
}
/// Values of a constant.
inline void fill(std::vector<std::byte>& bytes, const ir::Constant& constant) {
    const code::DType& type = constant.container.dtype;
    const std::size_t size = code::size_in_bytes(type);
    for (std::size_t at = 0; at < constant.integers.size(); ++at) store(bytes.data() + at * size, type, constant.integers[at]);
    for (std::size_t at = 0; at < constant.values.size(); ++at) store(bytes.data() + at * size, type, constant.values[at].first);
}

/// Elements that a container occupies with these symbols.
inline std::int64_t extent(const ir::Container& container, const std::map<std::string, std::int64_t>& symbols) {
    std::int64_t size = 1;
    for (const ir::Expr& e : container.shape) size *= symbolic::evaluate(e, symbols).value();
    if (const auto* array = std::get_if<ir::Array>(&container.kind); array && !array->total_size.is_integer(0))
        size = std::max(size, symbolic::evaluate(array->total_size, symbols).value());
    return size;
}

/// The memory after a run of the interpreter. `fixed`: arguments of these names have these values.
inline Result<Memory> run(const ir::Sdfg& sdfg, const std::map<std::string, std::int64_t>& symbols, std::uint64_t seed,
                          const OrderedMap<ir::Constant>& fixed = {}) {
    Memory memory;
    interpret::Arguments arguments;
    std::size_t salt = 0;
    for (const auto& [name, container] : sdfg.containers) {
        if (container.transient) continue;
        auto& bytes = memory.bytes[name];
        bytes.resize(static_cast<std::size_t>(extent(container, symbols)) * code::size_in_bytes(container.dtype));
        fill(bytes, container.dtype, std::hash<std::string>{}(name) % 17 + salt);
        if (const ir::Constant* constant = fixed.find(name)) fill(bytes, *constant);
        arguments.memory[name] = bytes.data();
    }
    for (const auto& [name, value] : symbols) arguments.symbols[name] = value;
    const auto report = interpret::interpret(
        sdfg, arguments, {.seed = seed, .strict = true, .step_limit = 10'000'000, .library = library::meaning_of});
    if (!report) return report.error();
    return memory;
}

/// A value for every symbol that the program asks for: given, or small and different from the others.
inline std::map<std::string, std::int64_t> symbol_values(const ir::Sdfg& sdfg, const std::map<std::string, std::int64_t>& given) {
    std::map<std::string, std::int64_t> values = given;
    std::int64_t next = 5;
    for (const std::string& name : analysis::argument_order(sdfg))
        if (!sdfg.containers.contains(name) && values.emplace(name, next).second) next += 2;
    return values;
}

}  // namespace sluice::test
