#include "driver/session.h"

#include <chrono>

#include "ir/verify.h"
#include "loop/text.h"
#include "lower/lower.h"

namespace sluice::driver {

namespace {

rewrite::Options options_of(const Descriptor& descriptor, const std::map<std::string, std::string>& texts) {
    return rewrite::options_of(descriptor,
                               {.transformation = descriptor.name, .path = {}, .nodes = {}, .options = texts, .assumed = {}})
        .or_fail();
}

void fail_if_invalid(const ir::Sdfg& program) {
    if (std::vector<Diagnostic> violations = ir::verify(program); !violations.empty()) fail(std::move(violations.front()));
}

}  // namespace

Session::Session(ir::Sdfg program, Transformations transformations)
    : program_(std::move(program)), transformations_(std::move(transformations)) {}

rewrite::Session& Session::engine() {
    if (!engine_) engine_.emplace(program_, transformations_.registry());
    engine_->disabled = disabled;
    engine_->on_change = [this](const rewrite::Applied& applied, const ir::Sdfg& before, const ir::Sdfg& after) {
        if (on_change) on_change(applied.application, applied.milliseconds, before, after);
    };
    return *engine_;
}

std::vector<Proposal> Session::matches(std::string_view name, const std::map<std::string, std::string>& options) {
    const rewrite::Transformation& transformation = transformations_.registry().at(name);
    const Descriptor& descriptor = transformation.descriptor;
    const rewrite::Options values = options_of(descriptor, options);
    const ir::Sdfg& program = engine().program();
    std::vector<Proposal> found;
    if (disabled.contains(descriptor.name)) return found;
    for (const rewrite::Match& match : rewrite::find_matches(program, descriptor)) {
        const std::optional<rewrite::Refusal> refusal = rewrite::can_apply(program, transformation, match, values).or_fail();
        Proposal& proposal = found.emplace_back(Proposal{rewrite::describe(program, descriptor, match, values), {}});
        if (refusal) proposal.refusal = rewrite::to_diagnostic(program, descriptor, match, *refusal);
    }
    return found;
}

Result<Done> Session::apply(const Application& application) {
    return engine().apply(application);
}

Result<std::size_t> Session::apply_repeated(std::span<const std::string> names, const std::map<std::string, std::string>& options,
                                            std::size_t limit) {
    return capture([&] {
        rewrite::Options values;
        if (!options.empty() && !names.empty()) values = options_of(transformations_.describe(names.front()), options);
        return engine().apply_repeated(names, values, limit).or_fail();
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
    const Result<std::size_t> applied = capture([&] {
        std::size_t count = 0;
        for (const Step& step : pipeline.steps) count += run_step(pipeline, step);
        if (count > 0) fail_if_invalid(program());
        return count;
    });
    if (!applied) engine_ = before;
    return applied;
}

Result<std::size_t> Session::simplify() {
    return run(pipeline(Level::O1));
}

bool Session::undo() {
    return engine_ && engine_->undo();
}

Result<std::string> Session::loops() const {
    return capture([&] {
        fail_if_invalid(program());
        return loop::to_text(lower::lower(program()).or_fail());
    });
}

}  // namespace sluice::driver
