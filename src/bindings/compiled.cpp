// A compiled program as a Python callable. The type is made by hand rather than through nanobind so that a call enters here by
// vectorcall, with its arguments in an array: the whole way to native code is this file, without a Python frame or a dictionary.
#include <Python.h>
#include <pthread.h>
#include <structmember.h>

#include <list>
#include <memory_resource>
#include <mutex>
#include <span>

#include "bindings/array_fields.h"
#include "bindings/call.h"
#include "bindings/callable.h"
#include "bindings/device_array.h"
#include "bindings/graph.h"
#include "bindings/instrumentation.h"
#include "bindings/interruption.h"
#include "bindings/returned.h"
#include "bindings/rooms.h"
#include "bindings/structures.h"
#include "bindings/traffic.h"
#include "driver/compile.h"
#include "driver/profile/profile.h"
#include "driver/targets/openmp.h"
#include "driver/targets/target.h"
#include "driver/warnings.h"
#include "support/memory.h"

namespace sluice::bindings {

namespace {

/// The state of one call. Buffers are held until the program has run.
class Call {
public:
    explicit Call(Callable& callable)
        : callable_(callable),
          given_(callable.arguments.size(), &memory_),
          buffers_(callable.arguments.size(), &memory_),
          arrays_(callable.arguments.size(), &memory_),
          actuals_(callable.arguments.size(), &memory_),
          scalars_(callable.arguments.size(), &memory_),
          addresses_(callable.arguments.size(), &memory_),
          symbols_given_(callable.symbols.size(), &memory_) {}
    ~Call() {
        for (const std::size_t at : held_) PyBuffer_Release(&buffers_[at]);
    }
    Call(const Call&) = delete;

    PyObject* run(PyObject* const* values, std::size_t count, PyObject* keywords) {
        assign(values, count, keywords);
        for (std::size_t at = 0; at < callable_.arguments.size(); ++at)
            if (callable_.arguments[at].kind != Argument::Kind::Symbol) take(at);
        for (std::size_t k = 0; k < callable_.symbols.size(); ++k) take_symbol(k);
        const std::vector<std::int64_t> symbols =
            unwrap(callable_.program.shape_solver().solve(std::span<const driver::ActualArray* const>(actuals_), symbols_given_));
        refuse_shared_memory();
        place_symbols(symbols);
        allocate_returns(symbols);
        execute();
        return results(symbols);
    }

private:
    /// The bytes between the first and the last element of an array.
    static std::pair<const char*, const char*> extent_of(const driver::ActualArray& array) {
        const char *first = static_cast<const char*>(array.data), *last = first;
        for (std::size_t d = 0; d < array.shape.size(); ++d) {
            if (array.shape[d] == 0) return {first, first};
            const std::int64_t span = (array.shape[d] - 1) * array.strides[d];
            (span < 0 ? first : last) += span;
        }
        return {first, last + code::size_in_bytes(array.dtype)};
    }
    /// Native code counts on arrays that lie apart, unless the graph says otherwise.
    void refuse_shared_memory() const {
        for (std::size_t i = 0; i < actuals_.size(); ++i) {
            if (!actuals_[i] || !callable_.arguments[i].written || callable_.arguments[i].may_alias) continue;
            const auto [begin, end] = extent_of(*actuals_[i]);
            for (std::size_t j = 0; j < actuals_.size(); ++j) {
                if (j == i || !actuals_[j] || callable_.arguments[j].may_alias) continue;
                const auto [first, last] = extent_of(*actuals_[j]);
                if (begin < last && first < end)
                    fail_argument("A010",
                                  "arguments " + callable_.arguments[i].name + " and " + callable_.arguments[j].name +
                                      " share memory, and " + callable_.arguments[i].name + " is written",
                                  callable_.arguments[i].name, "pass a copy of one of them");
            }
        }
    }
    void assign(PyObject* const* values, std::size_t count, PyObject* keywords) {
        if (count > callable_.positional.size())
            fail_argument("A005",
                          callable_.program.signature().program + " takes " + std::to_string(callable_.positional.size()) +
                              " positional arguments, but " + std::to_string(count) + " were given",
                          "", "the arguments are " + listed());
        for (std::size_t k = 0; k < count; ++k) given_[callable_.positional[k]] = values[k];
        const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
        for (Py_ssize_t k = 0; k < named; ++k) {
            PyObject* name = PyTuple_GET_ITEM(keywords, k);
            const std::size_t at = index_of(name);
            const char* text = PyUnicode_AsUTF8(name);
            if (at == Callable::kNone || callable_.arguments[at].is_return)
                fail_argument("A005", callable_.program.signature().program + " has no argument named " + text, text,
                              "the arguments are " + listed());
            if (given_[at]) fail_argument("A005", std::string("argument ") + text + " is given twice", text, "pass it once");
            given_[at] = values[count + static_cast<std::size_t>(k)];
        }
    }
    std::size_t index_of(PyObject* name) const {
        for (std::size_t at = 0; at < callable_.names.size(); ++at)
            if (callable_.names[at].ptr() == name) return at;
        for (std::size_t at = 0; at < callable_.names.size(); ++at)
            if (PyUnicode_Compare(callable_.names[at].ptr(), name) == 0) return at;
        return Callable::kNone;
    }
    std::string listed() const {
        std::string text;
        for (const Argument& argument : callable_.arguments)
            if (!argument.is_return) text += (text.empty() ? "" : ", ") + argument.name;
        return text.empty() ? "none" : text;
    }

    void take_symbol(std::size_t k) {
        const std::size_t at = callable_.symbols[k];
        if (!given_[at]) return;
        store_scalar(callable_.arguments[at], given_[at], scalars_[at]);
        std::int64_t value;
        std::memcpy(&value, scalars_[at].bytes.data(), sizeof value);
        symbols_given_[k] = value;
    }
    void take(std::size_t at) {
        const Argument& argument = callable_.arguments[at];
        if (argument.is_return) return;
        PyObject* object = given_[at];
        if (!object || (object == Py_None && !argument.optional)) {
            if (argument.optional && !object) return;
            fail_argument("A005", "argument " + argument.name + " is missing", argument.name, "the arguments are " + listed());
        }
        if (object == Py_None) return;
        if (argument.kind == Argument::Kind::Array)
            take_array(at, object);
        else
            take_scalar(at, object);
    }
    void take_array(std::size_t at, PyObject* object) {
        const Argument& argument = callable_.arguments[at];
        const auto take = [&](void* data, const code::DType& dtype, const Py_ssize_t* shape, const Py_ssize_t* strides, int rank,
                              bool writable) {
            const auto dims = static_cast<std::size_t>(rank);
            arrays_[at] = {data,
                           dtype,
                           {reinterpret_cast<const std::int64_t*>(shape), dims},
                           {reinterpret_cast<const std::int64_t*>(strides), dims},
                           writable,
                           false};
            actuals_[at] = &arrays_[at];
            addresses_[at] = data;
        };
        if (argument.on_device && take_device_array(at, object)) return;
        const ArrayFields* const array = array_fields(object);
        if (array && array->dtype == callable_.dtypes[at].ptr())
            return take(array->data, argument.dtype, array->shape, array->strides, array->rank, array->writable());
        Py_buffer& buffer = buffers_[at];
        if (PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            if (take_device_array(at, object)) return;
            fail_argument("A002", "argument " + argument.name + " is an array, but a " + Py_TYPE(object)->tp_name + " was given",
                          argument.name, "pass a NumPy array of " + code::to_string(argument.dtype));
        }
        held_.push_back(at);
        take(buffer.buf, dtype_of_format(buffer.format, buffer.itemsize), buffer.shape, buffer.strides, buffer.ndim,
             !buffer.readonly);
    }
    bool take_device_array(std::size_t at, PyObject* object) {
        const std::optional<DeviceArray> given = device_array(object);
        if (!given) return false;
        const DeviceArray& array = device_arrays_.emplace_back(*given);
        arrays_[at] = {array.data, array.dtype, array.shape, array.strides, array.writable, true};
        actuals_[at] = &arrays_[at];
        addresses_[at] = array.data;
        return true;
    }
    void take_scalar(std::size_t at, PyObject* object) {
        const Argument& argument = callable_.arguments[at];
        addresses_[at] = scalars_[at].bytes.data();
        // A scalar that the program writes comes back through an array of one element.
        if (argument.scalar_by_pointer && PyObject_CheckBuffer(object)) {
            Py_buffer& buffer = buffers_[at];
            if (PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) == 0) {
                held_.push_back(at);
                const bool one = buffer.len == buffer.itemsize && !buffer.readonly;
                if (one && dtype_of_format(buffer.format, buffer.itemsize) == argument.dtype) {
                    addresses_[at] = buffer.buf;
                    return;
                }
            } else {
                PyErr_Clear();
            }
        }
        store_scalar(argument, object, scalars_[at]);
    }

    void place_symbols(const std::vector<std::int64_t>& symbols) {
        for (std::size_t k = 0; k < symbols.size(); ++k) {
            const std::size_t at = callable_.symbols[k];
            std::memcpy(scalars_[at].bytes.data(), &symbols[k], sizeof(std::int64_t));
            addresses_[at] = scalars_[at].bytes.data();
        }
    }

    void allocate_returns(const std::vector<std::int64_t>& symbols) {
        for (std::size_t k = 0; k < callable_.returns.size(); ++k) {
            const std::size_t at = callable_.returns[k];
            const Argument& argument = callable_.arguments[at];
            if (at >= callable_.computed) {
                returned_.push_back(nb::none());
                continue;
            }
            if (argument.kind == Argument::Kind::Scalar) {
                addresses_[at] = scalars_[at].bytes.data();
                returned_.push_back(nb::none());
                continue;
            }
            if (is_number(k)) {
                addresses_[at] = scalars_[at].bytes.data();
                returned_.push_back(nb::none());
                continue;
            }
            const bool reserved = argument.shape.size() == 1 && argument.shape[0].is_integer(ir::kReservedExtent);
            nb::object array =
                reserved ? rooms_.reserve(argument, callable_.dtypes[at]) : made(result_shape(k, symbols), callable_.dtypes[at]);
            take_array(at, array.ptr());
            // A path that does not return an array says nothing about it either.
            if (callable_.structure != Callable::kNone && callable_.is_about_another(k)) array.attr("fill")(0);
            returned_.push_back(std::move(array));
        }
    }
    /// Whether a result of one element is a number to the caller, which nothing else is said about.
    bool is_number(std::size_t k) const {
        const auto number = callable_.numbers[k];
        const Argument& argument = callable_.arguments[callable_.returns[k]];
        return number && *number != driver::python::NumberKind::Array && argument.kind == Argument::Kind::Array &&
               !argument.dtype.compound && callable_.choices[k] == Callable::kNone && !callable_.is_about_another(k) &&
               std::ranges::none_of(callable_.views[k], [](const auto& one) { return one.has_value(); });
    }
    nb::object made(const nb::tuple& shape, const nb::object& dtype) const {
        PyObject* const given[] = {shape.ptr(), dtype.ptr()};
        nb::object array = nb::steal(PyObject_Vectorcall(callable_.empty.ptr(), given, 2, nullptr));
        if (!array.is_valid()) throw nb::python_error();
        return array;
    }
    /// Throws Failure A003 for a negative size, D015 for a result that memory does not hold. Of a program a negative one is 0: on
    /// the paths that make such an array it raises NumPy's exception, on others the program's own, or returns something else.
    nb::tuple result_shape(std::size_t k, const std::vector<std::int64_t>& symbols) const {
        const Argument& argument = callable_.arguments[callable_.returns[k]];
        const std::size_t rank = argument.shape.size();
        const auto size_of = [&](std::size_t d) {
            const auto& extent = callable_.extents[k][d];
            if (!extent) return value_of(argument.shape[d], symbols);
            return extent->symbol != Callable::kNone ? symbols[extent->symbol] : extent->constant;
        };
        nb::tuple shape = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(rank)));
        std::int64_t elements = 1;
        bool fits = true, negative = false;
        for (std::size_t d = 0; d < rank; ++d) {
            const std::int64_t size = callable_.structures.empty() ? size_of(d) : std::max<std::int64_t>(size_of(d), 0);
            PyTuple_SET_ITEM(shape.ptr(), static_cast<Py_ssize_t>(d), PyLong_FromSsize_t(size));
            negative = negative || size < 0;
            fits = fits && !__builtin_mul_overflow(elements, size, &elements);
        }
        if (!negative && fits && bytes_in_memory(elements, code::size_in_bytes(argument.dtype))) return shape;
        std::string text;
        for (std::size_t d = 0; d < rank; ++d)
            text += (d == 0 ? "" : ", ") + symbolic::to_string(argument.shape[d]) + " = " + std::to_string(size_of(d));
        if (negative) fail_argument("A003", "the result would have a negative size: " + text, argument.name, "choose larger sizes");
        fail_argument("D015", "the result does not fit into memory: its shape is " + text, argument.name, "use smaller sizes");
    }
    std::int64_t value_of(const symbolic::Expr& extent, const std::vector<std::int64_t>& symbols) const {
        if (const auto constant = extent.constant()) return *constant;
        symbolic::Environment environment;
        environment.symbol = [&](const std::string& name) -> std::optional<std::int64_t> {
            for (std::size_t k = 0; k < symbols.size(); ++k)
                if (callable_.arguments[callable_.symbols[k]].name == name) return symbols[k];
            return std::nullopt;
        };
        return unwrap(symbolic::evaluate(extent, environment));
    }

    void execute() {
        std::optional<Diagnostic> error;
        std::mutex& running = callable_.running();
        {
            const EndedByInterrupt ctrl_c(callable_.program.interruption());
            nb::gil_scoped_release free;
            const std::lock_guard lock(running);
            const Result<Done> done = callable_.program.run(std::span(addresses_).first(callable_.computed));
            if (!done.ok()) error = done.error();
        }
        if (error && callable_.may_begin_again(*error)) error->notes.push_back({kUnchanged, {}});
        if (error && error->code == "A015" && PyErr_CheckSignals() != 0) throw nb::python_error();
        if (error) fail(*error);
    }

    PyObject* results(const std::vector<std::int64_t>& symbols) {
        std::vector<nb::object> values;
        for (std::size_t k = 0; k < returned_.size(); ++k)
            if (const std::size_t shape = callable_.shapes[k]; shape != Callable::kNone)
                rooms_.shrink(returned_[k], returned_[shape]);
        for (std::size_t k = 0; k < returned_.size(); ++k) {
            if (callable_.is_about_another(k)) continue;
            const std::size_t at = callable_.returns[k];
            values.push_back(returned_[k]);
            nb::object& value = values.back();
            if (at >= callable_.computed) {
                value = left_out(k, symbols);
                continue;
            }
            if (!value.is_none()) {
                const auto& views = callable_.views[k];
                const std::size_t choice = callable_.choices[k];
                const auto place = choice == Callable::kNone ? 0 : nb::cast<std::size_t>(returned_[choice].attr("item")());
                if (place < views.size() && views[place]) value = view(*views[place], value, symbols);
                if (const auto number = callable_.numbers[k])
                    value = *number == driver::python::NumberKind::Python  ? value.attr("item")()
                            : *number == driver::python::NumberKind::Array ? value.attr("reshape")(nb::tuple())
                                                                           : nb::object(value[0]);
                if (const auto list = callable_.lists[k])
                    value = *list == driver::python::NumberKind::Python  ? value.attr("tolist")()
                            : *list == driver::python::NumberKind::Array ? nb::object(nb::list(value))
                                                                         : nb::object(lists_of(value));
                continue;
            }
            value = nb::steal(load_scalar(callable_.arguments[at].dtype, scalars_[at]));
            if (!value.is_valid()) return nullptr;
            if (is_number(k) && callable_.numbers[k] == driver::python::NumberKind::NumPy)
                value = nb::steal(PyObject_CallOneArg(nb::object(callable_.dtypes[at].attr("type")).ptr(), value.ptr()));
            if (!value.is_valid()) return nullptr;
        }
        if (values.size() == 1 && callable_.arguments[callable_.returns[0]].name == "__return") return values[0].release().ptr();
        const std::size_t structure = callable_.structure;
        const std::size_t which = structure == Callable::kNone ? 0 : nb::cast<std::size_t>(returned_[structure].attr("item")());
        if (which < callable_.structures.size()) return structured(callable_.structures[which], values).release().ptr();
        if (values.empty()) Py_RETURN_NONE;
        PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(values.size()));
        for (std::size_t k = 0; k < values.size(); ++k)
            PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), values[k].release().ptr());
        return tuple;
    }
    /// The array that a view is of.
    nb::handle base_of(const driver::python::ReturnedView& view) const {
        const auto at = std::ranges::find(callable_.arguments, view.container, &Argument::name) - callable_.arguments.begin();
        const auto result = std::ranges::find(callable_.returns, static_cast<std::size_t>(at)) - callable_.returns.begin();
        return static_cast<std::size_t>(result) < returned_.size() ? nb::handle(returned_[static_cast<std::size_t>(result)])
                                                                   : nb::handle(given_[static_cast<std::size_t>(at)]);
    }
    /// The view of an argument or of another result; `copy` where the argument is no array of NumPy's.
    nb::object view(const driver::python::ReturnedView& view, const nb::object& copy,
                    const std::vector<std::int64_t>& symbols) const {
        return place_view(view, base_of(view), nb::tuple(copy.attr("shape")), copy,
                          [&](const symbolic::Expr& e) { return value_of(e, symbols); });
    }
    /// A result that the program does not compute.
    nb::object left_out(std::size_t k, const std::vector<std::int64_t>& symbols) const {
        const driver::python::ReturnedView& view = *callable_.views[k].at(0);
        const nb::handle base = base_of(view);
        if (callable_.whole[k] && PyObject_TypeCheck(base.ptr(), array_class())) return nb::borrow(base);
        const nb::tuple shape = result_shape(k, symbols);
        return place_view(view, base, shape, nb::none(), [&](const symbolic::Expr& e) { return value_of(e, symbols); });
    }

    Callable& callable_;
    std::array<std::byte, 2048> room_;  ///< Enough for what follows in most calls.
    std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
    std::pmr::vector<PyObject*> given_;
    std::pmr::vector<Py_buffer> buffers_;
    std::pmr::vector<driver::ActualArray> arrays_;
    std::pmr::vector<const driver::ActualArray*> actuals_;
    std::pmr::list<DeviceArray> device_arrays_{&memory_};
    std::pmr::vector<ScalarValue> scalars_;
    std::pmr::vector<void*> addresses_;
    std::pmr::vector<std::optional<std::int64_t>> symbols_given_;
    std::pmr::vector<std::size_t> held_{&memory_};
    Rooms rooms_;  ///< In front of what lies in them.
    std::pmr::vector<nb::object> returned_{&memory_};
};

// ---- the Python type ----------------------------------------------------------------------------------------------------
struct CompiledObject {
    PyObject ob_base;
    vectorcallfunc vectorcall;
    Callable* callable;
};

PyTypeObject* compiled_type = nullptr;

Callable& callable_of(PyObject* self) {
    return *reinterpret_cast<CompiledObject*>(self)->callable;
}

/// Runs `body` and turns what it throws into the Python exception.
template <class Body> PyObject* guarded(Body&& body) {
    try {
        return body();
    } catch (const Failure& failure) {
        set_error(failure.diagnostic);
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

PyObject* call_compiled(PyObject* self, PyObject* const* values, std::size_t count, PyObject* keywords) {
    return guarded(
        [&] { return Call(callable_of(self)).run(values, static_cast<std::size_t>(PyVectorcall_NARGS(count)), keywords); });
}

void free_compiled(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete reinterpret_cast<CompiledObject*>(self)->callable;
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* get_name(PyObject* self, void*) {
    return PyUnicode_FromString(callable_of(self).program.signature().program.c_str());
}
PyObject* get_source(PyObject* self, void*) {
    return PyUnicode_FromString(callable_of(self).program.source().c_str());
}
PyObject* get_library(PyObject* self, void*) {
    return PyUnicode_FromString(callable_of(self).program.library().c_str());
}
PyObject* get_arguments(PyObject* self, void*) {
    return guarded([&] {
        nb::list names;
        for (const Argument& argument : callable_of(self).arguments)
            if (!argument.is_return) names.append(argument.name);
        return nb::tuple(names).release().ptr();
    });
}
PyObject* get_shared_returns(PyObject* self, void*) {
    return guarded([&] {
        const Callable& callable = callable_of(self);
        nb::list places;
        std::size_t place = 0;
        for (std::size_t k = 0; k < callable.returns.size(); ++k) {
            if (callable.is_about_another(k)) continue;
            if (callable.shared[k]) places.append(place);
            ++place;
        }
        return nb::tuple(places).release().ptr();
    });
}
PyObject* get_times(PyObject* self, void*) {
    return guarded([&] {
        const driver::CompileTimes& times = callable_of(self).program.times();
        nb::dict result;
        result["verify"] = times.verify;
        result["lower"] = times.lower;
        result["print"] = times.print;
        result["compiler"] = times.compiler;
        result["load"] = times.load;
        result["own"] = times.own();
        result["cached"] = times.cached;
        return result.release().ptr();
    });
}
PyObject* finalise(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        Callable& callable = callable_of(self);
        const std::lock_guard lock(callable.running());
        callable.program.finalise();
        Py_RETURN_NONE;
    });
}
PyObject* represent(PyObject* self) {
    return PyUnicode_FromFormat("<compiled program %s>", callable_of(self).program.signature().program.c_str());
}

PyObject* get_traffic(PyObject* self, void*) {
    return guarded([&] { return traffic_of(callable_of(self).program).release().ptr(); });
}
PyObject* get_on_host(PyObject* self, void*) {
    return guarded([&] {
        nb::list parts;
        for (const driver::PartOnHost& part : callable_of(self).program.on_host())
            parts.append(nb::make_tuple(part.what, part.place, part.reason));
        return parts.release().ptr();
    });
}
PyObject* get_warnings(PyObject* self, void*) {
    return guarded([&] { return nb::cast(callable_of(self).program.warnings()).release().ptr(); });
}
PyGetSetDef getters[] = {
    {"__name__", get_name, nullptr, "Name of the program.", nullptr},
    {"source", get_source, nullptr, "The generated C++.", nullptr},
    {"library", get_library, nullptr, "Path of the shared library.", nullptr},
    {"arguments", get_arguments, nullptr, "Names of the arguments: arrays and scalars by position, then size symbols.", nullptr},
    {"shared_returns", get_shared_returns, nullptr, "Places of returned arrays that are copies here, but share memory in Python.",
     nullptr},
    {"times", get_times, nullptr, "Seconds of each step of the compilation, and whether the library came from the cache.", nullptr},
    {"warnings", get_warnings, nullptr, "Diagnostics of what may cost time in every call.", nullptr},
    {"traffic", get_traffic, nullptr, "Launches on a device, and bytes copied, since the library was loaded; None without one.",
     nullptr},
    {"on_host", get_on_host, nullptr, "What the host runs of a program for a GPU: (part, place in the source, reason) of each.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyObject* report(PyObject* self, PyObject*) {
    return guarded([&] { return nb::cast(unwrap(callable_of(self).program.report())).release().ptr(); });
}
PyMethodDef methods[] = {{"report", report, METH_NOARGS,
                          "What the instrumented parts did in all calls of this object: a sluice.Report. Raises CompileError D040 "
                          "where nothing was measured."},
                         {"finalize", finalise, METH_NOARGS, "Frees persistent memory; the next call allocates it again."},
                         {nullptr, nullptr, 0, nullptr}};
PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(CompiledObject, vectorcall), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>("A program compiled to native code. Call it with NumPy arrays (passed without a copy) and numbers, by "
                       "position or by name; sizes follow from the shapes or are passed by name. Raises TypeError and "
                       "ValueError for arguments that do not fit. The interpreter lock is free while it runs.")},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(free_compiled)},
    {Py_tp_repr, reinterpret_cast<void*>(represent)},
    {Py_tp_getset, getters},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, nullptr}};
PyType_Spec spec = {"sluice.CompiledProgram", sizeof(CompiledObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

nb::object compile(Graph& graph, bool use_cache, bool parallel, const std::string& cache, const std::string& optimize,
                   const std::string& target, const std::string& size_class, const std::string& measured,
                   const std::vector<std::string>& parts, const std::string& filter) {
    const driver::Level level = driver::chosen_level(optimize);
    graph.propagate();
    graph.expect_starts();
    Graph lighter{.sdfg = graph.sdfg};
    // What was tuned is a recipe for the graph as it was.
    const driver::LeftOut left_out = level == driver::Level::O3 && size_class.empty()
                                         ? driver::leave_out_returned_views(lighter.sdfg, graph.forms)
                                         : driver::LeftOut{};
    ir::Sdfg sdfg = optimised(lighter, level, size_class, target);
    if (!measured.empty()) instrument(sdfg, {measured, parts, filter});
    driver::CompileOptions options;
    options.decide = level != driver::Level::O0;
    options.use_cache = use_cache;
    options.parallel = parallel;
    options.cache = cache;
    options.target = target;
    std::optional<Result<driver::CompiledProgram>> compiled;
    {
        nb::gil_scoped_release free;
        compiled = driver::compile(sdfg, options);
    }
    auto callable = std::make_unique<Callable>(unwrap(std::move(*compiled)), graph.forms, left_out);
    auto* object = reinterpret_cast<CompiledObject*>(compiled_type->tp_alloc(compiled_type, 0));
    if (!object) throw nb::python_error();
    object->vectorcall = call_compiled;
    object->callable = callable.release();
    return nb::steal(reinterpret_cast<PyObject*>(object));
}

}  // namespace

void bind_compiled(nb::module_& module) {
    driver::load_openmp();
    pthread_atfork(nullptr, nullptr, [] { ++forks_seen; });
    compiled_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!compiled_type) throw nb::python_error();
    module.attr("CompiledProgram") = nb::handle(reinterpret_cast<PyObject*>(compiled_type));
    module.def(
        "racing_maps",
        [](const Graph& graph) {
            std::vector<std::string> said;
            for (const Diagnostic& one : driver::racing_maps(graph.sdfg)) said.push_back(driver::warning_text(one));
            return said;
        },
        nb::arg("graph"));
    module.def("compile", &compile, nb::arg("graph"), nb::arg("use_cache"), nb::arg("parallel"), nb::arg("cache"),
               nb::arg("optimize"), nb::arg("target"), nb::arg("size_class"), nb::arg("measured") = "",
               nb::arg("parts") = std::vector<std::string>(), nb::arg("filter") = "*");
    module.def("world", [] {
        const driver::World world = unwrap(driver::world());
        return std::make_pair(world.rank, world.ranks);
    });
    module.def("chosen_target", [](const std::string& name) { return driver::chosen_target(name).name; });
    module.def("targets", [] {
        std::vector<std::string> names;
        for (const driver::TargetTools& one : driver::target_tools()) names.push_back(one.target->name);
        return names;
    });
}

}  // namespace sluice::bindings
