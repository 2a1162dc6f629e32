#include "analysis/pushes.h"

#include <algorithm>

#include "code/walk.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"

namespace sluice::analysis {

namespace {

bool names(const code::Expr& target, const std::string& output) {
    const auto* name = std::get_if<code::NameExpr>(&target.node);
    if (name && name->id == output) return true;
    bool inside = false;
    code::for_each_child(target, [&](const code::ExprPtr& child) { inside = inside || names(*child, output); });
    return inside;
}

struct Count {
    const std::string& output;
    std::int64_t pushes = 0;
    bool known = true;

    void body(const code::Body& statements, bool in_loop) {
        for (const code::StmtPtr& statement : statements) {
            const bool loop =
                std::holds_alternative<code::ForStmt>(statement->node) || std::holds_alternative<code::WhileStmt>(statement->node);
            if (const auto* assign = std::get_if<code::AssignStmt>(&statement->node)) {
                const std::int64_t before = pushes;
                for (const code::ExprPtr& target : assign->targets)
                    if (names(*target, output)) ++pushes;
                known = known && !(in_loop && pushes > before);
            }
            if (const auto* annotated = std::get_if<code::AnnAssignStmt>(&statement->node);
                annotated && names(*annotated->target, output))
                ++pushes, known = known && !in_loop;
            if (const auto* call = std::get_if<code::ExprStmt>(&statement->node); call && names(*call->value, output))
                known = false;
            code::for_each_body(*statement, [&](const code::Body& inner) { body(inner, in_loop || loop); });
        }
    }
};

}  // namespace

std::optional<std::int64_t> most_pushes(const ir::Tasklet& tasklet, const std::string& output) {
    if (tasklet.code.language != ir::Language::Python) return std::nullopt;
    const auto code = ir::parsed_body(tasklet.code);
    if (!code.ok()) return std::nullopt;
    Count count{output};
    count.body(*code, false);
    return count.known ? std::optional(std::max<std::int64_t>(count.pushes, 1)) : std::nullopt;
}

std::optional<std::int64_t> most_pushes(const ir::State& state, ir::NodeId exit, const std::string& stream) {
    std::int64_t most = 0;
    for (auto [id, edge] : state.edges) {
        if (edge.dst != exit || edge.memlet.data != stream) continue;
        const auto* tasklet = std::get_if<ir::Tasklet>(&state.nodes[edge.src].kind);
        const auto each = tasklet ? most_pushes(*tasklet, edge.src_connector) : std::nullopt;
        // A tasklet of an inner scope pushes by way of that one's exit.
        if (!each) return std::nullopt;
        most += *each;
    }
    return most;
}

}  // namespace sluice::analysis
