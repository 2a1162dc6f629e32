// Places of a function between which a loop with a stack goes (recursion.cpp), and the variables that live from one to the other.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "code/ast.h"

namespace sluice::frontend {

/// Keywords of statements of the translation, with the number of a place as text.
inline constexpr const char *kGoTo = "go to", *kSave = "save";

/// Such a statement; null for others.
const code::UnsupportedStmt* marker_in(const code::StmtPtr& one);

/// By place: which of the variables it reads before it binds them, or those behind it do. Place 0 is the function's beginning,
/// where parameters are as the call gives them. `results`: the variable of the call's result that a place begins with.
std::vector<std::set<std::string>> live_variables(const std::vector<code::Body>& places, const std::vector<std::string>& results,
                                                  const std::set<std::string>& variables);

/// Whether those have a value on every path that leads on to their places.
bool have_values(const std::vector<code::Body>& places, const std::vector<std::string>& results,
                 const std::vector<std::set<std::string>>& live, const std::vector<code::Parameter>& parameters);

}  // namespace sluice::frontend
