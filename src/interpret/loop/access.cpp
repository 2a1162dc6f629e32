// Reads and writes of memory: bounds, elements that nobody wrote, races.
#include <algorithm>
#include <cstring>

#include "interpret/loop/machine.h"

namespace sluice::interpret::loops {

using code::CompoundKind;
using loop::DType;

namespace {

bool is_kind(const DType& type, CompoundKind kind) {
    return type.compound && type.compound->kind == kind;
}

/// What two threads may touch at the same time without meeting.
std::size_t unit_of(const DType& type) {
    if (type.compound) return is_kind(type, CompoundKind::Pointer) ? 8 : 1;
    const std::size_t size = std::max<std::size_t>(code::size_in_bytes(DType(type.scalar)), 1);
    return code::is_complex(type.scalar) ? size / 2 : size;
}

std::string plural(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

Allocation& Machine::allocate(Slot& slot, const std::string& name, const DType& type, std::int64_t elements, bool zero,
                              bool watched) {
    const std::size_t size = code::size_in_bytes(type);
    if (elements < 0 || static_cast<std::uint64_t>(elements) > (std::uint64_t{1} << 46) / std::max<std::size_t>(size, 1))
        fail({"I009", "`" + name + "` has " + plural(elements, "element"), {}, {}, "use sizes that memory has room for", {}});
    const std::size_t bytes = static_cast<std::size_t>(elements) * size;
    if (slot.own && !flights_.empty()) given_back_.push_back(std::move(slot.own));
    if (slot.own && slot.own->bytes == bytes && slot.pointer.memory == slot.own.get()) {
        slot.own->renew(zero);
        return *slot.own;
    }
    auto memory = std::make_unique<Allocation>();
    memory->name = name;
    memory->bytes = bytes;
    memory->unit = unit_of(type);
    memory->owned = Pages(bytes);
    memory->data = memory->owned.data();
    memory->watches_writes = watched && options_.detect_uninitialised;
    memory->watches_races = watched && options_.detect_races;
    if (memory->watches_writes) memory->written = Pages(memory->units());
    if (memory->watches_races) memory->histories = Pages(memory->units() * sizeof(History));
    if (zero && memory->watches_writes) std::memset(memory->written.data(), 1, memory->units());
    addresses_.add(*memory);
    slot.own = std::move(memory);
    slot.pointer = {slot.own->data, slot.own.get()};
    return *slot.own;
}

void Machine::adopt(Slot& slot, const std::string& name, const DType& type, const Region& region) {
    auto memory = std::make_unique<Allocation>();
    memory->name = name;
    memory->bytes = region.bytes;
    memory->unit = unit_of(type);
    memory->data = region.data;
    memory->watches_races = options_.detect_races;
    if (memory->watches_races) memory->histories = Pages(memory->units() * sizeof(History));
    addresses_.add(*memory);
    slot.own = std::move(memory);
    slot.pointer = {slot.own->data, slot.own.get()};
}

std::int64_t& Machine::integer(Thread& thread, std::uint32_t slot) {
    Slot& own = thread.frame->declare(slot);
    if (!own.own) allocate(own, {}, code::Scalar::Int64, 1, true, false);
    return *reinterpret_cast<std::int64_t*>(own.pointer.at);
}

void Machine::check_bounds(const Thread& thread, const Pointer& at, std::size_t bytes, const std::string& name) {
    if (!at.at) fail_at(thread.at, "I001", "`" + name + "` points nowhere", "give it memory before its elements are used");
    if (!at.memory) return;
    const std::byte *begin = at.memory->data, *end = begin + at.memory->bytes;
    if (at.at >= begin && at.at + bytes <= end) return;
    fail_at(thread.at, "I001",
            "`" + name + "` is used " +
                (at.at < begin ? plural(begin - at.at, "byte") + " before" : plural(at.at - end, "byte") + " behind") + " `" +
                at.memory->name + "`, which has " + plural(static_cast<std::int64_t>(at.memory->bytes), "byte"),
            "keep the index within the buffer");
}

Pointer Machine::element(const Thread& thread, const Slot* slot, const std::string& name, std::int64_t index, std::size_t step,
                         std::size_t bytes) {
    Pointer at = slot->pointer;
    if (at.at) at.at += index * static_cast<std::int64_t>(step);
    check_bounds(thread, at, bytes, name);
    return at;
}

Machine::Queue& Machine::queue(const Thread& thread, std::uint32_t slot, std::int64_t index) {
    Queues& streams = *thread.frame->slots[slot]->queues;
    if (index < 0 || static_cast<std::size_t>(index) >= streams.queues.size())
        fail_at(thread.at, "I001",
                "stream " + std::to_string(index) + " of `" + streams.name + "` is used, which has " +
                    plural(static_cast<std::int64_t>(streams.queues.size()), "stream"),
                "keep the index within the array of streams");
    return streams.queues[static_cast<std::size_t>(index)];
}

void Machine::read(const Thread& thread, const Pointer& from, const DType& type, Cell* into, How how, bool checks_written) {
    if (is_kind(type, CompoundKind::Struct)) return into->set(from);
    const std::size_t bytes = code::size_in_bytes(type);
    note_read(thread, from, bytes, how, checks_written);
    if (type.compound) {
        std::byte* address = nullptr;
        std::memcpy(&address, from.at, sizeof address);
        return into->set(address ? addresses_.find(address) : Pointer{});
    }
    const std::size_t lane = bytes / type.lanes;
    for (std::uint32_t at = 0; at < type.lanes; ++at) into[at] = load(from.at + at * lane, type.scalar, lane);
}

void Machine::write(const Thread& thread, const Pointer& to, const DType& type, const Cell* value, How how) {
    const std::size_t bytes = code::size_in_bytes(type);
    if (is_kind(type, CompoundKind::Struct)) return copy(thread, to, value->as<Pointer>(), bytes);
    note_write(thread, to, bytes, how);
    if (type.compound) {
        const std::byte* address = value->as<Pointer>().at;
        std::memcpy(to.at, &address, sizeof address);
        return;
    }
    const std::size_t lane = bytes / type.lanes;
    for (std::uint32_t at = 0; at < type.lanes; ++at) std::memcpy(to.at + at * lane, value[at].bytes.data(), lane);
}

// What nobody wrote stays so where it is copied to.
void Machine::copy(const Thread& thread, const Pointer& to, const Pointer& from, std::size_t bytes) {
    if (bytes == 0) return;
    check_bounds(thread, to, bytes, "the destination");
    check_bounds(thread, from, bytes, "the source");
    note_read(thread, from, bytes, How::Plain, false);
    note_write(thread, to, bytes, How::Plain);
    std::memmove(to.at, from.at, bytes);
    if (!to.memory || !from.memory || !to.memory->watches_writes || !from.memory->watches_writes) return;
    const auto source = static_cast<std::size_t>(from.at - from.memory->data);
    const auto target = static_cast<std::size_t>(to.at - to.memory->data);
    for (std::size_t byte = 0; byte < bytes; byte += to.memory->unit)
        *to.memory->written_at((target + byte) / to.memory->unit) = *from.memory->written_at((source + byte) / from.memory->unit);
}

void Machine::note_read(const Thread& thread, const Pointer& at, std::size_t bytes, How how, bool checks_written) {
    if (!at.memory || bytes == 0 || thread.unwatched) return;
    Allocation& memory = *at.memory;
    const Strands::Id strand = memory.owner != 0 && memory.owner == thread.serial ? thread.phase : thread.strand;
    const auto offset = static_cast<std::size_t>(at.at - memory.data);
    for (std::size_t unit = offset / memory.unit; unit <= (offset + bytes - 1) / memory.unit; ++unit) {
        if (memory.watches_writes && checks_written && !*memory.written_at(unit)) unwritten(thread, memory, unit);
        if (!memory.watches_races) continue;
        History& history = memory.history(unit);
        const auto unordered = [&](const Access& other) {
            return other.strand != strand && strands_.remembers(other.strand) && strands_.unordered(other.strand, strand);
        };
        for (const Access& other : history.writers)
            if (unordered(other) && !(other.atomic && how == How::Atomic)) race(thread, other, memory, unit, true, false);
        if (!further_.empty()) meet_further(thread, strand, memory, unit, how, false);
        remember({strand, thread.at, how == How::Atomic}, history.readers, memory, unit, false);
    }
}

void Machine::note_write(const Thread& thread, const Pointer& at, std::size_t bytes, How how, bool makes_written) {
    if (!at.memory || bytes == 0 || thread.unwatched) return;
    Allocation& memory = *at.memory;
    const Strands::Id strand = memory.owner != 0 && memory.owner == thread.serial ? thread.phase : thread.strand;
    const auto offset = static_cast<std::size_t>(at.at - memory.data);
    for (std::size_t unit = offset / memory.unit; unit <= (offset + bytes - 1) / memory.unit; ++unit) {
        if (memory.watches_writes && makes_written) *memory.written_at(unit) = 1;
        if (!memory.watches_races) continue;
        History& history = memory.history(unit);
        const auto unordered = [&](const Access& other) {
            return other.strand != strand && strands_.remembers(other.strand) && strands_.unordered(other.strand, strand);
        };
        const auto meets = [&](const Access& other) { return unordered(other) && !(other.atomic && how == How::Atomic); };
        for (const Access& other : history.writers)
            if (meets(other)) race(thread, other, memory, unit, true, true);
        for (const Access& other : history.readers)
            if (meets(other)) race(thread, other, memory, unit, false, true);
        if (!further_.empty()) meet_further(thread, strand, memory, unit, how, true);
        remember({strand, thread.at, how == How::Atomic}, history.writers, memory, unit, true);
    }
}

void Machine::race(const Thread& thread, const Access& other, const Allocation& memory, std::size_t unit, bool other_writes,
                   bool writes) {
    const auto pair = std::minmax(thread.at, other.statement);
    if (!reported_.emplace(pair.first, pair.second).second) return;
    if (race_of_flight(thread, other, memory, other_writes, writes)) return;
    const std::string deed = writes && other_writes ? "written by two threads" : "read and written by two threads";
    Diagnostic found = diagnostic(
        thread.at, "I004",
        "element " + std::to_string(unit) + " of `" + memory.name + "` is " + deed + " between which nothing orders the accesses",
        "put a barrier between, make the updates atomic, or give each thread memory of its own");
    const Diagnostic before = diagnostic(other.statement, "I004", {}, {});
    found.notes.push_back({"the other access, in " + before.path + ": " + text_of(other.statement), before.where});
    report_.findings.push_back(std::move(found));
}

// In place of one that comes before it.
void Machine::remember(const Access& access, std::array<Access, 2>& of_kind, const Allocation& memory, std::size_t unit,
                       bool writes) {
    for (Access& other : of_kind) {
        const bool unordered =
            other.strand != access.strand && strands_.remembers(other.strand) && strands_.unordered(other.strand, access.strand);
        if (unordered) continue;
        other = access;
        return;
    }
    if (!flights_.empty()) further_[{&memory, unit}].emplace_back(access, writes);
}

void Machine::meet_further(const Thread& thread, Strands::Id strand, const Allocation& memory, std::size_t unit, How how,
                           bool writes) {
    const auto found = further_.find({&memory, unit});
    if (found == further_.end()) return;
    for (const auto& [other, other_writes] : found->second) {
        if (!(writes || other_writes) || (other.atomic && how == How::Atomic)) continue;
        if (other.strand != strand && strands_.remembers(other.strand) && strands_.unordered(other.strand, strand))
            race(thread, other, memory, unit, other_writes, writes);
    }
}

// A launch or copy on a queue of its own meets what comes before somebody has waited for it.
bool Machine::race_of_flight(const Thread& thread, const Access& other, const Allocation& memory, bool other_writes, bool writes) {
    const Strands::Id mine = strands_.concurrent(thread.strand), theirs = strands_.concurrent(other.strand);
    if (mine == theirs) return false;
    const auto flight = [&](Strands::Id id) -> const Flight* {
        for (const auto* all : {&flights_, &over_})
            for (const auto& one : *all)
                if (id != 0 && one->thread.strand == id) return one.get();
        return nullptr;
    };
    // Of two, the later one came too early.
    const bool blames_this = !flight(theirs) || (flight(mine) && mine < theirs);
    const Flight* const early = flight(blames_this ? mine : theirs);
    if (!early) return false;
    const StatementId at = blames_this ? other.statement : thread.at, held = blames_this ? thread.at : other.statement;
    const bool held_writes = blames_this ? writes : other_writes;  // If not, the other one does.
    const std::string of_launch = held_writes ? " that writes it" : " that reads it", of_copy = held_writes ? " to it" : " from it";
    Diagnostic found = diagnostic(at, "I004",
                                  "`" + memory.name + "` is " + (held_writes ? "used" : "changed") + " before " + early->what() +
                                      (early->launch ? of_launch : of_copy) + " has ended",
                                  "wait for the event `" + early->queued->event + "` first");
    const Diagnostic before = diagnostic(held, "I004", {}, {});
    found.notes.push_back({early->what() + ", in " + before.path + ": " + text_of(held), before.where});
    report_.findings.push_back(std::move(found));
    return true;
}

void Machine::unwritten(const Thread& thread, const Allocation& memory, std::size_t unit) {
    if (!reported_.emplace(thread.at, thread.at | 0x80000000u).second) return;
    report_.findings.push_back(diagnostic(thread.at, "I003",
                                          "element " + std::to_string(unit) + " of `" + memory.name + "` is read that nobody wrote",
                                          "write it first, or allocate the buffer with zeros"));
}

}  // namespace sluice::interpret::loops
