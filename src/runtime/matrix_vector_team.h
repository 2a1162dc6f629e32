// Products of a large matrix and a vector by a team, each thread with elements of the result of its own. Memory is what they wait
// for, as a BLAS does; but a team that is late goes alone for a while (punctuality.h), where the threads of a BLAS wait for the
// last.
#pragma once

#include <omp.h>

#include "matrix_vector.h"
#include "punctuality.h"

namespace sluice::matrix_vector {

/// Is the matrix so large that to wake a team costs little (the threads of a BLAS wait awake, and are twice as fast at 20 MB on a
/// machine that does nothing else), and is the part of a thread made of long pieces of memory? Rows are contiguous, or else
/// columns.
inline bool suits_team(int64_t rows, int64_t columns, int64_t bytes, bool by_rows) {
    constexpr int64_t kWorthWaking = int64_t(192) << 20, kRows = 64, kPiece = 1024;
    const int64_t least = by_rows ? kRows : kPiece;
    return columns >= kRows && rows >= least * omp_get_max_threads() && rows > kWorthWaking / bytes / columns;
}

/// As `multiply`.
template <class T> void multiply_by_team(T alpha, const T* a, int64_t rows, int64_t columns, int64_t row_stride,
                                         int64_t column_stride, const T* x, int64_t x_rows, int64_t x_columns, int64_t x_stride,
                                         int64_t x_step, T beta, T* y, int64_t, int64_t y_columns, int64_t y_stride,
                                         int64_t y_step) {
    static TeamRecord record;
    TeamRun run(record, false);
#pragma omp parallel if (run.team)
    {
        const TeamRun::Member member(run);
        constexpr int64_t kLine = 64 / sizeof(T);
        const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const int64_t share = (rows / threads + kLine) / kLine * kLine, begin = thread * share;
        const int64_t count = rows - begin < share ? rows - begin : share;
        if (count > 0)
            multiply<true>(alpha, a + begin * row_stride, count, columns, row_stride, column_stride, x, x_rows, x_columns, x_stride,
                           x_step, beta, y + begin * y_stride, count, y_columns, y_stride, y_step);
    }
}

}  // namespace sluice::matrix_vector
