// Displays of sets and comprehensions of dictionaries read as calls of functions that no program can name:
//     {a, b}  ->  {}([a, b])        {a for ...}  ->  {}(a for ...)        {k: v for ...}  ->  {:}((k, v) for ...)
#pragma once

namespace sluice::code {

inline constexpr const char* kSetOf = "{}";
inline constexpr const char* kDictionaryOf = "{:}";

}  // namespace sluice::code
