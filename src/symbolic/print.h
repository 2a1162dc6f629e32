// What both printers share: the order and the signs in which terms are written. Private to the room.
#pragma once

#include <string>

#include "symbolic/polynomial.h"

namespace sluice::symbolic {

/// Terms as people write them: the constant last, and a positive term first where there is one.
Terms printing_order(const Expr& e);
bool is_negative(const Number& value);
/// Shortest text that reads back as the same double, always with a point or an exponent; no sign for -x.
std::string real_text(double magnitude);
/// Digits of |value|.
std::string magnitude_text(std::int64_t value);

}  // namespace sluice::symbolic
