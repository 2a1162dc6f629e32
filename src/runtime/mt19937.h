// NumPy's legacy random stream, bit for bit: the Mersenne Twister (Matsumoto and Nishimura, Mersenne Twister: A 623-Dimensionally
// Equidistributed Uniform Pseudo-Random Number Generator, 1998), and single draws as numpy.random.RandomState makes them. A state
// is 627 words: 624 of the generator, the place of the next one, whether a normal draw is left over, and the bits of that draw.
#pragma once

#include <stdint.h>

#include "pcg64.h"

namespace sluice::random {

/// The generator whose state lies at `words`; a draw moves it there.
class Mt19937 {
public:
    Mt19937(uint64_t* words, int64_t stride) : words_(words), stride_(stride) {}
    Mt19937(const Mt19937&) = delete;

    /// The state of RandomState(seed) (Knuth, The Art of Computer Programming 2, 3rd edition, page 106).
    void seed(uint32_t value) {
        for (int64_t at = 0; at < kWords; ++at) {
            word(at) = value;
            value = 1812433253u * (value ^ value >> 30) + uint32_t(at) + 1;
        }
        word(kPlace) = kWords;
        word(kHasNormal) = word(kNormal) = 0;
    }
    uint32_t next32() {
        if (word(kPlace) >= uint64_t(kWords)) {
            for (int64_t at = 0; at < kWords; ++at) twist(at);
            word(kPlace) = 0;
        }
        uint32_t bits = uint32_t(word(int64_t(word(kPlace)++)));
        bits ^= bits >> 11;
        bits ^= bits << 7 & 0x9d2c5680u;
        bits ^= bits << 15 & 0xefc60000u;
        return bits ^ bits >> 18;
    }
    uint64_t next64() {
        const uint64_t high = next32();
        return high << 32 | next32();
    }
    /// In [0, 1), a multiple of 2^-53.
    double uniform() {
        const uint32_t high = next32() >> 5, low = next32() >> 6;
        return (product(high, 67108864.0) + low) / 9007199254740992.0;
    }
    /// Two at a time (Marsaglia and Bray, A Convenient Method for Generating Normal Variables, 1964).
    double normal() {
        if (word(kHasNormal) != 0) {
            word(kHasNormal) = 0;
            const double kept = from_bits(word(kNormal));
            word(kNormal) = 0;
            return kept;
        }
        double x, y, square;
        do {
            x = 2.0 * uniform() - 1.0;
            y = 2.0 * uniform() - 1.0;
            square = product(x, x) + product(y, y);
        } while (square >= 1.0 || square == 0.0);
        const double factor = __builtin_sqrt(-2.0 * __builtin_log(square) / square), kept = factor * x;
        __builtin_memcpy(&word(kNormal), &kept, sizeof kept);
        word(kHasNormal) = 1;
        return factor * y;
    }
    double exponential() { return -__builtin_log(1.0 - uniform()); }
    /// In [0, last], each with the same probability.
    uint64_t up_to(uint64_t last) { return masked_up_to(last); }
    uint64_t masked_up_to(uint64_t last) {
        if (last == 0) return 0;
        const uint64_t mask = Pcg64::mask_of(last);
        uint64_t value;
        do value = (last <= 0xffffffff ? next32() : next64()) & mask;
        while (value > last);
        return value;
    }

private:
    static constexpr int64_t kWords = 624, kPlace = 624, kHasNormal = 625, kNormal = 626;

    uint64_t& word(int64_t at) { return words_[at * stride_]; }
    void twist(int64_t at) {
        const uint32_t joined = (uint32_t(word(at)) & 0x80000000u) | (uint32_t(word((at + 1) % kWords)) & 0x7fffffffu);
        word(at) = uint32_t(word((at + 397) % kWords)) ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfu : 0u);
    }
    static double from_bits(uint64_t bits) {
        double value;
        __builtin_memcpy(&value, &bits, sizeof value);
        return value;
    }

    uint64_t* words_;
    int64_t stride_;
};

/// The state of RandomState(seed).
template <class Seed> void seed_legacy(const Seed* seed, uint64_t* state, int64_t stride) {
    Mt19937(state, stride).seed(uint32_t(*seed));
}

}  // namespace sluice::random
