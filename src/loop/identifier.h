// What a name of the loop IR may be: an identifier of C and of C++ that neither language, nor a header that generated code
// includes, has taken.
#pragma once

#include <string>
#include <string_view>

namespace sluice::loop {

/// Words of C and C++, names that both reserve for the compiler (`_Bool`, `__LINE__`), the types and macros of <stddef.h>,
/// <stdint.h> and <time.h>, and the namespaces of generated code.
bool is_reserved(std::string_view name);
/// Letters, digits and underscores, no digit first, and not reserved.
bool is_identifier(std::string_view name);
/// What stands for a name that is taken: `int_`, `v__LINE__`.
std::string renamed(const std::string& reserved);
/// `name` if it is an identifier; otherwise other characters become underscores, `v` goes before a digit, and a name beside it
/// stands for what is reserved.
std::string identifier(std::string_view name);

}  // namespace sluice::loop
