// What this process would leave behind if a signal ended it now: folders that are being written, compilers that run.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

namespace sluice::driver {

/// While it lives, `end_unfinished` removes the folder.
class UnfinishedFolder {
public:
    explicit UnfinishedFolder(std::filesystem::path path);
    ~UnfinishedFolder();
    UnfinishedFolder(const UnfinishedFolder&) = delete;
    UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

private:
    std::filesystem::path path_;
};

/// While it lives, `end_unfinished` ends the process and what it has started: it leads a process group.
class UnfinishedProcess {
public:
    /// `start` gives the leader, -1 if it does not start. `end_unfinished` waits for it: nothing runs that is not known.
    explicit UnfinishedProcess(const std::function<pid_t()>& start);
    ~UnfinishedProcess();
    UnfinishedProcess(const UnfinishedProcess&) = delete;
    UnfinishedProcess& operator=(const UnfinishedProcess&) = delete;

    pid_t leader() const { return leader_; }

private:
    pid_t leader_;
};

/// Before the process ends by a signal, from a thread of its own. What is unfinished stays so: threads that would go on wait.
void end_unfinished();

}  // namespace sluice::driver
