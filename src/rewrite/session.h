// Applies transformations to a program and records what it did.
//
// A step is: match, ask, edit a draft, propagate its memlets, verify it, commit. Whatever fails leaves the program as it was.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rewrite/recipe.h"

namespace sluice::rewrite {

/// What an application that took place did.
struct Applied {
    Application application;
    std::map<ir::NodeId, ir::NodeId> forwarded;  ///< Of the match's state: nodes that are gone -> what stands for them.
    double milliseconds = 0;
};
using Outcome = std::variant<Applied, Refusal>;

/// Whether the transformation may be applied to the match. `options` may be partial. Errors: E002.
Result<std::optional<Refusal>> can_apply(const ir::Sdfg& root, const Transformation& transformation, const Match& match,
                                         const Options& options = {}, const std::set<std::string>& assumed = {});
/// One application. Errors: E002 options; E003 the transformation left an invalid graph, which is dropped.
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
    /// Applies the named transformations to the first match that admits one, again and again; how often it did. `limit` of 0: until
    /// none applies; error E008 where that does not come.
    Result<std::size_t> apply_repeated(std::span<const std::string> names, const Options& options = {}, std::size_t limit = 0);
    /// Applies what makes every program simpler (Descriptor::simplifies) until none of it applies; how often it did.
    Result<std::size_t> simplify();
    /// A whole recipe. On an error nothing is changed; the message names the first line that does not fit.
    Result<Done> replay(std::string_view recipe, const std::string& file = {});
    /// The trace as a recipe.
    std::string recipe() const;
    /// The program before the last application, which is forgotten; false if there was none.
    bool undo();

    /// Names that apply() and apply_repeated() pass over: as if they never applied.
    std::set<std::string> disabled = {};
    /// Called after each application with the program before it.
    std::function<void(const Applied&, const ir::Sdfg& before, const ir::Sdfg& after)> on_change = {};

private:
    void commit(ir::Sdfg after, Applied applied);
    /// Of a transformation by its own name.
    Result<Done> apply_named(const Application& application);
    /// The last `count` applications lead back to a program that was there before, or there are too many of them.
    bool goes_round(std::size_t count) const;

    ir::Sdfg program_;
    Registry registry_;
    std::vector<Applied> trace_;
    std::vector<ir::Sdfg> before_;  ///< One for each entry of the trace; states are shared, so this is cheap.
};

}  // namespace sluice::rewrite
