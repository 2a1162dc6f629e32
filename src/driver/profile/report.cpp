// A report as a table and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "driver/measure_machine.h"
#include "driver/profile/profile.h"

namespace sluice::driver {

namespace {

std::string rate(const std::optional<double>& amount, double seconds) {
    return amount && seconds > 0 ? fmt::format("{:.3g}", *amount / seconds / 1e9) : "-";
}

std::string json_text(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20)
            quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            quoted += c;
    }
    return quoted + '"';
}

std::string json_number(const std::optional<double>& number) {
    return number ? fmt::format("{:.17g}", *number) : "null";
}

std::string place_of(const Measured& part) {
    return part.where.known() && part.where.file ? fmt::format("{}:{}", *part.where.file, part.where.line) : "";
}

}  // namespace

std::string to_table(const Report& report) {
    std::vector<std::vector<std::string>> rows{{"part", "executions", "ms", "ms each", "share", "Gop/s", "GB/s", "op/byte"}};
    rows[0].insert(rows[0].end(), report.counters.begin(), report.counters.end());
    rows[0].emplace_back("where");
    double longest = 0;
    for (const Measured& part : report.parts) longest = std::max(longest, part.seconds);
    for (const Measured& part : report.parts) {
        const bool has_intensity = part.operations && part.bytes && *part.bytes > 0;
        std::vector<std::string> row{part.label,
                                     std::to_string(part.executions),
                                     fmt::format("{:.3f}", part.seconds * 1e3),
                                     fmt::format("{:.4g}", part.seconds * 1e3 / static_cast<double>(part.executions)),
                                     longest > 0 ? fmt::format("{:.0f} %", 100 * part.seconds / longest) : "-",
                                     rate(part.operations, part.seconds),
                                     rate(part.bytes, part.seconds),
                                     has_intensity ? fmt::format("{:.3g}", *part.operations / *part.bytes) : "-"};
        for (std::size_t i = 0; i < report.counters.size(); ++i) row.push_back(std::to_string(part.counts.at(i)));
        row.push_back(place_of(part).empty() ? part.part : place_of(part));
        rows.push_back(std::move(row));
    }
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text = fmt::format("{}, {} run{}\n", report.program, report.runs, report.runs == 1 ? "" : "s");
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool is_text = i == 0 || i + 1 == row.size();
            if (i > 0) text += "  ";
            text += i + 1 == row.size() ? row[i]
                    : is_text           ? fmt::format("{:<{}}", row[i], widths[i])
                                        : fmt::format("{:>{}}", row[i], widths[i]);
        }
        text += '\n';
    }
    return text;
}

std::string to_json(const Report& report) {
    std::string text = fmt::format("{{\"program\": {}, \"runs\": {}, \"counters\": [", json_text(report.program), report.runs);
    for (std::size_t i = 0; i < report.counters.size(); ++i) text += (i ? ", " : "") + json_text(report.counters[i]);
    text += "], \"roof\": ";
    text += report.roof ? fmt::format("{{\"operations_per_second\": {:.17g}, \"bytes_per_second\": {:.17g}}}",
                                      report.roof->operations, report.roof->bytes)
                        : "null";
    text += ", \"parts\": [";
    for (std::size_t at = 0; at < report.parts.size(); ++at) {
        const Measured& part = report.parts[at];
        text += fmt::format(
            "{}\n  {{\"part\": {}, \"label\": {}, \"where\": {}, \"executions\": {}, \"seconds\": {:.9f}, "
            "\"operations\": {}, \"bytes\": {}, \"counts\": {{",
            at ? "," : "", json_text(part.part), json_text(part.label), json_text(place_of(part)), part.executions, part.seconds,
            json_number(part.operations), json_number(part.bytes));
        for (std::size_t i = 0; i < report.counters.size(); ++i)
            text += fmt::format("{}{}: {}", i ? ", " : "", json_text(report.counters[i]), part.counts.at(i));
        text += "}}";
    }
    return text + "\n]}\n";
}

Result<std::string> report_text(Report report, const std::string& file) {
    const auto ends = [&](const char* end) { return file.ends_with(end); };
    if (ends(".txt")) return to_table(report);
    if (ends(".json")) return to_json(report);
    if (!ends(".svg") && !ends(".html"))
        return Diagnostic{"C025", "a report is not written as `" + file + "`",  {},
                          {},     "end its name in .txt, .json, .svg or .html", {}};
    return capture([&] {
        if (!report.roof) report.roof = measure_roof().or_fail();
        return ends(".svg") ? to_svg(report) : to_html(report);
    });
}

}  // namespace sluice::driver
