"""Functions of dace.sdfg.utils that are transformations here."""


def inline_sdfgs(sdfg, permissive=False, progress=None, multistate=True):
    """Inlines nested SDFGs wherever it is legal; returns how many."""
    if permissive:
        raise ValueError("inlining that is not proven is asked for by sdfg.apply('InlineSDFG', unsafe_assume=[...])")
    names = ["InlineSDFG", "InlineMultistateSDFG"] if multistate else ["InlineSDFG"]
    return sdfg.apply_transformations_repeated(names)


def fuse_states(sdfg, permissive=False, progress=None):
    """Fuses states wherever it is legal; returns how many."""
    if permissive:
        raise ValueError("fusion that is not proven is asked for by sdfg.apply('StateFusion', unsafe_assume=[...])")
    return sdfg.apply_transformations_repeated("StateFusion")
