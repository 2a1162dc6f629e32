#include "driver/targets/openmp.h"

#include <dlfcn.h>

#include <cstdlib>

namespace sluice::driver {

namespace {

// libgomp's own 300,000 rounds are milliseconds in which a waiting thread keeps those from the processor that it waits for. A
// stencil of 128 x 128 on two cores takes, with 300000, 300 and 0 rounds, 5, 6 and 25 us alone and 3600, 90 and 60 us beside two
// busy processes.
constexpr const char* kWaitingRounds = "300";

bool load() {
    const bool chosen = std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT");
    if (!chosen) setenv("GOMP_SPINCOUNT", kWaitingRounds, 1);
    const bool loaded = dlopen("libgomp.so.1", RTLD_NOW | RTLD_NODELETE) != nullptr;
    if (!chosen) unsetenv("GOMP_SPINCOUNT");
    return loaded;
}

}  // namespace

void load_openmp() {
    static const bool loaded = load();
    static_cast<void>(loaded);
}

}  // namespace sluice::driver
