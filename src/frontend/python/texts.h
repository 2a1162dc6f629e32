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
    /// `x.dtype == np.float64` and its kin; nullopt for other expressions.
    std::optional<bool> of_element_types(const code::ExprPtr& e);
    /// A text with `{}` where an integer of the run stands.
    struct Sentence {
        std::string text;
        std::vector<code::ExprPtr> integers;
        bool has_braces = false;  ///< In what the program writes itself.
    };
    /// Of what makes a text; nullopt for what else the run would have to write. `reads`: elements of arrays may be read for it.
    std::optional<Sentence> sentence(const code::ExprPtr& e, bool reads);

    // ---- characters that only the run knows (characters.cpp) ----
    static std::vector<std::int64_t> code_points(const std::string& text);
    /// In front of the program: the arrays of the texts that it indexes.
    void fill_arrays();
    /// What a loop over the text goes over, in a place that is written out so many times.
    Value walked(const Value& text, std::int64_t times, const Span& span);
    /// `text[index]`
    Value character(const Value& text, const code::ExprPtr& index, const Span& span);
    static std::optional<Value> number_of(const Value& value);
    static std::optional<std::vector<Value>> compared(const std::vector<Value>& operands, bool ordered, const Span& span);
    static std::optional<Value> searched(const Value& character, const Value& container);

    /// A variable that means a text, or an element of a tuple, list or dictionary, which may be one.
    static bool may_name(const code::ExprPtr& e, const Variables& variables);

private:
    /// How a value is written: as repr() does, with elements of arrays, in a format.
    struct How {
        bool as_repr = false, reads = false;
        std::string format;
        bool alone = false;  ///< Behind a `%`, where a tuple would be several values.
    };
    bool add(const code::ExprPtr& e, bool reads, Sentence& sentence);
    bool add(const code::ExprPtr& e, const How& how, Sentence& sentence);
    std::vector<code::ExprPtr> parts_of(const code::ExprPtr& e);
    bool add(const Value& value, const How& how, Sentence& sentence, const Span& span);
    bool add_number(const Value& value, const How& how, Sentence& sentence, const Span& span);
    Value bits_of(const Value& value, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
