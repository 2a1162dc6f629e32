// What the tests of this folder share.
#pragma once

#include <gtest/gtest.h>

#include "driver/cache.h"
#include "fuzz/check.h"

namespace sluice::fuzz {

/// Every way to compile that the fuzzer knows.
inline std::vector<Configuration> all_configurations() {
    std::vector<Configuration> all;
    for (const int optimisation : {0, 3})
        for (const bool parallel : {true, false}) {
            Configuration configuration;
            configuration.parallel = parallel;
            configuration.optimisation = optimisation;
            all.push_back(configuration);
        }
    return all;
}

inline driver::PrivateFolder test_folder() {
    return driver::PrivateFolder(std::filesystem::temp_directory_path() / "sluice-test-fuzz");
}

}  // namespace sluice::fuzz
