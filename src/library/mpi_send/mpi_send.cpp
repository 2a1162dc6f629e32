// MPI_Send: sends a part to the rank `peer`, and comes back when it may be written again.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_send() {
    return message({.name = "MPI_Send",
                    .summary = "Sends a part to the rank `peer`, and comes back when it may be written again.",
                    .inputs = {"_buffer"},
                    .outputs = {},
                    .properties = {"peer", "tag"}});
}

}  // namespace sluice::library
