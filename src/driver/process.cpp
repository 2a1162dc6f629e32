#include "driver/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "driver/unfinished.h"
#include "support/activity.h"

extern char** environ;

namespace sluice::driver {

namespace {

constexpr int kMillisecondsBetweenLooks = 50;

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// What the pipe brings, until its last writer is gone.
std::string read_all(int end) {
    std::string text;
    char buffer[4096];
    for (;;) {
        pollfd wanted{.fd = end, .events = POLLIN, .revents = 0};
        const int ready = poll(&wanted, 1, kMillisecondsBetweenLooks);
        tick();
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const ssize_t count = read(end, buffer, sizeof buffer);
        if (count > 0)
            text.append(buffer, static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            return text;
    }
}

/// The leader of a process group of its own, with no signal blocked; -1 if it does not start.
pid_t start(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words, variables;
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    // The first of two that have one name counts.
    for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
    for (char** each = environ; *each; ++each) variables.push_back(*each);
    variables.push_back(nullptr);
    pid_t child = -1;
    if (posix_spawnp(&child, words[0], &actions, &attributes, words.data(), variables.data()) != 0) child = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    ProcessResult result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result;
    const UnfinishedProcess process([&] { return start(arguments, environment, ends[1]); });
    const pid_t child = process.leader();
    close(ends[1]);
    result.started = child > 0;
    if (result.started) {
        try {
            result.output = read_all(ends[0]);
        } catch (...) {
            kill(-child, SIGTERM);
            wait_for(child);
            close(ends[0]);
            throw;
        }
        const int status = wait_for(child);
        result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
    }
    close(ends[0]);
    return result;
}

}  // namespace sluice::driver
