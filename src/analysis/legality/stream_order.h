// Could a stream take the place of an array between two maps?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Two maps of one scope whose points run one after the other, the last parameter fastest, maps inside included. Yes if the reader
/// takes the elements of `container` in the order in which the writer produces them, each once: then it may take them out of a
/// stream. No: a witness, two elements that come in one order and are wanted in the other, or one that comes or is wanted twice.
/// `known` holds at the top of the state.
Verdict same_stream_order(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId writer, ir::NodeId reader,
                          const std::string& container, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
