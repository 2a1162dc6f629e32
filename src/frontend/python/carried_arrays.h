// Arrays that iterations hand on in memory of their names' own: carried_arrays.cpp says when.
#pragma once

#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class CarriedArrays {
public:
    explicit CarriedArrays(Translator& translator) : t_(translator) {}
    /// Names that mean this many things where paths meet get memory of their own, if that makes the things fewer: the translation
    /// starts again.
    void note(const std::vector<const Variables*>& meanings);
    /// Binds such a name; false where the name is none, or the value an array that others may see: nothing has happened.
    bool assign(const std::string& name, const Value& value, const Span& span);

private:
    bool is_of_its_own(const std::string& name, const Value& value, const Span& span) const;
    std::string room_for(const std::string& name, const code::DType& type, const std::vector<Expr>& shape);

    Translator& t_;
};

}  // namespace sluice::frontend
