// Memory of a run of loop IR, and what the detectors remember of it. Every access names an allocation, so that bounds hold for
// aliases and for addresses that structures hold.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpret/shadow.h"

namespace sluice::interpret::loops {

using StatementId = std::uint32_t;

/// Pages that take memory when they are touched, zero at first.
class Pages {
public:
    /// Fails with I009.
    explicit Pages(std::size_t bytes = 0);
    Pages(const Pages&) = delete;
    Pages& operator=(Pages&&) noexcept;
    ~Pages();
    std::byte* data() const { return data_; }
    void clear();

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
    bool mapped_ = false;
};

/// One access of an element.
struct Access {
    Strands::Id strand = 0;
    StatementId statement = 0;
    bool atomic = false;
};
/// Of each element two accesses of a kind that no order relates are remembered: whoever comes third is unordered with one of them.
struct History {
    std::array<Access, 2> readers, writers;
};

class AddressMap;

struct Allocation {
    Allocation() = default;
    Allocation(const Allocation&) = delete;
    ~Allocation();

    std::string name;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::size_t unit = 1;  ///< Bytes of what the detectors tell apart.
    Pages owned, written, histories;
    bool watches_writes = false, watches_races = false;
    std::uint32_t owner = 0;  ///< The serial of the team's thread whose own it is; 0: none's.
    AddressMap* found_in = nullptr;

    std::uint8_t* written_at(std::size_t unit_number) const {
        return reinterpret_cast<std::uint8_t*>(written.data()) + unit_number;
    }
    History& history(std::size_t unit_number) const { return reinterpret_cast<History*>(histories.data())[unit_number]; }
    std::size_t units() const { return (bytes + unit - 1) / unit; }
    /// As if it were allocated anew.
    void renew(bool zero);
};

/// An address with the memory that it was taken from; the size of a register.
struct Pointer {
    std::byte* at = nullptr;
    Allocation* memory = nullptr;  ///< Null: nobody knows how far it reaches.
};

struct Queues {
    std::string name;
    std::size_t element = 1;
    std::int64_t capacity = 0;  ///< 0: unbounded.
    std::vector<std::deque<std::vector<std::byte>>> queues;
};

/// Finds the allocation of an address that memory holds.
class AddressMap {
public:
    void add(Allocation& memory) {
        if (memory.bytes == 0) return;
        all_[memory.data] = &memory;
        memory.found_in = this;
    }
    void remove(const Allocation& memory) {
        const auto at = all_.find(memory.data);
        if (at != all_.end() && at->second == &memory) all_.erase(at);
    }
    Pointer find(std::byte* at) const;

private:
    std::map<const std::byte*, Allocation*> all_;
};

}  // namespace sluice::interpret::loops
