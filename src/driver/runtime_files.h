// The runtime headers as text, embedded at build time from src/runtime.
#pragma once

#include <string_view>
#include <vector>

namespace sluice::driver {

struct RuntimeFile {
    std::string_view name;  ///< `math.h`; generated code includes it as `sluice/math.h`.
    std::string_view text;
};
const std::vector<RuntimeFile>& runtime_files();

}  // namespace sluice::driver
