// MPI_Irecv: begins to receive a part from the rank `peer`; it must not be used before Wait.
#include "library/shared/messages.h"

namespace sluice::library {

Operation mpi_irecv() {
    return message({.name = "MPI_Irecv",
                    .summary = "Begins to receive a part from the rank `peer`; it must not be used before Wait.",
                    .inputs = {},
                    .outputs = {"_buffer", "_request"},
                    .properties = {"peer", "tag"}});
}

}  // namespace sluice::library
