#include "cli/terminal.h"

#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

#include "driver/unfinished.h"
#include "support/activity.h"

namespace sluice::cli {

namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

sigset_t& ending_signals() {
    static sigset_t signals;
    return signals;
}

/// A line longer than the terminal is wide could not be erased.
void show_on_terminal(const std::string& line) {
    winsize size{};
    const std::size_t columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
    std::fflush(stdout);
    std::fprintf(stderr, "%s%s", kEraseLine, line.substr(0, columns).c_str());
    std::fflush(stderr);
}

void wait_for_the_end() {
    int signal = 0;
    if (sigwait(&ending_signals(), &signal) != 0) return;
    driver::end_unfinished();
    if (isatty(STDERR_FILENO)) std::fputs(kEraseLine, stderr);
    ::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &ending_signals(), nullptr);
    raise(signal);
}

}  // namespace

void show_long_work() {
    if (isatty(STDERR_FILENO)) set_activity_hooks({.show = show_on_terminal, .end_if_interrupted = {}});
}

void end_cleanly_on_signals() {
    sigemptyset(&ending_signals());
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaddset(&ending_signals(), signal);
    }
    pthread_sigmask(SIG_BLOCK, &ending_signals(), nullptr);
    // A child of fork has no such thread: the signals end it as they always do.
    pthread_atfork(nullptr, nullptr, [] { pthread_sigmask(SIG_UNBLOCK, &ending_signals(), nullptr); });
    std::thread(wait_for_the_end).detach();
}

}  // namespace sluice::cli
