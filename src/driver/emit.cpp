// Writes a compiled program to a folder for use from C: everything is made in a staging folder, then put into place as a whole.
#include "driver/cache.h"
#include "driver/print_program.h"
#include "driver/staging.h"
#include "ir/json.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

void copy_in(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error)
        fail({"D004", "cannot write `" + to.string() + "`: " + error.message(), {}, {}, "choose a folder that can be written", {}});
}

}  // namespace

Result<Done> emit(const ir::Sdfg& sdfg, const fs::path& folder, const CompileOptions& options) {
    return capture([&] {
        CompileTimes times;
        const Printed printed = print_program(sdfg, options, times);
        const fs::path cache = options.cache.empty() ? default_cache() : options.cache;
        Staging work(folder);
        const std::string& name = printed.name;
        if (options.use_cache) {
            const CachedLibrary found = cached_library(cache, printed.source, name, printed.toolchain).or_fail();
            copy_in(found.library, work.path() / ("lib" + name + ".so"));
            write_file(work.path() / (name + ".cpp"), printed.source.source, "D004");
            write_runtime(work.path(), "D004");
        } else {
            write_runtime(work.path(), "D004");
            compile_in(work.path(), work.path(), printed.source, name, printed.toolchain, "D004");
        }
        write_file(work.path() / (name + ".h"), printed.source.header, "D004");
        ir::JsonOptions readable;
        readable.readable = true;
        write_file(work.path() / (name + ".sdfg"), ir::to_json(sdfg, readable), "D004");
        work.publish();
        return Done{};
    });
}

}  // namespace sluice::driver
