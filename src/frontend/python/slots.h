// Lists and dictionaries that change as variables:
//     stats = {"low": 0.0}             stats_low = 0.0
//     stats["low"] += x           ->   stats_low += x
//     stats["n"] = 1                   stats_n = 1
//     return stats                     return {"low": stats_low, "n": stats_n}
// A name is treated so if nothing but literals is assigned to it, if its elements are read and assigned by constants, and if the
// whole is only returned: nobody else can hold it. So is the name of a tuple that iterations replace, `best = (error, i)`, however
// it is read, for nobody can change one: its elements may mean other things in each iteration, and all of them together. (Scalar
// replacement of aggregates: Muchnick, Advanced Compiler Design, 12.2.)
#pragma once

#include "code/ast.h"

namespace sluice::frontend {

/// The function with such names replaced, in the functions inside of it as well; itself where there are none.
code::StmtPtr with_slots(const code::StmtPtr& function);

}  // namespace sluice::frontend
