"""What DaCe's classes of graphs answer beyond their nodes and edges: neighbours, scopes, blocks at any depth, and what is read and
written. SDFGState and the regions inherit these methods; nothing here edits a graph."""
import ast

from . import _core, nodes
from .ports import across, is_port_in, is_port_out, port_name


def names_in(text):
    """Names of a Python expression given as text; none where it is empty."""
    text = str(text).strip()
    if not text:
        return set()
    return {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}


def names_of_subset(text):
    """Names in the text of a subset, `i, 0:N`."""
    return set() if text is None else names_in(f"_[{text}]") - {"_"}


def renamed(text, names):
    """Python text with other expressions, as texts, for names."""
    class Rename(ast.NodeTransformer):
        def visit_Name(self, node):
            return ast.parse(names[node.id], mode="eval").body if node.id in names else node
    return ast.unparse(Rename().visit(ast.parse(str(text).strip())))


class Neighbours:
    """A graph with nodes() and edges(): who comes before and behind whom."""

    def in_edges(self, node):
        """Edges into a node."""
        return [edge for edge in self.edges() if edge.dst == node]

    def out_edges(self, node):
        """Edges out of a node."""
        return [edge for edge in self.edges() if edge.src == node]

    def all_edges(self, *around):
        """Edges into and out of the nodes; of all nodes without arguments."""
        return [edge for edge in self.edges() if not around or edge.src in around or edge.dst in around]

    def edges_between(self, src, dst):
        """Edges from one node to another."""
        return [edge for edge in self.edges() if edge.src == src and edge.dst == dst]

    def in_degree(self, node):
        """Number of edges into a node."""
        return len(self.in_edges(node))

    def out_degree(self, node):
        """Number of edges out of a node."""
        return len(self.out_edges(node))

    def predecessors(self, node):
        """The nodes whose edges enter a node, each once."""
        return list(dict.fromkeys(edge.src for edge in self.in_edges(node)))

    def successors(self, node):
        """The nodes that a node's edges enter, each once."""
        return list(dict.fromkeys(edge.dst for edge in self.out_edges(node)))

    def bfs_nodes(self, source=None):
        """The nodes in order of their distance from `source`, or from those that no edge enters."""
        order = list(self.source_nodes() if source is None else [source])
        behind = {}
        for edge in self.edges():
            behind.setdefault(edge.src, []).append(edge.dst)
        seen = set(order)
        for node in order:  # grows on the way
            for successor in behind.get(node, ()):
                if successor not in seen:
                    seen.add(successor)
                    order.append(successor)
        return order


    def bfs_edges(self, source, reverse=False):
        """The edges behind a node, or the nodes of a list, in order of the distance of where they begin; reverse: before it, likewise."""
        order = list(source) if isinstance(source, (list, tuple)) else [source]
        seen = set(order)
        for node in order:  # grows on the way
            for edge in self.in_edges(node) if reverse else self.out_edges(node):
                yield edge
                following = edge.src if reverse else edge.dst
                if following not in seen:
                    seen.add(following)
                    order.append(following)

    def dfs_edges(self, source, condition=None):
        """The edges behind a node, or the nodes of a list, that first reach another node, each before those behind that.
        condition(src, dst, edge): whether to follow an edge."""
        seen = set()
        pending = []

        def enter(node):
            seen.add(node)
            pending.append(iter(self.out_edges(node)))
        for start in source if isinstance(source, (list, tuple)) else [source]:
            if start not in seen:
                enter(start)
            while pending:
                edge = next(pending[-1], None)
                if edge is None:
                    pending.pop()
                elif edge.dst not in seen and (condition is None or condition(edge.src, edge.dst, edge)):
                    yield edge
                    enter(edge.dst)


class SubgraphView(Neighbours):
    """Some nodes of a state or of a region, with the edges between them."""

    def __init__(self, graph, subgraph_nodes):
        self.graph, self._nodes = graph, list(dict.fromkeys(subgraph_nodes))

    def nodes(self):
        """The nodes."""
        return list(self._nodes)

    def edges(self):
        """The edges between them."""
        return [edge for edge in self.graph.edges() if edge.src in self._nodes and edge.dst in self._nodes]

    def source_nodes(self):
        """Nodes that no edge of the part enters."""
        return [node for node in self._nodes if self.in_degree(node) == 0]

    def sink_nodes(self):
        """Nodes that no edge of the part leaves."""
        return [node for node in self._nodes if self.out_degree(node) == 0]

    def number_of_nodes(self):
        """Number of nodes."""
        return len(self._nodes)

    def number_of_edges(self):
        """Number of edges between them."""
        return len(self.edges())

    def __contains__(self, node):
        return node in self._nodes


class MemletTree:
    """Edges through scopes that carry one container: the outermost, `edge`, and trees of those that go on behind it. downwards: into scopes
    (reads) and not out of them."""

    def __init__(self, edge, downwards=True, parent=None, children=None):
        self.edge, self.downwards, self.parent, self.children = edge, downwards, parent, list(children or ())

    def root(self):
        """The outermost tree."""
        return self if self.parent is None else self.parent.root()

    def leaves(self):
        """The innermost edges."""
        return [leaf for child in self.children for leaf in child.leaves()] or [self.edge]

    def traverse_children(self, include_self=False):
        """The trees below, outer ones first."""
        if include_self:
            yield self
        for child in self.children:
            yield from child.traverse_children(include_self=True)

    def __iter__(self):
        return (tree.edge for tree in self.root().traverse_children(include_self=True))


class ScopeTree:
    """A scope: its entry and exit (None: the state itself), the scope around, and those in it."""

    def __init__(self, entry, exit_node):
        self.entry, self.exit, self.parent, self.children = entry, exit_node, None, []


class StateQueries(Neighbours):
    """Scopes and connectors of a state."""

    def memlet_tree(self, edge):
        """The MemletTree of an edge, in the tree from the outermost edge on."""
        def within(one):
            return isinstance(one.src, nodes.EntryNode) and one.src_conn or \
                isinstance(one.dst, nodes.EntryNode) and is_port_in(one.dst_conn)
        downwards = bool(within(edge))
        if not downwards and not (isinstance(edge.src, nodes.ExitNode) and edge.src_conn or isinstance(edge.dst, nodes.ExitNode) and edge.dst_conn):
            return MemletTree(edge)

        def outer(one):
            scope, port = (one.src, one.src_conn) if downwards else (one.dst, one.dst_conn)
            if not isinstance(scope, nodes.EntryNode if downwards else nodes.ExitNode) or not port_name(port):
                return None
            return next(iter(self.in_edges_by_connector(scope, across(port)) if downwards
                             else self.out_edges_by_connector(scope, across(port))), None)

        def tree(one):
            made = MemletTree(one, downwards)
            scope, port = (one.dst, one.dst_conn) if downwards else (one.src, one.src_conn)
            if isinstance(scope, nodes.EntryNode if downwards else nodes.ExitNode) and (is_port_in(port) if downwards else is_port_out(port)):
                inner = self.out_edges_by_connector(scope, across(port)) if downwards else self.in_edges_by_connector(scope, across(port))
                made.children = [tree(below) for below in inner]
                for child in made.children:
                    child.parent = made
            return made
        root = edge
        while (around := outer(root)) is not None:
            root = around
        return next(one for one in tree(root).traverse_children(include_self=True) if one.edge == edge)

    def scope_tree(self):
        """Entry of a scope -> its ScopeTree; None -> that of the state."""
        trees = {entry: ScopeTree(entry, entry and self.exit_node(entry))
                 for entry in [None, *(node for node in self.nodes() if isinstance(node, nodes.EntryNode))]}
        for entry, around in self.scope_dict().items():
            if entry in trees:
                trees[entry].parent = trees[around]
                trees[around].children.append(trees[entry])
        return trees

    def scope_leaves(self):
        """The ScopeTrees without scopes in them."""
        return [tree for tree in self.scope_tree().values() if not tree.children]

    def in_edges_by_connector(self, node, connector):
        """Edges into a connector of a node."""
        return [edge for edge in self.in_edges(node) if edge.dst_conn == connector]

    def out_edges_by_connector(self, node, connector):
        """Edges out of a connector of a node."""
        return [edge for edge in self.out_edges(node) if edge.src_conn == connector]

    def edges_by_connector(self, node, connector):
        """Edges into and out of connectors of this name."""
        return self.in_edges_by_connector(node, connector) + self.out_edges_by_connector(node, connector)

    def all_edges_and_connectors(self, *around):
        """Tuples (edge, its connector at the first of the nodes that it touches)."""
        return [(edge, edge.src_conn if edge.src in around else edge.dst_conn) for edge in self.all_edges(*around)]

    def scope_dict(self):
        """Node -> the entry of the scope around it, None outside of scopes. An exit lies in the scope that it closes."""
        around, left, behind = {}, {}, {}
        for edge in self.edges():
            left[edge.dst] = left.get(edge.dst, 0) + 1
            behind.setdefault(edge.src, []).append(edge.dst)
        ready = [node for node in self.nodes() if node not in left]
        around.update((node, None) for node in ready)
        for node in ready:  # grows on the way, each node behind its predecessors
            inside = node if isinstance(node, nodes.EntryNode) else around[around[node]] if isinstance(node, nodes.ExitNode) else around[node]
            for successor in behind.get(node, ()):
                if around.get(successor) is None:
                    around[successor] = inside
                left[successor] -= 1
                if left[successor] == 0:
                    ready.append(successor)
        return around

    def scope_children(self):
        """Entry of a scope -> the nodes in it; None -> those outside of scopes."""
        children = {None: []}
        for node, entry in self.scope_dict().items():
            children.setdefault(entry, []).append(node)
        return children

    def scope_subgraph(self, entry, include_entry=True, include_exit=True):
        """The nodes of a scope at any depth, as a SubgraphView."""
        around = self.scope_dict()
        exit_ = self.exit_node(entry)

        def inside(node):
            while node is not None and node != entry:
                node = around[node]
            return node is not None
        return SubgraphView(self, [node for node in self.nodes()
                                   if inside(node) and (include_entry or node != entry) and (include_exit or node != exit_)])

    def entry_node(self, node):
        """The entry of the scope around a node, None outside of scopes; of an exit, the entry that it closes."""
        return self.entry_node_of(node) if isinstance(node, nodes.ExitNode) else self.scope_dict()[node]

    def exit_node(self, entry):
        """The exit that closes an entry's scope. Raises ValueError where there is none."""
        for node in self.nodes():
            if isinstance(node, nodes.ExitNode) and self.entry_node_of(node) == entry:
                return node
        raise ValueError(f"no exit closes the scope of {entry}")

    def memlet_path(self, edge):
        """The edges along which the data of one edge go through scopes, outer ones first on the way in and last on the way out."""
        path = [edge]
        while isinstance(path[0].src, (*nodes.EntryNode, *nodes.ExitNode)) and is_port_out(path[0].src_conn):
            ports = self.in_edges_by_connector(path[0].src, across(path[0].src_conn))
            if len(ports) != 1:
                break
            path.insert(0, ports[0])
        while isinstance(path[-1].dst, (*nodes.EntryNode, *nodes.ExitNode)) and is_port_in(path[-1].dst_conn):
            ports = self.out_edges_by_connector(path[-1].dst, across(path[-1].dst_conn))
            if len(ports) != 1:
                break
            path.append(ports[0])
        return path

    def is_leaf_memlet(self, edge):
        """Whether an edge joins no other one at a scope: it is where data are used."""
        into = isinstance(edge.dst, (*nodes.EntryNode, *nodes.ExitNode)) and is_port_in(edge.dst_conn)
        out = isinstance(edge.src, (*nodes.EntryNode, *nodes.ExitNode)) and is_port_out(edge.src_conn)
        return not (isinstance(edge.src, nodes.ExitNode) and out) and not (isinstance(edge.dst, nodes.EntryNode) and into)

    def top_level_transients(self):
        """Names of the containers that the SDFG allocates and a node outside of scopes uses."""
        arrays = self.sdfg.arrays
        return {node.data for node in self.scope_children()[None] if isinstance(node, nodes.AccessNode) and arrays[node.data].transient}

    def used_symbols(self, all_symbols=True):
        """Names of symbols that memlets, ranges, code in Python and calls in the state read."""
        names = set().union(*(edge.data.free_symbols for edge in self.edges()))
        defined, declared = set(self.sdfg.arrays), set(self.sdfg.symbols)
        for node in self.nodes():
            if isinstance(node, nodes.MapEntry):
                names |= node.range.free_symbols
                defined.update(node.params)
            elif isinstance(node, nodes.ConsumeEntry):
                names |= _core.Expr(node.num_pes).free_symbols
                defined.add(node.pe_index)
            elif isinstance(node, nodes.NestedSDFG):
                names = names.union(*(_core.Expr(value).free_symbols for value in node.symbol_mapping.values()))
            elif isinstance(node, nodes.Tasklet) and node.language == "Python":
                read = {one.id for one in ast.walk(ast.parse(node.code)) if isinstance(one, ast.Name)}
                names |= read.intersection(declared).difference(node.in_connectors, node.out_connectors)
        return names - defined

    free_symbols = property(used_symbols, doc="What used_symbols() gives.")

    def symbols_defined_at(self, node):
        """Symbols with their types that code at a node may read: those of the SDFG and the parameters of the scopes around it."""
        symbols, around = self.sdfg.symbols, self.scope_dict()
        entry = around[node]
        while entry is not None:
            names = entry.params if isinstance(entry, nodes.MapEntry) else [entry.pe_index]
            symbols = {**symbols, **dict.fromkeys(names, _core.int64)}
            entry = around[entry]
        return dict(symbols)

    def defined_symbols(self):
        """The symbols that the SDFG declares, with their types."""
        return dict(self.sdfg.symbols)

    def validate(self):
        """Raises CompileError with the first violation in the SDFG around."""
        self.sdfg.validate()

    def all_transients(self):
        """Names of the containers of its access nodes that the SDFG allocates, each once."""
        arrays = self.sdfg.arrays
        return list(dict.fromkeys(node.data for node in self.data_nodes() if arrays[node.data].transient))

    def read_and_write_sets(self):
        """(names of the containers that it reads, of those that it writes). What is overwritten as a whole before it is read counts as
        read, too."""
        read = {node.data for node in self.data_nodes() if any(not edge.data.is_empty() for edge in self.out_edges(node))}
        written = {node.data for node in self.data_nodes() if any(not edge.data.is_empty() for edge in self.in_edges(node))}
        return read, written


class RegionQueries(Neighbours):
    """Blocks and transitions of a region, at any depth."""

    def _regions_inside(self, recursive):
        for block in self.nodes():
            inner = [branch for _, branch in block.branches] if hasattr(block, "branches") else [block] if hasattr(block, "all_states") else []
            for region in inner:
                yield from region.all_control_flow_regions(recursive)
            if recursive and hasattr(block, "data_nodes"):
                for node in block.nodes():
                    if isinstance(node, nodes.NestedSDFG):
                        yield from node.sdfg.all_control_flow_regions(recursive)

    def all_control_flow_regions(self, recursive=False):
        """This region and those inside of it, outer ones first; recursive: those of called SDFGs as well."""
        yield self
        yield from self._regions_inside(recursive)

    def all_control_flow_blocks(self, recursive=False):
        """The blocks of all_control_flow_regions()."""
        for region in self.all_control_flow_regions(recursive):
            yield from region.nodes()

    def all_interstate_edges(self, recursive=False):
        """The transitions of all_control_flow_regions()."""
        for region in self.all_control_flow_regions(recursive):
            yield from region.edges()

    def find_state(self, label):
        """The state of this label. Raises LookupError where there is none."""
        for state in self.states():
            if state.label == label:
                return state
        raise LookupError(f"there is no state {label}")

    def predecessor_state_transitions(self, state):
        """The transitions that enter a block."""
        return self.in_edges(state)

    def predecessor_states(self, state):
        """The blocks before a block, each once."""
        return self.predecessors(state)

    def read_and_write_sets(self):
        """(names of the containers that its states and conditions read, of those that its states write)."""
        read, written = set(), set()
        arrays = self._sdfg.arrays
        for state in self.states():
            reads, writes = state.read_and_write_sets()
            read |= reads
            written |= writes
        for edge in self.all_interstate_edges():
            read |= edge.data.free_symbols & set(arrays)
        return read, written
