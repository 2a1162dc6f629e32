// MPI_Allreduce: combines the parts of all ranks, by MPI's operator, in `_out` of all.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_allreduce() {
    return message({.name = "MPI_Allreduce",
                    .summary = "Combines the parts of all ranks, by MPI's operator, in `_out` of all.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {"op"}});
}

}  // namespace sluice::library
