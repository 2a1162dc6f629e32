#include "driver/cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "driver/digest.h"
#include "driver/runtime_files.h"
#include "driver/settings.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kLayout = "sluice cache 1";
constexpr auto kAbandoned = std::chrono::hours(24);

[[noreturn]] void unwritable(const fs::path& path, const std::string& code, const std::string& reason) {
    const std::string remedy =
        code == "D005" ? "set SLUICE_CACHE to a folder that can be written" : "choose a folder that can be written";
    fail({code, "cannot write `" + path.string() + "`: " + reason, {}, {}, remedy, {}});
}

const std::string& runtime_digest() {
    static const std::string digest = [] {
        Digest all;
        for (const RuntimeFile& file : runtime_files()) all.field(file.name).field(file.text);
        return all.hexadecimal();
    }();
    return digest;
}

std::string key_of(const codegen::Artifact& artifact, const std::string& name, const Toolchain& toolchain) {
    Digest digest;
    digest.field(kLayout).field(runtime_digest()).field(name);
    for (const codegen::Unit& unit : artifact.units) digest.field(codegen::suffix(unit.kind)).field(unit.text);
    digest.field(toolchain.compiler).field(toolchain.version);
    for (const auto* list : {&toolchain.prefix, &toolchain.flags, &artifact.link_words}) {
        digest.field(std::to_string(list->size()));
        for (const std::string& word : *list) digest.field(word);
    }
    return digest.hexadecimal().substr(0, 32);
}

// An entry is whole when its library has the size that was written down after it was complete.
bool is_whole(const fs::path& entry, const fs::path& library) {
    std::ifstream manifest(entry / "size");
    std::uintmax_t size = 0;
    std::error_code error;
    return manifest >> size && fs::file_size(library, error) == size && !error;
}

void remove_abandoned(const fs::path& folder) {
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        std::error_code gone;
        const auto written = fs::last_write_time(each->path(), gone);
        if (!gone && now - written > kAbandoned) fs::remove_all(each->path(), gone);
    }
}

}  // namespace

fs::path default_cache() {
    const auto variable = [](const char* name) {
        const char* text = std::getenv(name);
        return fs::path(text ? text : "");
    };
    if (fs::path own = setting("cache").text; !own.empty()) return own;
    if (const fs::path caches = variable("XDG_CACHE_HOME"); caches.is_absolute()) return caches / "sluice";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "sluice";
    return fs::path("/tmp") / ("sluice-" + std::to_string(getuid()));
}

fs::path temporary_folder() {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error)
        fail({"D004",
              "there is no folder for temporary files: " + error.message(),
              {},
              {},
              "set TMPDIR to a folder that can be written",
              {}});
    return folder;
}

PrivateFolder::PrivateFolder(const fs::path& parent, const std::string& code) {
    std::error_code error;
    fs::create_directories(parent, error);
    if (error) unwritable(parent, code, error.message());
    std::string pattern = (parent / "XXXXXX").string();
    if (!mkdtemp(pattern.data())) unwritable(parent, code, std::error_code(errno, std::generic_category()).message());
    path_ = pattern;
    unfinished_ = std::make_unique<UnfinishedFolder>(path_);
}

void PrivateFolder::release() {
    path_.clear();
    unfinished_.reset();
}

PrivateFolder::~PrivateFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

void write_file(const fs::path& path, std::string_view text, const std::string& code) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) unwritable(path, code, std::error_code(errno, std::generic_category()).message());
}

void write_runtime(const fs::path& folder, const std::string& code) {
    std::error_code error;
    fs::create_directories(folder / "sluice", error);
    if (error) unwritable(folder, code, error.message());
    for (const RuntimeFile& file : runtime_files()) write_file(folder / "sluice" / file.name, file.text, code);
}

fs::path runtime_folder(const fs::path& cache) {
    const fs::path folder = cache / "runtime" / runtime_digest().substr(0, 32);
    std::error_code error;
    if (fs::exists(folder, error)) return folder;
    PrivateFolder work(cache / "unfinished");
    write_runtime(work.path(), "D005");
    fs::create_directories(folder.parent_path(), error);
    fs::rename(work.path(), folder, error);
    if (!error)
        work.release();
    else if (!fs::exists(folder))
        unwritable(folder, "D005", error.message());
    return folder;
}

void write_units(const fs::path& folder, const codegen::Artifact& artifact, const std::string& name, const std::string& code) {
    for (const codegen::Unit& unit : artifact.units) write_file(folder / (name + codegen::suffix(unit.kind)), unit.text, code);
}

fs::path compile_in(const fs::path& folder, const fs::path& runtime, const codegen::Artifact& artifact, const std::string& name,
                    const Toolchain& toolchain, const std::string& code) {
    const fs::path library = folder / ("lib" + name + ".so");
    const fs::path text = folder / (name + codegen::suffix(artifact.host_unit().kind));
    write_units(folder, artifact, name, code);
    Toolchain with_runtime = toolchain;
    with_runtime.flags.push_back("-I" + runtime.string());
    // What -O3 adds makes such code no faster, and takes a third of the compiler's time.
    if (const auto level = std::ranges::find(with_runtime.flags, "-O3"); artifact.over_objects && level != with_runtime.flags.end())
        *level = "-O2";
    Result<Done> compiled = compile_library(with_runtime, text, library, artifact.link_words);
    if (!compiled) fail(compiled.error());
    return library;
}

namespace {

/// GCC 12 takes double(float(x)) for x in such code (codegen/cpu/unit.cpp).
std::string text_of(const codegen::Apart& one) {
    std::string text = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize(\"no-tree-slp-vectorize\")\n#endif\n";
    for (const std::string& header : one.headers) text += "#include \"" + header + "\"\n";
    return text + "template " + one.declaration + ";\n";
}

/// Its object, beside the runtime's headers; made on first use. As for entries, nobody sees half of one.
fs::path compiled_apart(const fs::path& cache, const fs::path& runtime, const codegen::Apart& one, Toolchain toolchain) {
    const std::string text = text_of(one);
    Digest digest;
    digest.field(text).field(toolchain.compiler).field(toolchain.version);
    for (const auto* list : {&toolchain.prefix, &toolchain.flags})
        for (const std::string& word : *list) digest.field(word);
    const fs::path object = runtime / "apart" / (digest.hexadecimal().substr(0, 32) + ".o");
    std::error_code error;
    if (fs::file_size(object, error) > 0 && !error) return object;
    toolchain.flags.push_back("-I" + runtime.string());
    const PrivateFolder work(cache / "unfinished");
    const fs::path source = work.path() / "apart.cpp", made = work.path() / "apart.o";
    write_file(source, text, "D005");
    const Result<Done> compiled = compile_library(toolchain, source, made, {"-c"});
    if (!compiled) fail(compiled.error());
    fs::create_directories(object.parent_path(), error);
    fs::rename(made, object, error);
    if (error) unwritable(object, "D005", error.message());
    return object;
}

}  // namespace

Result<CachedLibrary> cached_library(const fs::path& cache, const codegen::Artifact& artifact, const std::string& name,
                                     const Toolchain& toolchain) {
    return capture([&]() -> CachedLibrary {
        const std::string key = key_of(artifact, name, toolchain);
        const fs::path entry = cache / key.substr(0, 2) / key, library = entry / ("lib" + name + ".so");
        if (is_whole(entry, library)) {
            std::error_code ignored;  // The time of its last use, for trim_cache.
            fs::last_write_time(entry / "size", fs::file_time_type::clock::now(), ignored);
            return {library, true};
        }

        PrivateFolder work(cache / "unfinished");
        const fs::path runtime = runtime_folder(cache);
        Toolchain with_objects = toolchain;
        codegen::Artifact linked = artifact;
        Toolchain of_apart = toolchain;
        std::ranges::copy_if(artifact.link_words, std::back_inserter(of_apart.flags),
                             [](const std::string& word) { return word.starts_with("-D"); });
        for (const codegen::Apart& one : artifact.apart)  // In front of the libraries that they call.
            linked.link_words.insert(linked.link_words.begin(), compiled_apart(cache, runtime, one, of_apart).string());
        if (!artifact.apart.empty()) with_objects.flags.emplace_back("-DSLUICE_APART");
        const fs::path built = compile_in(work.path(), runtime, linked, name, with_objects, "D005");
        std::error_code error;
        write_file(work.path() / "size", std::to_string(fs::file_size(built)), "D005");
        fs::create_directories(entry.parent_path(), error);
        if (error) unwritable(entry.parent_path(), "D005", error.message());
        fs::rename(work.path(), entry, error);
        if (!error) {
            work.release();
        } else if (!is_whole(entry, library)) {
            // Damaged from outside: its place is cleared by a rename as well, so that nobody sees it half removed.
            const PrivateFolder damaged(cache / "unfinished");
            fs::rename(entry, damaged.path() / "entry", error);
            fs::rename(work.path(), entry, error);
            if (!error)
                work.release();
            else if (!is_whole(entry, library))
                unwritable(entry, "D005", error.message());
        }
        remove_abandoned(cache / "unfinished");
        trim_cache(cache, cache_limit());
        return {library, false};
    });
}

}  // namespace sluice::driver
