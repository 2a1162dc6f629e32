// Our own bugs: check(condition, "text ", value...) throws InternalError with the place of the check.
// The message is formatted only on failure.
#pragma once

#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>

namespace sluice {

/// A bug in Sluice, never the user's fault. Caught in the cli and the bindings only.
class InternalError : public std::logic_error {
public:
    InternalError(const std::string& message, std::source_location at)
        : std::logic_error("internal error: " + message + " (" + at.file_name() + ":" + std::to_string(at.line()) + ")") {}
};

template <class... Parts> struct check {
    explicit check(bool condition, const Parts&... parts, std::source_location at = std::source_location::current()) {
        if (condition) [[likely]]
            return;
        std::ostringstream text;
        (text << ... << parts);
        throw InternalError(text.str(), at);
    }
};
template <class... Parts> check(bool, const Parts&...) -> check<Parts...>;

}  // namespace sluice
