// A table of values named by typed ids. Ids are positions, handed out in order and never reused: erasing leaves a hole, so
// an id held by somebody else either names the same value as before or names nothing. Copying a table copies its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "support/check.h"

namespace sluice {

template <class IdType, class T> class Table {
    template <class TableType, class Value> class Iterator {
    public:
        using value_type = std::pair<IdType, Value&>;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(TableType* table, std::uint32_t at) : table_(table), at_(at) { skip_holes(); }
        value_type operator*() const { return {IdType(at_), *table_->slots_[at_]}; }
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
            while (at_ < table_->slots_.size() && !table_->slots_[at_]) ++at_;
        }
        TableType* table_ = nullptr;
        std::uint32_t at_ = 0;
    };

public:
    IdType add(T value) {
        slots_.emplace_back(std::move(value));
        ++live_;
        return IdType(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    void erase(IdType id) {
        check(contains(id), "erase of an id that names nothing: ", id.value);
        slots_[id.value].reset();
        --live_;
    }

    bool contains(IdType id) const { return id.value < slots_.size() && slots_[id.value].has_value(); }
    T& operator[](IdType id) {
        check(contains(id), "id names nothing: ", id.value);
        return *slots_[id.value];
    }
    const T& operator[](IdType id) const {
        check(contains(id), "id names nothing: ", id.value);
        return *slots_[id.value];
    }

    /// Number of live values.
    std::size_t size() const { return live_; }
    bool empty() const { return live_ == 0; }
    /// One past the largest id ever handed out; the size of an array indexed by id.
    std::size_t id_bound() const { return slots_.size(); }
    void reserve(std::size_t count) { slots_.reserve(count); }

    /// Iteration in id order yields pairs (id, value&): `for (auto [id, node] : state.nodes)`.
    auto begin() { return Iterator<Table, T>(this, 0); }
    auto end() { return Iterator<Table, T>(this, static_cast<std::uint32_t>(slots_.size())); }
    auto begin() const { return Iterator<const Table, const T>(this, 0); }
    auto end() const { return Iterator<const Table, const T>(this, static_cast<std::uint32_t>(slots_.size())); }

    /// Not defaulted: a table of an incomplete type (Region holds blocks that hold regions) must compile.
    bool operator==(const Table& other) const { return slots_ == other.slots_; }

private:
    std::vector<std::optional<T>> slots_;
    std::size_t live_ = 0;
};

}  // namespace sluice
