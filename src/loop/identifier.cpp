#include "loop/identifier.h"

#include <algorithm>
#include <unordered_set>

#include "support/words.h"

namespace sluice::loop {

namespace {

bool is_word(std::string_view name) {
    static const std::unordered_set<std::string_view> words{
        // C++
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast",
        "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else",
        "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
        "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
        "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
        "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union",
        "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        // C
        "restrict", "typeof", "typeof_unqual",
        // of the compiler
        "__alignof", "__asm", "__attribute", "__auto_type", "__complex", "__const", "__float128", "__imag", "__inline", "__int128",
        "__null", "__real", "__restrict", "__signed", "__thread", "__typeof", "__volatile",
        // types and macros of headers, and what stands for a macro somewhere
        "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t",
        "intmax_t", "uintmax_t", "size_t", "ptrdiff_t", "offsetof", "NULL", "EOF", "errno", "stdin", "stdout", "stderr",
        "CLOCKS_PER_SEC", "NAN", "INFINITY", "HUGE_VAL", "setjmp", "TIMER_ABSTIME", "TIME_UTC", "linux", "unix",
        // of the generated unit
        "main", "handle", "std", "sluice"};
    return words.contains(name);
}

// INT64_MAX, UINT_FAST8_MIN, SIZE_WIDTH, ...
bool is_limit(std::string_view name) {
    const auto drop = [&](std::string_view prefix) {
        const bool there = name.starts_with(prefix);
        if (there) name.remove_prefix(prefix.size());
        return there;
    };
    drop("U");
    const bool sized = drop("INT");
    const bool whole =
        sized ? drop("PTR") || drop("MAX") : drop("SIZE") || drop("PTRDIFF") || drop("WCHAR") || drop("WINT") || drop("SIG_ATOMIC");
    if (!sized && !whole) return false;
    if (sized && !whole) {
        if (!drop("_LEAST")) drop("_FAST");
        const std::size_t digits = static_cast<std::size_t>(std::ranges::find_if_not(name, is_digit) - name.begin());
        if (digits == 0) return false;
        name.remove_prefix(digits);
    }
    return name == "_MIN" || name == "_MAX" || name == "_WIDTH" || name == "_C";
}

bool begins_like_a_macro(std::string_view name) {
    return name.starts_with("CLOCK_") || name.starts_with("ADJ_") || name.starts_with("MOD_") || name.starts_with("STA_");
}

}  // namespace

bool is_reserved(std::string_view name) {
    if (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1]))) return true;
    if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) return true;
    return name.starts_with("__builtin_") || is_word(name) || is_limit(name) || begins_like_a_macro(name);
}

bool is_identifier(std::string_view name) {
    return !name.empty() && !is_digit(name[0]) && std::ranges::all_of(name, is_word_part) && !is_reserved(name);
}

std::string renamed(const std::string& reserved) {
    return reserved[0] == '_' ? "v" + reserved : reserved + "_";
}

std::string identifier(std::string_view base) {
    std::string name(base);
    for (char& c : name)
        if (!is_word_part(c)) c = '_';
    if (name.empty() || is_digit(name[0])) name.insert(0, "v");
    return is_reserved(name) ? renamed(name) : name;
}

}  // namespace sluice::loop
