// Translation of a program as a step of another one: the graph before propagation and verification.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "frontend/array/value.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// What a returned value is to the caller: a number, or an array that is new, a view of an argument or of an array of the module,
/// or one of these by the path.
struct ReturnedPlace {
    std::optional<Operand> view;  ///< Of an argument or another result; none: it is nobody else's.
    std::string part;             ///< `real` or `imag` of the view; empty: the view itself.
};
struct Returned {
    std::optional<NumberKind> number;
    std::vector<code::Type> types;      ///< That a number has behind one path or another, each once.
    std::optional<NumberKind> list;     ///< ReturnedForm::list.
    std::vector<ReturnedPlace> places;  ///< Where it lies behind one return or another, each once.
    std::string choice;                 ///< Container of the number of the place, where there are several; empty: nobody asks.
    bool unnamed = false;               ///< It may be part of an argument that no view names.
    std::string shape;  ///< Container of the sizes, where only the run knows them; empty: those of the return container.
};
/// What a path returns, with the number of a result for each number and array, and with their ranks and types: `(0, None)`,
/// `(1float64, None)`.
struct ReturnedStructure {
    std::string kind, text;
};
struct Returns : std::map<std::string, Returned> {
    std::vector<ReturnedStructure> structures;  ///< Behind one return or another; __return_structure holds which, if several.
    bool raises = false;                        ///< The program may raise something,
    bool program_raises = false;                ///< and an exception of its own.
};

struct BuildOptions {
    bool check_indices = false;
    bool as_dace = false;  ///< Definition::of_dace.
    bool strict = false;   ///< Definition::strict.
};

/// `tells_places`: the number of a returned array's place is returned as well, where it has several, and that of the structure.
/// `raises_for_none`: a called program's path that returns None where others return values raises; else it is refused (F011).
/// `callers`: the functions being translated around this one (recursion is refused by call_program).
ir::Sdfg translate_program(const Program& program, const std::map<std::string, ArgumentType>& argument_types,
                           const std::set<const code::Stmt*>& callers, const Sharing& sharing = {}, BuildOptions options = {},
                           Returns* returns = nullptr, bool tells_places = false, bool raises_for_none = false);

}  // namespace sluice::frontend
