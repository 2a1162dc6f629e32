// Recipes: applications as lines of text.
//
//     MapTiling @ main(map=gemm) tile_sizes=[32, 32, N]
//     MapFusion @ loop/body(first=add, array=tmp, second=scale)
//     SetStorage @ (data=tmp) storage="Register" unsafe_assume=["L1"]
//
// A line is a transformation, the place (a path of labels, then the labels of the matched nodes) and the parameters that are
// not at their defaults. `#` begins a comment. Nodes may be left out as long as one match is left.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rewrite/match.h"
#include "rewrite/registry.h"

namespace sluice::rewrite {

struct Application {
    std::string transformation;
    std::string path;                            ///< Of the place, as in place.h.
    std::map<std::string, std::string> nodes;    ///< Pattern node -> name in the state or region.
    std::map<std::string, std::string> options;  ///< Parameter -> text.
    std::vector<std::string> assumed;            ///< Codes of conditions that the caller vouches for.
    bool operator==(const Application&) const = default;
};

std::string to_string(const Application& application);
/// Error E005 with the column.
Result<Application> parse_application(std::string_view line, const std::string& file = {}, std::uint32_t line_number = 1);
/// The applications of a text with their line numbers; empty lines and comments are skipped.
Result<std::vector<std::pair<std::uint32_t, Application>>> parse_recipe(std::string_view text, const std::string& file = {});

/// The application that stands for a match: `options` as given by the caller.
Application describe(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Options& options,
                     const std::set<std::string>& assumed = {});
/// The match that an application means. Errors: E004 nothing fits, with what is there now; E006 several do.
Result<Match> locate(const ir::Sdfg& root, const Descriptor& descriptor, const Application& application);
/// The application's options as values. Error E002.
Result<Options> options_of(const Descriptor& descriptor, const Application& application);

}  // namespace sluice::rewrite
