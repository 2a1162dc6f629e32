// break and continue of a loop over a tuple, whose iterations are written out one behind the other:
//     for d in (1, 2):                    left = 0
//         if c(d): continue               if c(1): pass
//         if e(d): break         ->       elif e(1): left = 2
//         f(d)                            else: f(1)
//                                         if left != 2: ...
#pragma once

#include <optional>
#include <string>

#include "code/ast.h"

namespace sluice::frontend {

/// Some statement of the body ends the iteration or the loop around it.
bool leaves_iteration(const code::Body& body);
/// Some statement of the body ends an iteration or loop, perhaps one inside of it, or the function.
bool leaves_early(const code::Body& body);
/// An iteration without break and continue. The variable `left` is 1 where it was ended early, 2 where the loop was.
code::Body without_exits(const code::Body& iteration, const code::ExprPtr& left);
/// The iterations, each one if the loop was not left before.
code::Body one_by_one(const std::vector<code::Body>& iterations, const code::ExprPtr& left);

/// `for i in itertools.count(begin, step)` as a `while True` with a counter of this name, and its step; nullopt for other calls.
std::optional<code::Body> counted_without_end(const code::ForStmt& loop, const code::CallExpr& count, const std::string& counter,
                                              const Span& span);

}  // namespace sluice::frontend
