// What Python asks of a whole graph besides running it: pictures, generated code, other names and values, its state for pickle, and
// which properties its elements have.
#include <nanobind/stl/tuple.h>

#include "bindings/fields.h"
#include "bindings/graph.h"
#include "driver/compile.h"
#include "driver/formats.h"
#include "driver/print_program.h"
#include "driver/renaming.h"

namespace sluice::bindings {

namespace {

nb::bytes drawing(Graph& graph, const std::string& form) {
    graph.propagate();
    const auto which = form == "dot"   ? driver::PictureForm::dot
                       : form == "svg" ? driver::PictureForm::svg
                       : form == "png" ? driver::PictureForm::png
                                       : driver::PictureForm::html;
    const std::string bytes = unwrap(driver::drawing(graph.sdfg, which));
    return nb::bytes(bytes.data(), bytes.size());
}

/// (name, C++ source, C header) of what compile() would compile.
nb::tuple generated(Graph& graph, const std::string& optimize, const std::string& target) {
    const driver::Level level = driver::chosen_level(optimize);
    driver::CompileOptions options;
    options.target = target;
    options.decide = level != driver::Level::O0;
    driver::CompileTimes times;
    const driver::Printed printed = driver::print_program(optimised(graph, level), options, times);
    return nb::make_tuple(printed.name, printed.source(), printed.header());
}

void rename(Graph& graph, const std::string& from, const std::string& to) {
    if (graph.forms.results.contains(from) || from.starts_with("__return"))
        throw nb::value_error(("`" + from + "` is a result of the program: its name says so").c_str());
    graph.propagate();
    ir::Sdfg renamed = graph.sdfg;
    driver::rename(renamed, from, to);
    for (auto& [name, form] : graph.forms.results)
        for (auto& view : form.views)
            if (view && view->container == from) view->container = to;
    graph.sdfg = std::move(renamed);
    ++graph.version;
}

void specialize(Graph& graph, const std::map<std::string, std::string>& values) {
    graph.propagate();
    ir::Sdfg special = graph.sdfg;
    driver::specialize(special, values);
    symbolic::Substitution replacement;
    for (const auto& [name, text] : values) replacement.emplace(name, unwrap(symbolic::parse(text)));
    for (auto& [name, form] : graph.forms.results)
        for (auto& view : form.views)
            if (view)
                for (symbolic::Expr& index : view->index) index = symbolic::substitute(index, replacement);
    graph.sdfg = std::move(special);
    ++graph.version;
}

// ---- pickle -------------------------------------------------------------------------------------------------------------
using Views = std::vector<std::optional<std::tuple<std::string, std::vector<std::string>, std::string>>>;
/// number, shape, views, choice, shared.
using FormOfResult = std::tuple<std::optional<int>, std::string, Views, std::string, bool>;

FormOfResult state_of(const driver::python::ReturnedForm& form) {
    Views views;
    for (const auto& view : form.views) {
        views.emplace_back();
        if (!view) continue;
        std::vector<std::string> index;
        for (const symbolic::Expr& one : view->index) index.push_back(symbolic::to_string(one));
        views.back().emplace(view->container, std::move(index), view->part);
    }
    return {form.number ? std::optional(static_cast<int>(*form.number)) : std::nullopt, form.shape, std::move(views), form.choice,
            form.shared};
}

driver::python::ReturnedForm form_of(const FormOfResult& state) {
    driver::python::ReturnedForm form;
    const auto& [number, shape, views, choice, shared] = state;
    if (number) form.number = static_cast<driver::python::NumberKind>(*number);
    form.shape = shape;
    for (const auto& view : views) {
        form.views.emplace_back();
        if (!view) continue;
        const auto& [container, index, part] = *view;
        form.views.back().emplace();
        form.views.back()->container = container;
        for (const std::string& one : index) form.views.back()->index.push_back(unwrap(symbolic::parse(one)));
        form.views.back()->part = part;
    }
    form.choice = choice;
    form.shared = shared;
    return form;
}

nb::tuple state(Graph& graph) {
    graph.propagate();
    std::map<std::string, FormOfResult> forms;
    for (const auto& [name, form] : graph.forms.results) forms.emplace(name, state_of(form));
    const std::string bytes = driver::to_json(graph.sdfg, {});
    return nb::make_tuple(nb::bytes(bytes.data(), bytes.size()), graph.recipe, forms, graph.forms.structures);
}

Graph graph_of_state(nb::bytes bytes, const std::string& recipe, const std::map<std::string, FormOfResult>& forms,
                     const std::vector<std::string>& structures) {
    Graph graph;
    graph.sdfg = unwrap(driver::from_json(std::string_view(bytes.c_str(), bytes.size())));
    graph.recipe = recipe;
    for (const auto& [name, form] : forms) graph.forms.results.emplace(name, form_of(form));
    graph.forms.structures = structures;
    return graph;
}

// ---- properties of states, loops and the graph itself ---------------------------------------------------------------------
/// Calls use(struct) with what the path names: the graph, a state, a loop or a named region.
template <class Use> bool with_element(Graph& graph, const Path& path, bool edit, Use&& use) {
    if (path.empty()) return use(graph.sdfg);
    ir::Block& block = edit ? graph.edit_block(path) : const_cast<ir::Block&>(graph.block(path));
    if (auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) return use(*loop);
    if (auto* region = std::get_if<ir::NamedRegion>(&block.kind)) return use(*region);
    if (auto* state = std::get_if<Cow<ir::State>>(&block.kind)) {
        if (edit) return use(state->edit());
        ir::State copy = **state;
        return use(copy);
    }
    return false;
}

nb::object get_element(Graph& graph, const Path& path, const std::string& name) {
    nb::object result = nb::none();
    if (!with_element(graph, path, false, [&](auto& element) { return get_field(element, name, result); }))
        throw nb::attribute_error(("there is no property " + name).c_str());
    return result;
}

void set_element(Graph& graph, const Path& path, const std::string& name, const std::optional<nb::object>& value) {
    ++graph.version;
    const nb::object given = value.value_or(nb::none());
    if (!with_element(graph, path, true, [&](auto& element) { return set_field(element, name, given); }))
        throw nb::attribute_error(("there is no property " + name).c_str());
}

template <class... Structs> std::vector<std::string> names_of_fields() {
    std::vector<std::string> names;
    const auto add = [&](auto element) { each_field(element, [&](std::string_view name, auto&) { names.emplace_back(name); }); };
    (add(Structs{}), ...);
    return names;
}

std::map<std::string, std::vector<std::string>> properties() {
    return {{"SDFG", names_of_fields<ir::Sdfg>()},
            {"SDFGState", names_of_fields<ir::State>()},
            {"LoopRegion", names_of_fields<ir::LoopRegion>()},
            {"Descriptor", names_of_fields<ir::Container, ir::Array, ir::Stream>()},
            {"Memlet", names_of_fields<ir::Memlet>()},
            {"AccessNode", names_of_fields<ir::Access>()},
            {"Tasklet", names_of_fields<ir::Tasklet>()},
            {"MapEntry", names_of_fields<ir::MapEntry>()},
            {"ConsumeEntry", names_of_fields<ir::ConsumeEntry>()},
            {"NestedSDFG", names_of_fields<ir::NestedSdfg>()},
            {"LibraryNode", names_of_fields<ir::LibraryNode>()}};
}

}  // namespace

void bind_graph_exports(nb::module_& module) {
    module.def(
        "emit",
        [](Graph& graph, const std::string& folder, const std::string& optimize, const std::string& target) {
            const driver::Level level = driver::chosen_level(optimize);
            driver::CompileOptions options;
            options.decide = level != driver::Level::O0;
            options.target = target;
            unwrap(driver::emit(optimised(graph, level, {}, target), folder, options));
        },
        nb::arg("graph"), nb::arg("folder"), nb::arg("optimize"), nb::arg("target"));
    auto type = nb::borrow<nb::class_<Graph>>(module.attr("Graph"));
    type.def("drawing", &drawing)
        .def("generated", &generated)
        .def("rename", &rename)
        .def("specialize", &specialize)
        .def("state", &state)
        .def("get_element", &get_element)
        .def("set_element", &set_element)
        .def("set_transition", [](Graph& graph, const Path& path, std::uint32_t id, const std::string& condition,
                                  const std::vector<std::pair<std::string, std::string>>& assignments) {
            ir::Transition& transition = graph.edit_region(path).transitions[ir::TransitionId(id)];
            transition.condition = {condition, ir::Language::Python};
            transition.assignments = assignments;
        });
    module.def("graph_of_state", &graph_of_state);
    module.def("properties", &properties);
}

}  // namespace sluice::bindings
