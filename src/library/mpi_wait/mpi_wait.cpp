// MPI_Wait: waits for the messages of requests; what they move stands at connectors `_held...` on both sides.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_wait() {
    return message({.name = "MPI_Wait",
                    .summary = "Waits for the messages of requests; what they move stands at connectors `_held...` on both sides.",
                    .inputs = {"_request"},
                    .outputs = {"_request"},
                    .properties = {}});
}

}  // namespace sluice::library
