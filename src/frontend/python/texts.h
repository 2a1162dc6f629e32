// Texts that are known when the program is translated, and sentences with integers of the run in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Texts {
public:
    explicit Texts(Translator& translator) : t_(translator) {}
    /// A literal, what means one, or the kind of an array's element type as NumPy names it.
    std::optional<std::string> known(const code::ExprPtr& e);
    /// Below 0, 0 or above, as Python orders two known texts: by code points.
    std::optional<int> order(const code::ExprPtr& a, const code::ExprPtr& b);
    /// A text with `{}` where an integer of the run stands.
    struct Sentence {
        std::string text;
        std::vector<code::ExprPtr> integers;
    };
    /// Of a text or an f-string; nullopt for what else the run would have to write. `reads`: elements of arrays may be read for it.
    std::optional<Sentence> sentence(const code::ExprPtr& e, bool reads);

    /// A variable that means a text, or an element of a tuple, list or dictionary, which may be one.
    static bool may_name(const code::ExprPtr& e, const Variables& variables);

private:
    bool add(const Value& value, bool as_repr, bool reads, Sentence& sentence, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
