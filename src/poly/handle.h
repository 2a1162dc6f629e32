// Ownership of isl objects as values. A copy shares (isl counts references), the last one frees.
// A Handle that holds nothing stands for "not known": the budget ended, or an operand was not known.
#pragma once

#include <string>
#include <utility>

// isl's own types; its headers stay inside the room.
struct isl_ctx;
struct isl_set;
struct isl_map;
struct isl_union_set;
struct isl_union_map;
struct isl_pw_aff;
struct isl_schedule;

namespace sluice::poly {

enum class Answer { No, Yes, Unknown };

template <class Raw> class Handle {
public:
    Handle() = default;
    /// Takes over the reference; null: not known.
    explicit Handle(Raw* owned) : raw_(owned) {}
    Handle(const Handle& other) : raw_(other.copy()) {}
    Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
    Handle& operator=(Handle other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~Handle();

    bool known() const { return raw_ != nullptr; }
    /// For the room itself: borrowed, and as a reference of its own.
    Raw* get() const { return raw_; }
    Raw* copy() const;

private:
    Raw* raw_ = nullptr;
};

/// The context of this thread.
isl_ctx* context();

}  // namespace sluice::poly
