// The tables of names behind Python's enumerations.
#include "bindings/convert.h"
#include "ir/enums.h"

namespace sluice::bindings {

namespace {

template <class Enum> std::vector<std::string> names_of() {
    const auto names = ir::enum_names<Enum>();
    return {names.begin(), names.end()};
}

std::vector<std::string> enum_names(const std::string& name) {
    if (name == "StorageType") return names_of<ir::Storage>();
    if (name == "ScheduleType") return names_of<ir::Schedule>();
    if (name == "AllocationLifetime") return names_of<ir::Lifetime>();
    if (name == "Language") return names_of<ir::Language>();
    if (name == "OMPScheduleType") return names_of<ir::OmpSchedule>();
    if (name == "InstrumentationType") return names_of<ir::Instrumentation>();
    if (name == "DataInstrumentationType") return names_of<ir::DataInstrumentation>();
    throw nb::value_error(("no such enumeration: " + name).c_str());
}

}  // namespace

void bind_enumerations(nb::module_& module) {
    module.def("enum_names", &enum_names, nb::arg("name"));
}

}  // namespace sluice::bindings
