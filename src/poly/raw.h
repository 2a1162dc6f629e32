// What the room's files share about isl's own objects. Private to the room.
#pragma once

#include <isl/ast_type.h>
#include <isl/ctx.h>
#include <isl/space_type.h>
#include <isl/val_type.h>

#include <cstdint>
#include <optional>
#include <string>

#include "poly/set.h"
#include "symbolic/expr.h"

namespace sluice::poly {

inline Answer answer_of(isl_bool value) {
    return value == isl_bool_error ? Answer::Unknown : value == isl_bool_true ? Answer::Yes : Answer::No;
}
/// Frees the text; `unknown` for none.
std::string take_text(char* text);
std::int64_t take_integer(isl_val* value);
/// Without parameters; isl adds those that meet by name.
isl_space* raw_space(const Space& space);
/// What a set, of parameters alone or with dimensions, says of the parameters.
isl_set* raw_parameters(const Set& set);
/// What isl's code generator wrote, as an expression; nullopt: an operation that expressions do not have. Borrowed.
std::optional<symbolic::Expr> expression_of(isl_ast_expr* e);

}  // namespace sluice::poly
