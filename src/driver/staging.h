// A set of files that reaches its folder as a whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "driver/cache.h"

namespace sluice::driver {

/// Files are written to `path()`, on the same file system as `folder`, and `publish` puts them into `folder`. Without it the
/// destructor leaves everything as it was, down to the folders above that had to be made.
class Staging {
public:
    /// Fails with D004 where nothing can be written.
    explicit Staging(std::filesystem::path folder);
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging();

    const std::filesystem::path& path() const { return path_; }

    /// A folder that did not exist appears by one rename. Into one that did, each file moves by a rename; when one cannot, those
    /// before it move back and D004 is raised. A kill between two renames leaves whole files, some of them of before.
    void publish();

private:
    void replace_files();

    std::filesystem::path folder_, path_;
    std::vector<std::filesystem::path> made_;  // folders above that were missing, outermost first
    std::optional<PrivateFolder> work_;
    bool exists_ = false;
};

}  // namespace sluice::driver
