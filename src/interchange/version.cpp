#include "interchange/version.h"

#include <array>
#include <charconv>
#include <tuple>

namespace sluice::interchange {

namespace {

// Phases of a release in their order; a version without one of the first three is the release itself.
constexpr std::array<std::pair<std::string_view, int>, 8> kPhases = {
    {{"alpha", 1}, {"beta", 2}, {"preview", 3}, {"rc", 3}, {"dev", 0}, {"a", 1}, {"b", 2}, {"c", 3}}};
constexpr int kReleased = 4;

struct Version {
    std::array<long, 3> release = {0, 0, 0};
    int phase = kReleased;
    long number = 0;
    auto key() const { return std::tuple(release, phase, number); }
};

bool take_number(std::string_view& text, long& out) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (status != std::errc{} || out < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

std::optional<Version> parse(std::string_view text) {
    Version version;
    if (text.starts_with("v")) text.remove_prefix(1);
    for (std::size_t part = 0;; ++part) {
        long number = 0;
        if (!take_number(text, number)) return std::nullopt;
        if (part < version.release.size()) version.release[part] = number;
        if (text.size() < 2 || text[0] != '.' || text[1] < '0' || text[1] > '9') break;
        text.remove_prefix(1);
    }
    while (!text.empty() && (text[0] == '.' || text[0] == '-' || text[0] == '_')) text.remove_prefix(1);
    for (const auto& [name, phase] : kPhases) {
        if (!text.starts_with(name)) continue;
        text.remove_prefix(name.size());
        version.phase = phase;
        take_number(text, version.number);
        break;
    }
    return version;
}

}  // namespace

std::optional<bool> has_dollar_dialect(std::string_view version) {
    const auto parsed = parse(version);
    if (!parsed) return std::nullopt;
    return parsed->key() >= Version{{2, 0, 0}, 1, 4}.key();
}

}  // namespace sluice::interchange
