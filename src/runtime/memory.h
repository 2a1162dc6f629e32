// Buffers of generated code: aligned, freed when their scope is left however it is left, and a Failure when there is no memory.
//
// Freed large blocks are kept and handed out again (up to 1 GiB in 16 blocks), because fresh pages cost more than many programs
// compute: a call in a loop would fault its temporaries in anew every time. They go back to the system when the library is
// unloaded or memory runs out. Huge pages are asked for where a block spans several.
#pragma once

#include "abi.h"
#include "extent.h"

extern "C" {
void* aligned_alloc(size_t, size_t) noexcept __attribute__((malloc));
int madvise(void*, size_t, int) noexcept;
void* mmap(void*, size_t, int, int, int, long) noexcept;
int munmap(void*, size_t) noexcept;
int open(const char*, int, ...);
int close(int);
int flock(int, int) noexcept;
int ftruncate(int, long) noexcept;
int posix_fallocate(int, long, long);
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void)) noexcept;
}

// Compilers that link without the C library's start files for shared libraries say so (packaged_compiler.cpp): what those files do
// when a library is unloaded is to end its statics; otherwise the end of the process would call code that is gone.
#ifdef SLUICE_END_STATICS
extern "C" {
extern void* __dso_handle;
void __cxa_finalize(void*);
__attribute__((destructor, used)) static void sluice_end_statics() {
    __cxa_finalize(&__dso_handle);
}
}
#endif

namespace sluice {

/// A short critical section; waiting threads spin.
class SpinLock {
public:
    void lock() noexcept {
        while (__atomic_test_and_set(&taken_, __ATOMIC_ACQUIRE)) {
            while (__atomic_load_n(&taken_, __ATOMIC_RELAXED)) pause();
        }
    }
    void unlock() noexcept { __atomic_clear(&taken_, __ATOMIC_RELEASE); }
    static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }

private:
    bool taken_ = false;
};

class BlockPool {
public:
    BlockPool() noexcept { pthread_atfork(before_fork, after_fork, after_fork); }
    ~BlockPool() { release(); }

    /// Null if there is no memory.
    void* allocate(size_t bytes, size_t alignment) noexcept {
        if (bytes >= kLarge && alignment <= kHugePage) {
            if (void* kept = take(bytes)) return kept;
        }
        if (void* fresh = from_system(bytes, alignment)) return fresh;
        release();
        return from_system(bytes, alignment);
    }
    void free(void* block, size_t bytes, size_t alignment) noexcept {
        if (bytes < kLarge || alignment > kHugePage || !keep(block, rounded(bytes))) __builtin_free(block);
    }

private:
    // A thread that a child of fork does not have must not hold the lock there.
    static void before_fork() noexcept;
    static void after_fork() noexcept;

    static constexpr size_t kLarge = size_t(1) << 17, kHugePage = size_t(1) << 21, kLimit = size_t(1) << 30;
    static constexpr int kBlocks = 16;

    static size_t rounded(size_t bytes) {
        const size_t unit = bytes >= 2 * kHugePage ? kHugePage : 4096;
        return bytes > SIZE_MAX - unit ? SIZE_MAX : (bytes + unit - 1) / unit * unit;
    }
    static void* from_system(size_t bytes, size_t alignment) noexcept {
        if (bytes < kLarge || alignment > kHugePage) {
            if (bytes > SIZE_MAX - alignment) return nullptr;
            return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        }
        const size_t size = rounded(bytes);
        void* block = aligned_alloc(size >= 2 * kHugePage ? kHugePage : 4096, size);
        constexpr int kAdviseHugePages = 14;
        if (block && size >= 2 * kHugePage) madvise(block, size, kAdviseHugePages);
        return block;
    }
    /// A kept block of exactly this (rounded) size: a larger one would be lost for its own user.
    void* take(size_t bytes) noexcept {
        const size_t size = rounded(bytes);
        lock_.lock();
        void* found = nullptr;
        for (int i = 0; i < kBlocks && !found; ++i) {
            if (blocks_[i] && sizes_[i] == size) {
                found = blocks_[i];
                blocks_[i] = nullptr;
                held_ -= size;
            }
        }
        lock_.unlock();
        return found;
    }
    bool keep(void* block, size_t size) noexcept {
        lock_.lock();
        bool kept = false;
        for (int i = 0; i < kBlocks && !kept && held_ + size <= kLimit; ++i) {
            if (!blocks_[i]) {
                blocks_[i] = block;
                sizes_[i] = size;
                held_ += size;
                kept = true;
            }
        }
        lock_.unlock();
        return kept;
    }
    void release() noexcept {
        lock_.lock();
        for (int i = 0; i < kBlocks; ++i) {
            __builtin_free(blocks_[i]);
            blocks_[i] = nullptr;
        }
        held_ = 0;
        lock_.unlock();
    }

    SpinLock lock_;
    void* blocks_[kBlocks] = {};
    size_t sizes_[kBlocks] = {};
    size_t held_ = 0;
};
inline BlockPool block_pool;
inline void BlockPool::before_fork() noexcept {
    block_pool.lock_.lock();
}
inline void BlockPool::after_fork() noexcept {
    block_pool.lock_.unlock();
}

/// `count` elements on the heap. A failure says what they were for.
template <class T> class Buffer {
public:
    Buffer() = default;
    Buffer(Claim claim, Extent count, size_t alignment = 64, bool zero = false) { allocate(claim, count, alignment, zero); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { free(); }

    void allocate(Claim claim, Extent count, size_t alignment = 64, bool zero = false) {
        free();
        size_t bytes = 0;
        const bool fits = count.fits() && !__builtin_mul_overflow(size_t(count.value()), sizeof(T), &bytes);
        const bool negative = count.fits() && count.value() < 0;
        if (bytes == 0) bytes = 1;
        void* const block = fits && !negative ? block_pool.allocate(bytes, alignment) : nullptr;
        if (!block) throw Failure{negative ? kBadArgument : kOutOfMemory, claim, count.value(), count.fits(), sizeof(T)};
        data_ = static_cast<T*>(block);
        bytes_ = bytes;
        alignment_ = alignment;
        if (zero) __builtin_memset(static_cast<void*>(data_), 0, bytes);
    }
    void free() noexcept {
        if (data_) block_pool.free(data_, bytes_, alignment_);
        data_ = nullptr;
    }
    void swap(Buffer& other) noexcept {
        T* const data = data_;
        const size_t bytes = bytes_, alignment = alignment_;
        data_ = other.data_, bytes_ = other.bytes_, alignment_ = other.alignment_;
        other.data_ = data, other.bytes_ = bytes, other.alignment_ = alignment;
    }
    T* data() const { return data_; }

private:
    T* data_ = nullptr;
    size_t bytes_ = 0, alignment_ = 64;
};

/// Addresses of `count` elements, all 0. Only the pages that are touched take memory.
template <class T> class Reservation {
public:
    Reservation(Claim claim, Extent count, size_t = 64, bool = false) {
        constexpr int kReadWrite = 3, kPrivateAnonymousNoReserve = 0x4022;
        const bool fits = count.fits() && count.value() >= 0 && !__builtin_mul_overflow(size_t(count.value()), sizeof(T), &bytes_);
        void* const block = fits ? mmap(nullptr, bytes_, kReadWrite, kPrivateAnonymousNoReserve, -1, 0) : nullptr;
        if (!block || block == reinterpret_cast<void*>(-1))
            throw Failure{kOutOfMemory, claim, count.value(), count.fits(), sizeof(T)};
        data_ = static_cast<T*>(block);
    }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() { munmap(data_, bytes_); }
    T* data() const { return data_; }

private:
    T* data_ = nullptr;
    size_t bytes_ = 0;
};

/// `count` elements, all 0, in the pages of a file, to which the system writes them where memory is short. What the file held is
/// lost; what the program wrote stays in it. A file that somebody else has mapped this way, or that has no room, is memory that is
/// not there.
template <class T> class MappedFile {
public:
    MappedFile(Claim claim, Extent count, const char* path) {
        const bool negative = count.fits() && count.value() < 0;
        const bool fits = count.fits() && !negative && !__builtin_mul_overflow(long(count.value()), long(sizeof(T)), &bytes_);
        if (bytes_ == 0) bytes_ = 1;
        if (!fits || !map(path)) {
            if (file_ >= 0) close(file_);
            throw Failure{negative ? kBadArgument : kOutOfMemory, claim, count.value(), count.fits(), sizeof(T)};
        }
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile() {
        munmap(data_, size_t(bytes_));
        close(file_);
    }
    T* data() const { return data_; }

private:
    bool map(const char* path) noexcept {
        constexpr int kReadWriteCreateCloseOnExec = 02 | 0100 | 02000000, kExclusiveOrNot = 2 | 4, kReadWrite = 3, kShared = 1;
        file_ = open(path, kReadWriteCreateCloseOnExec, 0666);
        if (file_ < 0 || flock(file_, kExclusiveOrNot) != 0 || ftruncate(file_, 0) != 0 || posix_fallocate(file_, 0, bytes_) != 0)
            return false;
        void* const place = mmap(nullptr, size_t(bytes_), kReadWrite, kShared, file_, 0);
        if (place == reinterpret_cast<void*>(-1)) return false;
        data_ = static_cast<T*>(place);
        return true;
    }
    T* data_ = nullptr;
    long bytes_ = 0;
    int file_ = -1;
};

/// A buffer that a thread keeps from one iteration to the next and that only grows.
template <class T> class ThreadBuffer {
public:
    T* reserve(Claim claim, Extent count, size_t alignment = 64, bool zero = false) {
        if (!buffer_.data() || !count.fits() || count.value() < 0 || count.value() > capacity_) {
            capacity_ = -1;
            buffer_.allocate(claim, count, alignment);
            capacity_ = count.value();
        }
        if (zero && count.value() > 0) __builtin_memset(static_cast<void*>(buffer_.data()), 0, size_t(count.value()) * sizeof(T));
        return buffer_.data();
    }

private:
    Buffer<T> buffer_;
    int64_t capacity_ = -1;
};

}  // namespace sluice
