// What the detectors remember of memory: which bytes were written, and who accessed an element last.
//
// Accesses are distinguished by strands: a strand is one execution of a node, or one point of a map, below the strand that holds
// it. Two accesses are unordered if, below the deepest strand that holds both, they lie in different points of one map, or in nodes
// of one state between which no path runs (the LCA rule of fork-join race detectors: Feng and Leiserson, "Efficient detection of
// determinacy races in Cilk programs", SPAA'97, extended from series-parallel programs to the partial orders of states).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace sluice::interpret {

struct ScopePlan;

struct Shadow {
    struct Last {
        std::uint32_t writer = 0, reader = 0;
        bool resolved = false;  ///< The last write was a conflict resolution.
    };
    bool watches_writes = false;  ///< A transient: elements start unwritten.
    bool watches_conflicts = false;
    std::size_t unit = 1;               ///< Bytes of one element.
    std::uint32_t born = 0;             ///< Strands below did not see this memory.
    std::vector<std::uint8_t> written;  ///< By byte.
    std::vector<Last> last;             ///< By element.
};

class Strands {
public:
    using Id = std::uint32_t;

    Strands() { forget(); }
    /// Drops all: what comes is ordered after what was.
    void forget();
    Id next() const { return static_cast<Id>(strands_.size()) + base_; }
    /// `group` names the execution of the map or state; `member` the point or node in it.
    Id add(Id parent, std::uint32_t group, std::uint32_t member, const ScopePlan* scope) {
        if (strands_.size() >= kMost) return parent;
        strands_.push_back({parent, group, member, scope});
        return next() - 1;
    }
    std::uint32_t new_group() { return ++groups_; }
    bool unordered(Id a, Id b) const;
    bool remembers(Id id) const { return id >= base_ + 1; }

    /// A strand below `parent` that runs concurrently with all that comes from here on until it is over, but for others of its
    /// line, which run one after the other.
    Id begin_concurrent(Id parent, std::int64_t line);
    void end_concurrent(Id id);
    /// The strand that runs concurrently with others, itself or above the given one; 0: none.
    Id concurrent(Id id) const;

private:
    static constexpr std::size_t kMost = std::size_t{1} << 25;
    struct Strand {
        Id parent;
        std::uint32_t group, member;
        const ScopePlan* scope;  ///< Null: a point of a map.
    };
    const Strand& at(Id id) const { return strands_[id - base_]; }
    /// Of a strand that runs concurrently with others: strands of other lines that are younger, up to `end`, are unordered with it.
    struct Concurrent {
        std::int64_t line;
        Id end;
    };
    bool meet(Id older, Id younger) const;

    std::vector<Strand> strands_;
    std::map<Id, Concurrent> concurrent_;
    Id base_ = 0;
    std::uint32_t groups_ = 0;
};

}  // namespace sluice::interpret
