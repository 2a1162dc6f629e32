// Integers of Python's that leave 64 bits, or that do not fit beside narrower ones of NumPy's: overflow.cpp says which are checked.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Overflow {
public:
    explicit Overflow(Translator& translator) : t_(translator) {}
    /// In front of an operation: the program ends with an OverflowError where the value would not fit into 64 bits.
    void check(const code::BinaryExpr& n, const Value& left, const Value& right, const Span& span);
    /// The same for -n and abs(n).
    void check_negation(const code::ExprPtr& operand, const Value& value, const Span& span);
    /// The same for Python's sum of them.
    void check_sum(const Value& numbers, const Span& span);
    void check_sum(const std::vector<Value>& numbers, const Span& span);
    /// Whether the operation is one that is checked, if both operands are integers of Python's.
    bool may_grow(const code::BinaryExpr& n) const;
    /// The same for numbers of the data; in doubt it is.
    bool may_grow_by_data(const code::BinaryExpr& n) const;
    /// The same for -n and abs(n).
    bool may_be_least(const code::ExprPtr& n) const;
    /// Refuses elements of a list that may not fit: Python computes them, and they need not fit into anything. Strict programs
    /// raise OverflowError where they can.
    void refuse_elements(const code::ExprPtr& element) const;
    /// Refuses F009 what is known not to fit.
    void refuse_constants(code::BinaryOp op, const Value& left, const Value& right, const Span& span) const;
    /// An integer of Python's that meets one of NumPy's takes its type: refuses F009 what does not fit, and checks the others.
    void require_fits(const Value& left, const Value& right, const Span& span);
    /// The same where the integer becomes an element of the type.
    void require_fits(const Value& python, const code::DType& type, const Span& span);
    /// The same for a number of Python's, float or integer, that is stored in such an element. NumPy treats its own floats alike
    /// where one becomes elements of signed integers, but for indices that are arrays.
    enum class Floats : std::uint8_t { Pythons, All };
    void require_stored(const Value& value, const code::DType& type, const Span& span, Floats which);
    /// Assigns what a program gives elements of an array.
    void assign(const Target& place, const Value& value, const std::string& label, Floats which = Floats::All);
    /// Operands of a function of NumPy's: comparisons take Python's integers as they are, others need what fits.
    std::vector<Value> fitting_operands(const std::string& function, const std::vector<Value>& operands, const Span& span);
    /// A bound of np.clip, which may lie outside of what the type of the array holds.
    Value clipping_bound(const Value& bound, const Value& array, bool lowest, const Span& span);
    /// A number that is kept as a float64, whatever its type is: integers that this would round raise OverflowError.
    void require_exact(const Value& number, const Span& span);
    /// What a variable's memory holds from here on.
    void note_variable(const std::string& data, const Value& value);
    /// Whether a float64 is beyond 64 bits.
    static code::ExprPtr too_large(const code::ExprPtr& real, const Span& span);
    static constexpr const char* kMessage = "OverflowError: an integer of Python's does not fit into 64 bits";
    /// Operands that are compared: an integer of Python's is compared as it is, whatever the type of the other one holds.
    std::vector<Value> comparable(std::vector<Value> operands, const Span& span);
    /// An integer and a float of Python's, where the float of the integer may be another number.
    std::optional<Value> compared_exactly(code::CompareOp op, const Value& left, const Value& right, const Span& span) const;

private:
    struct Range {
        std::int64_t least, most;
    };
    static std::optional<Range> range_of(const code::DType& type);
    static std::optional<Range> range_to_fit(const Value& python, const Value& numpy);
    Value sum_leaves(code::BinaryOp op, const Value& left, const Value& right, const Span& span);
    Value leaves(const code::BinaryExpr& n, const Value& left, const Value& right, const Span& span);
    bool is_of_data(const Value& value, bool or_given) const;
    bool reads_data(const code::ExprPtr& e, bool or_given) const;
    void require_small(const Value& real, const Span& span);
    bool grows_by_data(code::BinaryOp op, const Value& left, const Value& right) const;
    std::optional<Value> leaves_sum(const code::BinaryExpr& n, const Value& left, const Value& added, const Span& span) const;
    bool grows_in_loop(const code::BinaryExpr& n) const;
    bool grows_at_once(const code::BinaryExpr& n) const;
    bool carried(const code::ExprPtr& e, const code::Body& loop) const;

    Translator& t_;
};

}  // namespace sluice::frontend
