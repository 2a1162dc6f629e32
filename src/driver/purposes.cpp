#include "driver/purposes.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "support/words.h"

namespace sluice::driver {

namespace {

/// Said around what is meant.
constexpr std::string_view kEmptyWords =
    " a an and are as at be by can for from get how i in is it its less make makes more my of on or run "
    "runs should than that the their them this to use uses using what which with ";

std::vector<std::string> meaningful_words(std::string_view text) {
    std::vector<std::string> words;
    for (const std::string_view each : words_in(text)) {
        std::string word(each);
        std::ranges::transform(word, word.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        if (kEmptyWords.find(" " + word + " ") == std::string_view::npos) words.push_back(std::move(word));
    }
    return words;
}

/// `tiles`, `tiling` and `tile` begin with `til`.
bool means(const Purpose& purpose, const std::string& word) {
    std::istringstream beginnings(purpose.words);
    for (std::string beginning; beginnings >> beginning;)
        if (word.starts_with(beginning)) return true;
    return false;
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// The word without the ending of a plural or of a verb.
std::string stem(const std::string& word) {
    for (const std::string_view ending : {"ing", "ion", "es", "ed", "s", "e"})
        if (word.size() > ending.size() + 3 && word.ends_with(ending)) return word.substr(0, word.size() - ending.size());
    return word;
}

}  // namespace

const std::vector<Purpose>& purposes() {
    static const std::vector<Purpose> all = {
        {"visit points in tiles, so that caches hold what is used again",
         "til block cach local reus",
         {"MapTiling", "MapTilingWithOverlap", "StripMining", "InLocalStorage", "OutLocalStorage", "MapInterchange",
          "DiamondTiling"}},
        {"fewer, larger maps, states or tasklets",
         "fus join merg combin",
         {"MapFusion", "MapHorizontalFusion", "MapTilingWithOverlap", "MapReduceFusion", "MapWCRFusion", "StateFusion",
          "TaskletFusion", "MapCollapse", "InlineSDFG", "InlineMultistateSDFG", "LoopFusion", "DiamondTiling", "ComputeAt",
          "GemvFusion"}},
        {"parts that run apart from each other",
         "split fission distribut separat divid peel",
         {"MapFission", "MapExpansion", "LoopPeeling", "StripMining", "NestSDFG", "LoopDistribution", "IndexSetSplit"}},
        {"less memory, and less traffic to it",
         "memor footprint alloc storag buffer transient bandwidth traffic temporar",
         {"MapFusion", "TransientReuse", "RedundantArray", "RedundantSecondArray", "RedundantArrayCopying", "RedundantReadSlice",
          "RedundantWriteSlice", "DeadDataflowElimination", "MapReduceFusion", "ChooseAllocation", "SetStorage", "InputToConstant",
          "RefineNestedAccess", "Contract", "StoreIn", "ComputeAt", "GemvFusion"}},
        {"fewer copies",
         "cop",
         {"RedundantArray", "RedundantSecondArray", "RedundantArrayCopying", "RedundantReadSlice", "RedundantWriteSlice",
          "ResultInPlace"}},
        {"threads share the work",
         "parallel thread team core multicore concurren openmp",
         {"LoopToMap", "MoveLoopIntoMap", "SetSchedule", "MapCollapse", "MapFission", "AccumulateTransient", "ChooseSchedule",
          "ChooseLoopSchedule", "ChooseCopySchedule", "ChooseSections"}},
        {"processes share the work, with messages between them",
         "mpi messag rank process cluster node distribut",
         {"MPITransform"}},
        {"a faster program: where to begin (the levels of -O do it by themselves)",
         "fast speed quick perform slow time optimi",
         {"LoopToMap", "MapFusion", "ChooseSchedule", "MapInterchange", "Vectorization", "MapTiling", "TransientReuse"}},
        {"one thread, in order", "sequen serial", {"SetSchedule", "MapToForLoop"}},
        {"lanes of vector registers",
         "vector simd lane avx",
         {"Vectorization", "ChooseVectorization", "MapDimShuffle", "StripMining", "ChooseLoopOrder"}},
        {"another order of dimensions or loops",
         "order interchang permut swap stride contigu transpos reorder skew shift schedul layout",
         {"MapInterchange", "MapDimShuffle", "ChooseLoopOrder", "MoveLoopIntoMap", "MoveMapIntoLoop", "MapExpansion",
          "LoopInterchange", "RecurrenceOutward", "Skew", "Shift", "Reschedule", "StoreIn"}},
        {"iterations written out", "unroll", {"LoopUnroll", "MapUnroll"}},
        {"updates that do not stand in each other's way",
         "conflict atomic reduc sum accumul updat wcr race",
         {"AccumulateTransient", "AccumulateInCall", "LoopReduction", "MapReduceFusion", "MapWCRFusion", "ReduceExpansion",
          "ReducePeeling", "WCRToAugAssign", "AugAssignToWCR", "ChooseConflictResolution"}},
        {"what comes next is brought while this is computed",
         "prefetch overlap latenc doubl pipelin hide stream",
         {"DoubleBuffering", "StreamTransient", "ChooseSections", "MapTilingWithOverlap", "StreamingMemory",
          "StreamingComposition"}},
        {"less waiting between threads",
         "synchron barrier wait",
         {"ChooseSynchronization", "ChooseLoopSchedule", "MapFusion", "MapHorizontalFusion"}},
        {"another expansion of an operation",
         "librar blas gemm matmul operation implement expan",
         {"ExpandLibraryNode", "ChooseImplementation", "ReduceExpansion", "GemvFusion"}},
        {"a smaller graph that does the same",
         "simpl clean small inlin remov dead unused redundan lift canonic",
         {"InlineSDFG", "InlineMultistateSDFG", "StateFusion", "LoopLifting", "ConstantPropagation", "SymbolAliasPromotion",
          "TrivialMapElimination", "RedundantArray", "RedundantSecondArray", "RedundantArrayCopying", "RedundantReadSlice",
          "RedundantWriteSlice", "RefineNestedAccess", "DeadDataflowElimination", "MapToCopy"}},
    };
    return all;
}

std::vector<const Descriptor*> transformations_for(const Transformations& transformations, std::string_view text) {
    const std::vector<std::string> words = meaningful_words(text);
    std::vector<const Descriptor*> found;
    // `MapTilng` is a name, whatever is wrong with it.
    const bool is_name = words.size() == 1 && std::ranges::any_of(text.substr(1), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (words.empty() || is_name) return found;
    const auto add = [&](const Descriptor& descriptor) {
        if (std::ranges::find(found, &descriptor) == found.end()) found.push_back(&descriptor);
    };
    for (const Purpose& purpose : purposes())
        if (std::ranges::all_of(words, [&](const std::string& word) { return means(purpose, word); }))
            for (const char* name : purpose.serve) add(transformations.describe(name));
    if (found.empty())
        for (const Purpose& purpose : purposes())
            if (std::ranges::any_of(words, [&](const std::string& word) { return means(purpose, word); }))
                for (const char* name : purpose.serve) add(transformations.describe(name));
    // A summary says where something lies, too: it counts where no purpose is known.
    const bool known = !found.empty();
    for (const Descriptor* each : transformations.all()) {
        const std::string own = lower_case(known ? each->name : each->name + " " + each->summary);
        if (std::ranges::all_of(words, [&](const std::string& word) { return own.find(stem(word)) != std::string::npos; }))
            add(*each);
    }
    return found;
}

}  // namespace sluice::driver
