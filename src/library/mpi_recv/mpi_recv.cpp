// MPI_Recv: receives a part from the rank `peer`.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_recv() {
    return message({.name = "MPI_Recv",
                    .summary = "Receives a part from the rank `peer`.",
                    .inputs = {},
                    .outputs = {"_buffer"},
                    .properties = {"peer", "tag"}});
}

}  // namespace sluice::library
