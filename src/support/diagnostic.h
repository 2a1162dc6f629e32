// The user's fault, as a value: a code, one sentence, a place and what to do about it. The library never prints one.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace sluice {

/// A stretch of source text. Lines and columns count from 1; 0 means unknown. `file` is an immortal interned string (never
/// null after intern_file_name), so a Span costs 24 bytes and copies like an integer.
struct Span {
    const std::string* file = nullptr;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;  ///< One past the last column.

    bool known() const { return line != 0; }
    bool operator==(const Span&) const = default;

    /// Copies of one statement have places of their own: columns beyond this one, which messages do not tell.
    static constexpr std::uint32_t kColumns = 1U << 16U;
    std::uint32_t column_in_line() const { return column % kColumns; }
};

/// Interns a file name for Span::file. Thread-safe; the string lives as long as the process.
const std::string* intern_file_name(const std::string& name);

struct Note {
    std::string message;
    Span where = {};
    bool operator==(const Note&) const = default;
};

struct Diagnostic {
    std::string code;         ///< Stable, listed in docs/diagnostics.md, for example `P101`.
    std::string message;      ///< One sentence without a full stop.
    Span where = {};          ///< May be unknown; then `path` says where.
    std::string path = {};    ///< Place that is not source text: a graph path (`gemm/state_0/n3`) or a JSON pointer. May be empty.
    std::string remedy = {};  ///< What to do, one sentence. May be empty only where nothing can be done.
    std::vector<Note> notes = {};
    bool operator==(const Diagnostic&) const = default;
};

/// `file:line:col: error CODE: message`, the source line with a caret when `source` (the file's text) is given,
/// then `note:` and `help:` lines. Ends with a newline.
std::string render(const Diagnostic& diagnostic, const std::string& source = {});

/// Carries a Diagnostic up to the boundary of a room, where capture() of result.h turns it into a Result.
class Failure : public std::exception {
public:
    explicit Failure(Diagnostic diagnostic) : diagnostic(std::move(diagnostic)) {}
    const char* what() const noexcept override { return diagnostic.message.c_str(); }
    Diagnostic diagnostic;
};

[[noreturn]] void fail(Diagnostic diagnostic);

}  // namespace sluice
