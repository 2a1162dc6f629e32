#include "fuzz/memory.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "fuzz/random.h"
#include "interpret/numbers.h"
#include "rewrite/edit.h"
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

bool is_untouched(const ir::Sdfg& sdfg, const std::string& name) {
    return sdfg.containers.contains(name) && rewrite::count_accesses(sdfg, name) == 0 && !rewrite::used_in_control(sdfg, name);
}

/// Room for one pointer at least.
std::size_t zeroed_bytes(const driver::Argument& argument, const TestCase& test) {
    std::size_t count = 1;
    for (const symbolic::Expr& extent : argument.shape)
        if (const std::int64_t value = value_of(extent, test); value >= 0 && value < kMostElements)
            count *= static_cast<std::size_t>(value);
    if (count > static_cast<std::size_t>(kMostElements)) fail_unmade(argument, "it is too large");
    return std::max<std::size_t>(count * std::max<std::size_t>(code::size_in_bytes(argument.dtype), 8), 8);
}

std::uint64_t seed_for(const std::string& argument, const TestCase& test) {
    std::uint64_t name = 0;
    for (const char c : argument) name = name * 131 + static_cast<unsigned char>(c);
    return derived_seed(test.inputs, name);
}

Block make_block(const driver::Argument& argument, const TestCase& test) {
    const std::size_t size = code::size_in_bytes(argument.dtype);
    const ir::Container* container = test.sdfg.containers.find(argument.name);
    const bool array = argument.kind == driver::Argument::Kind::Array;
    const bool numbers = size > 0 && !argument.dtype.compound && (!array || std::holds_alternative<ir::Array>(container->kind));
    if (!numbers && is_untouched(test.sdfg, argument.name)) return Block(zeroed_bytes(argument, test));
    if (!numbers) fail_unmade(argument, "it is no array of numbers, but of " + code::to_string(argument.dtype));
    const std::int64_t count = array ? elements_of(argument, *container, test) : 1;
    Block block(static_cast<std::size_t>(count) * size);
    Random random(seed_for(argument.name, test));
    const std::size_t step = size / argument.dtype.lanes;
    for (std::size_t at = 0; at + step <= block.size(); at += step)
        put_scalar(block.data() + at, argument.dtype.scalar, random, test.indices);
    return block;
}

/// Of the members of one structure.
class StructureMaker {
public:
    StructureMaker(const TestCase& test, const driver::Argument& argument, const ir::Structure& structure, Memory& memory)
        : test_(test), argument_(argument), structure_(structure), memory_(memory) {
        for (const auto& [name, value] : test.symbols)
            if (value > 0) limit_ = limit_ == 0 ? value : std::min(limit_, value);
        limit_ = std::max<std::int64_t>(limit_, 1);
        for (const auto& [name, member] : structure.members) longest_ = std::max(longest_, length_of(*member));
    }

    /// The bytes of the struct; its arrays go behind all blocks (their numbers begin at `behind`).
    Block run(std::size_t behind) {
        std::size_t size = 0;
        const auto place = [&](std::size_t bytes, std::size_t alignment) {
            size = (size + alignment - 1) / alignment * alignment;
            size += bytes;
            return size - bytes;
        };
        struct Placed {
            std::string name;
            Scalar scalar;
            std::size_t at;
        };
        std::vector<Placed> scalars;
        for (const auto& [name, member] : structure_.members) {
            const std::string full = argument_.name + "." + name;
            const std::size_t bytes = code::size_in_bytes(member->dtype);
            if (member->dtype.compound || bytes == 0) fail_unmade(argument_, "its member " + name + " is no number");
            if (std::holds_alternative<ir::Scalar>(member->kind)) {
                scalars.push_back({full, member->dtype.scalar, place(bytes, std::min<std::size_t>(bytes, 8))});
                continue;
            }
            if (!std::holds_alternative<ir::Array>(member->kind)) fail_unmade(argument_, "its member " + name + " is no array");
            memory_.links.push_back({memory_.blocks.size(), place(8, 8), behind + arrays.size()});
            arrays.push_back(make_array(full, *member));
        }
        Block block((size + 7) / 8 * 8);
        for (const Placed& each : scalars) {
            Random random(seed_for(each.name, test_));
            put_scalar(block.data() + each.at, each.scalar, random, limit_);
            memory_.fields.push_back({each.name, memory_.blocks.size(), each.at});
        }
        return block;
    }

    std::vector<std::pair<driver::Argument, Block>> arrays = {};

private:
    std::int64_t length_of(const ir::Container& member) const {
        if (!std::holds_alternative<ir::Array>(member.kind)) return 0;
        std::int64_t length = 1;
        for (const symbolic::Expr& extent : member.shape) length *= value_of(extent, test_);
        return length;
    }

    std::pair<driver::Argument, Block> make_array(const std::string& name, const ir::Container& member) const {
        driver::Argument described;
        described.name = name;
        described.dtype = member.dtype;
        described.shape = member.shape;
        described.strides = std::get<ir::Array>(member.kind).strides;
        const std::int64_t length = length_of(member),
                           count = described.strides.empty() ? length : elements_of(described, member, test_);
        if (length < 0 || count > kMostElements) fail_unmade(described, "its extents cannot be");
        const std::size_t size = code::size_in_bytes(member.dtype), step = size / member.dtype.lanes;
        Block block(static_cast<std::size_t>(count) * size);
        Random random(seed_for(name, test_));
        const bool offsets = code::is_integer(member.dtype.scalar) && member.dtype.lanes == 1 && length != longest_ && length > 1;
        for (std::size_t at = 0; at * step < block.size(); ++at) {
            if (!offsets)
                put_scalar(block.data() + at * step, member.dtype.scalar, random, limit_);
            else
                interpret::visit_scalar(member.dtype.scalar, [&]<class T>() {
                    if constexpr (std::is_integral_v<T>)
                        put(block.data() + at * step, static_cast<T>(static_cast<std::int64_t>(at) * longest_ / (length - 1)));
                });
        }
        return {described, std::move(block)};
    }

    const TestCase& test_;
    const driver::Argument& argument_;
    const ir::Structure& structure_;
    Memory& memory_;
    std::int64_t limit_ = 0, longest_ = 0;
};

}  // namespace

Result<Memory> make_memory(const TestCase& test) {
    return capture([&] {
        Memory memory{driver::signature_of(test.sdfg), {}};
        std::vector<Block> behind;
        for (const driver::Argument& argument : memory.signature.arguments) {
            if (argument.kind == driver::Argument::Kind::Symbol) {
                const auto value = test.symbols.find(argument.name);
                if (value == test.symbols.end()) fail_unmade(argument, "the symbol has no value");
                memory.blocks.emplace_back(sizeof value->second);
                put(memory.blocks.back().data(), value->second);
                continue;
            }
            const ir::Container* container = test.sdfg.containers.find(argument.name);
            const auto* structure = container ? std::get_if<ir::Structure>(&container->kind) : nullptr;
            if (!structure || is_untouched(test.sdfg, argument.name)) {
                memory.blocks.push_back(make_block(argument, test));
                continue;
            }
            StructureMaker maker(test, argument, *structure, memory);
            memory.blocks.push_back(maker.run(memory.signature.arguments.size() + behind.size()));
            for (auto& [described, block] : maker.arrays) {
                memory.members.push_back(described);
                behind.push_back(std::move(block));
            }
        }
        for (Block& block : behind) memory.blocks.push_back(std::move(block));
        return memory;
    });
}

namespace {

/// A structure is given to the interpreter member by member.
bool holds_fields(const Memory& memory, std::size_t at) {
    return std::ranges::any_of(memory.links, [&](const Memory::Link& link) { return link.from == at; }) ||
           std::ranges::any_of(memory.fields, [&](const Memory::Field& field) { return field.block == at; });
}

}  // namespace

interpret::Arguments arguments_of(const TestCase& test, Memory& memory) {
    interpret::Arguments arguments;
    for (const auto& [name, value] : test.symbols) arguments.symbols[name] = value;
    for (std::size_t at = 0; at < memory.members.size(); ++at)
        arguments.memory[memory.members[at].name] = memory.blocks[memory.signature.arguments.size() + at].data();
    for (const Memory::Field& field : memory.fields)
        arguments.memory[field.name] = memory.blocks[field.block].data() + field.offset;
    for (std::size_t at = 0; at < memory.signature.arguments.size(); ++at) {
        const driver::Argument& argument = memory.signature.arguments[at];
        if (argument.kind == driver::Argument::Kind::Symbol) continue;
        if (holds_fields(memory, at)) continue;
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
