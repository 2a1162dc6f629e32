#include "library/expand.h"

#include <set>

#include "analysis/scopes.h"
#include "code/walk.h"
#include "library/matmul/matmul.h"
#include "library/matmul/openblas.h"
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

struct Vendor {
    bool installed = false;  ///< OpenBLAS can be linked.
    bool callable = false;   ///< It may be called at the top level of this SDFG: nothing around is parallel.
};
void expand_in(ir::Sdfg& sdfg, const std::string& path, Vendor vendor);

bool is_known(const ir::LibraryNode& node) {
    if (!node.implementation || node.implementation->empty()) return true;
    return *node.implementation == "native" || *node.implementation == "pure" ||
           (*node.implementation == "OpenBLAS" && node.operation != "Reduce");
}

void expand_in(ir::Sdfg& sdfg, ir::State& state, const std::string& path, Vendor vendor) {
    std::vector<ir::NodeId> library, nested;
    for (const auto& [id, node] : state.nodes) {
        if (std::holds_alternative<ir::LibraryNode>(node.kind)) library.push_back(id);
        if (std::holds_alternative<ir::NestedSdfg>(node.kind)) nested.push_back(id);
    }
    if (library.empty() && nested.empty()) return;
    std::set<ir::NodeId> top;
    if (vendor.callable) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        for (const auto* list : {&library, &nested})
            for (const ir::NodeId id : *list)
                if (!scopes.parent(id).valid()) top.insert(id);
    }
    for (const ir::NodeId id : nested) {
        auto& node = std::get<ir::NestedSdfg>(state.nodes[id].kind);
        expand_in(node.sdfg.edit(), path + "/n" + std::to_string(id.value), {vendor.installed, top.contains(id)});
    }
    for (const ir::NodeId id : library) {
        NodeContext context{sdfg, state, id, path + "/n" + std::to_string(id.value), top.contains(id)};
        const ir::LibraryNode& node = context.library();
        const Expansion expansion = find_expansion(node);
        if (!expansion)
            context.refuse("B001", "unknown library node " + (node.classpath.empty() ? node.operation : node.classpath),
                           "expand it in the tool that made it, or use Reduce, MatMul, Gemm, Gemv or Dot");
        if (!is_known(node))
            context.refuse("B004", node.operation + " has no implementation " + *node.implementation, "use native");
        if (node.implementation == "OpenBLAS" && !vendor.installed)
            context.refuse("B004", node.operation + " asks for OpenBLAS, which is not installed",
                           "install it (on Debian the package libopenblas-dev), or use native");
        expansion(context);
    }
}

void expand_region(ir::Sdfg& sdfg, ir::Region& region, const std::string& path, Vendor vendor) {
    for (auto [id, block] : region.blocks) {
        const std::string inside = path + "/" + block.label;
        std::visit(code::Overloaded{
                       [&](Cow<ir::State>& state) { expand_in(sdfg, state.edit(), inside, vendor); },
                       [&](ir::LoopRegion& loop) { expand_region(sdfg, loop.body, inside, vendor); },
                       [&](ir::ConditionalBlock& choice) {
                           for (ir::Branch& branch : choice.branches) expand_region(sdfg, branch.body, inside, vendor);
                       },
                       [&](ir::NamedRegion& named) { expand_region(sdfg, named.body, inside, vendor); },
                       [](auto&) {},
                   },
                   block.kind);
    }
}

void expand_in(ir::Sdfg& sdfg, const std::string& path, Vendor vendor) {
    expand_region(sdfg, sdfg.body, path, vendor);
}

}  // namespace

Result<Done> expand_library_nodes(ir::Sdfg& sdfg, const ExpandOptions& options) {
    return capture([&] {
        ir::Sdfg draft = sdfg;
        const bool installed = options.openblas_installed.value_or(openblas_installed());
        expand_in(draft, draft.name, {installed, options.openblas.value_or(installed)});
        sdfg = std::move(draft);
        return Done{};
    });
}

}  // namespace sluice::library
