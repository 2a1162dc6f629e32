// A precedence-climbing parser over Python's expression grammar, which both dialects are subsets of. It builds canonical
// expressions directly, so `1/2*$N` is an exact rational multiple and `floor` of it a floor division.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "interchange/expression.h"
#include "interchange/expression_functions.h"
#include "support/diagnostic.h"
#include "support/words.h"

namespace sluice::interchange {

namespace {

constexpr std::size_t kMaxExpression = 16384;  // building a sum is quadratic in its terms
constexpr int kMaxNesting = 200;

bool is_name_start(char c) {
    return is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name(char c) {
    return is_name_start(c) || is_digit(c);
}

// Binding strength of binary operators, weakest first; unary minus binds between Product and Power.
enum Strength { Conditional, Or, And, Not, Compare, BitOr, BitXor, BitAnd, Shift, Sum, Product, Unary, Power };

struct Operator {
    std::string_view text;
    Strength strength;
};
constexpr std::array<Operator, 19> kOperators = {{{"**", Power},
                                                  {"//", Product},
                                                  {"<<", Shift},
                                                  {">>", Shift},
                                                  {"<=", Compare},
                                                  {">=", Compare},
                                                  {"==", Compare},
                                                  {"!=", Compare},
                                                  {"<", Compare},
                                                  {">", Compare},
                                                  {"+", Sum},
                                                  {"-", Sum},
                                                  {"*", Product},
                                                  {"/", Product},
                                                  {"%", Product},
                                                  {"|", BitOr},
                                                  {"^", BitXor},
                                                  {"&", BitAnd},
                                                  {"@", Product}}};

class Parser {
public:
    Parser(std::string_view text, bool dollar) : text_(text), dollar_(dollar) {}

    ParsedExpression run() {
        if (text_.size() > kMaxExpression) error("is longer than " + std::to_string(kMaxExpression) + " characters");
        const Expr value = conditional();
        skip_space();
        if (at_ != text_.size()) error("has `" + std::string(text_.substr(at_, 10)) + "` where it should end");
        return {value, std::move(facts_)};
    }

private:
    [[noreturn]] void error(const std::string& what) const {
        const std::string shown(text_.substr(0, 60));
        fail({.code = "J010",
              .message = "the expression `" + shown + (text_.size() > 60 ? "...` " : "` ") + what + " (column " +
                         std::to_string(at_ + 1) + ")",
              .remedy = "Correct the expression in the file"});
    }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    }
    bool accept(std::string_view token) {
        skip_space();
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) error("lacks `" + std::string(token) + "`");
    }
    bool accept_word(std::string_view word) {
        skip_space();
        const std::string_view rest = text_.substr(at_);
        if (!rest.starts_with(word) || (rest.size() > word.size() && is_name(rest[word.size()]))) return false;
        at_ += word.size();
        return true;
    }
    std::string name() {
        skip_space();
        const std::size_t begin = at_;
        if (at_ < text_.size() && is_name_start(text_[at_]))
            while (at_ < text_.size() && is_name(text_[at_])) ++at_;
        if (begin == at_) error("lacks a name");
        return std::string(text_.substr(begin, at_ - begin));
    }

    Expr conditional() {
        if (++nesting_ > kMaxNesting) error("nests too deep");
        const Expr value = binary(Or);
        Expr result = value;
        if (accept_word("if")) {
            const Expr condition = binary(Or);
            if (!accept_word("else")) error("lacks `else`");
            result = symbolic::select(condition, value, conditional());
        }
        --nesting_;
        return result;
    }

    const Operator* peek_operator() {
        skip_space();
        for (const Operator& op : kOperators)
            if (text_.substr(at_).starts_with(op.text)) return &op;
        return nullptr;
    }

    Expr binary(int strength) {
        if (strength == Or || strength == And) {
            Expr left = binary(strength + 1);
            while (accept_word(strength == Or ? "or" : "and")) {
                const Expr right = binary(strength + 1);
                left = strength == Or ? symbolic::logical_or(left, right) : symbolic::logical_and(left, right);
            }
            return left;
        }
        if (strength == Not) {
            if (!accept_word("not")) return comparison();
            if (++nesting_ > kMaxNesting) error("nests too deep");
            const Expr operand = binary(Not);
            --nesting_;
            return symbolic::logical_not(operand);
        }
        Expr left = strength == Unary ? unary() : binary(strength + 1);
        while (strength != Unary) {
            const Operator* op = peek_operator();
            if (!op || op->strength != strength) break;
            at_ += op->text.size();
            left = binary_value(op->text, left, binary(strength + 1));
        }
        return left;
    }

    // `a < b < c` is `a < b and b < c`.
    Expr comparison() {
        Expr left = binary(BitOr);
        std::optional<Expr> result;
        for (const Operator* op = peek_operator(); op && op->strength == Compare; op = peek_operator()) {
            at_ += op->text.size();
            const Expr right = binary(BitOr);
            const Expr test = binary_value(op->text, left, right);
            result = result ? symbolic::logical_and(*result, test) : test;
            left = right;
        }
        return result.value_or(left);
    }

    Expr unary() {
        if (++nesting_ > kMaxNesting) error("nests too deep");
        Expr result;
        if (accept("-"))
            result = -unary();
        else if (accept("+"))
            result = unary();
        else if (accept("~"))
            result = invert(unary());
        else
            result = power();
        --nesting_;
        return result;
    }

    Expr power() {
        const Expr base = postfix(atom());
        return accept("**") ? symbolic::power(base, unary()) : base;
    }

    Expr postfix(Expr value) {
        while (true) {
            if (accept("[")) {
                std::vector<Expr> arguments = {value};
                do arguments.push_back(conditional());
                while (accept(","));
                expect("]");
                value = symbolic::call("Subscript", std::move(arguments));
            } else if (at_ < text_.size() && text_[at_] == '.' && at_ + 1 < text_.size() && is_name_start(text_[at_ + 1])) {
                ++at_;
                value = symbolic::call("Attr", {value, symbolic::symbol(name())});
            } else {
                return value;
            }
        }
    }

    Expr atom() {
        skip_space();
        if (at_ == text_.size()) error(text_.empty() ? "is empty" : "ends too early");
        const char c = text_[at_];
        if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
        if (accept("(")) return parenthesised();
        if (accept("$?") || accept("?")) return symbolic::call("UnknownSize", {});
        if (accept("$")) return dollar_symbol();
        if (!is_name_start(c)) error("has an unexpected `" + std::string(1, c) + "`");
        return named();
    }

    // A complex literal carries its type behind the parenthesis: `(1.0 + 2.0j)c128`.
    Expr parenthesised() {
        const Expr value = conditional();
        expect(")");
        for (const auto& [suffix, type] : {std::pair{"c128", "complex128"}, std::pair{"c64", "complex64"}})
            if (text_.substr(at_).starts_with(suffix)) {
                at_ += std::string_view(suffix).size();
                return symbolic::call(type, {value});
            }
        return value;
    }

    // Declares nothing: its type is that of `symbols`, of the map range or of the connector.
    Expr dollar_symbol() { return symbolic::symbol(name()); }

    // `symbol($N, dtype=dace.int64, nonnegative=True)`, after the opening parenthesis.
    Expr typed_symbol() {
        accept("$");
        SymbolFact fact{name(), {}, {}};
        while (accept(",")) {
            const std::string key = name();
            expect("=");
            std::string value = name();
            while (accept(".")) value = name();
            if (key == "dtype")
                fact.dtype = code::parse_dtype(value);
            else
                fact.assumptions += (fact.assumptions.empty() ? "" : ", ") + key + "=" + value;
        }
        expect(")");
        const Expr symbol = symbolic::symbol(fact.name);
        facts_.push_back(std::move(fact));
        return symbol;
    }

    Expr named() {
        std::string word = name();
        if (word == "True" || word == "true") return symbolic::boolean(true);
        if (word == "False" || word == "false") return symbolic::boolean(false);
        // `dace.int64(x)`, `math.sqrt(x)`: a module in front of a function says nothing more.
        while ((word == "dace" || word == "math" || word == "sympy") && accept(".")) word = name();
        if (word == "symbol" && accept("(")) return typed_symbol();
        if (!accept("(")) {
            if (is_named_constant(word, dollar_)) return symbolic::call(word, {});
            return symbolic::symbol(word);
        }
        std::vector<Expr> arguments;
        if (!accept(")")) {
            do arguments.push_back(conditional());
            while (accept(","));
            expect(")");
        }
        return function_value(word, std::move(arguments));
    }

    Expr number() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        bool is_real = false;
        if (at_ < text_.size() && text_[at_] == '.') {
            is_real = true;
            for (++at_; at_ < text_.size() && is_digit(text_[at_]);) ++at_;
        }
        if (const std::size_t exponent = exponent_length()) {
            is_real = true;
            at_ += exponent;
        }
        const std::string_view digits = text_.substr(begin, at_ - begin);
        return suffixed(digits, is_real);
    }

    std::size_t exponent_length() const {
        const std::string_view rest = text_.substr(at_);
        if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E') || rest.starts_with("e4m3fn") || rest.starts_with("e5m2")) return 0;
        std::size_t length = 1;
        if (length < rest.size() && (rest[length] == '+' || rest[length] == '-')) ++length;
        const std::size_t first = length;
        while (length < rest.size() && is_digit(rest[length])) ++length;
        return length > first ? length : 0;
    }

    Expr suffixed(std::string_view digits, bool is_real) {
        static constexpr std::array<std::string_view, 8> kIntegers = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
        static constexpr std::array<std::string_view, 6> kReals = {"f16", "bf16", "e4m3fn", "e5m2", "f32", "f64"};
        std::size_t end = at_;
        while (end < text_.size() && is_name(text_[end])) ++end;
        const std::string_view suffix = text_.substr(at_, end - at_);
        at_ = end;
        if (suffix == "j") return symbolic::call("imaginary", {real_value(digits)});
        if (std::find(kReals.begin(), kReals.end(), suffix) != kReals.end()) return real_value(digits);
        if (!suffix.empty() && std::find(kIntegers.begin(), kIntegers.end(), suffix) == kIntegers.end())
            error("has the unknown number suffix `" + std::string(suffix) + "`");
        return is_real ? real_value(digits) : integer_value(digits);
    }

    static Expr real_value(std::string_view digits) {
        double value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return symbolic::real(value);
    }

    // Integers beyond 64 bits stay exact as an unfolded sum of products.
    static Expr integer_value(std::string_view digits) {
        Expr value = 0;
        while (!digits.empty()) {
            const std::string_view group = digits.substr(0, 18);
            std::int64_t part = 0, scale = 1;
            for (const char digit : group) part = part * 10 + (digit - '0'), scale *= 10;
            value = value.is_integer(0) ? Expr(part) : fold(value, scale, part);
            digits.remove_prefix(group.size());
        }
        return value;
    }
    static Expr fold(const Expr& high, std::int64_t scale, std::int64_t low) { return high * Expr(scale) + Expr(low); }

    std::string_view text_;
    bool dollar_;
    std::size_t at_ = 0;
    int nesting_ = 0;
    std::vector<SymbolFact> facts_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, bool dollar) {
    return Parser(text, dollar).run();
}

}  // namespace sluice::interchange
