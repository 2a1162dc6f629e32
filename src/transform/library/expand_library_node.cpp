// ExpandLibraryNode: put in a library node's place what one of its operation's expansions makes of it.
//     A -> MatMul -> C   ->   A -> Gemm -> C   ->   A -> Extern -> C, or loops
// X1 the operation is known and the node fits its contract.
// X2 the expansion that is named serves here, or any where none is named.
#include <fmt/format.h>

#include "analysis/scopes.h"
#include "ir/walk.h"
#include "library/contract.h"
#include "library/extern_call.h"
#include "library/registry.h"
#include "rewrite/match.h"
#include "transform/library/library.h"

namespace sluice::transform {

namespace {

using library::ExpandOptions;
using rewrite::Refusal;

/// Is the SDFG of the place called from a scope whose points may run at the same time?
bool called_in_parallel(const ir::Sdfg& root, const rewrite::Place& place) {
    rewrite::Place outer;
    bool parallel = false;
    for (const rewrite::NestedStep& step : place.nested) {
        outer.regions = step.regions;
        outer.state = step.state;
        const ir::Sdfg& caller = rewrite::sdfg_at(root, outer);
        parallel = library::context_of(caller, rewrite::state_at(root, outer), step.node, {}, parallel).around.parallel;
        outer.nested.push_back(step);
    }
    return parallel;
}

}  // namespace

library::NodeContext context_at(const ir::Sdfg& root, const rewrite::Place& place, ir::NodeId node) {
    return library::context_of(rewrite::sdfg_at(root, place), rewrite::state_at(root, place), node, rewrite::to_string(root, place),
                               called_in_parallel(root, place));
}

bool multiplies_matrices(const ir::Sdfg& sdfg, const ir::Region& region) {
    bool found = false;
    ir::for_each_state(region, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        for (const auto& [id, node] : state.nodes) {
            if (scopes.parent(id).valid()) continue;
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                found = found || multiplies_matrices(*nested->sdfg, nested->sdfg->body);
            const auto* operation = std::get_if<ir::LibraryNode>(&node.kind);
            if (!operation || library::is_final(*operation)) continue;
            const auto large = capture([&] { return library::is_large_product(library::context_of(sdfg, state, id, {}, false)); });
            found = found || (large && *large);
        }
    });
    return found;
}

namespace {

/// The first steps are those of the node; what it yields may choose freely.
void expand_at(ir::Sdfg& root, const rewrite::Place& place, ir::NodeId node, const ExpandOptions& options) {
    const bool parallel = called_in_parallel(root, place);
    ir::Sdfg& sdfg = rewrite::sdfg_at(root, place);
    ir::State& state = rewrite::state_at(root, place);
    const library::NodeContext context = library::context_of(sdfg, state, node, rewrite::to_string(root, place), parallel);
    library::NodeDraft draft(sdfg, state, node, context.operation, context.path, context.around);
    library::expand_node(draft, options);
}

ExpandOptions options_of_site(const rewrite::Site& site) {
    ExpandOptions options{.target = site.text("target"), .recursive = site.flag("recursive")};
    if (!site.text("implementation").empty()) options.implementation = site.text("implementation");
    return options;
}

rewrite::Planned<ir::Sdfg> plan_expand_library_node(const rewrite::Site& site) {
    const ir::NodeId node = site.node("node");
    if (library::is_final(site.get<ir::LibraryNode>("node")))
        return Refusal{.code = "X2", .why = "calls of libraries and messages have no expansion", .nodes = {node}};
    Result<ir::Sdfg> program = expanded(site, "node", options_of_site(site));
    if (program) return std::move(program).value();
    return Refusal{.code = program.error().code == "B004" ? "X2" : "X1", .why = program.error().message, .nodes = {node}};
}

void apply_expand_library_node(rewrite::Draft& draft, const ir::Sdfg& program) {
    draft.root() = program;
}

/// The expansion that a node of the program gets; without a name where none serves: the application says why.
library::Expanded chosen_at(const ir::Sdfg& program, const rewrite::Match& match, const ExpandOptions& options) {
    const library::NodeContext context = context_at(program, match.place, match.nodes[0]);
    const library::Choice choice = library::choose_expansion(context, options);
    return {.path = fmt::format("{}/{}/n{}", program.name, context.path, context.node.value),
            .operation = context.operation->name,
            .expansion = choice.expansion ? choice.expansion->name : std::string(),
            .rule = choice.rule,
            .passed_over = choice.passed_over};
}

}  // namespace

Result<ir::Sdfg> expanded(const rewrite::Site& site, std::string_view node, const ExpandOptions& options) {
    return capture([&] {
        const library::NodeContext context = context_at(site.root(), site.match().place, site.node(node));
        if (options.implementation) {
            const library::Choice choice = library::choose_expansion(context, options);
            for (const auto& [name, why] : choice.passed_over)
                if (name == *options.implementation) context.refuse("B004", name + " does not serve: " + why, "choose another");
            const bool named = choice.expansion && (choice.expansion->name == *options.implementation ||
                                                    std::ranges::count(choice.expansion->aliases, *options.implementation) > 0);
            if (!named)
                context.refuse("B004", context.operation->name + " has no expansion " + *options.implementation, "choose another");
        }
        ir::Sdfg root = site.root();
        expand_at(root, site.match().place, site.node(node), options);
        return root;
    });
}

rewrite::Transformation expand_library_node() {
    return rewrite::transformation(
        {.name = "ExpandLibraryNode",
         .summary = "Puts in a library node's place what one of its operation's expansions makes of it.",
         .drawing = "A -> MatMul -> C   ->   A -> Gemm -> C   ->   A -> Extern -> C, or loops",
         .decided_by = {.structural = "An expansion is what the operation's reference says, which verification checks."},
         .patterns = {{.nodes = {{"node", rewrite::kind::library}}, .edges = {}}},
         .conditions = {{"X1", "the operation is known and the node fits its contract"},
                        {"X2", "the expansion that is named serves here, or any where none is named"}},
         .parameters = {{"implementation", std::string(), "The expansion; empty: by preference."},
                        {"recursive", true, "What the expansion yields is expanded as well."},
                        {"target", std::string("cpu"), "What the program is compiled for."}}},
        plan_expand_library_node, apply_expand_library_node);
}

Result<std::size_t> expand_library_nodes(rewrite::Session& session, const ExpandOptions& options) {
    const rewrite::Descriptor& descriptor = session.registry().at("ExpandLibraryNode").descriptor;
    const auto waiting = [&] {
        std::vector<rewrite::Match> matches = rewrite::find_matches(session.program(), descriptor);
        std::erase_if(matches, [&](const rewrite::Match& match) {
            const ir::State& state = rewrite::state_at(session.program(), match.place);
            return library::is_final(std::get<ir::LibraryNode>(state.nodes[match.nodes[0]].kind));
        });
        return matches;
    };
    return capture([&] {
        std::size_t count = 0;
        for (std::vector<rewrite::Match> matches = waiting(); !matches.empty(); matches = waiting()) {
            for (const rewrite::Match& match : matches) {
                const library::Expanded step = chosen_at(session.program(), match, options);
                const rewrite::Options chosen{{"implementation", step.expansion}, {"recursive", false}, {"target", options.target}};
                const rewrite::Outcome outcome = session.apply(descriptor.name, match, chosen).or_fail();
                if (const auto* refusal = std::get_if<Refusal>(&outcome))
                    fail(rewrite::to_diagnostic(session.program(), descriptor, match, *refusal));
                if (options.on_expanded) options.on_expanded(step);
                ++count;
            }
            if (!options.recursive) break;
        }
        return count;
    });
}

}  // namespace sluice::transform
