#include "driver/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "driver/decisions.h"
#include "driver/expansion_settings.h"
#include "driver/loop_interpreter.h"
#include "driver/print_program.h"
#include "ir/verify.h"
#include "library/reference.h"
#include "loop/text.h"
#include "lower/lower.h"
#include "support/activity.h"
#include "transform/decision/decision.h"
#include "transform/library/library.h"

namespace sluice::driver {

namespace {

rewrite::Options options_of(const Descriptor& descriptor, const std::map<std::string, std::string>& texts) {
    return rewrite::options_of(descriptor,
                               {.transformation = descriptor.name, .path = {}, .nodes = {}, .options = texts, .assumed = {}})
        .or_fail();
}

/// Does the transformation have a parameter for each of the texts?
bool has_parameters(const Descriptor& descriptor, const std::map<std::string, std::string>& texts) {
    return std::ranges::all_of(texts, [&](const auto& text) {
        return std::ranges::any_of(descriptor.parameters, [&](const Parameter& one) { return one.name == text.first; });
    });
}

void fail_if_invalid(const ir::Sdfg& program) {
    if (std::vector<Diagnostic> violations = ir::verify(program); !violations.empty()) fail(std::move(violations.front()));
}

}  // namespace

Session::Session(ir::Sdfg program, Transformations transformations)
    : program_(std::move(program)), transformations_(std::move(transformations)) {}

Result<std::vector<Session>> Session::read(const std::filesystem::path& file, const Transformations& transformations) {
    return capture([&] {
        std::vector<Session> sessions;
        for (ir::Sdfg& program : read_programs(file).or_fail()) sessions.emplace_back(std::move(program), transformations);
        return sessions;
    });
}

Result<Session> Session::read_one(const std::filesystem::path& file, const std::string& name,
                                  const Transformations& transformations) {
    return capture([&] {
        std::vector<Session> sessions = read(file, transformations).or_fail();
        std::string names;
        for (Session& session : sessions) {
            if (session.program().name == name || (name.empty() && sessions.size() == 1)) return std::move(session);
            names += (names.empty() ? "" : ", ") + session.program().name;
        }
        fail({.code = "C001",
              .message = file.string() + (name.empty() ? " holds several programs" : " holds no program named " + name),
              .where = {},
              .path = {},
              .remedy = (name.empty() ? "name one with --program: " : "choose one of: ") + names,
              .notes = {}});
    });
}

std::vector<Diagnostic> Session::verify() const {
    return ir::verify(program());
}

rewrite::Session& Session::engine() {
    if (!engine_) {
        transform::decide_for(target_machine().or_fail());
        engine_.emplace(program_, transformations_.registry());
    }
    engine_->disabled = disabled;
    engine_->on_change = [this](const rewrite::Applied& applied, const ir::Sdfg& before, const ir::Sdfg& after) {
        if (on_change) on_change(applied.application(), applied.milliseconds, before, after);
    };
    return *engine_;
}

std::vector<Proposal> Session::matches(std::string_view name, const std::map<std::string, std::string>& options) {
    std::vector<Proposal> found;
    const std::vector<rewrite::Meaning> meanings = transformations_.registry().meanings(name);
    for (const rewrite::Meaning& meaning : meanings) {
        const rewrite::Transformation& transformation = transformations_.registry().at(meaning.transformation);
        const Descriptor& descriptor = transformation.descriptor;
        std::map<std::string, std::string> texts = options;
        texts.insert(meaning.options.begin(), meaning.options.end());
        if (disabled.contains(descriptor.name) || (meanings.size() > 1 && !has_parameters(descriptor, texts))) continue;
        const rewrite::Options values = options_of(descriptor, texts);
        const ir::Sdfg& program = engine().program();
        const Activity activity(fmt::format("looking for places of {} in {}", descriptor.name, program.name));
        for (const rewrite::Match& match : rewrite::find_matches(program, descriptor)) {
            tick();
            const auto planned = rewrite::plan(program, transformation, match, values).or_fail();
            Proposal& proposal = found.emplace_back(Proposal{rewrite::describe(program, descriptor, match, values), {}});
            if (const auto* refusal = std::get_if<rewrite::Refusal>(&planned))
                proposal.refusal = rewrite::to_diagnostic(program, descriptor, match, *refusal);
            else
                proposal.reason = std::get<rewrite::Plan>(planned).reason();
        }
    }
    return found;
}

Result<Done> Session::apply(const Application& application) {
    return engine().apply(application);
}

Result<std::size_t> Session::apply_repeated(std::span<const std::string> names, const std::map<std::string, std::string>& options,
                                            std::size_t limit) {
    return capture([&] {
        std::vector<std::string> meant;
        std::map<std::string, std::string> texts = options;
        for (const std::string& name : names)
            for (const rewrite::Meaning& meaning : transformations_.registry().meanings(name)) {
                if (names.size() > 1 && !meaning.options.empty())
                    fail({"E002", name + " has options of its own", {}, {}, "apply it alone, not among others", {}});
                texts.insert(meaning.options.begin(), meaning.options.end());
                meant.push_back(meaning.transformation);
            }
        rewrite::Options values;
        if (!texts.empty() && !meant.empty()) values = options_of(transformations_.describe(meant.front()), texts);
        return engine().apply_repeated(meant, values, limit).or_fail();
    });
}

Result<Done> Session::replay(std::string_view recipe, const std::string& file) {
    return engine().replay(recipe, file);
}

std::size_t Session::run_step(const Pipeline& pipeline, const Step& step) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t count = engine().apply_repeated(step.transformations).or_fail();
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    measurements_.push_back({pipeline.name, step.name, count, spent.count()});
    return count;
}

Result<std::size_t> Session::run(const Pipeline& pipeline) {
    const std::optional<rewrite::Session> before = engine_;
    const std::size_t measured = measurements_.size();
    const Result<std::size_t> applied = capture([&] {
        std::size_t count = 0;
        for (const Step& step : pipeline.steps) count += run_step(pipeline, step);
        if (count > 0) fail_if_invalid(program());
        return count;
    });
    if (!applied) {
        engine_ = before;
        measurements_.resize(measured);
    }
    return applied;
}

Result<std::size_t> Session::simplify() {
    return run(pipeline(Level::O1));
}

Result<std::size_t> Session::expand_library_nodes(const ExpandOptions& options) {
    return capture([&] { return transform::expand_library_nodes(engine(), with_settings(options)).or_fail(); });
}

Result<InterpreterReport> Session::interpret(const InterpreterArguments& arguments, const InterpreterOptions& options) const {
    InterpreterOptions with_library = options;
    if (!with_library.library) with_library.library = library::meaning_of;
    return interpret::interpret(program(), arguments, with_library);
}

Result<LoopReport> Session::interpret_loops(const LoopArguments& arguments, const LoopOptions& options) const {
    return capture([&] {
        fail_if_invalid(program());
        analysis::Machine eager;
        eager.team = eager.meeting = 1;
        const loop::Module module = lower::lower(with_decisions(program(), eager).or_fail()).or_fail();
        return interpret_module(module, arguments, options).or_fail();
    });
}

bool Session::undo() {
    return engine_ && engine_->undo();
}

Result<std::string> Session::source(const CompileOptions& options) const {
    return capture([&] {
        CompileTimes times;
        return print_program(program(), options, times).artifact.host();
    });
}

Result<std::string> Session::loops(const CompileOptions& options) const {
    return capture([&] {
        fail_if_invalid(program());
        return loop::to_text(lowered(program(), options));
    });
}

}  // namespace sluice::driver
