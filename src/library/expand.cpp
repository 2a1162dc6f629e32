#include "library/expand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/scopes.h"
#include "code/walk.h"
#include "library/extern_call.h"
#include "library/registry.h"
#include "library/staging.h"

namespace sluice::library {

namespace {

/// Operations that yield one another without end are a mistake of theirs.
constexpr int kMostLevels = 16;

class Walk {
public:
    Walk(const ExpandOptions& options, std::vector<Expanded>& done) : options_(options), done_(done) {}

    void sdfg(ir::Sdfg& sdfg, const std::string& path, bool parallel, int level) { region(sdfg, sdfg.body, path, parallel, level); }
    void node(NodeDraft& draft, int level) {
        const std::string operation = draft.library().operation;
        const Choice choice = choose_expansion(draft, options_);
        if (!choice.expansion) refuse(draft, choice);
        stage_operands(draft, choice.expansion->takes_streams);
        choice.expansion->expand(draft);
        done_.push_back({draft.path, operation, choice.expansion->name, choice.rule, choice.passed_over});
        if (options_.on_expanded) options_.on_expanded(done_.back());
        if (level >= kMostLevels)
            draft.refuse("B004", "expansions of " + operation + " yield operations without end", "let one yield a graph or a call");
        if (!options_.recursive) return;
        ir::Node& now = draft.state_draft.nodes[draft.node];
        if (auto* nested = std::get_if<ir::NestedSdfg>(&now.kind))
            sdfg(nested->sdfg.edit(), draft.path, draft.around.parallel, level + 1);
        else if (std::holds_alternative<ir::LibraryNode>(now.kind) && !is_final(draft.library()))
            again(draft, level + 1);
    }

private:
    void again(const NodeDraft& draft, int level) {
        const NodeContext now = context_of(draft.sdfg, draft.state, draft.node, draft.path, draft.around.parallel);
        NodeDraft next(draft.sdfg_draft, draft.state_draft, draft.node, now.operation, draft.path, now.around);
        node(next, level);
    }
    [[noreturn]] void refuse(const NodeContext& context, const Choice& choice) const {
        std::vector<std::string> reasons;
        for (const auto& [name, why] : choice.passed_over) reasons.push_back(name + ": " + why);
        context.refuse("B004",
                       fmt::format("no expansion of {} for {} serves here ({})", context.operation->name, options_.target,
                                   reasons.empty() ? "it has none" : fmt::format("{}", fmt::join(reasons, "; "))),
                       "change the operands, or add an expansion");
    }
    void state(ir::Sdfg& sdfg, ir::State& state, const std::string& path, bool parallel, int level) {
        std::vector<ir::NodeId> library, nested;
        for (const auto& [id, node] : state.nodes) {
            const auto* operation = std::get_if<ir::LibraryNode>(&node.kind);
            if (operation && !is_final(*operation)) library.push_back(id);
            if (std::holds_alternative<ir::NestedSdfg>(node.kind)) nested.push_back(id);
        }
        for (const ir::NodeId id : nested) {
            const bool inside = context_of(sdfg, state, id, path, parallel).around.parallel;
            auto& node = std::get<ir::NestedSdfg>(state.nodes[id].kind);
            this->sdfg(node.sdfg.edit(), path + "/n" + std::to_string(id.value), inside, level);
        }
        for (const ir::NodeId id : library) {
            const NodeContext context = context_of(sdfg, state, id, path + "/n" + std::to_string(id.value), parallel);
            NodeDraft draft(sdfg, state, id, context.operation, context.path, context.around);
            node(draft, level);
        }
    }
    void region(ir::Sdfg& sdfg, ir::Region& region, const std::string& path, bool parallel, int level) {
        for (auto [id, block] : region.blocks) {
            const std::string inside = path + "/" + block.label;
            std::visit(code::Overloaded{
                           [&](Cow<ir::State>& one) {
                               if (has_work(*one)) state(sdfg, one.edit(), inside, parallel, level);
                           },
                           [&](ir::LoopRegion& loop) { this->region(sdfg, loop.body, inside, parallel, level); },
                           [&](ir::ConditionalBlock& choice) {
                               for (ir::Branch& branch : choice.branches) this->region(sdfg, branch.body, inside, parallel, level);
                           },
                           [&](ir::NamedRegion& named) { this->region(sdfg, named.body, inside, parallel, level); },
                           [](auto&) {},
                       },
                       block.kind);
        }
    }
    static bool has_work(const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (std::holds_alternative<ir::LibraryNode>(node.kind) || std::holds_alternative<ir::NestedSdfg>(node.kind))
                return true;
        return false;
    }

    const ExpandOptions& options_;
    std::vector<Expanded>& done_;
};

std::string known_operations() {
    std::vector<std::string> names;
    for (const Operation* operation : operations().all()) names.push_back(operation->name);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool runs_in_parallel(const ir::Node& entry) {
    const auto* map = std::get_if<ir::MapEntry>(&entry.kind);
    return !map || (map->schedule != ir::Schedule::Sequential && map->schedule != ir::Schedule::Unrolled);
}

NodeContext context_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId node, std::string path, bool parallel_caller) {
    NodeContext context{
        .sdfg = sdfg, .state = state, .node = node, .operation = nullptr, .path = std::move(path), .around = {{}, parallel_caller}};
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    for (ir::NodeId scope = scopes.parent(node); scope.valid(); scope = scopes.parent(scope)) {
        context.around.scopes.push_back(scope);
        context.around.parallel = context.around.parallel || runs_in_parallel(state.nodes[scope]);
    }
    const auto* library = std::get_if<ir::LibraryNode>(&state.nodes[node].kind);
    if (!library || is_extern(*library)) return context;
    context.operation = operations().find(*library);
    if (!context.operation)
        context.refuse("B001", "unknown library node " + (library->classpath.empty() ? library->operation : library->classpath),
                       "expand it in the tool that made it, or use a node of " + known_operations());
    return context;
}

std::vector<Expanded> expand_node(NodeDraft& draft, const ExpandOptions& options) {
    std::vector<Expanded> done;
    Walk(options, done).node(draft, 0);
    return done;
}

Result<std::vector<Expanded>> expand_library_nodes(ir::Sdfg& sdfg, const ExpandOptions& options) {
    return capture([&] {
        ir::Sdfg draft = sdfg;
        std::vector<Expanded> done;
        Walk(options, done).sdfg(draft, draft.name, false, 0);
        sdfg = std::move(draft);
        return done;
    });
}

}  // namespace sluice::library
