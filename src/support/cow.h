// A value on the heap with copy-on-write: copying shares, edit() makes the value our own first. It gives recursive structs
// value semantics and makes a draft copy of a large graph cheap.
#pragma once

#include <memory>
#include <utility>

namespace sluice {

template <class T> class Cow {
public:
    Cow() : value_(std::make_shared<T>()) {}
    Cow(T value) : value_(std::make_shared<T>(std::move(value))) {}

    const T& operator*() const { return *value_; }
    const T* operator->() const { return value_.get(); }
    /// The value for writing; every other Cow that shared it keeps the old one.
    T& edit() {
        if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
        return *value_;
    }
    bool operator==(const Cow& other) const { return value_ == other.value_ || *value_ == *other.value_; }

private:
    std::shared_ptr<T> value_;
};

}  // namespace sluice
