// Loops over tuples of indices.
#pragma once

#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

/// They are loops inside of one another:
///     for i, j in np.ndindex(n, m): ...                       ->   for i in range(n): for j in range(m): ...
///     for (i, j), v in np.ndenumerate(A): ...                 ->   ... v = A[i, j]; ...
///     for i, j in itertools.product(range(n), range(1, m)): ...
///     for i, j in itertools.combinations(range(n), 2): ...    ->   for i in range(n): for j in range(i + 1, n): ...
class NestedLoops {
public:
    explicit NestedLoops(Translator& translator) : t_(translator) {}
    /// False if the loop is over something else.
    bool translate(const code::Stmt& shared, const code::ForStmt& loop);
    /// The names of the indices, where each has one.
    static std::vector<code::ExprPtr> indices_of(const code::ForStmt& loop, const Bindings& bindings);

private:
    struct Counter {
        code::ExprPtr begin, end, step;  ///< Begin and step may be null.
    };
    std::vector<Counter> counters_of(const code::CallExpr& call, const std::string& function, const Span& span);
    std::vector<Counter> sides_of(const code::CallExpr& call, bool of_array, const Span& span);
    std::int64_t number(const code::ExprPtr& e);
    Counter counter_of(const code::ExprPtr& iterable);
    code::ExprPtr kept(const code::ExprPtr& bound, const code::Body& body);
    std::string new_integer(const std::string& base);
    code::Body body_for(const code::Stmt& shared, const code::ForStmt& loop, std::vector<Counter> counters,
                        const std::string& function);

    Translator& t_;
    code::Body before_;  ///< Assignments of bounds: Python takes them once.
    std::string own_;    ///< Of this loop, in names.
};

}  // namespace sluice::frontend
