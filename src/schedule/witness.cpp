#include "schedule/witness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "poly/convert.h"
#include "schedule/program.h"

namespace sluice::schedule {

using poly::Answer;
using poly::UnionMap;

void expect_answer(Answer answer, const char* what) {
    if (answer == Answer::Unknown)
        refuse("M007", std::string(what) + " is beyond the budget of isl's operations",
               "Give simpler domains, indices or schedules.");
}

std::string instance(const std::string& name, const std::vector<std::int64_t>& at) {
    return fmt::format("{}({})", name, fmt::join(at, ", "));
}

std::string with(const std::map<std::string, std::int64_t>& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) text += fmt::format("{}{} = {}", text.empty() ? " with " : ", ", name, value);
    const bool products = std::ranges::any_of(parameters, [](const auto& one) { return poly::is_opaque(one.first); });
    return products ? text + " (products are taken as numbers of their own)" : text;
}

std::optional<Example> example_of(const UnionMap& pairs) {
    const Answer none = pairs.is_empty();
    expect_answer(none, "whether the order is legal");
    if (none == Answer::Yes) return std::nullopt;
    for (const poly::Map& map : pairs.maps())
        if (const auto pair = map.sample())
            return Example{instance(map.domain_tuple(), pair->from), instance(map.range_tuple(), pair->to), with(pair->parameters)};
    refuse("M007", "two instances in the wrong order are beyond the budget of isl's operations",
           "Give simpler domains or schedules.");
}

}  // namespace sluice::schedule
