// MPI_BlockScatter: cuts `_in` of the rank `root` into a grid of blocks of the shape of `_out`, one for each rank, row by row.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_blockscatter() {
    return message(
        {.name = "MPI_BlockScatter",
         .summary = "Cuts `_in` of the rank `root` into a grid of blocks of the shape of `_out`, one for each rank, row by row.",
         .inputs = {"_in"},
         .outputs = {"_out"},
         .properties = {"root"}});
}

}  // namespace sluice::library
