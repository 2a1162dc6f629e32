// `assert` and `raise`: an error at the call.

#include <set>
#include <string_view>

#include "code/displays.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// As Python's tracebacks show what is said of a key: what is read back tells a text from a number that a table has not, which
/// heap_kinds.cpp writes in parentheses.
std::string quoted(const std::string& text) {
    const bool number = text.size() > 2 && text.front() == '(' && text.back() == ')' &&
                        (text == "({})" || text.find_first_not_of("-0123456789", 1) == text.size() - 1);
    if (number || text.find_first_of("\\\n") != std::string::npos) return text;
    const char quote = text.find('\'') == std::string::npos ? '\'' : '"';
    return text.find(quote) == std::string::npos ? quote + text + quote : text;
}

/// Whether a sentence may be none where the condition holds, as the first element of an array that is not empty.
bool asks_for_data(const ExprPtr& e) {
    static const std::set<std::string_view> kOfTexts{kFormatted, kFormatOf, kRepr, "str", "repr", "len"};
    const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
    const auto* shape = subscript ? std::get_if<AttributeExpr>(&subscript->object->node) : nullptr;
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    const bool writes = call && (kOfTexts.contains(name_of(call->function)) || (method && method->name == "format"));
    if ((subscript && !(shape && shape->name == "shape")) || (call && !writes)) return true;
    bool found = false;
    for_each_child(*e, [&](const ExprPtr& part) { found = found || asks_for_data(part); });
    return found;
}

}  // namespace

/// `assert` and `raise`: an error of that type, with its sentence (`ValueError: no sizes`; `ValueError` without one), at the call.
void Translator::translate_assert(const AssertStmt& s, const Span& span) {
    const auto* call = s.message && s.raises ? std::get_if<CallExpr>(&s.message->node) : nullptr;
    const ExprPtr type = !s.raises ? make_name("AssertionError") : call ? call->function : s.message;
    const ExprPtr text = !s.raises ? s.message : call && !call->arguments.empty() ? call->arguments[0] : nullptr;
    if (!type) unsupported("raise without an exception", span, "raise an exception with a sentence");
    const std::string name = dotted_name(*type);
    if (!s.raises && text && asks_for_data(text)) {  // Only where the condition fails.
        const ExprPtr raised = make_expression(CallExpr{make_name("AssertionError", span), {text}, {}}, span);
        const StmtPtr raise = make_statement(AssertStmt{make_boolean(false, span), raised, true}, span);
        return translate({make_statement(IfStmt{make_unary(UnaryOp::Not, s.condition, span), {raise}, {}}, span)});
    }
    const auto sentence = !text ? std::nullopt : Texts(*this).sentence(text, s.raises);
    const bool says_more = call && (call->arguments.size() > 1 || !call->keywords.empty());
    if (name.empty() || says_more || (text && !sentence))
        unsupported("this exception", span, "raise an exception of Python's with a constant text");
    const std::string said = !sentence ? "" : ": " + (name == "KeyError" ? quoted(sentence->text) : sentence->text);
    const std::string message = name.substr(name.rfind('.') + 1) + said;
    if (const auto truth = decided(s.condition); truth && *truth) return;
    require_truth(s.condition, message, span, sentence ? sentence->integers : std::vector<ExprPtr>());
    if (s.raises) reachable_ = false;
}

/// `condition` is an expression of the program; the message begins with the name of the exception.
void Translator::require_truth(const ExprPtr& condition, const std::string& message, const Span& span,
                               std::vector<ExprPtr> values) {
    const Value value = evaluate_truth(condition);
    ExprPtr holds = value.code;
    if (!value.is_symbolic()) {
        const Value whole = cast(value, Scalar::Int64, span);
        holds = make_compare(ir::to_code(integer_of(whole, span, "holds")), CompareOp::Ne, make_integer(0), span);
    }
    require(holds, message, span, {"raised", std::move(values)});
}
}  // namespace sluice::frontend
