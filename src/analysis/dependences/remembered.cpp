// The tables of statements that this thread built last. Transformations ask about one state several times while it does not
// change: `can_apply` and `apply` of one match, a refusal and what stands in its way, neighbours in a list of matches.
//
// An entry keeps the graph that it describes. The graph is a value whose states are shared between copies, so that keeping it costs
// little, and that a state keeps its address as long as nobody edits it: whoever does gets a copy. An edit of anything else shows
// in the comparison of the graphs. So no answer outlives an edit, and nobody has to say that one took place.
#include <list>

#include "analysis/dependences/builder.h"
#include "code/walk.h"

namespace sluice::analysis {

namespace {

/// Of equal regions: are their states the same objects?
bool same_states(const ir::Region& a, const ir::Region& b) {
    for (const auto& [id, block] : a.blocks) {
        const auto& other = b.blocks[id].kind;
        const bool same = std::visit(
            code::Overloaded{
                [&](const Cow<ir::State>& state) { return &*state == &*std::get<Cow<ir::State>>(other); },
                [&](const ir::LoopRegion& loop) { return same_states(loop.body, std::get<ir::LoopRegion>(other).body); },
                [&](const ir::ConditionalBlock& conditional) {
                    const auto& branches = std::get<ir::ConditionalBlock>(other).branches;
                    for (std::size_t k = 0; k < branches.size(); ++k)
                        if (!same_states(conditional.branches[k].body, branches[k].body)) return false;
                    return true;
                },
                [&](const ir::NamedRegion& named) { return same_states(named.body, std::get<ir::NamedRegion>(other).body); },
                [](const auto&) { return true; },
            },
            block.kind);
        if (!same) return false;
    }
    return true;
}

struct Remembered {
    const ir::Sdfg* address;
    ModelRoot root;
    symbolic::Assumptions known;
    ir::Sdfg graph;
    AccessModel model;

    bool answers(const ir::Sdfg& sdfg, const ModelRoot& of, const symbolic::Assumptions& assumptions) const {
        return address == &sdfg && root == of && known == assumptions && graph == sdfg && same_states(graph.body, sdfg.body);
    }
};

/// Nothing that a budget cut short.
bool complete(const AccessModel& model) {
    for (const Statement& statement : model.statements) {
        if (!statement.domain.known()) return false;
        for (const StatementAccess& access : statement.accesses)
            if (!access.elements.known()) return false;
    }
    return model.context.known();
}

constexpr std::size_t kMost = 8;
thread_local std::size_t built = 0;

}  // namespace

std::size_t access_models_built() {
    return built;
}

AccessModel access_model(const ir::Sdfg& sdfg, const ModelRoot& root, const symbolic::Assumptions& known) {
    poly::context();  // made before what holds sets of it, and so freed after
    thread_local std::list<Remembered> latest;
    for (auto at = latest.begin(); at != latest.end(); ++at)
        if (at->answers(sdfg, root, known)) {
            latest.splice(latest.begin(), latest, at);
            return latest.front().model;
        }
    ++built;
    AccessModel model = ModelBuilder(sdfg, known).build(root);
    if (!complete(model)) return model;
    latest.push_front({&sdfg, root, known, sdfg, model});
    if (latest.size() > kMost) latest.pop_back();
    return model;
}

}  // namespace sluice::analysis
