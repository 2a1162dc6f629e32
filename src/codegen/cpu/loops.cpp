// Counting loops: sequential, unrolled, vectorised, and shared by threads.
#include <algorithm>
#include <utility>

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

/// Whether an iteration may be the last one by a `break`, which a loop around would not hear of.
bool ends_early(const loop::Body& body) {
    bool found = false;
    loop::for_each_statement(body, [&](const loop::Statement& s) { found = found || std::holds_alternative<loop::Break>(s.node); });
    return found;
}

}  // namespace

bool Printer::is_outermost() const {
    return in_program_ && rounds_ == 0 && team_depth_ == 0;
}

/// Iterations over arrays are left alone: memory ends them soon.
bool Printer::has_many_short_rounds(const loop::For& s) const {
    constexpr std::int64_t kOnePart = std::int64_t{1} << 24;  // runtime/interruption.h
    constexpr std::int64_t kLongestStep = std::int64_t{1} << 32;
    const std::optional<std::int64_t> step = s.step.constant();
    if (!is_outermost() || s.collapse > 1 || !step || *step > kLongestStep || *step < -kLongestStep) return false;
    if (effects_.takes_long(s.body) || effects_.may_wait(s.body)) return false;
    const symbolic::Expr trips = symbolic::ceil_divide(s.end - s.begin, s.step);
    if (const std::optional<std::int64_t> known = trips.constant()) return *known > kOnePart;
    return !std::ranges::all_of(symbolic::free_symbols(trips), [&](const std::string& name) { return sizes_.contains(name); });
}

void Printer::in_parts(const loop::For& s) {
    need("interruption.h");
    const std::string part = own("part"), first = own(s.variable + "_first"), last = own(s.variable + "_last");
    out_.open("for (" + runtime("Part") + " " + part + "(" + expr(s.begin) + ", " + expr(s.end) + ", " + expr(s.step) + "); " +
              part + ".next();) {");
    out_.line("const int64_t " + first + " = " + part + ".begin, " + last + " = " + part + ".end;");
    const bool down = *s.step.constant() < 0;
    open_loops_.push_back({first, s.begin, s.end, s.step});
    open_loops_.push_back({last, s.begin, s.end + (down ? -1 : 1), down ? -1 : 1});
    scope_[first] = scope_[last] = {code::Scalar::Int64};
    loop::For rounds = s;
    rounds.begin = symbolic::symbol(first);
    rounds.end = symbolic::symbol(last);
    ++rounds_;
    print(rounds);
    --rounds_;
    open_loops_.pop_back();
    open_loops_.pop_back();
    out_.close();
}

/// The loop that `print` prints looks in each round, at no cost: rounds that may end it wait for each other anyway.
template <class Print> void Printer::looking_in_each_round(const Print& print) {
    need("interruption.h");
    out_.open("{");
    asked_in_rounds_ = own("asked");
    out_.line("const volatile int& " + asked_in_rounds_ + " = " + runtime("asked_of_this_thread") + "();");
    print();
    out_.close();
}

void Printer::print(const loop::While& s) {
    if (!is_outermost() || effects_.takes_long(s.body)) return CLikePrinter::print(s);
    looking_in_each_round([&] { CLikePrinter::print(s); });
}

void Printer::print(const loop::For& s) {
    if (has_many_short_rounds(s) && !ends_early(s.body)) return in_parts(s);
    if (has_many_short_rounds(s) && asked_in_rounds_.empty()) return looking_in_each_round([&] { print(s); });
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
    if (const std::string asked = std::exchange(asked_in_rounds_, ""); !asked.empty()) {
        out_.line("if (__builtin_expect(" + asked + ", 0)) " + runtime("end_if_asked") + "();");
    } else if (is_outermost() && effects_.takes_long(statements)) {
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
    const bool looks = is_outermost() && !effects_.may_wait(s.body) && effects_.takes_long(shared_body(s));
    if (looks) {
        need("interruption.h");
        out_.open("{");
        out_.line("const volatile int& " + own("asked") + " = " + runtime("asked_of_this_thread") + "();");
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
