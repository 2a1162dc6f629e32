// What instrumented programs measured, as Python sees it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/graph.h"
#include "bindings/instrumentation.h"
#include "driver/profile/counters.h"
#include "driver/profile/profile.h"

namespace sluice::bindings {

namespace {

using driver::Measured;
using driver::Report;

nb::dict counts_of(const Report& report, const Measured& part) {
    nb::dict counts;
    for (std::size_t i = 0; i < report.counters.size(); ++i) counts[report.counters[i].c_str()] = part.counts.at(i);
    return counts;
}

nb::list parts_of(const Report& report) {
    nb::list parts;
    for (const Measured& part : report.parts) {
        nb::dict one;
        one["part"] = part.part;
        one["label"] = part.label;
        one["line"] = part.where.line;
        one["executions"] = part.executions;
        one["seconds"] = part.seconds;
        one["operations"] = part.operations;
        one["bytes"] = part.bytes;
        one["counts"] = counts_of(report, part);
        parts.append(one);
    }
    return parts;
}

}  // namespace

std::size_t instrument(ir::Sdfg& sdfg, const Instrumentation& wanted) {
    std::set<driver::Part> parts;
    for (const std::string& name : wanted.parts) {
        const auto found = std::ranges::find(driver::kPartNames, name);
        if (found == driver::kPartNames.end())
            throw nb::value_error(("no part is called `" + name + "`: program, state, map or tasklet").c_str());
        parts.insert(static_cast<driver::Part>(found - driver::kPartNames.begin()));
    }
    const auto names = ir::enum_names<ir::Instrumentation>();
    const auto how = std::ranges::find(names, wanted.how);
    if (how == names.end()) throw nb::value_error(("there is no instrumentation `" + wanted.how + "`").c_str());
    return driver::instrument(sdfg, static_cast<ir::Instrumentation>(how - names.begin()), parts, wanted.filter);
}

void bind_profile(nb::module_& module) {
    nb::class_<Report>(module, "Report", "What an instrumented program measured in all its runs (docs/instrumentation.md).")
        .def_ro("program", &Report::program, "Name of the program.")
        .def_ro("runs", &Report::runs, "How often it ran.")
        .def_ro("counters", &Report::counters, "Names of what was counted.")
        .def_prop_ro(
            "parts", &parts_of,
            "A dict for each part that was executed: part (its path in the graph), label, line, executions, seconds (summed "
            "over threads), operations and bytes that the graph predicts (None: unknown), counts by name.")
        .def("table", &driver::to_table, "The report as text, a line for each part.")
        .def(
            "json", [](const driver::Report& report) { return driver::to_json(report); }, "The report as JSON.")
        .def("__str__", &driver::to_table)
        .def(
            "save",
            [](const Report& report, const std::string& filename) {
                const std::string text = unwrap(driver::report_text(report, filename));
                nb::object file = nb::module_::import_("builtins").attr("open")(filename, "w");
                file.attr("write")(text);
                file.attr("close")();
            },
            nb::arg("filename"), "Writes it by the end of the name: .txt, .json, .svg (a roofline) or .html (roofline and table).");
    module.def(
        "instrument",
        [](Graph& graph, const std::string& how, const std::vector<std::string>& parts, const std::string& filter) {
            graph.propagate();
            const std::size_t count = instrument(graph.sdfg, {how, parts, filter});
            ++graph.version;
            return count;
        },
        nb::arg("graph"), nb::arg("how"), nb::arg("parts"), nb::arg("filter"));
    module.def("counter_names", &driver::counter_names);
}

}  // namespace sluice::bindings
