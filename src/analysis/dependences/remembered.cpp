// The tables of statements that this thread built last. Transformations ask about one state several times while it does not
// change: `can_apply` and `apply` of one match, a refusal and what stands in its way, neighbours in a list of matches.
#include <list>

#include "analysis/dependences/builder.h"
#include "analysis/unchanged.h"

namespace sluice::analysis {

namespace {

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
