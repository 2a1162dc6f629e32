// Transformations from Python: matches, applications, recipes, and transformations that are Python classes.
#include "rewrite/session.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"
#include "rewrite/plugin.h"
#include "transform/registry.h"

namespace nb = nanobind;

namespace sluice::bindings {

namespace {

/// The built-in ones, and those that Python has added.
rewrite::Registry& registry() {
    static rewrite::Registry all = transform::builtin();
    return all;
}

/// The objects of Python that `registry` calls.
std::vector<nb::object>& registered() {
    static std::vector<nb::object> objects;
    return objects;
}

rewrite::Application application_of(const std::string& name, const std::string& path,
                                    const std::map<std::string, std::string>& nodes,
                                    const std::map<std::string, std::string>& options, const std::vector<std::string>& assumed) {
    return {.transformation = name, .path = path, .nodes = nodes, .options = options, .assumed = assumed};
}

/// Runs `edit` on a session over the graph; what it applied is added to the graph's recipe.
template <class Edit> auto in_session(Graph& graph, Edit&& edit) {
    graph.propagate();
    rewrite::Session session(graph.sdfg, registry());
    auto result = edit(session).or_fail();
    if (session.trace().empty()) return result;
    graph.sdfg = session.program();
    graph.recipe += session.recipe();
    ++graph.version;
    return result;
}

/// (path, names of the nodes, the line, why not or None) of every match.
nb::list matches(Graph& graph, const std::string& name, const std::map<std::string, std::string>& options) {
    graph.propagate();
    const rewrite::Transformation& transformation = registry().at(name);
    const rewrite::Descriptor& descriptor = transformation.descriptor;
    const rewrite::Options values = rewrite::options_of(descriptor, application_of(name, "", {}, options, {})).or_fail();
    const rewrite::Session session(graph.sdfg, registry());
    const ir::Sdfg& program = session.program();
    nb::list found;
    for (const rewrite::Match& match : rewrite::find_matches(program, descriptor)) {
        const rewrite::Application application = rewrite::describe(program, descriptor, match, values);
        const auto refusal = rewrite::can_apply(program, transformation, match, values).or_fail();
        nb::object why = nb::none();
        if (refusal) why = nb::cast(render(rewrite::to_diagnostic(program, descriptor, match, *refusal)));
        found.append(nb::make_tuple(application.path, application.nodes, rewrite::to_string(application), why));
    }
    return found;
}

std::size_t apply_repeated(Graph& graph, const std::vector<std::string>& names, const std::map<std::string, std::string>& options,
                           std::size_t limit) {
    rewrite::Options values;
    if (!options.empty())
        values =
            rewrite::options_of(registry().at(names.at(0)).descriptor, application_of(names[0], "", {}, options, {})).or_fail();
    return in_session(graph, [&](rewrite::Session& session) { return session.apply_repeated(names, values, limit); });
}

std::size_t simplify(Graph& graph) {
    return in_session(graph, [](rewrite::Session& session) { return session.simplify(); });
}

// ---- transformations that are Python classes ------------------------------------------------------------------------------
/// Path of a state or region within its SDFG, as Python's handles have it.
Path path_of(const rewrite::Place& place) {
    Path path;
    for (const rewrite::RegionStep& step : place.regions) {
        path.push_back(step.block.value);
        path.push_back(step.branch);
    }
    if (place.state.valid()) path.push_back(place.state.value);
    return path;
}

/// What a Python method is given: the SDFG of the match, the path, ids by name, options as texts.
nb::tuple arguments_of(const Graph& graph, const rewrite::Site& site, const rewrite::Descriptor& descriptor) {
    nb::dict ids, options;
    const rewrite::Match& match = site.match();
    const auto& places = descriptor.patterns[match.pattern].nodes;
    for (std::size_t at = 0; at < places.size(); ++at)
        ids[places[at].name.c_str()] = match.nodes.empty() ? match.blocks[at].value : match.nodes[at].value;
    for (const rewrite::Parameter& parameter : descriptor.parameters)
        options[parameter.name.c_str()] = rewrite::to_string(site.option(parameter.name));
    return nb::make_tuple(nb::cast(graph, nb::rv_policy::copy), path_of(match.place), ids, options);
}

std::optional<rewrite::Refusal> ask(nb::handle object, const rewrite::Descriptor& descriptor, const rewrite::Site& site) {
    const nb::gil_scoped_acquire gil;
    const nb::object answer = object.attr("_can_apply")(*arguments_of(Graph{site.sdfg(), 0, {}, {}}, site, descriptor));
    if (answer.is_none()) return {};
    const auto [code, why, nodes] = nb::cast<std::tuple<std::string, std::string, std::vector<std::uint32_t>>>(answer);
    rewrite::Refusal refusal{.code = code, .why = why};
    for (const std::uint32_t id : nodes) refusal.nodes.emplace_back(id);
    return site.unless_assumed(std::move(refusal));
}

void edit(nb::handle object, const rewrite::Descriptor& descriptor, rewrite::Draft& draft) {
    const nb::gil_scoped_acquire gil;
    const nb::tuple arguments = arguments_of(Graph{draft.sdfg(), 0, {}, {}}, draft.before(), descriptor);
    object.attr("_apply")(*arguments);
    auto& graph = nb::cast<Graph&>(arguments[0]);
    graph.propagate();
    draft.sdfg() = graph.sdfg;
}

/// `patterns`: of each alternative the places as (name, kinds, operation) and the edges.
using PatternTuple = std::pair<std::vector<std::tuple<std::string, rewrite::Kinds, std::string>>,
                               std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

void add_transformation(nb::object object, const std::string& name, const std::string& summary,
                        const std::vector<PatternTuple>& patterns, const std::map<std::string, std::string>& conditions,
                        const std::vector<std::tuple<std::string, nb::object, std::string>>& parameters) {
    rewrite::Descriptor descriptor{
        .name = name, .group = "user", .summary = summary, .drawing = "", .patterns = {}, .conditions = {}};
    for (const auto& [places, edges] : patterns) {
        rewrite::Pattern pattern{.nodes = {}, .edges = edges};
        for (const auto& [place, kinds, operation] : places) pattern.nodes.push_back({place, kinds, operation});
        descriptor.patterns.push_back(std::move(pattern));
    }
    for (const auto& [code, sentence] : conditions) descriptor.conditions.push_back({code, sentence});
    for (const auto& [parameter, value, help] : parameters) {
        rewrite::OptionValue initial = std::string();
        if (nb::isinstance<nb::bool_>(value))
            initial = nb::cast<bool>(value);
        else if (nb::isinstance<nb::int_>(value))
            initial = nb::cast<std::int64_t>(value);
        else if (nb::isinstance<nb::str>(value))
            initial = nb::cast<std::string>(value);
        else if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value))
            initial = exprs_from(value);
        else
            initial = expr_from(value);
        descriptor.parameters.push_back({parameter, std::move(initial), help});
    }
    // The registry outlives the interpreter, so it must not own what the interpreter frees.
    const nb::handle kept = registered().emplace_back(std::move(object));
    registry().add({.descriptor = descriptor,
                    .can_apply = [kept, descriptor](const rewrite::Site& site) { return ask(kept, descriptor, site); },
                    .apply = [kept, descriptor](rewrite::Draft& draft) { edit(kept, descriptor, draft); }});
}

nb::dict describe(const std::string& name) {
    const rewrite::Descriptor& descriptor = registry().at(name).descriptor;
    nb::dict result, conditions, parameters;
    for (const rewrite::Condition& condition : descriptor.conditions) conditions[condition.code.c_str()] = condition.sentence;
    for (const rewrite::Parameter& parameter : descriptor.parameters)
        parameters[parameter.name.c_str()] = nb::make_tuple(rewrite::to_string(parameter.default_value), parameter.help);
    result["name"] = descriptor.name;
    result["group"] = descriptor.group;
    result["summary"] = descriptor.summary;
    result["drawing"] = descriptor.drawing;
    result["conditions"] = conditions;
    result["parameters"] = parameters;
    return result;
}

}  // namespace

void bind_rewrite(nb::module_& module) {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        registry() = transform::builtin();
        registered().clear();
    }));
    auto type = nb::borrow<nb::class_<Graph>>(module.attr("Graph"));
    type.def("matches", &matches)
        .def("apply",
             [](Graph& self, const std::string& name, const std::string& path, const std::map<std::string, std::string>& nodes,
                const std::map<std::string, std::string>& options, const std::vector<std::string>& assumed) {
                 in_session(self, [&](rewrite::Session& session) {
                     return session.apply(application_of(name, path, nodes, options, assumed));
                 });
             })
        .def("apply_repeated", &apply_repeated)
        .def("simplify", &simplify)
        .def("replay",
             [](Graph& self, const std::string& recipe, const std::string& file) {
                 in_session(self, [&](rewrite::Session& session) { return session.replay(recipe, file); });
             })
        .def("recipe", [](const Graph& self) { return self.recipe; });
    module.def("add_transformation", &add_transformation);
    module.def("load_transformations", [](const std::string& library) { return rewrite::load_plugin(registry(), library); });
    module.def("describe_transformation", &describe);
    module.def("transformations", [] {
        std::vector<std::string> names;
        for (const rewrite::Transformation* transformation : registry().all()) names.push_back(transformation->descriptor.name);
        return names;
    });
}

}  // namespace sluice::bindings
