#include "driver/measure_machine.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "driver/cache.h"
#include "driver/decisions.h"
#include "driver/targets/openmp.h"
#include "driver/targets/shared_library.h"
#include "driver/targets/toolchain.h"

namespace sluice::driver {

namespace {

// Each function takes a time in seconds, of one operation, one call, one byte, one region; or what a team does a second.
constexpr const char* kProbe = R"(
#include <omp.h>
#include <math.h>
#include <stdlib.h>

namespace {
constexpr long kNear = 2048;
alignas(64) double x[kNear], y[kNear];

template <class Work> double seconds(int rounds, Work work) {
    double best = 1e9;
    for (int sample = 0; sample < 9; ++sample) {
        double middle[5];
        for (double& one : middle) {
            const double start = omp_get_wtime();
            for (int round = 0; round < rounds; ++round) {
                work();
                asm volatile("" ::: "memory");
            }
            one = (omp_get_wtime() - start) / rounds;
        }
        for (int i = 1; i < 5; ++i)
            for (int j = i; j > 0 && middle[j] < middle[j - 1]; --j) {
                const double swap = middle[j];
                middle[j] = middle[j - 1], middle[j - 1] = swap;
            }
        if (middle[2] < best) best = middle[2];
    }
    return best;
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" int probe_threads() { return omp_get_max_threads(); }

extern "C" double probe_operation() {
    for (long i = 0; i < kNear; ++i) x[i] = 1.0 / (i + 2);
    constexpr int kOperations = 16;
    return seconds(200, [] {
        #pragma omp simd
        for (long i = 0; i < kNear; ++i) {
            const double v = x[i];
            y[i] = (((((((v * 0.5 + 1) * v - 2) * v + 3) * v - 4) * v + 5) * v - 6) * v + 7) * v - 8;
        }
    }) / (kOperations * kNear);
}

extern "C" double probe_call() {
    for (long i = 0; i < kNear; ++i) x[i] = 1.0 / (i + 2);
    return seconds(10, [] {
        for (long i = 0; i < kNear; ++i) y[i] = exp(sin(x[i]));
    }) / (2 * kNear);
}

extern "C" double probe_byte() {
    constexpr long kFar = 1 << 22;
    double* from = static_cast<double*>(malloc(kFar * sizeof(double)));
    double* to = static_cast<double*>(malloc(kFar * sizeof(double)));
    if (!from || !to) return 0;
    for (long i = 0; i < kFar; ++i) from[i] = i, to[i] = 0;
    const double time = seconds(1, [=] {
        #pragma omp simd
        for (long i = 0; i < kFar; ++i) to[i] = to[i] + 3.0 * from[i];
    });
    free(from);
    free(to);
    return time / (3.0 * sizeof(double) * kFar);
}

// Of the whole team: operations a second, as many multiply-adds at once as hide their latency.
extern "C" double probe_peak() {
    constexpr long kLanes = 128, kRounds = 4000;
    double sum = 0, best = 1e9;
    int threads = 1;
    for (int sample = 0; sample < 9; ++sample) {
        const double start = omp_get_wtime();
        #pragma omp parallel reduction(+ : sum)
        {
            alignas(64) double at[kLanes];
            for (long i = 0; i < kLanes; ++i) at[i] = i * 1e-3;
            for (long round = 0; round < kRounds; ++round) {
                #pragma omp simd
                for (long i = 0; i < kLanes; ++i) at[i] = at[i] * 0.999 + 0.5;
            }
            for (long i = 0; i < kLanes; ++i) sum += at[i];
            threads = omp_get_num_threads();
        }
        const double time = omp_get_wtime() - start;
        if (time < best) best = time;
    }
    return sum > 0 ? 2.0 * kLanes * kRounds * threads / best : 0;
}

// Bytes a second of the whole team through memory.
extern "C" double probe_stream() {
    constexpr long kFar = 1 << 23;
    double* from = static_cast<double*>(malloc(kFar * sizeof(double)));
    double* to = static_cast<double*>(malloc(kFar * sizeof(double)));
    if (!from || !to) return 0;
    #pragma omp parallel for
    for (long i = 0; i < kFar; ++i) from[i] = i, to[i] = 0;
    double best = 1e9;
    for (int sample = 0; sample < 7; ++sample) {
        const double start = omp_get_wtime();
        #pragma omp parallel for simd
        for (long i = 0; i < kFar; ++i) to[i] = to[i] + 3.0 * from[i];
        const double time = omp_get_wtime() - start;
        if (time < best) best = time;
    }
    free(from);
    free(to);
    return 3.0 * sizeof(double) * kFar / best;
}

extern "C" double probe_region() {
    return seconds(100, [] {
        #pragma omp parallel for
        for (int i = 0; i < 64; ++i) y[i] = x[i];
    });
}
)";

/// Work from which on a team pays, as a multiple of what a region costs: with ten times as much, a team of two still wins where
/// starting it takes four times as long as on an idle machine.
constexpr double kRegionsOfWork = 10;

double number_of(const SharedLibrary& probe, const char* name) {
    return reinterpret_cast<double (*)()>(probe.symbol(name))();
}

void measure(const SharedLibrary& probe, const char* name, double factor, std::int64_t& result) {
    constexpr double kPicoseconds = 1e12;
    const double time = number_of(probe, name) * factor * kPicoseconds;
    if (std::isfinite(time) && time > 0) result = std::max<std::int64_t>(std::llround(time), 1);
}

/// The probe as a loaded library, for as long as its folder lives.
struct CompiledProbe {
    PrivateFolder folder{temporary_folder() / "sluice", "D004"};
    SharedLibrary library{compiled(folder.path())};

private:
    static std::filesystem::path compiled(const std::filesystem::path& folder) {
        load_openmp();
        const std::filesystem::path source = folder / "probe.cpp", library = folder / "probe.so";
        write_file(source, kProbe, "D004");
        compile_library(find_toolchain().or_fail(), source, library, {}).or_fail();
        return library;
    }
};

}  // namespace

Result<Roof> measure_roof() {
    return capture([] {
        const CompiledProbe probe;
        return Roof{number_of(probe.library, "probe_peak"), number_of(probe.library, "probe_stream")};
    });
}

Result<Machine> measure_machine() {
    return capture([] {
        const CompiledProbe compiled;
        const SharedLibrary& probe = compiled.library;
        Machine machine;
        machine.threads = std::max(reinterpret_cast<int (*)()>(probe.symbol("probe_threads"))(), 1);
        measure(probe, "probe_operation", 1, machine.operation);
        measure(probe, "probe_call", 1, machine.call);
        measure(probe, "probe_byte", 1, machine.byte);
        if (machine.threads > 1) measure(probe, "probe_region", kRegionsOfWork, machine.team);
        // The threads of a region meet twice: where it begins and where it ends.
        machine.meeting = std::max<std::int64_t>(machine.team / 2, 1);
        // Half of the second cache: the loop itself needs the other.
        if (const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE); cache > 0) machine.largest_private_array = cache / 2;
        return machine;
    });
}

Result<Machine> machine_in_use() {
    return target_machine();
}

}  // namespace sluice::driver
