// Prints a Module as C++ for multicore CPUs (OpenMP). It prints, it decides nothing.
//
// The library exports, for a program `axpy`:
//     int axpy_init(axpy_handle** handle, <sizes>)        0, or a status of runtime/abi.h
//     int axpy_run(axpy_handle* handle, <arguments>)      may run many times; one run at a time per handle
//     int axpy_finalise(axpy_handle* handle)
//     int axpy(<arguments>)                               init, run and finalise in one
//     int axpy_invoke(axpy_handle* handle, void* const* arguments)   as run, each argument by address (values: their address)
//     int axpy_init_invoke(axpy_handle** handle, void* const* arguments)   as init, from the same list
//     const char* axpy_failure(void)                      a sentence about the last failure in this thread, or an empty one
// A function whose name would be a word of C or C++ or one of the C library's has an underscore behind it (exported.h).
// <sizes> are the trailing int64 values of the program's parameters. With instrumented parts also
//     int axpy_profile(int64_t index, const char** name, int64_t* nanoseconds, int64_t* count)
// and with counted ones (runtime/timer.h)
//     int axpy_count_with(int64_t number, void (*read)(void* provider, int alone, int64_t* values), void* provider)
//     int axpy_counts(int64_t index, int64_t* values)
// Complex arguments are pairs of numbers (`sluice_complex128`, the memory of `double _Complex`), float16 values their 16 bits.
#pragma once

#include "codegen/artifact.h"
#include "loop/ir.h"

namespace sluice::codegen {

Artifact print_cpu(const loop::Module& module);

}  // namespace sluice::codegen
