// The processes of MPI, and parts of arrays as it sees them. Compiled by an MPI's compiler (its ABI is its own); nothing of it is
// in programs that send no messages.
#pragma once

#include <dlfcn.h>
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdlib.h>

#include "complex.h"
#include "memory.h"

namespace sluice::mpi {

inline constexpr int64_t kNoRank = -1000;  // of the loop IR
inline constexpr int kMostDimensions = 8;

/// Ends the call with a sentence.
template <class... Values> [[noreturn]] void fail(const char* format, Values... values) {
    static thread_local char sentence[1024];
    __builtin_snprintf(sentence, sizeof sentence, format, values...);
    throw Failure{kMessageFailure, {sentence}};
}
inline void expect(int error, const char* what) {
    if (error == MPI_SUCCESS) return;
    char why[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(error, why, &length);
    fail("%s failed: %s", what, why);
}

// ---- the world ------------------------------------------------------------------------------------------------------------
/// A process that ends in order leaves MPI with the others; one that fails takes them along, because they may wait for it.
inline void leave(int status, void*) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended) return;
    if (status != 0) MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Finalize();
}
inline int64_t number_in(const char* variable) {
    const char* text = getenv(variable);
    return text ? strtoll(text, nullptr, 10) : 0;
}
/// Who started this process says that it is one of many; were it of another MPI, each would think that it is alone.
inline void check_starter(int size) {
    const char* const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (const char* variable : variables)
        if (size == 1 && number_in(variable) > 1)
            fail(
                "this program was compiled for another MPI than the one that started %lld processes: let mpicxx and mpirun be of "
                "one",
                static_cast<long long>(number_in(variable)));
}
inline void start() {
    static bool started = false;
    if (started) return;
    int ended = 0, running = 0;
    MPI_Finalized(&ended);
    if (ended) fail("MPI is over in this process");
    MPI_Initialized(&running);
    if (!running) {
        // Parts of Open MPI that are loaded later look for its functions among those that all see; and what runs when the process
        // ends has to be there still.
        Dl_info info;
        if (dladdr(reinterpret_cast<void*>(&MPI_Init), &info)) dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
        if (dladdr(reinterpret_cast<void*>(&leave), &info)) dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        int level = 0;
        expect(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "the start of MPI");
        on_exit(leave, nullptr);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_starter(size);
    started = true;
}
inline int ranks() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}
inline int rank() {
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    return number;
}

struct Sizes {
    int64_t of[kMostDimensions];
};
/// Ranks that meet each other, numbered from 0.
struct Ranks {
    MPI_Comm all;
    int here, count;

    int checked(int64_t number, const char* what) const {
        if (number < 0 || number >= count) fail("%s is rank %lld of %d", what, static_cast<long long>(number), count);
        return int(number);
    }
};
inline Ranks everybody() {
    return {MPI_COMM_WORLD, rank(), ranks()};
}
/// A group of ranks that has met before.
struct Group {
    int* members;
    Ranks ranks;
    Group* next;
};
inline Group* groups = nullptr;
/// Ranks `first` + the sum of i_d * strides[d], in the order of nested loops. They meet for the first time in a message among them,
/// and make a communicator of their own then.
inline Ranks among(int64_t first, int dims, const Sizes& extents, const Sizes& strides) {
    int64_t count = 1;
    for (int dim = 0; dim < dims; ++dim) count *= extents.of[dim] > 0 ? extents.of[dim] : 0;
    if (count > ranks()) fail("a group of %lld ranks where there are %d", static_cast<long long>(count), ranks());
    auto* members = static_cast<int*>(__builtin_malloc(size_t(count) * sizeof(int) + 1));
    if (!members) throw Failure{kOutOfMemory};
    int here = -1;
    for (int64_t at = 0; at < count; ++at) {
        int64_t member = first, rest = at;
        for (int dim = dims; dim-- > 0; rest /= extents.of[dim]) member += rest % extents.of[dim] * strides.of[dim];
        if (member < 0 || member >= ranks()) fail("rank %lld of a group is none of %d", static_cast<long long>(member), ranks());
        members[at] = int(member);
        if (member == rank()) here = int(at);
    }
    if (here < 0) fail("rank %d speaks among ranks of which it is none", rank());
    for (const Group* known = groups; known; known = known->next)
        if (known->ranks.count == count && __builtin_memcmp(known->members, members, size_t(count) * sizeof(int)) == 0) {
            __builtin_free(members);
            return known->ranks;
        }
    auto* group = static_cast<Group*>(__builtin_malloc(sizeof(Group)));
    if (!group) throw Failure{kOutOfMemory};
    *group = {members, {MPI_COMM_NULL, here, int(count)}, groups};
    MPI_Group world, some;
    expect(MPI_Comm_group(MPI_COMM_WORLD, &world), "a group of ranks");
    expect(MPI_Group_incl(world, int(count), members, &some), "a group of ranks");
    expect(MPI_Comm_create_group(MPI_COMM_WORLD, some, 0, &group->ranks.all), "a group of ranks");
    MPI_Group_free(&some), MPI_Group_free(&world);
    groups = group;
    return group->ranks;
}

// ---- types ----------------------------------------------------------------------------------------------------------------
template <class T> MPI_Datatype type_of() {
    if constexpr (same<T, bool>) return MPI_CXX_BOOL;
    if constexpr (same<T, float>) return MPI_FLOAT;
    if constexpr (same<T, double>) return MPI_DOUBLE;
    if constexpr (same<T, complex<float>>) return MPI_C_FLOAT_COMPLEX;
    if constexpr (same<T, complex<double>>) return MPI_C_DOUBLE_COMPLEX;
    if constexpr (is_integer<T>) {
        constexpr bool is_signed = T(-1) < T(0);
        if constexpr (sizeof(T) == 1) return is_signed ? MPI_INT8_T : MPI_UINT8_T;
        if constexpr (sizeof(T) == 2) return is_signed ? MPI_INT16_T : MPI_UINT16_T;
        if constexpr (sizeof(T) == 4) return is_signed ? MPI_INT32_T : MPI_UINT32_T;
        if constexpr (sizeof(T) == 8) return is_signed ? MPI_INT64_T : MPI_UINT64_T;
    }
}

/// Elements at `first` + the sum of i_d * strides[d], without dimensions that have one element.
template <class T> struct Part {
    T* first;
    int dims = 0;
    int64_t extents[kMostDimensions] = {}, strides[kMostDimensions] = {};

    Part(T* at, int count, const Sizes& sizes, const Sizes& steps) : first(at) {
        for (int dim = 0; dim < count; ++dim) {
            if (sizes.of[dim] == 1) continue;
            extents[dims] = sizes.of[dim] > 0 ? sizes.of[dim] : 0;
            strides[dims++] = steps.of[dim];
        }
    }
    int64_t elements() const {
        int64_t all = 1;
        for (int dim = 0; dim < dims; ++dim) all *= extents[dim];
        return all;
    }
    bool packed() const {
        int64_t step = 1;
        for (int dim = dims; dim-- > 0; step *= extents[dim])
            if (strides[dim] != step) return false;
        return true;
    }
    template <class Visit> void visit(Visit&& each) const {
        int64_t at[kMostDimensions] = {};
        for (int64_t left = elements(), n = 0; n < left; ++n) {
            int64_t offset = 0;
            for (int dim = 0; dim < dims; ++dim) offset += at[dim] * strides[dim];
            each(first[offset], n);
            for (int dim = dims; dim-- > 0;) {
                if (++at[dim] < extents[dim]) break;
                at[dim] = 0;
            }
        }
    }
};
/// What is sent is only read.
template <class T> Part<T> part(const T* first, int dims, const Sizes& sizes, const Sizes& steps) {
    return Part<T>(const_cast<T*>(first), dims, sizes, steps);
}
inline int count_of(int64_t elements) {
    if (elements > 0x7fffffff) fail("a message has %lld elements, more than MPI counts", static_cast<long long>(elements));
    return int(elements);
}

}  // namespace sluice::mpi
