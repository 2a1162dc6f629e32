// MPI_Gather: puts the parts of all ranks one after the other into `_out` of the rank `root`.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_gather() {
    return message({.name = "MPI_Gather",
                    .summary = "Puts the parts of all ranks one after the other into `_out` of the rank `root`.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {"root"}});
}

}  // namespace sluice::library
