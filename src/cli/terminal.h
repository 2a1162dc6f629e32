// What the command owes whoever sits at a terminal: a line about work that takes long, and an end at once when asked for.
#pragma once

namespace sluice::cli {

/// Shows activities on standard error where that is a terminal.
void show_long_work();

/// A signal that ends the command (SIGINT, SIGTERM, SIGHUP) first ends the compilers that it has started and removes what it was
/// writing. Before any other thread starts.
void end_cleanly_on_signals();

}  // namespace sluice::cli
