#include "frontend/python/texts.h"

#include <algorithm>
#include <bit>

#include "code/displays.h"
#include "code/parse.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/templates.h"
#include "ir/code_block.h"
#include "support/formatted_number.h"

namespace sluice::frontend {

using namespace code;

bool Texts::may_name(const ExprPtr& e, const Variables& variables) {
    const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
    if (subscript && name_of(subscript->index).empty() && !std::holds_alternative<ConstantExpr>(subscript->index->node))
        return false;
    const auto variable = variables.find(std::string(name_of(subscript ? subscript->object : e)));
    if (variable == variables.end()) return subscript && may_name(subscript->object, variables);
    return variable->second.value.kind == (subscript ? Value::Kind::Tuple : Value::Kind::Text);
}

std::optional<std::string> Texts::known(const ExprPtr& e) {
    if (const std::string* text = text_of(e)) return *text;
    if (may_name(e, t_.variables_)) {
        const Value value = t_.evaluate(e);
        return value.kind == Value::Kind::Text ? std::optional(*text_of(value.code)) : std::nullopt;
    }
    if (formatted_parts(e)) {
        const auto whole = sentence(e, false);
        return whole && whole->integers.empty() ? std::optional(whole->text) : std::nullopt;
    }
    const auto* kind = std::get_if<AttributeExpr>(&e->node);
    const auto* type = kind && kind->name == "kind" ? std::get_if<AttributeExpr>(&kind->object->node) : nullptr;
    if (!type || type->name != "dtype") return std::nullopt;
    const Scalar scalar = t_.evaluate(type->object).type.dtype.scalar;
    if (scalar == Scalar::Bool) return "b";
    if (code::is_complex(scalar)) return "c";
    if (code::is_floating(scalar)) return "f";
    return code::is_signed(scalar) ? "i" : "u";
}

std::optional<int> Texts::order(const ExprPtr& a, const ExprPtr& b) {
    const auto first = known(a), second = known(b);
    // UTF-8 keeps the order of code points.
    return first && second ? std::optional(first->compare(*second)) : std::nullopt;
}

std::optional<bool> Texts::of_element_types(const ExprPtr& e) {
    const auto* compare = std::get_if<CompareExpr>(&e->node);
    const bool equals = compare && compare->ops.size() == 1 && compare->ops[0] == CompareOp::Eq;
    if (!equals && !(compare && compare->ops.size() == 1 && compare->ops[0] == CompareOp::Ne)) return std::nullopt;
    bool of_array = false;
    const auto type_of = [&](const ExprPtr& one) -> std::optional<DType> {
        if (const auto known = dtype_of(*one, t_.bindings_)) return known;
        const auto* attribute = std::get_if<AttributeExpr>(&one->node);
        if (!attribute || attribute->name != "dtype") return std::nullopt;
        const Value array = t_.evaluate(attribute->object);
        of_array = of_array || (array.is_elements() && array.list.empty() && !array.type.weak);
        return array.is_elements() ? std::optional(strong(array.type)) : std::nullopt;
    };
    const auto is_of_array = [](const ExprPtr& one) {
        const auto* attribute = std::get_if<AttributeExpr>(&one->node);
        return attribute && attribute->name == "dtype";
    };
    if (!is_of_array(compare->operands[0]) && !is_of_array(compare->operands[1])) return std::nullopt;
    const auto left = type_of(compare->operands[0]), right = type_of(compare->operands[1]);
    return left && right && of_array ? std::optional((*left == *right) == equals) : std::nullopt;
}

namespace {

const CallExpr* call_of(const ExprPtr& e, std::string_view name) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    return call && name_of(call->function) == name ? call : nullptr;
}

}  // namespace

/// Adds what the expression writes: a text, an f-string, a template with its values, `str` of a value, or several of these.
bool Texts::add(const ExprPtr& e, bool reads, Sentence& sentence) {
    const auto add_literal = [&](const std::string& text) {
        sentence.has_braces |= text.find('\t') != std::string::npos || text.find("{}") != std::string::npos;
        sentence.text += text;
    };
    const auto add_pieces = [&](const auto& pieces, bool alone) {
        return pieces && std::ranges::all_of(*pieces, [&](const TemplatePiece& piece) {
                   add_literal(piece.text);
                   return !piece.value || add(piece.value, {piece.as_repr, reads, piece.format, alone}, sentence);
               });
    };
    if (const auto* parts = formatted_parts(e))
        return std::ranges::all_of(*parts, [&](const ExprPtr& part) {
            const auto* format = call_of(part, kFormatOf);
            const ExprPtr& shown = format ? format->arguments[0] : part;
            const auto* repr = call_of(shown, kRepr);
            if (const std::string* text = text_of(part)) return add_literal(*text), true;
            return add(repr ? repr->arguments[0] : shown, {repr != nullptr, reads, format ? *text_of(format->arguments[1]) : ""},
                       sentence);
        });
    if (const auto* both = std::get_if<BinaryExpr>(&e->node); both && both->op == BinaryOp::Add)
        return add(both->left, reads, sentence) && add(both->right, reads, sentence);
    if (const auto* both = std::get_if<BinaryExpr>(&e->node); both && both->op == BinaryOp::Mod)
        if (const auto text = known(both->left)) {
            const bool several = std::holds_alternative<TupleExpr>(both->right->node);
            const std::vector<ExprPtr> values = several ? elements_of(both->right) : parts_of(both->right);
            return add_pieces(percent_template(*text, values), !several && values.front() == both->right);
        }
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    if (const std::string* text = method && method->name == "format" ? text_of(method->object) : nullptr)
        return add_pieces(braces_template(*text, *call), false);
    for (const char* const name : {"str", "repr"})
        if (const auto* shown = call_of(e, name); shown && !t_.bindings_.contains(name) && !t_.variables_.contains(name))
            return shown->arguments.size() == 1 && shown->keywords.empty() &&
                   add(shown->arguments[0], {name == std::string_view("repr"), reads, {}}, sentence);
    const auto text = known(e);
    if (text) sentence.text += *text;
    return text.has_value();
}

/// The elements of a tuple that has a name, or the value alone.
std::vector<ExprPtr> Texts::parts_of(const ExprPtr& e) {
    if (std::holds_alternative<CallExpr>(e->node)) return {e};  // It is evaluated once.
    const Value value = t_.evaluate(e);
    if (value.kind != Value::Kind::Tuple || value.of_list || value.of_keys || value.elements.empty()) return {e};
    std::vector<ExprPtr> values;
    for (std::size_t at = 0; at < value.elements.size(); ++at)
        values.push_back(make_subscript(e, {make_integer(static_cast<std::int64_t>(at), e->span)}, e->span));
    return values;
}

std::optional<Texts::Sentence> Texts::sentence(const ExprPtr& e, bool reads) {
    Sentence result;
    if (!add(e, reads, result)) return std::nullopt;
    // What a library says in the end (runtime/failure.h).
    constexpr std::size_t kMostIntegers = 8, kLongest = 800;
    const bool plain = std::ranges::all_of(result.text, [](char c) { return c == '\t' || static_cast<unsigned char>(c) >= ' '; });
    const bool fits = plain && !result.has_braces && result.integers.size() <= kMostIntegers && result.text.size() <= kLongest;
    return fits || result.integers.empty() ? std::optional(std::move(result)) : std::nullopt;
}

bool Texts::add(const ExprPtr& e, const How& how, Sentence& sentence) {
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node); attribute && attribute->name == "dtype" && !how.as_repr) {
        const Value array = t_.evaluate(attribute->object);
        if (!how.format.empty() || !array.is_elements() || array.type.weak || !array.list.empty()) return false;
        sentence.text += code::to_string(strong(array.type));
        return true;
    }
    const Value value = t_.evaluate(e);
    const bool spread = how.alone && value.kind == Value::Kind::Tuple && !value.of_list && !value.of_keys;
    return !spread && add(value, how, sentence, e->span);
}

/// As Python writes the value; false for what only the run can write.
bool Texts::add(const Value& value, const How& how, Sentence& sentence, const Span& span) {
    if (value.is_scalar()) return add_number(value, how, sentence, span);
    if (!how.format.empty()) return false;
    if (value.kind == Value::Kind::None) {
        sentence.text += "None";
        return true;
    }
    if (value.kind == Value::Kind::Text) {
        const std::string& text = *text_of(value.code);
        const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '\'' && c != '\\'; });
        sentence.text += how.as_repr ? "'" + text + "'" : text;
        return plain || !how.as_repr;
    }
    if (value.kind != Value::Kind::Tuple || value.of_keys) return false;
    sentence.text += value.of_list ? "[" : "(";
    for (std::size_t at = 0; at < value.elements.size(); ++at) {
        if (!value.elements[at].is_scalar() && value.elements[at].kind != Value::Kind::Text) return false;
        if (at > 0) sentence.text += ", ";
        if (!add(value.elements[at], {true, how.reads, {}}, sentence, span)) return false;
    }
    if (value.elements.size() == 1 && !value.of_list) sentence.text += ",";
    sentence.text += value.of_list ? "]" : ")";
    return true;
}

/// A number: as it is if it is known, else its place (support/formatted_number.h).
bool Texts::add_number(const Value& value, const How& how, Sentence& sentence, const Span& span) {
    if (how.as_repr && (!value.type.weak || !how.format.empty())) return false;  // np.int64(3)
    if (value.which || !value.other_types.empty()) return false;
    const bool of_arrays = std::ranges::any_of(value.operands, [](const auto& one) { return !one.second.index.empty(); });
    if (of_arrays && !how.reads) return false;
    const Scalar scalar = value.type.dtype.scalar;
    const bool shortest = how.format.empty() && scalar != Scalar::Float64;  // Of 32 bits there are fewer digits.
    if (code::is_complex(scalar) || (code::is_floating(scalar) && shortest)) return false;
    const WrittenNumber kind = scalar == Scalar::Bool      ? WrittenNumber::Truth
                               : code::is_floating(scalar) ? WrittenNumber::Float
                                                           : WrittenNumber::Integer;
    if (!is_known_format(how.format, kind)) return false;
    Value integer = value;
    if (kind == WrittenNumber::Float) integer = bits_of(value, span);
    if (kind == WrittenNumber::Truth) integer = t_.cast(value, Scalar::Int64, span);
    const Expr number = t_.integer_of(integer, span);
    const bool as_it_is = kind == WrittenNumber::Integer && how.format.empty();
    std::string place = as_it_is ? "{}" : place_of_number(how.format, kind);
    if (number.is_integer()) {
        place.replace(place.find("{}"), 2, std::to_string(number.integer()));
        sentence.text += as_it_is ? place : with_numbers_written(place);
    } else {
        sentence.text += place;
        sentence.integers.push_back(ir::to_code(number));
    }
    return true;
}

/// Of a float, as an integer.
Value Texts::bits_of(const Value& value, const Span& span) {
    if (const auto* constant = std::get_if<ConstantExpr>(&value.code->node))
        if (const auto* known = std::get_if<double>(&constant->value))
            return symbolic_value(Expr(std::bit_cast<std::int64_t>(*known)), span);
    const std::string name = "__written" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bind(name, t_.settled(value));
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    const auto of_numpy = [&](const char* what) { return make_attribute(make_name("__numpy", span), what, span); };
    const ExprPtr array = make_expression(
        CallExpr{of_numpy("array"), {make_expression(ListExpr{{make_name(name, span)}}, span)}, {{"dtype", of_numpy("float64")}}},
        span);
    const ExprPtr view = make_expression(CallExpr{make_attribute(array, "view", span), {of_numpy("int64")}, {}}, span);
    return t_.evaluate(make_subscript(view, {make_integer(0, span)}, span));
}

}  // namespace sluice::frontend
