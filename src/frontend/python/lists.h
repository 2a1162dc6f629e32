// Lists that grow while the program runs: lists.cpp says what they are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

/// Methods of lists that stand for queues (queues.h).
inline constexpr const char* kPopFirst = "<popleft>";
inline constexpr const char* kPopLast = "<popright>";

class Lists {
public:
    explicit Lists(Translator& translator) : t_(translator) {}
    /// `name = [...]`, where the function changes the list; false for anything else.
    bool create(const std::string& name, const code::ExprPtr& e);
    /// A list that is known so far changes in a way that only the run knows: the translation starts again. Returns if it is none.
    void leave_to_the_run(std::size_t object);
    /// The list that `xs` or `xs[i]` means; nullopt for anything else.
    std::optional<Value> named(const code::ExprPtr& e);
    /// `x.append(value)`, `x.extend((a, b))`, `x.insert(i, value)`, `x.pop(i)`, `x.remove(value)`, `x.index(value)`,
    /// `x.count(value)`, `x.sort()`, `x.reverse()`, `x.copy()`, `x.clear()`; refuses others.
    std::optional<Value> method(const Value& list, const std::string& name, const code::CallExpr& node, const Span& span);
    /// `x += [a, b]`
    void extend(const Value& list, const code::ExprPtr& more, const Span& span);
    /// `x[i] = value`; else false, and nothing has happened.
    bool assign(const code::ExprPtr& target, const std::function<Value()>& value);
    /// `x[i], x[j] = x[j], x[i]`; what of it is stored in the other place.
    static bool exchanges(const std::vector<code::ExprPtr>& targets, const std::vector<code::ExprPtr>& values);
    Value exchanged(const Value& element);
    /// `x[i] += value`, likewise.
    bool update(const code::AugAssignStmt& statement, const Span& span);
    /// Whether anything changes the arrays or lists of these names in place from here on, as far as anybody can tell.
    bool may_change_in_place(const std::set<std::string>& names, const Span& span) const;
    /// A comprehension whose length the run decides. `kind` and place make its name.
    Value comprehension(const code::ComprehensionExpr& n, const Span& span, const std::string& kind = "__list");
    /// `x[a:b:c]`, a new list.
    Value part(const Value& list, const code::ExprPtr& slice, const Span& span);
    /// `x == y`
    Value equal(const Value& left, const Value& right, const Span& span);
    /// `x + y`, a new list; the elements of one of them may be known. `place`: of the right operand.
    Value sum(const Value& left, const Value& right, const Span& place);
    /// `a.tolist()` of a vector or matrix.
    Value of_array(const Value& array, const Span& span);
    /// In Python's order, or backwards as it stands.
    void arrange(const Value& list, bool sorts, const Span& span);
    /// `list(zip(xs, ys))`
    Value listed(const code::ExprPtr& iterable, const Span& span);
    /// The place of the first equal element, or the length. `must`: KeyError where there is none.
    Value find(const Value& list, const Value& wanted, bool must, const Span& span);
    /// `xs.sort(key=..., reverse=...)`
    void sort(const Value& list, const code::ExprPtr& key, bool backwards, const Span& span);
    /// Python's sorted, and its min and max with a key.
    Value sorted(const code::ExprPtr& iterable, const code::ExprPtr& key, bool backwards, const Span& span);
    Value extreme(const code::ExprPtr& iterable, const code::ExprPtr& key, bool largest, const Span& span);
    /// `[a, b] * n`
    Value repeated(const Value& list, const symbolic::Expr& times, const Span& span);
    /// The array that NumPy makes of the list. `typed`: of a type that is given.
    Value array(const Value& list, bool typed, const Span& span);
    /// The array of a column's elements, of which Python's caller makes the list again.
    Value returned(const Value& list, std::size_t column, const Span& span);
    /// From the next attempt on, the list keeps the type of each element. False: it does, or no such list can.
    bool tell_types(const std::string& id, std::size_t column);
    /// The same for all whose elements are integers and floats of Python's.
    bool tell_open_types();
    /// The type_codes of the column's elements; nullopt where it has none.
    std::optional<Value> element_type_codes(const Value& list, std::size_t column = 0);
    /// The types of the elements, for a number that is one of them.
    void add_types(Value& number, const Value& list) const;
    /// What the sum of the list is to Python.
    void tell_sum(Value& sum, const Value& list, const Span& span);
    /// The same of floats alone, of which none make Python's 0.
    void tell_sum_of_none(Value& sum, const Expr& length, const Span& span);
    /// Refuses to return values together of which Python has a list or array in two places, and lists of the caller's rows.
    void require_apart(const std::vector<Value>& together, const Span& span) const;
    /// `np.stack` and `np.concatenate` of a list of arrays.
    Value stacked(const Value& list, std::int64_t axis, const Span& span);
    Value concatenated(const Value& list, std::int64_t axis, const Span& span);
    /// The same where it is an index; without elements it is one as well.
    Value indices(const Value& list, const Span& span);
    /// `x[i]`
    Value element(const Value& list, const code::ExprPtr& index, const Span& span);
    /// At the beginning of an iteration: lists that an earlier one made.
    void note_carried();
    /// A loop over a list that its body lengthens or shortens; false for others.
    bool translate_over_growing(const code::Stmt& shared, const code::ForStmt& loop);
    /// How often the loop at this place ran; nullopt: nobody knows.
    void note_turns(const Span& loop, const std::optional<Expr>& iterations);
    /// A list that is read as a whole.
    void require_known(const Value& value, const Span& span);
    /// Refuses what an array would do, and a list does otherwise.
    static void refuse_as_array(const Value& value, const Span& span);

private:
    void create_empty(const std::string& id, const std::string& name, const code::ExprPtr& one);
    void forget_index(const std::string& id, const Span& span);
    void forget_elements(const Value& list);
    void tell(Value& element, const Value& list, std::size_t column, const Expr& position);
    Value types_of(const Value& list, std::size_t column);
    void store_type(const Value& place, const Value& element, const ListColumn& column, const Span& span);
    void refuse_types(const Value& list, const Span& span) const;
    Value keys_of(const Value& list, const code::ExprPtr& key, const Span& span);
    Value of_columns(const std::string& function, const Value& list, bool truth, const Span& span);
    Value fresh(const std::string& id, const std::string& base, const std::optional<Expr>& length, const Span& span);
    Value whole(const std::string& id);
    Value row_at(const Value& list, const Expr& position) const;
    Expr slice_bound(const code::ExprPtr& bound, const Expr& length, const Expr& least, const Expr& most);
    Expr position_of(const Value& list, const Value& index, const Span& span,
                     const std::string& outside = "list index out of range");
    Value element_at(const Value& list, const Value& index, const Span& span);
    void push(const Value& list, const Value& given, const Span& span, std::size_t which);
    void note_form(const std::string& id, const Value& element, const Span& span);
    void note_rows(const std::string& id, ListColumn& column, const Value& row, const Span& span);
    void note_type(ListColumn& column, const Value& element, bool first, const Span& span);
    void note_append(const std::string& id, const CallPlace& site, const Expr& times);
    void note_resize(const Value& list, bool in_front, const Span& span);
    void store(const Value& list, const Expr& position, const Value& element, const Span& span);
    Value pop(const Value& list, bool in_front, const Span& span, const std::string& empty = "pop from empty list");
    void replace(const Value& list, const code::SliceExpr& slice, const Value& by, const Span& span);
    bool is_of_python(const Value& list) const;
    void require_positive_step(const Expr& step, const Value& list, const Span& span);
    Value place_of(const Value& list, const Value& wanted, const std::string& missing, const Span& span);
    Value of_equal(const char* function, const Value& left, const Value& right, const Span& span);
    void move(const Value& list, const Expr& from, const Expr& to, const Expr& count, const Span& span);
    void insert(const Value& list, const code::ExprPtr& place, const Value& element, const Span& span);
    Expr times_of(const ListFacts& facts, std::size_t depth) const;
    Value of_known_length(const Value& list) const;
    std::optional<Expr> pushes(const code::Body& body, const std::string& name) const;
    std::string id_of(const std::string& name, const Span& made) const;
    std::size_t times_handed_on(const code::Body& body, const std::string& name) const;
    bool is_kept_by_name(const Value& list) const;

    Translator& t_;
};

}  // namespace sluice::frontend
