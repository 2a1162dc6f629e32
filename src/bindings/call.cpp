#include "bindings/call.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>

namespace sluice::bindings {

using code::Scalar;

namespace {

Scalar integer_of(Py_ssize_t item_size, bool is_signed) {
    switch (item_size) {
        case 1:
            return is_signed ? Scalar::Int8 : Scalar::UInt8;
        case 2:
            return is_signed ? Scalar::Int16 : Scalar::UInt16;
        case 4:
            return is_signed ? Scalar::Int32 : Scalar::UInt32;
        case 8:
            return is_signed ? Scalar::Int64 : Scalar::UInt64;
        default:
            return Scalar::Void;
    }
}

}  // namespace

code::DType dtype_of_format(const char* format, Py_ssize_t item_size) {
    if (format == nullptr) return Scalar::UInt8;
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    const bool complex = *format == 'Z';
    if (complex) ++format;
    if (*format == '\0' || format[1] != '\0') return Scalar::Void;
    if (complex) return *format == 'f' ? Scalar::Complex64 : *format == 'd' ? Scalar::Complex128 : Scalar::Void;
    switch (*format) {
        case '?':
            return Scalar::Bool;
        case 'e':
            return Scalar::Float16;
        case 'f':
            return Scalar::Float32;
        case 'd':
            return Scalar::Float64;
        case 'b':
        case 'h':
        case 'i':
        case 'l':
        case 'q':
        case 'n':
            return integer_of(item_size, true);
        case 'B':
        case 'H':
        case 'I':
        case 'L':
        case 'Q':
        case 'N':
            return integer_of(item_size, false);
        default:
            return Scalar::Void;
    }
}

namespace {

[[noreturn]] void refuse(const driver::Argument& argument, PyObject* object, const std::string& why) {
    if (PyErr_Occurred()) PyErr_Clear();
    fail({.code = "A002",
          .message = "argument " + argument.name + " is " + code::to_string(argument.dtype) + ", but " + why,
          .where = {},
          .path = argument.name,
          .remedy = "pass a " + code::to_string(argument.dtype) + " (got " + Py_TYPE(object)->tp_name + ")",
          .notes = {}});
}

template <class T> void put(ScalarValue& into, T value) {
    static_assert(sizeof(T) <= sizeof into.bytes);
    std::memcpy(into.bytes.data(), &value, sizeof value);
}

template <class T> void store_integer(const driver::Argument& argument, PyObject* object, ScalarValue& into) {
    PyObject* index = PyNumber_Index(object);
    if (!index) refuse(argument, object, "the value is no integer");
    if constexpr (std::is_signed_v<T>) {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(index, &overflow);
        Py_DECREF(index);
        if (overflow || value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
            refuse(argument, object, "the value does not fit");
        put(into, static_cast<T>(value));
    } else {
        const unsigned long long value = PyLong_AsUnsignedLongLong(index);
        Py_DECREF(index);
        if (PyErr_Occurred() || value > std::numeric_limits<T>::max()) refuse(argument, object, "the value does not fit");
        put(into, static_cast<T>(value));
    }
}

double real_value(const driver::Argument& argument, PyObject* object) {
    const double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred()) refuse(argument, object, "the value is no real number");
    return value;
}

/// IEEE binary16, rounded to nearest even.
std::uint16_t half_of(double value) {
    unsigned char bytes[2];
    if (PyFloat_Pack2(value, reinterpret_cast<char*>(bytes), 1) != 0) {
        PyErr_Clear();
        return static_cast<std::uint16_t>(value < 0 ? 0xfc00 : 0x7c00);
    }
    return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}

}  // namespace

void store_scalar(const driver::Argument& argument, PyObject* object, ScalarValue& into) {
    switch (argument.dtype.scalar) {
        case Scalar::Float64:
            return put(into, PyFloat_CheckExact(object) ? PyFloat_AS_DOUBLE(object) : real_value(argument, object));
        case Scalar::Float32:
            return put(into, static_cast<float>(real_value(argument, object)));
        case Scalar::Float16:
            return put(into, half_of(real_value(argument, object)));
        case Scalar::Int8:
            return store_integer<std::int8_t>(argument, object, into);
        case Scalar::Int16:
            return store_integer<std::int16_t>(argument, object, into);
        case Scalar::Int32:
            return store_integer<std::int32_t>(argument, object, into);
        case Scalar::Int64:
            return store_integer<std::int64_t>(argument, object, into);
        case Scalar::UInt8:
            return store_integer<std::uint8_t>(argument, object, into);
        case Scalar::UInt16:
            return store_integer<std::uint16_t>(argument, object, into);
        case Scalar::UInt32:
            return store_integer<std::uint32_t>(argument, object, into);
        case Scalar::UInt64:
            return store_integer<std::uint64_t>(argument, object, into);
        case Scalar::Bool: {
            const int truth = PyObject_IsTrue(object);
            if (truth < 0) refuse(argument, object, "the value is neither true nor false");
            return put(into, truth != 0);
        }
        case Scalar::Complex64:
        case Scalar::Complex128: {
            const Py_complex value = PyComplex_AsCComplex(object);
            if (PyErr_Occurred()) refuse(argument, object, "the value is no complex number");
            if (argument.dtype.scalar == Scalar::Complex128) return put(into, std::complex<double>(value.real, value.imag));
            return put(into, std::complex<float>(static_cast<float>(value.real), static_cast<float>(value.imag)));
        }
        default:
            refuse(argument, object, "numbers of this type cannot be passed by value");
    }
}

namespace {

template <class T> T take(const ScalarValue& from) {
    T value;
    std::memcpy(&value, from.bytes.data(), sizeof value);
    return value;
}

}  // namespace

PyObject* load_scalar(const code::DType& type, const ScalarValue& value) {
    switch (type.scalar) {
        case Scalar::Float64:
            return PyFloat_FromDouble(take<double>(value));
        case Scalar::Float32:
            return PyFloat_FromDouble(take<float>(value));
        case Scalar::Float16:
            return PyFloat_FromDouble(PyFloat_Unpack2(reinterpret_cast<const char*>(value.bytes.data()), 1));
        case Scalar::Int8:
            return PyLong_FromLong(take<std::int8_t>(value));
        case Scalar::Int16:
            return PyLong_FromLong(take<std::int16_t>(value));
        case Scalar::Int32:
            return PyLong_FromLong(take<std::int32_t>(value));
        case Scalar::Int64:
            return PyLong_FromLongLong(take<std::int64_t>(value));
        case Scalar::UInt8:
            return PyLong_FromUnsignedLong(take<std::uint8_t>(value));
        case Scalar::UInt16:
            return PyLong_FromUnsignedLong(take<std::uint16_t>(value));
        case Scalar::UInt32:
            return PyLong_FromUnsignedLong(take<std::uint32_t>(value));
        case Scalar::UInt64:
            return PyLong_FromUnsignedLongLong(take<std::uint64_t>(value));
        case Scalar::Bool:
            return PyBool_FromLong(take<bool>(value));
        case Scalar::Complex64: {
            const auto z = take<std::complex<float>>(value);
            return PyComplex_FromDoubles(z.real(), z.imag());
        }
        case Scalar::Complex128: {
            const auto z = take<std::complex<double>>(value);
            return PyComplex_FromDoubles(z.real(), z.imag());
        }
        default:
            break;
    }
    PyErr_SetString(PyExc_TypeError, "the program returns a value that Python cannot hold");
    return nullptr;
}

}  // namespace sluice::bindings
