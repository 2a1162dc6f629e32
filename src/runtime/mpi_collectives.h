// What all ranks carry out together: the collectives of the loop IR.
#pragma once

#include "mpi_world.h"

namespace sluice::mpi {

/// The elements of a part one after the other: where they stand if they do, else in a copy.
template <class T> class Packed {
public:
    Packed(const Part<T>& part, bool filled) : part_(part), at_(part.first) {
        if (part.packed()) return;
        copy_ = static_cast<T*>(__builtin_malloc(size_t(part.elements()) * sizeof(T) + 1));
        if (!copy_) throw Failure{kOutOfMemory};
        at_ = copy_;
        if (filled) part.visit([&](const T& element, int64_t n) { copy_[n] = element; });
    }
    Packed(const Packed&) = delete;
    ~Packed() { __builtin_free(copy_); }
    T* data() const { return at_; }
    void put_back() const {
        if (copy_) part_.visit([&](T& element, int64_t n) { element = copy_[n]; });
    }

private:
    const Part<T>& part_;
    T *at_, *copy_ = nullptr;
};

inline void barrier(const Ranks& among) {
    expect(MPI_Barrier(among.all), "a barrier");
}
template <class T> void broadcast(const Ranks& among, const Part<T>& part, int64_t root) {
    const int from = among.checked(root, "the root of a broadcast");
    const Packed<T> all(part, among.here == from);
    expect(MPI_Bcast(all.data(), count_of(part.elements()), type_of<T>(), from, among.all), "a broadcast");
    if (among.here != from) all.put_back();
}
inline void expect_elements(const Ranks& among, bool fit, const char* what, int64_t part, int64_t result) {
    if (!fit)
        fail("%s among %d ranks has parts of %lld and results of %lld elements", what, among.count, static_cast<long long>(part),
             static_cast<long long>(result));
}
template <class T> void reduce(const Ranks& among, const Part<T>& part, const Part<T>& result, MPI_Op op, int64_t root) {
    const int to = among.checked(root, "the root of a reduction");
    const bool here = among.here == to;
    if (here) expect_elements(among, part.elements() == result.elements(), "a reduction", part.elements(), result.elements());
    const Packed<T> mine(part, true), all(result, false);
    expect(MPI_Reduce(mine.data(), all.data(), count_of(part.elements()), type_of<T>(), op, to, among.all), "a reduction");
    if (here) all.put_back();
}
template <class T> void all_reduce(const Ranks& among, const Part<T>& part, const Part<T>& result, MPI_Op op) {
    expect_elements(among, part.elements() == result.elements(), "a reduction", part.elements(), result.elements());
    const Packed<T> mine(part, true), all(result, false);
    expect(MPI_Allreduce(mine.data(), all.data(), count_of(part.elements()), type_of<T>(), op, among.all), "a reduction");
    all.put_back();
}
template <class T> void scatter(const Ranks& among, const Part<T>& part, const Part<T>& result, int64_t root) {
    const int from = among.checked(root, "the root of a scatter");
    const bool here = among.here == from;
    const int count = count_of(result.elements());
    if (here) expect_elements(among, part.elements() == among.count * result.elements(), "a scatter", part.elements(), count);
    const Packed<T> all(part, here), mine(result, false);
    expect(MPI_Scatter(all.data(), count, type_of<T>(), mine.data(), count, type_of<T>(), from, among.all), "a scatter");
    mine.put_back();
}
template <class T> void gather(const Ranks& among, const Part<T>& part, const Part<T>& result, int64_t root) {
    const int to = among.checked(root, "the root of a gather");
    const bool here = among.here == to;
    const int count = count_of(part.elements());
    if (here) expect_elements(among, result.elements() == among.count * part.elements(), "a gather", count, result.elements());
    const Packed<T> mine(part, true), all(result, false);
    expect(MPI_Gather(mine.data(), count, type_of<T>(), all.data(), count, type_of<T>(), to, among.all), "a gather");
    if (here) all.put_back();
}
template <class T> void all_gather(const Ranks& among, const Part<T>& part, const Part<T>& result) {
    const int count = count_of(part.elements());
    expect_elements(among, result.elements() == among.count * part.elements(), "a gather", count, result.elements());
    const Packed<T> mine(part, true), all(result, false);
    expect(MPI_Allgather(mine.data(), count, type_of<T>(), all.data(), count, type_of<T>(), among.all), "a gather");
    all.put_back();
}
template <class T> void all_to_all(const Ranks& among, const Part<T>& part, const Part<T>& result) {
    expect_elements(among, part.elements() == result.elements() && part.elements() % among.count == 0, "an exchange",
                    part.elements(), result.elements());
    const int count = count_of(part.elements() / among.count);
    const Packed<T> mine(part, true), all(result, false);
    expect(MPI_Alltoall(mine.data(), count, type_of<T>(), all.data(), count, type_of<T>(), among.all), "an exchange");
    all.put_back();
}

/// A whole that is cut into a grid of blocks, one for each rank, row by row.
struct Blocks {
    int dims;
    int64_t whole[kMostDimensions], block[kMostDimensions], grid[kMostDimensions];
    int64_t elements = 1;  ///< Of a block.
    int64_t count = 1;     ///< Of all blocks.

    Blocks(const Ranks& among, int rank, const Sizes& of_whole, const Sizes& of_block, const char* what) : dims(rank) {
        for (int dim = 0; dim < dims; ++dim) {
            whole[dim] = of_whole.of[dim], block[dim] = of_block.of[dim];
            grid[dim] = block[dim] > 0 && whole[dim] % block[dim] == 0 ? whole[dim] / block[dim] : 0;
            count *= grid[dim];
            elements *= block[dim];
        }
        if (count == among.count) return;
        char text[256];
        int length = 0;
        for (int dim = 0; dim < dims && length < 200; ++dim)
            length += __builtin_snprintf(text + length, sizeof text - size_t(length), "%s%lld / %lld", dim ? ", " : "",
                                         static_cast<long long>(whole[dim]), static_cast<long long>(block[dim]));
        fail("%s cuts %s into a grid of blocks that are not as many as the %d ranks", what, text, among.count);
    }
    /// Copies between a whole and all blocks, one behind the other.
    template <class T> void move(T* all, T* blocks, bool cut) const {
        for (int64_t number = 0, n = 0; number < count; ++number) {
            int64_t first = 0, rest = number, step = 1;
            for (int dim = dims; dim-- > 0; rest /= grid[dim], step *= whole[dim]) first += rest % grid[dim] * block[dim] * step;
            int64_t at[kMostDimensions] = {};
            for (int64_t left = 0; left < elements; ++left, ++n) {
                int64_t place = 0;
                for (int dim = 0; dim < dims; ++dim) place = place * whole[dim] + at[dim];
                cut ? blocks[n] = all[first + place] : all[first + place] = blocks[n];
                for (int dim = dims; dim-- > 0;) {
                    if (++at[dim] < block[dim]) break;
                    at[dim] = 0;
                }
            }
        }
    }
};
template <class T> Part<T> row(T* first, int64_t elements) {
    return Part<T>(first, 1, {{elements}}, {{1}});
}
/// Elements that live as long as a call.
template <class T> class Room {
public:
    explicit Room(int64_t elements) : data_(static_cast<T*>(__builtin_malloc(size_t(elements) * sizeof(T) + 1))) {
        if (!data_) throw Failure{kOutOfMemory};
    }
    Room(const Room&) = delete;
    ~Room() { __builtin_free(data_); }
    T* data() const { return data_; }

private:
    T* data_;
};
template <class T> void scatter_blocks(const Ranks& among, const Part<T>& part, const Part<T>& result, int dims, const Sizes& whole,
                                       const Sizes& block, int64_t root) {
    const int from = among.checked(root, "the root of a scatter of blocks");
    const Blocks blocks(among, dims, whole, block, "a scatter of blocks");
    const bool here = among.here == from;
    const Room<T> cut(here ? part.elements() : 1);
    if (here) blocks.move(Packed<T>(part, true).data(), cut.data(), true);
    scatter(among, row(cut.data(), part.elements()), result, root);
}
template <class T> void gather_blocks(const Ranks& among, const Part<T>& part, const Part<T>& result, int dims, const Sizes& block,
                                      const Sizes& whole, int64_t root) {
    const int to = among.checked(root, "the root of a gather of blocks");
    const Blocks blocks(among, dims, whole, block, "a gather of blocks");
    const bool here = among.here == to;
    const Room<T> cut(here ? result.elements() : 1);
    gather(among, part, row(cut.data(), result.elements()), root);
    if (!here) return;
    const Packed<T> all(result, false);
    blocks.move(all.data(), cut.data(), false);
    all.put_back();
}

}  // namespace sluice::mpi
