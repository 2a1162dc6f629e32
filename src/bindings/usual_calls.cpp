// Calls like an earlier one go to what was compiled for that without a line of Python: `sluice._core.UsualCalls`, of which Program
// derives. Everything else, and what failed, is Python's to decide.
#include <Python.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/array_fields.h"
#include "bindings/convert.h"

namespace sluice::bindings {

namespace {

/// What tells the type of one argument: of an array its dtype and shape, of a number its class.
struct Kind {
    nb::object type;
    std::optional<std::vector<Py_ssize_t>> shape;

    /// nullopt for what is neither an array nor a number of Python's.
    static std::optional<Kind> of(PyObject* value) {
        if (const ArrayFields* array = array_fields(value))
            return Kind{nb::borrow(array->dtype), std::vector<Py_ssize_t>(array->shape, array->shape + array->rank)};
        PyTypeObject* const type = Py_TYPE(value);
        if (type != &PyFloat_Type && type != &PyLong_Type && type != &PyBool_Type && type != &PyComplex_Type) return std::nullopt;
        return Kind{nb::borrow(reinterpret_cast<PyObject*>(type)), std::nullopt};
    }
    bool fits(PyObject* value) const {
        if (!shape) return reinterpret_cast<PyObject*>(Py_TYPE(value)) == type.ptr();
        const ArrayFields* const array = array_fields(value);
        return array && array->dtype == type.ptr() &&
               std::equal(shape->begin(), shape->end(), array->shape, array->shape + array->rank);
    }
};

struct Usual {
    nb::object compiled;
    /// nullopt: whatever the arguments are, or one of them is.
    std::optional<std::vector<std::optional<Kind>>> kinds;
};

/// A name that meant this object when the calls were kept.
struct Name {
    nb::object names, name, value;
    bool same() const { return PyDict_GetItemWithError(names.ptr(), name.ptr()) == value.ptr(); }
};

struct Kept {
    static constexpr std::size_t kMost = 8;
    std::vector<Usual> calls;  ///< The last ones.
    std::size_t next = 0;
    std::vector<Name> names;
    nb::object empty;                    ///< A dictionary that was.
    std::string variable;                ///< Of the environment; empty: none.
    std::optional<std::string> setting;  ///< What it was.

    bool same() const {
        if (PyDict_GET_SIZE(empty.ptr()) != 0 || !std::ranges::all_of(names, &Name::same)) return false;
        if (variable.empty()) return true;
        const char* const now = std::getenv(variable.c_str());
        return now ? setting && *setting == now : !setting;
    }
    PyObject* compiled_for(PyObject* arguments) const {
        const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(arguments));
        for (const Usual& one : calls) {
            bool fits = !one.kinds || one.kinds->size() == count;
            for (std::size_t k = 0; one.kinds && fits && k < count; ++k)
                if (const std::optional<Kind>& kind = (*one.kinds)[k])
                    fits = kind->fits(PyTuple_GET_ITEM(arguments, static_cast<Py_ssize_t>(k)));
            if (fits) return one.compiled.ptr();
        }
        return nullptr;
    }
};

struct UsualCalls {
    PyObject ob_base;
    Kept* kept;
};
Kept*& kept_of(PyObject* self) {
    return reinterpret_cast<UsualCalls*>(self)->kept;
}

PyObject* call(PyObject* self, PyObject* arguments, PyObject* keywords) {
    static PyObject* const otherwise = PyUnicode_InternFromString("_call");
    static PyObject* const failed = PyUnicode_InternFromString("_call_failed");
    const Kept* const kept = kept_of(self);
    if (kept && !(keywords && PyDict_GET_SIZE(keywords) != 0) && kept->same()) {
        if (PyObject* const found = kept->compiled_for(arguments)) {
            const nb::object compiled = nb::borrow(found);
            PyObject* const* const values = &PyTuple_GET_ITEM(arguments, 0);
            if (PyObject* const result =
                    PyObject_Vectorcall(found, values, static_cast<std::size_t>(PyTuple_GET_SIZE(arguments)), nullptr))
                return result;
            nb::python_error error;
            return PyObject_CallMethodObjArgs(self, failed, error.value().ptr(), arguments, nullptr);
        }
    }
    const nb::object method = nb::steal(PyObject_GetAttr(self, otherwise));
    return method.is_valid() ? PyObject_Call(method.ptr(), arguments, keywords) : nullptr;
}

PyObject* drop(PyObject* self, PyObject*) {
    delete std::exchange(kept_of(self), nullptr);
    Py_RETURN_NONE;
}

/// (compiled, arguments, names, empty, variable): see the documentation below.
PyObject* keep(PyObject* self, PyObject* given) {
    PyObject *compiled, *arguments, *names, *empty;
    const char* variable;
    if (!PyArg_ParseTuple(given, "OOO!O!z", &compiled, &arguments, &PyList_Type, &names, &PyDict_Type, &empty, &variable))
        return nullptr;
    Usual one{nb::borrow(compiled), std::nullopt};
    if (arguments != Py_None) {
        one.kinds.emplace();
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arguments); ++k) {
            PyObject* const argument = PyTuple_GET_ITEM(arguments, k);
            one.kinds->push_back(argument == Py_Ellipsis ? std::nullopt : Kind::of(argument));
            if (argument != Py_Ellipsis && !one.kinds->back()) Py_RETURN_NONE;
        }
    }
    Kept*& kept = kept_of(self);
    if (!kept) kept = new Kept;
    kept->names.clear();
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(names); ++k) {
        PyObject* const named = PyList_GET_ITEM(names, k);
        kept->names.push_back(
            {nb::borrow(PyTuple_GetItem(named, 0)), nb::borrow(PyTuple_GetItem(named, 1)), nb::borrow(PyTuple_GetItem(named, 2))});
    }
    kept->empty = nb::borrow(empty);
    kept->variable = variable ? variable : "";
    kept->setting.reset();
    if (const char* const now = variable ? std::getenv(variable) : nullptr) kept->setting = now;
    if (kept->calls.size() < Kept::kMost)
        kept->calls.push_back(std::move(one));
    else
        kept->calls[kept->next++ % Kept::kMost] = std::move(one);
    Py_RETURN_NONE;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (const Kept* const kept = kept_of(self)) {
        for (const Usual& one : kept->calls) {
            Py_VISIT(one.compiled.ptr());
            if (one.kinds)
                for (const std::optional<Kind>& kind : *one.kinds)
                    if (kind) Py_VISIT(kind->type.ptr());
        }
        for (const Name& one : kept->names) {
            Py_VISIT(one.names.ptr());
            Py_VISIT(one.name.ptr());
            Py_VISIT(one.value.ptr());
        }
        Py_VISIT(kept->empty.ptr());
    }
    return 0;
}
int clear(PyObject* self) {
    delete std::exchange(kept_of(self), nullptr);
    return 0;
}
void dealloc(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyMethodDef methods[] = {{"_keep", keep, METH_VARARGS,
                          "_keep(compiled, arguments, names, empty, variable): from now on a call by position goes to `compiled` "
                          "if its arguments have the kinds of "
                          "these (None: whatever they are; `...`: whatever this one is), each (dictionary, name, object) of `names` is still so, the dictionary "
                          "`empty` is, and the variable of "
                          "the environment has not changed. `_call` gets every other call; `_call_failed(error, arguments)` gets "
                          "what `compiled` raised."},
                         {"_drop", drop, METH_NOARGS, "No call is kept any more."},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>("Callables that know which calls are usual.")},
                       {Py_tp_call, reinterpret_cast<void*>(call)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_methods, methods},
                       {0, nullptr}};
PyType_Spec spec = {"sluice._core.UsualCalls", sizeof(UsualCalls), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                    slots};

}  // namespace

void bind_usual_calls(nb::module_& module) {
    module.attr("UsualCalls") = nb::steal(PyType_FromSpec(&spec));
}

}  // namespace sluice::bindings
