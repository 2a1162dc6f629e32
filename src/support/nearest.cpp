#include "support/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace sluice {

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

std::vector<std::string> nearest(std::string_view name, std::span<const std::string> candidates, std::size_t count) {
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : candidates) near.emplace_back(distance(name, candidate), candidate);
    std::ranges::sort(near);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < std::min(count, near.size()); ++i) found.push_back(near[i].second);
    return found;
}

}  // namespace sluice
