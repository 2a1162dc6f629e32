// Which expansion a node gets: by what it asks for itself, by lists of preference, by what is installed and by what suits it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "library/node_context.h"

namespace sluice::library {

struct ExpandOptions {
    std::string target = "cpu";
    /// Expansions for all nodes that have one of this name; several are separated by commas, best first.
    std::optional<std::string> implementation = {};
    /// For each target names of expansions, best first. They stand before the operations' own order and behind what a node asks
    /// for.
    std::map<std::string, std::vector<std::string>> priorities = {};
    /// What an expansion yields is expanded as well, until plain graphs and calls are left.
    bool recursive = true;
    /// False: for a program of one thread, where libraries with threads of their own are not called.
    bool parallel = true;
    /// A library is called only where a node asks for it; all others become loops.
    bool only_asked = false;
    /// Environments that count as not installed.
    std::set<std::string> missing = {};
};

struct Choice {
    const Expansion* expansion = nullptr;  ///< Null: none serves.
    /// Those that would have come first, and why they do not serve.
    std::vector<std::pair<std::string, std::string>> passed_over = {};
};
/// A wish that cannot be met (a library that is not installed, an operand that does not suit) is passed over and noted. Failures:
/// as bind(); B004: an implementation that no operation has.
Choice choose_expansion(const NodeContext& context, const ExpandOptions& options);
/// Why this expansion does not serve here; empty where it does.
std::string why_not(const NodeContext& context, const Expansion& expansion, const ExpandOptions& options);

}  // namespace sluice::library
