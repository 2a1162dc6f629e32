// Where arithmetic of numbers raises in Python: division by zero, math.sqrt(-1.0), int(nan), integers to negative powers, and
// powers that are complex numbers; and where None is used as a value.
#pragma once

#include <string_view>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Domain {
public:
    explicit Domain(Translator& translator) : t_(translator) {}
    /// In front of an operation of two numbers of Python's. Refuses F009 a constant divisor of zero.
    void check(code::BinaryOp op, const Value& left, const Value& right, const Span& span);
    /// In front of divmod(x, y), whose error says something else than those of its operations.
    void check_divmod(const Value& left, const Value& right, const Span& span);
    /// In front of a function of the module math.
    void check(const std::string& function, const Value& argument, const Span& span);
    void check(const std::string& function, const Value& first, const Value& second, const Span& span);
    /// Integers, NumPy's as well, have no negative powers.
    void require_whole_power(const Value& base, const Value& power, const Span& span);
    /// In front of a use of the value. Where names mean None on this path only, the path raises what Python does, `error` a text
    /// like "TypeError: ...", and ends. Without effect on other values, and where None is known throughout.
    void require_value(const Value& value, const std::string& error, const Span& span);
    /// Whether a path may raise and end here: in a statement of its own, and in no map.
    bool may_end_path() const;
    /// In front of int(x).
    void check_integer(const Value& given, const Span& span);

    /// Where numbers are checked: in front of what they are used in, where this costs nothing (outside of loops, and in `while`);
    /// in `for`, behind the outermost one: iterations note what is wrong, in any order.
    enum class Place : std::uint8_t { Nowhere, AtOnce, BehindLoops };
    Place place() const;
    bool outside_of_loops() const;
    /// Whether a function of the module math raises for some numbers.
    static bool is_limited(std::string_view function);
    /// The error that the message begins with, where `wrong` is not false.
    void require_none(const Value& wrong, const std::string& message, const Span& span);
    /// Behind a loop, or in front of a return in it: the error that an iteration noted.
    void raise_noted();
    /// In front of the program: nothing is wrong yet, and no flag is set (types_by_path.h).
    void forget_notes();

private:
    void check_fractional_power(const Value& left, const Value& right, const Span& span);
    void check_real_power(const Value& left, const Value& right, const Span& span);
    void note(const Value& wrong, const std::string& message, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
