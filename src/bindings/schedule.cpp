// The language of algorithms with schedules; sluice.schedule wraps it.
#include "schedule/schedule.h"

#include <nanobind/stl/tuple.h>

#include "bindings/graph.h"
#include "driver/scheduled.h"
#include "schedule/layers.h"

namespace nb = nanobind;

namespace sluice::bindings {

void bind_schedule(nb::module_& module) {
    using schedule::Buffer;
    using schedule::Computation;
    using schedule::Function;
    using schedule::Operation;
    const auto delivery_of = [](const std::string& how) {
        return how == "ASYNC"  ? schedule::Delivery::Asynchronous
               : how == "SYNC" ? schedule::Delivery::Synchronous
                               : schedule::Delivery::Blocking;
    };
    nb::class_<Operation>(module, "ScheduleOperation")
        .def_prop_ro("name", &Operation::name)
        .def("before", nb::overload_cast<const schedule::Computation&>(&Operation::before))
        .def("before", nb::overload_cast<const Operation&>(&Operation::before))
        .def("after", nb::overload_cast<const schedule::Computation&>(&Operation::after))
        .def("after", nb::overload_cast<const Operation&>(&Operation::after))
        .def("distribute", &Operation::distribute);
    nb::class_<Buffer>(module, "ScheduleBuffer")
        .def_prop_ro("name", &Buffer::name)
        .def("set_size", &Buffer::set_size)
        .def("allocate_at", &Buffer::allocate_at)
        .def("tag_gpu_constant", &Buffer::tag_gpu_constant)
        .def("tag_gpu", [](Buffer& self, const std::string& memory) {
            self.tag_gpu(memory == "shared"  ? ir::Storage::GPU_Shared
                         : memory == "local" ? ir::Storage::Register
                                             : ir::Storage::GPU_Global);
        });
    nb::class_<Computation>(module, "ScheduleComputation")
        .def_prop_ro("name", &Computation::name)
        .def_prop_ro("levels", &Computation::levels)
        .def_prop_ro("iterators", &Computation::iterators)
        .def("split",
             nb::overload_cast<const std::string&, std::int64_t, const std::string&, const std::string&>(&Computation::split))
        .def("split",
             nb::overload_cast<const std::string&, const std::string&, const std::string&, const std::string&>(&Computation::split))
        .def("tile", &Computation::tile)
        .def("interchange", &Computation::interchange)
        .def("shift", &Computation::shift)
        .def("skew", &Computation::skew)
        .def("reverse", &Computation::reverse)
        .def("set_schedule", &Computation::set_schedule)
        .def("after", &Computation::after)
        .def("parallelize", &Computation::parallelize)
        .def("prefetch", &Computation::prefetch)
        .def("distribute", &Computation::distribute)
        .def("between", &Computation::between)
        .def("compute_at", &Computation::compute_at)
        .def("inline", &Computation::inline_into_readers)
        .def("infer_bounds", &Computation::infer_bounds)
        .def("unroll", &Computation::unroll)
        .def("vectorize", &Computation::vectorize)
        .def("store_at", &Computation::store_at)
        .def("gpu", &Computation::gpu)
        .def("cache_shared_at", &Computation::cache_shared_at, nb::keep_alive<0, 1>())
        .def("cache_local_at", &Computation::cache_local_at, nb::keep_alive<0, 1>())
        .def("copy_at", &Computation::copy_at, nb::keep_alive<0, 1>())
        .def("device_to_host", &Computation::device_to_host)
        .def("buffer", &Computation::buffer, nb::keep_alive<0, 1>())
        .def("set_expression", &Computation::set_expression)
        .def("add_predicate", &Computation::add_predicate)
        .def("store_in", nb::overload_cast<const std::string&, const std::vector<std::string>&>(&Computation::store_in))
        .def("store_in", nb::overload_cast<const std::vector<std::string>&>(&Computation::store_in));
    nb::class_<Function>(module, "ScheduleFunction")
        .def(nb::init<const std::string&>())
        .def("constant", &Function::constant)
        .def("input", [](Function& self, const std::string& name, const std::vector<std::string>& shape,
                         nb::handle type) { self.input(name, shape, dtype_from(type)); })
        .def(
            "buffer",
            [](Function& self, const std::string& name, const std::vector<std::string>& shape, nb::handle type) {
                return self.buffer(name, shape, dtype_from(type));
            },
            nb::keep_alive<0, 1>())
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
        .def("memory_of", &Function::memory_of, nb::keep_alive<0, 1>())
        .def_prop_ro("on_device", &Function::on_device)
        .def("host_to_device", &Function::host_to_device)
        .def("distribute", &Function::distribute)
        .def("assume", &Function::assume)
        .def(
            "send",
            [delivery_of](Function& self, const std::tuple<std::string, std::string, std::string>& rank, const std::string& start,
                          const std::string& size, const std::string& to, const std::string& how) {
                return self.send({std::get<0>(rank), std::get<1>(rank), std::get<2>(rank)}, start, size, to, delivery_of(how));
            },
            nb::keep_alive<0, 1>())
        .def(
            "receive",
            [delivery_of](Function& self, const std::tuple<std::string, std::string, std::string>& rank, const std::string& start,
                          const std::string& size, const std::string& from, const std::string& how, const Operation& sent) {
                return self.receive({std::get<0>(rank), std::get<1>(rank), std::get<2>(rank)}, start, size, from, delivery_of(how),
                                    sent);
            },
            nb::keep_alive<0, 1>())
        .def("barrier_at", &Function::barrier_at, nb::keep_alive<0, 1>())
        .def(
            "cache_at",
            [](Function& self, const std::string& input, const Computation& consumer, const std::string& level,
               const std::string& memory) {
                return self.cache_at(input, consumer, level,
                                     memory == "shared"  ? ir::Storage::GPU_Shared
                                     : memory == "local" ? ir::Storage::Register
                                                         : ir::Storage::Default);
            },
            nb::keep_alive<0, 1>())
        .def("build",
             [](const Function& self, const std::vector<Computation>& outputs) {
                 Graph graph;
                 graph.sdfg = unwrap(driver::scheduled(self, outputs));
                 return graph;
             })
        .def("repair", &Function::repair)
        .def("layer", [](const Function& self, int number, const std::vector<Computation>& outputs) {
            return unwrap(self.layer(number, outputs));
        });
    nb::class_<schedule::Layer>(module, "ScheduleLayer")
        .def_ro("number", &schedule::Layer::number)
        .def_ro("function", &schedule::Layer::function)
        .def_static("parse", [](const std::string& text) { return unwrap(schedule::parse_layer(text)); })
        .def("__eq__", [](const schedule::Layer& self, const schedule::Layer& other) { return self == other; })
        .def("__str__", &schedule::to_text);
}

}  // namespace sluice::bindings
