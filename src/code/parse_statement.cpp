// Simple statements: assignments, imports, jumps, expressions; and the lines that hold several of them.
#include <algorithm>
#include <array>

#include "code/encoded.h"
#include "code/parser.h"

namespace sluice::code {

void Parser::append(Body& out, Statement node, std::size_t first) const {
    out.push_back(std::make_shared<Stmt>(Stmt{std::move(node), span_from(first)}));
}

// One logical line of statements between semicolons.
void Parser::parse_line(Body& out) {
    do {
        const std::size_t first = at_;
        try {
            parse_simple(out);
        } catch (const Unsupported& refused) {
            if (!tolerate_) throw;
            skip_unsupported(first);
            append_unsupported(out, refused.construct, first);
        }
        if (!at_statement_end()) expected("the end of the statement");
    } while (take_operator(";") && !at_statement_end());
    if (at(TokenKind::Newline)) ++at_;
}

void Parser::parse_simple(Body& out) {
    if (at(TokenKind::Keyword) && parse_keyword_simple(out)) return;
    const std::size_t first = at_;
    if (token().is(TokenKind::Name, "type") && ahead().kind == TokenKind::Name)
        unsupported("type", "`type` statements are", token().span);
    Statement node = parse_expression_statement();
    append(out, std::move(node), first);
}

// False if the keyword begins an expression.
bool Parser::parse_keyword_simple(Body& out) {
    const std::size_t first = at_;
    refuse_statement();
    if (at_keyword("import")) {
        parse_import(out);
    } else if (at_keyword("from")) {
        parse_from_import(out);
    } else if (at_keyword("return")) {
        Statement node = parse_return();
        append(out, std::move(node), first);
    } else if (at_keyword("assert")) {
        Statement node = parse_assert();
        append(out, std::move(node), first);
    } else if (at_keyword("raise")) {
        Statement node = parse_raise();
        append(out, std::move(node), first);
    } else if (at_keyword("del")) {
        Statement node = parse_delete();
        append(out, std::move(node), first);
    } else if (at_keyword("nonlocal")) {
        Statement node = parse_nonlocal();
        append(out, std::move(node), first);
    } else if (at_keyword("yield")) {
        Statement node = parse_yield();
        append(out, std::move(node), first);
    } else if (at_keyword("break") || at_keyword("continue")) {
        append(out, parse_jump(), first);
    } else if (take_keyword("pass")) {
        append(out, PassStmt{}, first);
    } else {
        return false;
    }
    return true;
}

Parser::Statement Parser::parse_return() {
    if (function_depth_ == 0)
        fail({"P011", "`return` outside a function", token().span, {}, "assign the value to an output instead", {}});
    ++at_;
    return ReturnStmt{at_statement_end() ? nullptr : parse_expression_list()};
}

Parser::Statement Parser::parse_assert() {
    ++at_;
    AssertStmt s;
    s.condition = parse_expression();
    if (take_operator(",")) s.message = parse_expression();
    return s;
}

// `raise E("...")`, also `from None`, which is how programs raise; another cause is not known to them.
Parser::Statement Parser::parse_raise() {
    const std::size_t first = at_++;
    AssertStmt s;
    s.raises = true;
    s.condition = make(ConstantExpr{false}, first);
    if (!at_statement_end()) s.message = parse_expression();
    if (at_keyword("from")) {
        const Span span = token().span;
        ++at_;
        const ExprPtr cause = parse_expression();
        const auto* constant = std::get_if<ConstantExpr>(&cause->node);
        if (!constant || !std::holds_alternative<NoneValue>(constant->value))
            unsupported("raise", "causes of exceptions are", span);
    }
    return s;
}

Parser::Statement Parser::parse_delete() {
    ++at_;
    ExprPtr list = parse_expression_list();
    check_target(*list, false);
    if (const auto* several = std::get_if<TupleExpr>(&list->node); several && !several->elements.empty())
        return DeleteStmt{several->elements};
    return DeleteStmt{{std::move(list)}};
}

// Of `nonlocal` and `yield`, calls that say what they are (encoded.h).
Parser::Statement Parser::parse_nonlocal() {
    const std::size_t first = at_++;
    if (function_depth_ < 2) unsupported("nonlocal", "`nonlocal` statements are", tokens_[first].span);
    std::vector<ExprPtr> names;
    do {
        const std::size_t at = at_;
        std::string id = expect_name("a name");
        names.push_back(make(NameExpr{std::move(id)}, at));
    } while (take_operator(","));
    return ExprStmt{make(CallExpr{make(NameExpr{kNonlocal}, first), std::move(names), {}}, first)};
}

Parser::Statement Parser::parse_yield() {
    const std::size_t first = at_++;
    if (function_depth_ == 0 || at_statement_end() || at_keyword("from"))
        unsupported("yield", "`yield` expressions are", tokens_[first].span);
    ExprPtr value = parse_expression_list();
    return ExprStmt{make(CallExpr{make(NameExpr{kYield}, first), {std::move(value)}, {}}, first)};
}

Parser::Statement Parser::parse_jump() {
    const std::string keyword(token().text);
    if (loop_depth_ == 0)
        fail({"P011", "`" + keyword + "` outside a loop", token().span, {}, "move it into a `for` or `while`", {}});
    ++at_;
    if (keyword == "break") return BreakStmt{};
    return ContinueStmt{};
}

std::string Parser::parse_dotted_name() {
    std::string name = expect_name("a module name");
    while (take_operator(".")) name += "." + expect_name("a module name");
    return name;
}

// `import a, b.c as d`: one statement each.
void Parser::parse_import(Body& out) {
    std::size_t first = at_++;
    do {
        ImportStmt s{parse_dotted_name(), {}, {}};
        s.alias = take_keyword("as") ? expect_name("a name for the module") : s.module;
        append(out, std::move(s), first);
        first = at_ + 1;
    } while (take_operator(","));
}

void Parser::parse_from_import(Body& out) {
    const std::size_t first = at_++;
    ImportStmt s;
    while (at_operator(".") || at_operator("...")) s.module += tokens_[at_++].text;
    if (s.module.empty() || !at_keyword("import")) s.module += parse_dotted_name();
    if (!take_keyword("import")) expected("`import`");
    if (take_operator("*")) {
        s.names.emplace_back("*", "*");
        append(out, std::move(s), first);
        return;
    }
    const bool parenthesised = take_operator("(");
    do {
        if (parenthesised && at_operator(")")) break;
        const std::string name = expect_name("a name to import");
        s.names.emplace_back(name, take_keyword("as") ? expect_name("a local name") : name);
    } while (take_operator(","));
    if (parenthesised) expect_operator(")", "after the imported names");
    if (s.names.empty()) expected("a name to import");
    append(out, std::move(s), first);
}

Parser::Statement Parser::parse_expression_statement() {
    ExprPtr e = parse_expression_list();
    if (at_operator(":")) {
        ++at_;
        check_target(*e, true);
        ExprPtr annotation = parse_expression();
        return AnnAssignStmt{std::move(e), std::move(annotation), take_operator("=") ? parse_expression_list() : nullptr};
    }
    if (at_operator("=")) return parse_assignment(std::move(e));
    static constexpr std::array<std::pair<std::string_view, BinaryOp>, 13> kAugmented = {{{"+=", BinaryOp::Add},
                                                                                          {"-=", BinaryOp::Sub},
                                                                                          {"*=", BinaryOp::Mul},
                                                                                          {"/=", BinaryOp::Div},
                                                                                          {"//=", BinaryOp::FloorDiv},
                                                                                          {"%=", BinaryOp::Mod},
                                                                                          {"**=", BinaryOp::Pow},
                                                                                          {"@=", BinaryOp::MatMul},
                                                                                          {"&=", BinaryOp::BitAnd},
                                                                                          {"|=", BinaryOp::BitOr},
                                                                                          {"^=", BinaryOp::BitXor},
                                                                                          {"<<=", BinaryOp::ShiftLeft},
                                                                                          {">>=", BinaryOp::ShiftRight}}};
    for (const auto& [text, op] : kAugmented)
        if (take_operator(text)) {
            check_target(*e, true);
            if (is_field(*e)) {  // The object keeps its array, whose elements change.
                const std::size_t first = at_ - 1;
                ExprPtr all = make(ConstantExpr{EllipsisValue{}}, first);
                e = make(SubscriptExpr{std::move(e), std::move(all)}, first);
            }
            return AugAssignStmt{std::move(e), op, parse_expression_list()};
        }
    return ExprStmt{std::move(e)};
}

Parser::Statement Parser::parse_assignment(ExprPtr first_target) {
    AssignStmt s;
    s.value = std::move(first_target);
    while (take_operator("=")) {
        check_target(*s.value, false);
        s.targets.push_back(std::move(s.value));
        s.value = parse_expression_list();
    }
    return s;
}

bool Parser::is_field(const Expr& e) const {
    const auto* name = std::get_if<NameExpr>(&e.node);
    return name && std::ranges::any_of(fields_, [&](const auto& field) { return field.second == name->id; });
}

void Parser::check_target(const Expr& e, bool single) const {
    const std::vector<ExprPtr>* elements = nullptr;
    if (const auto* tuple = std::get_if<TupleExpr>(&e.node)) elements = &tuple->elements;
    if (const auto* list = std::get_if<ListExpr>(&e.node)) elements = &list->elements;
    if (elements && !single) {
        for (const ExprPtr& element : *elements) {
            const auto* starred = std::get_if<StarredExpr>(&element->node);
            check_target(starred ? *starred->value : *element, starred != nullptr);
        }
        return;
    }
    if (std::holds_alternative<NameExpr>(e.node) || std::holds_alternative<AttributeExpr>(e.node) ||
        std::holds_alternative<SubscriptExpr>(e.node))
        return;
    fail({"P008",
          elements ? "several targets cannot be assigned this way" : "this expression cannot be assigned to",
          e.span,
          {},
          elements ? "assign to each target on its own" : "assign to a name, an attribute or a subscript; compare with `==`",
          {}});
}

}  // namespace sluice::code
