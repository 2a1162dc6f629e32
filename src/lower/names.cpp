#include "lower/names.h"

#include <cctype>
#include <unordered_set>

namespace sluice::lower {

namespace {

bool is_reserved(const std::string& name) {
    static const std::unordered_set<std::string> words{
        "alignas",  "alignof",   "and",      "and_eq",   "asm",      "auto",     "bitand",  "bitor",     "bool",      "break",
        "case",     "catch",     "char",     "class",    "compl",    "concept",  "const",   "consteval", "constexpr", "constinit",
        "continue", "decltype",  "default",  "delete",   "do",       "double",   "else",    "enum",      "explicit",  "export",
        "extern",   "false",     "float",    "for",      "friend",   "goto",     "if",      "inline",    "int",       "long",
        "mutable",  "namespace", "new",      "noexcept", "not",      "not_eq",   "nullptr", "operator",  "or",        "or_eq",
        "private",  "protected", "public",   "register", "requires", "return",   "short",   "signed",    "sizeof",    "static",
        "struct",   "switch",    "template", "this",     "throw",    "true",     "try",     "typedef",   "typeid",    "typename",
        "union",    "unsigned",  "using",    "virtual",  "void",     "volatile", "while",   "xor",       "xor_eq",    "main",
        "errno",    "NULL",      "EOF",      "stdin",    "stdout",   "stderr",   "handle",  "std",       "sluice",    "unix",
        "linux"};
    return words.contains(name);
}

std::string identifier(std::string_view base) {
    std::string name(base);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(0, "v");
    return name;
}

}  // namespace

std::string Names::fresh(std::string_view base) {
    const std::string stem = identifier(base);
    std::string name = stem;
    if (taken(name) || is_reserved(name)) {
        int& suffix = next_suffix_[stem];
        do name = stem + "_" + std::to_string(suffix++);
        while (taken(name));
    }
    ++taken_[name];
    used_.insert(name);
    opened_.back().push_back(name);
    return name;
}

std::string Names::fresh_everywhere(std::string_view base) {
    const std::string stem = identifier(base);
    std::string name = stem;
    for (int suffix = 0; used_.contains(name) || is_reserved(name); ++suffix) name = stem + "_" + std::to_string(suffix);
    ++taken_[name];
    used_.insert(name);
    opened_.front().push_back(name);
    return name;
}

void Names::close() {
    for (const std::string& name : opened_.back()) taken_.erase(name);
    opened_.pop_back();
}

}  // namespace sluice::lower
