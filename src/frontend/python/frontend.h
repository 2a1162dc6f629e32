// NumPy programs to SDFGs: `@program` functions in the Python subset of code/. Source to SDFG and nothing else; no Python
// interpreter is needed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "code/ast.h"
#include "code/dtype.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::frontend {

/// The type of an argument: a scalar (no shape) or an array.
struct ArgumentType {
    code::DType dtype;
    std::optional<std::vector<symbolic::Expr>> shape;
    bool of_python = false;  ///< A number of Python's: it adapts to what it meets (NEP 50).
};
/// A Python module known to the front end: `numpy`, `sluice` (also under the name `dace`), `math`, `cmath`.
struct ModuleBinding {
    std::string name;
};
/// `N = sluice.symbol('N', sluice.int64)`
struct SymbolBinding {
    std::string name;
    code::DType dtype = code::Scalar::Int64;
};
/// A number, folded into the program as a constant.
struct NumberBinding {
    std::variant<bool, std::int64_t, double, std::pair<double, double>> value;
    std::optional<code::DType> dtype;  ///< Set for NumPy scalars: then the constant is strongly typed.
};
struct TypeBinding {
    ArgumentType type;
    bool declares = true;  ///< A local annotated with it has it; false: NumPy's, a hint for people.
};
/// An integer expression of symbols: `K = N + 1`.
struct ExpressionBinding {
    symbolic::Expr value;
};
/// An array of the module around the program. It becomes the argument `__g_NAME`, which the caller passes.
struct ArrayBinding {
    ArgumentType type;
    std::uint64_t identity = 0;  ///< Tells apart arrays of one name in different modules.
};
/// Another `@program` function, callable from this one.
struct ProgramBinding {
    std::shared_ptr<const struct Program> program;
};
/// A function of a known module imported by itself: `from numpy import sqrt`.
struct FunctionBinding {
    std::string qualified_name;  ///< `numpy.sqrt`
};
/// A number that is returned: Python's where nothing of NumPy took part in it; an array of rank 0 where NumPy makes one.
enum class NumberKind : std::uint8_t { Python, NumPy, Array };
/// A returned array that is a view of an argument, of an array of the module or of another result.
struct ReturnedView {
    std::string container;
    std::vector<symbolic::Expr> index;  ///< In iteration symbols of the view's dimensions (value.h) and symbols of the signature.
    std::string part;                   ///< `real` or `imag` of the elements; empty: these themselves.
};
/// What a return container holds for the caller, where that is not the container as it is.
struct ReturnedForm {
    std::optional<NumberKind> number;
    std::optional<NumberKind> list;  ///< Of the numbers in the list, or list of lists, that it is; Array: a list of arrays.
    std::string shape;               ///< Container of the shape of the array that the container begins with; empty: no such array.
    std::vector<std::optional<ReturnedView>> views;  ///< Where it may lie; nullopt: in the container.
    std::string choice;                              ///< Container of the place among `views`, where there are several.
    bool shared = false;  ///< In Python it shares memory with an argument or another result, and no view says where.
};
struct ReturnedForms {
    std::map<std::string, ReturnedForm> results;  ///< By return container.
    /// What a path returns, as Python writes it, with the number of a result for each: `(0, {'a': 1})`. Where there are several,
    /// the container `__return_structure` holds which.
    std::vector<std::string> structures;
    bool one_memory = false;    ///< The program is written over one memory (heap.h): none of its loops is parallel.
    bool one_function = false;  ///< It is one tasklet (heap_code.h), in which no transformation finds anything.
};
/// An SDFG, callable from the program.
struct GraphBinding {
    std::shared_ptr<const ir::Sdfg> graph;
    std::vector<std::string> arguments;  ///< The positional ones, in order.
    ReturnedForms forms;
};
using Binding = std::variant<ModuleBinding, SymbolBinding, NumberBinding, TypeBinding, ProgramBinding, FunctionBinding,
                             ExpressionBinding, ArrayBinding, GraphBinding>;
using Bindings = std::map<std::string, Binding>;

/// An expression that Python has evaluated, or a call of which some arguments are constants.
struct KnownExpression {
    std::string text;               ///< What stands in its place; empty: a call of `function` without the arguments below.
    std::string function;           ///< A name among the globals.
    std::set<std::size_t> dropped;  ///< Positions of arguments.
    std::set<std::string> dropped_keywords;
};
/// Line, column, and the same of its end, counted as in a Span.
using ExpressionPlace = std::array<std::uint32_t, 4>;

/// The text of a function of the user's.
struct FunctionSource {
    std::string text, file;
    std::uint32_t first_line = 1;
};

/// A class of the user's, whose objects a function may make for itself.
struct ClassSource {
    std::vector<std::string> order;                               ///< Its name and those of its bases, as Python looks methods up.
    std::vector<std::pair<std::size_t, FunctionSource>> methods;  ///< Each with the place of its class in `order`.
    std::set<std::string> properties, statics, of_class;  ///< Of these: read without a call, without an object, of the class.
    std::map<std::string, std::string> constants;         ///< Attributes of the class, as Python writes them.
};

/// What Python evaluated where a function was defined, by parameter. Its annotations count where their text names what is gone by
/// now, a variable of the function around; its defaults where they are numbers, for the names in them may have other values by now.
struct Definition {
    std::map<std::string, ArgumentType> annotations;
    std::map<std::string, NumberBinding> defaults;
    std::map<std::string, std::string> fields;      ///< Attributes that are one name each: `self.dt` for `self_dt`.
    std::map<std::string, std::string> constants;   ///< Texts, None, lists and tuples around the program, as Python writes them.
    std::set<std::string> objects;                  ///< Names of what programs cannot compute with; it is not None.
    std::map<std::string, ClassSource> classes;     ///< By the name that the function knows them by.
    std::map<std::string, FunctionSource> helpers;  ///< Plain functions around it, which may be called with objects.
    std::map<ExpressionPlace, KnownExpression> known;
    std::set<std::string> removed;  ///< Parameters that are constants of this version, and no arguments.
    std::set<std::string> untyped;  ///< Parameters whose annotation does not hold in this version.
    bool bound = false;             ///< A method of one object: its first parameter is that object, and no argument.
    /// What NumPy's shapes refuse is translated with DaCe's: a slice of one element has no dimension, and neither have those of
    /// size 1 that a target lacks.
    bool of_dace = false;
    /// Nothing else could run what is refused: lists, texts and dictionaries of any kind lie in a memory of the program's own
    /// (heap.h).
    bool strict = false;
};

/// A function with what its free names mean.
struct Program {
    code::StmtPtr function;  ///< A FunctionStmt.
    Bindings globals;
    Definition definition = {};
    std::vector<std::uint32_t> lines = {};  ///< Of a function that is written anew: the lines that stand for those of its text.
    /// The function with its objects as such, where those that it makes are variables in `function` (objects.h), or cannot be.
    code::StmtPtr over_objects = nullptr;
    std::optional<Diagnostic> refused = {};  ///< Why they cannot be; then `function` is `over_objects`.
};

/// All `@program` functions of a module's text, in order, with the bindings that its imports and assignments make.
/// Errors P0xx (syntax) and F0xx.
Result<std::vector<Program>> find_programs(std::string_view source, const std::string& file);
/// One function's text (as `inspect.getsource` yields it, possibly indented and decorated) with bindings from outside.
Result<Program> parse_program(std::string_view source, const std::string& file, std::uint32_t first_line, Bindings globals,
                              Definition definition = {});

/// Name, annotation type if there is one, in order of the parameters.
struct ProgramParameter {
    std::string name;
    std::optional<ArgumentType> type;
    bool has_default = false;
};
Result<std::vector<ProgramParameter>> parameters(const Program& program);

/// A parameter that is a view: its memory is shared with others, or is not in C order. It is the elements of a container from
/// `begin` on, or a whole container, transposed.
struct SharedParameter {
    std::string container;
    code::DType dtype;
    std::vector<symbolic::Expr> container_shape;
    std::vector<symbolic::Expr>
        index;  ///< In iteration symbols of the parameter's dimensions (value.h); empty: what follows says it.
    symbolic::Expr begin = 0;
    std::vector<symbolic::Expr> strides;  ///< In elements of a container of one dimension; empty: C order.
    bool transposed = false;              ///< The container has the parameter's dimensions in reverse.
};
using Sharing = std::map<std::string, SharedParameter>;

/// Builds the SDFG; `argument_types` supplies types of parameters without annotation. Return values become the non-transient
/// containers `__return`, or `__return_0`, `__return_1`, ...; arrays of the module become `__g_NAME`. Memlets are propagated and
/// the result verifies. Errors F0xx with span and remedy.
/// A returned number is an array of one element. An array whose size only the run knows lies in a flat one with room for the most
/// elements that it can have, its shape in another. `forms` names both kinds.
/// Parameters in `sharing` are no arguments: they are views of the containers that it names, which are.
/// `check_indices`: the program compares every index that only the run knows with its dimension, and ends with A009 where one
/// leaves it.
Result<ir::Sdfg> build(const Program& program, const std::map<std::string, ArgumentType>& argument_types = {},
                       const Sharing& sharing = {}, bool check_indices = false, ReturnedForms* forms = nullptr);

/// The program over one memory (heap.h) whose parameters are objects of Python's: `given` says which, as the form of a tuple of
/// them (bindings/objects.h). Its arguments are the two rows that they are written as.
Result<ir::Sdfg> build_of_objects(const Program& program, const std::string& given, bool with_arrays, ReturnedForms& forms);

}  // namespace sluice::frontend
