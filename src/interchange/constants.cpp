// Compile-time constants: exact integers, complex numbers as Python texts, arrays as nested lists.
#include <charconv>
#include <cmath>
#include <limits>

#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/write_values.h"

namespace sluice::interchange {

namespace {

bool holds_integers(const DType& type) {
    return type.is_scalar() && (code::is_integer(type.scalar) || type.scalar == code::Scalar::Bool);
}

class ConstantReader {
public:
    ConstantReader(Reader& reader, Constant& out) : reader_(reader), out_(out), integers_(holds_integers(out.container.dtype)) {}

    void read_all(Value& value) {
        if (Value::Array* items = value.array()) {
            for (std::size_t i = 0; i < items->size(); ++i) {
                const Place here(reader_, i);
                read_all((*items)[i]);
            }
            return;
        }
        if (integers_)
            out_.integers.push_back(integer(value));
        else
            out_.values.push_back(number(value));
    }

private:
    [[noreturn]] void refuse(const Value& value) const {
        reader_.fail(
            "J013",
            "expected a constant of type " + code::to_string(out_.container.dtype) + ", found " + std::string(value.kind_name()),
            "Correct the value or the type of the constant");
    }

    // Unsigned 64-bit values keep their bits.
    std::int64_t integer(const Value& value) const {
        if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return *whole;
        if (const auto* flag = std::get_if<bool>(&value.data)) return *flag;
        if (const auto* real = std::get_if<double>(&value.data); real && *real == std::floor(*real) && std::fabs(*real) < 9e15)
            return static_cast<std::int64_t>(*real);
        const auto* big = std::get_if<BigNumber>(&value.data);
        const std::string* text = big ? &big->text : value.string();
        if (!text) refuse(value);
        if (*text == "True" || *text == "False") return *text == "True";
        const char* end = text->data() + text->size();
        std::int64_t whole = 0;
        if (const auto [at, status] = std::from_chars(text->data(), end, whole); status == std::errc{} && at == end) return whole;
        std::uint64_t wide = 0;
        if (const auto [at, status] = std::from_chars(text->data(), end, wide); status == std::errc{} && at == end)
            return static_cast<std::int64_t>(wide);
        refuse(value);
    }

    std::pair<double, double> number(const Value& value) const {
        if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return {static_cast<double>(*whole), 0};
        if (const auto* real = std::get_if<double>(&value.data)) return {*real, 0};
        if (const auto* flag = std::get_if<bool>(&value.data)) return {*flag ? 1 : 0, 0};
        const auto* big = std::get_if<BigNumber>(&value.data);
        const std::string* text = big ? &big->text : value.string();
        if (!text) refuse(value);
        if (const auto parsed = complex(*text)) return *parsed;
        refuse(value);
    }

    // One signed term of a Python number; also `nan`, `inf`, `Infinity`.
    static bool term(std::string_view& text, double& out) {
        double sign = 1;
        if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
            if (text[0] == '-') sign = -1;
            text.remove_prefix(1);
        }
        const auto word = [&](std::string_view name, double value) {
            if (!text.starts_with(name)) return false;
            text.remove_prefix(name.size());
            out = sign * value;
            return true;
        };
        if (word("Infinity", std::numeric_limits<double>::infinity()) || word("inf", std::numeric_limits<double>::infinity()) ||
            word("NaN", std::nan("")) || word("nan", std::nan("")))
            return true;
        if (text.empty() || text[0] == '-' || text[0] == '+') return false;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
        if (status != std::errc{}) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        out *= sign;
        return true;
    }

    // `2.5`, `3j`, `(1+2j)`, `(-0-infj)`.
    static std::optional<std::pair<double, double>> complex(std::string_view text) {
        if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
        double first = 0, second = 0;
        if (!term(text, first)) return std::nullopt;
        if (text.empty()) return std::pair{first, 0.0};
        if (text == "j") return std::pair{0.0, first};
        if (!term(text, second) || text != "j") return std::nullopt;
        return std::pair{first, second};
    }

    Reader& reader_;
    Constant& out_;
    bool integers_;
};

std::optional<std::size_t> constant_size(const Container& container) {
    std::size_t size = 1;
    for (const Expr& extent : container.shape) {
        const auto count = extent.constant();
        if (!count || *count < 0) return std::nullopt;
        if (__builtin_mul_overflow(size, static_cast<std::size_t>(*count), &size)) return std::numeric_limits<std::size_t>::max();
    }
    return size;
}

void read_constant(Reader& reader, Value& value, Constant& out) {
    Value::Array* pair = value.array();
    if (!pair || pair->size() != 2) reader.fail_type(value, "a pair of descriptor and value");
    {
        const Place here(reader, std::size_t{0});
        read_container(reader, (*pair)[0], out.container);
    }
    const Place here(reader, std::size_t{1});
    Value& content = (*pair)[1];
    if (content.is_object()) {
        Members members(reader, content);
        Value& data = members.need("data");
        const Place there(reader, "data");
        ConstantReader(reader, out).read_all(data);
    } else {
        ConstantReader(reader, out).read_all(content);
    }
    const std::size_t found = std::max(out.values.size(), out.integers.size());
    const auto expected = constant_size(out.container);
    if (expected && *expected != found)
        reader.fail("J013", "the constant has " + std::to_string(found) + " elements, its shape " + std::to_string(*expected),
                    "Correct the value or the shape of the constant");
}

}  // namespace

void read_constants(Reader& reader, Value& value, OrderedMap<Constant>& out) {
    if (!value.is_object()) reader.fail_type(value, "an object");
    for (Member& member : *value.object()) {
        const Place here(reader, member.key);
        Constant constant;
        read_constant(reader, member.value, constant);
        out.set(member.key, std::move(constant));
    }
}

namespace {

class ConstantWriter {
public:
    ConstantWriter(Emitter& to, const Constant& constant) : to_(to), constant_(constant) {}

    void list(std::size_t dimension) {
        const auto& shape = constant_.container.shape;
        if (dimension == shape.size()) return element();
        const std::int64_t count = shape[dimension].constant().value_or(0);
        to_.out.begin_array();
        for (std::int64_t i = 0; i < count; ++i) list(dimension + 1);
        to_.out.end_array();
    }

private:
    void element() {
        const std::size_t at = next_++;
        const DType& type = constant_.container.dtype;
        if (at < constant_.integers.size()) {
            const std::int64_t value = constant_.integers[at];
            if (type == DType(code::Scalar::Bool))
                to_.out.boolean(value != 0);
            else if (type == DType(code::Scalar::UInt64))
                to_.out.raw(std::to_string(static_cast<std::uint64_t>(value)));
            else
                to_.out.integer(value);
        } else if (at < constant_.values.size()) {
            const auto& [real, imaginary] = constant_.values[at];
            if (type.is_scalar() && code::is_complex(type.scalar)) {
                const std::string sign = std::signbit(imaginary) ? "" : "+";
                to_.out.string("(" + real_text(real) + sign + real_text(imaginary) + "j)");
            } else {
                to_.out.real(real);
            }
        } else {
            to_.out.integer(0);
        }
    }

    Emitter& to_;
    const Constant& constant_;
    std::size_t next_ = 0;
};

}  // namespace

void write_constants(Emitter& to, const OrderedMap<Constant>& constants) {
    to.out.begin_object();
    for (const auto& [name, constant] : constants) {
        to.out.key(name);
        to.out.begin_array();
        write_container(to, constant.container);
        if (std::holds_alternative<Scalar>(constant.container.kind)) {
            ConstantWriter(to, constant).list(0);
        } else {
            to.out.begin_object();
            to.out.key("type");
            to.out.string("ndarray");
            to.out.key("data");
            ConstantWriter(to, constant).list(0);
            to.out.key("dtype");
            write(to, constant.container.dtype);
            to.out.end_object();
        }
        to.out.end_array();
    }
    to.out.end_object();
}

}  // namespace sluice::interchange
