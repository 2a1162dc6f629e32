// Prints a Module as C++ for the processes of MPI. The library exports what one for CPUs does (cpu/print.h), and
//     int axpy_world(int64_t world[2])    the number of this process among the ranks, and how many these are
// MPI is started by axpy_world or axpy_init, unless somebody has started it, and left when the process ends.
#pragma once

#include "codegen/artifact.h"
#include "loop/ir.h"

namespace sluice::codegen {

Artifact print_mpi(const loop::Module& module);

}  // namespace sluice::codegen
