// Long work under Python: shown by sluice._progress, ended by KeyboardInterrupt and whatever else a signal handler raises.
#include "support/activity.h"

#include "bindings/convert.h"
#include "driver/targets/packaged_compiler.h"

namespace sluice::bindings {

namespace {

void show(const std::string& line) {
    const nb::gil_scoped_acquire gil;
    nb::module_::import_("sluice._progress").attr("show")(line);
}

void end_if_interrupted() {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void bind_activity(nb::module_& module) {
    set_activity_hooks({.show = show, .end_if_interrupted = end_if_interrupted});
    module.def("set_package_folders", [](const std::vector<std::string>& folders) {
        driver::set_package_folders({folders.begin(), folders.end()});
    });
}

}  // namespace sluice::bindings
