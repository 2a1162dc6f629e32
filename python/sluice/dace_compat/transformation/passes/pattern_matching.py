"""Where the patterns of transformations occur."""
from ..optimizer import Optimizer


def match_patterns(sdfg, patterns, node_match=None, edge_match=None, permissive=False, metadata=None, states=None, options=None):
    """The matches of a transformation, or of each of a list, that may be applied; match.apply() applies one. Raises NotImplementedError for
    matchers of the caller's."""
    if node_match is not None or edge_match is not None:
        raise NotImplementedError("patterns are matched by Sluice's own rules: leave node_match and edge_match out")
    yield from Optimizer(sdfg, inplace=True).get_pattern_matches(
        permissive, states, patterns if isinstance(patterns, (list, tuple)) else [patterns], options=options)
