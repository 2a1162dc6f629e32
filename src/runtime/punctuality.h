// Whether a parallel region gets its team.
//
// On a machine whose processors do other work the threads of a team come late or lose their processor, and everybody waits for the
// last: a region of a millisecond then takes as long as the scheduler's slices, several times what one thread needs. So each
// region remembers what its threads lost, and after a late run it goes alone for a while: 8 ms, twice as long each time its team is
// late again, 512 ms at most. If it computes longer alone, the team comes back. A region that is longer than a round of the
// scheduler has more of the machine with a team in any case, unless its threads meet inside.
#pragma once

#include <stdint.h>
#include <time.h>

namespace sluice {

constexpr int64_t kLate = 300'000, kLongRegion = 20'000'000, kShortestPause = 8'000'000, kLongestPause = 512'000'000;  // ns
constexpr int64_t kTrustedRuns = 2;

/// What a region knows of its runs. Several threads may be in the region at once: each number is read and written whole.
struct TeamRecord {
    int64_t alone_until = 0;
    int64_t pause = kShortestPause;
    int64_t team_took = 0;  ///< Of the last late run.
    int64_t trusted = 0;    ///< Runs with a team that are not judged.
};

class TeamRun {
public:
    /// `meets`: its threads wait for each other inside.
    TeamRun(TeamRecord& record, bool meets) noexcept
        : record_(record), meets_(meets), start_(now(CLOCK_MONOTONIC)), team(start_ >= get(record.alone_until)) {}
    TeamRun(const TeamRun&) = delete;
    ~TeamRun() {
        const int64_t end = now(CLOCK_MONOTONIC), took = end - start_;
        if (!team) {
            if (took - lost_ > get(record_.team_took)) set(record_.alone_until, 0), set(record_.trusted, kTrustedRuns);
            return;
        }
        if (const int64_t trusted = get(record_.trusted); trusted > 0) {
            set(record_.trusted, trusted - 1);
            return;
        }
        const int64_t pause = get(record_.pause);
        const bool late = lost_ > kLate && 4 * lost_ > took && (meets_ || took < kLongRegion);
        if (!late) {
            if (pause > kShortestPause) set(record_.pause, pause - pause / 8);
            return;
        }
        set(record_.team_took, took);
        set(record_.alone_until, end + pause);
        if (pause < kLongestPause) set(record_.pause, 2 * pause);
    }

    /// A thread of the team. From where the region began to where the thread is done it ran for so long, and the rest was lost.
    class Member {
    public:
        explicit Member(TeamRun& run) noexcept : run_(run), ran_(now(CLOCK_THREAD_CPUTIME_ID)) {}
        Member(const Member&) = delete;
        ~Member() {
            const int64_t lost = now(CLOCK_MONOTONIC) - run_.start_ - (now(CLOCK_THREAD_CPUTIME_ID) - ran_);
            int64_t most = get(run_.lost_);
            while (lost > most &&
                   !__atomic_compare_exchange_n(&run_.lost_, &most, lost, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            }
        }

    private:
        TeamRun& run_;
        int64_t ran_;
    };

private:
    static int64_t get(const int64_t& number) noexcept { return __atomic_load_n(&number, __ATOMIC_RELAXED); }
    static void set(int64_t& number, int64_t value) noexcept { __atomic_store_n(&number, value, __ATOMIC_RELAXED); }
    static int64_t now(clockid_t clock) noexcept {
        timespec at;
        clock_gettime(clock, &at);
        return int64_t(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
    }
    TeamRecord& record_;
    bool meets_;
    int64_t start_;
    int64_t lost_ = 0;

public:
    const bool team;  ///< Of more than the calling thread.
};

}  // namespace sluice
