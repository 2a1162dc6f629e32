// Symbols, expressions and element types.
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>

#include <algorithm>
#include <array>

#include "bindings/convert.h"
#include "symbolic/subset.h"

namespace sluice::bindings {

using symbolic::Expr;

namespace {

using Operator = Expr (*)(const Expr&, const Expr&);

/// Both `a op b` and `b op a`.
void bind_operator(nb::class_<PyExpr>& type, const char* name, const char* reflected, Operator apply) {
    type.def(
        name,
        [apply](const PyExpr& a, nb::handle b) {
            return PyExpr{apply(a.value, expr_from(b)), {}};
        },
        nb::is_operator());
    type.def(
        reflected,
        [apply](const PyExpr& a, nb::handle b) {
            return PyExpr{apply(expr_from(b), a.value), {}};
        },
        nb::is_operator());
}

/// A number by its value, a condition by what is known of positive symbols; other expressions are true, as objects are.
bool truth_of(const Expr& e) {
    if (e.is_integer()) return e.integer() != 0;
    using symbolic::Kind;
    const auto conditions = {Kind::Boolean, Kind::Equal, Kind::Less, Kind::LessEqual, Kind::And, Kind::Or, Kind::Not};
    if (std::ranges::find(conditions, e.kind()) == conditions.end()) return true;
    const symbolic::Truth truth = symbolic::decide(e);
    if (truth == symbolic::Truth::Unknown)
        throw nb::type_error(("whether " + symbolic::to_string(e) + " holds is not known before its symbols have values").c_str());
    return is_yes(truth);
}

/// Values for names, which expressions or texts may give.
symbolic::Substitution substitution_from(const nb::dict& values) {
    symbolic::Substitution result;
    for (const auto [name, value] : values) result.insert_or_assign(nb::cast<std::string>(nb::str(name)), expr_from(value));
    return result;
}

void bind_subsets(nb::module_& module) {
    module.def(
        "parse_subset",
        [](const std::string& text) {
            std::vector<std::array<PyExpr, 4>> dims;
            for (const symbolic::Range& dim : unwrap(symbolic::parse_subset(text)).dims)
                dims.push_back({PyExpr{dim.begin, {}}, PyExpr{dim.end, {}}, PyExpr{dim.step, {}}, PyExpr{dim.tile, {}}});
            return dims;
        },
        nb::arg("text"), "(begin, end, step, tile) of each dimension, half-open.");
    module.def("subset_covers",
               [](nb::handle outer, nb::handle inner) { return is_yes(symbolic::covers(subset_from(outer), subset_from(inner))); });
    module.def("subset_disjoint", [](nb::handle a, nb::handle b) -> std::optional<bool> {
        const symbolic::Truth truth = symbolic::disjoint(subset_from(a), subset_from(b));
        return truth == symbolic::Truth::Unknown ? std::nullopt : std::optional(is_yes(truth));
    });
}

void bind_expressions(nb::module_& module) {
    nb::class_<PyExpr> type(module, "Expr", "A symbolic integer expression in canonical form: `2*N - N + 1 == N + 1`.");
    type.def("__init__", [](PyExpr* self, nb::handle object) { new (self) PyExpr{expr_from(object), {}}; });
    bind_operator(type, "__add__", "__radd__", [](const Expr& a, const Expr& b) { return a + b; });
    bind_operator(type, "__sub__", "__rsub__", [](const Expr& a, const Expr& b) { return a - b; });
    bind_operator(type, "__mul__", "__rmul__", [](const Expr& a, const Expr& b) { return a * b; });
    bind_operator(type, "__truediv__", "__rtruediv__", symbolic::true_divide);
    bind_operator(type, "__floordiv__", "__rfloordiv__", symbolic::floor_divide);
    bind_operator(type, "__mod__", "__rmod__", symbolic::modulo);
    bind_operator(type, "__pow__", "__rpow__", symbolic::power);
    bind_operator(type, "__lt__", "__gt__", symbolic::less);
    bind_operator(type, "__le__", "__ge__", symbolic::less_equal);
    type.def("__bool__", [](const PyExpr& a) { return truth_of(a.value); });
    type.def(
        "subs",
        [](const PyExpr& a, const nb::dict& values) {
            return PyExpr{symbolic::substitute(a.value, substitution_from(values)), {}};
        },
        nb::arg("values"), "The expression with other expressions for names.");
    type.def(
        "subs",
        [](const PyExpr& a, nb::handle name, nb::handle value) {
            return PyExpr{symbolic::substitute(a.value, {{nb::cast<std::string>(nb::str(name)), expr_from(value)}}), {}};
        },
        nb::arg("old"), nb::arg("new"), "The expression with another one for one name.");
    type.def(
        "subs",
        [](const PyExpr& a, const std::vector<std::pair<nb::object, nb::object>>& pairs) {
            Expr result = a.value;
            for (const auto& [name, value] : pairs)
                result = symbolic::substitute(result, {{nb::cast<std::string>(nb::str(name)), expr_from(value)}});
            return PyExpr{result, {}};
        },
        nb::arg("pairs"), "The same for several names, one after the other.");
    type.def("__neg__", [](const PyExpr& a) { return PyExpr{-a.value, {}}; });
    type.def("__pos__", [](const PyExpr& a) { return a; });
    type.def("__eq__", [](const PyExpr& a, nb::handle b) {
        PyExpr* other = nullptr;
        if (nb::try_cast(b, other) && other) return a.value == other->value;
        return PyLong_Check(b.ptr()) && a.value == Expr(nb::cast<std::int64_t>(b));
    });
    type.def("__hash__", [](const PyExpr& a) { return std::hash<std::string>{}(symbolic::to_string(a.value)); });
    type.def("__str__", [](const PyExpr& a) { return symbolic::to_string(a.value); });
    type.def("__repr__", [](const PyExpr& a) { return symbolic::to_string(a.value); });
    type.def("__index__", [](const PyExpr& a) {
        if (const auto value = a.value.constant()) return *value;
        fail({.code = "A008",
              .message = "the symbolic size " + symbolic::to_string(a.value) + " has no value outside a program",
              .where = {},
              .path = {},
              .remedy = "pass a number",
              .notes = {}});
    });
    type.def_prop_ro("free_symbols", [](const PyExpr& a) {
        nb::object names = nb::steal(PySet_New(nullptr));
        for (const std::string& name : symbolic::free_symbols(a.value)) names.attr("add")(name);
        return names;
    });
    type.def(
        "evaluate",
        [](const PyExpr& a, const std::map<std::string, std::int64_t>& symbols) {
            return unwrap(symbolic::evaluate(a.value, symbols));
        },
        nb::arg("symbols"),
        "The value for given symbols, in 64-bit integers. Raises CompileError on overflow or a missing symbol.");
    type.def_prop_ro("name", [](const PyExpr& a) {
        if (!a.value.is_symbol()) throw nb::attribute_error("only a symbol has a name");
        return a.value.name();
    });
    type.def_prop_ro("dtype", [](const PyExpr& a) { return a.dtype.value_or(code::Scalar::Int64); });
    module.def(
        "symbol",
        [](const std::string& name, nb::handle dtype) {
            return PyExpr{symbolic::symbol(name), dtype.is_none() ? code::DType(code::Scalar::Int64) : dtype_from(dtype)};
        },
        nb::arg("name"), nb::arg("dtype") = nb::none());
}

nb::object numpy_type(const code::DType& type) {
    const std::string name = numpy_name(type);
    if (name.empty())
        fail({.code = "A008",
              .message = code::to_string(type) + " has no NumPy counterpart",
              .where = {},
              .path = {},
              .remedy = "use a type that NumPy has",
              .notes = {}});
    return nb::module_::import_("numpy").attr(name == "bool" ? "bool_" : name.c_str());
}

void bind_dtype(nb::module_& module) {
    nb::class_<code::DType>(module, "typeclass",
                            "An element type. `float64[N, M]` is an array type, `float64(x)` converts a value as NumPy does.")
        .def("__init__", [](code::DType* self, nb::handle object) { new (self) code::DType(dtype_from(object)); })
        .def("__getitem__",
             [](const code::DType& self, nb::handle shape) {
                 return driver::python::ArgumentType{self, exprs_from(shape)};
             })
        .def("__call__", [](const code::DType& self, nb::args args) { return numpy_type(self)(*args); })
        .def_prop_ro("type", &numpy_type, "The NumPy scalar type.")
        .def_prop_ro("dtype", [](const code::DType& self) { return nb::module_::import_("numpy").attr("dtype")(numpy_type(self)); })
        .def("as_numpy_dtype",
             [](const code::DType& self) { return nb::module_::import_("numpy").attr("dtype")(numpy_type(self)); })
        .def_prop_ro(
            "bytes", [](const code::DType& self) { return code::size_in_bytes(self); }, "Size of one element in bytes.")
        .def_prop_ro("veclen", [](const code::DType& self) { return self.lanes; })
        .def("to_string", [](const code::DType& self) { return code::to_string(self); })
        .def("__eq__",
             [](const code::DType& self, nb::handle other) {
                 code::DType* type = nullptr;
                 return nb::try_cast(other, type) && type && *type == self;
             })
        .def("__hash__", [](const code::DType& self) { return std::hash<std::string>{}(code::to_string(self)); })
        .def("__str__", [](const code::DType& self) { return code::to_string(self); })
        .def("__repr__", [](const code::DType& self) { return code::to_string(self); });
    module.def(
        "vector", [](const code::DType& type, std::uint32_t lanes) { return code::DType(type.scalar, lanes); }, nb::arg("dtype"),
        nb::arg("lanes"), "A vector of `lanes` elements.");
    module.def(
        "pointer", [](const code::DType& type) { return code::DType::pointer(type); }, nb::arg("dtype"));
    module.def(
        "opaque", [](const std::string& ctype) { return code::DType::opaque(ctype); }, nb::arg("ctype"));
    module.def(
        "struct",
        [](const std::string& name, nb::kwargs fields) {
            std::vector<std::pair<std::string, code::DType>> members;
            for (const auto [key, type] : fields) members.emplace_back(nb::cast<std::string>(key), dtype_from(type));
            return code::DType::structure(name, std::move(members));
        },
        nb::arg("name"), nb::arg("fields"));
    nb::class_<driver::python::ArgumentType>(module, "ArrayType", "The type of an array argument: `float64[N, M]`.")
        .def_prop_ro("dtype", [](const driver::python::ArgumentType& self) { return self.dtype; })
        .def_prop_ro("shape",
                     [](const driver::python::ArgumentType& self) {
                         nb::list shape;
                         if (self.shape)
                             for (const Expr& extent : *self.shape) shape.append(PyExpr{extent, {}});
                         return nb::tuple(shape);
                     })
        .def("__eq__",
             [](const driver::python::ArgumentType& self, nb::handle other) {
                 driver::python::ArgumentType* type = nullptr;
                 return nb::try_cast(other, type) && type && type->dtype == self.dtype && type->shape == self.shape;
             })
        .def("__matmul__", [](const driver::python::ArgumentType& self,
                              nb::handle storage) { return nb::module_::import_("sluice.data").attr("lying_in")(self, storage); })
        .def("__hash__", [](const driver::python::ArgumentType& self) { return std::hash<std::string>{}(to_string(self)); })
        .def("__repr__", [](const driver::python::ArgumentType& self) { return to_string(self); });
    module.def(
        "type_of", [](nb::handle value) { return argument_type_of(value); }, nb::arg("value"),
        "The type that a value gives to an unannotated parameter.");
    module.def(
        "type_key",
        [](nb::handle value) {
            return to_string(argument_type_of(value)) + (nb::hasattr(value, "__cuda_array_interface__") ? " on the device" : "");
        },
        nb::arg("value").none());
}

}  // namespace

void bind_types(nb::module_& module) {
    bind_expressions(module);
    bind_subsets(module);
    bind_dtype(module);
    for (const code::Scalar scalar :
         {code::Scalar::Bool, code::Scalar::Int8, code::Scalar::Int16, code::Scalar::Int32, code::Scalar::Int64,
          code::Scalar::UInt8, code::Scalar::UInt16, code::Scalar::UInt32, code::Scalar::UInt64, code::Scalar::Float16,
          code::Scalar::BFloat16, code::Scalar::Float32, code::Scalar::Float64, code::Scalar::Complex64, code::Scalar::Complex128,
          code::Scalar::String}) {
        std::string name(code::scalar_name(scalar));
        if (scalar == code::Scalar::Bool) name = "bool_";
        module.attr(name.c_str()) = code::DType(scalar);
    }
}

}  // namespace sluice::bindings
