// sluice convert: between the formats, by suffix.
#include "cli/command.h"
#include "ir/text.h"

namespace sluice::cli {

namespace {

struct ConvertSettings {
    std::filesystem::path source, target;
    std::string program, dialect = "dollar";
    bool readable = false;
};

}  // namespace

std::string graph_bytes(const ir::Sdfg& sdfg, const std::filesystem::path& target, driver::JsonOptions options) {
    const std::string suffix = target.extension();
    if (suffix == ".txt" || suffix == ".sluice") return ir::to_text(sdfg);
    if (suffix != ".sdfg" && suffix != ".sdfgz")
        fail_usage("C003", "the suffix `" + suffix + "` names no format", "write to .sdfg, .sdfgz, .txt or .sluice");
    options.compressed = suffix == ".sdfgz";
    return driver::to_json(sdfg, options);
}

void add_convert(CLI::App& app) {
    CLI::App* command = app.add_subcommand("convert", "Convert between .py, .sdfg, .sdfgz and the textual form");
    const auto settings = std::make_shared<ConvertSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("-o,--output", settings->target, "The file to write: .sdfg, .sdfgz, or .txt/.sluice for text")->required();
    command->add_option("--program", settings->program, "The program, if the source holds several");
    command->add_option("--dialect", settings->dialect, "Of .sdfg: `dollar` for DaCe 2.0.0a4 and later, `legacy` for older readers")
        ->check(CLI::IsMember({"legacy", "dollar"}))
        ->capture_default_str();
    command->add_flag("--readable", settings->readable, "Indent the JSON");
    command->footer(
        "Attributes that Sluice does not know survive from .sdfg to .sdfg.\n\n"
        "Example:\n"
        "  sluice convert examples/gemm.py -o gemm.sdfg --dialect legacy");
    command->callback([settings] {
        const driver::Session session = driver::Session::read_one(settings->source, settings->program).or_fail();
        driver::JsonOptions options;
        options.readable = settings->readable;
        options.dialect =
            settings->dialect == "legacy" ? driver::JsonOptions::Dialect::legacy : driver::JsonOptions::Dialect::dollar;
        write_file(settings->target, graph_bytes(session.program(), settings->target, options));
    });
}

}  // namespace sluice::cli
