#pragma once

#include <string>
#include <utility>

#include "code/reduction.h"

namespace sluice::ir {

/// A write-conflict resolution: the text of a Python lambda (old, new) -> value, and what it means. Equal if the texts are.
class Resolution {
public:
    Resolution() = default;
    Resolution(std::string text);
    Resolution(const char* text) : Resolution(std::string(text)) {}

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    /// Custom also where the text is no lambda of two parameters: the verifier refuses it.
    code::ReductionType type() const { return type_; }

    bool operator==(const Resolution& other) const { return text_ == other.text_; }

private:
    std::string text_;
    code::ReductionType type_ = code::ReductionType::Custom;
};

}  // namespace sluice::ir
