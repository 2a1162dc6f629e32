// Which expansion a node gets: by what it asks for itself, by lists of preference, by what is installed and by what suits it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "library/node_context.h"

namespace sluice::library {

/// Names of expansions, best first.
struct Preference {
    std::vector<std::string> names;
    std::string operation = {};  ///< Empty: of every operation.
    std::string target = {};     ///< Empty: for every target.
    std::string origin = "a priority of the caller";
};

/// One step of an expansion: a node, what took its place, and why that.
struct Expanded {
    std::string path;  ///< Of the node: `sdfg/state/n3`.
    std::string operation, expansion;
    std::string rule;  ///< Who chose: `the node`, `the operation's own order`.
    /// Those that would have come first, and why they do not serve.
    std::vector<std::pair<std::string, std::string>> passed_over;
    bool operator==(const Expanded&) const = default;
};
/// `main/n3: Gemm -> native, by the operation's own order; not MKL: it is not installed`
std::string to_string(const Expanded& step);

struct ExpandOptions {
    std::string target = "cpu";
    /// Expansions for all nodes that have one of this name; several are separated by commas, best first.
    std::optional<std::string> implementation = {};
    /// They stand before the operations' own order and behind what a node asks for; the first in the list stands before the rest.
    std::vector<Preference> preferences = {};
    /// What an expansion yields is expanded as well, until plain graphs and calls are left.
    bool recursive = true;
    /// False: for a program of one thread, where libraries with threads of their own are not called.
    bool parallel = true;
    /// A library is called only where a node asks for it; all others become loops.
    bool only_asked = false;
    /// Expansions that call nothing come before those that call functions of libraries or of the runtime.
    bool loops_first = false;
    /// Environments that count as not installed.
    std::set<std::string> missing = {};
    /// False: for a target that calls no functions of libraries and of the runtime.
    bool libraries = true;
    /// Called with each step.
    std::function<void(const Expanded&)> on_expanded = {};
};
/// `MKL, OpenBLAS` -> both names.
std::vector<std::string> names_in(const std::string& list);

struct Choice {
    const Expansion* expansion = nullptr;  ///< Null: none serves.
    std::string rule;                      ///< As in Expanded.
    /// Those that would have come first, and why they do not serve.
    std::vector<std::pair<std::string, std::string>> passed_over = {};
};
/// A wish that cannot be met (a library that is not installed, an operand that does not suit) is passed over and noted. Failures:
/// as bind(); B004: a name that no operation's expansion has.
Choice choose_expansion(const NodeContext& context, const ExpandOptions& options);
/// Why this expansion does not serve here; empty where it does.
std::string why_not(const NodeContext& context, const Expansion& expansion, const ExpandOptions& options);

}  // namespace sluice::library
