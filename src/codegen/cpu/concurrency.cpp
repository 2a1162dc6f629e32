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

void Printer::guarded_body(const loop::Body& statements) {
    out_.open("try {");
    body(statements);
    out_.turn("} catch (...) {");
    out_.line(outcomes_.back() + ".keep();");
    out_.close();
}

namespace {

bool meets_team(const loop::Body& statements) {
    bool found = false;
    loop::for_each_statement(statements, [&](const loop::Statement& s) {
        const auto* shared = std::get_if<loop::For>(&s.node);
        found = found || std::holds_alternative<loop::Barrier>(s.node) || (shared && shared->mode == loop::LoopMode::Parallel);
    });
    return found;
}

bool declares(const loop::Statement& s) {
    return std::holds_alternative<loop::Declare>(s.node) || std::holds_alternative<loop::Alias>(s.node) ||
           std::holds_alternative<loop::Allocate>(s.node) || std::holds_alternative<loop::AllocateStream>(s.node);
}

}  // namespace

void Printer::guarded_team_body(const loop::Body& statements) {
    const bool guards_all = !meets_team(statements) || std::any_of(statements.begin(), statements.end(),
                                                                   [&](const auto& s) { return declares(s) && may_fail({s}); });
    if (guards_all) return guarded_body(statements);
    for (const loop::Statement& s : statements) {
        const auto* block = std::get_if<loop::Block>(&s.node);
        const bool meets = meets_team({s});
        if (block && meets) {
            out_.open_block(block->comment);
            guarded_team_body(block->body);
            out_.close();
        } else if (meets || !may_fail({s})) {
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
    for (const loop::Body& section : s.sections) {
        out_.flush_left("#pragma omp section");
        guarded_body(section);
    }
    team_depth_ = outer_team;
    out_.close();
    out_.close();
    close_region();
}

// A failure inside a team leaves its thread's share of later work undone, but every thread still meets every barrier.
void Printer::print(const loop::ParallelRegion& s) {
    need("omp.h");
    need("threads.h");
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
        guarded_team_body(s.body);
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
    const std::string stop = s.stop ? "[&]() -> bool { return " + value(s.stop) + "; }" : runtime("Never") + "()";
    const std::string queue = s.stream + "[" + (s.index ? subscript(s.index) : "0") + "]";
    const std::string worker = s.pe_variable.empty() ? "" : " " + s.pe_variable;
    if (!s.pe_variable.empty()) scope_[s.pe_variable] = {code::Scalar::Int64};
    scope_[s.element_variable] = {s.element_type};
    const std::string pushes = own(s.stream + "_pushes");
    const auto collectable = collectable_pushes(s.body);
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
    body(s.body);
    team_depth_ = outer_team;
    collectors_ = outer_collectors;
    out_.close(");");
}

std::map<std::string, loop::ValuePtr> Printer::collectable_pushes(const loop::Body& statements) const {
    std::map<std::string, loop::ValuePtr> pushed;
    std::set<std::string> refused;
    bool waits = false;
    const auto is_fixed = [](const loop::ValuePtr& index) {
        const auto* at = index ? std::get_if<loop::Index>(&index->node) : nullptr;
        return !index || (at && at->expr.is_integer());
    };
    const auto same_place = [](const loop::ValuePtr& a, const loop::ValuePtr& b) {
        const auto at = [](const loop::ValuePtr& index) {
            return index ? std::get<loop::Index>(index->node).expr : symbolic::Expr(0);
        };
        return at(a) == at(b);
    };
    loop::for_each_statement(statements, [&](const loop::Statement& s) {
        // Whoever waits for another stream, looks at how many elements wait, or runs text or functions that may, must not hold
        // back.
        waits = waits || std::holds_alternative<loop::Pop>(s.node) || std::holds_alternative<loop::Drain>(s.node) ||
                std::holds_alternative<loop::Consume>(s.node) || std::holds_alternative<loop::Verbatim>(s.node) ||
                std::holds_alternative<loop::While>(s.node) || std::holds_alternative<loop::ParallelSections>(s.node) ||
                std::holds_alternative<loop::ParallelRegion>(s.node) || std::holds_alternative<loop::AllocateStream>(s.node);
        if (const auto* call = std::get_if<loop::Invoke>(&s.node)) waits = waits || waiting_functions_.contains(call->function);
        const auto* push = std::get_if<loop::Push>(&s.node);
        if (!push) return;
        const auto before = pushed.emplace(push->stream, push->index);
        if (!is_fixed(push->index) || !is_fixed(before.first->second) || !same_place(push->index, before.first->second))
            refused.insert(push->stream);
    });
    for (const std::string& stream : refused) pushed.erase(stream);
    return waits ? std::map<std::string, loop::ValuePtr>() : pushed;
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
                                        [](const loop::Extern&) { return true; },  // It may want memory.
                                        [](const loop::Fail&) { return true; },
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
