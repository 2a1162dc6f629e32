#include "bindings/objects.h"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace sluice::bindings {

namespace {

constexpr int kDeepest = 32;

struct NoForm {};

/// Where the elements of an array of NumPy's lie, of one or two dimensions.
class ArrayMemory {
public:
    /// Throws NoForm where an array has other dimensions, or its elements overlap.
    explicit ArrayMemory(const nb::handle& array) {
        if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            throw NoForm{};
        }
        const bool fits = view_.ndim == 1 || view_.ndim == 2;
        if (fits) {
            rows_ = view_.shape[0], columns_ = view_.ndim == 2 ? view_.shape[1] : 1;
            if (rows_ == 0 || columns_ == 0) return;
            const std::int64_t down = std::abs(view_.strides[0]),
                               across = view_.ndim == 2 ? std::abs(view_.strides[1]) : view_.itemsize;
            const bool apart = (rows_ < 2 || down >= (columns_ < 2 ? view_.itemsize : across * columns_)) ||
                               (across >= (rows_ < 2 ? view_.itemsize : down * rows_));
            if (apart && (columns_ < 2 || across >= view_.itemsize) && (rows_ < 2 || down >= view_.itemsize)) return;
        }
        PyBuffer_Release(&view_);
        throw NoForm{};
    }
    ArrayMemory(const ArrayMemory&) = delete;
    ~ArrayMemory() { PyBuffer_Release(&view_); }

    int rank() const { return view_.ndim; }
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    bool is_constant() const { return view_.readonly != 0; }
    /// `I`, `F`, `B`, as forms say.
    char element() const {
        const std::string_view format = view_.format ? view_.format : "";
        if (view_.itemsize == 8 && (format == "l" || format == "q")) return 'I';
        if (format == "d") return 'F';
        if (format == "?") return 'B';
        throw NoForm{};
    }
    /// The memory from its first byte to behind its last.
    std::pair<const char*, const char*> bounds() const {
        if (rows_ == 0 || columns_ == 0) return {nullptr, nullptr};
        const char *first = static_cast<const char*>(view_.buf), *last = first;
        for (int k = 0; k < view_.ndim; ++k) (view_.strides[k] < 0 ? first : last) += (view_.shape[k] - 1) * view_.strides[k];
        return {first, last + view_.itemsize};
    }
    template <class F> void each(const F& with) const {
        for (std::int64_t i = 0; i < rows_; ++i)
            for (std::int64_t j = 0; j < columns_; ++j)
                with(static_cast<char*>(view_.buf) + i * view_.strides[0] + (view_.ndim == 2 ? j * view_.strides[1] : 0));
    }

private:
    Py_buffer view_ = {};
    std::int64_t rows_ = 0, columns_ = 0;
};

class Reader {
public:
    Reader(const std::string& forms, const nb::object& whole, const nb::object& real)
        : whole_row_(nb::cast<Row<const std::int64_t>>(whole)),
          real_row_(nb::cast<Row<const double>>(real)),
          whole_(whole_row_.data()),
          real_(real_row_.data()) {
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = forms.find('|', begin);
            forms_.push_back(forms.substr(begin, end - begin));
        }
    }

    nb::object made() {
        take_form();
        std::size_t at = 0;
        return made(at);
    }
    nb::object made(const nb::list& given) {
        for (const nb::handle one : given) seen_.push_back(nb::borrow(one));
        const nb::object result = made();
        for (std::int64_t count = *whole_++; count > 0; --count) {
            const nb::object one = seen_.at(static_cast<std::size_t>(*whole_++));
            take_form();
            change(one);
        }
        return result;
    }

private:
    template <class T> using Row = nb::ndarray<T, nb::ndim<1>>;

    void take_form() { form_ = forms_.at(static_cast<std::size_t>(*whole_++)); }
    /// The object gets the elements that follow.
    void change(const nb::object& one) {
        const char kind = form_[0];
        if (kind == 'a') return fill(one, form_[2]);
        if (kind == 'l') {
            const nb::object now = nb::steal(PyList_New(0));
            elements(now, kind);
            if (PyList_SetSlice(one.ptr(), 0, PyList_Size(one.ptr()), now.ptr()) != 0) nb::raise_python_error();
            return;
        }
        one.attr("clear")();
        elements(one, kind);
    }
    void elements(const nb::object& into, char kind, std::size_t of_elements = 1) {
        for (std::int64_t size = *whole_++; size > 0; --size) {
            std::size_t at = of_elements;
            const nb::object one = made(at);
            int failed = 0;
            if (kind == 'd')
                failed = PyDict_SetItem(into.ptr(), one.ptr(), made(at).ptr());
            else if (kind == 's')
                failed = PySet_Add(into.ptr(), one.ptr());
            else if (kind == 'l')
                failed = PyList_Append(into.ptr(), one.ptr());
            else
                into.attr("append")(one);
            if (failed != 0) nb::raise_python_error();
        }
    }

    /// Goes behind the form of one value.
    std::size_t behind(std::size_t at) const {
        const char kind = form_[at++];
        if (kind == 'a') return at + 2;
        if (kind == '(') {
            while (form_[at] != ')') at = behind(at);
            return at + 1;
        }
        const int parts = kind == 'd' ? 2 : std::string_view("lrszq").find(kind) != std::string_view::npos ? 1 : 0;
        for (int k = 0; k < parts; ++k) at = behind(at);
        return at;
    }

    nb::object text() {
        const std::int64_t size = *whole_++;
        Py_UCS4 most = 0;
        for (std::int64_t k = 0; k < size; ++k) most = std::max(most, static_cast<Py_UCS4>(whole_[k]));
        const nb::object made = nb::steal(PyUnicode_New(size, most));
        for (std::int64_t k = 0; k < size; ++k) PyUnicode_WriteChar(made.ptr(), k, static_cast<Py_UCS4>(*whole_++));
        return made;
    }

    nb::object made(std::size_t& at) {
        const char kind = form_[at++];
        switch (kind) {
            case 'i':
                return nb::int_(*whole_++);
            case 'f':
                return nb::float_(*real_++);
            case 'b':
                return nb::bool_(*whole_++ != 0);
            case 'o':
                return *whole_++ != 0 ? nb::object(nb::float_(*real_++)) : nb::object(nb::int_(*whole_++));
            case 'I':
                return int64_(nb::int_(*whole_++));
            case 'F':
                return float64_(nb::float_(*real_++));
            case 'B':
                return bool_(nb::bool_(*whole_++ != 0));
            case 'p': {
                const bool of_numpy = *whole_++ != 0;
                if (*whole_++ == 0) return of_numpy ? nb::object(int64_(nb::int_(*whole_++))) : nb::object(nb::int_(*whole_++));
                return of_numpy ? nb::object(float64_(nb::float_(*real_++))) : nb::object(nb::float_(*real_++));
            }
            case 'N':
                return nb::none();
            case 't':
                return text();
            case '(': {
                nb::list all;
                while (form_[at] != ')') all.append(made(at));
                ++at;
                return nb::tuple(all);
            }
            default: {
                const std::size_t end = behind(at - 1);
                const nb::object one = object(kind, at);
                at = end;
                return one;
            }
        }
    }

    /// A list, tuple, set or dictionary: one that was met before, or the next.
    nb::object object(char kind, std::size_t of_elements) {
        if (const std::int64_t place = *whole_++; place >= 0) return seen_.at(static_cast<std::size_t>(place));
        const std::size_t own = seen_.size();
        if (kind == 'a') return array(of_elements);
        if (kind == 'r' || kind == 'z') {
            seen_.emplace_back();
            const nb::object all = nb::steal(PyList_New(0));
            elements(all, 'l', of_elements);
            return seen_[own] = kind == 'r' ? nb::object(nb::tuple(all)) : nb::steal(PyFrozenSet_New(all.ptr()));
        }
        const nb::object all = kind == 'd'   ? nb::steal(PyDict_New())
                               : kind == 's' ? nb::steal(PySet_New(nullptr))
                               : kind == 'l' ? nb::steal(PyList_New(0))
                                             : nb::module_::import_("collections").attr("deque")();
        seen_.push_back(all);
        elements(all, kind, of_elements);
        return all;
    }

    nb::object array(std::size_t of_elements) {
        const char element = form_[of_elements + 1];
        nb::list extents;
        for (int k = 0; k < form_[of_elements] - '0'; ++k) extents.append(whole_[k]);
        const nb::object made = numpy_.attr("empty")(nb::tuple(extents), element == 'I'   ? int64_
                                                                         : element == 'F' ? float64_
                                                                                          : bool_);
        seen_.push_back(made);
        fill(made, element);
        return made;
    }
    /// Behind its shape follow all elements.
    void fill(const nb::object& array, char element) {
        whole_ += 2;
        const ArrayMemory memory(array);
        memory.each([&](char* at) {
            if (element == 'F')
                std::memcpy(at, real_++, sizeof(double));
            else if (element == 'I')
                std::memcpy(at, whole_++, sizeof(std::int64_t));
            else
                *at = static_cast<char>(*whole_++ != 0);
        });
    }

    const nb::module_ numpy_ = nb::module_::import_("numpy");
    const nb::object int64_ = numpy_.attr("int64"), float64_ = numpy_.attr("float64"), bool_ = numpy_.attr("bool_");
    std::vector<std::string> forms_;
    std::string form_;
    Row<const std::int64_t> whole_row_;
    Row<const double> real_row_;
    const std::int64_t* whole_;
    const double* real_;
    std::vector<nb::object> seen_;
};

/// What values are, as far as their types say.
struct Form {
    char kind = '?';
    std::vector<Form> parts = {};

    std::string text() const {
        std::string all(1, kind);
        for (const Form& part : parts) all += part.text();
        return kind == '(' ? all + ")" : all;
    }
};

void join(Form& into, const Form& other) {
    if (other.kind == '?') return;
    if (into.kind == '?') return void(into = other);
    const bool tuples = (into.kind == '(' || into.kind == 'r') && (other.kind == '(' || other.kind == 'r');
    if (tuples && (into.kind != other.kind || into.parts.size() != other.parts.size())) {  // Of any length.
        Form element;
        for (const Form* one : {static_cast<const Form*>(&into), &other})
            for (const Form& part : one->parts) join(element, part);
        into = {'r', {element}};
        return;
    }
    if (into.kind != other.kind) throw NoForm{};
    for (std::size_t at = 0; at < into.parts.size(); ++at) join(into.parts[at], other.parts[at]);
}

Form form_of(const nb::handle& value, int depth = 0) {
    if (depth > kDeepest) throw NoForm{};
    PyObject* const one = value.ptr();
    const auto of_all = [&](const nb::handle& all) {
        Form element;
        for (const nb::handle each : all) join(element, form_of(each, depth + 1));
        return element;
    };
    if (one == Py_None) return {'N'};
    if (PyBool_Check(one)) return {'b'};
    if (PyLong_CheckExact(one)) return {'i'};
    if (PyFloat_CheckExact(one)) return {'f'};
    if (PyUnicode_CheckExact(one)) return {'t'};
    if (PyList_CheckExact(one)) return {'l', {of_all(value)}};
    if (Py_IS_TYPE(one, &PySet_Type)) return {'s', {of_all(value)}};
    if (PyFrozenSet_CheckExact(one)) return {'z', {of_all(value)}};
    if (PyDict_CheckExact(one)) {
        Form keys = of_all(value), values;
        for (const auto [key, each] : nb::borrow<nb::dict>(value)) join(values, form_of(each, depth + 1));
        return {'d', {keys, values}};
    }
    if (PyTuple_CheckExact(one)) {
        constexpr std::size_t kMostParts = 8;
        if (nb::len(value) == 0 || nb::len(value) > kMostParts) return {'r', {of_all(value)}};
        Form all{'('};
        for (const nb::handle each : nb::borrow<nb::tuple>(value)) all.parts.push_back(form_of(each, depth + 1));
        return all;
    }
    const nb::object numpy = nb::module_::import_("numpy");
    const nb::handle type = value.type();
    if (type.is(numpy.attr("ndarray"))) {
        const ArrayMemory memory(value);
        return {memory.is_constant() ? 'c' : 'a', {Form{static_cast<char>('0' + memory.rank())}, Form{memory.element()}}};
    }
    for (const auto& [name, kind] : {std::pair("int64", 'I'), std::pair("float64", 'F'), std::pair("bool_", 'B')})
        if (type.is(numpy.attr(name))) return {kind};
    if (type.is(nb::module_::import_("collections").attr("deque")) && value.attr("maxlen").is_none()) return {'q', {of_all(value)}};
    throw NoForm{};
}

class Writer {
public:
    void put(const nb::handle& value, const Form& form) {
        PyObject* const one = value.ptr();
        switch (form.kind) {
            case 'N':
            case '?':
                return;
            case 'b':
                return whole.push_back(one == Py_True);
            case 'I':
                return whole.push_back(nb::cast<std::int64_t>(nb::int_(value)));
            case 'F':
                return real.push_back(PyFloat_AsDouble(one));
            case 'B':
                return whole.push_back(PyObject_IsTrue(one));
            case 'i': {
                int overflow = 0;
                whole.push_back(PyLong_AsLongLongAndOverflow(one, &overflow));
                if (overflow != 0) throw NoForm{};
                return;
            }
            case 'f':
                return real.push_back(PyFloat_AS_DOUBLE(one));
            case 't': {
                const Py_ssize_t size = PyUnicode_GetLength(one);
                whole.push_back(size);
                for (Py_ssize_t k = 0; k < size; ++k) whole.push_back(PyUnicode_ReadChar(one, k));
                return;
            }
            case '(': {
                std::size_t at = 0;
                for (const nb::handle each : nb::borrow<nb::tuple>(value)) put(each, form.parts[at++]);
                return;
            }
            default:
                return put_object(value, form);
        }
    }

    std::vector<std::int64_t> whole;
    std::vector<double> real;
    nb::list objects;

private:
    void put_object(const nb::handle& value, const Form& form) {
        const auto [known, added] = seen_.try_emplace(value.ptr(), seen_.size(), form.text());
        if (!added) {
            if (known->second.second != form.text()) throw NoForm{};
            return whole.push_back(static_cast<std::int64_t>(known->second.first));
        }
        whole.push_back(-1);
        objects.append(value);
        if (form.kind == 'a' || form.kind == 'c') return put_array(value, form.parts[1].kind);
        whole.push_back(static_cast<std::int64_t>(nb::len(value)));
        if (form.kind == 'd') {
            for (const auto [key, each] : nb::borrow<nb::dict>(value)) put(key, form.parts[0]), put(each, form.parts[1]);
            return;
        }
        for (const nb::handle each : value) put(each, form.parts[0]);
    }

    /// Arrays that lie in one memory would have to see what another one becomes.
    void put_array(const nb::handle& value, char element) {
        const ArrayMemory memory(value);
        const auto [begin, end] = memory.bounds();
        for (const auto& [first, last] : arrays_)
            if (begin < last && first < end) throw NoForm{};
        if (begin) arrays_.emplace_back(begin, end);
        whole.push_back(memory.rows()), whole.push_back(memory.columns());
        memory.each([&](const char* at) {
            double number = 0;
            std::int64_t integer = *at;
            if (element == 'F') return std::memcpy(&number, at, sizeof number), real.push_back(number);
            if (element == 'I') std::memcpy(&integer, at, sizeof integer);
            whole.push_back(integer);
        });
    }

    std::map<PyObject*, std::pair<std::size_t, std::string>> seen_;
    std::vector<std::pair<const char*, const char*>> arrays_;
};

template <class T> nb::object row_of(std::vector<T>&& values) {
    auto* const kept = new std::vector<T>(std::move(values));
    kept->push_back(T());  // No array of a program is empty.
    const nb::capsule owner(kept, [](void* one) noexcept { delete static_cast<std::vector<T>*>(one); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

}  // namespace

nb::object objects_of(const std::string& forms, const nb::object& whole, const nb::object& real) {
    return Reader(forms, whole, real).made();
}

nb::object read_objects(const std::string& forms, const nb::object& whole, const nb::object& real, const nb::list& given) {
    return Reader(forms, whole, real).made(given);
}

nb::object write_objects(const nb::tuple& values) {
    try {
        Form all{'('};
        for (const nb::handle one : values) all.parts.push_back(form_of(one));
        Writer writer;
        std::size_t at = 0;
        for (const nb::handle one : values) writer.put(one, all.parts[at++]);
        return nb::make_tuple(all.text(), row_of(std::move(writer.whole)), row_of(std::move(writer.real)), writer.objects);
    } catch (const NoForm&) {
        return nb::none();
    }
}

}  // namespace sluice::bindings
