// MPI_Scatter: cuts `_in` of the rank `root` into shares, one for each rank.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_scatter() {
    return message({.name = "MPI_Scatter",
                    .summary = "Cuts `_in` of the rank `root` into shares, one for each rank.",
                    .inputs = {"_in"},
                    .outputs = {"_out"},
                    .properties = {"root"}});
}

}  // namespace sluice::library
