// NumPy's random streams, bit for bit: PCG64 (O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
// for Random Number Generation, 2014; XSL-RR), seeded by SeedSequence (O'Neill, Developing a seed_seq Alternative, 2015), and
// single draws from its distributions. A state is six words: the counter, the increment, high words first, whether half of
// a word is left over, and that half.
#pragma once

#include <stdint.h>

#include "ziggurat.h"

namespace sluice::random {

__extension__ typedef unsigned __int128 uint128_t;

/// Rounded before anything is added to it, as in NumPy, where the CPU could do both at once.
inline double product(double a, double b) {
    const volatile double rounded = a * b;
    return rounded;
}

/// The generator whose state lies at `words`; a draw moves it, and it is written back at the end.
class Pcg64 {
public:
    Pcg64(uint64_t* words, int64_t stride) : words_(words), stride_(stride) {
        state_ = uint128_t(word(0)) << 64 | word(1);
        increment_ = uint128_t(word(2)) << 64 | word(3);
        has_half_ = word(4) != 0;
        half_ = uint32_t(word(5));
    }
    ~Pcg64() {
        word(0) = uint64_t(state_ >> 64);
        word(1) = uint64_t(state_);
        word(4) = has_half_;
        word(5) = half_;
    }
    Pcg64(const Pcg64&) = delete;

    uint64_t next64() {
        step();
        const uint64_t folded = uint64_t(state_ >> 64) ^ uint64_t(state_);
        const unsigned turn = unsigned(state_ >> 122);
        return folded >> turn | folded << (-turn & 63);
    }
    /// The lower half of a word; the upper one is kept for the next call.
    uint32_t next32() {
        if (has_half_) {
            has_half_ = false;
            return half_;
        }
        const uint64_t both = next64();
        has_half_ = true;
        half_ = uint32_t(both >> 32);
        return uint32_t(both);
    }
    /// In [0, 1), a multiple of 2^-53.
    double uniform() { return double(next64() >> 11) * (1.0 / 9007199254740992.0); }

    double normal() {
        for (;;) {
            uint64_t bits = next64();
            const unsigned layer = bits & 0xff;
            bits >>= 8;
            const bool negative = bits & 1;
            const uint64_t size = bits >> 1 & 0x000fffffffffffff;
            const double x = double(size) * kNormalWidth[layer], value = negative ? -x : x;
            if (size < kNormalWithin[layer]) return value;
            if (layer == 0) {
                for (;;) {
                    const double beyond = product(-kNormalTailInverse, __builtin_log1p(-uniform()));
                    const double y = -__builtin_log1p(-uniform());
                    if (y + y > beyond * beyond) return size >> 8 & 1 ? -(kNormalTail + beyond) : kNormalTail + beyond;
                }
            }
            const double above = product(kNormalHeight[layer - 1] - kNormalHeight[layer], uniform());
            if (above + kNormalHeight[layer] < __builtin_exp(-0.5 * x * x)) return value;
        }
    }
    double exponential() {
        for (;;) {
            uint64_t bits = next64() >> 3;
            const unsigned layer = bits & 0xff;
            bits >>= 8;
            const double x = double(bits) * kExponentialWidth[layer];
            if (bits < kExponentialWithin[layer]) return x;
            if (layer == 0) return kExponentialTail - __builtin_log1p(-uniform());
            const double above = product(kExponentialHeight[layer - 1] - kExponentialHeight[layer], uniform());
            if (above + kExponentialHeight[layer] < __builtin_exp(-x)) return x;
        }
    }
    /// In [0, last], each with the same probability (Lemire, Fast Random Integer Generation in an Interval, 2019).
    uint64_t up_to(uint64_t last) {
        if (last == 0) return 0;
        if (last == ~uint64_t(0)) return next64();
        if (last == 0xffffffff) return next32();
        if (last < 0xffffffff) {
            const uint32_t count = uint32_t(last) + 1;
            uint64_t product = uint64_t(next32()) * count;
            if (uint32_t(product) < count)
                for (const uint32_t least = uint32_t(-count) % count; uint32_t(product) < least;)
                    product = uint64_t(next32()) * count;
            return product >> 32;
        }
        const uint64_t count = last + 1;
        uint128_t product = uint128_t(next64()) * count;
        if (uint64_t(product) < count)
            for (const uint64_t least = -count % count; uint64_t(product) < least;) product = uint128_t(next64()) * count;
        return uint64_t(product >> 64);
    }
    /// The same by throwing away draws of as many bits: what a shuffle of a whole array draws.
    uint64_t masked_up_to(uint64_t last) {
        const uint64_t mask = mask_of(last);
        if (last == 0) return 0;
        uint64_t value;
        do value = (last <= 0xffffffff ? next32() : next64()) & mask;
        while (value > last);
        return value;
    }
    static uint64_t mask_of(uint64_t value) { return value == 0 ? 0 : ~uint64_t(0) >> __builtin_clzll(value); }

private:
    uint64_t& word(int64_t at) { return words_[at * stride_]; }
    void step() { state_ = state_ * (uint128_t(2549297995355413924ULL) << 64 | 4865540595714422341ULL) + increment_; }

    uint64_t* words_;
    int64_t stride_;
    uint128_t state_, increment_;
    uint32_t half_;
    bool has_half_;
};

/// Of SeedSequence: words that differ in many bits, whatever the seed.
class Hash {
public:
    explicit Hash(uint32_t constant, uint32_t factor) : constant_(constant), factor_(factor) {}
    uint32_t operator()(uint32_t value) {
        value ^= constant_;
        constant_ *= factor_;
        value *= constant_;
        return value ^ value >> 16;
    }

private:
    uint32_t constant_, factor_;
};

/// The state of default_rng(seed), which is not negative.
template <class Seed> void seed(const Seed* seed, uint64_t* state, int64_t stride) {
    const uint64_t entropy = uint64_t(*seed);
    uint32_t pool[4];
    Hash mixing(0x43b0d7e5, 0x931e8875), drawing(0x8b51f9dd, 0x58f38ded);
    for (int at = 0; at < 4; ++at) pool[at] = mixing(at == 0 ? uint32_t(entropy) : at == 1 ? uint32_t(entropy >> 32) : 0);
    for (int from = 0; from < 4; ++from)
        for (int to = 0; to < 4; ++to) {
            if (from == to) continue;
            const uint32_t mixed = 0xca01f9dd * pool[to] - 0x4973f715 * mixing(pool[from]);
            pool[to] = mixed ^ mixed >> 16;
        }
    uint64_t words[4];
    for (int at = 0; at < 8; ++at) {
        const uint64_t half = drawing(pool[at % 4]);
        words[at / 2] = at % 2 == 0 ? half : words[at / 2] | half << 32;
    }
    const uint128_t start = uint128_t(words[0]) << 64 | words[1];
    const uint128_t increment = (uint128_t(words[2]) << 64 | words[3]) << 1 | 1;
    const auto put = [&](int at, uint128_t value) {
        state[at * stride] = uint64_t(value >> 64);
        state[(at + 1) * stride] = uint64_t(value);
    };
    put(0, increment + start);
    put(2, increment);
    put(4, 0);
    Pcg64(state, stride).next64();
}

}  // namespace sluice::random
