// A map that keeps insertion order: declarations print in the order in which they were written. Lookup is by hash.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/check.h"

namespace sluice {

template <class Value> class OrderedMap {
public:
    OrderedMap() = default;
    OrderedMap(std::initializer_list<std::pair<std::string, Value>> entries) {
        for (const auto& [key, value] : entries) set(key, value);
    }

    Value* find(std::string_view key) {
        const auto at = index_.find(std::string(key));
        return at == index_.end() ? nullptr : &entries_[at->second].second;
    }
    const Value* find(std::string_view key) const { return const_cast<OrderedMap*>(this)->find(key); }
    bool contains(std::string_view key) const { return find(key) != nullptr; }
    const Value& at(std::string_view key) const {
        const Value* value = find(key);
        check(value != nullptr, "no entry named ", key);
        return *value;
    }
    Value& at(std::string_view key) { return const_cast<Value&>(std::as_const(*this).at(key)); }

    /// Inserts at the end, or replaces in place.
    Value& set(std::string key, Value value) {
        if (Value* present = find(key)) return *present = std::move(value);
        index_.emplace(key, entries_.size());
        return entries_.emplace_back(std::move(key), std::move(value)).second;
    }
    void erase(std::string_view key) {
        const auto at = index_.find(std::string(key));
        if (at == index_.end()) return;
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at->second));
        index_.clear();
        for (std::size_t i = 0; i < entries_.size(); ++i) index_.emplace(entries_[i].first, i);
    }

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    auto begin() { return entries_.begin(); }
    auto end() { return entries_.end(); }
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }
    bool operator==(const OrderedMap& other) const { return entries_ == other.entries_; }

private:
    std::vector<std::pair<std::string, Value>> entries_;
    std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace sluice
