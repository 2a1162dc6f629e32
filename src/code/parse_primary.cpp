// Atoms (names, literals, parentheses, lists) and what follows them: calls, attributes, subscripts.
#include <algorithm>
#include <charconv>
#include <limits>

#include "code/displays.h"
#include "code/parser.h"
#include "code/walk.h"

namespace sluice::code {
namespace {

std::string without_underscores(std::string_view text) {
    std::string digits(text);
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    return digits;
}

// Whether a decimal that no double holds is too large, rather than too small: its first significant digit decides.
bool is_huge(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    const std::string_view mantissa = text.substr(0, e);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t digit = mantissa.find_first_of("123456789");
    if (digit == std::string_view::npos) return false;
    if (e == std::string_view::npos) return digit < point;
    std::int64_t exponent = 0;
    const std::string_view shown = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
    if (std::from_chars(shown.data(), shown.data() + shown.size(), exponent).ec != std::errc{}) return shown[0] != '-';
    return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit) > 0;
}

double to_double(std::string_view text) {
    const std::string digits = without_underscores(text);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) return is_huge(digits) ? std::numeric_limits<double>::infinity() : 0.0;
    return value;
}

// `a.b["c"][0]` as `a.b.'c'.0`; empty for what is no chain of names and constants.
std::string chain_text(const Expr& e) {
    if (const auto* attribute = std::get_if<AttributeExpr>(&e.node)) {
        const std::string object = chain_text(*attribute->object);
        return object.empty() ? object : object + "." + attribute->name;
    }
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e.node)) {
        const auto* constant = std::get_if<ConstantExpr>(&subscript->index->node);
        const std::string object = constant ? chain_text(*subscript->object) : std::string();
        if (object.empty()) return object;
        if (const auto* key = std::get_if<std::string>(&constant->value)) return object + ".'" + *key + "'";
        if (const auto* place = std::get_if<std::int64_t>(&constant->value)) return object + "." + std::to_string(*place);
        return {};
    }
    const auto* name = std::get_if<NameExpr>(&e.node);
    return name ? name->id : std::string();
}

// The name that stands for the chain; null where none does.
const std::string* field_at(const std::map<std::string, std::string>& fields, const Expr& e) {
    if (fields.empty()) return nullptr;
    const auto field = fields.find(chain_text(e));
    return field == fields.end() ? nullptr : &field->second;
}

}  // namespace

ExprPtr Parser::parse_starred_or_expression() {
    const std::size_t first = at_;
    if (at_operator("**")) unsupported("*", "doubly starred expressions are", token().span);
    if (!take_operator("*")) return parse_expression();
    ExprPtr value = parse_binary(1);
    return make(StarredExpr{std::move(value)}, first);
}

// Behind the element, at `for`.
ExprPtr Parser::parse_comprehension(ExprPtr element, bool is_list, std::size_t first) {
    if (at_keyword("async")) unsupported("comprehension", "asynchronous comprehensions are", span_from(first));
    ComprehensionExpr comprehension{std::move(element), {}, is_list};
    while (take_keyword("for")) {
        ComprehensionClause clause{parse_target_list(), nullptr, {}};
        if (!take_keyword("in")) expected("`in` after the loop variables");
        clause.iterable = parse_or();
        while (take_keyword("if")) clause.conditions.push_back(parse_or());
        comprehension.clauses.push_back(std::move(clause));
    }
    return make(std::move(comprehension), first);
}

// A set, or what a comprehension makes of a dictionary, is a call of a function that nothing else names (displays.h).
ExprPtr Parser::parse_dictionary() {
    const std::size_t first = at_++;
    DictExpr dictionary;
    ListExpr set;
    std::vector<ExprPtr> merged;  // The dictionaries that follow each other, if there is another one in the display.
    const auto made = [&](const char* function, ExprPtr of) {
        expect_operator("}", "after the comprehension");
        return make(CallExpr{make(NameExpr{function}, first), {std::move(of)}, {}}, first);
    };
    while (!at_operator("}")) {
        if (at_operator("*")) unsupported("dict", "unpacking in sets is", token().span);
        if (set.elements.empty() && take_operator("**")) {
            if (!dictionary.keys.empty()) merged.push_back(make(std::exchange(dictionary, {}), first));
            merged.push_back(parse_binary(1));
            if (!take_operator(",")) break;
            continue;
        }
        ExprPtr key = parse_expression();
        const bool has_value = take_operator(":");
        if (has_value ? !set.elements.empty() : !dictionary.keys.empty() || !merged.empty())
            expected(has_value ? "`,` or `}`" : "`:` behind the key");
        if (!has_value && at_keyword("for")) {
            if (!set.elements.empty()) expected("`,` or `}`");
            return made(kSetOf, parse_comprehension(std::move(key), false, first));
        }
        if (!has_value) {
            set.elements.push_back(std::move(key));
        } else {
            ExprPtr value = parse_expression();
            if (dictionary.keys.empty() && merged.empty() && at_keyword("for")) {
                ExprPtr item = make(TupleExpr{{std::move(key), std::move(value)}}, first);
                return made(kDictionaryOf, parse_comprehension(std::move(item), false, first));
            }
            dictionary.keys.push_back(std::move(key));
            dictionary.values.push_back(std::move(value));
        }
        if (!take_operator(",")) break;
    }
    if (!set.elements.empty()) return made(kSetOf, make(std::move(set), first));
    expect_operator("}", "after the dictionary");
    if (merged.empty()) return make(std::move(dictionary), first);
    if (!dictionary.keys.empty()) merged.push_back(make(std::move(dictionary), first));
    return make(CallExpr{make(NameExpr{kMergedOf}, first), std::move(merged), {}}, first);
}

ExprPtr Parser::parse_postfix() {
    const std::size_t first = at_;
    ExprPtr e = parse_atom();
    for (;;) {
        if (at_operator("(")) {
            e = parse_call(std::move(e), first);
        } else if (take_operator("[")) {
            ExprPtr index = parse_subscript_index();
            expect_operator("]", "after the subscript");
            e = make(SubscriptExpr{std::move(e), std::move(index)}, first);
            if (const std::string* field = field_at(fields_, *e)) e = make(NameExpr{*field}, first);
        } else if (take_operator(".")) {
            std::string name = expect_name("an attribute name");
            e = make(AttributeExpr{std::move(e), std::move(name)}, first);
            if (const std::string* field = field_at(fields_, *e)) e = make(NameExpr{*field}, first);
        } else {
            return e;
        }
    }
}

ExprPtr Parser::parse_call(ExprPtr function, std::size_t first) {
    ++at_;
    CallExpr call{std::move(function), {}, {}};
    while (!at_operator(")")) {
        if (take_operator("**")) {
            call.keywords.push_back({{}, parse_expression()});
        } else if (at(TokenKind::Name) && ahead().is(TokenKind::Operator, "=")) {
            const Span where = token().span;
            Keyword keyword{std::string(token().text), nullptr};
            at_ += 2;
            for (const Keyword& other : call.keywords)
                if (other.name == keyword.name)
                    fail({"P009", "keyword argument `" + keyword.name + "` is given twice", where, {}, "remove one of them", {}});
            keyword.value = parse_expression();
            call.keywords.push_back(std::move(keyword));
        } else {
            const std::size_t argument = at_;
            call.arguments.push_back(parse_starred_or_expression());
            if (at_keyword("for") || at_keyword("async"))
                call.arguments.back() = parse_comprehension(call.arguments.back(), false, argument);
            if (!call.keywords.empty())
                fail({"P009",
                      "a positional argument follows a keyword argument",
                      call.arguments.back()->span,
                      {},
                      "put positional arguments first",
                      {}});
        }
        if (!take_operator(",")) break;
    }
    expect_operator(")", "after the arguments");
    return make(std::move(call), first);
}

ExprPtr Parser::parse_subscript_index() {
    const std::size_t first = at_;
    ExprPtr index = parse_slice_or_expression();
    if (!at_operator(",")) return index;
    std::vector<ExprPtr> elements{std::move(index)};
    while (take_operator(",") && !at_operator("]")) elements.push_back(parse_slice_or_expression());
    return make(TupleExpr{std::move(elements)}, first);
}

ExprPtr Parser::parse_slice_or_expression() {
    const std::size_t first = at_;
    const auto at_part_end = [&] { return at_operator(":") || at_operator(",") || at_operator("]"); };
    if (at_operator("*")) unsupported("*", "starred subscripts are", token().span);
    SliceExpr slice;
    if (!at_operator(":")) slice.begin = parse_expression();
    if (!take_operator(":")) return slice.begin;
    if (!at_part_end()) slice.end = parse_expression();
    if (take_operator(":") && !at_part_end()) slice.step = parse_expression();
    return make(std::move(slice), first);
}

ExprPtr Parser::parse_atom() {
    const std::size_t first = at_;
    switch (token().kind) {
        case TokenKind::Name: {
            ++at_;
            return make(NameExpr{std::string(tokens_[first].text)}, first);
        }
        case TokenKind::Keyword:
            return parse_keyword_atom();
        case TokenKind::Integer:
        case TokenKind::Float:
        case TokenKind::Imaginary:
            return parse_number();
        case TokenKind::String:
            return parse_strings();
        default:
            break;
    }
    if (at_operator("(")) return parse_parentheses();
    if (at_operator("[")) return parse_list();
    if (take_operator("...")) return make(ConstantExpr{EllipsisValue{}}, first);
    if (at_operator("{")) return parse_dictionary();
    if (at_operator("*") || at_operator("**")) unsupported("*", "starred expressions are", token().span);
    expected("an expression");
}

ExprPtr Parser::parse_keyword_atom() {
    const std::size_t first = at_;
    if (take_keyword("True")) return make(ConstantExpr{true}, first);
    if (take_keyword("False")) return make(ConstantExpr{false}, first);
    if (take_keyword("None")) return make(ConstantExpr{NoneValue{}}, first);
    if (at_keyword("await") || at_keyword("yield"))
        unsupported(std::string(token().text), "`" + std::string(token().text) + "` expressions are", token().span);
    expected("an expression");
}

ExprPtr Parser::parse_parentheses() {
    const std::size_t first = at_++;
    if (take_operator(")")) return make(TupleExpr{}, first);
    const std::size_t inside = at_;
    ExprPtr e = parse_starred_or_expression();
    if (at_keyword("for") || at_keyword("async")) e = parse_comprehension(std::move(e), false, inside);
    if (!std::holds_alternative<StarredExpr>(e->node) && take_operator(")")) return e;
    if (!at_operator(",")) expected("`)` after the expression");
    std::vector<ExprPtr> elements{std::move(e)};
    while (take_operator(",") && !at_operator(")")) elements.push_back(parse_starred_or_expression());
    expect_operator(")", "after the tuple");
    return make(TupleExpr{std::move(elements)}, first);
}

ExprPtr Parser::parse_list() {
    const std::size_t first = at_++;
    std::vector<ExprPtr> elements;
    while (!at_operator("]")) {
        elements.push_back(parse_starred_or_expression());
        if (elements.size() == 1 && (at_keyword("for") || at_keyword("async"))) {
            ExprPtr comprehension = parse_comprehension(std::move(elements.back()), true, first);
            expect_operator("]", "after the comprehension");
            return comprehension;
        }
        if (!take_operator(",")) break;
    }
    expect_operator("]", "after the list");
    return make(ListExpr{std::move(elements)}, first);
}

ExprPtr Parser::parse_number() {
    const std::size_t first = at_++;
    const Token& number = tokens_[first];
    if (number.kind == TokenKind::Float) return make(ConstantExpr{to_double(number.text)}, first);
    if (number.kind == TokenKind::Imaginary)
        return make(ConstantExpr{ImaginaryValue{to_double(number.text.substr(0, number.text.size() - 1))}}, first);
    std::string digits = without_underscores(number.text);
    int base = 10;
    if (digits.size() > 1 && (digits[1] | 0x20) > '9') {
        const char letter = static_cast<char>(digits[1] | 0x20);
        base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
        digits.erase(0, 2);
    }
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value, base).ec != std::errc{})
        throw Unsupported("integer", {"P012",
                                      "this integer does not fit into 64 bits",
                                      number.span,
                                      {},
                                      "use a float, or an integer between -2**63 and 2**63 - 1",
                                      {}});
    return make(ConstantExpr{value}, first);
}

ExprPtr Parser::parse_strings() {
    const std::size_t first = at_;
    std::vector<ExprPtr> all;
    std::string text;
    while (at(TokenKind::String)) {
        const StringParts parts = split_string(token().text);
        if (parts.has('b')) unsupported("bytes", "bytes literals are", token().span);
        if (!parts.has('f')) {
            text += decode_string(token().text, token().span);
        } else {
            for (const FormattedPart& part : formatted_parts(token().text)) {
                if (part.special) unsupported("f-string", "such formats and conversions of values in strings are", token().span);
                if (!part.is_value) {
                    text += decode_string(part.text, token().span);
                    continue;
                }
                if (!text.empty()) all.push_back(make(ConstantExpr{std::exchange(text, {})}, at_));
                ParseOptions options;
                options.fields = fields_;
                const LexerOptions lexing{token().span.file, token().span.line, true};
                ExprPtr value = Parser(part.text, tokenize(part.text, lexing), options).parse_single_expression();
                if (part.as_repr) value = make(CallExpr{make(NameExpr{std::string(kRepr)}, at_), {value}, {}}, at_);
                if (!part.format.empty()) {
                    const ExprPtr format = make(ConstantExpr{part.format}, at_);
                    value = make(CallExpr{make(NameExpr{kFormatOf}, at_), {value, format}, {}}, at_);
                }
                all.push_back(std::move(value));
            }
        }
        ++at_;
    }
    if (all.empty()) return make(ConstantExpr{std::move(text)}, first);
    if (!text.empty()) all.push_back(make(ConstantExpr{std::move(text)}, first));
    const ExprPtr function = make(NameExpr{std::string(kFormatted)}, first);
    return make(CallExpr{function, std::move(all), {}}, first);
}

}  // namespace sluice::code
