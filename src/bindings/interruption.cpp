#include "bindings/interruption.h"

#include <signal.h>
#include <time.h>

#include <atomic>
#include <optional>

namespace sluice::bindings {

namespace {

std::atomic<volatile int*> asked = nullptr;
std::optional<struct sigaction> of_python;  ///< Python's handler, which notes the signal until the interpreter runs again.

void on_interrupt(int signal) {
    if (volatile int* flag = asked.load()) *flag = 1;
    of_python->sa_handler(signal);
}

bool raises_keyboard_interrupt() {
    // They live as long as the process.
    static const nb::handle module = nb::module_::import_("_signal").release();
    static const nb::handle read = nb::object(module.attr("getsignal")).release();
    static const nb::handle usual = nb::object(module.attr("default_int_handler")).release();
    return read(SIGINT).is(usual);
}

bool in_main_thread() {
    static const auto main = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    return PyThread_get_thread_ident() == main;
}

std::int64_t tenths_of_seconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 10 + now.tv_nsec / 100'000'000;
}

/// Our handler in front of Python's, where it stays: it does nothing else while no program runs. `signal.signal` takes it away, so
/// it is put there anew, ten times a second at most: calls of microseconds ask neither the system nor Python each time.
bool installed() {
    static std::int64_t last = -1;
    const std::int64_t now = tenths_of_seconds();
    if (now == last) return true;
    if (!raises_keyboard_interrupt()) return false;
    struct sigaction found;
    if (!of_python) {
        sigaction(SIGINT, nullptr, &found);
        if ((found.sa_flags & SA_SIGINFO) || found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN) return false;
        of_python = found;
    }
    struct sigaction ours = *of_python;
    ours.sa_handler = on_interrupt;
    sigaction(SIGINT, &ours, &found);
    if (found.sa_handler == on_interrupt || found.sa_handler == of_python->sa_handler) {
        last = now;
        return true;
    }
    sigaction(SIGINT, &found, nullptr);
    return false;
}

}  // namespace

EndedByInterrupt::EndedByInterrupt(volatile int* flag) {
    if (!flag || !in_main_thread() || !installed()) return;
    *flag = 0;
    asked = flag;
    armed_ = true;
}

EndedByInterrupt::~EndedByInterrupt() {
    if (armed_) *asked.exchange(nullptr) = 0;
}

}  // namespace sluice::bindings
