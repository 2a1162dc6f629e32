#include "bindings/convert.h"

#include <algorithm>
#include <map>
#include <string>

#include "bindings/device_array.h"
#include "support/diagnostic.h"

namespace sluice::bindings {

PyObject* compile_error = nullptr;
PyObject* shape_error = nullptr;

namespace {

/// The text of a source file as Python's own tracebacks see it: notebooks and consoles included.
std::string source_of(const Span& where) {
    if (!where.known() || !where.file) return {};
    try {
        const nb::object lines = nb::module_::import_("linecache").attr("getlines")(*where.file);
        return nb::cast<std::string>(nb::str("").attr("join")(lines));
    } catch (nb::python_error&) {
        return {};
    }
}

}  // namespace

namespace {

/// The exception of Python's that the text `KeyError: ...` begins with; RuntimeError where it names none.
PyObject* raised_type(const std::string& message) {
    const std::string name = message.substr(0, message.find(':'));
    if (name == "StatisticsError") return nb::module_::import_("statistics").attr("StatisticsError").ptr();
    const nb::object builtins = nb::module_::import_("builtins");
    if (!nb::hasattr(builtins, name.c_str())) return PyExc_RuntimeError;
    const nb::object type = builtins.attr(name.c_str());
    return PyExceptionClass_Check(type.ptr()) ? type.ptr() : PyExc_RuntimeError;
}

/// What is said of a key: a number or tuple that a table has not, or a text in quotes.
nb::object key_of(const std::string& said) {
    try {
        return nb::module_::import_("ast").attr("literal_eval")(said);
    } catch (nb::python_error&) {
        return nb::str(said.c_str());
    }
}

/// An exception that says what the program says and nothing more, as in Python; where and why stand in its note.
nb::object raised_as_written(const nb::object& kind, const std::string& message, const std::string& note) {
    const std::size_t colon = message.find(": ");
    const bool own = message == "RuntimeError" || message.starts_with("RuntimeError: ");
    const bool of_others = kind.ptr() == PyExc_RuntimeError && !own;
    const std::string said = of_others ? message : colon == std::string::npos ? "" : message.substr(colon + 2);
    const bool says = of_others ? !said.empty() : colon != std::string::npos;
    const nb::object error = !says ? kind() : kind.ptr() == PyExc_KeyError ? kind(key_of(said)) : kind(said);
    error.attr("add_note")(note);
    return error;
}

/// What the running Python says of a divisor that is 0: its versions differ.
std::string as_running_python(const std::string& message) {
    static const std::map<std::string, const char*> kRaising{
        {"ZeroDivisionError: division by zero", "1 / 0"},
        {"ZeroDivisionError: integer division or modulo by zero", "1 // 0"},
        {"ZeroDivisionError: integer modulo by zero", "1 % 0"},
        {"ZeroDivisionError: float division by zero", "1.0 / 0.0"},
        {"ZeroDivisionError: float floor division by zero", "1.0 // 0.0"},
        {"ZeroDivisionError: float modulo", "1.0 % 0.0"},
        {"ZeroDivisionError: float divmod()", "divmod(1.0, 0.0)"},
        {"ZeroDivisionError: 0.0 cannot be raised to a negative power", "0.0 ** -1.0"}};
    const auto raising = kRaising.find(message);
    if (raising == kRaising.end()) return message;
    try {
        nb::module_::import_("builtins").attr("eval")(raising->second);
    } catch (nb::python_error& error) {
        return "ZeroDivisionError: " + nb::cast<std::string>(nb::str(error.value()));
    }
    return message;
}

}  // namespace

void set_error(const Diagnostic& given) {
    Diagnostic diagnostic = given;
    if (diagnostic.code == "A014") diagnostic.message = as_running_python(given.message);
    std::string text = render(diagnostic, source_of(diagnostic.where));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    PyObject* type = compile_error;
    if (diagnostic.code == "A002" || diagnostic.code == "A005" || diagnostic.code == "A008")
        type = PyExc_TypeError;
    else if (diagnostic.code == "F004" || diagnostic.code == "F007")
        type = shape_error;
    else if (diagnostic.code == "D015")
        type = PyExc_MemoryError;
    else if (diagnostic.code == "A011")
        type = PyExc_IndexError;
    else if (diagnostic.code == "A012")
        type = PyExc_UnboundLocalError;
    else if (diagnostic.code == "A014" || diagnostic.code == "A017")
        type = raised_type(diagnostic.message);
    else if (diagnostic.code.starts_with("A"))
        type = PyExc_ValueError;
    const nb::object kind =
        diagnostic.code == "A013" ? nb::object(nb::module_::import_("numpy.linalg").attr("LinAlgError")) : nb::borrow(type);
    const nb::object error = diagnostic.code == "A014" ? raised_as_written(kind, diagnostic.message, text) : kind(text);
    error.attr("code") = diagnostic.code;
    error.attr("message") = diagnostic.message;
    error.attr("unchanged") = diagnostic.code == "A017" ||
                              std::ranges::any_of(diagnostic.notes, [](const Note& note) { return note.message == kUnchanged; });
    error.attr("remedy") = diagnostic.remedy;
    error.attr("path") = diagnostic.path;
    error.attr("filename") = diagnostic.where.file ? nb::object(nb::cast(*diagnostic.where.file)) : nb::none();
    error.attr("lineno") = diagnostic.where.line;
    error.attr("offset") = diagnostic.where.column_in_line();
    PyErr_SetObject(kind.ptr(), error.ptr());
}

symbolic::Expr expr_from(nb::handle object) {
    PyExpr* expr = nullptr;
    if (nb::try_cast(object, expr) && expr) return expr->value;
    if (PyLong_Check(object.ptr()) && !PyBool_Check(object.ptr())) return symbolic::Expr(nb::cast<std::int64_t>(object));
    if (PyIndex_Check(object.ptr())) return symbolic::Expr(nb::cast<std::int64_t>(nb::steal(PyNumber_Index(object.ptr()))));
    return unwrap(symbolic::parse(nb::cast<std::string>(nb::str(object))));
}

namespace {

bool is_sequence(nb::handle object) {
    return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
}

}  // namespace

std::vector<symbolic::Expr> exprs_from(nb::handle object) {
    std::vector<symbolic::Expr> result;
    if (!is_sequence(object)) return {expr_from(object)};
    for (const nb::handle part : object) result.push_back(expr_from(part));
    return result;
}

symbolic::Subset subset_from(nb::handle object) {
    if (!is_sequence(object)) return unwrap(symbolic::parse_subset(nb::cast<std::string>(nb::str(object))));
    symbolic::Subset subset;
    for (const nb::handle part : object) {
        if (!is_sequence(part)) {
            subset.dims.push_back(symbolic::Range::index(expr_from(part)));
            continue;
        }
        const std::vector<symbolic::Expr> bounds = exprs_from(part);
        if (bounds.size() < 2 || bounds.size() > 3)
            throw nb::value_error("a range is (begin, end) or (begin, end, step), end exclusive");
        subset.dims.push_back({bounds[0], bounds[1], bounds.size() == 3 ? bounds[2] : symbolic::Expr(1), 1});
    }
    return subset;
}

namespace {

[[noreturn]] void refuse_type(std::string message, std::string remedy) {
    fail({.code = "A008", .message = std::move(message), .where = {}, .path = {}, .remedy = std::move(remedy), .notes = {}});
}

}  // namespace

code::DType dtype_from(nb::handle object) {
    code::DType* type = nullptr;
    if (nb::try_cast(object, type) && type) return *type;
    if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyBool_Type)))) return code::Scalar::Bool;
    std::string name;
    if (nb::isinstance<nb::str>(object)) {
        name = nb::cast<std::string>(object);
    } else {
        try {
            name = nb::cast<std::string>(nb::module_::import_("numpy").attr("dtype")(object).attr("name"));
        } catch (nb::python_error& error) {
            refuse_type("not an element type: " + nb::cast<std::string>(nb::repr(object)),
                        "use a type of sluice or NumPy, such as sluice.float64");
        }
    }
    const std::optional<code::DType> parsed = code::parse_dtype(name);
    if (!parsed) refuse_type("not an element type: " + name, "use a type of sluice or NumPy, such as sluice.float64");
    return *parsed;
}

driver::python::ArgumentType argument_type_of(nb::handle value) {
    driver::python::ArgumentType* type = nullptr;
    if (nb::try_cast(value, type) && type) return *type;
    code::DType* dtype = nullptr;
    if (nb::try_cast(value, dtype) && dtype) return {*dtype, std::nullopt};
    if (PyBool_Check(value.ptr())) return {code::Scalar::Bool, std::nullopt, true};
    if (PyLong_Check(value.ptr())) return {code::Scalar::Int64, std::nullopt, true};
    if (PyFloat_CheckExact(value.ptr())) return {code::Scalar::Float64, std::nullopt, true};
    if (PyComplex_CheckExact(value.ptr())) return {code::Scalar::Complex128, std::nullopt, true};
    if (const auto array = device_array(value))
        return {array->dtype, std::vector<symbolic::Expr>(array->shape.begin(), array->shape.end())};
    if (!nb::hasattr(value, "dtype") || !nb::hasattr(value, "shape"))
        refuse_type(
            "an argument of type " + nb::cast<std::string>(nb::handle(value.type()).attr("__name__")) + " has no element type",
            "pass a NumPy array or a number");
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object ndarray = numpy.attr("ndarray");
    if (!value.type().is(ndarray) && nb::isinstance(value, ndarray) && !value.type().is(numpy.attr("memmap")))
        refuse_type("an array of the class " + nb::cast<std::string>(nb::handle(value.type()).attr("__name__")) +
                        " has operations of its own",
                    "pass numpy.asarray of it where its elements alone count");
    driver::python::ArgumentType result{dtype_from(value.attr("dtype")), std::nullopt};
    const bool scalar = nb::isinstance(value, numpy.attr("generic"));
    if (!scalar) result.shape = exprs_from(nb::tuple(value.attr("shape")));
    return result;
}

std::string to_string(const driver::python::ArgumentType& type) {
    std::string text = code::to_string(type.dtype);
    if (!type.shape) return type.of_python ? "Python " + text : text;
    text += "[";
    for (std::size_t d = 0; d < type.shape->size(); ++d) text += (d ? ", " : "") + symbolic::to_string((*type.shape)[d]);
    return text + "]";
}

std::string numpy_name(const code::DType& type) {
    using code::Scalar;
    if (!type.is_scalar() || type.scalar == Scalar::String) return {};
    if (type.scalar == Scalar::Float8E4M3 || type.scalar == Scalar::Float8E5M2 || type.scalar == Scalar::BFloat16) return {};
    return type.scalar == Scalar::Bool ? "bool" : std::string(code::scalar_name(type.scalar));
}

}  // namespace sluice::bindings
