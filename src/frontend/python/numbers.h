// The types of numbers that names mean: numbers.cpp says the rules.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

/// The value of a literal, where a double holds it.
std::optional<double> literal_value(const Value& value);

class Numbers {
public:
    explicit Numbers(Translator& translator) : t_(translator) {}
    void assign(const std::string& name, const Value& value);
    /// Numbers that paths leave in several types have one behind them. A path that means several things keeps them apart.
    void join(const std::vector<Path*>& paths);
    /// What numbers become by the end of an iteration, they are from the loop's beginning.
    void join(LoopFrame& frame);
    /// Before a loop: numbers take the types that the loop gives them.
    void widen(const code::Stmt& loop);
    /// The type of a returned number: one for all returns, which holds each of their values. `name`: of the return container.
    code::DType returned_type(const std::string& name, const code::ExprPtr& e, const Value& value);

    // ---- Python's sum of floats, which are added one after the other (sums.cpp) ----
    bool adds_in_order(const Value& elements) const;
    Value sum_in_order(const Value& elements, const Value& start, const Span& span);
    /// `sum(f(x) for x in xs)` that begins with an array.
    Value sum_of_arrays(const code::ComprehensionExpr& elements, const Value& start, const Span& span);

    // ---- those of which only the run knows whether Python has an integer or a float (open_types.cpp) ----
    bool is_open(const Value& value) const;
    /// The elements of this container are such numbers.
    void add_open(const std::string& data);
    /// What is computed of the elements of a list is one if they are.
    void add_open(const Value& result, const Value& elements);
    /// What is assigned makes a variable one.
    void note_open(const Target& target, const Value& value);
    /// Python's caller would see another type.
    void refuse_open(const Value& returned, const Span& span);

private:
    bool is_open(const code::ExprPtr& e, const Value& value) const;
    bool is_integer(const code::ExprPtr& e, const Value& value) const;
    std::optional<code::Type> joint(const std::string& name, const Variable& a, const Variable& b) const;
    void convert(const std::string& name, const code::Type& type, std::string data);
    void note_types(const LoopFrame& frame);
    bool tells_type(const std::string& name) const;
    void tell_type(const std::string& name, Value& fresh, const Value& value);
    void at_end(Path& path, const std::function<void()>& fill);

    Translator& t_;
};

}  // namespace sluice::frontend
