// What C++ spells in its own way: casts, calls, types, vectors, names of the runtime.
#include "codegen/cpu/printer.h"
#include "codegen/cpu/types.h"
#include "support/check.h"

namespace sluice::codegen {

using code::DType;
using code::Scalar;

std::string Printer::integer(std::int64_t value, const DType& type) {
    return integer_literal(value, type);
}

std::string Printer::real(double real, double imaginary, const DType& type) {
    const std::string text = float_literal(real, imaginary, type);
    return identifiers_.contains(cpp_type(type)) ? "sluice::" + text : text;
}

std::string Printer::converted(const std::string& type, const std::string& value) {
    return type + "(" + value + ")";
}

std::string Printer::pointer_cast(const std::string& target, const std::string& pointer, bool) {
    return "reinterpret_cast<" + target + ">(" + pointer + ")";
}

Text Printer::print_stream_size(const loop::StreamSize& n) {
    return {n.stream + "[" + (n.index ? subscript(n.index) : "0") + "].size()"};
}

Text Printer::print_lanes_choice(const loop::Value&, const loop::Select& n) {
    need("vector_math.h");
    return {runtime("where") + "(" + value(n.condition) + ", " + value(n.if_true) + ", " + value(n.if_false) + ")"};
}

std::string Printer::lanes(const std::string& element, const DType& type) {
    need("vector_math.h");
    return runtime("lanes_at") + "<" + std::to_string(type.lanes) + ">(" + element + ")";
}

std::string Printer::claim(const std::string& container, const symbolic::Expr& size) const {
    symbolic::Substitution known;  // Copies of arguments, by the names that the caller gave them.
    for (const loop::Statement& s : module_.program.body)
        if (const auto* copy = std::get_if<loop::Declare>(&s.node))
            if (const auto* argument = copy->value ? std::get_if<loop::Variable>(&copy->value->node) : nullptr)
                known.emplace(copy->name, symbolic::symbol(argument->name));
    const std::string text = symbolic::to_string(symbolic::substitute(size, known));
    return "{\"" + container + "\"" + (size.is_integer() ? "" : ", \"" + text + "\"") + "}";
}

Text Printer::print_cast(const loop::Value& v, const loop::Cast& n) {
    const DType& from = n.operand->type;
    const std::string to = type(v.type);
    if (v.type.compound) {
        if (v.type.compound->kind == code::CompoundKind::Pointer) return {"reinterpret_cast<" + to + ">(" + value(n.operand) + ")"};
        return {"static_cast<" + to + ">(" + value(n.operand) + ")"};
    }
    if (v.type.is_vector() && from.is_vector()) {
        need("vector_math.h");
        return {runtime("convert_lanes") + "<" + type(v.type.scalar) + ">(" + value(n.operand) + ")"};
    }
    if (v.type.is_vector() && !(DType(v.type.scalar) == from))
        return {to + "(" + type(v.type.scalar) + "(" + value(n.operand) + "))"};
    if (code::is_complex(from.scalar) && !code::is_complex(v.type.scalar)) {
        need("complex.h");
        return {runtime("convert") + "<" + to + ">(" + value(n.operand) + ")"};
    }
    if (code::is_floating(from.scalar) && code::is_integer(v.type.scalar) && !(v.type == DType(Scalar::Bool))) {
        need("conversion.h");
        return {runtime("whole") + "<" + to + ">(" + value(n.operand) + ")"};
    }
    return {to + "(" + value(n.operand) + ")"};
}

Text Printer::print_call(const loop::Value&, const loop::Call& n) {
    need("math.h");
    std::string text = runtime(n.function) + "(";
    for (std::size_t i = 0; i < n.arguments.size(); ++i) text += (i ? ", " : "") + value(n.arguments[i]);
    if (n.function == "checked_index") {
        need("bounds.h");
        text += ", " + runtime("kFirstCheck") + " + " + std::to_string(checks_.size());
        checks_.push_back({"an index is out of bounds", "IndexError", true, where_});
    }
    return {text + ")"};
}

std::string Printer::type(const DType& t) {
    if (!t.compound) precisions_.insert(t.scalar);
    if (t.compound) {
        if (t.compound->kind == code::CompoundKind::Struct) return "::" + cpp_type(t);
        if (t.compound->kind != code::CompoundKind::Pointer) return cpp_type(t);
        return type(t.compound->fields.at(0).second) + "*";
    }
    if (t.is_vector()) {
        need("vector_math.h");
        return runtime("vector") + "<" + type(t.scalar) + ", " + std::to_string(t.lanes) + ">";
    }
    if (code::is_complex(t.scalar)) {
        need("complex.h");
        return runtime(cpp_type(t));
    }
    if (t.scalar == Scalar::Float16) {
        need("types.h");
        return runtime(cpp_type(t));
    }
    return cpp_type(t);
}

std::string Printer::runtime(const std::string& name) const {
    return identifiers_.contains(name) ? "sluice::" + name : name;
}

std::string Printer::callee(const std::string& function) const {
    return scope_.contains(function) ? "generated::" + function : function;
}

std::string Printer::combined_by_function(const char* name, const DType& type, const std::string& before,
                                          const std::string& incoming) {
    need(type.is_vector() ? "vector_math.h" : "math.h");
    return runtime(name) + "(" + before + ", " + incoming + ")";
}

}  // namespace sluice::codegen
