// The module itself: exceptions and the list of what it holds.
#include "bindings/convert.h"
#include "support/version.h"

namespace nb = nanobind;

namespace sluice::bindings {

namespace {

void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const Failure& failure) {
        set_error(failure.diagnostic);
    } catch (const InternalError& bug) {
        PyErr_SetString(PyExc_RuntimeError,
                        (std::string(bug.what()) + "\nThis is a bug of Sluice, not of your program; please report it with the "
                                                   "program that shows it.")
                            .c_str());
    }
}

}  // namespace

}  // namespace sluice::bindings

NB_MODULE(_core, module) {
    using namespace sluice::bindings;
    module.doc() = "The C++ half of Sluice; use the package `sluice`.";
    module.attr("__version__") = std::string(sluice::version());
    compile_error =
        PyErr_NewExceptionWithDoc("sluice.CompileError",
                                  "The program or graph cannot be compiled. The text is the diagnostic: code, place and "
                                  "remedy; attributes code, message, remedy, path, filename, lineno, offset.",
                                  nullptr, nullptr);
    module.attr("CompileError") = nb::handle(compile_error);
    const nb::tuple bases = nb::make_tuple(nb::handle(compile_error), nb::handle(PyExc_ValueError), nb::handle(PyExc_IndexError));
    shape_error = PyErr_NewExceptionWithDoc("sluice.ShapeError",
                                            "Shapes, indices or axes do not fit: a CompileError, and the ValueError and IndexError "
                                            "that NumPy raises.",
                                            bases.ptr(), nullptr);
    module.attr("ShapeError") = nb::handle(shape_error);
    nb::register_exception_translator(translate);
    bind_types(module);
    bind_enumerations(module);
    bind_graph(module);
    bind_graph_nodes(module);
    bind_graph_exports(module);
    bind_programs(module);
    bind_compiled(module);
    bind_usual_calls(module);
    bind_rewrite(module);
    bind_tuning(module);
    bind_operations(module);
    bind_activity(module);
    bind_schedule(module);
    bind_profile(module);
}
