"""Options that DaCe's transformations have and Sluice's do not: the values that say what happens anyway, and what to do instead of others."""

_FUSION = {"only_inner_maps": ((None, False), "use SDFG.matches and apply those that you want"),
           "only_toplevel_maps": ((None, False), "use SDFG.matches and apply those that you want"),
           "never_consolidate_edges": ((None, False), "edges of one container are joined"),
           "consolidate_edges_only_if_not_extending": ((None, False), "edges of one container are joined")}
_ACCEPTED = {
    "MapFusion": {**_FUSION, "strict_dataflow": ((None, True), "what is applied is proven"),
                  "assume_always_shared": ((None, False), "StoreIn and RedundantArray say what becomes of the intermediate"),
                  "require_exclusive_intermediates": ((None, False), "use SDFG.matches"),
                  "require_all_intermediates": ((None, False), "use SDFG.matches")},
    "MapHorizontalFusion": {**_FUSION, "only_if_common_ancestor": ((None, False), "use SDFG.matches and apply those that you want")},
    "MapTiling": {"strides": ((None, ()), "tiles do not overlap; MapTilingWithOverlap makes tiles that do"),
                  "tile_offset": ((None, ()), "tiles begin where the map does; IndexSetSplit divides its range"),
                  "tile_trivial": ((False,), "a dimension of one tile is not tiled"), "skew": ((False, True), "loops of tiles begin where that is fastest")},
    "StripMining": {"tile_stride": ((0,), "tiles do not overlap"), "tile_offset": ((0,), "tiles begin where the map does"),
                    "skew": ((False, True), "loops of tiles begin where that is fastest")},
    "Vectorization": {"propagate_parent": ((False,), "containers keep their types"), "strided_map": ((True,), "the map goes on by vectors"),
                      "preamble": ((None, False), "vectors begin where the map does"), "postamble": ((None, True, False), "")},
    "MapReduceFusion": {"no_init": ((False,), "the reduction's identity is kept")},
    "AccumulateTransient": {"identity": ((None, 0, 1), "the identity of the conflict resolution is taken")},
    "ReduceExpansion": {"debug": ((False,), "nothing is printed"), "create_in_transient": ((False,), "apply InLocalStorage"),
                        "create_out_transient": ((False,), "apply OutLocalStorage"), "reduce_implementation": ((None,), "set node.implementation")},
    "LoopUnroll": {"inline_iterations": ((True,), "iterations are blocks of the region")},
    "TaskletFusion": {"new_name": ((None, ""), "set tasklet.label")},
    **dict.fromkeys(["InLocalStorage", "OutLocalStorage", "LocalStorage"], {"create_array": ((None, True), "name the container by `prefix`")}),
    "StreamTransient": {"with_buffer": ((True,), "what is collected is handed on at once")},
}
_ACCEPTED["MapFusionVertical"], _ACCEPTED["MapFusionHorizontal"] = _ACCEPTED["MapFusion"], _ACCEPTED["MapHorizontalFusion"]


def without_accepted(name, options):
    """The options without those of DaCe's that say what happens anyway. Raises ValueError where one says something else."""
    table = _ACCEPTED.get(name, {})
    for option, value in options.items():
        if option in table and not any(value is one or (value == one and type(value) is type(one)) for one in table[option][0]):
            raise ValueError(f"{name} does not know {option}={value!r}: {table[option][1]}")
    return {option: value for option, value in options.items() if option not in table}
