// Displays of sets, comprehensions of dictionaries and dictionaries with others in them read as calls of functions that no program
// can name:
//     {a, b}  ->  {}([a, b])        {a for ...}  ->  {}(a for ...)        {k: v for ...}  ->  {:}((k, v) for ...)
//     {"k": v, **d}  ->  {**}({"k": v}, d)
//     f"{x:.3f}"  ->  f-string(:(x, ".3f"))
// and the attributes that a pattern names by their places likewise: `case Point(0, y)` asks for <0> and <1>.
#pragma once

namespace sluice::code {

inline constexpr const char* kSetOf = "{}";
inline constexpr const char* kDictionaryOf = "{:}";
inline constexpr const char* kMergedOf = "{**}";
inline constexpr const char* kFormatOf = ":";
inline constexpr const char* kMatched = "<";

}  // namespace sluice::code
