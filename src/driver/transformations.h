// The transformations that a session knows: the built-in ones, those of libraries that were loaded, and those of a face.
//
// What describes a transformation and where it applies are values; they keep the engine's types under the driver's name, so that
// faces need nothing from below.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/recipe.h"
#include "rewrite/registry.h"

namespace sluice::driver {

using rewrite::Application;
using rewrite::Condition;
using rewrite::Descriptor;
using rewrite::Meaning;
using rewrite::OptionValue;
using rewrite::Parameter;
using rewrite::Pattern;
using rewrite::to_string;
using OtherName = rewrite::Synonym;
using PatternKinds = rewrite::Kinds;

/// Where a transformation of a face is asked or carried out, in the SDFG that holds the match.
struct UserSite {
    /// Of the state or region, from the SDFG's body: pairs (block, branch), then the state's block if the pattern is of nodes.
    std::vector<std::uint32_t> path;
    std::map<std::string, std::uint32_t> ids;    ///< Matched nodes or blocks by their name in the pattern.
    std::map<std::string, std::string> options;  ///< All parameters, as recipes write them.
};
struct UserRefusal {
    std::string code, why;
    std::vector<std::uint32_t> nodes;
};
/// A transformation whose question and edit are calls into the face.
struct UserTransformation {
    Descriptor descriptor;
    std::function<std::optional<UserRefusal>(const ir::Sdfg&, const UserSite&)> can_apply;
    /// The SDFG as it shall be; the engine propagates its memlets and verifies it.
    std::function<ir::Sdfg(const ir::Sdfg&, const UserSite&)> apply;
};

/// A name that is taken is replaced: the user's own stands before the built-in one. Copies are cheap and do not change.
class Transformations {
public:
    /// The built-in ones.
    Transformations();

    void add(UserTransformation transformation);
    /// Those of a shared library (rewrite/plugin.h), which stays loaded; the names that it added. Failures E009, E010.
    std::vector<std::string> load(const std::filesystem::path& library);

    /// Of a further name, the first that it stands for. Failure E001 proposes the nearest names.
    const Descriptor& describe(std::string_view name) const { return registry_.at(name).descriptor; }
    /// All that the name stands for. Failure E001.
    std::vector<const Descriptor*> meant_by(std::string_view name) const;
    /// By name.
    std::vector<const Descriptor*> all() const;
    /// Names of the papers and of DaCe for what is called otherwise, and for what has no target here.
    std::vector<OtherName> other_names() const;
    const rewrite::Registry& registry() const { return registry_; }

private:
    rewrite::Registry registry_;
};

}  // namespace sluice::driver
