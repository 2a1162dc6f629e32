// Ranks: messages between them, requests, collectives; and what is wrong with them.
#include "interpret/loop/messages.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interpret/loop/planner.h"

namespace sluice::interpret::loops {

namespace {

using Joint = loop::Collective::Kind;
constexpr const char* kSends =
    "let every message have a send and a receive of one tag and size, and every rank the same collectives";

std::string name_of(std::int64_t rank) {
    return "rank " + std::to_string(rank);
}

std::size_t at_rank(std::int64_t rank) {
    return static_cast<std::size_t>(rank);
}

}  // namespace

std::optional<std::int64_t> Group::number_of(std::int64_t rank) const {
    const auto found = std::ranges::find(members, rank);
    return found == members.end() ? std::nullopt : std::optional<std::int64_t>(found - members.begin());
}

Group& World::group(const std::vector<std::int64_t>& members) {
    const auto [found, fresh] = groups_.try_emplace(members, Group{members});
    Group& group = found->second;
    if (!fresh) return group;
    if (members.empty()) {
        group.members.resize(blocked.size());
        std::iota(group.members.begin(), group.members.end(), 0);
    }
    group.met.resize(group.members.size());
    return group;
}

Parcel& World::post(std::unique_ptr<Parcel> parcel) {
    Parcel& mine = *parcels_.emplace_back(std::move(parcel));
    const auto fits = [&](const auto& other) {
        return !other->matched && other->sends != mine.sends && other->rank == mine.peer && other->peer == mine.rank &&
               other->tag == mine.tag && other->among == mine.among;
    };
    const auto found = std::ranges::find_if(parcels_, fits);
    if (found == parcels_.end()) return mine;
    Parcel& other = **found;
    Parcel &sent = mine.sends ? mine : other, &received = mine.sends ? other : mine;
    if (!(sent.type == received.type) || sent.places.size() != received.places.size()) {
        Diagnostic wrong =
            machine_.diagnostic(mine.at, "I012",
                                name_of(sent.rank) + " sends " + std::to_string(sent.places.size()) + " elements of " +
                                    code::to_string(sent.type) + " and " + name_of(received.rank) + " receives " +
                                    std::to_string(received.places.size()) + " of " + code::to_string(received.type),
                                kSends);
        wrong.notes.push_back({"the other end: " + machine_.text_of(other.at), {}});
        fail(std::move(wrong));
    }
    received.data = sent.data;
    received.written = sent.written;
    sent.matched = received.matched = true;
    machine_.announce();
    return mine;
}

void World::end(const Thread& thread, Parcel& parcel) {
    parcel.ended = true;
    const std::size_t size = code::size_in_bytes(parcel.type);
    for (std::size_t at = 0; at < parcel.places.size(); ++at) {
        const Pointer& place = parcel.places[at];
        if (!parcel.sends) {
            machine_.note_write(thread, place, size, How::Plain, parcel.written[at] != 0);
            std::memcpy(place.at, parcel.data.data() + at * size, size);
        } else if (std::memcmp(place.at, parcel.data.data() + at * size, size) != 0) {
            machine_.finding(machine_.diagnostic(parcel.at, "I004",
                                                 "element " + std::to_string(at) + " of what " + name_of(parcel.rank) +
                                                     " sends is written before the send has ended",
                                                 "wait for the request before the elements are written again"));
            return;
        }
    }
}

std::int64_t World::request_of(Parcel& parcel) {
    const auto number = static_cast<std::int64_t>(parcels_.size());
    requests_[number] = &parcel;
    return number;
}

Parcel* World::requested(std::int64_t request) {
    const auto found = requests_.find(request);
    return found == requests_.end() || found->second->ended ? nullptr : found->second;
}

Meeting& World::meet(const Thread& thread, Group& group, const loop::Collective& statement, std::int64_t root,
                     Meeting::Share share) {
    const std::size_t mine = at_rank(*group.number_of(thread.rank)), number = group.met[mine]++;
    if (number == group.meetings.size()) {
        Meeting& made = *group.meetings.emplace_back(std::make_unique<Meeting>());
        made.first = &statement;
        made.first_rank = thread.rank;
        made.root = root;
        made.at.resize(group.members.size());
        made.shares.resize(group.members.size());
    }
    Meeting& meeting = *group.meetings[number];
    const bool combines = statement.kind == Joint::Reduce || statement.kind == Joint::AllReduce;
    if (meeting.first->kind != statement.kind || meeting.root != root || !(meeting.first->part.type == statement.part.type) ||
        (combines && meeting.first->op != statement.op)) {
        Diagnostic wrong = machine_.diagnostic(
            thread.at, "I012", name_of(thread.rank) + " comes to another collective than " + name_of(meeting.first_rank), kSends);
        wrong.notes.push_back({name_of(meeting.first_rank) + " came to " +
                                   machine_.text_of(*meeting.at[at_rank(*group.number_of(meeting.first_rank))]),
                               {}});
        fail(std::move(wrong));
    }
    meeting.at[mine] = thread.at;
    meeting.shares[mine] = std::move(share);
    if (++meeting.arrived == group.size()) machine_.announce();
    return meeting;
}

void World::report_leftovers() {
    for (const auto& parcel : parcels_) {
        if (parcel->matched && parcel->ended) continue;
        const std::string whose = name_of(parcel->rank);
        machine_.finding(machine_.diagnostic(parcel->at, "I011",
                                             parcel->matched
                                                 ? whose + " never waits for a request"
                                                 : whose + (parcel->sends ? " sends what " : " receives what ") +
                                                       name_of(parcel->peer) + (parcel->sends ? " never receives" : " never sends"),
                                             kSends));
    }
}

Diagnostic World::deadlock() const {
    // A rank that waits for one whose program is over has the fault; else they wait for each other.
    for (const Parcel* parcel : blocked)
        if (parcel && ended[at_rank(parcel->peer)])
            return machine_.diagnostic(parcel->at, "I011",
                                       name_of(parcel->rank) + (parcel->sends ? " sends what " : " receives what ") +
                                           name_of(parcel->peer) + (parcel->sends ? " never receives" : " never sends"),
                                       kSends);
    return {};
}

// ---- statements -----------------------------------------------------------------------------------------------------------
namespace {

struct PartPlan {
    Code address;
    loop::DType type;
    std::vector<Whole> extents, strides;

    bool exists() const { return static_cast<bool>(address.run); }
    std::vector<std::int64_t> sizes(Thread& thread) const {
        std::vector<std::int64_t> result;
        for (const Whole& extent : extents) result.push_back(std::max<std::int64_t>(extent(thread), 0));
        return result;
    }
    std::vector<Pointer> places(Machine& machine, Thread& thread) const {
        const auto size = static_cast<std::int64_t>(code::size_in_bytes(type));
        const Pointer first = address.one(thread).as<Pointer>();
        std::vector<Pointer> all{first};
        const std::vector<std::int64_t> counts = sizes(thread);
        for (std::size_t dim = 0; dim < counts.size(); ++dim) {
            const std::int64_t step = strides[dim](thread) * size;
            std::vector<Pointer> more;
            for (const Pointer& before : all)
                for (std::int64_t k = 0; k < counts[dim]; ++k) more.push_back({before.at + k * step, before.memory});
            all = std::move(more);
        }
        for (const Pointer& place : all) machine.check_bounds(thread, place, static_cast<std::size_t>(size), "a message");
        return all;
    }
};

struct RanksPlan {
    Whole first;
    std::vector<Whole> extents, strides;

    /// I012 where the rank itself is not one of them.
    Group& group(Machine& machine, Thread& thread, StatementId id) const {
        std::vector<std::int64_t> members;
        if (first) members.push_back(first(thread));
        for (std::size_t dim = 0; dim < extents.size(); ++dim) {
            const std::int64_t count = extents[dim](thread), stride = strides[dim](thread);
            std::vector<std::int64_t> more;
            for (const std::int64_t before : members)
                for (std::int64_t k = 0; k < count; ++k) more.push_back(before + k * stride);
            members = std::move(more);
        }
        World& world = *machine.world;
        const auto exists = [&](std::int64_t rank) { return rank >= 0 && rank < world.ranks(); };
        if (first && !(std::ranges::all_of(members, exists) && std::ranges::find(members, thread.rank) != members.end()))
            machine.fail_at(id, "I012",
                            name_of(thread.rank) + " speaks among ranks of which it is none, or that are more than the " +
                                std::to_string(world.ranks()) + " that there are",
                            "let the sizes of a grid of ranks multiply to the number of all");
        return world.group(members);
    }
};

/// The elements as they stand there, and which of them somebody has written.
void take(Machine& machine, const Thread& thread, const std::vector<Pointer>& places, const loop::DType& type,
          std::vector<std::byte>& data, std::vector<std::uint8_t>& written) {
    const std::size_t size = code::size_in_bytes(type);
    data.resize(places.size() * size);
    for (std::size_t at = 0; at < places.size(); ++at) {
        machine.note_read(thread, places[at], size, How::Plain, false);
        std::memcpy(data.data() + at * size, places[at].at, size);
        const Allocation* memory = places[at].memory;
        const bool unknown = memory && memory->watches_writes &&
                             *memory->written_at(static_cast<std::size_t>(places[at].at - memory->data) / memory->unit) == 0;
        written.push_back(unknown ? 0 : 1);
    }
}

struct MessageStep final : Compound {
    bool sends = true;
    PartPlan part;
    Whole peer, tag;
    Code request;
    RanksPlan among;

    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        World& world = *machine.world;
        auto parcel = std::make_unique<Parcel>();
        parcel->sends = sends;
        parcel->rank = thread.rank;
        parcel->peer = peer(thread), parcel->tag = tag(thread);
        parcel->type = part.type;
        parcel->at = id;
        const auto write_request = [&](std::int64_t number) {
            const Cell value = cell(number);
            machine.write(thread, request.one(thread).as<Pointer>(), Scalar::Int64, &value);
        };
        if (parcel->peer == loop::kNoRank) {
            if (request.run) write_request(0);
            co_return;
        }
        const Group& group = among.group(machine, thread, id);
        if (parcel->peer < 0 || parcel->peer >= group.size() || parcel->tag < 0)
            machine.fail_at(id, "I012",
                            name_of(thread.rank) + (sends ? " sends to rank " : " receives from rank ") +
                                std::to_string(parcel->peer) + " with tag " + std::to_string(parcel->tag) + ", but there are " +
                                std::to_string(group.size()) + " ranks, and tags are not negative",
                            "name a rank that there is");
        parcel->among = &group;
        parcel->peer = group.members[at_rank(parcel->peer)];
        parcel->places = part.places(machine, thread);
        if (sends)
            take(machine, thread, parcel->places, part.type, parcel->data, parcel->written);
        else
            for (const Pointer& place : parcel->places)  // Until it has come nobody knows what stands there.
                if (place.memory && place.memory->watches_writes)
                    *place.memory->written_at(static_cast<std::size_t>(place.at - place.memory->data) / place.memory->unit) = 0;
        Parcel& mine = world.post(std::move(parcel));
        if (request.run) {
            write_request(world.request_of(mine));
            co_return;
        }
        const auto has_come = [&] { return mine.matched; };
        world.blocked[at_rank(thread.rank)] = &mine;
        while (!has_come()) co_await machine.until(thread, has_come);
        world.blocked[at_rank(thread.rank)] = nullptr;
        thread.at = id;
        world.end(thread, mine);
    }
};

struct WaitStep final : Compound {
    PartPlan requests;
    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        World& world = *machine.world;
        for (const Pointer& place : requests.places(machine, thread)) {
            Cell value;
            machine.read(thread, place, Scalar::Int64, &value);
            const auto number = value.as<std::int64_t>();
            if (number == 0) continue;
            Parcel* parcel = world.requested(number);
            if (!parcel || parcel->rank != thread.rank)
                machine.fail_at(id, "I012", name_of(thread.rank) + " waits for a request that stands for no message",
                                "start a message with it first");
            const auto has_come = [&] { return parcel->matched; };
            world.blocked[at_rank(thread.rank)] = parcel;
            while (!has_come()) co_await machine.until(thread, has_come);
            world.blocked[at_rank(thread.rank)] = nullptr;
            thread.at = id;
            world.end(thread, *parcel);
            const Cell none = cell(std::int64_t{0});
            machine.write(thread, place, Scalar::Int64, &none);
        }
    }
};

/// Place in row-major order of the whole of each element of a rank's block; empty: the blocks do not fit.
std::vector<std::size_t> block_of(std::int64_t rank, std::int64_t ranks, const std::vector<std::int64_t>& whole,
                                  const std::vector<std::int64_t>& block) {
    std::vector<std::int64_t> grid;
    std::int64_t blocks = 1;
    for (std::size_t dim = 0; dim < whole.size(); ++dim) {
        if (block[dim] <= 0 || whole[dim] % block[dim] != 0) return {};
        grid.push_back(whole[dim] / block[dim]);
        blocks *= grid.back();
    }
    if (blocks != ranks) return {};
    std::vector<std::size_t> places{0};
    std::vector<std::int64_t> first(grid.size());
    for (std::size_t dim = grid.size(); dim-- > 0; rank /= grid[dim]) first[dim] = rank % grid[dim] * block[dim];
    for (std::size_t dim = 0; dim < grid.size(); ++dim) {
        std::vector<std::size_t> more;
        for (const std::size_t before : places)
            for (std::int64_t k = 0; k < block[dim]; ++k)
                more.push_back(before * static_cast<std::size_t>(whole[dim]) + static_cast<std::size_t>(first[dim] + k));
        places = std::move(more);
    }
    return places;
}

struct CollectiveStep final : Compound {
    const loop::Collective* source = nullptr;
    PartPlan part, result;
    Whole root;
    Combine combine;
    RanksPlan among;

    bool gives(std::int64_t rank, std::int64_t root_rank) const {
        const bool from_root =
            source->kind == Joint::Broadcast || source->kind == Joint::Scatter || source->kind == Joint::ScatterBlocks;
        return part.exists() && (!from_root || rank == root_rank);
    }
    bool gets(std::int64_t rank, std::int64_t root_rank) const {
        const bool to_root = source->kind == Joint::Reduce || source->kind == Joint::Gather || source->kind == Joint::GatherBlocks;
        return source->kind == Joint::Broadcast ? rank != root_rank : result.exists() && (!to_root || rank == root_rank);
    }
    /// Where in the ranks' data the elements of a result come from: a rank and a place in its part.
    using Origin = std::pair<std::size_t, std::size_t>;
    std::vector<Origin> origins(const Group& group, const Meeting& meeting, std::int64_t rank) const {
        const auto mine = at_rank(rank), root_rank = at_rank(meeting.root);
        const auto& shares = meeting.shares;
        const auto ranks = static_cast<std::size_t>(group.size());
        const auto elements = static_cast<std::size_t>(source->kind == Joint::Broadcast ? shares[mine].part : shares[mine].result);
        std::vector<Origin> all;
        const auto share = [&](std::size_t of, std::size_t first, std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) all.emplace_back(of, first + at);
        };
        switch (source->kind) {
            case Joint::Broadcast:
                share(root_rank, 0, static_cast<std::size_t>(shares[root_rank].part));
                break;
            case Joint::Scatter:
                if (static_cast<std::size_t>(shares[root_rank].part) == elements * ranks)
                    share(root_rank, mine * elements, elements);
                break;
            case Joint::Gather:
            case Joint::AllGather:
                for (std::size_t of = 0; of < ranks; ++of) share(of, 0, static_cast<std::size_t>(shares[of].part));
                if (std::ranges::any_of(shares, [&](const auto& one) { return one.part != shares[0].part; })) all.clear();
                break;
            case Joint::AllToAll:
                for (std::size_t of = 0; of < ranks && elements % ranks == 0; ++of)
                    if (shares[of].part == shares[mine].result) share(of, mine * (elements / ranks), elements / ranks);
                break;
            case Joint::ScatterBlocks:
                for (const std::size_t place :
                     block_of(rank, group.size(), shares[root_rank].part_extents, shares[mine].result_extents))
                    all.emplace_back(root_rank, place);
                break;
            case Joint::GatherBlocks:
                all.resize(elements);
                for (std::size_t of = 0; of < ranks; ++of) {
                    const auto places =
                        block_of(static_cast<std::int64_t>(of), group.size(), shares[mine].result_extents, shares[of].part_extents);
                    if (places.empty()) return {};
                    for (std::size_t at = 0; at < places.size(); ++at) all[places[at]] = {of, at};
                }
                break;
            default:
                break;
        }
        return all;
    }

    void put(Machine& machine, Thread& thread, const Group& group, const Meeting& meeting,
             const std::vector<Pointer>& places) const {
        const std::size_t size = code::size_in_bytes(part.type);
        const std::vector<Origin> from = origins(group, meeting, *group.number_of(thread.rank));
        if (from.size() != places.size()) wrong_sizes(machine, thread, group, meeting);
        for (std::size_t at = 0; at < places.size(); ++at) {
            const Meeting::Share& share = meeting.shares[from[at].first];
            machine.note_write(thread, places[at], size, How::Plain, share.written[from[at].second] != 0);
            std::memcpy(places[at].at, share.data.data() + from[at].second * size, size);
        }
    }
    void put_combined(Machine& machine, Thread& thread, const Group& group, const Meeting& meeting,
                      const std::vector<Pointer>& places) const {
        const std::size_t size = code::size_in_bytes(part.type);
        for (const Meeting::Share& share : meeting.shares)
            if (static_cast<std::size_t>(share.part) != places.size()) wrong_sizes(machine, thread, group, meeting);
        for (std::size_t at = 0; at < places.size(); ++at) {
            Cell all = load(meeting.shares[0].data.data() + at * size, part.type.scalar, size), more;
            for (std::size_t rank = 1; rank < meeting.shares.size(); ++rank) {
                more = load(meeting.shares[rank].data.data() + at * size, part.type.scalar, size);
                Cell sum;
                combine(thread, &all, &more, &sum);
                all = sum;
            }
            machine.write(thread, places[at], part.type, &all);
        }
    }
    [[noreturn]] static void wrong_sizes(Machine& machine, const Thread& thread, const Group& group, const Meeting& meeting) {
        std::string sizes;
        for (std::size_t at = 0; at < meeting.shares.size(); ++at)
            sizes += (at == 0 ? "" : ", ") + name_of(group.members[at]) + " " + std::to_string(meeting.shares[at].part) + " and " +
                     std::to_string(meeting.shares[at].result);
        machine.fail_at(thread.at, "I012", "the parts and results of a collective do not fit each other (" + sizes + ")", kSends);
    }

    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        Group& group = among.group(machine, thread, id);
        const std::int64_t mine = *group.number_of(thread.rank), root_rank = root ? root(thread) : 0;
        if (root_rank < 0 || root_rank >= group.size())
            machine.fail_at(id, "I012", "the root is rank " + std::to_string(root_rank) + " of " + std::to_string(group.size()),
                            "name a rank that there is");
        Meeting::Share share;
        const auto extent = [](const std::vector<std::int64_t>& sizes) {
            std::int64_t elements = 1;
            for (const std::int64_t size : sizes) elements *= size;
            return elements;
        };
        if (part.exists()) share.part = extent(share.part_extents = part.sizes(thread));
        if (result.exists()) share.result = extent(share.result_extents = result.sizes(thread));
        if (gives(mine, root_rank)) take(machine, thread, part.places(machine, thread), part.type, share.data, share.written);
        const Meeting& meeting = machine.world->meet(thread, group, *source, root_rank, std::move(share));
        const auto all_here = [&] { return meeting.arrived == group.size(); };
        while (!all_here()) co_await machine.until(thread, all_here);
        thread.at = id;
        if (!gets(mine, root_rank)) co_return;
        const std::vector<Pointer> places = (source->kind == Joint::Broadcast ? part : result).places(machine, thread);
        combine ? put_combined(machine, thread, group, meeting, places) : put(machine, thread, group, meeting, places);
    }
};

}  // namespace

std::unique_ptr<Compound> Planner::message_step(const loop::Statement& statement) {
    const auto planned = [&](const loop::Part& p) {
        PartPlan plan;
        if (!p.address) return plan;
        plan.address = value(p.address);
        plan.type = p.type;
        for (const auto& extent : p.extents) plan.extents.push_back(whole(extent));
        for (const auto& stride : p.strides) plan.strides.push_back(whole(stride));
        return plan;
    };
    const auto ranks = [&](const loop::Ranks& of) {
        RanksPlan plan;
        if (of.all()) return plan;
        plan.first = whole(of.first);
        for (const auto& extent : of.extents) plan.extents.push_back(whole(extent));
        for (const auto& stride : of.strides) plan.strides.push_back(whole(stride));
        return plan;
    };
    if (const auto* n = std::get_if<loop::Message>(&statement.node)) {
        auto plan = std::make_unique<MessageStep>();
        plan->sends = n->sends;
        plan->part = planned(n->part);
        plan->peer = index(n->peer), plan->tag = index(n->tag);
        plan->among = ranks(n->among);
        if (n->request) plan->request = value(n->request);
        return plan;
    }
    if (const auto* n = std::get_if<loop::WaitFor>(&statement.node)) {
        auto plan = std::make_unique<WaitStep>();
        plan->requests = planned(n->requests);
        return plan;
    }
    const auto* n = std::get_if<loop::Collective>(&statement.node);
    if (!n) return nullptr;
    auto plan = std::make_unique<CollectiveStep>();
    plan->source = n;
    plan->part = planned(n->part), plan->result = planned(n->result);
    if (n->root) plan->root = index(n->root);
    plan->among = ranks(n->among);
    if (n->kind == Joint::Reduce || n->kind == Joint::AllReduce) plan->combine = combination(n->op, n->part.type);
    return plan;
}

}  // namespace sluice::interpret::loops
