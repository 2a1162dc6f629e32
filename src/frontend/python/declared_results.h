// What a function returns has the type that its annotation declares, as a local would have it:
//     def f(x) -> sluice.float32:               def f(x):
//         return x + 1                  ->          __returned_0: sluice.float32 = x + 1
//                                                   return __returned_0
// Annotations of Python's and NumPy's are hints for people, and so are those of functions that call themselves.
#pragma once

#include "frontend/python/bindings.h"

namespace sluice::frontend {

/// The function with such returns; itself where it declares nothing. `bindings` get the declared types under names of their own;
/// `evaluated` is what Python made of the annotation, if that is a type. Failure F025: as many types as values there are not.
code::StmtPtr with_declared_results(const code::StmtPtr& function, Bindings& bindings,
                                    const std::optional<ArgumentType>& evaluated);

}  // namespace sluice::frontend
