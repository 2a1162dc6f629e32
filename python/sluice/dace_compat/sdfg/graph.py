"""Graphs of anything, as DaCe passes them on, and parts of graphs."""
from sluice.walking import Neighbours, SubgraphView  # noqa: F401


class NodeNotFoundError(Exception):
    """A node is not in the graph."""


EdgeNotFoundError = NodeNotFoundError


class Edge:
    """An edge with what it carries."""

    def __init__(self, src, dst, data=None):
        self.src, self.dst, self.data = src, dst, data

    def __iter__(self):
        return iter((self.src, self.dst, self.data))

    def reverse(self):
        """Turns it round."""
        self.src, self.dst = self.dst, self.src


class MultiConnectorEdge(Edge):
    """An edge between connectors."""

    def __init__(self, src, src_conn, dst, dst_conn, data=None, key=None):
        super().__init__(src, dst, data)
        self.src_conn, self.dst_conn, self.key = src_conn, dst_conn, key

    def __iter__(self):
        return iter((self.src, self.src_conn, self.dst, self.dst_conn, self.data))


MultiEdge = Edge


class OrderedDiGraph(Neighbours):
    """Nodes and edges in the order in which they were added; at most one edge between two nodes in one direction."""
    _multiple = False

    def __init__(self):
        self._nodes, self._edges = [], []

    def nodes(self):
        """The nodes."""
        return list(self._nodes)

    def edges(self):
        """The edges."""
        return list(self._edges)

    def add_node(self, node):
        """Adds a node, unless it is there."""
        if node not in self._nodes:
            self._nodes.append(node)

    def add_nodes_from(self, nodes):
        """Adds nodes."""
        for node in nodes:
            self.add_node(node)

    def add_edge(self, src, dst, data=None):
        """Adds an edge, and its nodes where they are missing; one that is there is replaced."""
        self.add_nodes_from((src, dst))
        if not self._multiple:
            self._edges = [edge for edge in self._edges if (edge.src, edge.dst) != (src, dst)]
        self._edges.append(Edge(src, dst, data))
        return self._edges[-1]

    add_nedge = add_edge

    def remove_node(self, node):
        """Removes a node with its edges."""
        if node not in self._nodes:
            raise NodeNotFoundError(f"there is no node {node}")
        self._nodes.remove(node)
        self._edges = [edge for edge in self._edges if node not in (edge.src, edge.dst)]

    def remove_edge(self, edge):
        """Removes an edge."""
        if edge not in self._edges:
            raise EdgeNotFoundError(f"there is no edge {edge}")
        self._edges.remove(edge)

    def source_nodes(self):
        """Nodes that no edge enters."""
        return [node for node in self._nodes if not self.in_edges(node)]

    def sink_nodes(self):
        """Nodes that no edge leaves."""
        return [node for node in self._nodes if not self.out_edges(node)]

    def number_of_nodes(self):
        """Number of nodes."""
        return len(self._nodes)

    __len__ = number_of_nodes

    def number_of_edges(self):
        """Number of edges."""
        return len(self._edges)

    def node_id(self, node):
        """The place of a node in nodes(). Raises NodeNotFoundError where it is not there."""
        if node not in self._nodes:
            raise NodeNotFoundError(f"there is no node {node}")
        return self._nodes.index(node)

    def node(self, at):
        """The node at a place of nodes()."""
        return self._nodes[at]

    def __iter__(self):
        return iter(self._nodes)

    def __contains__(self, node):
        return node in self._nodes


DiGraph = OrderedDiGraph


class OrderedMultiDiGraph(OrderedDiGraph):
    """The same with any number of edges between two nodes."""
    _multiple = True


class OrderedMultiDiConnectorGraph(OrderedMultiDiGraph):
    """The same with edges between connectors."""

    def add_edge(self, src, src_connector, dst, dst_connector, data=None):
        """Adds an edge, and its nodes where they are missing."""
        self.add_nodes_from((src, dst))
        self._edges.append(MultiConnectorEdge(src, src_connector, dst, dst_connector, data))
        return self._edges[-1]

    def add_nedge(self, src, dst, data=None):
        """An edge without connectors."""
        return self.add_edge(src, None, dst, None, data)
