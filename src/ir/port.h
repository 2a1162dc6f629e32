#pragma once

/// @file
/// Ports of scope nodes. What enters a scope node at the connector `IN_x` leaves it at `OUT_x`; other connectors of an entry
/// bring values that its ranges use (dynamic inputs). Only this file spells the two prefixes.

#include <string>
#include <string_view>

namespace sluice::ir {

inline constexpr std::string_view kPortIn = "IN_", kPortOut = "OUT_";

/// The ports of a consume scope through which the elements of its stream go.
inline constexpr const char *kStreamIn = "IN_stream", *kStreamOut = "OUT_stream";

inline bool is_port_in(std::string_view connector) {
    return connector.starts_with(kPortIn);
}
inline bool is_port_out(std::string_view connector) {
    return connector.starts_with(kPortOut);
}

inline std::string port_in(std::string_view name) {
    return std::string(kPortIn).append(name);
}
inline std::string port_out(std::string_view name) {
    return std::string(kPortOut).append(name);
}

/// What both sides of a port share: "x" of `IN_x` and of `OUT_x`. Empty if the connector is no port.
inline std::string_view port_name(std::string_view connector) {
    if (is_port_in(connector)) return connector.substr(kPortIn.size());
    if (is_port_out(connector)) return connector.substr(kPortOut.size());
    return {};
}

/// The other side of a port: `OUT_x` of `IN_x` and back. Empty if the connector is no port.
inline std::string across(std::string_view connector) {
    if (is_port_in(connector)) return port_out(port_name(connector));
    if (is_port_out(connector)) return port_in(port_name(connector));
    return {};
}

}  // namespace sluice::ir
