// How often one program may be written anew before it is refused: what is written may give cause to write it again, without an end.
#pragma once

#include <utility>

namespace sluice::frontend {

/// While it lives, this thread translates one program: all of its attempts together, and the functions that it calls.
class RewritingBudget {
public:
    RewritingBudget() : before_(std::exchange(spent_, 0)) {}
    ~RewritingBudget() { spent_ = before_; }
    RewritingBudget(const RewritingBudget&) = delete;
    RewritingBudget& operator=(const RewritingBudget&) = delete;

    /// Whether the program may be written anew once more, as a loop for its recursion or with lists for its queues and tables.
    static bool may_rewrite() { return ++spent_ <= kMostRewritings; }

private:
    static constexpr int kMostRewritings = 16;  ///< Few programs have several such things.
    static inline thread_local int spent_ = 0;
    int before_;
};

}  // namespace sluice::frontend
