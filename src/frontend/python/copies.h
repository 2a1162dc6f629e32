// Statements that stand in several places after they are written out. What the translation keeps by place (sites of lists, calls
// that are inlined, names of its own) has to be distinguished, so each copy of a statement and of its expressions has a place that
// nothing else has.
#pragma once

#include <map>

#include "code/ast.h"

namespace sluice::frontend {

class Copies {
public:
    /// body: statements that may hold copies already.
    explicit Copies(const code::Body& body);
    code::Body of(const code::Body& body);
    code::ExprPtr of(const code::ExprPtr& e);

private:
    using Fresh = std::map<std::uint32_t, std::uint32_t>;  ///< The copy that a copy becomes.
    Span placed(Span span, Fresh& fresh);
    code::Body placed(const code::Body& body, Fresh& fresh);
    code::ExprPtr placed(const code::ExprPtr& e, Fresh& fresh);

    std::uint32_t last_ = 0;
};

}  // namespace sluice::frontend
