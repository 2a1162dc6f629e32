// Conditional expressions between arrays: `x = A if c else B` binds x to one of them, it copies neither. Returned choices between
// numbers of several types: each has its own.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Choices {
public:
    explicit Choices(Translator& translator) : t_(translator) {}
    /// `x, y = (A, B) if c else (B, A)` as a statement for each case; false where the statement holds no such choice.
    bool translate(const code::StmtPtr& statement);
    /// The conditional expression that says which array the value is, or is part of, or is handed to a call; null if there is none.
    code::ExprPtr choice_in(const code::ExprPtr& e);

    /// A conditional expression of arrays, each computed where its branch is taken: its statement is translated once for each from
    /// now on. Returns where that is so already.
    void put_apart(const code::ExprPtr& choice);
    /// The one in an expression that put_apart() was given; null if there is none.
    code::ExprPtr choice_of_arrays_in(const code::ExprPtr& e);

    /// A return of such an expression as branches that return; null if it holds none.
    code::StmtPtr returned_apart(const code::StmtPtr& statement);

private:
    code::StmtPtr branches_for(const code::StmtPtr& statement, const code::ExprPtr& value, const code::ExprPtr& choice);
    bool names_array(const code::ExprPtr& e);
    bool names_object(const code::ExprPtr& e);
    bool reads_array(const code::ExprPtr& e);
    code::ExprPtr as_conditional(const code::ExprPtr& e) const;
    code::ExprPtr sum_or_zero(const code::ExprPtr& e) const;
    bool add_types(const code::ExprPtr& e, std::vector<code::Type>& types);
    bool has_several_types(const code::ExprPtr& e);
    code::ExprPtr part_of_several_types(const code::ExprPtr& value);

    Translator& t_;
};

}  // namespace sluice::frontend
