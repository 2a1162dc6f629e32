// MPI_Isend: begins to send a part to the rank `peer`; it must not be written before Wait.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_isend() {
    return message({.name = "MPI_Isend",
                    .summary = "Begins to send a part to the rank `peer`; it must not be written before Wait.",
                    .inputs = {"_buffer"},
                    .outputs = {"_request"},
                    .properties = {"peer", "tag"}});
}

}  // namespace sluice::library
