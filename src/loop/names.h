// The words of the textual form, one list for the printer and the parser; and the types of the names in scope.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "loop/ir.h"

namespace sluice::loop {

/// What a name in scope holds: the type of a variable, the element type of a buffer or stream.
using NameTypes = std::map<std::string, DType>;

inline constexpr std::array kBinaryWords{"+",  "-",  "*",  "/", "%",  "&", "|",  "^",   "<<",
                                         ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or"};
inline constexpr std::array kReductionWords{"custom",      "sum",        "product",     "min",         "max",
                                            "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
                                            "bitwise_xor", "sub",        "div",         "exchange"};
inline constexpr std::array kConflictWords{"plain", "atomic", "compare_exchange", "critical"};
inline constexpr std::array kPlaceWords{"stack", "heap", "thread_local", "persistent", "reserved", "registers", "pinned", "mapped"};
inline constexpr std::array kModeWords{"for", "parallel", "simd", "unroll", "axis", "pipeline"};
inline constexpr std::array kSpaceWords{"own", "global", "shared", "constant"};
inline constexpr std::array kLevelWords{"grid", "block", "thread"};
inline constexpr std::array kAxisWords{"x", "y", "z"};
inline constexpr std::array kCollectiveWords{"barrier", "broadcast",  "reduce",     "all_reduce",     "scatter",
                                             "gather",  "all_gather", "all_to_all", "scatter_blocks", "gather_blocks"};
inline constexpr std::array kScheduleWords{"default", "static", "dynamic", "guided"};

/// The type that a value has by its operands and names alone; void where they do not tell. The text names a type only where it
/// differs.
DType natural_type(const Value& value, const NameTypes& names);
/// Adds what a statement declares; `For` and `Consume` declare before their bodies.
void declare(const Statement& statement, NameTypes& names);
void declare(const Module& module, NameTypes& names);
void declare(const Function& function, NameTypes& names);

/// The names of a function, for passes that add some.
class UsedNames {
public:
    explicit UsedNames(const Function& function);
    /// A name that nobody has, made of one that tells.
    std::string fresh(const std::string& name);

private:
    std::set<std::string> all_;
};

}  // namespace sluice::loop
