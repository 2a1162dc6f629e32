#include "rewrite/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace sluice::rewrite {

namespace {

/// Levenshtein distance, letters' case aside.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same =
                std::tolower(static_cast<unsigned char>(a[i - 1])) == std::tolower(static_cast<unsigned char>(b[j - 1]));
            const std::size_t kept = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, kept});
        }
    }
    return row.back();
}

}  // namespace

void Registry::add(Transformation transformation) {
    std::string name = transformation.descriptor.name;
    transformations_[std::move(name)] = std::make_shared<const Transformation>(std::move(transformation));
}

const Transformation* Registry::find(std::string_view name) const {
    const auto at = transformations_.find(name);
    return at == transformations_.end() ? nullptr : at->second.get();
}

const Transformation& Registry::at(std::string_view name) const {
    if (const Transformation* found = find(name)) return *found;
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const auto& [other, transformation] : transformations_) near.emplace_back(distance(name, other), other);
    std::ranges::sort(near);
    std::vector<std::string> proposed;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, near.size()); ++i) proposed.push_back(near[i].second);
    fail({.code = "E001",
          .message = fmt::format("there is no transformation named {}", name),
          .where = {},
          .path = {},
          .remedy = fmt::format("perhaps you mean one of: {}", fmt::join(proposed, ", ")),
          .notes = {}});
}

std::vector<const Transformation*> Registry::all() const {
    std::vector<const Transformation*> found;
    for (const auto& [name, transformation] : transformations_) found.push_back(transformation.get());
    return found;
}

}  // namespace sluice::rewrite
