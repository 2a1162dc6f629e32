// Lists of programs over one memory (heap.h), and the lookup of keys.
#pragma once

#include "heap_numbers.h"
#include "memory.h"

namespace sluice::heap {

inline constexpr int64_t kMost = 2147483647;

/// All elements of a kind, or the places of all rows: its memory stays where it is.
template <class T> struct List {
    Reservation<T> memory;
    T* data;
    int64_t size = 0;

    List() : memory({"a list"}, kMost), data(memory.data()) {}
    void append(const T& value) {
        if (__builtin_expect(size >= kMost, 0)) raise(kMemory);
        data[size++] = value;
    }
    /// Room for so many more; where it begins.
    int64_t enlarge(int64_t count) {
        if (__builtin_expect(count > kMost - size, 0)) raise(kMemory);
        size += count;
        return size - count;
    }
    void extend(const T* from, int64_t count) {
        if (__builtin_expect(count > kMost - size, 0)) raise(kMemory);
        if (count > 0) __builtin_memcpy(static_cast<void*>(data + size), from, size_t(count) * sizeof(T));
        size += count;
    }
};

inline uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}
inline uint64_t hash_of(int64_t key) {
    return mixed(0x51ed270b, uint64_t(key));
}

/// A list of keys, each once, with where each is: open addressing, which follows the list when it is asked.
template <class T> struct Keys : List<T> {
    Buffer<int64_t> slots;
    int64_t room = 0;

    /// The place of the key, and the length of the list where it is not in it.
    int64_t find(const T& key) {
        if (2 * (this->size + 1) > room) grow();
        for (uint64_t at = hash_of(key) & uint64_t(room - 1);; at = (at + 1) & uint64_t(room - 1)) {
            const int64_t place = slots.data()[at];
            if (place == 0) return this->size;
            if (this->data[place - 1] == key) return place - 1;
        }
    }
    void append(const T& key) {
        if (2 * (this->size + 1) > room) grow();
        List<T>::append(key);
        put(key, this->size);
    }

private:
    void put(const T& key, int64_t place) {
        uint64_t at = hash_of(key) & uint64_t(room - 1);
        while (slots.data()[at] != 0) at = (at + 1) & uint64_t(room - 1);
        slots.data()[at] = place;
    }
    void grow() {
        room = room == 0 ? 32 : 4 * room;
        slots.allocate({"keys"}, room, 64, true);
        for (int64_t k = 0; k < this->size; ++k) put(this->data[k], k + 1);
    }
};

}  // namespace sluice::heap
