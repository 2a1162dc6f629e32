// Names that a path leaves without a value: unbound.cpp says what reading one means.
#pragma once

#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Unbound {
public:
    explicit Unbound(Translator& translator) : t_(translator) {}
    /// Whether the expression reads a variable that may have no value.
    bool may_read(const code::ExprPtr& e) const;
    /// A check that the variable, which some path has bound, has a value.
    void require(const std::string& name);
    /// The read of a variable that this path has not bound: Python's error at run time, F002 where every path lacks it.
    [[noreturn]] void read(const std::string& name, const Span& span);
    /// A path that binds a name meets one that does not.
    void note(Path& path, const std::vector<std::size_t>& joined, const Endings& classes);
    void note_in_iteration(LoopFrame& frame);
    /// What every iteration binds is bound if there is one.
    void note_behind(const LoopFrame& frame, const symbolic::Range& range, bool up);

private:
    bool bound_before(const std::string& name, const Span& place) const;
    bool bound_in_map(const std::string& name) const;

    Translator& t_;
};

}  // namespace sluice::frontend
