// The entry of `sluice` and `sdfgcc`: parses the command line and turns failures into text and exit statuses.
//   0 done   1 the user's fault, one diagnostic on stderr   70 a bug of ours
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "support/version.h"

namespace {

constexpr int kUserFault = 1;
constexpr int kInternalError = 70;

int report_bug(const char* what) {
    fmt::print(stderr, "{}\nThis is a bug of Sluice, not of your program. Please report it with the input and this text.\n", what);
    return kInternalError;
}

int run(CLI::App& app, int argc, char** argv) {
    try {
        sluice::cli::parse(app, argc, argv);
        return 0;
    } catch (const CLI::RuntimeError& answer) {
        return answer.get_exit_code();  // Of a command that answers by its status.
    } catch (const CLI::Success& done) {
        return app.exit(done);  // Prints help or the version.
    } catch (const sluice::Failure& failure) {
        const sluice::Span& where = failure.diagnostic.where;
        const std::string source = where.known() && where.file ? sluice::cli::read_text_file(*where.file) : std::string();
        fmt::print(stderr, "{}", sluice::render(failure.diagnostic, source));
        return kUserFault;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error C013: there is not enough memory\nhelp: choose smaller sizes\n");
        return kUserFault;
    } catch (const sluice::InternalError& bug) {
        return report_bug(bug.what());
    } catch (const std::exception& error) {
        return report_bug(error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    namespace cli = sluice::cli;
    cli::show_long_work();
    cli::end_cleanly_on_signals();
    const bool sdfgcc = argc > 0 && std::filesystem::path(argv[0]).filename() == "sdfgcc";
    CLI::App app(sdfgcc ? "Compiles an SDFG to a shared library with a C header, like `sluice compile`."
                        : "Sluice: NumPy programs and dataflow graphs to native parallel code.",
                 sdfgcc ? "sdfgcc" : "sluice");
    const auto verbose = std::make_shared<bool>(false);
    const auto version = [verbose] { return *verbose ? sluice::version_text() : fmt::format("sluice {}\n", sluice::version()); };
    // Before --version, which prints and ends when its turn comes.
    app.add_flag("--verbose", *verbose, "With --version: the commit, and what of others is in it with its licence");
    app.set_version_flag("--version", [version] {
        std::string text = version();
        text.pop_back();  // The parser ends the line.
        return text;
    });
    if (sdfgcc) {
        cli::add_sdfgcc(app);
        return run(app, argc, argv);
    }
    app.add_flag_callback(
        "--prefix",
        [] {
            fmt::print("{}\n", cli::installed_prefix().string());
            throw CLI::Success();
        },
        "Print the folder that Sluice was installed to: its include/sluice and lib are below");
    app.require_subcommand(1);
    cli::add_setting_arguments(app);
    app.footer(
        "SRC is a .py file with @program functions (no Python is needed to read it), a .sdfg or .sdfgz file, or a textual graph.\n"
        "`sluice COMMAND --help` explains a command with an example.\n\n"
        "Example:\n"
        "  sluice compile examples/axpy.py -o out      writes out/libaxpy.so, out/axpy.h, out/axpy.cpp, out/axpy.sdfg");
    cli::add_compile(app);
    cli::add_run(app);
    cli::add_tune(app);
    cli::add_check(app);
    cli::add_show(app);
    cli::add_convert(app);
    cli::add_interpret(app);
    cli::add_fuzz(app);
    cli::add_reduce(app);
    cli::add_diff(app);
    cli::add_certify(app);
    cli::add_explain(app);
    cli::add_opt(app);
    cli::add_config(app);
    cli::add_machine(app);
    cli::add_doctor(app);
    cli::add_verify_operation(app);
    CLI::App* print_version = app.add_subcommand("version", "Print the version; --verbose: the commit and the licences as well");
    print_version->add_flag("--verbose", *verbose, "The commit, and what of others is in it with its licence");
    print_version->callback([version] { fmt::print("{}", version()); });
    return run(app, argc, argv);
}
