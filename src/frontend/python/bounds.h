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
    /// or branch around. What neither can do is returned: expressions that are true, or raise.
    std::vector<code::ExprPtr> in_front(const LoopFrame& frame, const symbolic::Range& range);
    /// Translates the branch that is taken if the condition holds, or does not; returns such expressions for what its condition has
    /// to compare.
    std::vector<code::ExprPtr> in_branch(const code::Body& body, const std::string& condition, bool holds);
    static std::string text_of(const std::vector<code::ExprPtr>& inside);

    /// Where an index lies that only the run knows: code that raises where that is outside. For iterations, in place of at_once().
    code::ExprPtr place_of(const Value& at, const Expr& size, std::size_t axis, const Span& span) const;
    /// Where all of the indices are; `axis` is for the error.
    static Value inside(const Value& at, const Expr& size, const code::ExprPtr& axis, const Span& span);
    Value placed(const Value& at, const Expr& size, std::size_t axis, const Span& span) const;
    /// The same as a symbol, of which views begin.
    Expr symbol_of_place(const Value& at, const Expr& size, std::size_t axis, const Span& span) const;
    /// Whether an index of symbols has to be such code, because nothing in front of its loops can compare it.
    bool only_in_place(const Expr& at, const Expr& size, const Span& span) const;

private:
    bool compares_in_place(const Value& at, const Expr& size) const;
    bool surely_inside(const Value& at, const Expr& size) const;
    std::optional<Expr> outside_in_loops(const Expr& at, const Expr& size, std::size_t loop, symbolic::Substitution& values) const;
    std::optional<Expr> of_numbers(const Value& value, std::map<std::string, std::string>& numbers) const;
    bool without(const std::set<std::string>& moved, IndexInLoop& index) const;
    void in_front(const IndexInLoop& index, const std::string& variable, const symbolic::Range& range,
                  std::vector<code::ExprPtr>& inside);
    void leave(IndexInLoop index, std::vector<code::ExprPtr>& inside);
    void add(const IndexInLoop& index, std::vector<code::ExprPtr>& inside);
    code::ExprPtr compared(const IndexInLoop& index);
    void place(const IndexInLoop& index);
    bool is_placed(const Span& span) const;
    void require(const IndexInLoop& in_loop);

    Translator& t_;
};

}  // namespace sluice::frontend
