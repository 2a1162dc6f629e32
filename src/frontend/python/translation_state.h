// What a translation holds while it goes through a body: the graph so far, what names mean, and what is known at this place.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/context.h"
#include "frontend/python/plan.h"

namespace sluice::frontend {

struct TranslationState {
    struct MapHeader {
        std::vector<std::string> params;
        symbolic::Subset range;
        std::vector<PlannedMemlet> dynamic;
        ir::Schedule schedule = ir::Schedule::Default;
    };
    /// Connector names and memlets for the operands of a value, and its code over them.
    struct Wired {
        std::vector<PlannedMemlet> in;
        code::ExprPtr code;
    };
    /// An exception other than ValueError, with values for the `{}` of its message.
    struct Exception {
        std::string name;
        std::vector<code::ExprPtr> values;
    };
    /// A number that the scope hands to the body under a name of its own.
    struct BodyElement {
        std::string name;
        code::DType type;
    };
    struct Reduction {
        std::vector<std::int64_t> axes;
        bool keepdims = false;
        std::optional<Value> initial, where;
        std::optional<code::DType> dtype;  ///< To compute in and to return.
    };
    struct Actual {
        std::string name;
        Value value;
        std::optional<ArgumentType> inferred;  ///< Of a parameter without annotation.
    };
    /// Where the elements of a list that grows lie.
    struct ListPlace {
        std::vector<std::string> data;  ///< By column.
        std::string index = {};         ///< Of a list that is searched: the table of FindKey.
        Expr first = 0, length = 0;     ///< Symbols where they move.
        std::size_t depth = 0;          ///< Of loops, where it was made.
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

    ir::Sdfg sdfg_;
    Bindings bindings_;
    ir::Region* region_ = nullptr;
    ir::BlockId last_;
    std::vector<std::pair<std::string, std::string>> pending_;
    Variables variables_;
    Endings endings_;        ///< Of the last statement, where they are several.
    bool reachable_ = true;  ///< The end of the last statement.
    LoopFrame* frame_ = nullptr;
    /// What the parts of an assertion came to when it was asked whether they are known; they are not computed again.
    std::map<const code::Expr*, std::optional<Value>>* asserted_ = nullptr;
    std::vector<Value> held_;                                      ///< Evaluated, and still to be bound to a name.
    std::map<std::string, std::vector<std::string>> storage_;      ///< Containers that were made for the values of a name.
    std::map<std::string, std::vector<std::string>> temporaries_;  ///< By the name that was wished for.
    std::set<std::string> sizing_;                                 ///< Symbols in the shapes of these containers.
    std::set<std::string> handed_out_;                             ///< Temporaries of the statements under translation.
    bool inside_expression_ = false;                               ///< They are statements of a call in an expression.
    bool translating_again_ = false;  ///< The statement has been translated before, in another meaning.
    std::string which_;               ///< Symbol that tells what the names mean.
    std::int64_t choices_ = 0;
    std::map<std::string, std::map<std::string, std::string>> kept_;  ///< Name, symbol -> symbol of the name's own.
    std::map<std::string, std::string> keeper_of_;                    ///< The other way.
    std::set<std::string> moved_;                                     ///< Symbols that were assigned in the innermost loop so far.
    /// Conditions that a check in front of this place found to hold, with their symbols; sizes that one found equal.
    std::vector<std::pair<std::string, std::set<std::string>>> checks_made_;
    std::vector<std::pair<Expr, Expr>> checked_;
    std::vector<std::pair<Value, Value>> selections_;  ///< Masks, and where their true elements are, while both stand unchanged.
    std::map<std::string, std::vector<std::string>> carried_rooms_;  ///< Containers of names that iterations hand on.
    std::map<std::string, std::string> carried_lengths_;             ///< Of such a container: the symbol of its first extent.
    std::map<std::string, ListPlace> lists_;
    std::vector<std::optional<Expr>>
        trips_;                         ///< Of the loops around: their iterations at most, where that is known before the call.
    std::int64_t written_out_ = 1;      ///< How often the statements under translation are: of loops over tuples.
    std::map<std::string, Expr> most_;  ///< Symbols that data decide -> the most that they are, in symbols known before the call.
    std::set<std::string> of_numbers_;  ///< Symbols that hold a number which only the run knows.
    std::map<std::string, Value> integers_;                        ///< Of such symbols: the number.
    std::vector<PlannedCode> entry_checks_;                        ///< Of what the arguments decide: made before anything else.
    std::map<std::pair<std::uint32_t, std::string>, Note> notes_;  ///< By line and message.
    std::map<std::string, EnteringNumber> entering_;               ///< Of the outermost loop (types_by_path.h).
    std::vector<std::string> flags_;                               ///< Containers that are 0 in front of the program.
    bool may_have_returned_ = false;
    std::set<std::string> integer_locals_;
    std::set<std::string> chosen_values_;    ///< Names that stand for one operand of a choice: numbers of one type.
    std::set<std::string> defined_symbols_;  ///< Given a value inside this SDFG.
    std::set<std::string> behind_checks_;    ///< Of names that are read where a check says that they are bound.
    std::set<std::string> map_params_;       ///< Parameters of the scopes around this SDFG, and of the scope being planned.
    std::map<std::string, std::string> view_of_;
    std::set<std::string> labels_;
    symbolic::Assumptions assumptions_;
    std::optional<Target> next_hint_;  ///< Where the value of the next evaluate() will be assigned.
    std::optional<Target> hint_;       ///< The same for the expression that is being evaluated.
    std::string inline_prefix_;        ///< Of the names of the inlined call that is being translated; empty: none.
    int inline_depth_ = 0;
    const code::Stmt* statement_ = nullptr;  ///< Of the function or an inlined one, that is being translated.
    std::string prelude_prefix_;             ///< Of the names of the prelude's function that is being translated; empty: none.
    Span prelude_call_;                      ///< Of the program's call that leads there.
    std::string next_name_, name_;           ///< The variable that it will be bound to.
    const code::Body* enclosing_loop_ = nullptr;
    std::vector<SureLoop> sure_loops_;  ///< Outermost first.
    bool reached_by_all_ = false;       ///< Every iteration of the innermost `for`, or whoever takes the branch in it, comes here.
    int depth_ = 0;                     ///< Nesting of control flow.
    std::set<std::string> tasklet_locals_;  ///< Variables of the tasklet being planned: no symbols, though nothing is read.
    bool lazy_ = false;                     ///< Inside of an operand that Python may leave unevaluated.
    bool flat_ = false;                     ///< Planning a map body: no states, no containers.
    Span where_;
};

}  // namespace sluice::frontend
