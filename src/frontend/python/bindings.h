// What module-level expressions mean under a program's bindings: qualified names, numbers, types.
#pragma once

#include <optional>
#include <string>

#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// `numpy.sqrt` for `np.sqrt`, `sqrt` (imported from numpy), ...; `sluice.` also for the module `dace`. Empty if the expression
/// is not a member of a known module.
std::string qualified_name(const code::Expr& e, const Bindings& bindings);

/// What an import statement binds; nothing where the module is not known.
Bindings imported(const code::ImportStmt& import);

/// `around`, and what the imports in a function's body bind.
Bindings with_imports(Bindings around, const code::Body& body);

/// The number that a constant expression has: literals, bound numbers, `math.pi`, arithmetic, `np.float32(2)`.
std::optional<NumberBinding> constant_value(const code::Expr& e, const Bindings& bindings);

/// An element type: `sluice.float64`, `np.int32`, `float`, a bound type without shape, `sluice.vector(sluice.float32, 4)`.
std::optional<code::DType> dtype_of(const code::Expr& e, const Bindings& bindings);

/// A size: an integer expression of bound symbols and numbers. Failure F010.
symbolic::Expr size_of(const code::ExprPtr& e, const Bindings& bindings);

/// The type that an annotation names; nullopt if it names none. `float64[N, M]`; a storage behind `@` must be
/// the caller's memory (F003).
std::optional<ArgumentType> type_of_annotation(const code::ExprPtr& e, const Bindings& bindings);

/// Whether `left @ right` says where something lies: `sluice.StorageType.CPU_ThreadLocal`.
bool names_storage(const code::BinaryExpr& e, const Bindings& bindings);

/// Whether an annotation of a local is an instruction: a type of Sluice's. Python's and NumPy's are hints for people.
bool declares_type(const code::Expr& annotation, const Bindings& bindings);

/// What stands for an argument in the body of a call, if it is known now: a number, None, a text, a tuple of these, an element
/// type. Null if it is not.
code::ExprPtr constant_argument(const std::string& parameter, const code::ExprPtr& e, const Bindings& bindings);

/// A literal tree of a number.
code::ExprPtr literal_of(const NumberBinding& number, const Span& span);

}  // namespace sluice::frontend
