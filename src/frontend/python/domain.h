// Where arithmetic of numbers raises in Python: division by zero, math.sqrt(-1.0), int(nan), integers to negative powers, and
// powers that are complex numbers; and where None is used as a value.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Domain {
public:
    explicit Domain(Translator& translator) : t_(translator) {}
    /// In front of an operation of two numbers of Python's. Refuses F009 a constant divisor of zero.
    void check(code::BinaryOp op, const Value& left, const Value& right, const Span& span);
    /// In front of a function of the module math.
    void check(const std::string& function, const Value& argument, const Span& span);
    /// Integers, NumPy's as well, have no negative powers.
    void require_whole_power(const Value& base, const Value& power, const Span& span);
    /// In front of a use of the value. Where names mean None on this path only, the path raises what Python does, `error` a text
    /// like "TypeError: ...", and ends. Without effect on other values, and where None is known throughout.
    void require_value(const Value& value, const std::string& error, const Span& span);
    /// In front of int(x).
    void check_integer(const Value& real, const Span& span);

private:
    bool is_checked() const;
    void require_none(const Value& wrong, const std::string& message, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
