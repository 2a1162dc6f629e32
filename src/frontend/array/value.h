// What an expression of a program evaluates to while it is translated: nothing is computed yet.
//
// An element-wise value is one tasklet expression over the elements that it reads. Its indices are written in iteration symbols,
// `__r0` for the last dimension, `__r1` for the one before, ..., so broadcasting never renames one. A name in `code` is either
// the id of an operand, an iteration symbol or a symbol of the SDFG; the id of an operand is its own Python text (`A[i + __r0]`,
// `s`), so that equal operands are one and a scalar value prints as a condition.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/ast.h"
#include "code/infer.h"
#include "symbolic/subset.h"

namespace sluice::frontend {

/// One element of a container (at `index`), or with `whole` the container itself, which the code subscripts.
struct Operand {
    std::string data;
    std::vector<symbolic::Expr> index;
    bool whole = false;
    code::DType dtype;

    std::string id() const;
};

/// What decides which of several types a number has in Python: a name that paths assign or, with a line, a choice there.
struct TypeSource {
    std::uint32_t line = 0, column = 0;
    std::string name;   ///< Of a choice: the prefix of the names of the call around.
    bool list = false;  ///< An element of the list of this name, of its column `column`.
    auto operator<=>(const TypeSource&) const = default;
};

/// A copy where NumPy has a view unless the two of each pair differ; if there is none, where only the run knows which of both it
/// has.
struct DoubtfulCopy {
    std::vector<std::pair<symbolic::Expr, symbolic::Expr>> pairs = {};
    std::string base = {};  ///< The container that the view would be of; empty: it is seen elsewhere.
};

/// Ranks in a grid: `first` + the sum of the coordinates times `strides`. The last coordinate changes first in their numbers.
struct ProcessGrid {
    symbolic::Expr first;
    std::vector<symbolic::Expr> dims, strides;
    std::vector<bool> periods;                ///< Whether the first and the last rank along it are neighbours.
    std::vector<symbolic::Expr> coordinates;  ///< Of the rank itself.
};

/// A list or dictionary that the caller has, at any depth.
constexpr std::size_t kGivenObject = 0;

struct Value {
    enum class Kind { Elements, Tuple, Rows, Stream, None, Text, Character, Function, Generator, Grid } kind = Kind::Elements;
    code::Type type;
    std::vector<symbolic::Expr> shape;
    code::ExprPtr code;  ///< Of a text: the literal. Of a character of the run: its number.
    std::map<std::string, Operand> operands;
    std::vector<Value> elements;                    ///< Tuple: each; Rows, a list of tuples that grows: their columns.
    std::string stream;                             ///< Stream: its container. Generator: that of its state.
    std::vector<std::string> keys;                  ///< Tuple only: of a dictionary, as text.
    code::StmtPtr function;                         ///< Function only: its definition; `code` where NumPy defines it.
    std::shared_ptr<const struct Program> program;  ///< Function only: whose names it sees; null: those of the function around.
    std::shared_ptr<const ProcessGrid> grid = {};   ///< Grid only.
    bool read_only = false;                         ///< A view whose elements NumPy does not let be assigned.
    bool of_list = false;                           ///< Tuple only: Python has a list.
    bool of_keys = false;                           ///< Tuple only: Python has a dictionary.
    std::set<std::size_t> objects = {};  ///< Of a list or dictionary: which it may be; kGivenObject: one of the caller's.
    std::string list = {};               ///< Elements of a list that grows: which.
    std::optional<DoubtfulCopy> sees_through = {};
    std::optional<symbolic::Expr> summed = {};  ///< Of the sum of a list: how many numbers. Of none it is Python's 0.
    bool natural = false;                       ///< Indices that are not negative.
    bool of_rank_0 = false;                     ///< Rank 0 only: an array, where Python has no number.
    std::vector<code::Type> other_types = {};   ///< Of a number that Python has in another type on some path that leads here.
    std::set<TypeSource> type_sources = {};     ///< What decides among them.
    std::shared_ptr<const Value> which = {};    ///< Which of them it has, where the run knows: its type_code.
    bool copied = false;                        ///< Read through an array of indices: elements of it are those of a copy.

    std::size_t rank() const { return shape.size(); }
    bool is_elements() const { return kind == Kind::Elements; }
    bool is_scalar() const { return is_elements() && shape.empty(); }
    /// No data is read: numbers and symbols only.
    bool is_symbolic() const { return is_elements() && operands.empty(); }
};

/// The iteration symbol of the dimension `from_last` places before the last.
std::string iteration_name(std::size_t from_last);
symbolic::Expr iteration(std::size_t from_last);
/// The iteration symbol of dimension `dim` of a value of rank `rank`.
symbolic::Expr iteration_of(std::size_t dim, std::size_t rank);

Value number(code::ExprPtr literal, code::Type type);
Value integer(std::int64_t value);
/// An integer expression of symbols.
Value symbolic_value(const symbolic::Expr& e, const Span& span = {});
using NamedValues = std::vector<std::pair<std::string, Value>>;  ///< By the connectors of a library node.
Value tuple(std::vector<Value> elements);
Value none_value();
/// Of a constant.
Value text_value(code::ExprPtr literal);
/// With a dimension of size 1 in front of dimension `axis`.
Value with_axis(const Value& value, std::size_t axis);
/// The same elements of the same containers, or the same number, with the same type.
bool same_meaning(const Value& a, const Value& b);
/// Of a number: 0 an integer of Python's, 1 a float of Python's, 2 and 3 those of NumPy's.
std::int64_t type_code(const code::Type& type);
/// The value, in `type`, stands for the other in Python, too.
void add_types_of(Value& value, const Value& other);
/// A container read as it stands.
Value whole_container(const std::string& data, const code::DType& dtype, const std::vector<symbolic::Expr>& shape, bool scalar);

/// The type that a reduction (`sum`, `max`, ...) computes in.
code::DType accumulator(const std::string& operation, const code::DType& type);

/// Of an array or a number that has been stored: weak or not.
code::DType strong(const code::Type& type);
/// NumPy's casting rule "same_kind": no values of a richer kind; a number of Python's fits every type of its kind.
bool can_cast(const code::Type& from, const code::DType& to);

/// Adds the symbols by which sizes, places and the value itself count.
void add_value_symbols(const Value& value, std::set<std::string>& symbols);
/// Replaces iteration symbols in operands and code at once.
Value substitute(const Value& value, const symbolic::Substitution& replacement);
/// The same where some replacements are computed from data: operands that depend on one of `dynamic` become whole containers,
/// subscripted in the code by the trees given; `operands` are what those trees read.
Value substitute_dynamic(const Value& value, const symbolic::Substitution& replacement,
                         const std::map<std::string, code::ExprPtr>& dynamic, const std::map<std::string, Operand>& operands);

/// The single operand of a value that is nothing but an element of a container: what can be assigned to.
const Operand* as_view(const Value& value);
/// The size of `A[:, k:k + 1]` where k may lie outside: one element, or none.
bool is_one_or_none(const symbolic::Expr& size, const symbolic::Assumptions& known);
/// The real or imaginary part of such an array. NumPy's is a view: it moves with the array, so it is computed wherever it is read.
/// Its single operand; null for anything else.
const Operand* as_part(const Value& value);
/// The elements that a view covers, one range for each dimension of its container; nullopt if an index is not affine with a
/// constant step in one iteration symbol.
std::optional<symbolic::Subset> subset_of_view(const Operand& operand, const std::vector<symbolic::Expr>& shape);
/// A view of all elements of the container in order.
bool is_identity(const Operand& operand, std::size_t rank);
/// Refuses what has no truth: F001 for no number, F004 for an array.
void refuse_array_truth(const Value& value, const Span& span);

}  // namespace sluice::frontend
