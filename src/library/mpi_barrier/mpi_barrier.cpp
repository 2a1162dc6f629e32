// MPI_Barrier: comes back when every rank has come to it.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_barrier() {
    return message({.name = "MPI_Barrier",
                    .summary = "Comes back when every rank has come to it.",
                    .inputs = {},
                    .outputs = {},
                    .properties = {}});
}

}  // namespace sluice::library
