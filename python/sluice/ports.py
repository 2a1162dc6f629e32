"""Ports of scope nodes: what enters one at the connector `IN_x` leaves it at `OUT_x`. Other connectors of an entry bring values that its
ranges use. Only this module spells the two prefixes."""
_IN, _OUT = "IN_", "OUT_"


def port_in(name):
    return _IN + name


def port_out(name):
    return _OUT + name


def is_port_in(connector):
    return bool(connector) and connector.startswith(_IN)


def is_port_out(connector):
    return bool(connector) and connector.startswith(_OUT)


def port_name(connector):
    """What both sides of a port share: "x" of `IN_x` and of `OUT_x`; None of other connectors."""
    side = _IN if is_port_in(connector) else _OUT if is_port_out(connector) else None
    return side and connector.removeprefix(side)


def across(connector):
    """The other side of a port: `OUT_x` of `IN_x` and back; None of other connectors."""
    name = port_name(connector)
    return name and (port_out(name) if is_port_in(connector) else port_in(name))
