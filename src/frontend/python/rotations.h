// A list that takes the place of the last iteration's gives its elements to it:
//     prev = list(range(n))                          prev = list(range(n))
//     for i in range(m):                             for i in range(m):
//         cur = [i] + [0] * n                  ->        cur = [i] + [0] * n
//         ...                                            ...
//         prev = cur                                     prev[:] = cur
// and a list that is made of the last one of its name, `xs = [xs[i] for i in order]`, gives its elements to that.
// Nobody can tell: neither list has another name, and the next iteration makes a new one before it says `cur` again.
#pragma once

#include "code/ast.h"

namespace sluice::frontend {

/// The function with such assignments replaced, in the functions inside of it as well; itself where there are none.
code::StmtPtr with_rotations(const code::StmtPtr& function);

}  // namespace sluice::frontend
