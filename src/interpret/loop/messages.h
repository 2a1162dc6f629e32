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

/// A message as one of its ranks sees it.
struct Parcel {
    bool sends = true;
    std::int64_t rank = 0, peer = 0, tag = 0;
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
    std::vector<std::optional<StatementId>> at;  ///< By rank.
    struct Share {
        std::vector<std::byte> data;
        std::vector<std::uint8_t> written;
        std::int64_t part = 0, result = 0;  ///< Elements.
        std::vector<std::int64_t> part_extents, result_extents;
    };
    std::vector<Share> shares;
};

class World {
public:
    World(Machine& machine, std::int64_t ranks)
        : machine_(machine), blocked(static_cast<std::size_t>(ranks)), ended(blocked.size()), met_(blocked.size()) {}
    std::int64_t ranks() const { return static_cast<std::int64_t>(blocked.size()); }

    /// Joins the message with the first that fits it, if one is there.
    Parcel& post(std::unique_ptr<Parcel> parcel);
    /// After it was joined: what came is put where it belongs.
    void end(const Thread& thread, Parcel& parcel);
    std::int64_t request_of(Parcel& parcel);
    /// Null: there is none of that number.
    Parcel* requested(std::int64_t request);
    /// Fails with I012 where another collective is expected.
    Meeting& meet(const Thread& thread, const loop::Collective& statement, std::int64_t root, Meeting::Share share);
    /// When all ranks have ended: what is left over.
    void report_leftovers();
    /// Why nobody goes on.
    Diagnostic deadlock() const;

private:
    Machine& machine_;
    std::vector<std::unique_ptr<Parcel>> parcels_;
    std::map<std::int64_t, Parcel*> requests_;
    std::deque<std::unique_ptr<Meeting>> meetings_;

public:
    /// Of each rank: the message that it waits for, and whether its program is over.
    std::vector<const Parcel*> blocked;
    std::vector<bool> ended;

private:
    std::vector<std::size_t> met_;  ///< Collectives that a rank has come to.
};

}  // namespace sluice::interpret::loops
