// sluice certify: do two graphs compute the same?
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/certificate.h"

namespace sluice::cli {

void add_certify(CLI::App& app) {
    struct Settings {
        std::filesystem::path before, after;
        std::string program;
        double seconds = driver::CertifyOptions{}.seconds;
    };
    CLI::App* command = app.add_subcommand("certify", "Prove that two graphs compute the same, or show an element that differs");
    const auto settings = std::make_shared<Settings>();
    command->add_option("BEFORE", settings->before, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("AFTER", settings->after, "The graph to compare with it, in any of these forms")->required();
    command->add_option("--program", settings->program, "The program, if a source holds several");
    command->add_option("--seconds", settings->seconds, "After so long the answer is unknown")->capture_default_str();
    command->footer(
        "The dataflow of both is compared by value, apart from what transformations ask (docs/certify.md). The answer is `equal`; "
        "`different` with an\n"
        "element and both computations of it; or `unknown` with what stands in the way. Exit status 0, 1 and 2.\n\n"
        "Example:\n"
        "  sluice certify examples/gemm.py gemm.sdfg");
    command->callback([settings] {
        const driver::Session before = driver::Session::read_one(settings->before, settings->program).or_fail(),
                              after = driver::Session::read_one(settings->after, settings->program).or_fail();
        const driver::Certificate certificate =
            driver::certify_programs(before.program(), after.program(), {.seconds = settings->seconds});
        fmt::print("{}", driver::to_string(certificate));
        if (certificate.verdict == driver::Verdict::Different) throw CLI::RuntimeError(1);
        if (certificate.verdict == driver::Verdict::Unknown) throw CLI::RuntimeError(2);
    });
}

}  // namespace sluice::cli
