// MPI_Ssend: sends a part to the rank `peer`, and comes back once its receive has begun.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_ssend() {
    return message({.name = "MPI_Ssend",
                    .summary = "Sends a part to the rank `peer`, and comes back once its receive has begun.",
                    .inputs = {"_buffer"},
                    .outputs = {},
                    .properties = {"peer", "tag"}});
}

}  // namespace sluice::library
