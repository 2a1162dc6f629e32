// Updates of one element that no two iterations of loops in threads make need no atomic operation.
#include <algorithm>

#include "analysis/propagate.h"
#include "analysis/scop/rebuild.h"
#include "ir/walk.h"
#include "schedule/program.h"

namespace sluice::schedule {

using poly::AstNode;
using poly::UnionMap;

namespace {

class Conflicts {
public:
    explicit Conflicts(const Nest& nest) : nest_(nest), times_(nest.scop.schedule.times()) {
        UnionMap updates = UnionMap::empty();
        for (const analysis::ScopStatement& statement : nest.scop.statements)
            for (const analysis::ScopAccess& access : statement.accesses)
                if (access.kind == analysis::StatementAccess::Kind::Reduce) updates = updates.unite(access.elements);
        pairs_ = updates.then(updates.reverse()).intersect_parameters(nest.scop.context);
        look(*nest.loops);
    }

    /// Labels of statements whose updates meet those of another thread, or that have no threads by command.
    const std::set<std::string>& meeting() const { return meeting_; }

private:
    void look(const AstNode& node) {
        if (node.kind == AstNode::Kind::Call) {
            const analysis::ScopStatement& statement = *nest_.scop.find(node.statement);
            bool in_threads = false, alone = true;
            for (const AstNode* loop : around_) {
                const analysis::LoopKind kind = analysis::kind_of(nest_.scop, *loop);
                if (kind != analysis::LoopKind::Threads && kind != analysis::LoopKind::Blocks &&
                    kind != analysis::LoopKind::BlockThreads)
                    continue;
                in_threads = true;
                alone = alone && !meets(statement.name, loop->dimension);
            }
            if (!in_threads || !alone) meeting_.insert(statement.label);
        }
        if (node.kind == AstNode::Kind::For) around_.push_back(&node);
        for (const AstNode& child : node.children) look(child);
        if (node.kind == AstNode::Kind::For) around_.pop_back();
    }

    /// Do two iterations of a dimension, with the same iterations around it, update one element?
    bool meets(const std::string& statement, unsigned at) const {
        UnionMap own = UnionMap::empty();
        for (const poly::Map& map : pairs_.maps())
            if (map.domain_tuple() == statement) own = own.unite(map);
        const UnionMap moved = times_.reverse().then(own).then(times_);
        for (poly::Map map : moved.maps()) {
            for (unsigned outer = 0; outer < at; ++outer) map = map.equate(outer, outer);
            if (map.order_less(at, at).unite(map.order_greater(at, at)).is_empty() != poly::Answer::Yes) return true;
        }
        return !moved.known();
    }

    const Nest& nest_;
    UnionMap times_, pairs_;
    std::vector<const AstNode*> around_;
    std::set<std::string> meeting_;
};

void mark(ir::Region& body, const std::set<std::string>& apart) {
    ir::edit_each_state(body, [&](ir::State& state) {
        for (auto [id, edge] : state.edges) {
            const auto* tasklet = std::get_if<ir::Tasklet>(&state.nodes[edge.src].kind);
            if (tasklet && edge.memlet.wcr && apart.contains(tasklet->label)) edge.memlet.wcr_nonatomic = true;
        }
        for (auto [id, node] : state.nodes)
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) mark(nested->sdfg.edit().body, apart);
    });
}

}  // namespace

void mark_apart(ir::Sdfg& sdfg, const Program& program, const Nest& nest) {
    const Conflicts conflicts(nest);
    std::set<std::string> apart;
    for (const Definition& of : program.definitions)
        if (of.target && !conflicts.meeting().contains(of.name)) apart.insert(of.name);
    if (apart.empty()) return;
    mark(sdfg.body, apart);
    analysis::propagate_memlets(sdfg);
}

}  // namespace sluice::schedule
