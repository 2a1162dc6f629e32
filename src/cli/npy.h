// NumPy's .npy files: one array each (format versions 1 to 3), C order, native byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "code/dtype.h"

namespace sluice::cli {

/// Storage aligned for any vector type.
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : storage_(size + kAlignment), size_(size) {}

    std::byte* data() {
        const auto at = reinterpret_cast<std::uintptr_t>(storage_.data());
        return storage_.data() + (kAlignment - at % kAlignment) % kAlignment;
    }
    const std::byte* data() const { return const_cast<Buffer*>(this)->data(); }
    std::size_t size() const { return size_; }

private:
    static constexpr std::size_t kAlignment = 64;
    std::vector<std::byte> storage_;
    std::size_t size_ = 0;
};

struct NpyArray {
    code::DType dtype;
    std::vector<std::int64_t> shape;
    Buffer bytes;
};

/// Throws Failure C004: unreadable, malformed, truncated, Fortran order, foreign byte order, or a type that has no counterpart.
NpyArray read_npy(const std::filesystem::path& path);
/// The file's bytes. Throws Failure C004 for types that NumPy does not have.
std::string npy_bytes(const code::DType& dtype, const std::vector<std::int64_t>& shape, const std::byte* data);

}  // namespace sluice::cli
