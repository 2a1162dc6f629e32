// NumPy's generator that all of a process share: `np.random.rand(3)` is a draw of the generator of that name, whose state is an
// array of the module.
//     np.random.seed(7)            numpy_random.seed(7)
//     x = np.random.rand(n)   ->   x = numpy_random.rand(n)
#pragma once

#include "code/ast.h"
#include "frontend/array/value.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// What stands for the shared generator; its state is the argument `__g_numpy_random`, the words of runtime/mt19937.h.
constexpr const char* kSharedGenerator = "numpy_random";
/// The state of a generator of MT19937, in words; of PCG64 it has six.
constexpr std::int64_t kLegacyStateWords = 627;

/// The function with draws of the shared generator so, which `globals` then has; itself where there are none.
code::StmtPtr with_shared_generator(const code::StmtPtr& function, Bindings& globals);

/// What the name of an array of the module means, read whole: the generator where it is its state.
Value meaning_of_module_array(const Value& array);

}  // namespace sluice::frontend
