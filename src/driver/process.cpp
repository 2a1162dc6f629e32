#include "driver/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace sluice::driver {

ProcessResult run_process(const std::vector<std::string>& arguments) {
    ProcessResult result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    std::vector<char*> words;
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    result.started = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (result.started) {
        char buffer[4096];
        for (;;) {
            const ssize_t count = read(ends[0], buffer, sizeof buffer);
            if (count > 0)
                result.output.append(buffer, static_cast<std::size_t>(count));
            else if (count == 0 || errno != EINTR)
                break;
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
    }
    close(ends[0]);
    return result;
}

}  // namespace sluice::driver
