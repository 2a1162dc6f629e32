// Lists that grow while the program runs: lists.cpp says what they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Lists {
public:
    explicit Lists(Translator& translator) : t_(translator) {}
    /// `name = [...]`, where the name is appended to; false for anything else.
    bool create(const std::string& name, const code::ExprPtr& e);
    /// `x.append(value)`, `x.extend((a, b))`; false where x is no list that grows.
    bool append(const code::CallExpr& call, const Span& span);
    /// A list that is known so far grows in a way that only the run knows: the translation starts again. Returns if it is none.
    void leave_to_the_run(std::size_t object);
    /// `x += [a, b]`
    void extend(const Value& list, const code::ExprPtr& more, const Span& span);
    /// A comprehension whose length the run decides.
    Value comprehension(const code::ComprehensionExpr& n, const Span& span);
    /// The array that NumPy makes of the list. `typed`: of a type that is given.
    Value array(const Value& list, bool typed, const Span& span);
    /// The array of its elements, of which Python's caller makes the list again.
    Value returned(const Value& list, const Span& span);
    /// `np.stack` and `np.concatenate` of a list of arrays.
    Value stacked(const Value& list, std::int64_t axis, const Span& span);
    Value concatenated(const Value& list, std::int64_t axis, const Span& span);
    /// The same where it is an index; without elements it is one as well.
    Value indices(const Value& list, const Span& span);
    /// `x[i]`
    Value element(const Value& list, const code::ExprPtr& index, const Span& span);
    /// Refuses what an array would do, and a list does otherwise.
    static void refuse_as_array(const Value& value, const Span& span);

private:
    Value fresh(const std::string& id, const std::string& base, const Span& span);
    void push(const Value& list, const Value& element, const Span& span, std::size_t which);

    Translator& t_;
};

}  // namespace sluice::frontend
