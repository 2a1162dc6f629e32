// MPI_BlockGather: puts blocks of all ranks together to `_out` of the rank `root`.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_blockgather() {
    return message({.name = "MPI_BlockGather",
                    .summary = "Puts blocks of all ranks together to `_out` of the rank `root`.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {"root"}});
}

}  // namespace sluice::library
