// Parallel regions: sections, persistent teams, consume scopes, and what keeps failures inside their threads.
#include "codegen/cpu/printer.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

void Printer::open_region(bool waits) {
    out_.open("{");
    if (waits) {
        need("team.h");
        need("omp.h");
        out_.line(runtime("StreamRegion") + " " + own("region") + ";");
    }
    outcomes_.push_back(own("outcome" + (outcomes_.empty() ? "" : std::to_string(outcomes_.size()))));
    out_.line(runtime("Outcome") + " " + outcomes_.back() + ";");
}

void Printer::close_region() {
    out_.line(outcomes_.back() + ".rethrow();");
    outcomes_.pop_back();
    out_.close();
}

void Printer::guarded_body(const loop::Body& statements) {
    out_.open("try {");
    body(statements);
    out_.turn("} catch (...) {");
    out_.line(outcomes_.back() + ".keep();");
    out_.close();
}

void Printer::print(const loop::ParallelSections& s) {
    open_region(true);
    out_.flush_left("#pragma omp parallel num_threads(" + std::to_string(s.sections.size()) + ")");
    out_.open("{");
    out_.line(runtime("StreamRegion") + "::Member " + own("member") + "(" + own("region") + ", omp_get_num_threads());");
    out_.flush_left("#pragma omp sections nowait");
    out_.open("{");
    const int outer_team = team_depth_;
    team_depth_ = 0;
    for (const loop::Body& section : s.sections) {
        out_.flush_left("#pragma omp section");
        guarded_body(section);
    }
    team_depth_ = outer_team;
    out_.close();
    out_.close();
    close_region();
}

// A failure inside a team leaves its thread's share of later loops undone, but every thread still meets every barrier outside it.
void Printer::print(const loop::ParallelRegion& s) {
    need("omp.h");
    const bool fails = may_fail(s.body);
    if (fails) open_region(may_wait(s.body));
    const std::string threads = s.num_threads > 0 ? " num_threads(" + std::to_string(s.num_threads) + ")" : "";
    out_.flush_left("#pragma omp parallel" + threads);
    out_.open("{");
    if (fails && may_wait(s.body))
        out_.line(runtime("StreamRegion") + "::Member " + own("member") + "(" + own("region") + ", omp_get_num_threads());");
    if (!s.thread_variable.empty()) {
        scope_[s.thread_variable] = {code::Scalar::Int64};
        out_.line("const int64_t " + s.thread_variable + " = omp_get_thread_num();");
    }
    if (!s.count_variable.empty()) {
        scope_[s.count_variable] = {code::Scalar::Int64};
        out_.line("const int64_t " + s.count_variable + " = omp_get_num_threads();");
    }
    ++team_depth_;
    if (fails)
        guarded_body(s.body);
    else
        body(s.body);
    --team_depth_;
    out_.close();
    if (fails) close_region();
}

void Printer::print(const loop::Consume& s) {
    need("consume.h");
    const std::string function = runtime(s.parallel ? "consume_in_parallel" : "consume_in_order");
    const std::string workers = s.parallel ? expr(s.pes) + ", " : "";
    const std::string stop = s.stop ? value(s.stop) : "false";
    const std::string queue = s.stream + "[" + (s.index ? subscript(s.index) : "0") + "]";
    const std::string worker = s.pe_variable.empty() ? "" : " " + s.pe_variable;
    if (!s.pe_variable.empty()) scope_[s.pe_variable] = {code::Scalar::Int64};
    scope_[s.element_variable] = {s.element_type};
    out_.line(function + "(" + queue + ", " + workers + std::to_string(s.chunk > 0 ? s.chunk : 1) + ", [&]() -> bool { return " +
              stop + "; },");
    out_.open("    [&]([[maybe_unused]] const int64_t" + worker + ", [[maybe_unused]] const " + type(s.element_type) + " " +
              s.element_variable + ") {");
    const int outer_team = team_depth_;
    team_depth_ = 0;
    body(s.body);
    team_depth_ = outer_team;
    out_.close(");");
}

bool Printer::may_fail(const loop::Body& statements) const {
    bool found = false;
    loop::for_each_statement(statements, [&](const loop::Statement& s) {
        found = found || std::visit(loop::Overloaded{
                                        [](const loop::Allocate& n) { return n.place != loop::Place::Stack; },
                                        [](const loop::AllocateStream&) { return true; },
                                        [](const loop::Push&) { return true; },
                                        [](const loop::Pop&) { return true; },
                                        [](const loop::Consume&) { return true; },
                                        [](const loop::ParallelSections&) { return true; },
                                        [](const loop::Verbatim&) { return true; },
                                        [&](const loop::Invoke& n) { return failing_functions_.contains(n.function); },
                                        [](const auto&) { return false; },
                                    },
                                    s.node);
    });
    return found;
}

bool Printer::may_wait(const loop::Body& statements) const {
    bool found = false;
    loop::for_each_statement(statements, [&](const loop::Statement& s) {
        found = found || std::visit(loop::Overloaded{
                                        [](const loop::Push&) { return true; },
                                        [](const loop::Pop&) { return true; },
                                        [&](const loop::Invoke& n) { return waiting_functions_.contains(n.function); },
                                        [](const auto&) { return false; },
                                    },
                                    s.node);
    });
    return found;
}

}  // namespace sluice::codegen
