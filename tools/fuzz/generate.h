// Random valid graphs, the same for a seed everywhere. Containers do not alias, every element is written before it is read, and no
// two unordered writes meet unless a conflict resolution that commutes orders them: every order gives the same memory (up to
// rounding, tolerance.h).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "fuzz/test_case.h"

namespace sluice::fuzz {

enum class Feature : std::uint8_t {
    Branches,
    Conflicts,  ///< Write-conflict resolutions.
    Copies,
    DynamicRanges,
    Indirection,  ///< Tasklets that subscript their connectors.
    Layouts,      ///< Strides and padding.
    Loops,
    Machines,  ///< Transitions with conditions, reducible and not.
    Nested,
    Parallel,  ///< Maps that demand a team however small they are.
    Products,
    Reductions,
    Streams,
    Views,
};
std::string_view to_string(Feature feature);
std::optional<Feature> parse_feature(std::string_view name);
const std::set<Feature>& all_features();

struct GenerateOptions {
    int size = 5;   ///< Statements of the outermost graph.
    int depth = 2;  ///< How deep control flow and nested graphs go.
    std::set<Feature> features = all_features();
    std::vector<code::Scalar> types = {};  ///< Of elements; empty: every one.
    bool swarm = true;   ///< Each graph has a random part of the features (Groce et al., "Swarm testing", ISSTA'12).
    bool races = false;  ///< One unordered pair of plain writes is planted.
};

TestCase generate(std::uint64_t seed, const GenerateOptions& options = {});

}  // namespace sluice::fuzz
