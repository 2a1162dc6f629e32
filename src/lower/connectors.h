// The connectors of a tasklet while its code is lowered.
#pragma once

#include <map>
#include <set>

#include "lower/layout.h"

namespace sluice::lower {

struct InputConnector {
    ir::EdgeId edge;
    DType type;
    ValuePtr value;                    ///< One element, already read; null for pointers, streams and dynamic memlets.
    std::optional<Location> location;  ///< Pointers: what is indexed. Dynamic memlets: the element, read where it is used.
};
struct OutputConnector {
    std::vector<ir::EdgeId> edges;
    DType type;
    std::string variable;              ///< The local that holds the result until the end; empty: written where it is assigned.
    std::optional<Location> location;  ///< Pointers.
    bool declared = false;
};
struct ConnectorTable {
    std::map<std::string, InputConnector> in;
    std::map<std::string, OutputConnector> out;
};

/// Names whose elements the code reads or writes by subscript.
std::set<std::string> subscripted_names(const code::Body& body);
/// Does the body read the name (augmented assignment included)?
bool is_read(const code::Body& body, const std::string& name);

}  // namespace sluice::lower
