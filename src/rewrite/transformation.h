// What a transformation is made of: a descriptor, the plan, and the edit.
//
// `plan` looks at a Site, the program as it is, and answers with a plan, which holds what was proven, or with the reason why not.
// `apply` carries the plan out on a Draft, a copy, whose analyses still describe the program before; it proves nothing again. The
// engine verifies the draft and commits it or drops it (session.h).
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rewrite/options.h"
#include "rewrite/pattern.h"
#include "rewrite/place.h"
#include "rewrite/views.h"
#include "symbolic/assumptions.h"

namespace sluice::rewrite {

/// Why a transformation does not apply. Not an error: a true answer to a question.
struct Refusal {
    std::string code;  ///< One of the transformation's conditions: `I1`.
    std::string why;   ///< One sentence about this program.
    std::vector<ir::NodeId> nodes = {};
    std::vector<Note> notes = {};  ///< A witness, or what to do first.
    Span where = {};               ///< Filled in by the engine where it is unknown.
};

struct Condition {
    std::string code;      ///< `I1`
    std::string sentence;  ///< What must hold.
};

struct Match {
    std::size_t pattern = 0;  ///< Which of the alternatives.
    Place place;
    std::vector<ir::NodeId> nodes;    ///< By position in the pattern; for patterns over a state.
    std::vector<ir::BlockId> blocks;  ///< The same for patterns over a region.
    bool operator==(const Match&) const = default;
};

/// How it is decided that the program means the same: by questions to the exact sets of accesses, or by the shape of the graph
/// alone.
struct Decision {
    std::vector<std::string> predicates = {};  ///< Of analysis/legality/ or scop/: each refuses with a witness where it knows one.
    std::string structural = {};               ///< Why no question is needed, in one sentence.
};

struct Descriptor {
    std::string name;        ///< `MapTiling`
    std::string group = {};  ///< Folder of transform/: `map`, `state`, `data`; of ours it follows from the file.
    std::string summary;     ///< One sentence.
    std::string drawing;     ///< `map i { map j { B } }   ->   map j { map i { B } }`
    Decision decided_by = {};
    std::vector<Pattern> patterns;
    std::vector<Condition> conditions;
    std::vector<Parameter> parameters = {};
    /// Makes every program simpler, so that repeated application ends: part of simplification.
    bool simplifies = false;
};

/// A match in a program that is not being edited.
class Site {
public:
    Site(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Options& options, Views& views,
         const std::set<std::string>& assumed = {});

    const ir::Sdfg& root() const { return root_; }
    /// The SDFG, region and state in which the match lies.
    const ir::Sdfg& sdfg() const { return sdfg_at(root_, match_.place); }
    const ir::Region& region() const { return region_at(root_, match_.place); }
    const ir::State& state() const { return state_at(root_, match_.place); }
    const StateView& view() const { return views_.of(state()); }
    const StateView& view(const ir::State& state) const { return views_.of(state); }
    /// Transitions by block, in the region of the match.
    const RegionView& region_view() const { return views_.of(root_, region_place()); }

    const Match& match() const { return match_; }
    ir::NodeId node(std::string_view name) const;
    ir::BlockId block(std::string_view name) const;
    /// The node's properties; an InternalError if it is of another kind.
    template <class Kind> const Kind& get(std::string_view name) const { return std::get<Kind>(state().nodes[node(name)].kind); }
    template <class Kind> const Kind& get_block(std::string_view name) const {
        return std::get<Kind>(region().blocks[block(name)].kind);
    }

    /// What is known of symbols at the scope that directly holds `node` (invalid: at the top of the state).
    symbolic::Assumptions assumptions(ir::NodeId scope = {}) const;

    const OptionValue& option(std::string_view name) const;
    bool flag(std::string_view option) const { return value<bool>(option); }
    std::int64_t integer(std::string_view option) const { return value<std::int64_t>(option); }
    const std::string& text(std::string_view option) const { return value<std::string>(option); }
    const symbolic::Expr& expression(std::string_view option) const { return value<symbolic::Expr>(option); }
    const std::vector<std::string>& texts(std::string_view option) const { return value<std::vector<std::string>>(option); }
    const std::vector<symbolic::Expr>& expressions(std::string_view option) const {
        return value<std::vector<symbolic::Expr>>(option);
    }

    /// A legality condition that could not be proven: refused, unless the caller vouches for it by `unsafe_assume`.
    std::optional<Refusal> unless_assumed(Refusal refusal) const;

private:
    template <class T> const T& value(std::string_view name) const { return std::get<T>(option(name)); }
    Place region_place() const { return {.nested = match_.place.nested, .regions = match_.place.regions, .state = {}}; }

    const ir::Sdfg& root_;
    const Descriptor& descriptor_;
    const Match& match_;
    const Options& options_;
    Views& views_;
    const std::set<std::string>& assumed_;
};

/// The same match in the copy that `apply` edits. References that it returns stay valid until blocks or nested SDFGs on the way
/// to them are added or copied: take them anew after such an edit.
class Draft {
public:
    Draft(const Site& before, ir::Sdfg& root) : before_(before), root_(root) {}

    /// The program before, with its analyses and the options.
    const Site& before() const { return before_; }
    ir::Sdfg& root() { return root_; }
    ir::Sdfg& sdfg() { return sdfg_at(root_, before_.match().place); }
    ir::Region& region() { return region_at(root_, before_.match().place); }
    ir::State& state() { return state_at(root_, before_.match().place); }

    ir::NodeId node(std::string_view name) const { return before_.node(name); }
    ir::BlockId block(std::string_view name) const { return before_.block(name); }
    template <class Kind> Kind& get(std::string_view name) { return std::get<Kind>(state().nodes[node(name)].kind); }
    template <class Kind> Kind& get_block(std::string_view name) { return std::get<Kind>(region().blocks[block(name)].kind); }

    /// Whoever held `gone` now holds `instead`: nodes of the match's state.
    void forward(ir::NodeId gone, ir::NodeId instead) { forwarded_[gone] = instead; }
    const std::map<ir::NodeId, ir::NodeId>& forwarded() const { return forwarded_; }

private:
    const Site& before_;
    ir::Sdfg& root_;
    std::map<ir::NodeId, ir::NodeId> forwarded_;
};

/// What `plan` found, of a type that the transformation alone knows.
class Plan {
public:
    template <class Found>
    requires(!std::is_same_v<std::remove_cvref_t<Found>, Plan>) explicit Plan(Found&& found) : found_(std::forward<Found>(found)) {
        if constexpr (requires(const Found& value) { value.reason(); })
            reason_ = std::as_const(std::any_cast<std::remove_cvref_t<Found>&>(found_)).reason();
        if constexpr (requires(const Found& value) { value.options(); })
            options_ = std::as_const(std::any_cast<std::remove_cvref_t<Found>&>(found_)).options();
    }
    /// What would be done and why, in a sentence, where the plan's type has a `reason()`: decisions.
    const std::string& reason() const { return reason_; }
    /// What was chosen for parameters that nobody gave, where the plan's type has `options()`: it stands in the recipe.
    const Options& options() const { return options_; }
    template <class Found> const Found& as() const {
        const auto* found = std::any_cast<Found>(&found_);
        check(found != nullptr, "a plan was handed to another transformation than the one that made it");
        return *found;
    }

private:
    std::any found_;
    std::string reason_;
    Options options_;
};

/// The answer of a `plan`: what was found, or why not.
template <class Found> using Planned = std::variant<Found, Refusal>;

struct Transformation {
    Descriptor descriptor;
    std::function<Planned<Plan>(const Site&)> plan;
    /// Only called with what `plan` gave for the same site. Memlets outside of scopes need not be right: the engine propagates.
    std::function<void(Draft&, const Plan&)> apply;
};

/// Puts together `Planned<Found> plan(const Site&)` and `void apply(Draft&, const Found&)`.
template <class MakePlan, class Edit> Transformation transformation(Descriptor descriptor, MakePlan make, Edit edit) {
    using Found = std::variant_alternative_t<0, std::invoke_result_t<MakePlan, const Site&>>;
    return {.descriptor = std::move(descriptor),
            .plan = [make](const Site& site) -> Planned<Plan> {
                auto found = make(site);
                if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
                return Plan(std::get<Found>(std::move(found)));
            },
            .apply = [edit](Draft& draft, const Plan& plan) { edit(draft, plan.as<Found>()); }};
}

/// A transformation whose edit needs nothing of what the question found out: the plan is empty.
struct CheckedEdit {
    Descriptor descriptor;
    std::function<std::optional<Refusal>(const Site&)> can_apply;
    std::function<void(Draft&)> apply;

    operator Transformation() const;
};

}  // namespace sluice::rewrite
