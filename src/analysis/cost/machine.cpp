#include "analysis/cost/machine.h"

#include <charconv>

#include "support/diagnostic.h"

namespace sluice::analysis {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

Diagnostic refused(std::string_view line, int number, std::string_view why) {
    Diagnostic diagnostic{
        "D020",
        "line " + std::to_string(number) + " of the machine description, `" + std::string(line) + "`, " + std::string(why),
        {},
        {},
        "write `name = value` with one of the names in docs/decisions.md and a positive integer",
        {}};
    return diagnostic;
}

}  // namespace

Result<Machine> parse_machine(std::string_view text) {
    Machine machine;
    for (int number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        const std::string_view meant = trimmed(line.substr(0, line.find('#')));
        if (meant.empty()) continue;
        const auto equals = meant.find('=');
        if (equals == std::string_view::npos) return refused(meant, number, "has no `=`");
        const std::string_view name = trimmed(meant.substr(0, equals)), value = trimmed(meant.substr(equals + 1));
        std::int64_t Machine::*member = nullptr;
        for (const auto& [own, field] : Machine::fields())
            if (own == name) member = field;
        if (!member) return refused(meant, number, "names nothing that a machine has");
        std::int64_t parsed = 0;
        const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
        if (error != std::errc() || stop != value.data() + value.size() || parsed <= 0)
            return refused(meant, number, "has no positive integer");
        machine.*member = parsed;
    }
    return machine;
}

std::string to_text(const Machine& machine) {
    std::string text;
    for (const auto& [name, member] : Machine::fields()) text += std::string(name) + " = " + std::to_string(machine.*member) + "\n";
    return text;
}

}  // namespace sluice::analysis
