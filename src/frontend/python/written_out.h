// Calls that bind names of the function around, and generators, become the statements of their bodies before anything is
// translated:
//     def check(v):                                 for x in xs:
//         nonlocal hits                                 if x > 0: hits += 1
//         if v > 0: hits += 1            ->
//     for x in xs: check(x)
//
//     for f in fib(n): total += f        ->         a, b = 0, 1
//                                                   while a < n: f = a; total += f; a, b = b, a + b
// What is assigned then stands where every analysis looks for it.
#pragma once

#include "code/ast.h"

namespace sluice::frontend {

/// The function without such inner functions; itself where there are none.
code::StmtPtr with_calls_written_out(const code::StmtPtr& function);

}  // namespace sluice::frontend
