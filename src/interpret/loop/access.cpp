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
    if (!flights_.empty()) meet_flights(thread, at, bytes, false);
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
        for (Access& other : history.readers) {
            if (unordered(other)) continue;
            other = {strand, thread.at, how == How::Atomic};
            break;
        }
    }
}

void Machine::note_write(const Thread& thread, const Pointer& at, std::size_t bytes, How how, bool makes_written) {
    if (!at.memory || bytes == 0 || thread.unwatched) return;
    if (!flights_.empty()) meet_flights(thread, at, bytes, true);
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
        for (Access& other : history.writers) {
            if (unordered(other)) continue;
            other = {strand, thread.at, how == How::Atomic};
            break;
        }
    }
}

void Machine::race(const Thread& thread, const Access& other, const Allocation& memory, std::size_t unit, bool other_writes,
                   bool writes) {
    const auto pair = std::minmax(thread.at, other.statement);
    if (!reported_.emplace(pair.first, pair.second).second) return;
    const std::string deed = writes && other_writes ? "written by two threads" : "read and written by two threads";
    Diagnostic found = diagnostic(
        thread.at, "I004",
        "element " + std::to_string(unit) + " of `" + memory.name + "` is " + deed + " between which nothing orders the accesses",
        "put a barrier between, make the updates atomic, or give each thread memory of its own");
    const Diagnostic before = diagnostic(other.statement, "I004", {}, {});
    found.notes.push_back({"the other access, in " + before.path + ": " + text_of(other.statement), before.where});
    report_.findings.push_back(std::move(found));
}

// ---- copies on queues ----
void Machine::begin_copy(const Thread& thread, const std::string& event, const Pointer& to, const Pointer& from,
                         std::size_t bytes) {
    check_bounds(thread, to, bytes, "the destination");
    check_bounds(thread, from, bytes, "the source");
    meet_flights(thread, to, bytes, true);
    meet_flights(thread, from, bytes, false);
    for (const Flight& other : flights_)
        if (other.event == event && other.rank == thread.rank)
            fail_at(thread.at, "I004", "two copies under way have the event `" + event + "`", "give each copy an event of its own");
    flights_.push_back({event, thread.rank, to, from, bytes, thread.at});
}

void Machine::await(Thread& thread, const std::string& event) {
    const auto found =
        std::ranges::find_if(flights_, [&](const Flight& one) { return one.event == event && one.rank == thread.rank; });
    if (found == flights_.end()) return;
    const Flight flight = *found;
    flights_.erase(found);
    const StatementId at = std::exchange(thread.at, flight.at);
    copy(thread, flight.to, flight.from, flight.bytes);
    thread.at = at;
}

void Machine::meet_flights(const Thread& thread, const Pointer& at, std::size_t bytes, bool writes) {
    const auto meets = [&](const Pointer& place, std::size_t length) {
        return at.memory && at.at < place.at + length && place.at < at.at + bytes;
    };
    for (const Flight& flight : flights_) {
        const bool touches = meets(flight.to, flight.bytes);
        if (!touches && !(writes && meets(flight.from, flight.bytes))) continue;
        if (!reported_.emplace(flight.at, thread.at).second) continue;
        Diagnostic found = diagnostic(thread.at, "I004",
                                      "`" + at.memory->name + "` is " + (touches ? "used" : "changed") + " before the copy " +
                                          (touches ? "to" : "from") + " it has ended",
                                      "wait for the event `" + flight.event + "` first");
        const Diagnostic before = diagnostic(flight.at, "I004", {}, {});
        found.notes.push_back({"the copy, in " + before.path + ": " + text_of(flight.at), before.where});
        report_.findings.push_back(std::move(found));
    }
}

void Machine::report_flights() {
    for (const Flight& flight : flights_)
        finding(diagnostic(flight.at, "I004", "nobody waits for the copy with the event `" + flight.event + "`",
                           "wait for it before what it touches is used or given back"));
}

void Machine::unwritten(const Thread& thread, const Allocation& memory, std::size_t unit) {
    if (!reported_.emplace(thread.at, thread.at | 0x80000000u).second) return;
    report_.findings.push_back(diagnostic(thread.at, "I003",
                                          "element " + std::to_string(unit) + " of `" + memory.name + "` is read that nobody wrote",
                                          "write it first, or allocate the buffer with zeros"));
}

}  // namespace sluice::interpret::loops
