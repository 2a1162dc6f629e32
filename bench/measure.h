// Shared by the benchmarks: a clock, medians, and access to the examples.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/compile.h"

namespace sluice::bench {

/// Seconds that `body` takes.
template <class Body> double seconds(Body&& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The value, or the rendered diagnostic and exit status 1.
template <class T> T or_exit(Result<T> result) {
    if (result.ok()) return std::move(result).value();
    std::fputs(render(result.error()).c_str(), stderr);
    std::exit(1);
}

inline std::filesystem::path example(const std::string& name) {
    return std::filesystem::path(SLUICE_SOURCE_DIR) / "examples" / (name + ".py");
}

/// A folder that lives as long as the object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "sluice-bench-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace sluice::bench
