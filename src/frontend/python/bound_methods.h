// Methods of an object as functions of elements:
//     max(counts, key=counts.get)   ->   max(counts, key=lambda k: counts.get(k))
//     map(table.__getitem__, xs)    ->   map(lambda k: table[k], xs)
#pragma once

#include "frontend/python/bindings.h"

namespace sluice::frontend {

/// The function with such lambdas; itself where it has no such methods.
code::StmtPtr with_bound_methods(const code::StmtPtr& function, const Bindings& globals);

/// What `t.get` and `lambda k: t[k]` look a key up in; null for another expression.
code::ExprPtr looked_up_in(const code::ExprPtr& function_of_keys);

}  // namespace sluice::frontend
