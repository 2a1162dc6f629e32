#include "bindings/device_array.h"

namespace sluice::bindings {

std::optional<DeviceArray> device_array(nb::handle object) {
    static PyObject* const name = PyUnicode_InternFromString("__cuda_array_interface__");
    const nb::object said = nb::steal(PyObject_GetAttr(object.ptr(), name));
    if (!said.is_valid()) {
        PyErr_Clear();
        return std::nullopt;
    }
    const nb::dict interface = nb::cast<nb::dict>(said);
    const auto type = nb::cast<std::string>(interface["typestr"]);
    const bool masked = interface.contains("mask") && !interface["mask"].is_none();
    if (masked || type.starts_with(">"))
        fail({.code = "A008",
              .message = masked ? "an array of a device has a mask" : "an array of a device has the byte order of another machine",
              .where = {},
              .path = {},
              .remedy = "pass an array of plain numbers",
              .notes = {}});
    DeviceArray array;
    array.dtype = dtype_from(nb::module_::import_("numpy").attr("dtype")(type));
    array.shape = nb::cast<std::vector<std::int64_t>>(interface["shape"]);
    const auto [address, read_only] = nb::cast<std::pair<std::uintptr_t, bool>>(interface["data"]);
    array.data = reinterpret_cast<void*>(address);
    array.writable = !read_only;
    if (interface.contains("strides") && !interface["strides"].is_none()) {
        array.strides = nb::cast<std::vector<std::int64_t>>(interface["strides"]);
        return array;
    }
    array.strides.resize(array.shape.size());
    auto step = static_cast<std::int64_t>(code::size_in_bytes(array.dtype));
    for (std::size_t d = array.shape.size(); d-- > 0; step *= array.shape[d]) array.strides[d] = step;
    return array;
}

}  // namespace sluice::bindings
