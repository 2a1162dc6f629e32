// MPI_Allgather: puts the parts of all ranks one after the other into `_out` of all.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_allgather() {
    return message({.name = "MPI_Allgather",
                    .summary = "Puts the parts of all ranks one after the other into `_out` of all.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {}});
}

}  // namespace sluice::library
