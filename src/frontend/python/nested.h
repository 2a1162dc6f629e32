// What a nested SDFG needs from the graph around it.
#pragma once

#include "frontend/array/plan.h"
#include "symbolic/assumptions.h"

namespace sluice::frontend {

/// The non-transient containers that an SDFG reads and writes; conditions and assignments read, conflict resolutions only write.
Touched containers_touched(const ir::Sdfg& sdfg);

/// Maps the size symbols of a formal array so that its shape becomes `shape`. Failure F011 where it cannot. Returns the pairs of
/// sizes that only the run can compare.
std::vector<std::pair<ir::Expr, ir::Expr>> match_sizes(const ir::Container& formal, const std::vector<ir::Expr>& shape,
                                                       std::map<std::string, ir::Expr>& mapping, const std::string& argument,
                                                       const std::string& program, const Span& span,
                                                       const symbolic::Assumptions& assumptions);
/// Strides of the outer graph's expressions for a formal array: each becomes a symbol that is mapped.
void give_strides(ir::Sdfg& inner, const std::string& name, const std::vector<ir::Expr>& strides,
                  std::map<std::string, ir::Expr>& mapping);
/// Whether a part of the graph takes the container to be in C order: a view of it, or a graph that it is handed to.
bool relies_on_layout(const ir::Sdfg& inner, const std::string& name);
/// Maps every remaining free symbol to the symbol of its name.
void map_symbols(const ir::Sdfg& inner, std::map<std::string, ir::Expr>& mapping, const Span& span);

}  // namespace sluice::frontend
