// Which commands near to an illegal schedule make it legal.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/program.h"

namespace sluice::schedule {

struct Alternative {
    std::string text;  ///< Commands: `T.shift("i", 1)`; perhaps `... in the place of T.parallelize("i")`.
    std::function<void(Program&)> apply;
};
/// Other levels, shifts, loops in another order or skewed, memory that is not shared: the nearest first.
std::vector<Alternative> alternatives(const Program& program);

/// The first of them behind which the program is legal.
std::optional<Alternative> legal_alternative(const Program& program, const std::function<void(const Program&)>& expect_legal);

}  // namespace sluice::schedule
