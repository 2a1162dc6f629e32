// MPI_Bcast: brings a part of the rank `root` to all.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_bcast() {
    return message({.name = "MPI_Bcast",
                    .summary = "Brings a part of the rank `root` to all.",
                    .inputs = {"_buffer"},
                    .outputs = {"_buffer"},
                    .properties = {"root"}});
}

}  // namespace sluice::library
