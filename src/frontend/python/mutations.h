// Changes of lists and dictionaries that are known when the program is translated: mutations.cpp says which.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Mutations {
public:
    explicit Mutations(Translator& translator) : t_(translator) {}
    /// `x.append(a)`, `x.extend((a, b))`, `x.insert(0, a)`, `x.pop()`; nullopt for other methods.
    std::optional<Value> method(const Value& list, const std::string& name, const code::CallExpr& node, const Span& span);
    /// `x += [a, b]`
    void extend(const Value& list, const code::ExprPtr& more, const Span& span);
    /// `x[0] = a`, `d["a"] = a`, where `target` is an element of a list or dictionary; else false, and nothing has happened.
    bool assign(const code::ExprPtr& target, const std::function<Value()>& value);

    /// `x[0] += a`, likewise.
    bool update(const code::AugAssignStmt& statement, const Span& span);

private:
    void require_alone(const Span& span) const;
    void change(const Value& object, const std::function<void(Value&)>& edit, const Span& span, bool resizes = true);

    Translator& t_;
};

}  // namespace sluice::frontend
