#include "driver/unfinished.h"

#include <signal.h>

#include <mutex>
#include <set>
#include <system_error>

namespace sluice::driver {

namespace {

struct Unfinished {
    std::mutex mutex;
    std::set<std::filesystem::path> folders;
    std::set<pid_t> leaders;
};
Unfinished& unfinished() {
    static auto* const all = new Unfinished;  // Outlives what other threads still do while the process ends.
    return *all;
}

}  // namespace

UnfinishedFolder::UnfinishedFolder(std::filesystem::path path) : path_(std::move(path)) {
    const std::lock_guard lock(unfinished().mutex);
    unfinished().folders.insert(path_);
}

UnfinishedFolder::~UnfinishedFolder() {
    const std::lock_guard lock(unfinished().mutex);
    unfinished().folders.erase(path_);
}

UnfinishedProcess::UnfinishedProcess(const std::function<pid_t()>& start) {
    const std::lock_guard lock(unfinished().mutex);
    leader_ = start();
    if (leader_ > 0) unfinished().leaders.insert(leader_);
}

UnfinishedProcess::~UnfinishedProcess() {
    const std::lock_guard lock(unfinished().mutex);
    unfinished().leaders.erase(leader_);
}

void end_unfinished() {
    // Never unlocked: a thread whose compiler was ended here waits for the end of the process and reports nothing.
    unfinished().mutex.lock();
    for (const pid_t leader : unfinished().leaders) kill(-leader, SIGTERM);
    std::error_code ignored;
    for (const std::filesystem::path& folder : unfinished().folders) std::filesystem::remove_all(folder, ignored);
}

}  // namespace sluice::driver
