// sluice show: the graph as text, as a picture, or as a page.
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/session.h"
#include "ir/text.h"

namespace sluice::cli {

namespace {

enum class Form { text, loops, cpp, dot, svg, png, html };

struct ShowSettings {
    std::filesystem::path source, target;
    std::string program, level, target_name = "cpu";
    Form form = Form::text;
};

std::string shown(const driver::Session& session, Form form, const driver::CompileOptions& options) {
    switch (form) {
        case Form::text:
            return ir::to_text(session.program());
        case Form::loops:
            return session.loops(options).or_fail();
        case Form::cpp:
            return session.source(options).or_fail();
        case Form::dot:
            return session.drawing(driver::PictureForm::dot).or_fail();
        case Form::svg:
            return session.drawing(driver::PictureForm::svg).or_fail();
        case Form::png:
            return session.drawing(driver::PictureForm::png).or_fail();
        case Form::html:
            return session.drawing(driver::PictureForm::html).or_fail();
    }
    return {};
}

/// Whether pages are asked for in a folder: one that is there, or by a name that ends in a slash.
bool into_a_folder(const ShowSettings& settings) {
    std::error_code unknown;
    return settings.form == Form::html && !settings.target.empty() &&
           (!settings.target.has_filename() || std::filesystem::is_directory(settings.target, unknown));
}

/// A page for each program, and the layout library once, beside them.
void write_pages(const std::vector<driver::Session>& programs, const std::filesystem::path& folder) {
    std::vector<std::string> pages;
    for (const driver::Session& session : programs)
        pages.push_back(session.drawing(driver::PictureForm::html_with_library_file).or_fail());
    std::error_code unknown;
    std::filesystem::create_directories(folder, unknown);  // write_file says where that failed.
    write_file(folder / driver::kLayoutLibraryFile, driver::layout_library().or_fail());
    for (std::size_t at = 0; at < pages.size(); ++at) write_file(folder / (programs[at].program().name + ".html"), pages[at]);
}

void show(const ShowSettings& settings) {
    std::vector<driver::Session> programs;
    const bool folder = into_a_folder(settings);
    const bool one_picture = !folder && (settings.form == Form::svg || settings.form == Form::png || settings.form == Form::html);
    if (settings.program.empty() && !one_picture)
        programs = driver::Session::read(settings.source).or_fail();
    else
        programs.push_back(driver::Session::read_one(settings.source, settings.program).or_fail());
    const PipelineSettings pipeline{.level = settings.level.empty() ? "decide" : settings.level, .target = settings.target_name};
    for (driver::Session& session : programs) run_pipeline(session, pipeline);
    if (folder) return write_pages(programs, settings.target);
    std::string text;
    for (const driver::Session& session : programs) text += shown(session, settings.form, compile_options(pipeline));
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
    command->add_option("-o,--output", settings->target,
                        "The file to write; without it, to standard output. With --html also a folder: a page for each program");
    command->add_option("--program", settings->program, "Only this program of the file");
    add_level(*command, settings->level, "decide");
    add_target(*command, settings->target_name);
    command->add_flag_callback(
        "--simplify", [settings] { settings->level = "1"; }, "The same as -O1");
    add_operations(*command);
    const auto form = [&](const char* name, Form value, const char* meaning) {
        return command->add_flag_callback(
            name, [settings, value] { settings->form = value; }, meaning);
    };
    CLI::Option* const forms[] = {form("--loops", Form::loops, "The loops, buffers and calls that carry the graph out, as text"),
                                  form("--cpp", Form::cpp, "The C++ that is compiled, or what the target's language is"),
                                  form("--dot", Form::dot, "Graphviz source"),
                                  form("--svg", Form::svg, "A picture; needs Graphviz"),
                                  form("--png", Form::png, "A picture; needs Graphviz"),
                                  form("--html", Form::html, "A page with zoom, closable scopes, search and details")};
    for (CLI::Option* one : forms)
        for (CLI::Option* other : forms)
            if (one != other) one->excludes(other);
    command->footer(
        "Without an option, the textual form (docs/text-form.md), which is a source itself; --loops is described in\n"
        "docs/loop-text.md. In pictures ovals are containers (thick: arguments, dashed: streams), octagons tasklets, trapezia\n"
        "the ends of maps, with who runs them where that is decided; dashed arrows resolve write conflicts; `i in t (8)` are\n"
        "at most 8 points from t on. Long programs go on in columns, from left to right.\n\n"
        "A page is one file that can be sent: 0.7 MB, nearly all of it the library that lays it out. In a folder the library\n"
        "is a file of its own in their folder, once (layout.js).\n\n"
        "Examples:\n"
        "  sluice show examples/jacobi_2d.py --html -o jacobi_2d.html\n"
        "  sluice show examples/gemm.py --html -o pages/");
    command->callback([settings] { show(*settings); });
}

}  // namespace sluice::cli
