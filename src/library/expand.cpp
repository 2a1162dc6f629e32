#include "library/expand.h"

#include "code/walk.h"
#include "library/matmul/matmul.h"
#include "library/node_context.h"
#include "library/reduce/reduce.h"

namespace sluice::library {

namespace {

using Expansion = void (*)(NodeContext&);

/// Nodes by class path; an operation without one is found by its name.
Expansion find_expansion(const ir::LibraryNode& node) {
    static const std::map<std::string, std::pair<std::string, Expansion>> kAll{
        {"Reduce", {"dace.libraries.standard.nodes.reduce.Reduce", expand_reduce}},
        {"MatMul", {"dace.libraries.blas.nodes.matmul.MatMul", expand_matmul}},
        {"Gemm", {"dace.libraries.blas.nodes.gemm.Gemm", expand_matmul}},
        {"BatchedMatMul", {"dace.libraries.blas.nodes.batched_matmul.BatchedMatMul", expand_matmul}},
        {"Gemv", {"dace.libraries.blas.nodes.gemv.Gemv", expand_matmul}},
        {"Dot", {"dace.libraries.blas.nodes.dot.Dot", expand_matmul}},
    };
    const auto at = kAll.find(node.operation);
    if (at == kAll.end()) return nullptr;
    return node.classpath.empty() || node.classpath == at->second.first ? at->second.second : nullptr;
}

void expand_in(ir::Sdfg& sdfg, const std::string& path);

void expand_in(ir::Sdfg& sdfg, ir::State& state, const std::string& path) {
    std::vector<ir::NodeId> library, nested;
    for (const auto& [id, node] : state.nodes) {
        if (std::holds_alternative<ir::LibraryNode>(node.kind)) library.push_back(id);
        if (std::holds_alternative<ir::NestedSdfg>(node.kind)) nested.push_back(id);
    }
    for (const ir::NodeId id : nested) {
        auto& node = std::get<ir::NestedSdfg>(state.nodes[id].kind);
        expand_in(node.sdfg.edit(), path + "/n" + std::to_string(id.value));
    }
    for (const ir::NodeId id : library) {
        NodeContext context{sdfg, state, id, path + "/n" + std::to_string(id.value)};
        const ir::LibraryNode& node = context.library();
        const Expansion expansion = find_expansion(node);
        if (!expansion)
            context.refuse("B001", "unknown library node " + (node.classpath.empty() ? node.operation : node.classpath),
                           "Expand it in the tool that made it, or use Reduce, MatMul, Gemm, Gemv or Dot");
        if (node.implementation && *node.implementation != "native" && *node.implementation != "pure" &&
            !node.implementation->empty())
            context.refuse("B004", node.operation + " has no implementation " + *node.implementation, "Use native");
        expansion(context);
    }
}

void expand_region(ir::Sdfg& sdfg, ir::Region& region, const std::string& path) {
    for (auto [id, block] : region.blocks) {
        const std::string inside = path + "/" + block.label;
        std::visit(code::Overloaded{
                       [&](Cow<ir::State>& state) { expand_in(sdfg, state.edit(), inside); },
                       [&](ir::LoopRegion& loop) { expand_region(sdfg, loop.body, inside); },
                       [&](ir::ConditionalBlock& choice) {
                           for (ir::Branch& branch : choice.branches) expand_region(sdfg, branch.body, inside);
                       },
                       [&](ir::NamedRegion& named) { expand_region(sdfg, named.body, inside); },
                       [](auto&) {},
                   },
                   block.kind);
    }
}

void expand_in(ir::Sdfg& sdfg, const std::string& path) {
    expand_region(sdfg, sdfg.body, path);
}

}  // namespace

Result<Done> expand_library_nodes(ir::Sdfg& sdfg) {
    return capture([&] {
        ir::Sdfg draft = sdfg;
        expand_in(draft, draft.name);
        sdfg = std::move(draft);
        return Done{};
    });
}

}  // namespace sluice::library
