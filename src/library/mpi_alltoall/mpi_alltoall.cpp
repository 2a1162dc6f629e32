// MPI_Alltoall: brings share r of each rank's part to the rank r.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_alltoall() {
    return message({.name = "MPI_Alltoall",
                    .summary = "Brings share r of each rank's part to the rank r.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {}});
}

}  // namespace sluice::library
