// Programs over one memory (frontend/python/heap.h): how deep their calls go, what they are given and how results leave.
#pragma once

#include "heap_arrays.h"
#include "heap_lists.h"
#include "heap_numbers.h"
#include "heap_texts.h"
#include "interruption.h"

namespace sluice::heap {

/// Counts calls that may call themselves: Python, which has room for 1000 (sys.getrecursionlimit), decides what deeper ones are.
struct Depth {
    int64_t& depth;
    explicit Depth(int64_t& of) : depth(of) {
        if (__builtin_expect(++depth > 900, 0)) {
            --depth;
            raise(kDepth);
        }
    }
    Depth(const Depth&) = delete;
    ~Depth() { --depth; }
};

// ---- arguments and results
// -----------------------------------------------------------------------------------------------------------------
/// What is given, as a row of integers and one of floats: objects as they are met, each behind -1, later its number.
struct Given {
    const int64_t* whole = nullptr;
    const double* real = nullptr;
    List<int64_t> rows, forms;  ///< Of objects, and the form of those that may change, or -1.

    int64_t next() { return *whole++; }
    double next_real() { return *real++; }
    void note(int64_t row, int64_t form) { rows.append(row), forms.append(form); }
    /// An object that was met before, where it may not change.
    int64_t again(int64_t known, int64_t form) {
        if (form >= 0) forms.data[known] = form;
        return rows.data[known];
    }
};

/// What is returned, as one row of integers and one of floats, in memory of the caller's. An object is written where it is met
/// first, behind -1; later its number among those that were.
struct Writer {
    int64_t* whole;
    double* real;
    int64_t wholes = 0, reals = 0;
    Keys<int64_t> seen;

    Writer(int64_t* integers, double* floats) : whole(integers), real(floats) {}
    void put(int64_t value) {
        if (__builtin_expect(wholes >= kMost, 0)) raise(kMemory);
        whole[wholes++] = value;
    }
    void put(bool value) { put(int64_t(value)); }
    void put(double value) {
        if (__builtin_expect(reals >= kMost, 0)) raise(kMemory);
        real[reals++] = value;
    }
    void put(const Open& value) {
        put(value.is_real);
        value.is_real ? put(value.real) : put(value.whole);
    }
    void put(const Scalar& value) {
        put(value.of_numpy);
        put(static_cast<const Open&>(value));
    }
    /// Whether the contents of the object have to follow.
    bool is_new(int64_t object) {
        const int64_t place = seen.find(object);
        if (place < seen.size) {
            put(place);
            return false;
        }
        seen.append(object);
        put(int64_t(-1));
        return true;
    }
};

}  // namespace sluice::heap
