// SHA-256 (FIPS 180-4), truncated to 128 bits: names of cache entries.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::driver {

class Digest {
public:
    /// Adds a field; its length is part of the digest, so that fields cannot run into each other.
    Digest& field(std::string_view text);
    /// Adds bytes as they are.
    Digest& bytes(std::string_view text);
    /// All 64 hexadecimal digits. The digest is used up.
    std::string hexadecimal();

private:
    void block(const unsigned char* data);
    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> pending_{};
    std::uint64_t length_ = 0;
};

}  // namespace sluice::driver
