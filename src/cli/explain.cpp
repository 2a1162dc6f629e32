// sluice explain: what a diagnostic code means, from the tables and sections of docs/diagnostics.md and the invariants of
// docs/spec.md.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/command.h"
#include "cli/pages.h"
#include "ir/verify.h"

namespace sluice::cli {

namespace {

struct Explanation {
    std::string sentence, remedy;
    std::string more;  ///< Reasons and examples.
};

struct Book {
    std::map<std::string, Explanation> codes;
    std::map<char, std::string> occasions;  ///< By letter: `a Python program becomes a graph`.
};

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
    return text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

/// The cells of a row `| a | b |`; none if the line is no row.
std::vector<std::string> cells(std::string_view line) {
    std::vector<std::string> found;
    if (!line.starts_with("|")) return found;
    std::string cell;
    for (std::size_t at = 1; at < line.size(); ++at) {
        if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '|') {
            cell += line[++at];
        } else if (line[at] == '|') {
            found.emplace_back(trimmed(cell));
            cell.clear();
        } else {
            cell += line[at];
        }
    }
    return found;
}

bool is_code(std::string_view text) {
    return text.size() == 4 && text[0] >= 'A' && text[0] <= 'Z' &&
           std::ranges::all_of(text.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

/// Text of a link `[text](target)` alone: a terminal follows no links.
std::string without_links(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t open = text.find('['), middle = text.find("](", open), close = text.find(')', middle);
        if (open == std::string_view::npos || middle == std::string_view::npos || close == std::string_view::npos) break;
        if (text.substr(open, middle - open).find('\n') != std::string_view::npos) break;
        result += text.substr(0, open);
        result += text.substr(open + 1, middle - open - 1);
        text.remove_prefix(close + 1);
    }
    return result.append(text);
}

template <class OnLine> void each_line(std::string_view page, OnLine&& on_line) {
    while (!page.empty()) {
        const std::size_t end = std::min(page.find('\n'), page.size());
        on_line(page.substr(0, end));
        page.remove_prefix(std::min(end + 1, page.size()));
    }
}

void read_diagnostics(Book& book) {
    Explanation* section = nullptr;
    each_line(diagnostics_page(), [&](std::string_view line) {
        if (line.starts_with("#")) {
            const std::string_view title = trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size())));
            section = line.starts_with("### ") && is_code(title) ? &book.codes[std::string(title)] : nullptr;
            return;
        }
        if (section) {
            section->more += without_links(line) + "\n";
            return;
        }
        const std::vector<std::string> row = cells(line);
        if (row.size() == 2 && row[0].size() == 1) book.occasions[row[0][0]] = without_links(row[1]);
        if (row.size() != 3 || !is_code(row[0])) return;
        book.codes[row[0]].sentence = without_links(row[1]);
        book.codes[row[0]].remedy = without_links(row[2]);
    });
}

void read_invariants(Book& book) {
    for (const ir::Invariant& invariant : ir::invariants()) {
        std::string remedy(invariant.remedy);
        if (!remedy.empty() && remedy[0] >= 'a' && remedy[0] <= 'z') remedy[0] = static_cast<char>(remedy[0] - 'a' + 'A');
        book.codes[std::string(invariant.code)] = {std::string(invariant.sentence), remedy + ".", ""};
    }
    Explanation* invariant = nullptr;
    each_line(specification_page(), [&](std::string_view line) {
        if (line.starts_with("- **V") && line.size() > 8)
            invariant = &book.codes[std::string(line.substr(4, 4))];
        else if (!line.starts_with("  "))
            invariant = nullptr;
        else if (invariant)
            invariant->more += without_links(trimmed(line)) + "\n";
    });
}

Book read_book() {
    Book book;
    read_diagnostics(book);
    read_invariants(book);
    return book;
}

void explain(const Book& book, const std::string& given) {
    std::string code = given;
    std::ranges::transform(code, code.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    const auto found = book.codes.find(code);
    if (found == book.codes.end())
        fail_usage("C009", "no diagnostic has the code `" + given + "`",
                   "choose one that `sluice explain --list` prints; `sluice opt --describe` is for transformations");
    const Explanation& text = found->second;
    const auto occasion = book.occasions.find(code[0]);
    fmt::print("{}: {}\n", code, text.sentence);
    if (occasion != book.occasions.end()) fmt::print("\nRaised while {}.\n", without_links(occasion->second));
    if (const std::string_view more = trimmed(text.more); !more.empty()) fmt::print("\n{}\n", more);
    fmt::print("\nWhat to do: {}\n", text.remedy);
}

}  // namespace

void add_explain(CLI::App& app) {
    struct Settings {
        std::string code;
        bool list = false;
    };
    CLI::App* command = app.add_subcommand("explain", "Explain a diagnostic code");
    const auto settings = std::make_shared<Settings>();
    command->add_option("CODE", settings->code, "The code of a diagnostic, such as F007");
    command->add_flag("--list", settings->list, "Print every code with its sentence");
    command->footer(
        "The text of docs/diagnostics.md and docs/spec.md.\n\n"
        "Example:\n"
        "  sluice explain V405");
    command->callback([settings] {
        const Book book = read_book();
        if (settings->list)
            for (const auto& [code, text] : book.codes) fmt::print("{}  {}\n", code, text.sentence);
        else if (settings->code.empty())
            fail_usage("C009", "no code is given", "give one, such as `sluice explain F007`, or --list");
        else
            explain(book, settings->code);
    });
}

}  // namespace sluice::cli
