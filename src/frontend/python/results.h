// What a program returns, and what each result is to the caller.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Results {
public:
    explicit Results(Translator& translator) : t_(translator) {}
    /// `return value`; null: `return`.
    void translate(const code::ExprPtr& value, const Span& span);

private:
    struct Structure {
        std::vector<Value> values;                     ///< The numbers and arrays.
        std::vector<std::string> names;                ///< Of their containers.
        std::map<std::string, NumberKind> lists = {};  ///< Of arrays that are lists to the caller: what the numbers are.
        std::string text;               ///< As Python writes it, with the number of a result for each of them: `(0, {'a': 1})`.
        std::string kind;               ///< Likewise, with the ranks.
        std::set<std::size_t> objects;  ///< The lists and dictionaries in it.
        /// Likewise, with the number of the result that each is; of rows, which several results make, without.
        std::map<std::string, std::string> lists_of_the_run = {};
        bool holds_none = false;   ///< Or a text.
        std::vector<Value> given;  ///< As the program has them.
    };
    Structure structure_of(const Value& value) const;
    void add(const Value& value, const std::string& place, Structure& structure) const;
    std::string form_of(const Value& value) const;
    void add_list(const Value& list, std::size_t column, const std::string& place, Structure& structure) const;
    void add_result(const Value& value, const std::string& place, Structure& structure) const;
    void settle_structure(Structure& structure, const Span& span);
    void tell_number(const std::string& container, std::size_t number, const Span& span);
    std::map<std::string, std::string> whole_arrays(Structure& structure) const;
    void tell_place(const std::string& name, std::size_t place, const Span& span);
    void hand_over(const std::string& name, const Value& value, const code::ExprPtr& expression, const Span& span);

    bool is_fresh(const std::string& data) const;
    Value base_of(const Value& value) const;
    static const Operand* viewed(const Value& base);

    Translator& t_;
};

/// What a program returned to another: its structure with the results in place of their numbers.
Value with_results(const code::ExprPtr& structure, const std::vector<Value>& results, FunctionContext& context);

}  // namespace sluice::frontend
