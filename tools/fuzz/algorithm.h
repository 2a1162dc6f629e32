// Random pure algorithms of schedule/: affine domains, reads, updates, recurrences, indices that data decide; and what they
// compute, by loops over their points that share nothing with the compiler.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule/schedule.h"

#include "fuzz/random.h"

namespace sluice::fuzz {

using Coordinates = std::vector<std::int64_t>;

/// `iterator * sign + offset + size * N`, or `min(max(at[iterator], 0), N - 1)`.
struct AlgorithmIndex {
    int iterator = -1;  ///< None: a constant.
    int sign = 1, offset = 0, size = 0;
    bool by_data = false;
};
struct AlgorithmRead {
    std::string of;
    int factor = 1;
    std::vector<AlgorithmIndex> indices;
};
/// `lower <= iterator < N + upper`; a triangle ends at the iterator before instead, which it reaches.
struct AlgorithmIterator {
    std::string name;
    int lower = 0, upper = 0;
    bool triangle = false;
};
struct AlgorithmComputation {
    std::string name;
    std::vector<AlgorithmIterator> iterators;
    std::vector<AlgorithmRead> reads;
    int constant = 0;
    int modulus = 1;  ///< Only where the last iterator is a multiple of it.
    /// Of an update: the target, by which iterators it is found, and how values combine.
    int target = -1;
    std::vector<int> element = {};
    std::string operation = {};
    /// Its value `distance` iterations earlier is added, where there is one.
    int recurrence = -1, distance = 1;
    bool extended = false;  ///< Others read up to two points behind its domain.
};

class Algorithm {
public:
    /// With an input `x` of two dimensions, `y` of one and `at` of integers.
    explicit Algorithm(Random& random);

    const std::vector<AlgorithmComputation>& computations() const { return computations_; }
    /// In Python.
    std::vector<std::string> text() const;
    /// The function's computations, in this order.
    std::vector<schedule::Computation> declare(schedule::Function& function) const;
    /// All values of a computation, updates included, for a size.
    std::map<Coordinates, double> values(std::size_t computation, std::int64_t n) const;

    static double x(std::int64_t i, std::int64_t j) { return static_cast<double>((i * 7 + j * 3) % 11 - 5); }
    static double y(std::int64_t i) { return static_cast<double>((i * 5) % 7 - 3); }
    static std::int64_t at(std::int64_t i, std::int64_t n) { return (i * 3 + 1) % (n + 2) - 1; }
    /// Extents of inputs are larger than N by so much.
    static constexpr int kMargin = 8;

private:
    AlgorithmComputation plain(Random& random, std::size_t number) const;
    AlgorithmComputation update(Random& random, std::size_t number) const;
    void read_something(Random& random, AlgorithmComputation& made) const;
    std::string value_text(const AlgorithmComputation& of) const;
    std::vector<schedule::Var> vars(const AlgorithmComputation& of) const;

    std::vector<AlgorithmComputation> computations_;
};

}  // namespace sluice::fuzz
