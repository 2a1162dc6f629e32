// What ranks have under way: messages that wait for their other end, requests, collectives to which not all have come.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpret/loop/machine.h"

namespace sluice::interpret::loops {

struct Group;
/// A message as one of its ranks sees it.
struct Parcel {
    bool sends = true;
    std::int64_t rank = 0, peer = 0, tag = 0;
    const Group* among = nullptr;
    loop::DType type;
    std::vector<Pointer> places;        ///< Of the elements.
    std::vector<std::byte> data;        ///< What is sent, or has come.
    std::vector<std::uint8_t> written;  ///< Of each element: has somebody written it?
    StatementId at = 0;
    bool matched = false, ended = false;
};

/// A collective to which the ranks come one after the other.
struct Meeting {
    const loop::Collective* first = nullptr;
    std::int64_t first_rank = 0, root = 0, arrived = 0;
    std::vector<std::optional<StatementId>> at;  ///< By member of the group, as the shares.
    struct Share {
        std::vector<std::byte> data;
        std::vector<std::uint8_t> written;
        std::int64_t part = 0, result = 0;  ///< Elements.
        std::vector<std::int64_t> part_extents, result_extents;
    };
    std::vector<Share> shares;
};

/// Ranks that meet each other, and nobody else.
struct Group {
    std::vector<std::int64_t> members;
    std::deque<std::unique_ptr<Meeting>> meetings = {};
    std::vector<std::size_t> met = {};  ///< Collectives that a member has come to.

    std::int64_t size() const { return static_cast<std::int64_t>(members.size()); }
    /// Its number in the group; nullopt: it is none of them.
    std::optional<std::int64_t> number_of(std::int64_t rank) const;
};

class World {
public:
    World(Machine& machine, std::int64_t ranks)
        : machine_(machine), blocked(static_cast<std::size_t>(ranks)), ended(blocked.size()) {}
    std::int64_t ranks() const { return static_cast<std::int64_t>(blocked.size()); }

    /// Of these ranks; without any, of all. Others than these, even if they are all.
    Group& group(const std::vector<std::int64_t>& members);
    /// Joins the message with the first that fits it, if one is there.
    Parcel& post(std::unique_ptr<Parcel> parcel);
    /// After it was joined: what came is put where it belongs.
    void end(const Thread& thread, Parcel& parcel);
    std::int64_t request_of(Parcel& parcel);
    /// Null: there is none of that number.
    Parcel* requested(std::int64_t request);
    /// Fails with I012 where another collective is expected.
    Meeting& meet(const Thread& thread, Group& group, const loop::Collective& statement, std::int64_t root, Meeting::Share share);
    /// When all ranks have ended: what is left over.
    void report_leftovers();
    /// Why nobody goes on.
    Diagnostic deadlock() const;

private:
    Machine& machine_;
    std::vector<std::unique_ptr<Parcel>> parcels_;
    std::map<std::int64_t, Parcel*> requests_;
    std::map<std::vector<std::int64_t>, Group> groups_;

public:
    /// Of each rank: the message that it waits for, and whether its program is over.
    std::vector<const Parcel*> blocked;
    std::vector<bool> ended;
};

}  // namespace sluice::interpret::loops
