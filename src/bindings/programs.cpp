// @program functions: their source with the meaning of its free names, and the graphs made of them.
#include <nanobind/stl/array.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"
#include "bindings/objects.h"
#include "driver/python_source.h"

namespace sluice::bindings {

namespace {

struct PyProgram {
    std::shared_ptr<const driver::python::Program> program;
};

driver::python::NumberBinding number_binding(nb::handle value) {
    driver::python::NumberBinding number;
    nb::object plain = nb::borrow(value);
    if (nb::hasattr(value, "dtype")) {
        number.dtype = dtype_from(value.attr("dtype"));
        plain = value.attr("item")();
    }
    if (PyBool_Check(plain.ptr()))
        number.value = plain.ptr() == Py_True;
    else if (PyLong_Check(plain.ptr()))
        number.value = nb::cast<std::int64_t>(plain);
    else if (PyComplex_Check(plain.ptr()))
        number.value = std::pair(PyComplex_RealAsDouble(plain.ptr()), PyComplex_ImagAsDouble(plain.ptr()));
    else
        number.value = nb::cast<double>(plain);
    return number;
}

/// `kind` was decided by the package from the value's Python type.
driver::python::Binding binding_from(const std::string& kind, nb::handle value) {
    if (kind == "module") return driver::python::ModuleBinding{nb::cast<std::string>(value)};
    if (kind == "function") return driver::python::FunctionBinding{nb::cast<std::string>(value)};
    if (kind == "program") return driver::python::ProgramBinding{nb::cast<PyProgram&>(value).program};
    if (kind == "number") return number_binding(value);
    if (kind == "type") {
        driver::python::ArgumentType* type = nullptr;
        if (nb::try_cast(value, type) && type) return driver::python::TypeBinding{*type};
        return driver::python::TypeBinding{{dtype_from(value), std::nullopt}, nb::isinstance<code::DType>(value)};
    }
    if (kind == "graph") {
        const auto given = nb::cast<nb::tuple>(value);
        auto& graph = nb::cast<Graph&>(given[0]);
        graph.propagate();
        return driver::python::GraphBinding{std::make_shared<const ir::Sdfg>(graph.sdfg),
                                            nb::cast<std::vector<std::string>>(given[1]), graph.forms};
    }
    if (kind == "expression") return driver::python::ExpressionBinding{nb::cast<PyExpr&>(value).value};
    if (kind == "array")
        return driver::python::ArrayBinding{argument_type_of(value), reinterpret_cast<std::uintptr_t>(value.ptr())};
    check(kind == "symbol", "no binding of kind ", kind);
    const auto& symbol = nb::cast<PyExpr&>(value);
    return driver::python::SymbolBinding{symbol.value.name(), symbol.dtype.value_or(code::Scalar::Int64)};
}

/// (text, file, first line)
driver::python::FunctionSource function_source(const nb::handle& given) {
    const auto [text, file, line] = nb::cast<std::tuple<std::string, std::string, std::uint32_t>>(given);
    return {text, file, line};
}

/// (names of the class and its bases, methods as (place among these, source), names of properties, of static methods and
/// of methods of the class, constants as text by name)
driver::python::ClassSource class_source(const nb::tuple& given) {
    driver::python::ClassSource result{
        nb::cast<std::vector<std::string>>(given[0]), {},
        nb::cast<std::set<std::string>>(given[2]),    nb::cast<std::set<std::string>>(given[3]),
        nb::cast<std::set<std::string>>(given[4]),    nb::cast<std::map<std::string, std::string>>(given[5])};
    for (const nb::handle one : given[1]) {
        const auto method = nb::cast<nb::tuple>(one);
        result.methods.emplace_back(nb::cast<std::size_t>(method[0]), function_source(method[1]));
    }
    return result;
}

PyProgram parse_program(const std::string& source, const std::string& file, std::uint32_t first_line, nb::dict bindings,
                        nb::dict annotations, nb::dict defaults, nb::dict fields, nb::dict known, nb::list removed, bool bound,
                        bool of_dace, bool strict, const std::set<std::string>& untyped) {
    driver::python::Bindings globals;
    driver::python::Definition definition;
    for (const auto [key, entry] : bindings) {
        const auto pair = nb::cast<nb::tuple>(entry);
        const auto name = nb::cast<std::string>(key), kind = nb::cast<std::string>(pair[0]);
        if (pair.size() > 2) definition.helpers.emplace(name, function_source(pair[2]));
        if (kind == "constant")
            definition.constants.emplace(name, nb::cast<std::string>(pair[1]));
        else if (kind == "object")
            definition.objects.insert(name);
        else if (kind == "class")
            definition.classes.emplace(name, class_source(nb::cast<nb::tuple>(pair[1])));
        else if (kind == "helper")
            definition.helpers.emplace(name, function_source(pair[1]));
        else
            globals.emplace(name, binding_from(kind, pair[1]));
    }
    for (const auto [name, value] : annotations)
        definition.annotations.emplace(nb::cast<std::string>(name), argument_type_of(value));
    for (const auto [path, name] : fields) definition.fields.emplace(nb::cast<std::string>(path), nb::cast<std::string>(name));
    definition.bound = bound;
    definition.of_dace = of_dace;
    definition.strict = strict;
    definition.untyped = untyped;
    for (const auto name : removed) definition.removed.insert(nb::cast<std::string>(name));
    for (const auto [place, value] : known) {
        const auto [text, function, dropped, keywords] =
            nb::cast<std::tuple<std::string, std::string, std::set<std::size_t>, std::set<std::string>>>(value);
        definition.known.emplace(nb::cast<driver::python::ExpressionPlace>(place),
                                 driver::python::KnownExpression{text, function, dropped, keywords});
    }
    for (const auto [name, value] : defaults) definition.defaults.emplace(nb::cast<std::string>(name), number_binding(value));
    return {std::make_shared<driver::python::Program>(
        unwrap(driver::python::parse_program(source, file, first_line, std::move(globals), std::move(definition))))};
}

nb::list parameters(const PyProgram& program) {
    nb::list result;
    for (const driver::python::ProgramParameter& parameter : unwrap(driver::python::parameters(*program.program)))
        result.append(
            nb::make_tuple(parameter.name, parameter.type ? nb::cast(*parameter.type) : nb::none(), parameter.has_default));
    return result;
}

/// `shared`: parameter -> (container, name of the symbol that says where in it its first element lies, element type, layout). The
/// layout is "C", "F" (the container is the whole array, transposed) or a tuple of strides in elements.
Graph build(const PyProgram& program, nb::dict types, nb::dict shared, bool check) {
    std::map<std::string, driver::python::ArgumentType> argument_types;
    for (const auto [name, value] : types) argument_types.emplace(nb::cast<std::string>(name), argument_type_of(value));
    driver::python::Sharing sharing;
    for (const auto [name, value] : shared) {
        const auto place = nb::cast<nb::tuple>(value);
        const auto container = nb::cast<std::string>(place[0]);
        driver::python::SharedParameter one;
        one.container = container;
        one.dtype = dtype_from(place[2]);
        one.container_shape = {symbolic::symbol("size" + container)};
        one.begin = symbolic::symbol(nb::cast<std::string>(place[1]));
        if (nb::isinstance<nb::tuple>(place[3]))
            for (const auto stride : nb::cast<nb::tuple>(place[3])) one.strides.emplace_back(nb::cast<std::int64_t>(stride));
        one.transposed = place[3].equal(nb::str("F"));
        sharing.emplace(nb::cast<std::string>(name), std::move(one));
    }
    Graph graph;
    graph.sdfg = unwrap(driver::python::build(*program.program, argument_types, sharing, check, &graph.forms));
    return graph;
}

Graph build_of_objects(const PyProgram& program, const std::string& given, bool arrays) {
    Graph graph;
    graph.sdfg = unwrap(driver::python::build_of_objects(*program.program, given, arrays, graph.forms));
    return graph;
}

}  // namespace

void bind_programs(nb::module_& module) {
    nb::class_<PyProgram>(module, "ParsedProgram", "A @program function with what its free names mean.")
        .def_prop_ro(
            "draws", [](const PyProgram& program) { return driver::python::draws_from_shared_generator(*program.program); },
            "Whether it draws from the random generator that a process shares.")
        .def_prop_ro(
            "makes_objects", [](const PyProgram& program) { return program.program->over_objects != nullptr; },
            "Whether it makes objects of the user's classes.")
        .def_prop_ro(
            "needs_objects", [](const PyProgram& program) { return program.program->refused.has_value(); },
            "Whether variables cannot stand for these objects.")
        .def("parameters", &parameters, "(name, annotated type or None, whether it has a default) in order.")
        .def("build", &build, nb::arg("types"), nb::arg("shared") = nb::dict(), nb::arg("check") = false,
             "The SDFG; `types` holds types of the parameters without annotation.")
        .def("build_of_objects", &build_of_objects, nb::arg("given"), nb::arg("arrays"),
             "The SDFG for parameters that are objects of Python's, whose form is given (write_objects); arrays: NumPy's arrays "
             "are among "
             "its objects.");
    module.def("write_objects", &write_objects, nb::arg("values"),
               "(form, integers, floats, objects) of a tuple of Python's objects; None where compiled code cannot have them.");
    module.def("read_objects", &read_objects, nb::arg("forms"), nb::arg("whole"), nb::arg("real"), nb::arg("given"),
               "What a program over objects returned; the objects of `given` have what it left in them.");
    module.def(
        "refuse",
        [](const std::string& code, const std::string& message, const std::string& remedy) {
            fail({.code = code, .message = message, .where = {}, .path = {}, .remedy = remedy, .notes = {}});
        },
        nb::arg("code"), nb::arg("message"), nb::arg("remedy"), "Raises the exception of a diagnostic.");
    module.def("parse_program", &parse_program, nb::arg("source"), nb::arg("file"), nb::arg("first_line"), nb::arg("bindings"),
               nb::arg("annotations") = nb::dict(), nb::arg("defaults") = nb::dict(), nb::arg("fields") = nb::dict(),
               nb::arg("known") = nb::dict(), nb::arg("removed") = nb::list(), nb::arg("bound") = false, nb::arg("of_dace") = false,
               nb::arg("strict") = false, nb::arg("untyped") = std::set<std::string>());
}

}  // namespace sluice::bindings
