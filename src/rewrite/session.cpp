#include "rewrite/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "analysis/propagate.h"
#include "ir/query.h"
#include "ir/verify.h"
#include "rewrite/aliases.h"

namespace sluice::rewrite {

namespace {

using Clock = std::chrono::steady_clock;

Options completed(const Transformation& transformation, const Options& options) {
    return complete(transformation.descriptor.name, transformation.descriptor.parameters, options).or_fail();
}

/// Symbols that have a value where the match lies: around its nodes, not inside of them.
std::set<std::string> symbols_around(const ir::Sdfg& root, const Match& match) {
    const ir::Sdfg& sdfg = sdfg_at(root, match.place);
    std::set<std::string> names;
    for (const auto& [name, type] : sdfg.symbols) names.insert(name);
    for (const auto& [name, constant] : sdfg.constants) names.insert(name);
    for (const std::string& name : ir::assigned_symbols(sdfg)) names.insert(name);
    if (match.nodes.empty()) return names;
    const ir::State& state = state_at(root, match.place);
    const StateView view(state);
    ir::NodeId at = match.nodes.front();
    if (const auto* exit = std::get_if<ir::MapExit>(&state.nodes[at].kind)) at = exit->entry;
    for (at = view.scopes.parent(at); at.valid(); at = view.scopes.parent(at)) {
        if (const auto* map = std::get_if<ir::MapEntry>(&state.nodes[at].kind))
            names.insert(map->params.begin(), map->params.end());
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&state.nodes[at].kind)) names.insert(consume->pe_index);
        for (const auto& [connector, type] : state.nodes[at].in)
            if (!connector.starts_with("IN_")) names.insert(connector);
    }
    return names;
}

/// Expressions among the options are over symbols that have a value there: E002.
void check_symbols(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Options& options) {
    std::optional<std::set<std::string>> known;
    const auto check = [&](const std::string& parameter, const symbolic::Expr& expression) {
        for (const std::string& name : symbolic::free_symbols(expression)) {
            if (!known) known = symbols_around(root, match);
            if (known->contains(name)) continue;
            fail({.code = "E002",
                  .message = fmt::format("{}: {} uses {}, which is no symbol there", descriptor.name, parameter, name),
                  .where = {},
                  .path = to_string(root, match.place),
                  .remedy = known->empty() ? "use numbers: there are no symbols"
                                           : fmt::format("use numbers and the symbols {}", fmt::join(*known, ", ")),
                  .notes = {}});
        }
    };
    for (const auto& [name, value] : options) {
        if (const auto* one = std::get_if<symbolic::Expr>(&value)) check(name, *one);
        if (const auto* list = std::get_if<std::vector<symbolic::Expr>>(&value))
            for (const symbolic::Expr& each : *list) check(name, each);
    }
}

Refusal stale(const Descriptor& descriptor) {
    return {.code = "stale", .why = "the program no longer holds this match of " + descriptor.name};
}

/// Memlets around scopes, where the edit took place.
void propagate(ir::Sdfg& draft, const Place& place) {
    ir::Sdfg& sdfg = sdfg_at(draft, place);
    const symbolic::Assumptions known = assumptions_at(draft, place);
    if (!place.state.valid())
        analysis::propagate_memlets(sdfg, known);
    else if (region_at(draft, place).blocks.contains(place.state))
        analysis::propagate_memlets(sdfg, state_at(draft, place), known);
}

void verify_draft(const ir::Sdfg& draft, const Descriptor& descriptor) {
    const std::vector<Diagnostic> problems = ir::verify(draft);
    if (problems.empty()) return;
    const Diagnostic& first = problems.front();
    fail({.code = "E003",
          .message = fmt::format("{} left an invalid graph: {}", descriptor.name, first.message),
          .where = first.where,
          .path = first.path,
          .remedy = "the program is unchanged; please report this with the program and the recipe",
          .notes = {{first.code + ": " + first.remedy}}});
}

/// Repetitions after which nobody believes in an end, and how far back a program that returns is looked for.
constexpr std::size_t kMostRepetitions = 100'000, kLongestCycle = 8;

[[noreturn]] void fail_endless(const Application& last) {
    fail({.code = "E008",
          .message = fmt::format("applying {} again and again does not end", last.transformation),
          .where = {},
          .path = last.path,
          .remedy = "give the number of applications, or apply it where it is wanted",
          .notes = {{"the last application was " + to_string(last)}}});
}

}  // namespace

Result<std::optional<Refusal>> can_apply(const ir::Sdfg& root, const Transformation& transformation, const Match& match,
                                         const Options& options, const std::set<std::string>& assumed) {
    return capture([&]() -> std::optional<Refusal> {
        const Options all = completed(transformation, options);
        if (!still_matches(root, transformation.descriptor, match)) return stale(transformation.descriptor);
        check_symbols(root, transformation.descriptor, match, all);
        const std::optional<ir::Sdfg> declared = with_aliases_declared(root, match.place);
        Views views;
        return transformation.can_apply(Site(declared ? *declared : root, transformation.descriptor, match, all, views, assumed));
    });
}

Result<Outcome> apply(ir::Sdfg& root, const Transformation& transformation, const Match& match, const Options& options,
                      const std::set<std::string>& assumed) {
    return capture([&]() -> Outcome {
        const auto start = Clock::now();
        const Descriptor& descriptor = transformation.descriptor;
        const Options all = completed(transformation, options);
        if (!still_matches(root, descriptor, match)) return stale(descriptor);
        check_symbols(root, descriptor, match, all);
        const std::optional<ir::Sdfg> declared = with_aliases_declared(root, match.place);
        const ir::Sdfg& before = declared ? *declared : root;
        Views views;
        const Site site(before, descriptor, match, all, views, assumed);
        if (std::optional<Refusal> refusal = transformation.can_apply(site)) return std::move(*refusal);
        Applied applied{.application = describe(root, descriptor, match, all, assumed), .forwarded = {}};
        ir::Sdfg copy = before;
        Draft draft(site, copy);
        transformation.apply(draft);
        propagate(copy, match.place);
        verify_draft(copy, descriptor);
        applied.forwarded = draft.forwarded();
        root = std::move(copy);
        applied.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        return applied;
    });
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
    std::swap(program_, after);
    trace_.push_back(std::move(applied));
    before_.push_back(std::move(after));
    if (on_change) on_change(trace_.back(), before_.back(), program_);
}

Session::Session(ir::Sdfg program, Registry registry) : program_(std::move(program)), registry_(std::move(registry)) {
    analysis::propagate_memlets(program_);
}

Result<Outcome> Session::apply(std::string_view name, const Match& match, const Options& options,
                               const std::set<std::string>& assumed) {
    return capture([&]() -> Outcome {
        const Transformation& transformation = registry_.at(name);
        if (disabled.contains(transformation.descriptor.name))
            return Refusal{.code = "disabled", .why = transformation.descriptor.name + " is disabled"};
        ir::Sdfg after = program_;
        Outcome outcome = rewrite::apply(after, transformation, match, options, assumed).or_fail();
        if (const auto* applied = std::get_if<Applied>(&outcome)) commit(std::move(after), *applied);
        return outcome;
    });
}

Result<Done> Session::apply(const Application& application) {
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

bool Session::goes_round(std::size_t count) const {
    if (count >= kMostRepetitions) return true;
    const std::size_t looked_at = std::min(count, kLongestCycle);
    return std::any_of(before_.end() - static_cast<std::ptrdiff_t>(looked_at), before_.end(),
                       [this](const ir::Sdfg& earlier) { return earlier == program_; });
}

Result<std::size_t> Session::apply_repeated(std::span<const std::string> names, const Options& options, std::size_t limit) {
    return capture([&] {
        std::size_t count = 0;
        const auto step = [&] {
            for (const std::string& name : names)
                for (const Match& match : find_matches(program_, registry_.at(name).descriptor))
                    if (std::holds_alternative<Applied>(apply(name, match, options).or_fail())) return true;
            return false;
        };
        while ((limit == 0 || count < limit) && step()) {
            ++count;
            if (limit == 0 && goes_round(count)) fail_endless(trace_.back().application);
        }
        return count;
    });
}

Result<std::size_t> Session::simplify() {
    std::vector<std::string> names;
    for (const Transformation* transformation : registry_.all())
        if (transformation->descriptor.simplifies) names.push_back(transformation->descriptor.name);
    return apply_repeated(names);
}

Result<Done> Session::replay(std::string_view recipe, const std::string& file) {
    Session draft = *this;
    const auto lines = parse_recipe(recipe, file);
    if (!lines) return lines.error();
    for (const auto& [number, application] : *lines) {
        const Result<Done> done = draft.apply(application);
        if (done) continue;
        Diagnostic diagnostic = done.error();
        diagnostic.notes.insert(diagnostic.notes.begin(),
                                Note{fmt::format("line {} of the recipe: {}", number, to_string(application))});
        return diagnostic;
    }
    *this = std::move(draft);
    return Done{};
}

std::string Session::recipe() const {
    std::string text;
    for (const Applied& applied : trace_) text += to_string(applied.application) + "\n";
    return text;
}

bool Session::undo() {
    if (trace_.empty()) return false;
    program_ = std::move(before_.back());
    before_.pop_back();
    trace_.pop_back();
    return true;
}

}  // namespace sluice::rewrite
