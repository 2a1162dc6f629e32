"""SubgraphFusion: the maps of a set of nodes become one, by MapFusion and MapHorizontalFusion, wherever these prove it right."""
import copy
import itertools

from sluice import nodes
from sluice.matches import matches_of
from sluice.state import SDFGState
from sluice.walking import SubgraphView

from ..properties import Property
from .pattern_transformation import SubgraphTransformation


def _outer_entries(state):
    around = state.scope_dict()
    return [node for node in state.nodes() if isinstance(node, nodes.MapEntry) and around[node] is None]


def fuse(state, others):
    """Fuses the outer maps of a state that are not among `others` as long as two of them fuse; returns how many are left."""
    def mine():
        return [one for one in _outer_entries(state) if one.node_id not in others]

    def fusions():
        for first, second in itertools.permutations(mine(), 2):
            yield from matches_of(state.sdfg, "MapFusion", [state.exit_node(first), second], {})
            yield from matches_of(state.sdfg, "MapHorizontalFusion", [first], {"second": second.label})

    labels = {}
    for at, entry in enumerate(mine()):  # the second map is named by its label
        labels[entry], entry.label = entry.label, f"part_of_subgraph_{at}"
    while (match := next((match for match in fusions() if match.refusal is None), None)) is not None:
        match.apply()
    for entry in mine():
        entry.label = labels.get(entry, entry.label)
    return len(mine())


class SubgraphFusion(SubgraphTransformation):
    """Makes one map of the outer maps among the nodes."""
    consolidate = Property(dtype=bool, default=False, desc="Edges of one container are joined; they always are.")

    def _others(self, part):
        mine = set(part.nodes())
        return {one.node_id for one in _outer_entries(part.graph) if one not in mine}

    def can_be_applied(self, sdfg, subgraph):
        """Whether one map comes of it; several maps at least are needed."""
        if isinstance(sdfg, SubgraphView):  # DaCe's older order
            sdfg, subgraph = subgraph, sdfg
        graph = subgraph.graph if isinstance(subgraph, SubgraphView) else None
        if not isinstance(graph, SDFGState) or len([one for one in _outer_entries(graph) if one in subgraph]) < 2:
            return False
        return fuse(SDFGState._at(copy.deepcopy(graph.sdfg), graph._path), self._others(subgraph)) == 1

    def apply(self, sdfg):
        """Fuses them."""
        fuse(self._subgraph.graph, self._others(self._subgraph))


CompositeFusion = SubgraphFusion
