// A map that keeps insertion order: declarations print in the order in which they were written. Lookup is by hash. Copies share the
// entries until one of them writes; access through a map that is not const counts as writing.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/check.h"

namespace sluice {

template <class Value> class OrderedMap {
    struct Contents {
        std::vector<std::pair<std::string, Value>> entries;
        std::unordered_map<std::string, std::size_t> index;
    };

public:
    OrderedMap() = default;
    OrderedMap(std::initializer_list<std::pair<std::string, Value>> entries) {
        for (const auto& [key, value] : entries) set(key, value);
    }

    const Value* find(std::string_view key) const {
        const std::size_t at = position(key);
        return at == kNone ? nullptr : &contents_->entries[at].second;
    }
    Value* find(std::string_view key) {
        const std::size_t at = position(key);
        return at == kNone ? nullptr : &own().entries[at].second;
    }
    bool contains(std::string_view key) const { return position(key) != kNone; }
    const Value& at(std::string_view key) const {
        const Value* value = find(key);
        check(value != nullptr, "no entry named ", key);
        return *value;
    }
    Value& at(std::string_view key) {
        Value* value = find(key);
        check(value != nullptr, "no entry named ", key);
        return *value;
    }

    /// Inserts at the end, or replaces in place.
    Value& set(std::string key, Value value) {
        if (Value* present = find(key)) return *present = std::move(value);
        Contents& contents = own();
        contents.index.emplace(key, contents.entries.size());
        return contents.entries.emplace_back(std::move(key), std::move(value)).second;
    }
    void erase(std::string_view key) {
        const std::size_t at = position(key);
        if (at == kNone) return;
        Contents& contents = own();
        contents.entries.erase(contents.entries.begin() + static_cast<std::ptrdiff_t>(at));
        contents.index.clear();
        for (std::size_t i = 0; i < contents.entries.size(); ++i) contents.index.emplace(contents.entries[i].first, i);
    }

    std::size_t size() const { return entries().size(); }
    bool empty() const { return entries().empty(); }
    auto begin() { return own().entries.begin(); }
    auto end() { return own().entries.end(); }
    auto begin() const { return entries().begin(); }
    auto end() const { return entries().end(); }
    bool operator==(const OrderedMap& other) const { return contents_ == other.contents_ || entries() == other.entries(); }
    /// Do both hold the same entries for certain, because neither was written since one was copied from the other?
    bool shares(const OrderedMap& other) const { return contents_ == other.contents_; }

private:
    using Entries = std::vector<std::pair<std::string, Value>>;
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t position(std::string_view key) const {
        if (!contents_) return kNone;
        const auto at = contents_->index.find(std::string(key));
        return at == contents_->index.end() ? kNone : at->second;
    }
    const Entries& entries() const {
        static const Entries kEmpty;
        return contents_ ? contents_->entries : kEmpty;
    }
    Contents& own() {
        if (!contents_)
            contents_ = std::make_shared<Contents>();
        else if (contents_.use_count() > 1)
            contents_ = std::make_shared<Contents>(*contents_);
        return *contents_;
    }

    std::shared_ptr<Contents> contents_;
};

}  // namespace sluice
