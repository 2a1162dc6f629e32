// Transformations from Python: matches, applications, recipes, pipelines, and transformations that are Python classes.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"
#include "driver/session.h"
#include "driver/settings.h"
#include "driver/tuning/store.h"

namespace nb = nanobind;

namespace sluice::bindings {

driver::Transformations& transformations() {
    static driver::Transformations all;
    return all;
}

std::uint64_t& transformations_version() {
    static std::uint64_t count = 0;
    return count;
}

ir::Sdfg optimised(Graph& graph, driver::Level level, const std::string& size_class, const std::string& target) {
    graph.propagate();
    if (level == driver::Level::Decide || graph.forms.one_function) return graph.sdfg;
    if (graph.forms.one_memory && level == driver::Level::O3) level = driver::Level::O2;
    driver::Session session(graph.sdfg, transformations());
    driver::run_tuned(session, level, size_class, target).or_fail();
    return session.program();
}

namespace {

/// The objects of Python that `transformations` calls.
std::vector<nb::object>& registered() {
    static std::vector<nb::object> objects;
    return objects;
}

using Texts = std::map<std::string, std::string>;

/// The session over the graph as it is.
Graph::Work& work_on(Graph& graph) {
    graph.propagate();
    if (!graph.work || graph.work->version != graph.version || graph.work->known != transformations_version())
        graph.work.emplace(
            Graph::Work{driver::Session(graph.sdfg, transformations()), graph.version, transformations_version(), graph.recipe});
    return *graph.work;
}

/// The graph is what the session made of it.
void take_over(Graph& graph) {
    graph.sdfg = graph.work->session.program();
    graph.release();
    graph.recipe = graph.work->recipe + graph.work->session.recipe();
    graph.work->version = ++graph.version;
}

/// Runs `edit` on a session over the graph; what it applied is added to the graph's recipe.
template <class Edit> auto in_session(Graph& graph, Edit&& edit) {
    Graph::Work& work = work_on(graph);
    const std::size_t before = work.session.applied();
    auto result = edit(work.session).or_fail();
    if (work.session.applied() != before) take_over(graph);
    return result;
}

bool undo(Graph& graph) {
    if (!graph.work || graph.work->version != graph.version || !graph.work->session.undo()) return false;
    take_over(graph);
    return true;
}

/// (path, names of the nodes, the line, why not or None) of every match.
nb::list matches(Graph& graph, const std::string& name, const Texts& options) {
    nb::list found;
    for (const driver::Proposal& proposal : work_on(graph).session.matches(name, options)) {
        nb::object why = nb::none();
        if (proposal.refusal) why = nb::cast(render(*proposal.refusal));
        const driver::Application& application = proposal.application;
        found.append(nb::make_tuple(application.path, application.nodes, driver::to_string(application), why));
    }
    return found;
}

// ---- transformations that are Python classes ------------------------------------------------------------------------------
std::optional<driver::UserRefusal> ask(nb::handle object, const ir::Sdfg& sdfg, const driver::UserSite& site) {
    const nb::gil_scoped_acquire gil;
    const nb::object answer = object.attr("_can_apply")(Graph{sdfg, 0, {}, {}}, site.path, site.ids, site.options);
    if (answer.is_none()) return {};
    const auto [code, why, nodes] = nb::cast<std::tuple<std::string, std::string, std::vector<std::uint32_t>>>(answer);
    return driver::UserRefusal{code, why, nodes};
}

ir::Sdfg edited(nb::handle object, const ir::Sdfg& sdfg, const driver::UserSite& site) {
    const nb::gil_scoped_acquire gil;
    const nb::object copy = nb::cast(Graph{sdfg, 0, {}, {}});
    object.attr("_apply")(copy, site.path, site.ids, site.options);
    auto& graph = nb::cast<Graph&>(copy);
    graph.propagate();
    return graph.sdfg;
}

/// `patterns`: of each alternative the places as (name, kinds, operation) and the edges.
using PatternTuple = std::pair<std::vector<std::tuple<std::string, driver::PatternKinds, std::string>>,
                               std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

void add_transformation(nb::object object, const std::string& name, const std::string& summary,
                        const std::vector<PatternTuple>& patterns, const std::map<std::string, std::string>& conditions,
                        const std::vector<std::tuple<std::string, nb::object, std::string>>& parameters) {
    driver::Descriptor descriptor{
        .name = name, .group = "user", .summary = summary, .drawing = "", .patterns = {}, .conditions = {}};
    for (const auto& [places, edges] : patterns) {
        driver::Pattern pattern{.nodes = {}, .edges = edges};
        for (const auto& [place, kinds, operation] : places) pattern.nodes.push_back({place, kinds, operation});
        descriptor.patterns.push_back(std::move(pattern));
    }
    for (const auto& [code, sentence] : conditions) descriptor.conditions.push_back({code, sentence});
    for (const auto& [parameter, value, help] : parameters) {
        driver::OptionValue initial = std::string();
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
    // The list outlives the interpreter, so it must not own what the interpreter frees.
    const nb::handle kept = registered().emplace_back(std::move(object));
    ++transformations_version();
    transformations().add(
        {.descriptor = descriptor,
         .can_apply = [kept](const ir::Sdfg& sdfg, const driver::UserSite& site) { return ask(kept, sdfg, site); },
         .apply = [kept](const ir::Sdfg& sdfg, const driver::UserSite& site) { return edited(kept, sdfg, site); }});
}

nb::dict describe(const std::string& name) {
    const driver::Descriptor& descriptor = transformations().describe(name);
    nb::dict result, conditions, parameters;
    for (const driver::Condition& condition : descriptor.conditions) conditions[condition.code.c_str()] = condition.sentence;
    for (const driver::Parameter& parameter : descriptor.parameters)
        parameters[parameter.name.c_str()] = nb::make_tuple(driver::to_string(parameter.default_value), parameter.help);
    result["name"] = descriptor.name;
    result["group"] = descriptor.group;
    result["summary"] = descriptor.summary;
    result["drawing"] = descriptor.drawing;
    result["predicates"] = descriptor.decided_by.predicates;
    result["structural"] = descriptor.decided_by.structural;
    result["conditions"] = conditions;
    result["parameters"] = parameters;
    return result;
}

}  // namespace

void bind_rewrite(nb::module_& module) {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        transformations() = {};
        registered().clear();
    }));
    auto type = nb::borrow<nb::class_<Graph>>(module.attr("Graph"));
    type.def("matches", &matches)
        .def("apply",
             [](Graph& self, const std::string& name, const std::string& path, const Texts& nodes, const Texts& options,
                const std::vector<std::string>& assumed) {
                 in_session(self, [&](driver::Session& session) {
                     return session.apply(
                         {.transformation = name, .path = path, .nodes = nodes, .options = options, .assumed = assumed});
                 });
             })
        .def("apply_repeated",
             [](Graph& self, const std::vector<std::string>& names, const Texts& options, std::size_t limit) {
                 return in_session(self, [&](driver::Session& session) { return session.apply_repeated(names, options, limit); });
             })
        .def("expand_library_nodes",
             [](Graph& self, const std::string& implementation, bool recursive, const std::vector<std::string>& priorities) {
                 driver::ExpandOptions options{.recursive = recursive};
                 if (!priorities.empty()) options.preferences.push_back({.names = priorities});
                 if (!implementation.empty()) options.implementation = implementation;
                 std::vector<std::string> steps;
                 options.on_expanded = [&](const driver::Expanded& step) { steps.push_back(to_string(step)); };
                 const std::size_t count =
                     in_session(self, [&](driver::Session& session) { return session.expand_library_nodes(options); });
                 return std::pair(count, steps);
             })
        .def("simplify", [](Graph& self) { return in_session(self, [](driver::Session& session) { return session.simplify(); }); })
        .def("optimize",
             [](Graph& self, const std::string& level) {
                 return in_session(
                     self, [&](driver::Session& session) { return session.run(driver::pipeline(driver::parse_level(level))); });
             })
        .def("replay",
             [](Graph& self, const std::string& recipe, const std::string& file) {
                 in_session(self, [&](driver::Session& session) { return session.replay(recipe, file); });
             })
        .def("undo", &undo)
        .def("recipe", [](const Graph& self) { return self.recipe; });
    module.def("settings", [] {
        std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>> table;
        for (const driver::Setting& one : driver::settings())
            table.emplace_back(one.key, one.environment, one.standard, one.sentence, one.expected);
        return table;
    });
    module.def("setting", [](const std::string& key) {
        const driver::SettingValue value = driver::setting(key);
        return std::pair(value.text, value.origin);
    });
    // What os.environ holds, in a tenth of the time that it takes to say so: calls ask.
    module.def("environment_variable", [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    });
    module.def("set_setting", [](const std::string& key, const std::string& value) { driver::set_by_argument(key, value); });
    module.def("add_transformation", &add_transformation);
    module.def("load_transformations", [](const std::string& library) {
        ++transformations_version();
        return transformations().load(library);
    });
    module.def("describe_transformation", &describe);
    module.def("other_names", [] {
        std::vector<std::string> names;
        for (const driver::OtherName& other : transformations().other_names()) names.push_back(other.name);
        return names;
    });
    module.def("transformations", [] {
        std::vector<std::string> names;
        for (const driver::Descriptor* descriptor : transformations().all()) names.push_back(descriptor->name);
        return names;
    });
}

}  // namespace sluice::bindings
