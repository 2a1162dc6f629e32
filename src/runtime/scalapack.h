// Products on a grid of ranks by ScaLAPACK's PBLAS, which is loaded when the program runs: there is one for each MPI.
#pragma once

#include "mpi_world.h"

namespace sluice::mpi {

class Scalapack {
public:
    static const Scalapack& loaded() {
        static const Scalapack only;
        return only;
    }
    template <class F> F function(const char* name) const {
        void* found = dlsym(library_, name);
        if (!found) fail("%s has no function %s", name_, name);
        return reinterpret_cast<F>(found);
    }

private:
    Scalapack() {
#ifdef OPEN_MPI
        const char* const names[] = {"libscalapack-openmpi.so", "libscalapack-openmpi.so.2.2", "libscalapack.so"};
        const char* const package = "libscalapack-openmpi-dev";
#else
        const char* const names[] = {"libscalapack-mpich.so", "libscalapack-mpich.so.2.2", "libscalapack.so"};
        const char* const package = "libscalapack-mpich-dev";
#endif
        for (const char* name : names)
            if ((library_ = dlopen(name_ = name, RTLD_NOW | RTLD_LOCAL))) return;
        fail("ScaLAPACK is not installed (on Debian the package %s); the expansion Messages needs none", package);
    }
    void* library_ = nullptr;
    const char* name_ = nullptr;
};

/// A context of BLACS in which ranks are numbered along the columns of a rows x columns grid, made once for each size.
inline int blacs_context(int rows, int columns) {
    struct Known {
        int rows, columns, context;
        Known* next;
    };
    static Known* known = nullptr;
    for (const Known* one = known; one; one = one->next)
        if (one->rows == rows && one->columns == columns) return one->context;
    const Scalapack& library = Scalapack::loaded();
    int context = 0;
    library.function<void (*)(int, int, int*)>("Cblacs_get")(-1, 0, &context);
    library.function<void (*)(int*, const char*, int, int)>("Cblacs_gridinit")(&context, "Col", rows, columns);
    auto* one = static_cast<Known*>(__builtin_malloc(sizeof(Known)));
    if (!one) throw Failure{kOutOfMemory};
    *one = {rows, columns, context, known};
    known = one;
    return context;
}

/// A matrix in blocks as PBLAS sees it: size, block, distance of columns.
struct Descriptor {
    int words[9];
    Descriptor(int context, int64_t rows, int64_t columns, int64_t block_rows, int64_t block_columns, int64_t distance)
        : words{1,
                context,
                count_of(rows),
                count_of(columns),
                count_of(block_rows),
                count_of(block_columns),
                0,
                0,
                count_of(distance > block_rows ? distance : block_rows)} {}
};
template <class T> const char* name_of_product() {
    if constexpr (same<T, float>) return "psgemm_";
    if constexpr (same<T, double>) return "pdgemm_";
    if constexpr (same<T, complex<float>>) return "pcgemm_";
    if constexpr (same<T, complex<double>>) return "pzgemm_";
}

/// c = a @ b for blocks on a rows x columns grid of ranks; the distance between rows follows each block's sizes, 0 rows stand for a
/// vector. PBLAS has columns one after the other where our rows are: it computes c^T = b^T @ a^T on the columns x rows grid.
template <class T> void multiply_on_grid(int64_t rows, int64_t columns, const T* a, int64_t a_rows, int64_t a_columns,
                                         int64_t a_distance, const T* b, int64_t b_rows, int64_t b_columns, int64_t b_distance,
                                         T* c, int64_t c_rows, int64_t c_columns, int64_t c_distance) {
    if (rows * columns != ranks())
        fail("a product on a grid of %lld x %lld ranks, of which there are %d", static_cast<long long>(rows),
             static_cast<long long>(columns), ranks());
    using Product =
        void (*)(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*, const int*,
                 const int*, const T*, const int*, const int*, const int*, const T*, T*, const int*, const int*, const int*);
    static const auto product = Scalapack::loaded().function<Product>(name_of_product<T>());
    const int context = blacs_context(int(columns), int(rows));
    const T one = T(1), zero = T(0);
    const int first = 1;
    const bool column = b_rows == 0, row = a_rows == 0;  // Which of both is a vector.
    // Sizes of c^T (n x m) and of what is summed over.
    const int64_t m = row ? 1 : a_rows * rows, n = column ? 1 : b_columns * columns,
                  k = row ? a_columns * rows : a_columns * columns;
    if (!row && !column && b_rows * rows != k)
        fail("matrices of %lld columns and %lld rows are multiplied", static_cast<long long>(k),
             static_cast<long long>(b_rows * rows));
    // A vector on the right lies along the rows of the columns x rows grid, one on the left along its columns.
    const Descriptor left =
        column ? Descriptor(context, k, 1, b_columns, 1, b_columns) : Descriptor(context, n, k, b_columns, b_rows, b_distance);
    const Descriptor right =
        row ? Descriptor(context, 1, k, 1, a_columns, 1) : Descriptor(context, k, m, a_columns, a_rows, a_distance);
    const Descriptor result = column ? Descriptor(context, 1, m, 1, c_columns, 1)
                              : row  ? Descriptor(context, n, 1, c_columns, 1, c_columns)
                                     : Descriptor(context, n, m, c_columns, c_rows, c_distance);
    const int sizes[] = {count_of(n), count_of(m), count_of(k)};
    product(column ? "T" : "N", row ? "T" : "N", &sizes[0], &sizes[1], &sizes[2], &one, b, &first, &first, left.words, a, &first,
            &first, right.words, &zero, c, &first, &first, result.words);
    if (!row && !column) return;
    // Only the first rank along the other direction has the result.
    const int64_t here = rank();
    const Ranks others =
        column ? among(here / columns * columns, 1, {{columns}}, {{1}}) : among(here % columns, 1, {{rows}}, {{columns}});
    expect(MPI_Bcast(c, count_of(c_columns), type_of<T>(), 0, others.all), "a broadcast");
}

}  // namespace sluice::mpi
