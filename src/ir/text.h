// The textual form of an SDFG: short, diffable, printed and parsed. parse(print(x)) == x for every graph.
// docs/text-form.md has the grammar.
#pragma once

#include <string>
#include <string_view>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::ir {

std::string to_text(const Sdfg& sdfg);
/// Errors X001..X0nn with the place in `file`. The result is not verified.
Result<Sdfg> parse_text(std::string_view text, const std::string& file = {});

}  // namespace sluice::ir
