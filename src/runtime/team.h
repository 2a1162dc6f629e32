// Threads that wait for each other through streams. A wait ends in a Failure when it can never be served: when every thread of
// the team is waiting and none has moved an element since they all found their queues useless.
//
// One team spans all parallel regions that are open at a time in one call, so nested regions count together. A thread that waits
// counts itself for the current number of moves; a move (counted only while somebody waits) makes those counts void.
#pragma once

#include "memory.h"

extern "C" int sched_yield(void) noexcept;

namespace sluice {

struct Team {
    SpinLock lock;
    int active = 1;   // threads that run or wait
    int waiting = 0;  // threads inside a wait
    int stuck = 0;    // threads that failed after move number `stuck_at`
    int64_t moves = 0;
    int64_t stuck_at = -1;
    bool dead = false;
};

inline thread_local Team* current_team = nullptr;

/// An element moved under its queue's lock: whoever waits must look again. Needs no fence: an attempt that came before the move
/// released that lock, so its thread shows as waiting here; an attempt that comes after it finds the element.
inline void announce_move() noexcept {
    Team* team = current_team;
    if (!team) return;
    if (__atomic_load_n(&team->waiting, __ATOMIC_RELAXED) != 0) __atomic_fetch_add(&team->moves, 1, __ATOMIC_SEQ_CST);
}

/// Repeats `attempt`, which looks at a queue under its lock, until it succeeds; throws when it never can.
template <class Attempt> inline void wait_until(Attempt attempt) {
    if (attempt()) return;
    Team* team = current_team;
    if (!team) throw Failure{kStreamDeadlock};
    struct Waiting {
        Team* team;
        explicit Waiting(Team* of) : team(of) { __atomic_fetch_add(&team->waiting, 1, __ATOMIC_SEQ_CST); }
        ~Waiting() { __atomic_fetch_sub(&team->waiting, 1, __ATOMIC_SEQ_CST); }
    } waiting(team);
    int64_t counted_at = -1;
    for (int round = 0;; ++round) {
        const int64_t moves = __atomic_load_n(&team->moves, __ATOMIC_SEQ_CST);
        if (attempt()) return;
        team->lock.lock();
        if (moves == __atomic_load_n(&team->moves, __ATOMIC_SEQ_CST)) {
            if (team->stuck_at != moves) {
                team->stuck_at = moves;
                team->stuck = 0;
            }
            if (counted_at != moves) {
                ++team->stuck;
                counted_at = moves;
            }
            if (team->stuck >= team->active) team->dead = true;
        }
        const bool dead = team->dead;
        team->lock.unlock();
        if (dead) throw Failure{kStreamDeadlock};
        if (round < 64)
            SpinLock::pause();
        else
            sched_yield();
    }
}

/// A parallel region whose threads use streams: constructed before the region, a Member in every thread.
class StreamRegion {
public:
    StreamRegion() : outer_(current_team), team_(outer_ ? outer_ : &own_) {}

    class Member {
    public:
        Member(StreamRegion& region, int threads) : region_(&region), before_(current_team) {
            region.begin(threads);
            current_team = region.team_;
        }
        Member(const Member&) = delete;
        ~Member() {
            region_->leave();
            current_team = before_;
        }

    private:
        StreamRegion* region_;
        Team* before_;
    };

private:
    void begin(int threads) noexcept {
        team_->lock.lock();
        if (members_ == 0) {
            members_ = threads;
            team_->active += threads - 1;
        }
        team_->lock.unlock();
    }
    /// The last thread to leave stands for the thread that opened the region and goes on.
    void leave() noexcept {
        team_->lock.lock();
        if (++left_ != members_) --team_->active;
        team_->lock.unlock();
    }

    Team own_;
    Team* outer_;
    Team* team_;
    int members_ = 0, left_ = 0;
};

}  // namespace sluice
