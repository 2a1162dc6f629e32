// What a translation holds while it goes through a body: the graph so far, what names mean, and what is known at this place.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/array/plan.h"
#include "frontend/python/context.h"

namespace sluice::frontend {

struct TranslationState {
    struct MapHeader {
        std::vector<std::string> params;
        symbolic::Subset range;
        std::vector<PlannedMemlet> dynamic;
        ir::Schedule schedule = ir::Schedule::Default;
    };
    /// A number that the scope hands to the body under a name of its own.
    struct BodyElement {
        std::string name;
        code::DType type;
    };
    struct Actual {
        std::string name;
        Value value;
        std::optional<ArgumentType> inferred;  ///< Of a parameter without annotation.
    };
    /// Where the elements of a list that grows lie.
    struct ListPlace {
        std::vector<std::string> types = {};  ///< Of columns whose elements have a type each: containers of type_codes; else empty.
        std::vector<std::string> data;        ///< By column.
        std::string index = {};               ///< Of a list that is searched: the table of FindKey.
        Expr first = 0, length = 0;           ///< Symbols where they move.
        std::size_t depth = 0;                ///< Of loops, where it was made.
        const code::Stmt* loop = nullptr;     ///< The innermost of these.
    };
    /// What iterations found to be wrong.
    struct Note {
        std::string data;
        Span span;
        bool pending = false;  ///< Nothing has asked yet.
    };
    struct ProgramCall {
        ir::NestedSdfg nested;
        PlannedCode code;
        Touched touched;
        Span span;
    };

    Bindings bindings_;
    Variables variables_;
    Endings endings_;        ///< Of the last statement, where they are several.
    bool reachable_ = true;  ///< The end of the last statement.
    LoopFrame* frame_ = nullptr;
    /// What the parts of an assertion came to when it was asked whether they are known; they are not computed again.
    std::map<const code::Expr*, std::optional<Value>>* asserted_ = nullptr;
    std::vector<Value> held_;                                  ///< Evaluated, and still to be bound to a name.
    std::map<std::string, std::vector<std::string>> storage_;  ///< Containers that were made for the values of a name.
    bool inside_expression_ = false;                           ///< The statements under translation are of a call in one.
    std::string which_;                                        ///< Symbol that tells what the names mean.
    std::int64_t choices_ = 0;
    std::map<std::string, std::map<std::string, std::string>> kept_;  ///< Name, symbol -> symbol of the name's own.
    std::map<std::string, std::string> keeper_of_;                    ///< The other way.
    std::set<std::string> moved_;                                     ///< Symbols that were assigned in the innermost loop so far.
    std::vector<std::pair<Value, Value>> selections_;  ///< Masks, and where their true elements are, while both stand unchanged.
    std::map<std::string, std::vector<std::string>> carried_rooms_;  ///< Containers of names that iterations hand on.
    std::map<std::string, std::string> carried_lengths_;             ///< Of such a container: the symbol of its first extent.
    std::map<std::string, ListPlace> lists_;
    std::vector<std::optional<Expr>>
        trips_;                         ///< Of the loops around: their iterations at most, where that is known before the call.
    std::map<CallPlace, Expr> turns_;   ///< Of loops that ran to their end: exactly, in symbols known before the call.
    std::int64_t written_out_ = 1;      ///< How often the statements under translation are: of loops over tuples.
    std::map<std::string, Expr> most_;  ///< Symbols that data decide -> the most that they are, in symbols known before the call.
    std::map<std::pair<std::uint32_t, std::string>, Note> notes_;  ///< By line and message.
    std::map<std::string, EnteringNumber> entering_;               ///< Of the outermost loop (types_by_path.h).
    std::vector<std::string> flags_;                               ///< Containers that are 0 in front of the program.
    bool may_have_returned_ = false;
    std::set<std::string> integer_locals_;
    std::set<std::string> chosen_values_;              ///< Names that stand for one operand of a choice: numbers of one type.
    std::set<std::string> counted_;                    ///< Containers of integers computed of counters, sizes and parameters alone.
    std::map<std::string, Magnitude> magnitudes_;      ///< Of variables, by symbol or container (magnitudes.h).
    std::map<std::string, symbolic::Range> counters_;  ///< Of the loops around: what they count over.
    std::set<std::string> bounds_in_points_;           ///< Of maps in maps: names of the bounds that data decide.
    bool counts_ = false;                              ///< What is evaluated is an index, a size or a bound.
    std::set<std::string> behind_checks_;              ///< Of names that are read where a check says that they are bound.
    std::optional<Target> next_hint_;                  ///< Where the value of the next evaluate() will be assigned.
    std::string inline_prefix_;                        ///< Of the names of the inlined call that is being translated; empty: none.
    const code::Body* inlined_body_ = nullptr;         ///< Of that call; null: none.
    int inline_depth_ = 0;
    const code::Stmt* statement_ = nullptr;  ///< Of the function or an inlined one, that is being translated.
    std::string prelude_prefix_;             ///< Of the names of the prelude's function that is being translated; empty: none.
    Span prelude_call_;                      ///< Of the program's call that leads there.
    Span written_call_;                      ///< Where a function of a written text (heap.h) is called.
    std::string next_name_;                  ///< The variable that it will be bound to.
    const code::Body* enclosing_loop_ = nullptr;
    std::vector<SureLoop> sure_loops_;  ///< Outermost first.
    bool reached_by_all_ = false;       ///< Every iteration of the innermost `for`, or whoever takes the branch in it, comes here.
    int depth_ = 0;                     ///< Nesting of control flow.
    bool lazy_ = false;                 ///< Inside of an operand that Python may leave unevaluated.
};

}  // namespace sluice::frontend
