// sluice show: the graph as text, as a picture, or as a page.
#include <fmt/format.h>

#include "cli/command.h"
#include "draw/picture.h"
#include "driver/cache.h"
#include "driver/process.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "loop/text.h"
#include "lower/lower.h"

namespace sluice::cli {

namespace {

enum class Form { text, loops, dot, svg, png, html };

struct ShowSettings {
    std::filesystem::path source, target;
    std::string program;
    Form form = Form::text;
};

constexpr const char* kGraphviz = "dot";

/// What Graphviz makes of the source.
std::string drawn(const std::string& dot, const std::string& format) {
    const driver::PrivateFolder folder(driver::temporary_folder() / "sluice-show", "C002");
    const std::filesystem::path source = folder.path() / "graph.dot", picture = folder.path() / ("graph." + format);
    write_file(source, dot);
    std::vector<std::string> command{kGraphviz, "-T" + format, source.string(), "-o", picture.string()};
    if (format == "png") command.insert(command.begin() + 1, "-Gdpi=144");
    const driver::ProcessResult result = driver::run_process(command);
    if (!result.started)
        fail_usage("C007", "Graphviz, which draws the picture, is not installed: there is no command `dot`",
                   "install the package graphviz, or use --html, which needs none");
    if (result.status != 0 || !std::filesystem::exists(picture))
        fail_usage("C008", fmt::format("Graphviz failed with status {}: {}", result.status, result.output),
                   "choose one program with --program, or draw with --html, where scopes can be closed");
    return read_text_file(picture);
}

std::string shown(const ir::Sdfg& sdfg, Form form) {
    if (form == Form::text) return ir::to_text(sdfg);
    if (form == Form::loops) {
        if (auto violations = ir::verify(sdfg); !violations.empty()) fail(std::move(violations.front()));
        return loop::to_text(lower::lower(sdfg).or_fail());
    }
    const draw::Picture picture = draw::picture_of(sdfg);
    if (form == Form::html) return draw::to_page(picture);
    const std::string dot = draw::to_dot(picture);
    return form == Form::dot ? dot : drawn(dot, form == Form::svg ? "svg" : "png");
}

void show(const ShowSettings& settings) {
    std::vector<ir::Sdfg> programs;
    const bool one_picture = settings.form == Form::svg || settings.form == Form::png || settings.form == Form::html;
    if (settings.program.empty() && !one_picture)
        programs = read_all(settings.source);
    else
        programs.push_back(read_one(settings.source, settings.program));
    std::string text;
    for (const ir::Sdfg& program : programs) text += shown(program, settings.form);
    if (settings.target.empty())
        fmt::print("{}", text);
    else
        write_file(settings.target, text);
}

}  // namespace

void add_show(CLI::App& app) {
    CLI::App* command = app.add_subcommand("show", "Print or draw the dataflow graph");
    const auto settings = std::make_shared<ShowSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("-o,--output", settings->target, "The file to write; without it, to standard output");
    command->add_option("--program", settings->program, "Only this program of the file");
    const auto form = [&](const char* name, Form value, const char* meaning) {
        return command->add_flag_callback(
            name, [settings, value] { settings->form = value; }, meaning);
    };
    CLI::Option* const forms[] = {form("--loops", Form::loops, "The loops, buffers and calls that carry the graph out, as text"),
                                  form("--dot", Form::dot, "Graphviz source"),
                                  form("--svg", Form::svg, "A picture; needs Graphviz"),
                                  form("--png", Form::png, "A picture; needs Graphviz"),
                                  form("--html", Form::html, "A page with zoom, closable scopes, search and details")};
    for (CLI::Option* one : forms)
        for (CLI::Option* other : forms)
            if (one != other) one->excludes(other);
    command->footer(
        "Without an option, the textual form (docs/text-form.md), which is a source itself; --loops is described in "
        "docs/loop-text.md. In pictures ovals are containers (thick: arguments, dashed: streams), octagons tasklets, trapezia the "
        "ends of maps; dashed arrows resolve write conflicts.\n\n"
        "Example:\n"
        "  sluice show examples/jacobi_2d.py --html -o jacobi_2d.html");
    command->callback([settings] { show(*settings); });
}

}  // namespace sluice::cli
