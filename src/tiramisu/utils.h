// For programs that call generated functions: buffers of Halide filled, printed and compared. A comparison that fails ends the
// program.
#pragma once

#include <Halide.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

#include "tiramisu/debug.h"

namespace tiramisu::detail {

/// Calls f(x, y, z) for each element; dimensions that a buffer has not are 0.
template <class T, class F> void for_each_element(const Halide::Buffer<T>& of, F f) {
    for (int z = 0; z < of.channels(); ++z)
        for (int y = 0; y < of.height(); ++y)
            for (int x = 0; x < of.width(); ++x) f(x, y, z);
}

template <class T> auto printable(T value) {
    if constexpr (sizeof(T) == 1)
        return static_cast<int>(value);
    else
        return value;
}

/// Ends the program unless all elements are within the distance.
template <class T>
void expect_near(const std::string& test, const Halide::Buffer<T>& result, const Halide::Buffer<T>& expected, double distance) {
    for_each_element(result, [&](int x, int y, int z) {
        const T got = result(x, y, z), wanted = expected(x, y, z);
        const bool near =
            distance == 0 ? got == wanted : std::abs(static_cast<double>(got) - static_cast<double>(wanted)) <= distance;
        if (near) return;
        std::cerr << "Test " << test << " failed. At (" << x << ", " << y << ", " << z << "), expected: " << printable(wanted)
                  << ", got: " << printable(got) << std::endl;
        std::exit(1);
    });
    std::cout << "Test " << test << " succeeded.\n";
}

}  // namespace tiramisu::detail

template <class T> void init_buffer(Halide::Buffer<T>& buffer, T value) {
    tiramisu::detail::for_each_element(buffer, [&](int x, int y, int z) { buffer(x, y, z) = value; });
}
template <class T> void init_2D_buffer_interleaving(Halide::Buffer<T>& buffer, T even, T odd) {
    for (int y = 0; y < buffer.height(); ++y)
        for (int x = 0; x < buffer.width(); ++x) buffer(x, y) = y % 2 == 0 ? even : odd;
}
template <class T> void copy_buffer(const Halide::Buffer<T>& from, Halide::Buffer<T>& to) {
    tiramisu::detail::for_each_element(from, [&](int x, int y, int z) { to(x, y, z) = from(x, y, z); });
}
template <class T> void print_buffer(const Halide::Buffer<T>& buffer) {
    tiramisu::detail::for_each_element(buffer, [&](int x, int y, int z) {
        std::cout << tiramisu::detail::printable(buffer(x, y, z)) << (x + 1 < buffer.width() ? ", " : "\n");
    });
}
template <class T>
void compare_buffers(const std::string& test, const Halide::Buffer<T>& result, const Halide::Buffer<T>& expected) {
    tiramisu::detail::expect_near(test, result, expected, 0);
}
template <class T> void compare_buffers_approximately(const std::string& test, const Halide::Buffer<T>& result,
                                                      const Halide::Buffer<T>& expected, float threshold = 0.1F) {
    tiramisu::detail::expect_near(test, result, expected, threshold);
}
template <class T>
void compare_4D_buffers(const std::string& test, const Halide::Buffer<T>& result, const Halide::Buffer<T>& expected, int box) {
    for (int n = 0; n < result.extent(3); ++n)
        for (int z = 0; z < result.extent(2); ++z)
            for (int y = 0; y < result.extent(1) - box; ++y)
                for (int x = 0; x < result.extent(0) - box; ++x)
                    if (result(x, y, z, n) != expected(x, y, z, n)) ERROR("Test " + test + " failed.", true);
}
inline void print_test_results(const std::string& test, bool success) {
    if (!success) ERROR("Test " + test + " failed.", true);
    std::cout << "Test " << test << " succeeded.\n";
}

class tiramisu_timer {
public:
    std::chrono::time_point<std::chrono::system_clock> start_timing, end_timing;
    void start() { start_timing = std::chrono::system_clock::now(); }
    void stop() { end_timing = std::chrono::system_clock::now(); }
    void print(const std::string& name) const {
        std::cout << name << ": " << std::chrono::duration_cast<std::chrono::microseconds>(end_timing - start_timing).count()
                  << " micro-seconds\n";
    }
};
