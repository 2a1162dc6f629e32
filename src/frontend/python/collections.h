// Tuples, lists, dictionaries and comprehensions whose lengths are known now.
#pragma once

#include <optional>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Collections {
public:
    explicit Collections(Translator& translator) : t_(translator) {}
    /// `(a, *b)`
    Value elements(const std::vector<code::ExprPtr>& list);
    Value dictionary(const code::DictExpr& n);
    Value dictionary_of(const code::CallExpr& n, const Span& span);
    Value merged(const code::CallExpr& n, const Span& span);
    /// `x in (1, 2)`, of arrays whether some element equals x, of dictionaries whether there is such a key.
    Value membership(const code::ExprPtr& one, const code::ExprPtr& all, const Span& span);
    /// `(i, j) < (k, l)` as Python orders tuples and lists: the first elements that differ decide. One of Python's bools.
    Value compare(code::CompareOp op, const Value& left, const Value& right, const Span& span);
    /// The same for texts and keys; nullopt where only the run knows.
    std::optional<bool> known_membership(const code::ExprPtr& one, const code::ExprPtr& all);
    /// The tuple, list or dictionary that a name means, or an element of one; nullopt for any other expression.
    std::optional<Value> named(const code::ExprPtr& e);
    /// `d.get(key, other)`, `d.keys()`, `d.values()`, `d.items()`; nullopt for other methods.
    std::optional<Value> method(const Value& dictionary, const std::string& name, const code::CallExpr& node);
    std::vector<Value> keys_of(const Value& dictionary);
    /// The element; nullopt where the dictionary has no such key. Refuses a key that only the run knows.
    std::optional<Value> at_key(const Value& dictionary, const code::ExprPtr& key);
    /// A list of values. Its variables are its own.
    Value comprehension(const code::ComprehensionExpr& n, const Span& span);

    /// The elements that a loop over the expression sees, if their number is known now.
    std::optional<std::vector<Value>> known_elements(const code::ExprPtr& e);
    /// As in Value::keys; nullopt where only the run knows it.
    std::optional<std::string> key_of(const code::ExprPtr& e);
    /// The value as it is now: what it counts by may be assigned again before it is used.
    Value lasting(const Value& value);
    /// What a list or a loop holds on to while other statements run: arrays that are computed have memory, views stay views.
    Value stored(const Value& value);

private:
    void bind_elements(const code::ExprPtr& target, const Value& value);
    Value equal(const Value& left, const Value& right, const Span& span);
    Value before(code::CompareOp op, const Value& left, const Value& right, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
