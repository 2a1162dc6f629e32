"""Functions of dace.sdfg.utils: walks over graphs, and what is a transformation here."""
from collections import deque

from sluice import nodes
from sluice.data import View

from .graph import OrderedDiGraph


def node_path_graph(*places):
    """The pattern first -> second -> ... of a transformation, or such a graph of anything."""
    graph = OrderedDiGraph()
    graph.add_nodes_from(places)
    for first, second in zip(places, places[1:]):
        graph.add_edge(first, second)
    return graph


def dfs_topological_sort(graph, sources=None, condition=None, reverse=False):
    """The nodes of a state or region, each behind its predecessors where there is no cycle. condition: of (parent, child), whether to go on.
    reverse: the edges lead the other way."""
    before, behind = (graph.successors, graph.predecessors) if reverse else (graph.predecessors, graph.successors)
    if sources is None:
        sources = graph.sink_nodes() if reverse else graph.source_nodes()
    start = list(sources) if isinstance(sources, (list, tuple, set)) else [sources]
    reached, found = set(start), []
    waiting = deque(start)
    while waiting:  # what lies behind the sources
        node = waiting.popleft()
        for child in behind(node):
            if child not in reached and (condition is None or condition(node, child)):
                reached.add(child)
                waiting.append(child)
    left = {node: sum(one in reached for one in before(node)) for node in reached}
    ready = deque(node for node in start if left[node] == 0) or deque(start[:1])
    done = set(ready)
    while ready:
        node = ready.popleft()
        found.append(node)
        for child in behind(node):
            if child in reached and child not in done:
                left[child] -= 1
                if left[child] <= 0:
                    done.add(child)
                    ready.append(child)
        if not ready and len(done) < len(reached):  # a cycle: entered where it was reached first
            entered = next(child for one in found for child in behind(one) if child in reached and child not in done)
            done.add(entered)
            ready.append(entered)
    return iter(found)


def find_source_nodes(graph):
    """Nodes that no edge enters."""
    return graph.source_nodes()


def find_sink_nodes(graph):
    """Nodes that no edge leaves."""
    return graph.sink_nodes()


def _reached(node, step, seen):
    seen, waiting = set() if seen is None else seen, [node]
    seen.add(node)
    for one in waiting:  # grows on the way
        found = [other for other in step(one) if other not in seen]
        seen.update(found)
        waiting += found
    return seen


def find_upstream_nodes(node_to_start, state, seen=None):
    """A node and those from which a path leads to it, added to `seen`, behind whose nodes nobody looks."""
    return _reached(node_to_start, state.predecessors, seen)


def find_downstream_nodes(node_to_start, state, seen=None):
    """A node and those to which a path leads from it; see find_upstream_nodes."""
    return _reached(node_to_start, state.successors, seen)


def get_view_edge(state, view):
    """The edge that joins a view's access node to what it shows; None where there is none or several fit."""
    into, out = state.in_edges(view), state.out_edges(view)
    named = [edge for edge in into if edge.dst_conn == "views"] + [edge for edge in out if edge.src_conn == "views"]
    if named:
        return named[0]
    shown = [edge for edge in into + out if edge.data.data not in (None, view.data)]
    return (into + out)[0] if len(into + out) == 1 else shown[0] if len(shown) == 1 else None


def get_view_node(state, view):
    """The access node that a view's edge leads to."""
    edge = get_view_edge(state, view)
    return None if edge is None else edge.src if edge.dst == view else edge.dst


def get_all_view_nodes(state, view):
    """The same for views of views, up to the container itself."""
    found = [view]
    while isinstance(found[-1], nodes.AccessNode) and isinstance(state.sdfg.arrays[found[-1].data], View):
        following = get_view_node(state, found[-1])
        if following is None:
            return None
        found.append(following)
    return found[1:]


def local_transients(sdfg, dfg, entry_node, include_nested=False):
    """Names of the containers that the SDFG allocates and only one scope uses."""
    inside = {node.data for node in dfg.scope_subgraph(entry_node).nodes() if isinstance(node, nodes.AccessNode)} if entry_node \
        else dfg.top_level_transients()
    outside = [node.data for state in sdfg.states() for node in state.data_nodes() if state != dfg or node.data not in inside]
    return sorted(name for name in inside if sdfg.arrays[name].transient and name not in outside)


def is_array_stream_view(sdfg, dfg, node):
    """Whether a path of access nodes leads from a stream to an array at a node."""
    data = sdfg.arrays[node.data]
    return data.kind == "Stream" and any(isinstance(one, nodes.AccessNode) and sdfg.arrays[one.data].kind == "Array"
                                         for one in (*dfg.successors(node), *dfg.predecessors(node)))


def change_edge_dest(graph, node_a, node_b):
    """Edges into one node lead into another."""
    for edge in graph.in_edges(node_a):
        data = edge.data
        graph.remove_edge(edge)
        graph.add_edge(edge.src, edge.src_conn, node_b, edge.dst_conn, data) if hasattr(edge, "src_conn") \
            else graph.add_edge(edge.src, node_b, data)


def change_edge_src(graph, node_a, node_b):
    """Edges out of one node come from another."""
    for edge in graph.out_edges(node_a):
        data = edge.data
        graph.remove_edge(edge)
        graph.add_edge(node_b, edge.src_conn, edge.dst, edge.dst_conn, data) if hasattr(edge, "src_conn") \
            else graph.add_edge(node_b, edge.dst, data)


def inline_sdfgs(sdfg, permissive=False, progress=None, multistate=True):
    """Inlines nested SDFGs wherever it is legal; returns how many."""
    names = ["InlineSDFG", "InlineMultistateSDFG"] if multistate else ["InlineSDFG"]
    return sdfg.apply_transformations_repeated(names)


def fuse_states(sdfg, permissive=False, progress=None):
    """Fuses states wherever it is legal; returns how many."""
    return sdfg.apply_transformations_repeated("StateFusion")
