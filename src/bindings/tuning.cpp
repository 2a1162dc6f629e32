// The tuner with candidates that Python compiles, runs and measures.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"
#include "driver/tuning/store.h"

namespace sluice::bindings {

namespace {

/// (seconds of a run before, after, the changes, how many were tried, the file that keeps the winner or an empty text).
/// `compile(graph)` gives a function that runs once and returns its seconds, or None: it cannot run.
nb::tuple tune(Graph& graph, const std::string& size_class, double budget, const nb::callable& compile, const nb::callable& clock,
               const nb::callable& on_trial) {
    graph.propagate();
    driver::TuningOptions options;
    options.budget = budget;
    options.compile = [&](const ir::Sdfg& candidate) {
        return capture([&]() -> driver::MeasuredRun {
            const nb::object run = compile(Graph{.sdfg = candidate, .forms = graph.forms});
            if (run.is_none()) fail({"E007", "the candidate cannot be run", {}, {}, "", {}});
            return [run] { return nb::cast<double>(run()); };
        });
    };
    options.clock = [&] { return nb::cast<double>(clock()); };
    options.on_trial = [&](const driver::Trial& trial) {
        on_trial(trial.number, trial.change, trial.seconds, trial.fastest, trial.elapsed);
    };
    const driver::Tuned tuned = unwrap(driver::tune(driver::Session(graph.sdfg, transformations()), options));
    std::string file;
    nb::list changes;
    for (const driver::Change& change : tuned.changes) changes.append(driver::to_string(change));
    if (!tuned.changes.empty()) file = driver::keep_tuned(graph.sdfg, size_class, tuned).string();
    return nb::make_tuple(tuned.untuned, tuned.tuned, changes, tuned.tried, file);
}

}  // namespace

void bind_tuning(nb::module_& module) {
    module.def("tune", &tune, nb::arg("graph"), nb::arg("size_class"), nb::arg("budget"), nb::arg("compile"), nb::arg("clock"),
               nb::arg("on_trial"));
    module.def("size_class", [](const std::map<std::string, std::int64_t>& sizes) { return driver::size_class(sizes); });
    module.def("is_tuned", [](Graph& graph, const std::string& size_class) {
        graph.propagate();
        return driver::is_tuned(graph.sdfg, size_class);
    });
    module.def("may_be_tuned", [](const std::string& program) { return driver::may_be_tuned(program); });
}

}  // namespace sluice::bindings
