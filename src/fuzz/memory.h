// The memory of a run: one block for each argument of the program, filled from a seed.
#pragma once

#include <cstddef>
#include <vector>

#include "fuzz/test_case.h"
#include "interpret/interpret.h"

namespace sluice::fuzz {

/// Bytes of one argument, aligned for every element type.
class Block {
public:
    explicit Block(std::size_t size = 0) : words_((size + sizeof(Word) - 1) / sizeof(Word)), size_(size) {}
    std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }
    const std::byte* data() const { return reinterpret_cast<const std::byte*>(words_.data()); }
    std::size_t size() const { return size_; }

private:
    struct alignas(64) Word {
        std::byte bytes[64];
    };
    std::vector<Word> words_;
    std::size_t size_;
};

/// The arguments in the order of the signature; symbols are there as 64-bit integers.
struct Memory {
    driver::Signature signature;
    std::vector<Block> blocks;
};

/// Fails with Z002 where an argument is of a kind that cannot be made up (a structure, a stream, a negative extent, more than a few
/// million elements).
Result<Memory> make_memory(const TestCase& test);

interpret::Arguments arguments_of(const TestCase& test, Memory& memory);

}  // namespace sluice::fuzz
