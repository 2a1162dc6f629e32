// The fields of NumPy's arrays, read where the buffer protocol would take longer than a small program.
#pragma once

#include "bindings/convert.h"

namespace sluice::bindings {

/// As NumPy's ABI has them (numpy/ndarraytypes.h, PyArrayObject_fields).
struct ArrayFields {
    PyObject ob_base;
    char* data;
    int rank;
    Py_ssize_t* shape;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* dtype;
    int flags;

    static constexpr int kWriteable = 0x0400, kWarnOnWrite = 1 << 31;
    bool writable() const { return (flags & (kWriteable | kWarnOnWrite)) == kWriteable; }
};

/// NumPy's class of arrays.
PyTypeObject* array_class();

/// Of an array and no object of a derived class; null for every other object, and where NumPy's arrays have other fields.
const ArrayFields* array_fields(PyObject* object);

}  // namespace sluice::bindings
