// What transformations share that say a value where a symbol was given it once and for all.
#pragma once

#include <string>

#include "rewrite/transformation.h"

namespace sluice::transform {

/// The rest of the descriptor stands in propagation.cpp. `assigned`: which values a transition may assign, as condition P1 says
/// it, and the same as a question.
rewrite::Transformation propagation(std::string name, std::string summary, std::string drawing, const std::string& assigned,
                                    bool (*takes)(const symbolic::Expr& value));

}  // namespace sluice::transform
