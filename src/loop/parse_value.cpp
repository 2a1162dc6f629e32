#include <charconv>

#include "loop/parser.h"

namespace sluice::loop {

using code::Scalar;

namespace {

constexpr int kMostLevels = 500;

}  // namespace

bool Parser::next_is_number() {
    space();
    if (at_ == line_end_) return false;
    const auto digit = [&](std::size_t at) { return at < line_end_ && text_[at] >= '0' && text_[at] <= '9'; };
    if (digit(at_)) return true;
    const bool negative = text_[at_] == '-';
    if (negative && digit(at_ + 1)) return true;
    const std::string_view rest = text_.substr(at_ + (negative ? 1 : 0), 4);
    return rest == "inf:" || rest == "nan:";
}

ValuePtr Parser::value() {
    if (++depth_ > kMostLevels)
        error("X007", "values nest more than " + std::to_string(kMostLevels) + " deep", "name a part of it");
    Value result;
    primary(result);
    --depth_;
    if (std::holds_alternative<Cast>(result.node)) return std::make_shared<const Value>(std::move(result));
    if (accept(":"))
        result.type = type();
    else
        result.type = natural_type(result, names_);
    if (result.type.is_void())
        error("X006", "the type of this value does not follow from its parts",
              "declare its name, or write the type behind a colon");
    return std::make_shared<const Value>(std::move(result));
}

void Parser::primary(Value& into) {
    if (next_is_number()) {
        const std::size_t begin = at_;
        const std::string_view digits = number();
        const bool is_real = digits.find_first_of(".en") != std::string_view::npos;
        at_ = begin;
        if (is_real)
            into.node = FloatLiteral{real()};
        else
            into.node = IntegerLiteral{integer()};
    } else if (next_is("{")) {
        into.node = Index{braced()};
    } else if (next_is("(")) {
        parenthesised(into);
    } else if (accept("-(")) {
        into.node = Unary{UnaryOp::Negate, value()};
        expect(")");
    } else if (accept("~(")) {
        into.node = Unary{UnaryOp::BitNot, value()};
        expect(")");
    } else if (accept("not (")) {
        into.node = Unary{UnaryOp::LogicalNot, value()};
        expect(")");
    } else if (accept("&")) {
        std::string buffer = name();
        into.node = Address{std::move(buffer), index()};
    } else if (accept("#")) {
        std::string stream = name();
        into.node = StreamSize{std::move(stream), index()};
    } else if (next_is_name()) {
        named(into);
    } else {
        expected("a value");
    }
}

ValuePtr Parser::index() {
    expect("[");
    ValuePtr result = value();
    expect("]");
    return result;
}

std::vector<ValuePtr> Parser::arguments() {
    std::vector<ValuePtr> result;
    expect("(");
    if (accept(")")) return result;
    do result.push_back(value());
    while (accept(","));
    expect(")");
    return result;
}

void Parser::named(Value& into) {
    std::string word = name();
    if (next_is("(")) {
        into.node = Call{std::move(word), arguments()};
    } else if (next_is("[")) {
        into.node = Load{std::move(word), index()};
    } else {
        into.node = Variable{std::move(word)};
    }
}

/// `(a + b)`, `(a if c else b)`, `(a as float32)`, `(1.0, 2.0)`, `(a).field`.
void Parser::parenthesised(Value& into) {
    expect("(");
    ValuePtr first = value();
    if (accept(",")) {
        const auto* re = std::get_if<FloatLiteral>(&first->node);
        if (!re) expected("a complex number of two literals");
        into.node = FloatLiteral{re->real, real()};
        return expect(")");
    }
    if (accept(")")) {
        expect(".");
        const bool address = accept("&");
        into.node = Member{std::move(first), name(), address};
        return;
    }
    if (accept_word("as")) {
        into.type = type();
        into.node = Cast{std::move(first)};
        return expect(")");
    }
    if (accept_word("if")) {
        ValuePtr condition = value();
        expect_word("else");
        into.node = Select{std::move(condition), std::move(first), value()};
        return expect(")");
    }
    // Longer operators first: `<=` before `<`.
    std::size_t found = kBinaryWords.size();
    for (std::size_t at = 0; at < kBinaryWords.size(); ++at) {
        const bool longer = found == kBinaryWords.size() ||
                            std::string_view(kBinaryWords[at]).size() > std::string_view(kBinaryWords[found]).size();
        if (next_is(kBinaryWords[at]) && longer) found = at;
    }
    if (found == kBinaryWords.size()) expected("an operator");
    expect(kBinaryWords[found]);
    into.node = Binary{static_cast<BinaryOp>(found), std::move(first), value()};
    expect(")");
}

}  // namespace sluice::loop
