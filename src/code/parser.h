// The recursive-descent parser behind parse.h. Every parse_ function starts at its first token and ends behind its last;
// errors are Failures. Nesting and tree height are bounded, so that neither parsing nor any later walk exhausts the stack.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "code/ast.h"
#include "code/lexer.h"
#include "code/parse.h"

namespace sluice::code {

/// Valid Python outside the subset. A tolerant parser keeps the statement as UnsupportedStmt.
class Unsupported : public Failure {
public:
    Unsupported(std::string construct, Diagnostic diagnostic) : Failure(std::move(diagnostic)), construct(std::move(construct)) {}
    std::string construct;  ///< `class`, `comprehension`, ...
};

class Parser {
public:
    Parser(std::string_view source, std::vector<Token> tokens, const ParseOptions& options)
        : source_(source), tokens_(std::move(tokens)), fields_(options.fields), tolerate_(options.tolerate_unsupported) {}

    Body parse_module();
    ExprPtr parse_single_expression();

private:
    using Statement = decltype(Stmt::node);

    // ---- tokens (parse.cpp) ----
    const Token& token() const { return tokens_[at_]; }
    const Token& ahead() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
    bool at(TokenKind kind) const { return token().kind == kind; }
    bool at_operator(std::string_view text) const { return token().is(TokenKind::Operator, text); }
    bool at_keyword(std::string_view text) const { return token().is(TokenKind::Keyword, text); }
    bool at_statement_end() const { return at(TokenKind::Newline) || at(TokenKind::End) || at_operator(";"); }
    bool take_operator(std::string_view text);
    bool take_keyword(std::string_view text);
    void expect_operator(std::string_view text, std::string_view after);
    std::string expect_name(std::string_view what);
    Span span_from(std::size_t first) const;
    [[noreturn]] void expected(const std::string& what) const;
    [[noreturn]] void unsupported(const std::string& construct, const std::string& plural, const Span& where,
                                  const std::string& code = "P007") const;

    /// Counts one level of nesting for its lifetime.
    class Nesting {
    public:
        Nesting(int& depth, int limit, const Token& where);
        ~Nesting() { --depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        int& depth_;
    };

    // ---- expressions (parse_expression.cpp, parse_primary.cpp) ----
    ExprPtr make(decltype(Expr::node) node, std::size_t first) const;
    ExprPtr parse_expression_list();  ///< `a, b` is a tuple.
    ExprPtr parse_expression();       ///< With lambda and `x if c else y`.
    ExprPtr parse_lambda();
    ExprPtr parse_or();
    ExprPtr parse_and();
    ExprPtr parse_not();
    ExprPtr parse_comparison();
    bool take_comparison(CompareOp& op);
    ExprPtr parse_binary(int least_precedence);
    ExprPtr parse_unary();
    ExprPtr parse_power();
    ExprPtr parse_postfix();
    ExprPtr parse_call(ExprPtr function, std::size_t first);
    ExprPtr parse_subscript_index();
    ExprPtr parse_slice_or_expression();
    ExprPtr parse_atom();
    ExprPtr parse_keyword_atom();
    ExprPtr parse_parentheses();
    ExprPtr parse_list();
    ExprPtr parse_number();
    ExprPtr parse_strings();
    bool at_expression_end() const;
    ExprPtr parse_starred_or_expression();
    ExprPtr parse_comprehension(ExprPtr element, bool is_list, std::size_t first);
    ExprPtr parse_dictionary();

    // ---- statements (parse_statement.cpp, parse_compound.cpp, parse_unsupported.cpp) ----
    void parse_statement(Body& out);
    void parse_line(Body& out);
    void parse_simple(Body& out);
    bool parse_keyword_simple(Body& out);
    Statement parse_nonlocal();
    Statement parse_yield();
    Statement parse_expression_statement();
    Statement parse_assignment(ExprPtr first_target);
    Statement parse_return();
    Statement parse_assert();
    Statement parse_raise();
    Statement parse_delete();
    Statement parse_jump();
    void parse_import(Body& out);
    void parse_from_import(Body& out);
    std::string parse_dotted_name();
    Statement parse_compound();
    Statement parse_if();
    Statement parse_for();
    Statement parse_while();
    Statement parse_with();
    bool parse_parenthesised_items(std::vector<WithItem>& items);
    WithItem parse_with_item();
    Statement parse_decorated();
    Statement parse_function(std::vector<ExprPtr> decorators);
    std::vector<Parameter> parse_parameters();
    Parameter parse_parameter();
    Statement parse_try();
    Body parse_suite();
    Body parse_else();
    /// One case of a `match`.
    struct Case {
        ExprPtr condition;                                   ///< Null: it always matches.
        ExprPtr guard;                                       ///< May be null.
        std::vector<std::pair<std::string, ExprPtr>> names;  ///< What the pattern binds.
        Body body;
        Span span;
    };
    void parse_match(Body& out);
    Case parse_case(const ExprPtr& subject);
    void parse_pattern(const ExprPtr& subject, Case& out);
    void parse_closed_pattern(const ExprPtr& subject, Case& out);
    void parse_class_pattern(const ExprPtr& subject, Case& out);
    void parse_sequence_pattern(const ExprPtr& subject, std::string_view end, Case& out, std::size_t first);
    Body choice_among(const std::vector<Case>& cases, std::size_t from, const Span& span) const;
    ExprPtr parse_target_list();
    /// Does the name stand for a chain of attributes?
    bool is_field(const Expr& e) const;
    void check_target(const Expr& e, bool single) const;
    void refuse_statement() const;
    bool at_compound() const;
    bool at_soft_match() const;
    void append(Body& out, Statement node, std::size_t first) const;
    void skip_unsupported(std::size_t first);
    void skip_clause();
    void append_unsupported(Body& out, const std::string& construct, std::size_t first) const;
    void fold_unsupported(Body& out, std::size_t first) const;

    std::string_view source_;
    std::vector<Token> tokens_;
    const std::map<std::string, std::string>& fields_;
    bool tolerate_;
    std::size_t at_ = 0;
    int expression_depth_ = 0, block_depth_ = 0, loop_depth_ = 0, function_depth_ = 0;
};

/// `text`, whose first line stands in column `column`, with that indentation taken off the lines below it. Lines that start
/// inside a string stay as they are.
std::string without_indentation(std::string_view text, std::uint32_t column);
/// The inverse: `indentation` in front of every line that does not start inside a string.
std::string with_indentation(const std::string& text, const std::string& indentation);

}  // namespace sluice::code
