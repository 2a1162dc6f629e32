// Compound statements: if, for, while, with, def, and the indented suites below them.
#include <algorithm>
#include <array>

#include "code/encoded.h"
#include "code/parser.h"

namespace sluice::code {
namespace {

constexpr int kMaxBlocks = 250;

// Sets a counter for its lifetime.
class Scoped {
public:
    Scoped(int& counter, int value) : counter_(counter), before_(counter) { counter_ = value; }
    ~Scoped() { counter_ = before_; }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;

private:
    int& counter_;
    int before_;
};

}  // namespace

bool Parser::at_compound() const {
    static constexpr std::array<std::string_view, 8> kKeywords = {"if", "for", "while", "with", "def", "class", "try", "async"};
    if (at_operator("@") || at_soft_match()) return true;
    return at(TokenKind::Keyword) && std::find(kKeywords.begin(), kKeywords.end(), token().text) != kKeywords.end();
}

void Parser::parse_statement(Body& out) {
    if (at(TokenKind::Indent)) expected("a statement");
    if (!at_compound()) {
        parse_line(out);
        return;
    }
    const std::size_t first = at_;
    const std::size_t before = out.size();
    try {
        if (at_soft_match()) {
            {
                const Nesting nesting(block_depth_, kMaxBlocks, token());
                parse_match(out);
            }
            if (tolerate_ && block_depth_ == 0 && out.size() > before) fold_unsupported(out, first);
            return;
        }
        Statement node = parse_compound();
        std::size_t begin = first;
        if (tokens_[first].text == "@")  // the span of a function begins at its `def`
            while (!tokens_[begin].is(TokenKind::Keyword, "def")) ++begin;
        append(out, std::move(node), begin);
        if (tolerate_ && block_depth_ == 0) fold_unsupported(out, first);
    } catch (const Unsupported& refused) {
        if (!tolerate_) throw;
        out.resize(before);
        skip_unsupported(first);
        append_unsupported(out, refused.construct, first);
    }
}

Parser::Statement Parser::parse_compound() {
    refuse_statement();
    if (at_keyword("if")) return parse_if();
    if (at_keyword("for")) return parse_for();
    if (at_keyword("while")) return parse_while();
    if (at_keyword("with")) return parse_with();
    if (at_keyword("try")) return parse_try();
    return parse_decorated();
}

// Behind a header: `:` and either an indented block or simple statements on the same line.
Body Parser::parse_suite() {
    const Nesting nesting(block_depth_, kMaxBlocks, token());
    expect_operator(":", "before the block");
    Body body;
    if (!at(TokenKind::Newline)) {
        if (at_compound() || at(TokenKind::End)) expected("a simple statement on the line of its header, or an indented block");
        parse_line(body);
        return body;
    }
    ++at_;
    if (!at(TokenKind::Indent))
        fail({"P004", "expected an indented block", token().span, {}, "indent the block's statements, or write `pass`", {}});
    ++at_;
    while (!at(TokenKind::Dedent) && !at(TokenKind::End)) parse_statement(body);
    if (at(TokenKind::Dedent)) ++at_;
    return body;
}

Body Parser::parse_else() {
    return take_keyword("else") ? parse_suite() : Body{};
}

// At `if` or `elif`.
Parser::Statement Parser::parse_if() {
    const Nesting nesting(block_depth_, kMaxBlocks, token());
    ++at_;
    IfStmt s;
    s.condition = parse_expression();
    s.then_body = parse_suite();
    if (at_keyword("elif")) {
        const std::size_t first = at_;
        Statement branch = parse_if();
        append(s.else_body, std::move(branch), first);
    } else {
        s.else_body = parse_else();
    }
    return s;
}

ExprPtr Parser::parse_target_list() {
    const std::size_t first = at_;
    ExprPtr target = parse_postfix();
    if (at_operator(",")) {
        std::vector<ExprPtr> elements{std::move(target)};
        while (take_operator(",") && !at_expression_end()) elements.push_back(parse_postfix());
        target = make(TupleExpr{std::move(elements)}, first);
    }
    check_target(*target, false);
    return target;
}

Parser::Statement Parser::parse_for() {
    ++at_;
    ForStmt s;
    s.target = parse_target_list();
    if (!take_keyword("in")) expected("`in` after the loop variables");
    s.iterable = parse_expression_list();
    {
        const Scoped loop(loop_depth_, loop_depth_ + 1);
        s.body = parse_suite();
    }
    s.else_body = parse_else();
    return s;
}

Parser::Statement Parser::parse_while() {
    ++at_;
    WhileStmt s;
    s.condition = parse_expression();
    {
        const Scoped loop(loop_depth_, loop_depth_ + 1);
        s.body = parse_suite();
    }
    s.else_body = parse_else();
    return s;
}

// As a choice that says what it is (encoded.h).
Parser::Statement Parser::parse_try() {
    const std::size_t first = at_++;
    const auto called = [&](const char* name, std::vector<ExprPtr> arguments, std::vector<Keyword> keywords, std::size_t from) {
        return make(CallExpr{make(NameExpr{name}, from), std::move(arguments), std::move(keywords)}, from);
    };
    if (function_depth_ == 0) unsupported("try", "`try` statements are", tokens_[first].span);
    IfStmt s{called(kTry, {}, {}, first), parse_suite(), {}};
    while (at_keyword("except")) {
        const std::size_t at = at_++;
        if (at_operator("*")) unsupported("try", "groups of exceptions are", token().span);
        std::vector<ExprPtr> caught;
        std::vector<Keyword> name;
        if (!at_operator(":")) {
            ExprPtr types = parse_expression();
            const auto* several = std::get_if<TupleExpr>(&types->node);
            caught = several ? several->elements : std::vector<ExprPtr>{types};
        }
        if (take_keyword("as")) {
            const std::size_t of = at_;
            const std::string id = expect_name("a name for the exception");
            name.push_back({id, make(NameExpr{id}, of)});
        }
        ExprPtr clause = called(kExcept, std::move(caught), std::move(name), at);
        append(s.else_body, IfStmt{std::move(clause), parse_suite(), {}}, at);
    }
    if (at_keyword("else")) {
        const std::size_t at = at_;
        Body rest = parse_else();
        append(s.else_body, IfStmt{called(kElse, {}, {}, at), std::move(rest), {}}, at);
    }
    if (at_keyword("finally")) {
        const std::size_t at = at_++;
        append(s.else_body, IfStmt{called(kFinally, {}, {}, at), parse_suite(), {}}, at);
    }
    if (s.else_body.empty()) expected("`except`");
    return s;
}

Parser::Statement Parser::parse_with() {
    ++at_;
    WithStmt s;
    if (!parse_parenthesised_items(s.items)) {
        do s.items.push_back(parse_with_item());
        while (take_operator(","));
    }
    s.body = parse_suite();
    return s;
}

WithItem Parser::parse_with_item() {
    WithItem item{parse_expression(), nullptr};
    if (!take_keyword("as")) return item;
    item.target = parse_postfix();
    check_target(*item.target, false);
    return item;
}

// `with (a as b, c as d):`. The same parenthesis may begin an expression; then nothing is taken.
bool Parser::parse_parenthesised_items(std::vector<WithItem>& items) {
    const std::size_t first = at_;
    if (!take_operator("(")) return false;
    try {
        do items.push_back(parse_with_item());
        while (take_operator(",") && !at_operator(")"));
        if (take_operator(")") && at_operator(":")) return true;
    } catch (const Failure&) {  // read again as an expression, which reports the error if there is one
    }
    items.clear();
    at_ = first;
    return false;
}

Parser::Statement Parser::parse_decorated() {
    std::vector<ExprPtr> decorators;
    while (take_operator("@")) {
        decorators.push_back(parse_expression());
        if (!at(TokenKind::Newline)) expected("the end of the line after the decorator");
        ++at_;
    }
    refuse_statement();
    if (!at_keyword("def")) expected("a function after the decorator");
    return parse_function(std::move(decorators));
}

Parser::Statement Parser::parse_function(std::vector<ExprPtr> decorators) {
    ++at_;
    FunctionStmt s;
    s.decorators = std::move(decorators);
    s.name = expect_name("a function name");
    if (at_operator("[")) unsupported("def", "type parameters are", token().span);
    expect_operator("(", "after the function name");
    s.parameters = parse_parameters();
    expect_operator(")", "after the parameters");
    if (take_operator("->")) s.returns = parse_expression();
    const Scoped function(function_depth_, function_depth_ + 1);
    const Scoped no_loop(loop_depth_, 0);
    s.body = parse_suite();
    return s;
}

std::vector<Parameter> Parser::parse_parameters() {
    std::vector<Parameter> parameters;
    bool only_keywords = false;  // Behind `*` or `*name`.
    while (!at_operator(")")) {
        if (at_operator("*") && (ahead().is(TokenKind::Operator, ",") || only_keywords)) {
            if (only_keywords) expected("a parameter name");
            at_ += 2;
            only_keywords = true;
            if (at_operator(")")) expected("a parameter behind `*`");
            continue;
        }
        Parameter parameter = parse_parameter();
        for (const Parameter& other : parameters)
            if (other.name == parameter.name)
                fail({"P009",
                      "parameter `" + other.name + "` is named twice",
                      parameter.span,
                      {},
                      "rename one of the parameters",
                      {}});
        if (!parameters.empty() && parameters.back().kind == Parameter::Kind::Variadic && parameters.back().default_value)
            fail({"P009",
                  "parameter `" + parameter.name + "` follows a doubly starred one",
                  parameter.span,
                  {},
                  "put that one last",
                  {}});
        if (parameter.kind == Parameter::Kind::Variadic)
            only_keywords = true;
        else if (only_keywords)
            parameter.kind = Parameter::Kind::KeywordOnly;
        else if (!parameters.empty() && parameters.back().default_value && !parameter.default_value)
            fail({"P009",
                  "parameter `" + parameter.name + "` without a default follows one with a default",
                  parameter.span,
                  {},
                  "put parameters with defaults last",
                  {}});
        parameters.push_back(std::move(parameter));
        if (!take_operator(",")) break;
    }
    return parameters;
}

Parameter Parser::parse_parameter() {
    const std::size_t first = at_;
    if (at_operator("/")) unsupported("def", "positional-only parameters are", token().span);
    const bool of_keywords = take_operator("**"), variadic = of_keywords || take_operator("*");
    Parameter parameter{expect_name("a parameter name"), nullptr, nullptr, {}};
    if (variadic) parameter.kind = Parameter::Kind::Variadic;
    if (take_operator(":")) parameter.annotation = parse_expression();
    if (of_keywords) parameter.default_value = make(DictExpr{}, first);
    if (!variadic && take_operator("=")) parameter.default_value = parse_expression();
    parameter.span = span_from(first);
    return parameter;
}

}  // namespace sluice::code
