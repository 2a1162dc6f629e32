// The textual form of a module, printed and parsed; docs/loop-text.md has the grammar. Places in the user's source are no part of
// it: parse_text(to_text(m)) is m without them.
#pragma once

#include <string>
#include <string_view>

#include "loop/ir.h"
#include "support/result.h"

namespace sluice::loop {

std::string to_text(const Module& module);
/// The line of a statement of the module, without what lies below it.
std::string to_text(const Module& module, const Statement& statement);
/// A value by itself, for messages; types that its names have stay unsaid.
std::string to_text(const Value& value);
/// Errors X001, X002, X003, X004, X006, X007, X008 with the place in `file`. The result is not verified.
Result<Module> parse_text(std::string_view text, const std::string& file = {});

}  // namespace sluice::loop
