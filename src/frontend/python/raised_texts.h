// A text that is made for an exception has its place in it:
//     msg = f"{n} is negative"          ->          raise ValueError(f"{n} is negative")
//     raise ValueError(msg)
#pragma once

#include "code/ast.h"

namespace sluice::frontend {

/// The function with such pairs of statements made one where nothing else can see the name, in the functions inside of it as well.
code::StmtPtr with_raised_texts(const code::StmtPtr& function);

}  // namespace sluice::frontend
