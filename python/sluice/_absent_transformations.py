"""DaCe's transformations that Sluice does not have, each with what to use instead: importing one works, using it says why."""
from ._absent import absent

_BLOCKS = "kernels of the targets opencl and cuda choose their blocks"
_DISTRIBUTED = "there are no distributed arrays: MPITransform gives each rank a part of a map"
_MERGE = "access nodes of one container may stay apart; simplify joins those that a copy separates"
_VIEWS = "slices are made smaller by RedundantReadSlice, RedundantWriteSlice and RefineNestedAccess; views cost nothing where they stay"
_CONTROL = "branches and loops are lifted by LoopLifting and simplified by ConstantPropagation and simplify"

REASONS = {
    **dict.fromkeys(["AddThreadBlockMap", "GPUGridStridedTiling", "WarpTiling", "GPUPersistentKernel", "GPUMultiTransformMap"], _BLOCKS),
    **dict.fromkeys(["ElementWiseArrayOperation", "ElementWiseArrayOperation2D", "MatrixProductTranspose", "OuterProductOperation",
                     "Reduction1Operation", "ReductionNOperation", "RedundantComm2D", "StencilOperation"], _DISTRIBUTED),
    **dict.fromkeys(["MergeSourceSinkArrays", "InMergeArrays", "OutMergeArrays", "DeduplicateAccess", "RemoveIntermediateWrite"], _MERGE),
    **dict.fromkeys(["RemoveSliceView", "SqueezeViewRemove", "UnsqueezeViewRemove"], _VIEWS),
    **dict.fromkeys(["BlockFusion", "ConditionFusion", "ConditionMapInterchange", "HoistState", "MoveAssignmentOutsideIf", "LoopOverwriteElimination",
                     "TrivialLoopElimination", "EndStateElimination", "StartStateElimination", "StateAssignElimination"], _CONTROL),
    "BufferTiling": "MapTiling of both maps and MapFusion make a buffer of a tile, ComputeAt makes one of loops",
    "CopyToDevice": "GPUTransformSDFG copies what its kernels need",
    "CopyToMap": "copies become loops or calls when code is made; MapToCopy is the other direction",
    "InlineTransients": "ChooseAllocation and StoreIn place a transient where it is used",
    "OTFMapFusion": "MapFusion recomputes nothing: ComputeAt of loops does",
    "PruneConnectors": "simplify inlines calls, and what nobody reads DeadDataflowElimination removes",
    "PruneSymbols": "symbols that nobody reads cost nothing",
    "TrivialTaskletElimination": "TaskletFusion joins tasklets, and C++ compilers drop copies of numbers",
    "SVEVectorization": "Vectorization is for the vector units of CPUs, whichever they are",
    "MultiExpansion": "MapExpansion takes a map apart, and MapTiling gives several maps equal outer ranges",
    "StencilTiling": "MapTilingWithOverlap tiles a map with a halo, and MapFusion follows",
}


def stand_in(name):
    """The class that stands for a name of REASONS."""
    return absent(name, REASONS[name])
