// Integers of Python's that a loop makes grow: overflow.cpp says which are checked.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Overflow {
public:
    explicit Overflow(Translator& translator) : t_(translator) {}
    /// In front of an assignment or a return: the program ends with an OverflowError where the value would not fit into 64 bits.
    void check(const code::Stmt& statement);
    /// Refuses F009 what is known not to fit.
    void refuse_constants(code::BinaryOp op, const Value& left, const Value& right, const Span& span) const;

private:
    void check(const code::ExprPtr& value);
    bool grows_in_loop(const code::BinaryExpr& n) const;
    bool grows_at_once(const code::BinaryExpr& n) const;
    bool carried(const code::ExprPtr& e, const code::Body& loop) const;

    Translator& t_;
};

}  // namespace sluice::frontend
