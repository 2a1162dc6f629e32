// Writes a compiled program to a folder for use from C: everything is made in a staging folder, then put into place as a whole.
#include <algorithm>
#include <array>

#include "driver/cache.h"
#include "driver/print_program.h"
#include "driver/staging.h"
#include "interchange/json.h"
#include "loop/identifier.h"
#include "support/activity.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

void copy_in(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error)
        fail({"D004", "cannot write `" + to.string() + "`: " + error.message(), {}, {}, "choose a folder that can be written", {}});
}

/// Names of C's headers and of the libraries of a C and C++ compiler.
bool is_of_system(std::string_view name) {
    constexpr std::array<std::string_view, 47> kTaken = {
        "assert", "complex", "ctype",    "errno",    "fenv",     "float",    "inttypes",   "iso646",  "limits", "locale",
        "math",   "memory",  "setjmp",   "signal",   "stdalign", "stdarg",   "stdatomic",  "stdbool", "stddef", "stdint",
        "stdio",  "stdlib",  "string",   "strings",  "tgmath",   "threads",  "time",       "uchar",   "unistd", "wchar",
        "wctype", "c",       "m",        "dl",       "rt",       "pthread",  "util",       "resolv",  "anl",    "gcc",
        "gcc_s",  "gomp",    "gfortran", "quadmath", "atomic",   "openblas", "stdnoreturn"};
    return std::ranges::find(kTaken, name) != kTaken.end();
}

}  // namespace

Result<std::string> emit(const ir::Sdfg& sdfg, const fs::path& folder, const CompileOptions& options) {
    return capture([&] {
        const Activity activity("compiling " + sdfg.name);
        CompileTimes times;
        const Printed printed = print_program(sdfg, options, times);
        const fs::path cache = options.cache.empty() ? default_cache() : options.cache;
        Staging work(folder);
        const std::string& name = printed.name;
        const std::string stem = is_of_system(name) ? loop::renamed(name) : name;
        if (options.use_cache) {
            const CachedLibrary found = cached_library(cache, printed.artifact, name, printed.toolchain).or_fail();
            copy_in(found.library, work.path() / ("lib" + stem + ".so"));
            write_units(work.path(), printed.artifact, stem, "D004");
            write_runtime(work.path(), "D004");
        } else {
            write_runtime(work.path(), "D004");
            compile_in(work.path(), work.path(), printed.artifact, stem, printed.toolchain, "D004");
        }
        interchange::JsonOptions readable;
        readable.readable = true;
        write_file(work.path() / (stem + ".sdfg"), interchange::to_json(sdfg, readable), "D004");
        work.publish();
        return stem;
    });
}

Result<Done> emit_object(const ir::Sdfg& sdfg, const std::string& caller, const fs::path& object, const CompileOptions& options) {
    return capture([&] {
        const Activity activity("compiling " + sdfg.name);
        CompileTimes times;
        const Printed printed = print_program(sdfg, options, times);
        const PrivateFolder work(temporary_folder(), "D004");
        write_runtime(work.path(), "D004");
        write_units(work.path(), printed.artifact, printed.name, "D004");
        const fs::path text = work.path() / "object.cpp", made = work.path() / "object.o";
        write_file(text, "#include \"" + printed.name + ".cpp\"\n#include <cstdio>\n" + caller, "D004");
        Toolchain toolchain = printed.toolchain;
        std::ranges::replace(toolchain.flags, "-shared", "-c");
        toolchain.flags.push_back("-I" + work.path().string());
        compile_library(toolchain, text, made, {}).or_fail();
        copy_in(made, object);
        return Done{};
    });
}

}  // namespace sluice::driver
