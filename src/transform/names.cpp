#include "transform/names.h"

namespace sluice::transform {

const std::vector<rewrite::Synonym>& other_names() {
    static const std::vector<rewrite::Synonym> names = {
        {.name = "MapFusionVertical", .meanings = {{"MapFusion"}}},
        {.name = "MapFusionHorizontal", .meanings = {{"MapHorizontalFusion"}}},
        {.name = "BlockTiling", .meanings = {{"MapTiling", {{"prefix", "\"block\""}}}}},
        {.name = "LocalStorage", .meanings = {{"InLocalStorage"}, {"OutLocalStorage"}, {"AccumulateTransient"}}},
        {.name = "LocalStream", .meanings = {{"StreamTransient"}}},
        {.name = "LoopReorder", .meanings = {{"MapInterchange"}, {"MapDimShuffle"}}},
        {.name = "PromoteTransient", .meanings = {{"SetStorage", {{"storage", "\"Register\""}}}}},
        // Tiles of a size that the C++ compiler unrolls and keeps in vector registers.
        {.name = "RegisterTiling", .meanings = {{"MapTiling", {{"prefix", "\"register\""}, {"tile_sizes", "[4]"}}}}},
        {.name = "FPGATransform", .meanings = {{"FPGATransformSDFG"}}},
        // A kernel of an FPGA is a state.
        {.name = "FPGATransformMap", .meanings = {{"FPGATransformState"}}},
        {.name = "StateFusionExtended", .meanings = {{"StateFusion"}}},
        {.name = "DetectLoop", .meanings = {{"LoopLifting"}}},
        {.name = "TrueConditionElimination", .meanings = {{"ConstantPropagation"}}},
        {.name = "FalseConditionElimination", .meanings = {{"ConstantPropagation"}}},
        {.name = "RedundantArrayCopyingIn", .meanings = {{"RedundantArrayCopying"}}},
        {.name = "RedundantArrayCopying2", .meanings = {{"RedundantArrayCopying"}}},
        {.name = "RedundantArrayCopying3", .meanings = {{"RedundantArrayCopying"}}},
        {.name = "MPITransformMap", .meanings = {{"MPITransform"}}},
        {.name = "GPUTransform", .meanings = {{"GPUTransformMap"}}},
        {.name = "GPUTransformLocalStorage", .meanings = {{"GPUTransformMap"}}},
    };
    return names;
}

}  // namespace sluice::transform
