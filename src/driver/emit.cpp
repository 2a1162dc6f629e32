// Writes a compiled program to a folder for use from C: everything is made beside its place first, then renamed into it.
#include <optional>
#include <vector>

#include "driver/cache.h"
#include "driver/print_program.h"
#include "ir/json.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void unwritable(const fs::path& path, const std::error_code& error) {
    fail({"D004", "cannot write `" + path.string() + "`: " + error.message(), {}, {}, "choose a folder that can be written", {}});
}

void copy_in(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error) unwritable(to, error);
}

// Moves every file of `work` to `folder`; what moved already goes back out if one cannot.
void move_all(const fs::path& work, const fs::path& folder, const std::vector<fs::path>& names) {
    std::error_code error;
    for (const fs::path& name : names) {
        fs::create_directories((folder / name).parent_path(), error);
        if (!error && fs::is_directory(folder / name)) error = std::make_error_code(std::errc::is_a_directory);
        if (error) unwritable(folder / name, error);
    }
    for (const fs::path& name : names) {
        fs::rename(work / name, folder / name, error);
        if (error) unwritable(folder / name, error);
    }
}

}  // namespace

Result<Done> emit(const ir::Sdfg& sdfg, const fs::path& folder, const CompileOptions& options) {
    return capture([&] {
        CompileTimes times;
        const Printed printed = print_program(sdfg, options, times);
        const fs::path cache = options.cache.empty() ? default_cache() : options.cache;
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) unwritable(folder, error);
        std::optional<PrivateFolder> work;
        try {
            work.emplace(folder);
        } catch (Failure& failure) {
            failure.diagnostic.code = "D004";
            failure.diagnostic.remedy = "choose a folder that can be written";
            throw;
        }
        const std::string& name = printed.name;
        if (options.use_cache) {
            const CachedLibrary found = cached_library(cache, printed.source, name, printed.toolchain).or_fail();
            copy_in(found.library, work->path() / ("lib" + name + ".so"));
            write_file(work->path() / (name + ".cpp"), printed.source.source, "D004");
            write_runtime(work->path(), "D004");
        } else {
            write_runtime(work->path(), "D004");
            compile_in(work->path(), work->path(), printed.source, name, printed.toolchain);
        }
        write_file(work->path() / (name + ".h"), printed.source.header, "D004");
        ir::JsonOptions readable;
        readable.readable = true;
        write_file(work->path() / (name + ".sdfg"), ir::to_json(sdfg, readable), "D004");
        std::vector<fs::path> files;
        for (const auto& each : fs::recursive_directory_iterator(work->path()))
            if (each.is_regular_file()) files.push_back(fs::relative(each.path(), work->path()));
        move_all(work->path(), folder, files);
        return Done{};
    });
}

}  // namespace sluice::driver
