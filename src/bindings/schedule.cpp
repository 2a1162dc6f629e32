// The language of algorithms with schedules; sluice.schedule wraps it.
#include "schedule/schedule.h"

#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"

namespace nb = nanobind;

namespace sluice::bindings {

void bind_schedule(nb::module_& module) {
    using schedule::Computation;
    using schedule::Function;
    nb::class_<Computation>(module, "ScheduleComputation")
        .def_prop_ro("name", &Computation::name)
        .def_prop_ro("levels", &Computation::levels)
        .def("split", &Computation::split)
        .def("tile", &Computation::tile)
        .def("interchange", &Computation::interchange)
        .def("shift", &Computation::shift)
        .def("skew", &Computation::skew)
        .def("reverse", &Computation::reverse)
        .def("set_schedule", &Computation::set_schedule)
        .def("after", &Computation::after)
        .def("parallelize", &Computation::parallelize)
        .def("store_in", &Computation::store_in);
    nb::class_<Function>(module, "ScheduleFunction")
        .def(nb::init<const std::string&>())
        .def("constant", &Function::constant)
        .def("input", [](Function& self, const std::string& name, const std::vector<std::string>& shape,
                         nb::handle type) { self.input(name, shape, dtype_from(type)); })
        .def("buffer", [](Function& self, const std::string& name, const std::vector<std::string>& shape,
                          nb::handle type) { self.buffer(name, shape, dtype_from(type)); })
        .def(
            "computation",
            [](Function& self, const std::string& name, const std::vector<std::tuple<std::string, std::string, std::string>>& vars,
               const std::string& value, const std::string& predicate, nb::handle type) {
                std::vector<schedule::Var> all;
                for (const auto& [var, lower, upper] : vars) all.push_back({var, lower, upper});
                return self.computation(name, all, value, predicate, dtype_from(type));
            },
            nb::keep_alive<0, 1>())
        .def(
            "computation_over",
            [](Function& self, const std::string& domain, const std::string& value, nb::handle type) {
                return self.computation_over(domain, value, dtype_from(type));
            },
            nb::keep_alive<0, 1>())
        .def(
            "update",
            [](Function& self, const std::string& name, const std::vector<std::tuple<std::string, std::string, std::string>>& vars,
               const Computation& target, const std::vector<std::string>& indices, const std::string& operation,
               const std::string& value, const std::string& predicate) {
                std::vector<schedule::Var> all;
                for (const auto& [var, lower, upper] : vars) all.push_back({var, lower, upper});
                return self.update(name, all, target, indices, operation, value, predicate);
            },
            nb::keep_alive<0, 1>())
        .def("build", [](const Function& self, const std::vector<Computation>& outputs) {
            Graph graph;
            graph.sdfg = unwrap(self.build(outputs));
            return graph;
        });
}

}  // namespace sluice::bindings
