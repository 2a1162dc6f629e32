// Parallel regions: sections, persistent teams, consume scopes, and what keeps failures inside their threads.
#include <algorithm>

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

void Printer::open_team(const std::string& threads, bool meets) {
    need("punctuality.h");
    out_.open("{");
    out_.line("static " + runtime("TeamRecord") + " " + own("record") + ";");
    out_.line(runtime("TeamRun") + " " + own("run") + "(" + own("record") + ", " + (meets ? "true" : "false") + ");");
    out_.flush_left("#pragma omp parallel if(" + own("run") + ".team)" + threads);
    out_.open("{");
    out_.line("const " + runtime("TeamRun") + "::Member " + own("one") + "(" + own("run") + ");");
}

void Printer::close_team() {
    out_.close();
    out_.close();
}

void Printer::guarded_body(const loop::Body& statements) {
    out_.open("try {");
    body(statements);
    out_.turn("} catch (...) {");
    out_.line(outcomes_.back() + ".keep();");
    out_.close();
}

namespace {

bool declares(const loop::Statement& s) {
    return std::holds_alternative<loop::Declare>(s.node) || std::holds_alternative<loop::Alias>(s.node) ||
           std::holds_alternative<loop::Allocate>(s.node) || std::holds_alternative<loop::AllocateStream>(s.node);
}

}  // namespace

void Printer::guarded_team_body(const loop::Body& statements) {
    const bool guards_all = !loop::meets_team(statements) || std::any_of(statements.begin(), statements.end(), [&](const auto& s) {
        return declares(s) && effects_.may_fail({s});
    });
    if (guards_all) return guarded_body(statements);
    for (const loop::Statement& s : statements) {
        const auto* block = std::get_if<loop::Block>(&s.node);
        const bool meets = loop::meets_team({s});
        if (block && meets) {
            out_.open_block(block->comment);
            guarded_team_body(block->body);
            out_.close();
        } else if (meets || !effects_.may_fail({s})) {
            statement(s);
        } else {
            out_.open("if (!" + outcomes_.back() + ".failed()) {");
            guarded_body({s});
            out_.close();
        }
    }
}

void Printer::print(const loop::ParallelSections& s) {
    need("threads.h");
    open_region(true);
    out_.flush_left("#pragma omp parallel num_threads(" + std::to_string(s.sections.size()) + ")");
    out_.open("{");
    out_.line(runtime("StreamRegion") + "::Member " + own("member") + "(" + own("region") + ", omp_get_num_threads());");
    out_.flush_left("#pragma omp sections nowait");
    out_.open("{");
    const int outer_team = team_depth_;
    team_depth_ = 0;
    ++rounds_;
    for (const loop::Body& section : s.sections) {
        out_.flush_left("#pragma omp section");
        guarded_body(section);
    }
    --rounds_;
    team_depth_ = outer_team;
    out_.close();
    out_.close();
    close_region();
}

namespace {

/// Do the threads meet in the statements, whatever happens?
bool always_meet(const loop::Body& statements) {
    return std::ranges::any_of(statements, [](const loop::Statement& s) {
        if (const auto* block = std::get_if<loop::Block>(&s.node)) return always_meet(block->body);
        if (const auto* choice = std::get_if<loop::If>(&s.node))
            return always_meet(choice->then_body) && always_meet(choice->else_body);
        const auto* loop = std::get_if<loop::For>(&s.node);
        return std::holds_alternative<loop::Barrier>(s.node) || (loop && loop->mode == loop::LoopMode::Parallel && !loop->nowait);
    });
}

/// The one loop of a team's body, if no round of it is left early and its threads meet in each.
const loop::For* rounds_of_team(const loop::Body& statements) {
    const loop::For* only = nullptr;
    bool leaves = false;
    for (const loop::Statement& s : statements) {
        const auto* loop = std::get_if<loop::For>(&s.node);
        if (!loop || loop->mode != loop::LoopMode::Sequential) continue;
        if (only) return nullptr;
        only = loop;
    }
    if (only)
        loop::for_each_statement(only->body, [&](const loop::Statement& s) {
            leaves = leaves || std::holds_alternative<loop::Break>(s.node) || std::holds_alternative<loop::Continue>(s.node) ||
                     std::holds_alternative<loop::Goto>(s.node) || std::holds_alternative<loop::Return>(s.node);
        });
    return only && !leaves && always_meet(only->body) ? only : nullptr;
}

}  // namespace

// A failure inside a team leaves its thread's share of later work undone, but every thread still meets every barrier.
void Printer::print(const loop::ParallelRegion& s) {
    need("omp.h");
    need("threads.h");
    const bool fails = effects_.may_fail(s.body);
    if (fails) open_region(effects_.may_wait(s.body));
    const bool waits = effects_.may_wait(s.body);
    const std::string threads = s.num_threads > 0 ? " num_threads(" + std::to_string(s.num_threads) + ")" : "";
    team_rounds_ = in_program_ && rounds_ == 0 ? rounds_of_team(s.body) : nullptr;
    const bool looks = team_rounds_ != nullptr;
    if (looks) {
        need("interruption.h");
        out_.open("{");
        out_.line(runtime("TeamInterruption") + " " + own("asked") + ";");
    }
    if (waits) {
        out_.flush_left("#pragma omp parallel" + threads);
        out_.open("{");
    } else {
        open_team(threads, true);
    }
    if (fails && waits)
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
        guarded_team_body(s.body);
    else
        body(s.body);
    --team_depth_;
    waits ? out_.close() : close_team();
    team_rounds_ = nullptr;
    if (looks) {
        out_.line(own("asked") + ".rethrow();");
        out_.close();
    }
    if (fails) close_region();
}

void Printer::print(const loop::Consume& s) {
    need("consume.h");
    const std::string function = runtime(s.parallel ? "consume_in_parallel" : "consume_in_order");
    const std::string workers = s.parallel ? expr(s.pes) + ", " : "";
    const std::string stop = s.stop ? "[&]() -> bool { return " + value(s.stop) + "; }" : runtime("Never") + "()";
    const std::string queue = s.stream + "[" + (s.index ? subscript(s.index) : "0") + "]";
    const std::string worker = s.pe_variable.empty() ? "" : " " + s.pe_variable;
    if (!s.pe_variable.empty()) scope_[s.pe_variable] = {code::Scalar::Int64};
    scope_[s.element_variable] = {s.element_type};
    const std::string pushes = own(s.stream + "_pushes");
    const auto collectable = effects_.collectable_pushes(s.body);
    const auto own_stream = collectable.find(s.stream);
    const auto place = [&](const loop::ValuePtr& index) { return index ? subscript(index) : std::string("0"); };
    const auto outer_collectors = collectors_;
    collectors_.clear();
    if (!s.stop && own_stream != collectable.end() && place(own_stream->second) == place(s.index)) collectors_[s.stream] = pushes;
    out_.line(function + "(" + queue + ", " + workers + std::to_string(s.chunk > 0 ? s.chunk : 1) + ", " + stop + ",");
    out_.open("    [&]([[maybe_unused]] const int64_t" + worker + ", [[maybe_unused]] const " + type(s.element_type) + " " +
              s.element_variable + ", [[maybe_unused]] auto& " + pushes + ") {");
    const int outer_team = team_depth_;
    team_depth_ = 0;
    ++rounds_;
    body(s.body);
    --rounds_;
    team_depth_ = outer_team;
    collectors_ = outer_collectors;
    out_.close(");");
}

}  // namespace sluice::codegen
