// Indices that only the run knows, compared with their sizes where that costs next to nothing: bounds.cpp says where.
#pragma once

#include <optional>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Bounds {
public:
    explicit Bounds(Translator& translator) : t_(translator) {}
    /// F007 for an index that surely lies outside, also in some iteration only.
    void refuse_outside(const Expr& at, const Expr& size, std::size_t axis, const Span& span);
    /// Whether an index here is compared at once, in front of the statement that reads or writes it.
    bool at_once() const;
    /// An index that every iteration of the loops around reaches: what their first and last iterations make of it is compared in
    /// front of them.
    void note(const Expr& at, const Expr& size, std::size_t axis, const Span& span);
    void note(const Value& at, const Expr& size, std::size_t axis, const Span& span);
    /// Behind the translation of a loop, in front of its block: the indices of its iterations are compared, or handed to the loop
    /// around. `sure`: each iteration of that one reaches the loop.
    void in_front(const LoopFrame& frame, const symbolic::Range& range, bool sure);

private:
    std::optional<Expr> outside_in_loops(const Expr& at, const Expr& size, std::size_t loop, symbolic::Substitution& values) const;
    std::optional<Expr> of_numbers(const Value& value, std::map<std::string, std::string>& numbers) const;
    bool without(const std::set<std::string>& moved, IndexInLoop& index) const;
    void in_front(const IndexInLoop& index, const std::string& variable, const symbolic::Range& range, bool sure);
    void leave(IndexInLoop index, bool sure);
    void require(const IndexInLoop& in_loop);

    Translator& t_;
};

}  // namespace sluice::frontend
