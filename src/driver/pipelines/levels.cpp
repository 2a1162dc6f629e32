// The lists. Their order is part of what Sluice promises: the same program becomes the same graph, to the byte.
#include "driver/pipelines/pipeline.h"

#include "driver/settings.h"
#include "support/check.h"
#include "support/result.h"

namespace sluice::driver {

namespace {

// Calls are joined first, then the ways between states, so that what remains to be seen lies in few large states.
const Step kSimplify{"simplify",
                     "Calls and states are joined, copies and maps of one point go.",
                     {"InlineSDFG", "InlineMultistateSDFG", "LoopLifting", "ConstantPropagation", "SymbolAliasPromotion",
                      "StateFusion", "TrivialMapElimination", "RedundantReadSlice", "RedundantWriteSlice", "RedundantArray",
                      "RedundantSecondArray", "RedundantArrayCopying", "RefineNestedAccess"}};

// What the CPU decides: who runs a map, how updates are kept apart, vectors. What is still open when a program is compiled is
// decided then.
const Step kDecide{"decide",
                   "The CPU's own decisions: teams, libraries, updates, vectors, memory.",
                   {"ChooseAllocation", "ChooseLoopSchedule", "ChooseSchedule", "ChooseCopySchedule", "ChooseSections",
                    "ChooseImplementation", "ChooseConflictResolution", "ChooseVectorization", "ChooseSynchronization"}};

const Step kParallelise{"parallelise",
                        "Loops become maps where their iterations are proven independent, but for sums of integers; recurrences "
                        "run outside of them.",
                        {"LoopReduction", "RecurrenceOutward", "LoopToMap", "AccumulateInCall"}};
const Step kFuse{"fuse", "Maps that follow one another become one, and products with one matrix.", {"MapFusion", "GemvFusion"}};

// Behind fusion, which joins maps but no copies.
const Step kInPlace{"in place",
                    "What is computed for a copy alone is computed where the copy would put it.",
                    {"MapToCopy", "RedundantArray", "RedundantSecondArray", "ResultInPlace"}};

const Step kOrder{"order", "The dimension along which elements are neighbours runs innermost.", {"ChooseLoopOrder"}};

const std::vector<Pipeline> kLevels = {
    {"-O0", "what the graph says", {}},
    {"-O1", "simplify", {kSimplify}},
    {"-O2", "simplify, then the CPU's own decisions", {kSimplify, kDecide}},
    {"-O3",
     "-O2 with parallel loops, fused maps and loops in the order of memory",
     {kSimplify, kParallelise, kSimplify, kFuse, kSimplify, kInPlace, kOrder, kDecide}},
    {"-Odecide", "the graph as it is, with the CPU's own decisions where it leaves them open", {kDecide}},
};

}  // namespace

const Pipeline& pipeline(Level level, bool device) {
    static const std::vector<Pipeline> for_devices = [] {
        std::vector<Pipeline> levels = kLevels;
        for (Pipeline& one : levels) std::erase_if(one.steps, [](const Step& step) { return step.name == kDecide.name; });
        return levels;
    }();
    return (device ? for_devices : kLevels)[static_cast<std::size_t>(level)];
}

const Step& simplification() {
    return kSimplify;
}

Level parse_level(std::string_view text) {
    if (text == "decide") return Level::Decide;
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '3') return static_cast<Level>(text[0] - '0');
    fail({.code = "D014",
          .message = "`" + std::string(text) + "` is no level of optimisation",
          .where = {},
          .path = {},
          .remedy = "choose 0 (what the graph says), 1 (simplify), 2 (the CPU's own decisions), 3 (parallel loops, fused maps) or "
                    "decide (the graph as it is, with the CPU's own decisions)",
          .notes = {}});
}

Level chosen_level(std::string_view text, Level otherwise) {
    const std::string chosen = text.empty() ? setting("optimize").text : std::string(text);
    return chosen.empty() ? otherwise : parse_level(chosen);
}

Level level_for(const std::filesystem::path& source) {
    return source.extension() == ".py" ? Level::O3 : Level::Decide;
}

}  // namespace sluice::driver
