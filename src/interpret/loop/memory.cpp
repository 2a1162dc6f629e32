#include "interpret/loop/memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "support/diagnostic.h"

namespace sluice::interpret::loops {

namespace {

/// From here on pages come from the system one by one.
constexpr std::size_t kMapped = std::size_t{1} << 20;

}  // namespace

Pages::Pages(std::size_t bytes) : bytes_(bytes), mapped_(bytes >= kMapped) {
    if (bytes == 0) return;
    void* found = mapped_ ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                          : std::calloc(bytes, 1);
    if (!found || found == MAP_FAILED)
        fail({"I009", "there is no memory for " + std::to_string(bytes) + " bytes", {}, {}, "use smaller sizes", {}});
    data_ = static_cast<std::byte*>(found);
}

Pages& Pages::operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    return *this;
}

Pages::~Pages() {
    if (!data_) return;
    if (mapped_)
        munmap(data_, bytes_);
    else
        std::free(data_);
}

void Pages::clear() {
    if (!data_) return;
    if (!mapped_) {
        std::memset(data_, 0, bytes_);
    } else if (madvise(data_, bytes_, MADV_DONTNEED) != 0) {
        std::memset(data_, 0, bytes_);
    }
}

Allocation::~Allocation() {
    if (found_in) found_in->remove(*this);
}

void Allocation::renew(bool zero) {
    if (zero) owned.clear();
    written.clear();
    histories.clear();
    if (zero && watches_writes) std::memset(written.data(), 1, units());
}

Pointer AddressMap::find(std::byte* at) const {
    auto after = all_.upper_bound(at);
    if (after == all_.begin()) return {at, nullptr};
    Allocation* memory = std::prev(after)->second;
    return {at, at < memory->data + memory->bytes ? memory : nullptr};
}

}  // namespace sluice::interpret::loops
