// What the parts of a translation share: the function's own facts, the loops around a statement, variables and places.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/frontend.h"
#include "frontend/python/value.h"
#include "symbolic/assumptions.h"

namespace sluice::frontend {

using symbolic::Expr;

/// Thrown when a map body turns out to need states of its own; nothing has been changed by then.
struct NotFlat {};
/// Thrown when a variable needs another type than its first assignment gave it; the translation starts again knowing it.
struct Retype {
    std::string name;
    code::DType type;
};
/// Thrown when a local cannot take the place of the return value; the translation starts again without that.
struct KeepReturnApart {};

/// What holds for one function, shared by the translators of its map bodies.
struct FunctionContext {
    const Program* program = nullptr;
    const code::FunctionStmt* function = nullptr;
    std::map<std::string, code::DType> types;            ///< Of variables, from Retype.
    std::map<std::string, std::string> return_variable;  ///< Local -> return container that it may be from the start.
    std::map<std::string, int> bindings, occurrences;    ///< Over the whole function.
    std::map<std::string, int> array_bindings;           ///< Without augmented assignments.
    std::map<std::string, code::DType> symbol_types;
    std::set<std::string> taken;  ///< Names that generated symbols and parameters avoid.
    std::set<const code::Stmt*> callers;
};

/// A loop around the statement whose iterations all reach it: nothing in between branches or leaves.
struct SureLoop {
    std::string variable;
    Expr begin, end, step;              ///< The step is a constant.
    symbolic::Assumptions assumptions;  ///< What holds before the loop, whether it has an iteration or not.
};

/// Sets a value to `during` and back at the end of the scope, however it is left.
template <class T> class Restored {
public:
    Restored(T& place, T during) : place_(place), before_(std::exchange(place, std::move(during))) {}
    ~Restored() { place_ = std::move(before_); }
    Restored(const Restored&) = delete;

private:
    T& place_;
    T before_;
};
template <class T, class During> Restored(T&, During) -> Restored<T>;

struct Variable {
    Value value;
    bool owned = false;  ///< The container is this variable's alone: assignment may overwrite it.
};

/// Where a value goes: a view of a container.
struct Target {
    Operand view;
    std::vector<Expr> shape;
    code::ExprPtr scatter;  ///< Set where the index is computed from data: the subscripted container, as code.
    std::map<std::string, Operand> scatter_operands;
};

}  // namespace sluice::frontend
