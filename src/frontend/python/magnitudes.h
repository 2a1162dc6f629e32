// How large integers of Python's may become that follow from counters, sizes and parameters: magnitudes.cpp says what is taken for
// granted.
#pragma once

#include <optional>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Magnitudes {
public:
    explicit Magnitudes(Translator& translator) : t_(translator) {}
    /// Whether the result may leave 64 bits.
    bool may_leave(const code::BinaryExpr& n, const Value& left, const Value& right) const;
    /// The same before the operands are evaluated.
    bool may_leave(const code::BinaryExpr& n) const;
    /// Hands the question on to the front of the loop, where every iteration asks it of counters and of what the loop leaves alone;
    /// false elsewhere.
    bool left_to_loop(const code::BinaryExpr& n, const Value& left, const Value& right, const Span& span);
    /// Behind the translation of a loop over the range, in front of its block.
    void in_front(const LoopFrame& frame, const symbolic::Range& range);
    /// Only their own places can ask: the translation starts again.
    void ask_in_place(const std::vector<GrowingInteger>& growing);
    double most(const Value& value, const std::string& own = {}, double most_of_own = 0) const;
    /// Whether a variable that a loop adds to may be large in front of it.
    bool starts_wide(const Value& sum) const;
    /// What a name is bound to: `own` is the symbol or container that holds it.
    void note(const std::string& name, const std::string& own, const Value& value);

private:
    using Resolve = std::function<double(const std::string&)>;
    double most(const code::ExprPtr& e, const Resolve& of_name) const;
    double most_of_symbol(const std::string& name) const;
    bool kept_by_condition(const code::BinaryExpr& n) const;
    bool is_extent(const Expr& symbol) const;
    bool may_leave(code::BinaryOp op, double left, double right, std::optional<double> constant) const;
    code::ExprPtr as_real(const std::string& own, GrowingInteger& result) const;
    std::optional<code::ExprPtr> as_real(const code::ExprPtr& e, const Value& value, GrowingInteger& result) const;

    Translator& t_;
};

}  // namespace sluice::frontend
