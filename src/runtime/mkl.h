// Intel's library in a program of OpenMP.
#pragma once

namespace sluice::mkl {

int set_threading_layer(int) __asm__("MKL_Set_Threading_Layer");

/// The library's threads are those of the program: GNU's OpenMP, not a second pool of Intel's.
inline void share_threads() {
    set_threading_layer(3);
}

}  // namespace sluice::mkl
