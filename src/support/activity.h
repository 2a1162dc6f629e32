// What takes long: it says so, and can be interrupted. Long work names itself by an Activity and calls `tick()` several times a
// second; whoever runs it (the command, the Python package) shows the names after half a second and may end it.
#pragma once

#include <functional>
#include <string>

namespace sluice {

struct ActivityHooks {
    /// Shows a line about what the thread is doing; an empty one takes it away.
    std::function<void(const std::string& line)> show;
    /// Throws to end the work.
    std::function<void()> end_if_interrupted;
};
/// Before any work; without hooks nothing is shown and nothing ends.
void set_activity_hooks(ActivityHooks hooks);

/// What this thread does while it lives: `compiling jacobi_2d`. Activities nest: the outermost and the innermost are shown, as in
/// `tuning jacobi_2d, 3 of 80: compiling jacobi_2d`. Who counts renames the one that it holds.
class Activity {
public:
    explicit Activity(std::string name);
    ~Activity();
    /// The one that this thread has begun last, under another name.
    void rename(std::string name);
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

private:
    std::string outer_;
};

/// Shows the activity of this thread once it has lasted half a second, and ends it when it was interrupted. Cheap.
void tick();

}  // namespace sluice
