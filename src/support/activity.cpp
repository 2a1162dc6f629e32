#include "support/activity.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>

namespace sluice {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSilent = std::chrono::milliseconds(500);
constexpr auto kBetweenLines = std::chrono::milliseconds(200);
constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

ActivityHooks& hooks() {
    static ActivityHooks all;
    return all;
}

struct Current {
    int depth = 0;
    std::string outermost, name;
    Clock::time_point began, shown_at, looked_at;
    bool shown = false;
};
thread_local Current current;

}  // namespace

void set_activity_hooks(ActivityHooks wanted) {
    hooks() = std::move(wanted);
}

Activity::Activity(std::string name) : outer_(std::move(current.name)) {
    current.name = std::move(name);
    if (current.depth++ == 0) current.began = Clock::now(), current.outermost = current.name;
}

Activity::~Activity() {
    current.name = std::move(outer_);
    if (--current.depth > 0 || !current.shown) return;
    current.shown = false;
    try {
        hooks().show("");
    } catch (const std::exception&) {  // The work is done; a terminal that is gone is no reason to lose it.
    }
}

void Activity::rename(std::string name) {
    if (current.depth == 1) current.outermost = name;
    current.name = std::move(name);
}

void tick() {
    if (!hooks().show && !hooks().end_if_interrupted) return;
    const auto now = Clock::now();
    if (now - current.looked_at < kBetweenLooks) return;
    current.looked_at = now;
    if (hooks().end_if_interrupted) hooks().end_if_interrupted();
    if (!hooks().show || current.depth == 0 || now - current.began < kSilent) return;
    if (current.shown && now - current.shown_at < kBetweenLines) return;
    const std::chrono::duration<double> spent = now - current.began;
    const std::string outer = current.depth > 1 ? current.outermost + ": " : "";
    hooks().show(fmt::format("sluice: {}{} ({:.1f} s)", outer, current.name, spent.count()));
    current.shown = true, current.shown_at = now;
}

}  // namespace sluice
