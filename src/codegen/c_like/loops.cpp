// Loops of one thread.
#include <algorithm>

#include "codegen/c_like/printer.h"

namespace sluice::codegen {

namespace {

bool reads_memory(const symbolic::Expr& e) {
    if (e.kind() == symbolic::Kind::Call) return true;
    return std::any_of(e.operands().begin(), e.operands().end(), reads_memory);
}

bool assigns(const loop::Body& body, const std::set<std::string>& names) {
    bool found = false;
    loop::for_each_statement(body, [&](const loop::Statement& s) {
        if (const auto* n = std::get_if<loop::Assign>(&s.node)) found = found || names.contains(n->name);
        if (const auto* n = std::get_if<loop::Pop>(&s.node)) found = found || names.contains(n->variable);
        if (const auto* n = std::get_if<loop::Update>(&s.node)) found = found || (!n->index && names.contains(n->buffer));
        if (std::holds_alternative<loop::Verbatim>(s.node)) found = true;
    });
    return found;
}

}  // namespace

void CLikePrinter::loop_header(const loop::For& s, bool canonical) {
    const std::optional<std::int64_t> step = s.step.constant();
    const bool down = step && *step < 0;
    const std::string& i = s.variable;
    std::string bound = expr(s.end), declared;
    const bool moves = !s.end.is_integer() && (reads_memory(s.end) || assigns(s.body, symbolic::free_symbols(s.end)));
    if (!canonical && moves) {
        declared = ", " + own(i + "_end") + " = " + bound;
        bound = own(i + "_end");
    }
    if (s.end.kind() == symbolic::Kind::Select || s.end.kind() == symbolic::Kind::Less) bound = "(" + bound + ")";
    std::string advance = "++" + i;
    if (step && *step == -1) {
        advance = "--" + i;
    } else if (step && down) {
        advance = i + " -= " + std::to_string(-*step);
    } else if (!(step && *step == 1)) {
        advance = i + " += " + expr(s.step);
    }
    std::string test = i + (down ? " > " : " < ") + bound;
    const auto positive = [&] { return symbolic::is_yes(symbolic::decide(symbolic::less(0, s.step), assumptions_for(s.step))); };
    if (!canonical && !step && !positive()) test = "(" + expr(s.step) + ") > 0 ? " + test + " : " + i + " > " + bound;
    out_.open("for (int64_t " + i + " = " + expr(s.begin) + declared + "; " + test + "; " + advance + ") {");
    scope_[i] = {code::Scalar::Int64};
}

void CLikePrinter::loop_body(const loop::For& s) {
    open_loops_.push_back({s.variable, s.begin, s.end, s.step});
    round(s.body);
    open_loops_.pop_back();
    out_.close();
}

// Unrolling and vector lanes are hints, which the language has no word for.
void CLikePrinter::print(const loop::For& s) {
    if (s.mode == loop::LoopMode::Parallel) refuse("a loop whose iterations threads share");
    loop_header(s, false);
    loop_body(s);
}

}  // namespace sluice::codegen
