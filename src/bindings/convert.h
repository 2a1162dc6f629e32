// Values across the border: Python objects to expressions, types and subsets, and failures to exceptions.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "code/dtype.h"
#include "driver/python_source.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::bindings {

namespace nb = nanobind;

/// A symbolic expression as Python sees it; a bare symbol knows its declared type.
struct PyExpr {
    symbolic::Expr value;
    std::optional<code::DType> dtype;
};

/// `CompileError`, made when the module is.
extern PyObject* compile_error;
/// `ShapeError`, a CompileError: what NumPy refuses with a ValueError or an IndexError, both of which it is (F004, F007).
extern PyObject* shape_error;

/// Sets the Python exception for a diagnostic: TypeError for wrong types and missing arguments (A002, A005, A008), ValueError for
/// other wrong arguments (A...), ShapeError and CompileError for everything else. The text is the rendered diagnostic with its
/// source line; the attributes `code`, `message`, `remedy`, `path`, `filename`, `lineno` and `offset` hold its parts.
void set_error(const Diagnostic& diagnostic);
/// The note of an error in front of which nothing of the caller's has been changed: Python may make the call again.
inline constexpr const char* kUnchanged = "nothing has been changed";

/// The value, or throws Failure, which the module translates with set_error.
template <class T> T unwrap(Result<T> result) {
    return std::move(result).or_fail();
}

/// An int, an expression, or anything whose text is one (`"2*N + 1"`). Throws Failure S010.
symbolic::Expr expr_from(nb::handle object);
/// One extent or a sequence of them.
std::vector<symbolic::Expr> exprs_from(nb::handle object);
/// Text (`"0:N, i"`), or a sequence of indices and of (begin, end[, step]) tuples.
symbolic::Subset subset_from(nb::handle object);
/// Our type, a name, `int`, `float`, `bool`, `complex`, or anything that numpy.dtype understands. Throws Failure A008.
code::DType dtype_from(nb::handle object);
/// What a value passed to an unannotated parameter says of the parameter: an array's element type and sizes, a number's type.
driver::python::ArgumentType argument_type_of(nb::handle value);
std::string to_string(const driver::python::ArgumentType& type);

/// NumPy's name of a type: `bool` for our `bool`. Empty where NumPy has none.
std::string numpy_name(const code::DType& type);

void bind_types(nb::module_& module);
void bind_enumerations(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_schedule(nb::module_& module);
void bind_graph_nodes(nb::module_& module);
void bind_graph_exports(nb::module_& module);
void bind_programs(nb::module_& module);
void bind_compiled(nb::module_& module);
void bind_usual_calls(nb::module_& module);
void bind_rewrite(nb::module_& module);
void bind_tuning(nb::module_& module);
void bind_profile(nb::module_& module);
void bind_operations(nb::module_& module);
void bind_activity(nb::module_& module);

}  // namespace sluice::bindings
