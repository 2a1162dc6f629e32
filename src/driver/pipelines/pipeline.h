// A pipeline is a list of steps, and a step a list of transformations: what happens to a program is read off the list.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::driver {

struct Step {
    std::string name;     ///< `simplify`
    std::string summary;  ///< One sentence.
    /// Applied until none of them applies; where several do, the one named first.
    std::vector<std::string> transformations;
};
struct Pipeline {
    std::string name;     ///< `-O1`
    std::string summary;  ///< One sentence.
    std::vector<Step> steps;
};

/// How much is decided before a program is lowered. Decide: the graph keeps its shape, and what it leaves open is decided.
enum class Level { O0, O1, O2, O3, Decide };

/// `device`: without the CPU's own decisions, which say nothing about kernels.
const Pipeline& pipeline(Level level, bool device = false);
/// What makes every program simpler, whatever it is for: the only step of -O1.
const Step& simplification();

/// `0` to `3` or `decide`. Failure D014 for anything else.
Level parse_level(std::string_view text);
/// The same; an empty text is the setting `optimize`, and `otherwise` where that is empty too.
Level chosen_level(std::string_view text, Level otherwise = Level::Decide);
/// What stands where nobody has given a level: O3 for the programs of a Python source, which are functions to be called; a graph
/// keeps its shape.
Level level_for(const std::filesystem::path& source);

}  // namespace sluice::driver
