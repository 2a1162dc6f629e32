// Calls of SDFGs that exist already: graph_calls.cpp says what becomes of them.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class GraphCalls {
public:
    explicit GraphCalls(Translator& translator) : t_(translator) {}
    /// What the graph returns: nothing, one value or a tuple.
    Value call(const GraphBinding& binding, const code::CallExpr& node, const Span& span);

private:
    void match_strides(const Translator::Actual& actual, ir::Sdfg& inner, Translator::ProgramCall& call) const;
    void give_symbols(const ir::Sdfg& inner, Translator::ProgramCall& call);

    Translator& t_;
};

}  // namespace sluice::frontend
