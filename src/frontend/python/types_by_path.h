// Numbers that are returned in the type that they have on the path taken: types_by_path.cpp says how.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class TypesByPath {
public:
    explicit TypesByPath(Translator& translator) : t_(translator) {}
    /// In front of a return: names in it whose type the path decides are kept apart from the start.
    void ask(const code::ExprPtr& returned);
    /// Whether a name that has two types where paths meet here is two meanings.
    bool keeps_apart(const std::string& name) const;
    /// In front of a loop, and behind it.
    void enter_loop();
    void leave_loop(const LoopFrame& frame, const Span& span);
    /// In front of an assignment.
    void note(const std::string& name, const code::Type& type);

private:
    bool outside_of_loops() const { return !t_.frame_ && !t_.enclosing_loop_; }
    bool reached_by_all(std::vector<Expr>& conditions) const;

    Translator& t_;
};

}  // namespace sluice::frontend
