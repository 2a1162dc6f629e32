// MPI_Reduce: combines the parts of all ranks, by MPI's operator, in `_out` of the rank `root`.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_reduce() {
    return message({.name = "MPI_Reduce",
                    .summary = "Combines the parts of all ranks, by MPI's operator, in `_out` of the rank `root`.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {"op", "root"}});
}

}  // namespace sluice::library
