#include "library/expand.h"

#include <set>

#include "analysis/scopes.h"
#include "code/walk.h"
#include "library/cholesky/cholesky.h"
#include "library/einsum/einsum.h"
#include "library/matmul/matmul.h"
#include "library/matmul/openblas.h"
#include "library/node_context.h"
#include "library/reduce/reduce.h"
#include "library/tensordot/tensordot.h"
#include "library/transpose/transpose.h"
#include "library/vector_products/vector_products.h"

namespace sluice::library {

namespace {

using Expansion = void (*)(NodeContext&);

/// Nodes by class path; an operation without one is found by its name.
const std::map<std::string, std::pair<std::string, Expansion>>& all_expansions() {
    static const std::map<std::string, std::pair<std::string, Expansion>> kAll{
        {"Reduce", {"dace.libraries.standard.nodes.reduce.Reduce", expand_reduce}},
        {"MatMul", {"dace.libraries.blas.nodes.matmul.MatMul", expand_matmul}},
        {"Gemm", {"dace.libraries.blas.nodes.gemm.Gemm", expand_matmul}},
        {"BatchedMatMul", {"dace.libraries.blas.nodes.batched_matmul.BatchedMatMul", expand_matmul}},
        {"Gemv", {"dace.libraries.blas.nodes.gemv.Gemv", expand_matmul}},
        {"Dot", {"dace.libraries.blas.nodes.dot.Dot", expand_dot}},
        {"Axpy", {"dace.libraries.blas.nodes.axpy.Axpy", expand_axpy}},
        {"Ger", {"dace.libraries.blas.nodes.ger.Ger", expand_ger}},
        {"Einsum", {"dace.libraries.blas.nodes.einsum.Einsum", expand_einsum}},
        {"Cholesky", {"dace.libraries.linalg.nodes.cholesky.Cholesky", expand_cholesky}},
        {"TensorDot", {"dace.libraries.linalg.nodes.tensordot.TensorDot", expand_tensordot}},
        {"TensorTranspose", {"dace.libraries.linalg.nodes.ttranspose.TensorTranspose", expand_transpose}},
        {"Transpose", {"dace.libraries.linalg.nodes.transpose.Transpose", expand_transpose}},
    };
    return kAll;
}

std::string known_operations() {
    std::string names;
    for (const auto& [name, expansion] : all_expansions()) names += (names.empty() ? "" : ", ") + name;
    return names;
}

Expansion find_expansion(const ir::LibraryNode& node) {
    const auto at = all_expansions().find(node.operation);
    if (at == all_expansions().end()) return nullptr;
    return node.classpath.empty() || node.classpath == at->second.first ? at->second.second : nullptr;
}

struct Vendor {
    bool installed = false;  ///< OpenBLAS can be linked.
    bool callable = false;   ///< It may be called at the top level of this SDFG: nothing around is parallel.
};
void expand_in(ir::Sdfg& sdfg, const std::string& path, Vendor vendor);

/// Implementations of ours, and the names under which DaCe has those for CPUs: they mean the same result, so the default serves.
bool is_known(const ir::LibraryNode& node) {
    static const std::set<std::string> kKnown{"", "native", "pure", "pure-seq", "specialize", "MKL", "OpenMP"};
    const std::string name = node.implementation.value_or("");
    return kKnown.contains(name) || (name == "OpenBLAS" && node.operation != "Reduce");
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
                           "expand it in the tool that made it, or use a node of " + known_operations());
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
