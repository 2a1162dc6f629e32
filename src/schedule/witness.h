// Instances that show why a schedule is refused.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "poly/relation.h"

namespace sluice::schedule {

/// Failure M007 where isl does not know.
void expect_answer(poly::Answer answer, const char* what);

/// `S(1, 2)`
std::string instance(const std::string& name, const std::vector<std::int64_t>& at);
/// ` with N = 4, M = 2`
std::string with(const std::map<std::string, std::int64_t>& parameters);

/// `S(1, 2) and T(1, 3) with N = 4`, of some pair.
struct Example {
    std::string first, second, where;
};
/// nullopt: there is no pair. Failure M007.
std::optional<Example> example_of(const poly::UnionMap& pairs);

}  // namespace sluice::schedule
