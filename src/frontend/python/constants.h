// Texts, None, lists, tuples and dictionaries of the module or function around a program.
#pragma once

#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// The function with the values of such names. What cannot change stands where the name stood; a list or dictionary is a variable,
/// from the first statement on, that holds one of the caller's (`sluice.explicit.given`). `x is None` is False for an object that
/// programs know nothing else of. `globals` gets the function that the statements call.
code::StmtPtr with_constants(const code::StmtPtr& function, const Definition& definition, Bindings& globals);

}  // namespace sluice::frontend
