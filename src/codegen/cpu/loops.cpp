// Counting loops: sequential, unrolled, vectorised, and shared by threads.
#include <algorithm>

#include "codegen/cpu/printer.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

namespace {

std::string schedule_text(loop::OmpSchedule schedule, std::int64_t chunk) {
    const std::string size = chunk > 0 ? ", " + std::to_string(chunk) : "";
    switch (schedule) {
        case loop::OmpSchedule::Default:
            return chunk > 0 ? " schedule(static" + size + ")" : "";
        case loop::OmpSchedule::Static:
            return " schedule(static" + size + ")";
        case loop::OmpSchedule::Dynamic:
            return " schedule(dynamic" + size + ")";
        case loop::OmpSchedule::Guided:
            return " schedule(guided" + size + ")";
    }
    return {};
}

/// A complex number that is declared in a loop, which `omp simd` makes private as a whole: GCC then copies structs, and no lanes
/// run.
bool declares_complex(const loop::Body& body) {
    bool found = false;
    loop::for_each_statement(body, [&](const loop::Statement& statement) {
        const auto* declared = std::get_if<loop::Declare>(&statement.node);
        found = found || (declared && declared->type.is_scalar() && code::is_complex(declared->type.scalar));
    });
    return found;
}

/// Of each of the iterations that threads share: below every loop of a collapsed nest.
const loop::Body& shared_body(const loop::For& s) {
    const loop::For* nest = &s;
    for (std::int64_t depth = 1; depth < s.collapse; ++depth) nest = &std::get<loop::For>(nest->body.at(0).node);
    return nest->body;
}

}  // namespace

void Printer::print(const loop::For& s) {
    if (s.mode == loop::LoopMode::Parallel) return parallel_for(s);
    const bool lanes = s.mode == loop::LoopMode::Simd && !effects_.may_fail(s.body);  // No lane may leave by an exception.
    const bool independent = lanes && s.reductions.empty() && declares_complex(s.body);
    if (lanes) out_.flush_left(independent ? "#pragma GCC ivdep" : "#pragma omp simd" + reduction_clauses(s));
    if (s.mode == loop::LoopMode::Unroll) {
        constexpr std::int64_t kMostUnrolled = 65534;
        std::int64_t factor = s.unroll_factor;
        const auto trips = symbolic::ceil_divide(s.end - s.begin, s.step).constant();
        if (factor <= 0) factor = trips && *trips > 0 ? *trips : 8;
        out_.flush_left("#pragma GCC unroll " + std::to_string(std::min(factor, kMostUnrolled)));
    }
    if (&s == team_rounds_) return team_rounds(s);
    rounds_ += lanes;  // No lane may leave by an exception.
    loop_header(s, lanes);
    loop_body(s);
    rounds_ -= lanes;
}

void Printer::round(const loop::Body& statements) {
    if (in_program_ && rounds_ == 0 && team_depth_ == 0 && effects_.takes_long(statements)) {
        need("interruption.h");
        out_.line(runtime("end_if_asked") + "();");
    }
    ++rounds_;
    body(statements);
    --rounds_;
}

void Printer::team_rounds(const loop::For& s) {
    const std::string asked = own("asked"), round = own("round");
    out_.line("int64_t " + round + " = 0;");
    loop_header(s, false);
    open_loops_.push_back({s.variable, s.begin, s.end, s.step});
    out_.line(asked + ".look(omp_get_thread_num() == 0, " + round + ");");
    ++rounds_;
    body(s.body);
    --rounds_;
    out_.line("if (" + asked + ".asked(" + round + "++)) break;");
    open_loops_.pop_back();
    out_.close();
}

std::string Printer::reduction_clauses(const loop::For& s) {
    std::string text;
    for (const loop::Reduction& r : s.reductions) {
        const auto found = scope_.find(r.name);
        check(found != scope_.end(), "the reduction variable ", r.name, " is not declared");
        const std::string section = r.elements.is_integer(0) ? "" : "[:" + expr(r.elements) + "]";
        text += " reduction(" + reduction_identifier(r.op, found->second.type) + " : " + r.name + section + ")";
    }
    return text;
}

std::string Printer::worksharing_clauses(const loop::For& s) {
    const std::string collapse = s.collapse > 1 ? " collapse(" + std::to_string(s.collapse) + ")" : "";
    return collapse + schedule_text(s.schedule, s.chunk) + reduction_clauses(s);
}

void Printer::parallel_for(const loop::For& s) {
    // Who calls is asked, and every thread leaves out what it has not begun.
    const bool begins_team = team_depth_ == 0;
    const bool looks =
        begins_team && in_program_ && rounds_ == 0 && !effects_.may_wait(s.body) && effects_.takes_long(shared_body(s));
    if (looks) {
        need("interruption.h");
        out_.open("{");
        out_.line("const volatile int& " + own("asked") + " = " + runtime("interruption") + ";");
    }
    share_rounds(s, looks ? "if (__builtin_expect(" + own("asked") + ", 0)) continue;" : "");
    if (looks) {
        out_.line(runtime("end_if_asked") + "();");
        out_.close();
    }
}

void Printer::share_rounds(const loop::For& s, const std::string& at_each) {
    const bool fails = effects_.may_fail(s.body), waits = team_depth_ == 0 && effects_.may_wait(s.body);
    const std::string threads = s.num_threads > 0 ? " num_threads(" + std::to_string(s.num_threads) + ")" : "";
    const std::string clauses = worksharing_clauses(s), lanes = s.simd && !fails && !declares_complex(s.body) ? " simd" : "";
    const bool begins_team = team_depth_ == 0;
    if (begins_team) need("threads.h");
    if (fails) open_region(waits);
    if (waits) {
        out_.flush_left("#pragma omp parallel" + threads);
        out_.open("{");
        out_.line(runtime("StreamRegion") + "::Member " + own("member") + "(" + own("region") + ", omp_get_num_threads());");
        for (const auto& [stream, index] : effects_.collectable_pushes(s.body)) {
            collectors_[stream] = own(stream + "_pushes");
            out_.line(runtime("PushBlock") + "<" + type(scope_.at(stream).type) + "> " + collectors_[stream] + "(" + stream + "[" +
                      (index ? subscript(index) : "0") + "]);");
        }
        out_.flush_left("#pragma omp for nowait" + clauses);
    } else if (begins_team) {
        open_team(threads, false);
        out_.flush_left("#pragma omp for" + lanes + " nowait" + clauses);
    } else {
        out_.flush_left("#pragma omp for" + lanes + (s.nowait ? " nowait" : "") + clauses);
    }
    const loop::For* nest = &s;
    for (std::int64_t depth = 1;; ++depth) {
        loop_header(*nest, true);
        open_loops_.push_back({nest->variable, nest->begin, nest->end, nest->step});
        if (depth >= s.collapse) break;
        check(nest->body.size() == 1 && std::holds_alternative<loop::For>(nest->body[0].node), "the collapsed nest of ", s.variable,
              " is not perfect");
        nest = &std::get<loop::For>(nest->body[0].node);
    }
    const int outer_team = team_depth_;
    team_depth_ = 0;
    ++rounds_;
    if (!at_each.empty()) out_.line(at_each);
    if (fails)
        guarded_body(nest->body);
    else
        body(nest->body);
    --rounds_;
    team_depth_ = outer_team;
    for (std::int64_t depth = 0; depth < std::max<std::int64_t>(s.collapse, 1); ++depth) {
        open_loops_.pop_back();
        out_.close();
    }
    if (!collectors_.empty()) {
        out_.open("try {");
        for (const auto& [stream, collector] : collectors_) out_.line(collector + ".flush();");
        out_.turn("} catch (...) {");
        out_.line(outcomes_.back() + ".keep();");
        out_.close();
        collectors_.clear();
    }
    if (waits) out_.close();
    if (begins_team && !waits) close_team();
    if (fails) close_region();
}

}  // namespace sluice::codegen
