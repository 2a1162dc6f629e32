// Result<T>: a value or the Diagnostic that says why there is none.
#pragma once

#include <utility>
#include <variant>

#include "support/check.h"
#include "support/diagnostic.h"

namespace sluice {

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Diagnostic diagnostic) : state_(std::move(diagnostic)) {}

    bool ok() const { return std::holds_alternative<T>(state_); }
    explicit operator bool() const { return ok(); }

    T& value() & {
        check(ok(), "value() of a failed Result");
        return std::get<T>(state_);
    }
    const T& value() const& {
        check(ok(), "value() of a failed Result");
        return std::get<T>(state_);
    }
    T&& value() && {
        check(ok(), "value() of a failed Result");
        return std::get<T>(std::move(state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Diagnostic& error() const {
        check(!ok(), "error() of a Result that has a value");
        return std::get<Diagnostic>(state_);
    }
    /// The value, or throws Failure: for use inside a room whose boundary captures.
    T or_fail() && {
        if (!ok()) fail(std::get<Diagnostic>(state_));
        return std::get<T>(std::move(state_));
    }

private:
    std::variant<T, Diagnostic> state_;
};

/// Success without a value.
struct Done {
    bool operator==(const Done&) const = default;
};

/// Runs `body` and turns a Failure thrown inside into a failed Result: the boundary of a room.
template <class Body> auto capture(Body&& body) -> Result<decltype(body())> {
    try {
        return body();
    } catch (Failure& failure) {
        return std::move(failure.diagnostic);
    }
}

}  // namespace sluice
