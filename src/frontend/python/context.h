// What the parts of a translation share: the function's own facts, the loops around a statement, variables and places.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frontend/array/array_program.h"
#include "frontend/python/frontend.h"
#include "frontend/python/program_build.h"
#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::frontend {

/// Thrown when a local cannot take the place of the return value; the translation starts again without that.
struct KeepReturnApart {};

/// Thrown when the translation has noted a fact in the context that it should have known from the start.
struct StartAgain {};

/// Thrown behind an exception that Python raises for what names mean here: the rest of the statement is never reached.
struct PathEnds {};

struct Variable {
    Value value;
    bool stale = false;                  ///< A symbol that the value counts by has changed since the name was bound.
    bool unsure = false;                 ///< A path that leads here does not bind the name.
    std::optional<double> literal = {};  ///< Of a number: what it surely is.
};
/// Line, column, and the names of the call around.
using CallPlace = std::tuple<std::uint32_t, std::uint32_t, std::string>;
/// Numbers, or arrays of one shape, in the elements of a list.
struct ListColumn {
    code::Type type{code::Scalar::Float64, true};
    std::vector<Expr> row = {};                     ///< Empty: numbers.
    bool is_list = false;                           ///< The arrays are lists to Python.
    bool of_python = false;                         ///< The first element is a number of Python's.
    bool mixed = false;                             ///< Python's numbers and NumPy's, or integers and others.
    bool noted = false;                             ///< In this attempt.
    bool holds_given = false;                       ///< An array of the caller's is among the elements.
    bool open = false;                              ///< Integers of Python's and floats.
    std::map<std::string, CallPlace> rows_of = {};  ///< Containers of arrays and lists that came in under a name, and where.
    bool tells_types = false;                       ///< The type_code of each element lies beside it.
    bool again = false;                             ///< One of these lists may be there twice.
    std::vector<code::Type> types = {};             ///< Of the elements to Python, each once.
};
/// Values of one type and one shape but for the first extent, in memory of a name's own (carried_arrays.cpp).
struct CarriedArray {
    code::DType type;
    std::vector<Expr> row;  ///< The other extents.
    Expr room;              ///< The first one, at most where it varies.
    bool varies = false;
    int widenings = 0;
};
constexpr std::size_t kNoLoop = static_cast<std::size_t>(-1);
constexpr std::size_t kMostRaised = 8;  ///< Bounds of a list's length that are tried before it counts as unbounded.
/// What the program does with a list.
struct ListFacts {
    std::optional<Value> form = {};  ///< Of the elements: a column, or a tuple of columns.
    std::vector<ListColumn> columns = {};
    bool guessed = false;                    ///< Nobody has said what the elements are, but they are read.
    std::map<CallPlace, Expr> appends = {};  ///< By the call: how often it happens to one list, at most.
    bool unbounded = false;                  ///< Nobody knows how often.
    std::size_t raised = 0;                  ///< How often one of these numbers turned out to be another.
    std::size_t outlives = kNoLoop;          ///< How many loops are around the outermost one of which it sees several iterations.
    bool resized = false;                    ///< After it was made.
    bool shortened_in_front = false;
    bool searched = false;  ///< For a key: it has an index.
};
/// What holds for one function, shared by the translators of its map bodies.
struct FunctionContext : ProgramNames {
    std::map<std::string, std::set<std::string>> under_way;  ///< By the container of requests: those that their messages move.
    std::set<std::string> waited_for;                        ///< Containers of requests for which a Wait has been translated.
    const Program* program = nullptr;
    const code::FunctionStmt* function = nullptr;
    std::size_t region = 0, regions = 0;                 ///< The part of the graph that is being filled, and how many there were.
    std::vector<std::size_t> made_in{0};                 ///< Of each list and dictionary: which. The first stands for the caller's.
    std::set<std::string> grown, grown_by_the_run;       ///< Lists that grow, by their place; those of containers (lists.cpp).
    std::set<CallPlace> read_at_once;                    ///< Comprehensions that a function reads and nobody keeps.
    std::map<std::size_t, std::string> grown_objects;    ///< The others, by number.
    std::map<std::string, code::DType> types;            ///< Of variables, as annotated.
    std::map<std::string, std::string> return_variable;  ///< Local -> return container that it may be from the start.
    std::map<std::string, int> bindings, occurrences;    ///< Over the whole function.
    std::map<std::string, int> array_bindings;           ///< Without augmented assignments.
    std::set<const code::Stmt*> callers;
    Returns returns;                                    ///< Of the attempt that is going on.
    std::map<std::string, std::size_t> result_numbers;  ///< Likewise: of each place in a structure.
    bool several_structures = false;                    ///< Paths differ in what they return; the caller learns which it is.
    bool starts_again = false;  ///< What this attempt has noted changes what came before: it only finds out what else there is.
    bool check_indices = false;
    bool as_dace = false;                               ///< Definition::of_dace.
    bool strict = false;                                ///< Definition::strict, of the program itself.
    std::set<std::string> laid_out;                     ///< Containers of arrays with strides of their own.
    bool raises_for_none = false;                       ///< For callers that cannot tell None from a value.
    bool tells_places = false;                          ///< The caller asks where returned arrays lie, and for the structure.
    std::set<std::string> several_places;               ///< Return containers for which that depends on the run.
    Sharing sharing;                                    ///< Parameters that are views of containers which they have in common.
    std::map<const code::Stmt*, code::Body> rewritten;  ///< What loops over elements and loops with an else are translated as.
    /// Loops over known ranges that are written out, by the bounds.
    std::map<std::pair<const code::Stmt*, std::vector<std::int64_t>>, code::Body> turns;
    std::map<std::pair<const code::Stmt*, std::size_t>, code::Body> written_out;  ///< Loops over tuples, by their length.
    std::map<std::string, code::Body> inlined;              ///< Bodies of called functions, by the prefix of their names.
    std::set<CallPlace> inlined_calls;                      ///< Calls of programs that no nested SDFG can stand for.
    std::set<std::pair<std::uint32_t, std::string>> loops;  ///< Functions, by line and name, whose calls of themselves are loops.
    std::set<std::pair<std::uint32_t, std::string>> recursive;  ///< Functions that could be such loops.
    std::map<CallPlace, std::size_t> call_numbers;              ///< Of inlined calls, for their names.
    std::set<const code::Stmt*> calls_apart;                    ///< Statements whose calls stand in front of them.
    std::set<std::string> each_once;                            ///< Lists of the elements of another, each once.
    std::set<CallPlace> of_the_run;                             ///< Comprehensions whose lengths the run decides.
    std::map<std::string, std::vector<CarriedArray>> carried;   ///< Names whose arrays lie in memory of their own.
    std::map<std::string, ListFacts> lists;                     ///< Those that grow.
    bool reads_unknown_list = false;             ///< What follows in this attempt may tell what a list holds, no more.
    std::set<std::string> number_symbols;        ///< Integer parameters that sizes of returned arrays follow from.
    std::map<std::string, Expr> rooms;           ///< Elements of return containers whose sizes the run decides, at most.
    std::map<std::string, std::string> watched;  ///< Names that may be read unbound -> the symbol that says whether they are bound.
    std::set<std::string> kept;                  ///< Names whose views keep the values of their symbols in symbols of their own.
    std::map<std::string, Variable> returned_numbers;  ///< By return container, with the type that holds all of them.
    std::set<std::string> open_numbers;          ///< Containers of numbers that are integers or floats to Python (open_types.cpp).
    std::set<std::string> data_numbers;          ///< Containers of integers that the data tell, on some path (overflow.h).
    std::set<std::string> returned_as_they_are;  ///< Containers of numbers that were returned as if they were none of these.
    std::map<std::string, std::string> texts;    ///< Those that are indexed by the run -> the array of their characters.
    bool walks_texts = false;                    ///< A loop goes over a text.
    bool writes_out_texts = false;               ///< Such loops are written out, each character a text that is known.
    bool tells_types = true;                     ///< Of names; false: those of some are not known.
    std::set<std::string> types_recorded;        ///< Returned names whose type the path decides, and a number beside them tells.
    std::set<std::string> types_apart, types_noted;  ///< Returned names whose type the path decides; iterations note some of these.
    std::set<std::string> types_apart_in_loops;      ///< Those of them that iterations begin with in one type or another, too.
    bool one_type = false;                           ///< They would mean too many things.
    std::map<const code::Stmt*, std::map<std::string, Value>> loop_types;  ///< Numbers with the types that loops give to them.
    std::map<const code::Stmt*, std::map<std::string, code::Type>> loop_numbers;  ///< Types that loops give to numbers.
    std::map<const code::Stmt*, std::set<std::string>> changing_literals;         ///< Of loops: numbers that an iteration changes.
    std::map<const code::Stmt*, std::set<std::string>> scratch;        ///< Of loops: names of no meaning behind an iteration.
    std::set<std::pair<std::uint32_t, std::uint32_t>> placed_indices;  ///< Those that only their own place can compare (bounds.h).
    std::set<std::pair<std::uint32_t, std::uint32_t>> growing_in_place;  ///< Integers that only their own place can check.
    std::set<std::string> wide_integers;                                 ///< Variables that hold all of 64 bits (magnitudes.h),
    std::set<std::string> wide_starts;                                   ///< those of them that are assigned such numbers.
    std::set<const code::ForStmt*> raising_loops;  ///< Loops that call functions which raise exceptions of the program's own.
    std::set<const code::ForStmt*> moving_bounds;  ///< Loops over ranges whose bounds are of symbols that their iterations assign.
    std::map<const code::Stmt*, std::set<std::string>> bound_apart;  ///< Names that a loop's iterations begin with bound or not.
    std::set<const code::Stmt*> choosing_loops;  ///< Loops whose iterations begin with names that mean different arrays.
    std::map<const code::Stmt*, std::set<std::string>> moved_in;  ///< Symbols of views that a loop assigns.

    /// The number of a list or dictionary that is made here.
    std::size_t new_object() {
        made_in.push_back(region);
        return made_in.size() - 1;
    }
    bool bound_once(const std::string& name) const {
        const auto count = bindings.find(name);
        return count != bindings.end() && count->second == 1;
    }
};

/// A loop around the statement whose iterations all reach it: nothing in between branches or leaves.
struct SureLoop {
    std::string variable;
    Expr begin, end, step;              ///< The step is a constant.
    symbolic::Assumptions assumptions;  ///< What holds before the loop, whether it has an iteration or not.
};

using Variables = std::map<std::string, Variable>;

/// What the names may mean at the end of a path.
struct Ending {
    std::set<std::int64_t> choices;  ///< Values of the symbol that tells; empty: the path's only ending.
    Variables variables;
};
using Endings = std::vector<Ending>;

/// A part of the program that other parts meet behind it.
struct Path {
    ir::Region region;
    ir::BlockId last;
    Endings endings;  ///< None: its end is never reached.
};

/// What the names may mean when an iteration begins (`entered`) or the loop is left.
struct LoopMeaning {
    std::int64_t choice = 0;
    Variables variables;
    Variables after;  ///< With the names that the iterations bind.
    bool entered = false, translated = false;
    bool left = true;  ///< The loop may be left with this meaning; else `after` holds nothing yet.
};
/// An index of an array in a loop, as an expression of the loop's counter.
struct IndexInLoop {
    enum class Side : std::uint8_t { Below, Above, Either };
    Expr at, size;
    Expr reported;                   ///< What the error names: the first index outside, where that is known.
    std::vector<Expr> reached;       ///< Conditions under which it is read or written at all.
    std::optional<Expr> taken = {};  ///< What holds in the branch around.
    std::size_t axis = 0;
    Side side = Side::Either;                    ///< Of the dimension, which it may leave.
    std::map<std::string, std::string> numbers;  ///< Names in these expressions -> containers of numbers that no loop changes.
    Span span;
};
/// An integer of a loop that may leave 64 bits (magnitudes.h).
struct GrowingInteger {
    code::ExprPtr most;             ///< Its magnitude at most, as a float64.
    std::vector<Expr> reached;      ///< Conditions under which it is computed at all.
    std::set<std::string> numbers;  ///< Containers of numbers of the caller's that it reads.
    Span span;
};
/// How large an integer of Python's is at most.
struct Magnitude {
    double most;
    GrowingInteger of = {};  ///< Of a variable that is bound once: the same, by what it is computed from.
};
struct LoopFrame {
    const code::Stmt* statement = nullptr;
    const LoopFrame* around = nullptr;
    bool chooses = false;                 ///< There is more than one meaning.
    std::set<std::string> counters = {};  ///< Symbols that the loop moves.
    std::vector<LoopMeaning> meanings = {};
    bool raises = false;                       ///< An iteration may end the program by an exception of its own.
    bool runs = false;                         ///< It surely has an iteration.
    bool endless = false;                      ///< Only a break leaves it.
    bool notes_behind = false;                 ///< Whoever translates the loop notes behind it what each iteration binds.
    std::set<std::string> bound = {};          ///< What that is.
    std::set<std::string> moved = {};          ///< Symbols that the iterations assigned.
    std::vector<IndexInLoop> indices = {};     ///< Those that each iteration reaches, to be compared in front (bounds.h).
    std::vector<GrowingInteger> growing = {};  ///< Likewise.
};

/// What a name is in front of an outermost loop.
struct EnteringNumber {
    code::ExprPtr before;  ///< The name of a copy.
    code::Type type;
    std::string flag;  ///< Container: whether the loop has assigned the name. Empty: it has, if all these hold.
    std::vector<Expr> reached;
    std::vector<code::Type> assigned;  ///< Types that the loop assigns to it, each once.
};

}  // namespace sluice::frontend
