// Sizes that data decide: sizes.cpp says how arrays of such sizes are made and returned.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Sizes {
public:
    explicit Sizes(Translator& translator) : t_(translator) {}
    /// The prelude's `_at_most(n, most)`: an integer that data decide, as a size, with what it surely does not exceed.
    std::optional<Value> call(const std::string& name, const Arguments& arguments);
    /// Notes the most that a symbol is, where that follows from its value.
    void note(const std::string& symbol, const Expr& value);
    /// Integer parameters become symbols, by which the caller can tell sizes, and the translation starts again. Returns if they
    /// are.
    void take_parameters_as_symbols();
    /// Whether the caller can tell sizes by these symbols. Where they were computed from parameters, those become symbols and the
    /// translation starts again.
    bool known_before_the_call(const std::set<std::string>& symbols);
    /// The container of a returned array, which the caller allocates, and the place in it that the value goes to.
    Target returned(const std::string& name, const Value& value, const Span& span);

    /// An upper bound by symbols that the caller knows.
    std::optional<Expr> most(const Expr& e) const;

private:
    Target in_room(const std::string& name, const Value& value, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
