// One application: match, plan, edit a draft, propagate and verify what the edit touched.
#pragma once

#include <set>
#include <string>

#include "rewrite/recipe.h"

namespace sluice::rewrite {

/// An application that took place.
struct Applied {
    std::shared_ptr<const Descriptor> descriptor;
    Match match;
    Options options;
    std::set<std::string> assumed;
    ir::Sdfg before = {};                             ///< The program, which shares what was not touched.
    std::map<ir::NodeId, ir::NodeId> forwarded = {};  ///< Of the match's state: nodes that are gone -> what stands for them.
    double milliseconds = 0;

    /// The line of a recipe. Made when it is asked for: the names of places are found by looking through the program.
    Application application() const { return describe(before, *descriptor, match, options, assumed); }
};
using Outcome = std::variant<Applied, Refusal>;

/// The application of transformations to one program, edit after edit: its views, and what it has done.
class Engine {
public:
    /// What the transformation would do at the match, or why not. Errors: E002.
    Result<Planned<Plan>> plan(const ir::Sdfg& program, const Transformation& transformation, const Match& match,
                               const Options& options, const std::set<std::string>& assumed);
    /// One application. `descriptor` is the transformation's. Errors: E002; E003 an invalid graph, E012 an index
    /// that is then known to be out of bounds; both graphs are dropped.
    Result<Outcome> apply(ir::Sdfg& program, const Transformation& transformation, std::shared_ptr<const Descriptor> descriptor,
                          const Match& match, const Options& options, const std::set<std::string>& assumed);

    Views views;  ///< Of the program.
    Effort effort;
    Changes changes;  ///< What the last application touched.
    bool verify_everything = false;

private:
    /// Propagates and verifies what the edit touched.
    void settle(const ir::Sdfg& before, ir::Sdfg& draft, const std::string& by);
};

/// Error E003 if the program is not valid: `by` names what made it so of `before`. What was wrong with that is its own error.
Result<Done> verify_whole(const ir::Sdfg& before, const ir::Sdfg& program, const std::string& by);

}  // namespace sluice::rewrite
