// Numbers that are returned in the type that they have on the path taken: types_by_path.cpp says how.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class TypesByPath {
public:
    explicit TypesByPath(Translator& translator) : t_(translator) {}
    /// Of what the caller sees: what decides the types of its numbers is kept apart from the start. Refuses what cannot be.
    void ask(const Value& seen, const Span& span);
    /// The value is one of these.
    void add_choice(Value& value, const std::vector<Value>& arms, const Span& span);
    /// Whether a name that has two types where paths meet here is two meanings.
    bool keeps_apart(const std::string& name) const;
    /// The same where an iteration begins.
    bool keeps_apart_in_loops(const std::string& name) const;
    /// In front of a loop, and behind it.
    void enter_loop();
    void leave_loop(const LoopFrame& frame, const Span& span);
    /// In front of an assignment.
    void note(const std::string& name, const Value& value);

private:
    bool outside_of_loops() const { return !t_.frame_ && !t_.enclosing_loop_; }
    bool reached_by_all(std::vector<Expr>& conditions) const;

    Translator& t_;
};

}  // namespace sluice::frontend
