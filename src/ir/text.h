// The textual form of an SDFG: short, diffable, printed and parsed. parse(print(x)) == x for every graph.
// docs/text-form.md has the grammar.
#pragma once

#include <string>
#include <string_view>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::ir {

std::string to_text(const Sdfg& sdfg);
/// One element as it stands in the textual form; a nested SDFG without its contents.
std::string node_text(const State& state, NodeId id);
std::string edge_text(const Edge& edge);
std::string container_text(const std::string& name, const Container& container);
/// Errors X001..X0nn with the place in `file`. The result is not verified.
Result<Sdfg> parse_text(std::string_view text, const std::string& file = {});

}  // namespace sluice::ir
