// The content-addressed cache of compiled libraries.
//
// An entry is a folder named by the digest of everything its library depends on. It is made under a private name and renamed into
// place when it is complete, so a process that looks finds a whole entry or none, however many write at once and wherever one is
// killed. What a killed process leaves behind has a private name and is removed a day later. Storing an entry removes those that
// were used longest ago while all of them together are larger than a limit.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "codegen/artifact.h"
#include "driver/targets/toolchain.h"
#include "driver/unfinished.h"
#include "support/result.h"

namespace sluice::driver {

/// The setting `cache`, else $XDG_CACHE_HOME/sluice, else ~/.cache/sluice, else a folder in the system's place for temporary files.
std::filesystem::path default_cache();

struct CachedLibrary {
    std::filesystem::path library;
    bool hit = false;
};

/// The library of a source: from the cache, or compiled into it. Errors D001, D002, D005 (the cache cannot be written).
Result<CachedLibrary> cached_library(const std::filesystem::path& cache, const codegen::Artifact& artifact, const std::string& name,
                                     const Toolchain& toolchain);

/// The system's folder for temporary files. Throws Failure D004 where TMPDIR names none.
std::filesystem::path temporary_folder();

/// A folder with a name of its own, removed with its contents unless `release` was called.
class PrivateFolder {
public:
    /// Throws Failure `code` with the folder that cannot be written.
    explicit PrivateFolder(const std::filesystem::path& parent, const std::string& code = "D005");
    PrivateFolder(const PrivateFolder&) = delete;
    ~PrivateFolder();
    const std::filesystem::path& path() const { return path_; }
    /// What the folder holds stays: it was moved to its place.
    void release();

private:
    std::filesystem::path path_;
    std::unique_ptr<UnfinishedFolder> unfinished_;
};

/// Writes the runtime headers as folder/sluice/<name>. Throws Failure `code` if it cannot.
void write_runtime(const std::filesystem::path& folder, const std::string& code);
/// A folder below `cache` that holds the runtime headers of this build as sluice/<name>, made on first use.
std::filesystem::path runtime_folder(const std::filesystem::path& cache);
/// Writes a file or throws Failure `code`.
void write_file(const std::filesystem::path& path, std::string_view text, const std::string& code);
/// Writes every unit as folder/<name> with the suffix of its kind. Throws Failure `code` if it cannot.
void write_units(const std::filesystem::path& folder, const codegen::Artifact& artifact, const std::string& name,
                 const std::string& code);
/// Writes the units and compiles them in `folder` to folder/lib<name>.so. `runtime` is a folder that holds sluice/<name>. Throws
/// Failure `code` where the folder cannot be written, D001 or D002 where the compiler fails.
std::filesystem::path compile_in(const std::filesystem::path& folder, const std::filesystem::path& runtime,
                                 const codegen::Artifact& artifact, const std::string& name, const Toolchain& toolchain,
                                 const std::string& code);

/// The setting `cache_size` in bytes. 0: no limit.
std::uintmax_t cache_limit();
/// Removes the entries that were used longest ago until the rest is no larger than `limit`. What was used within `keep` stays:
/// another process may be about to load it. Safe under concurrent processes; what cannot be removed stays.
void trim_cache(const std::filesystem::path& cache, std::uintmax_t limit, std::chrono::seconds keep = std::chrono::minutes(10));

}  // namespace sluice::driver
