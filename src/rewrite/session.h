// Applies transformations to a program and records what it did.
//
// A step is: match, plan, edit a draft, propagate and verify what the edit touched, commit (step.h). Whatever fails leaves the
// program as it was. The whole program is verified where a sequence of steps ends: a pipeline, a recipe.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rewrite/step.h"
#include "rewrite/worklist.h"

namespace sluice::rewrite {

/// What the transformation would do at the match, or why it may not be applied there. `options` may be partial. Errors: E002.
Result<Planned<Plan>> plan(const ir::Sdfg& root, const Transformation& transformation, const Match& match,
                           const Options& options = {}, const std::set<std::string>& assumed = {});
/// Does what was planned for this match, inside of the `apply` of another transformation: nothing is propagated or verified.
/// Returns what stands for nodes that are gone.
std::map<ir::NodeId, ir::NodeId> carry_out(ir::Sdfg& root, const Transformation& transformation, const Match& match,
                                           const Plan& plan, const Options& options = {});
/// Whether the transformation may be applied to the match. `options` may be partial. Errors: E002.
Result<std::optional<Refusal>> can_apply(const ir::Sdfg& root, const Transformation& transformation, const Match& match,
                                         const Options& options = {}, const std::set<std::string>& assumed = {});
/// One application. Errors: E002 options; E003 the transformation left an invalid graph, E012
/// an index is then known to be out of bounds; both graphs are dropped.
Result<Outcome> apply(ir::Sdfg& root, const Transformation& transformation, const Match& match, const Options& options = {},
                      const std::set<std::string>& assumed = {});

/// `MapInterchange refused (I1): ...` with the place and, where known, the source line: code E007.
Diagnostic to_diagnostic(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Refusal& refusal);

class Session {
public:
    /// The memlets around scopes are propagated at once: conditions are decided by what is moved inside, whatever a file says.
    Session(ir::Sdfg program, Registry registry);

    const ir::Sdfg& program() const { return program_; }
    Registry& registry() { return registry_; }
    const std::vector<Applied>& trace() const { return trace_; }

    /// By name; the first match in order whose conditions hold.
    Result<Outcome> apply(std::string_view name, const Match& match, const Options& options = {},
                          const std::set<std::string>& assumed = {});
    /// Error E007 if it is refused, with the line in `message`. A name that stands for several transformations is the first of them
    /// that applies there.
    Result<Done> apply(const Application& application);
    /// Applies the named transformations wherever they may be, again and again; how often it did. Those named first are exhausted
    /// before the next, and begun again where the next ones edited. `limit` of 0: until none applies; error E008 where that does
    /// not come.
    Result<std::size_t> apply_repeated(std::span<const std::string> names, const Options& options = {}, std::size_t limit = 0);
    /// A whole recipe. On an error nothing is changed; the message names the first line that does not fit.
    Result<Done> replay(std::string_view recipe, const std::string& file = {});
    /// The trace as a recipe.
    std::string recipe() const;
    /// The program before the last application, which is forgotten; false if there was none.
    bool undo();

    /// After each step the whole program is verified, not only what it touched.
    void verify_everything(bool each_time) { engine_.verify_everything = each_time; }
    /// What the session did so far, counted.
    const Effort& effort() const { return engine_.effort; }

    /// Names that apply() and apply_repeated() pass over: as if they never applied.
    std::set<std::string> disabled = {};
    /// Called after each application with the program before it.
    std::function<void(const Applied&, const ir::Sdfg& before, const ir::Sdfg& after)> on_change = {};

private:
    void commit(ir::Sdfg after, Applied applied);
    /// Of a transformation by its own name.
    Result<Done> apply_named(const Application& application);
    Result<Outcome> step(const Transformation& transformation, const Match& match, const Options& options,
                         const std::set<std::string>& assumed);
    /// Tries what begins there; was something applied?
    bool step_at(const Transformation& transformation, const Worklist::Beginning& beginning, const Options& options);
    /// The last `count` applications lead back to a program that was there before, or there are too many of them.
    bool goes_round(std::size_t count) const;
    Result<Done> apply_line(const Application& application);
    /// Error E003 if the program is not valid; what `by` applied since then is undone.
    void verify_since(std::size_t earlier, const std::string& by);
    /// To the program before the last applications, as far as `count` are left.
    void go_back(std::size_t count);

    ir::Sdfg program_;
    Registry registry_;
    std::vector<Applied> trace_;  ///< Each with the program before it; what programs have in common is shared, so this is cheap.
    Engine engine_;
};

}  // namespace sluice::rewrite
