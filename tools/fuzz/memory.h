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

/// The arguments in the order of the signature; symbols are there as 64-bit integers. Then the arrays of structures, whose blocks
/// hold null where a pointer belongs.
struct Memory {
    driver::Signature signature;
    std::vector<Block> blocks;
    std::vector<driver::Argument> members = {};  ///< `csr.indptr`: what the blocks behind the arguments' are.
    struct Link {
        std::size_t from = 0, offset = 0, to = 0;
    };
    std::vector<Link> links = {};  ///< Blocks that hold the address of another at an offset.
    struct Field {
        std::string name;
        std::size_t block = 0, offset = 0;
    };
    std::vector<Field> fields = {};  ///< `csr.rows`: scalars of structures.

    const driver::Argument& description(std::size_t at) const {
        return at < signature.arguments.size() ? signature.arguments[at] : members[at - signature.arguments.size()];
    }
};

/// Integers of a structure lie in [0, m), m being the smallest of the symbols; one of its integer arrays that is no array like the
/// longest of them rises from 0 to the length of that one, as the offsets of compressed rows do. An argument that the graph does
/// not touch is zero. Fails with Z002 where an argument is of a kind that cannot be made up (a stream, an array of containers, a
/// negative extent, more than a few million elements).
Result<Memory> make_memory(const TestCase& test);

interpret::Arguments arguments_of(const TestCase& test, Memory& memory);

}  // namespace sluice::fuzz
