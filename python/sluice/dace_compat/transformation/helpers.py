"""DaCe's helpers of transformations, as far as they are edits that Sluice's builder and transformations make."""
import itertools

from sluice import nodes
from sluice._absent import members
from sluice.matches import apply_at

__getattr__ = members(__name__, "a transformation edits its site's graph (docs/writing-transformations.md)")


def tile(sdfg, map_entry, divides_evenly, skew, **tile_sizes):
    """Tiles dimensions of a map, parameter to size, one after the other: parameters `tile_i`, then `tile1_i`, and so on. divides_evenly: the caller
    vouches that sizes divide, as the recipe then says."""
    for name, size in tile_sizes.items():
        taken, prefix = {*map_entry.state.symbols_defined_at(map_entry), *sdfg.symbols}, "tile"
        for number in itertools.count(1):
            if f"{prefix}_{name}" not in taken:
                break
            prefix = f"tile{number}"
        options = dict(dim_idx=map_entry.params.index(name), tile_size=size, divides_evenly=divides_evenly, skew=skew, new_dim_prefix=prefix)
        apply_at(sdfg, "StripMining", [map_entry], unsafe_assume=["S5"] if divides_evenly else [], **options)


def permute_map(map_entry, perm):
    """Another order of a map's parameters. Raises CompileError where ranges depend on each other."""
    from sluice.transformation import MapDimShuffle
    params = map_entry.params
    if list(perm) != sorted(perm):
        MapDimShuffle.apply_to(map_entry.state.sdfg, options=dict(parameters=[params[at] for at in perm]), map_entry=map_entry)


def extract_map_dims(sdfg, map_entry, dims):
    """Dimensions of a map become a map around it: (outer entry, inner entry; None where no dimension is left)."""
    from sluice.transformation import MapCollapse, MapExpansion
    count = len(map_entry.params)
    if count == 1:
        return map_entry, map_entry
    permute_map(map_entry, [*dims, *(at for at in range(count) if at not in dims)])
    entries = MapExpansion.apply_to(sdfg, map_entry=map_entry)

    def collapsed(parts):
        entry = parts[0]
        for inner in parts[1:]:
            entry, _ = MapCollapse.apply_to(sdfg, outer_map_entry=entry, inner_map_entry=inner)
        return entry
    outer, inner = entries[:len(dims)], entries[len(dims):]
    return collapsed(outer), collapsed(inner) if inner else None


def get_parent_map(state, node=None):
    """(entry of the scope around a node, its state); None outside of scopes."""
    entry = state.entry_node(node) if node is not None else None
    return None if entry is None else (entry, state)


def contained_in(state, node, scope):
    """Whether a node lies in a scope, at any depth."""
    around = state.scope_dict()
    while node is not None and node != scope:
        node = around[node]
    return node is not None


def split_interstate_edges(cfg):
    """Transitions with a condition and assignments become two, with an empty state between."""
    for edge in cfg.edges():
        if not edge.data.is_unconditional() and edge.data.assignments:
            between = cfg.add_state(f"{edge.src.label}_{edge.dst.label}")
            condition, assignments = str(edge.data.condition), dict(edge.data.assignments)
            cfg.remove_edge(edge)
            cfg.add_edge(edge.src, between, _transition(condition, None))
            cfg.add_edge(between, edge.dst, _transition(None, assignments))


def _transition(condition, assignments):
    from sluice.regions import InterstateEdge
    return InterstateEdge(condition, assignments)


def replace_sdfg_dtypes(sdfg, from_type, to_type):
    """Another element type for a type, of containers, symbols and connectors, those of called graphs included; returns how many."""
    count = 0
    for one in sdfg.all_sdfgs_recursive():
        for descriptor in one.arrays.values():
            if descriptor.dtype == from_type:
                descriptor.dtype = to_type
                count += 1
        for name, dtype in one.symbols.items():
            if dtype == from_type:
                one.symbols[name] = to_type
                count += 1
    for node, _ in sdfg.all_nodes_recursive():
        for connectors in (node.in_connectors, node.out_connectors) if isinstance(node, nodes.Node) else ():
            for name, dtype in list(connectors.items()):
                if dtype == from_type:
                    connectors[name] = to_type
                    count += 1
    return count
