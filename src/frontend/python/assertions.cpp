// `assert` and `raise`: an error at the call.

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

}  // namespace

/// `assert` and `raise`: an error of that type, with its sentence (`ValueError: no sizes`; `ValueError` without one), at the call.
void Translator::translate_assert(const AssertStmt& s, const Span& span) {
    const auto* call = s.message && s.raises ? std::get_if<CallExpr>(&s.message->node) : nullptr;
    const ExprPtr type = !s.raises ? make_name("AssertionError") : call ? call->function : s.message;
    const ExprPtr text = !s.raises ? s.message : call && !call->arguments.empty() ? call->arguments[0] : nullptr;
    if (!type) unsupported("raise without an exception", span, "raise an exception with a sentence");
    const std::string name = dotted_name(*type);
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
