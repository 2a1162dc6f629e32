#include "bindings/array_fields.h"

#include <cstdint>

namespace sluice::bindings {

namespace {

/// Whether an array of known fields has them where ArrayFields says.
bool are_there() {
    const nb::object numpy = nb::module_::import_("numpy");
    const nb::object whole = numpy.attr("zeros")(nb::make_tuple(5, 3)), array = whole[nb::slice(1, 5, 2)];
    if (array.ptr()->ob_type->tp_basicsize < static_cast<Py_ssize_t>(sizeof(ArrayFields))) return false;
    const auto& fields = *reinterpret_cast<const ArrayFields*>(array.ptr());
    const auto address = nb::cast<std::uintptr_t>(array.attr("ctypes").attr("data"));
    if (reinterpret_cast<std::uintptr_t>(fields.data) != address || fields.rank != 2 || fields.base != whole.ptr()) return false;
    if (fields.dtype != nb::object(array.attr("dtype")).ptr() || fields.shape[0] != 2 || fields.shape[1] != 3) return false;
    if (fields.strides[0] != 48 || fields.strides[1] != 8 || !fields.writable()) return false;
    array.attr("flags").attr("writeable") = false;
    return !fields.writable();
}

}  // namespace

PyTypeObject* array_class() {
    // It lives as long as the process.
    static auto* const found =
        reinterpret_cast<PyTypeObject*>(nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr());
    return found;
}

const ArrayFields* array_fields(PyObject* object) {
    static const bool readable = are_there();
    return readable && Py_TYPE(object) == array_class() ? reinterpret_cast<const ArrayFields*>(object) : nullptr;
}

}  // namespace sluice::bindings
