// `match` as the choice that it is, its first case first:
//     match op:                      if op == 0: ...
//         case 0: ...                elif op == 1 or op == 2: ...
//         case 1 | 2: ...      ->    else:
//         case n if n < 9: ...           n = op
//         case _: ...                    if n < 9: ...
//                                        else: ...
// Of patterns: literals, dotted names, names, `_`, alternatives, `as`, classes, and sequences of these where the subject is a tuple
// that stands there, because what else may be a sequence only the run knows. `Circle(r)` asks isinstance(subject, Circle), and its
// first part is the attribute that the class names first (kMatched); of a number's class it is the number.
#include <algorithm>
#include <array>

#include "code/displays.h"
#include "code/parser.h"

namespace sluice::code {

namespace {

/// Operators of literals: `-1`, `1 + 2j`.
constexpr int kAdditive = 5;
/// Each stands in the last one's `else`.
constexpr std::size_t kMostCases = 100;

ExprPtr expression(decltype(code::Expr::node) node, const Span& span) {
    return std::make_shared<const Expr>(Expr{std::move(node), span});
}
StmtPtr assignment(const std::string& name, const ExprPtr& value, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{AssignStmt{{expression(NameExpr{name}, span)}, value}, span});
}

}  // namespace

// A `match` and its subject; an expression that computes something is evaluated once, by a statement in front.
void Parser::parse_match(Body& out) {
    const std::size_t first = at_++;
    ExprPtr subject = parse_expression_list();
    const Span where = subject->span;
    std::size_t parts = 0;
    const auto named = [&](const ExprPtr& e) -> ExprPtr {
        if (std::holds_alternative<NameExpr>(e->node) || std::holds_alternative<ConstantExpr>(e->node)) return e;
        const std::string name =
            "__match" + std::to_string(where.line) + "_" + std::to_string(where.column) + "_" + std::to_string(parts++);
        out.push_back(assignment(name, e, e->span));
        return expression(NameExpr{name}, e->span);
    };
    if (const auto* several = std::get_if<TupleExpr>(&subject->node)) {
        TupleExpr all = *several;
        for (ExprPtr& one : all.elements) one = named(one);
        subject = expression(std::move(all), where);
    } else {
        subject = named(subject);
    }
    expect_operator(":", "behind the subject");
    if (!at(TokenKind::Newline)) expected("cases on lines of their own");
    at_ += 2;  // The line's end and the indentation: at_soft_match has seen them.
    std::vector<Case> cases;
    while (!at(TokenKind::Dedent) && !at(TokenKind::End)) {
        if (cases.size() == kMostCases) unsupported("match", "so many cases are", token().span);
        cases.push_back(parse_case(subject));
    }
    if (at(TokenKind::Dedent)) ++at_;
    for (StmtPtr& one : choice_among(cases, 0, span_from(first))) out.push_back(std::move(one));
}

Parser::Case Parser::parse_case(const ExprPtr& subject) {
    if (!token().is(TokenKind::Name, "case")) expected("`case`");
    Case one;
    one.span = token().span;
    ++at_;
    const std::size_t first = at_;
    const bool alone = at(TokenKind::Name) && (ahead().is(TokenKind::Operator, ":") || ahead().is(TokenKind::Keyword, "if"));
    if (std::holds_alternative<TupleExpr>(subject->node) && !at_operator("(") && !at_operator("[") && !alone)
        parse_sequence_pattern(subject, ":", one, first);
    else
        parse_pattern(subject, one);
    if (take_keyword("if")) one.guard = parse_expression();
    one.body = parse_suite();
    return one;
}

// Alternatives, and a name for what matches.
void Parser::parse_pattern(const ExprPtr& subject, Case& out) {
    const Span where = token().span;
    std::vector<ExprPtr> alternatives;
    bool always = false;
    const std::size_t names = out.names.size();
    do {
        Case one;
        parse_closed_pattern(subject, one);
        always = always || !one.condition;
        if (one.condition) alternatives.push_back(one.condition);
        out.names.insert(out.names.end(), one.names.begin(), one.names.end());
        if (at_operator("|") && out.names.size() > names) unsupported("match", "names in alternatives of patterns are", where);
    } while (take_operator("|"));
    if (alternatives.size() > 1 && out.names.size() > names) unsupported("match", "names in alternatives of patterns are", where);
    if (!always) {
        const ExprPtr condition = alternatives.size() == 1 ? alternatives[0] : expression(BoolExpr{false, alternatives}, where);
        out.condition = out.condition ? expression(BoolExpr{true, {out.condition, condition}}, where) : condition;
    }
    if (take_keyword("as")) out.names.emplace_back(expect_name("a name for what matches"), subject);
}

void Parser::parse_closed_pattern(const ExprPtr& subject, Case& out) {
    const std::size_t first = at_;
    const Span where = token().span;
    if (at_operator("(") || at_operator("[")) {
        const bool round = at_operator("(");
        ++at_;
        if (round && !std::holds_alternative<TupleExpr>(subject->node)) {
            parse_pattern(subject, out);
            if (at_operator(",")) unsupported("match", "patterns of sequences, but for a tuple that stands there, are", where);
            return expect_operator(")", "after the pattern");
        }
        parse_sequence_pattern(subject, round ? ")" : "]", out, first);
        return expect_operator(round ? ")" : "]", "after the pattern");
    }
    if (at_operator("{") || at_operator("*")) unsupported("match", "patterns of mappings and starred ones are", where);
    const bool literal = !at(TokenKind::Name);
    if (!literal && ahead().is(TokenKind::Operator, "(")) return parse_class_pattern(subject, out);
    ExprPtr value = literal ? parse_binary(kAdditive) : parse_postfix();
    if (std::holds_alternative<CallExpr>(value->node)) unsupported("match", "such patterns are", where);
    if (const auto* name = std::get_if<NameExpr>(&value->node)) {
        if (name->id != "_") out.names.emplace_back(name->id, subject);
        return;
    }
    if (!literal && !std::holds_alternative<AttributeExpr>(value->node)) unsupported("match", "such patterns are", where);
    if (std::holds_alternative<TupleExpr>(subject->node)) {
        out.condition = expression(ConstantExpr{false}, where);  // A tuple equals no such value.
        return;
    }
    const auto* constant = std::get_if<ConstantExpr>(&value->node);
    const bool same =
        constant && (std::holds_alternative<NoneValue>(constant->value) || std::holds_alternative<bool>(constant->value));
    out.condition = expression(CompareExpr{{same ? CompareOp::Is : CompareOp::Eq}, {subject, std::move(value)}}, where);
}

void Parser::parse_class_pattern(const ExprPtr& subject, Case& out) {
    static constexpr std::array kWhole{"int", "float", "bool", "str", "bytes", "list", "tuple", "dict", "set"};
    const std::size_t first = at_;
    const Span where = token().span;
    const std::string name = expect_name("a class");
    if (!std::holds_alternative<NameExpr>(subject->node) && !std::holds_alternative<AttributeExpr>(subject->node))
        unsupported("match", "patterns of classes for a literal or a tuple that stands there are", where);
    const ExprPtr of_class = make(NameExpr{name}, first);
    const ExprPtr is_one = make(CallExpr{make(NameExpr{"isinstance"}, first), {subject, of_class}, {}}, first);
    out.condition = out.condition ? make(BoolExpr{true, {out.condition, is_one}}, first) : is_one;
    const bool whole = std::ranges::find(kWhole, name) != kWhole.end();
    ++at_;
    for (std::size_t position = 0; !at_operator(")"); ++position) {
        if (at(TokenKind::Name) && ahead().is(TokenKind::Operator, "=")) {
            const std::string attribute = expect_name("an attribute");
            ++at_;
            parse_pattern(make(AttributeExpr{subject, attribute}, first), out);
        } else if (whole) {
            parse_pattern(subject, out);
        } else {
            parse_pattern(make(AttributeExpr{subject, kMatched + std::to_string(position)}, first), out);
        }
        if (!take_operator(",")) break;
    }
    expect_operator(")", "after the pattern");
}

void Parser::parse_sequence_pattern(const ExprPtr& subject, std::string_view end, Case& out, std::size_t first) {
    const auto* tuple = std::get_if<TupleExpr>(&subject->node);
    const Span where = tokens_[first].span;
    if (!tuple) unsupported("match", "patterns of sequences, but for a tuple that stands there, are", where);
    std::size_t at = 0;
    do {
        if (at_operator(end) || at_keyword("if")) break;
        if (at >= tuple->elements.size()) unsupported("match", "patterns of other lengths than the subject's are", where);
        parse_pattern(tuple->elements[at++], out);
    } while (take_operator(","));
    if (at != tuple->elements.size()) unsupported("match", "patterns of other lengths than the subject's are", where);
}

// The cases from one on, of which at most one runs.
Body Parser::choice_among(const std::vector<Case>& cases, std::size_t from, const Span& span) const {
    if (from == cases.size()) return {};
    const Case& one = cases[from];
    Body taken;
    for (const auto& [name, value] : one.names) taken.push_back(assignment(name, value, one.span));
    const auto choice = [&](const ExprPtr& condition, Body then_body) {
        return std::make_shared<const Stmt>(
            Stmt{IfStmt{condition, std::move(then_body), choice_among(cases, from + 1, span)}, one.span});
    };
    if (one.guard && one.names.empty())  // One condition.
        return {choice(one.condition ? expression(BoolExpr{true, {one.condition, one.guard}}, one.span) : one.guard, one.body)};
    if (one.guard) {
        if (one.condition) unsupported("match", "guards of patterns that bind names and may not match are", one.span);
        taken.push_back(choice(one.guard, one.body));
    } else {
        taken.insert(taken.end(), one.body.begin(), one.body.end());
    }
    if (!one.condition) return taken;
    return {choice(one.condition, std::move(taken))};
}

}  // namespace sluice::code
