#include "rewrite/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/propagate.h"
#include "ir/verify.h"
#include "support/activity.h"

namespace sluice::rewrite {

namespace {

/// Repetitions after which nobody believes in an end, and how far back a program that returns is looked for.
constexpr std::size_t kMostRepetitions = 100'000, kLongestCycle = 8;
/// Edits that make the program larger, each where the one before it edited, beyond the depth of the program: a nest of loops that
/// are unrolled, or of calls that are inlined, has as many as it is deep. What begins anew with its own result (tiling the tiles)
/// has no end of them, and every one may double what the next has to look at. They are no sign before the program is twice as
/// large: a map that is fused into each of its readers grows where it grew before, and ends.
constexpr std::size_t kMostGenerations = 1;

[[noreturn]] void fail_endless(const Application& last) {
    fail({.code = "E008",
          .message = fmt::format("applying {} again and again does not end", last.transformation),
          .where = {},
          .path = last.path,
          .remedy = "give the number of applications (`--limit`), or apply it where it is wanted",
          .notes = {{"the last application was " + to_string(last)}}});
}

}  // namespace

Result<Planned<Plan>> plan(const ir::Sdfg& root, const Transformation& transformation, const Match& match, const Options& options,
                           const std::set<std::string>& assumed) {
    return Engine().plan(root, transformation, match, options, assumed);
}

std::map<ir::NodeId, ir::NodeId> carry_out(ir::Sdfg& root, const Transformation& transformation, const Match& match,
                                           const Plan& plan, const Options& options) {
    const ir::Sdfg before = root;
    const Options all = complete(transformation.descriptor.name, transformation.descriptor.parameters, options).or_fail();
    const std::set<std::string> nothing;
    Views views;
    const Site site(before, transformation.descriptor, match, all, views, nothing);
    Draft draft(site, root);
    transformation.apply(draft, plan);
    return draft.forwarded();
}

Result<std::optional<Refusal>> can_apply(const ir::Sdfg& root, const Transformation& transformation, const Match& match,
                                         const Options& options, const std::set<std::string>& assumed) {
    return capture([&]() -> std::optional<Refusal> {
        auto planned = plan(root, transformation, match, options, assumed).or_fail();
        if (auto* refusal = std::get_if<Refusal>(&planned)) return std::move(*refusal);
        return {};
    });
}

Result<Outcome> apply(ir::Sdfg& root, const Transformation& transformation, const Match& match, const Options& options,
                      const std::set<std::string>& assumed) {
    Engine engine;
    engine.verify_everything = true;
    return engine.apply(root, transformation, std::make_shared<const Descriptor>(transformation.descriptor), match, options,
                        assumed);
}

Diagnostic to_diagnostic(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Refusal& refusal) {
    Diagnostic result{
        .code = "E007",
        .message = fmt::format("{} refused ({}): {}", descriptor.name, refusal.code, refusal.why),
        .where = refusal.where,
        .path = root.name,
        .remedy = "see the conditions of " + descriptor.name + " with `sluice opt --describe " + descriptor.name + "`",
        .notes = refusal.notes};
    if (const std::string path = to_string(root, match.place); !path.empty()) result.path += "/" + path;
    if (!match.place.state.valid()) return result;
    const ir::State& state = state_at(root, match.place);
    for (const ir::NodeId id : refusal.nodes.empty() ? match.nodes : refusal.nodes) {
        if (!state.nodes.contains(id)) continue;
        const Span& where = state.nodes[id].metadata.where;
        if (!result.where.known()) result.where = where;
        result.notes.push_back(
            {fmt::format("{} {} (n{})", ir::kind_name(state.nodes[id]), ir::label_of(state, id), id.value), where});
    }
    return result;
}

void Session::commit(ir::Sdfg after, Applied applied) {
    program_ = std::move(after);
    trace_.push_back(std::move(applied));
    if (on_change) on_change(trace_.back(), trace_.back().before, program_);
}

Session::Session(ir::Sdfg program, Registry registry) : program_(std::move(program)), registry_(std::move(registry)) {
    analysis::propagate_memlets(program_);
}

Result<Outcome> Session::step(const Transformation& transformation, const Match& match, const Options& options,
                              const std::set<std::string>& assumed) {
    return capture([&]() -> Outcome {
        ir::Sdfg after = program_;
        Outcome outcome =
            engine_.apply(after, transformation, registry_.descriptor(transformation), match, options, assumed).or_fail();
        if (auto* applied = std::get_if<Applied>(&outcome)) commit(std::move(after), *applied);
        return outcome;
    });
}

Result<Outcome> Session::apply(std::string_view name, const Match& match, const Options& options,
                               const std::set<std::string>& assumed) {
    return capture([&]() -> Outcome {
        const Transformation& transformation = registry_.at(name);
        if (disabled.contains(transformation.descriptor.name))
            return Refusal{.code = "disabled", .why = transformation.descriptor.name + " is disabled"};
        return step(transformation, match, options, assumed).or_fail();
    });
}

Result<Done> Session::apply_line(const Application& application) {
    return capture([&] {
        std::optional<Diagnostic> reason;
        for (const Meaning& meaning : registry_.meanings(application.transformation)) {
            Application meant = application;
            meant.transformation = meaning.transformation;
            meant.options.insert(meaning.options.begin(), meaning.options.end());
            const Result<Done> done = apply_named(meant);
            if (done) return Done{};
            // A refusal says more than that the place is none of the transformation's.
            if (!reason || (reason->code != "E007" && done.error().code == "E007")) reason = done.error();
        }
        fail(*reason);
    });
}

Result<Done> Session::apply_named(const Application& application) {
    return capture([&] {
        const Transformation& transformation = registry_.at(application.transformation);
        const Options options = options_of(transformation.descriptor, application).or_fail();
        const Match match = locate(program_, transformation.descriptor, application).or_fail();
        const Outcome outcome =
            apply(application.transformation, match, options, {application.assumed.begin(), application.assumed.end()}).or_fail();
        if (const auto* refusal = std::get_if<Refusal>(&outcome))
            fail(to_diagnostic(program_, transformation.descriptor, match, *refusal));
        return Done{};
    });
}

Result<Done> Session::apply(const Application& application) {
    const std::size_t earlier = trace_.size();
    return capture([&] {
        apply_line(application).or_fail();
        verify_since(earlier, application.transformation);
        return Done{};
    });
}

void Session::verify_since(std::size_t earlier, const std::string& by) {
    if (ir::verify(program_).empty()) return;
    const ir::Sdfg invalid = program_;
    go_back(earlier);
    verify_whole(program_, invalid, by).or_fail();
}

bool Session::goes_round(std::size_t count) const {
    if (count >= kMostRepetitions) return true;
    const std::size_t looked_at = std::min(count, kLongestCycle);
    return std::any_of(trace_.end() - static_cast<std::ptrdiff_t>(looked_at), trace_.end(),
                       [this](const Applied& earlier) { return earlier.before == program_; });
}

bool Session::step_at(const Transformation& transformation, const Worklist::Beginning& beginning, const Options& options) {
    const Descriptor& descriptor = transformation.descriptor;
    for (std::size_t pattern = 0; pattern < descriptor.patterns.size(); ++pattern)
        for (const Match& match : find_matches_from(program_, descriptor, pattern, beginning.place, beginning.id, engine_.views)) {
            Result<Outcome> outcome = step(transformation, match, options, {});
            // Code that never runs may have any index: where an edit would make one known, the place is passed over.
            if (!outcome && outcome.error().code == "E012") return false;
            if (std::holds_alternative<Applied>(std::move(outcome).or_fail())) return true;
        }
    return false;
}

Result<std::size_t> Session::apply_repeated(std::span<const std::string> names, const Options& options, std::size_t limit) {
    const std::size_t earlier = trace_.size();
    return capture([&] {
        std::vector<const Transformation*> transformations;
        for (const std::string& name : names)
            if (const Transformation& each = registry_.at(name); !disabled.contains(each.descriptor.name))
                transformations.push_back(&each);
        const Activity activity("optimising " + program_.name);
        Worklist worklist(transformations);
        worklist.fill(program_, engine_.views);
        std::size_t count = 0, rounds_that_grew = 0;
        std::ptrdiff_t growth = 0, grown = 0;
        const std::ptrdiff_t size = changes_between(ir::Sdfg(), program_).growth;
        bool edited = false;
        while (limit == 0 || count < limit) {
            tick();
            const auto beginning = worklist.next();
            if (!beginning) {
                // What an edit made possible elsewhere: conditions look further than patterns.
                if (!edited) break;
                if (growth > 0) ++rounds_that_grew;
                edited = false;
                growth = 0;
                worklist.fill(program_, engine_.views, rounds_that_grew);
                continue;
            }
            if (!step_at(*transformations[beginning->transformation], *beginning, options)) continue;
            ++count;
            edited = true;
            growth += engine_.changes.growth;
            grown += engine_.changes.growth;
            const std::size_t generation = beginning->generation + (engine_.changes.growth > 0 ? 1 : 0);
            worklist.touch(program_, engine_.changes, engine_.views, generation);
            worklist.again(*beginning);
            const bool begins_anew = generation > kMostGenerations + worklist.depth() && grown > size;
            const bool endless = begins_anew || goes_round(count);
            if (limit == 0 && endless) fail_endless(trace_.back().application());
        }
        engine_.effort.searched += worklist.searched;
        if (count > 0) verify_since(earlier, fmt::format("{}", fmt::join(names, ", ")));
        return count;
    });
}

Result<Done> Session::replay(std::string_view recipe, const std::string& file) {
    Session draft = *this;
    const auto lines = parse_recipe(recipe, file);
    if (!lines) return lines.error();
    for (const auto& [number, application] : *lines) {
        const Result<Done> done = draft.apply_line(application);
        if (done) continue;
        Diagnostic diagnostic = done.error();
        diagnostic.notes.insert(diagnostic.notes.begin(),
                                Note{fmt::format("line {} of the recipe: {}", number, to_string(application))});
        return diagnostic;
    }
    if (const auto whole = verify_whole(program_, draft.program_, "the recipe"); !whole) return whole.error();
    *this = std::move(draft);
    return Done{};
}

std::string Session::recipe() const {
    std::string text;
    for (const Applied& applied : trace_) text += to_string(applied.application()) + "\n";
    return text;
}

void Session::go_back(std::size_t count) {
    if (trace_.size() == count) return;
    program_ = std::move(trace_[count].before);
    trace_.resize(count);
    engine_.views.clear();
}

bool Session::undo() {
    if (trace_.empty()) return false;
    go_back(trace_.size() - 1);
    return true;
}

}  // namespace sluice::rewrite
