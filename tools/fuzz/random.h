// Random numbers that are the same on every platform for a seed: splitmix64 (Steele, Lea, Flood, OOPSLA'14).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::fuzz {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// 0 .. bound - 1.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
    /// Both ends included.
    int between(int least, int most) { return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1))); }
    bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
    template <class T> const T& pick(const std::vector<T>& from) { return from[below(from.size())]; }

private:
    std::uint64_t state_;
};

/// An independent seed for the part `index` of whatever `seed` is for.
inline std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t index) {
    return Random(seed + 0x632be59bd9b4e019u * (index + 1)).next();
}

}  // namespace sluice::fuzz
