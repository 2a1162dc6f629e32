// Instructions that reach beyond the registers: symbols, connectors, containers, streams.
#pragma once

#include "interpret/instructions.h"

namespace sluice::interpret {

/// to <- symbol a.
Operation load_symbol();
/// to, to+1, ... (one for each lane) <- element of port a; b: first of c indices in 64-bit integers; no index: its only element.
Operation load_port();
/// Element of port a, indices b, b+1, ... (c of them) <- lanes from register `to`. A port to a stream pushes.
Operation store_port();
/// to, ... <- element of container a at indices b, ... (c of them).
Operation load_container();
/// to <- number of elements that wait in stream a.
Operation stream_length();

}  // namespace sluice::interpret
