// A table of values named by typed ids. Ids are positions, handed out in order and never reused: erasing leaves a hole, so
// an id held by somebody else either names the same value as before or names nothing.
//
// The values lie in blocks of a few slots that copies of the table share until one of them writes there: a copy costs a pointer for
// each block, and two versions of a table differ only where their blocks do (for_each_difference). Access through a table that is
// not const counts as writing; who only reads a long table says so (`std::as_const`). A reference stays valid until something is
// added beside it; one taken for writing must not be written through after the table was copied, for the copy shares the block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/check.h"

namespace sluice {

template <class IdType, class T> class Table {
    /// Slots of a block. Few, because an edit copies all of a block that is shared; measured with nodes and edges of SDFGs.
    static constexpr std::uint32_t kBlockBits = 4, kBlockSlots = 1u << kBlockBits;
    using Block = std::vector<std::optional<T>>;

    template <class TableType, class Value> class Iterator {
    public:
        using value_type = std::pair<IdType, Value&>;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(TableType* table, std::uint32_t at, std::uint32_t end) : table_(table), at_(at), end_(end) { skip_holes(); }
        value_type operator*() const { return {IdType(at_), table_->at(at_)}; }
        Iterator& operator++() {
            ++at_;
            skip_holes();
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        void skip_holes() {
            while (at_ < end_ && !table_->slot(at_)) ++at_;
        }
        TableType* table_ = nullptr;
        std::uint32_t at_ = 0, end_ = 0;
    };

public:
    Table() = default;
    Table(const Table&) = default;
    Table& operator=(const Table&) = default;
    Table(Table&& other) noexcept { swap(other); }
    Table& operator=(Table&& other) noexcept {
        Table(std::move(other)).swap(*this);
        return *this;
    }
    ~Table() = default;
    void swap(Table& other) noexcept {
        blocks_.swap(other.blocks_);
        std::swap(slots_, other.slots_);
        std::swap(live_, other.live_);
    }

    IdType add(T value) {
        if (slots_ % kBlockSlots == 0) blocks_.push_back(std::make_shared<Block>());
        own(slots_ >> kBlockBits).emplace_back(std::move(value));
        ++live_;
        return IdType(slots_++);
    }
    void erase(IdType id) {
        check(contains(id), "erase of an id that names nothing: ", id.value);
        own(id.value >> kBlockBits)[id.value % kBlockSlots].reset();
        --live_;
    }

    bool contains(IdType id) const { return id.value < slots_ && slot(id.value).has_value(); }
    T& operator[](IdType id) {
        check(contains(id), "id names nothing: ", id.value);
        return at(id.value);
    }
    const T& operator[](IdType id) const {
        check(contains(id), "id names nothing: ", id.value);
        return at(id.value);
    }

    /// Number of live values.
    std::size_t size() const { return live_; }
    bool empty() const { return live_ == 0; }
    /// One past the largest id ever handed out; the size of an array indexed by id.
    std::size_t id_bound() const { return slots_; }
    void reserve(std::size_t count) { blocks_.reserve((count + kBlockSlots - 1) >> kBlockBits); }

    /// Iteration in id order yields pairs (id, value&): `for (auto [id, node] : state.nodes)`. What is added on the way is not met.
    auto begin() { return Iterator<Table, T>(this, 0, slots_); }
    auto end() { return Iterator<Table, T>(this, slots_, slots_); }
    auto begin() const { return Iterator<const Table, const T>(this, 0, slots_); }
    auto end() const { return Iterator<const Table, const T>(this, slots_, slots_); }

    /// Not defaulted: a table of an incomplete type (Region holds blocks that hold regions) must compile.
    bool operator==(const Table& other) const {
        return slots_ == other.slots_ && live_ == other.live_ &&
               std::equal(blocks_.begin(), blocks_.end(), other.blocks_.begin(),
                          [](const auto& a, const auto& b) { return a == b || *a == *b; });
    }

    /// Calls visit(id, was, is) for the slots in which two versions of a table may differ: pointers to the values, null for none.
    /// Skips what the two share, so the cost is that of the blocks that were written.
    template <class Visit> static void for_each_difference(const Table& before, const Table& after, Visit&& visit) {
        const std::size_t blocks = std::max(before.blocks_.size(), after.blocks_.size());
        for (std::size_t block = 0; block < blocks; ++block) {
            const Block* was = before.block_or_null(block);
            const Block* is = after.block_or_null(block);
            if (was == is) continue;
            const std::size_t slots = std::max(was ? was->size() : 0, is ? is->size() : 0);
            for (std::size_t at = 0; at < slots; ++at) {
                const T* old = was && at < was->size() && (*was)[at] ? &*(*was)[at] : nullptr;
                const T* now = is && at < is->size() && (*is)[at] ? &*(*is)[at] : nullptr;
                if (old || now) visit(IdType(static_cast<std::uint32_t>((block << kBlockBits) + at)), old, now);
            }
        }
    }

private:
    const std::optional<T>& slot(std::uint32_t at) const { return (*blocks_[at >> kBlockBits])[at % kBlockSlots]; }
    const T& at(std::uint32_t at) const { return *slot(at); }
    T& at(std::uint32_t at) { return *own(at >> kBlockBits)[at % kBlockSlots]; }

    /// The block for writing: a copy where another table shares it.
    Block& own(std::uint32_t block) {
        std::shared_ptr<Block>& held = blocks_[block];
        if (held.use_count() > 1) held = std::make_shared<Block>(*held);
        return *held;
    }
    const Block* block_or_null(std::size_t block) const { return block < blocks_.size() ? blocks_[block].get() : nullptr; }

    std::vector<std::shared_ptr<Block>> blocks_;
    std::uint32_t slots_ = 0;
    std::size_t live_ = 0;
};

}  // namespace sluice
