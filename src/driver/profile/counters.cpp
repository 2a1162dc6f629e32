#include "driver/profile/counters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>

#include "driver/settings.h"
#include "support/nearest.h"

namespace sluice::driver {

namespace {

struct Event {
    std::string_view name;
    std::uint32_t type;
    std::uint64_t config;
};

constexpr std::uint64_t cache(std::uint64_t level, std::uint64_t result) {
    return level | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (result << 16);
}

// The names are those of perf(1).
constexpr std::array kEvents{
    Event{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Event{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    Event{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    Event{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    Event{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    Event{"L1-dcache-loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_ACCESS)},
    Event{"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    Event{"LLC-loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_RESULT_ACCESS)},
    Event{"LLC-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    Event{"dTLB-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    Event{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    Event{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    Event{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    Event{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
};

const Event& event_of(const std::string& name) {
    for (const Event& one : kEvents)
        if (one.name == name) return one;
    fail({"D039",
          "there is no counter `" + name + "`",
          {},
          {},
          fmt::format("perhaps you mean one of: {}", fmt::join(nearest(name, counter_names()), ", ")),
          {}});
}

/// The counter of a thread (0: the calling one); `inherit`: and of those that it starts from now on. -1 and errno where it is not
/// to be had.
int open_event(const Event& event, pid_t thread, bool inherit) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.inherit = inherit;
    attributes.exclude_kernel = event.type != PERF_TYPE_SOFTWARE;  // All that a user may see by default.
    attributes.exclude_hv = 1;
    int file = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (file < 0 && errno == EACCES && !attributes.exclude_kernel) {
        attributes.exclude_kernel = 1;
        file = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
    }
    return file;
}

std::int64_t shown(int file) {
    std::int64_t value = 0;
    return ::read(file, &value, sizeof value) == sizeof value ? value : 0;
}

[[noreturn]] void cannot_count(const Event& event, int reason) {
    const bool forbidden = reason == EACCES || reason == EPERM;
    fail({"D039",
          fmt::format("this machine does not count `{}`: {}", event.name, std::strerror(reason)),
          {},
          {},
          forbidden ? "allow it (/proc/sys/kernel/perf_event_paranoid, or the container's rules), or choose other counters"
                    : "choose other counters by the setting `counters`, such as task-clock and page-faults, or Timer",
          {}});
}

/// One file for each event: of one thread.
class ThreadCounters {
public:
    ThreadCounters(const std::vector<Event>& events, pid_t thread, bool inherit) {
        for (const Event& event : events) {
            files_.push_back(open_event(event, thread, inherit));
            if (files_.back() < 0 && reason_ == 0) reason_ = errno, refused_ = &event;
        }
    }
    ThreadCounters(const ThreadCounters&) = delete;
    ~ThreadCounters() {
        for (const int file : files_)
            if (file >= 0) ::close(file);
    }
    void add_to(std::span<std::int64_t> values) const {
        for (std::size_t i = 0; i < files_.size(); ++i)
            if (files_[i] >= 0) values[i] += shown(files_[i]);
    }
    int reason() const { return reason_; }
    const Event* refused() const { return refused_; }

private:
    std::vector<int> files_;
    int reason_ = 0;
    const Event* refused_ = nullptr;
};

/// Of a process: the threads that it has now, and all that they start later.
class PerfEvents {
public:
    explicit PerfEvents(std::vector<Event> events) : events_(std::move(events)) {
        const ThreadCounters own(events_, 0, true);
        if (own.refused()) cannot_count(*own.refused(), own.reason());
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
            threads_.push_back(
                std::make_unique<ThreadCounters>(events_, static_cast<pid_t>(std::stol(task.path().filename())), true));
    }
    void read(bool alone, std::span<std::int64_t> values) const {
        std::ranges::fill(values, 0);
        if (!alone) {
            for (const auto& thread : threads_) thread->add_to(values);
            return;
        }
        // A thread of a team keeps the counters of the source that it has read last.
        thread_local std::uint64_t owner = 0;
        thread_local std::unique_ptr<ThreadCounters> own;
        if (owner != number_) own = std::make_unique<ThreadCounters>(events_, 0, false), owner = number_;
        own->add_to(values);
    }

private:
    static std::uint64_t next_number() {
        static std::atomic<std::uint64_t> last = 0;
        return ++last;
    }

    std::uint64_t number_ = next_number();  ///< No other source has it, as it may have its address.
    std::vector<Event> events_;
    std::vector<std::unique_ptr<ThreadCounters>> threads_;
};

std::mutex& source_guard() {
    static std::mutex guard;
    return guard;
}
CounterSource& source_of_others() {
    static CounterSource source;
    return source;
}

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t begin = part.find_first_not_of(' ');
        if (begin != std::string::npos) names.push_back(part.substr(begin, part.find_last_not_of(' ') + 1 - begin));
    }
    return names;
}

}  // namespace

std::vector<std::string> counter_names() {
    std::vector<std::string> names;
    for (const Event& one : kEvents) names.emplace_back(one.name);
    return names;
}

Result<CounterSource> perf_counters(std::span<const std::string> names) {
    return capture([&] {
        if (names.empty() || names.size() > kMostCounters)
            fail({"D039",
                  fmt::format("{} counters are asked for", names.size()),
                  {},
                  {},
                  fmt::format("name 1 to {} of {}", kMostCounters, fmt::join(counter_names(), ", ")),
                  {}});
        std::vector<Event> events;
        for (const std::string& name : names) events.push_back(event_of(name));
        const auto perf = std::make_shared<const PerfEvents>(std::move(events));
        return CounterSource{{names.begin(), names.end()},
                             [perf](bool alone, std::span<std::int64_t> values) { perf->read(alone, values); }};
    });
}

void use_counters(CounterSource source) {
    const std::lock_guard lock(source_guard());
    source_of_others() = std::move(source);
}

Result<CounterSource> counters_in_use() {
    {
        const std::lock_guard lock(source_guard());
        if (source_of_others().read) return source_of_others();
    }
    return capture([] { return perf_counters(names_in(setting("counters").text)).or_fail(); });
}

}  // namespace sluice::driver
