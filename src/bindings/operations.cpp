// Operations from Python: registered classes, libraries, expansion and verification.
#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"
#include "bindings/properties.h"
#include "driver/operations.h"
#include "driver/verify_operation.h"

namespace nb = nanobind;

namespace sluice::bindings {

namespace {

/// The objects of Python that operations call. The registry outlives the interpreter, so it must not own what the interpreter
/// frees.
std::vector<nb::object>& owners() {
    static std::vector<nb::object> objects;
    return objects;
}

nb::object to_python(const ir::Number& number) {
    if (number.integral) return nb::cast(number.integer);
    if (number.real.imag() == 0) return nb::cast(number.real.real());
    return nb::steal(PyComplex_FromDoubles(number.real.real(), number.real.imag()));
}

ir::Number number_from(nb::handle value) {
    if (PyBool_Check(value.ptr())) return std::int64_t{value.ptr() == Py_True};
    if (PyLong_Check(value.ptr())) return nb::cast<std::int64_t>(value);
    if (PyComplex_Check(value.ptr()))
        return std::complex<double>(PyComplex_RealAsDouble(value.ptr()), PyComplex_ImagAsDouble(value.ptr()));
    return nb::cast<double>(value);
}

nb::dict properties_dict(const std::map<std::string, ir::Property>& properties) {
    nb::dict result;
    for (const auto& [name, value] : properties) result[name.c_str()] = property_object(value);
    return result;
}

/// `_run_reference({connector: (sizes, type, elements)}, properties)` returns {connector: elements} of the outputs.
std::map<std::string, std::vector<ir::Number>> run_reference(nb::handle object, const ir::Operands& operands,
                                                             const driver::OperationProperties& properties) {
    const nb::gil_scoped_acquire gil;
    nb::dict given;
    for (const auto& [connector, operand] : operands) {
        nb::list values;
        for (const ir::Number& value : operand.values) values.append(to_python(value));
        given[connector.c_str()] = nb::make_tuple(nb::cast(operand.shape), std::string(code::scalar_name(operand.type)), values);
    }
    std::map<std::string, std::vector<ir::Number>> results;
    const auto answer = nb::cast<nb::dict>(object.attr("_run_reference")(given, properties_dict(properties)));
    for (const auto [connector, values] : answer) {
        std::vector<ir::Number>& elements = results[nb::cast<std::string>(connector)];
        for (nb::handle value : nb::cast<nb::list>(values)) elements.push_back(number_from(value));
    }
    return results;
}

driver::OperationProperties properties_from(nb::dict given) {
    driver::OperationProperties values;
    for (const auto [key, value] : given) values.emplace(nb::cast<std::string>(key), property_from(value));
    return values;
}

/// `_run_expansion(name, graph, operands, properties, parallel)` fills the graph and returns None, or returns (operation, inputs,
/// outputs, properties) of another operation.
std::optional<driver::UserReplacement> run_expansion(nb::handle object, const std::string& name, driver::UserNode& node) {
    const nb::gil_scoped_acquire gil;
    nb::dict operands;
    for (const auto& [connector, operand] : node.operands) {
        nb::list shape, strides;
        for (const ir::Expr& size : operand.shape) shape.append(nb::cast(PyExpr{size, {}}));
        for (const ir::Expr& stride : operand.strides) strides.append(nb::cast(PyExpr{stride, {}}));
        operands[connector.c_str()] = nb::make_tuple(code::to_string(operand.type), shape, strides);
    }
    const nb::object held = nb::cast(Graph{node.body, 0, {}, {}});
    const nb::object answer = object.attr("_run_expansion")(name, held, operands, properties_dict(node.properties), node.parallel);
    if (answer.is_none()) {
        auto& filled = nb::cast<Graph&>(held);
        filled.propagate();
        node.body = filled.sdfg;
        return {};
    }
    const auto [operation, inputs, outputs, given] =
        nb::cast<std::tuple<std::string, std::map<std::string, std::string>, std::map<std::string, std::string>, nb::dict>>(answer);
    return driver::UserReplacement{operation, inputs, outputs, properties_from(given)};
}

/// Name, summary, environment, one at a time.
using ExpansionTuple = std::tuple<std::string, std::string, std::string, bool>;

driver::UserExpansion expansion_of(nb::handle kept, const ExpansionTuple& described) {
    const auto& [name, summary, environment, one_at_a_time] = described;
    return {.name = name,
            .summary = summary,
            .environment = environment,
            .one_at_a_time = one_at_a_time,
            .expand = [kept, name = name](driver::UserNode& node) { return run_expansion(kept, name, node); }};
}

void add_operation(nb::object object, const std::string& name, const std::string& classpath, const std::string& summary,
                   const std::vector<std::pair<std::string, nb::dict>>& forms,
                   const std::vector<std::tuple<std::string, nb::object, std::string>>& properties,
                   const std::vector<std::string>& types, bool element_wise, const std::vector<ExpansionTuple>& expansions) {
    driver::UserOperation operation{
        .name = name, .classpath = classpath, .summary = summary, .types = types, .element_wise = element_wise};
    for (const auto& [text, where] : forms) operation.forms.emplace_back(text, properties_from(where));
    for (const auto& [property, value, help] : properties) operation.properties.emplace_back(property, property_from(value), help);
    const nb::handle kept = owners().emplace_back(std::move(object));
    operation.reference = [kept](const ir::Operands& operands, const driver::OperationProperties& given) {
        return run_reference(kept, operands, given);
    };
    for (const ExpansionTuple& one : expansions) operation.expansions.push_back(expansion_of(kept, one));
    driver::add_operation(std::move(operation));
}

nb::dict verify(const std::string& name, std::uint64_t seed) {
    std::optional<Result<driver::OperationReport>> report;
    {
        const nb::gil_scoped_release release;
        report = driver::verify_operation(name, {}, seed);
    }
    nb::dict result;
    for (const driver::OperationCheck& check : unwrap(std::move(*report)).checks)
        result[check.expansion.c_str()] = nb::make_tuple(check.samples, check.differences, check.passed_over);
    return result;
}

nb::dict describe_operation(const std::string& name) {
    const driver::OperationDescription description = driver::describe_operation(name);
    nb::dict result;
    result["classpath"] = description.classpath;
    result["summary"] = description.summary;
    result["forms"] = nb::cast(description.forms);
    result["expansions"] = nb::cast(description.expansions);
    return result;
}

}  // namespace

void bind_operations(nb::module_& module) {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { owners().clear(); }));
    module.def("add_operation", &add_operation);
    module.def("add_expansion", [](nb::object object, const std::string& operation, const ExpansionTuple& described) {
        const nb::handle kept = owners().emplace_back(std::move(object));
        driver::add_expansion(operation, expansion_of(kept, described));
    });
    module.def("load_operations", [](const std::string& library) { return driver::load_operations(library); });
    module.def("add_library_folder", &driver::add_library_folder);
    module.def("add_environment",
               [](const std::string& name, const std::vector<std::string>& headers, const std::vector<std::string>& files,
                  const std::vector<std::string>& flags, const std::string& init, const std::string& exit) {
                   driver::add_environment({name, headers, files, flags, init, exit});
               });
    module.def("verify_operation", &verify);
    module.def("describe_operation", &describe_operation);
    module.def("operations", &driver::operation_names);
}

}  // namespace sluice::bindings
