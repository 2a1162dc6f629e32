// Library nodes become native subgraphs that verify; unknown ones are refused by name.
#include "library/expand.h"

#include <gtest/gtest.h>

#include "analysis/propagate.h"
#include "code/walk.h"
#include "ir/builder.h"
#include "ir/verify.h"
#include "library/extern_call.h"

namespace sluice::library {
namespace {

using symbolic::symbol;

/// One that is no call of a library.
bool has_library_node(const ir::Sdfg& sdfg);
bool has_library_node(const ir::Region& region) {
    for (const auto& [id, block] : region.blocks) {
        const ir::State* state = ir::as_state(block);
        if (!state) continue;
        for (const auto& [node_id, node] : state->nodes) {
            if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind); library && !is_extern(*library)) return true;
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                if (has_library_node(*nested->sdfg)) return true;
        }
    }
    return false;
}
bool has_library_node(const ir::Sdfg& sdfg) {
    return has_library_node(sdfg.body);
}

void expect_expands(ir::Sdfg& g) {
    ASSERT_TRUE(ir::verify(g).empty()) << ir::verify(g)[0].message;
    const auto done = expand_library_nodes(g);
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_FALSE(has_library_node(g));
    analysis::propagate_memlets(g);
    const auto violations = ir::verify(g);
    for (const Diagnostic& one : violations) ADD_FAILURE() << one.code << " " << one.message << " at " << one.path;
}

ir::Sdfg reduction(std::vector<std::int64_t> axes, const std::string& in, const std::string& out, std::vector<ir::Expr> out_shape) {
    ir::Sdfg g{.name = "reduction"};
    ir::add_symbol(g, "N");
    ir::add_symbol(g, "M");
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N"), symbol("M")});
    if (out_shape.empty())
        ir::add_scalar(g, "B", code::Scalar::Float64, true);
    else
        ir::add_array(g, "B", code::Scalar::Float64, out_shape);
    std::map<std::string, ir::Property> properties{{"wcr", std::string("lambda a, b: a + b")}, {"identity", 0.0}};
    if (!axes.empty()) properties["axes"] = axes;
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library("Reduce", "sum", {}, {}, properties);
    state.edge(state.access("A"), "", node, "", ir::memlet(in));
    state.edge(node, "", state.access("B"), "", ir::memlet(out));
    return g;
}

TEST(Expand, ReductionsOverAnyAxes) {
    ir::Sdfg all = reduction({}, "A[0:N, 0:M]", "B", {});
    expect_expands(all);
    ir::Sdfg rows = reduction({1}, "A[0:N, 0:M]", "B[0:N]", {symbol("N")});
    expect_expands(rows);
    ir::Sdfg negative = reduction({-2}, "A[1:N, 0:M]", "B[0:M]", {symbol("M")});
    expect_expands(negative);
    ir::Sdfg one = reduction({0, 1}, "A[0:N, 0:M]", "B[3]", {8});
    expect_expands(one);
}

TEST(Expand, ProductsOfEveryRank) {
    using Shape = std::vector<ir::Expr>;
    const ir::Expr m = symbol("M"), n = symbol("N"), k = symbol("K"), b = symbol("B");
    const std::vector<std::array<Shape, 3>> cases{
        {Shape{m, k}, Shape{k, n}, Shape{m, n}},
        {Shape{m, k}, Shape{k}, Shape{m}},
        {Shape{k}, Shape{k, n}, Shape{n}},
        {Shape{k}, Shape{k}, Shape{1}},
        {Shape{b, m, k}, Shape{k, n}, Shape{b, m, n}},
        {Shape{b, m, k}, Shape{1, k, n}, Shape{b, m, n}},
    };
    for (const auto& [left, right, result] : cases)
        for (const double beta : {0.0, 2.0}) {
            ir::Sdfg g{.name = "product"};
            for (const char* name : {"M", "N", "K", "B"}) ir::add_symbol(g, name);
            ir::add_array(g, "X", code::Scalar::Float32, left);
            ir::add_array(g, "Y", code::Scalar::Float32, right);
            ir::add_array(g, "Z", code::Scalar::Float32, result);
            ir::StateBuilder state = ir::add_state(g, "main");
            std::vector<std::string> in{"_a", "_b"};
            if (beta != 0) in.emplace_back("_c");
            const ir::NodeId node = state.library("MatMul", "product", in, {"_c"}, {{"beta", beta}, {"alpha", 1.5}});
            state.edge(state.access("X"), "", node, "_a", ir::memlet("X"));
            state.edge(state.access("Y"), "", node, "_b", ir::memlet("Y"));
            if (beta != 0) state.edge(state.access("Z"), "", node, "_c", ir::memlet("Z"));
            state.edge(node, "_c", state.access("Z"), "", ir::memlet("Z"));
            expect_expands(g);
        }
}

/// Z[M, N] = X[M, K] @ Y[K, N], in a map of two iterations if asked.
ir::Sdfg matrix_product(std::optional<std::string> implementation, const code::DType& type, bool in_map) {
    ir::Sdfg g{.name = "product"};
    for (const char* name : {"M", "N", "K"}) ir::add_symbol(g, name);
    ir::add_array(g, "X", type, {symbol("M"), symbol("K")});
    ir::add_array(g, "Y", type, {symbol("K"), symbol("N")});
    ir::add_array(g, "Z", type, {symbol("M"), symbol("N")});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library("MatMul", "product", {"_a", "_b"}, {"_c"});
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).implementation = implementation;
    std::vector<ir::NodeId> in, out{node};
    if (in_map) {
        const auto [entry, exit] = state.map("again", {{"i", "0:2"}});
        in.push_back(entry);
        out.push_back(exit);
    }
    in.push_back(node);
    for (const auto& [data, connector] : {std::pair("X", "_a"), std::pair("Y", "_b")}) {
        std::vector<ir::NodeId> path{state.access(data)};
        path.insert(path.end(), in.begin(), in.end());
        state.memlet_path(path, "", connector, ir::memlet(data));
    }
    out.push_back(state.access("Z"));
    state.memlet_path(out, "_c", "", ir::memlet("Z"));
    return g;
}

const ir::LibraryNode* call_in(const ir::Sdfg& g) {
    for (const auto& [id, block] : g.body.blocks)
        for (const auto& [node_id, node] : ir::as_state(block)->nodes)
            if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind); library && is_extern(*library)) return library;
    return nullptr;
}

/// The expansions of a product's levels, outermost first: `specialize OpenBLAS`.
std::string steps(ir::Sdfg g, const ExpandOptions& options = {}) {
    const auto done = expand_library_nodes(g, options);
    EXPECT_TRUE(done.ok()) << done.error().message;
    std::string names;
    if (done.ok())
        for (const Expanded& step : *done) names += (names.empty() ? "" : " ") + step.expansion;
    EXPECT_EQ(call_in(g) != nullptr, names.ends_with("OpenBLAS") || names.ends_with("MKL"));
    return names;
}

TEST(Expand, ProductsCallALibraryWhereItServes) {
    const code::DType type = code::Scalar::Float64;
    const ExpandOptions one_thread{.parallel = false}, missing{.missing = {"openblas", "mkl"}}, no_mkl{.missing = {"mkl"}};
    EXPECT_EQ(steps(matrix_product({}, type, false)), "specialize OpenBLAS");
    EXPECT_EQ(steps(matrix_product("OpenBLAS", code::Scalar::Complex64, false)), "specialize OpenBLAS");
    EXPECT_EQ(steps(matrix_product({}, type, false), one_thread), "specialize native");
    EXPECT_EQ(steps(matrix_product({}, type, false), missing), "specialize native");
    EXPECT_EQ(steps(matrix_product("native", type, false)), "native");
    EXPECT_EQ(steps(matrix_product("pure", type, false)), "native");
    EXPECT_EQ(steps(matrix_product({}, code::Scalar::Int64, false)), "specialize native");
    EXPECT_EQ(steps(matrix_product("OpenBLAS", type, true)), "specialize native") << "threads of its own inside a parallel map";
    EXPECT_EQ(steps(matrix_product("MKL", type, false), no_mkl), "specialize OpenBLAS") << "no program fails for lack of a library";
    EXPECT_EQ(steps(matrix_product("MKL, native", type, false), no_mkl), "native") << "a list of wishes";
    EXPECT_EQ(steps(matrix_product({}, type, false), {.preferences = {{.names = {"native", "OpenBLAS"}}}}), "native");
    EXPECT_EQ(steps(matrix_product("OpenBLAS", type, false), {.preferences = {{.names = {"specialize", "native"}}}}),
              "specialize OpenBLAS")
        << "a node's own wish stands before the list";
    EXPECT_EQ(steps(matrix_product("OpenBLAS", type, false), {.implementation = "native"}), "native");
}

TEST(Expand, TheTraceSaysWhatWasPassedOver) {
    ir::Sdfg g = matrix_product("MKL", code::Scalar::Float64, false);
    const auto done = expand_library_nodes(g, {.missing = {"mkl", "openblas"}});
    ASSERT_TRUE(done.ok()) << done.error().message;
    ASSERT_EQ(done->size(), 2u);
    EXPECT_EQ((*done)[0].operation, "MatMul");
    EXPECT_EQ((*done)[1].operation, "Gemm");
    EXPECT_EQ((*done)[1].path, "product/main/n0");
    ASSERT_EQ((*done)[1].passed_over.size(), 4u);
    EXPECT_EQ((*done)[1].passed_over[0].first, "MKL");
    EXPECT_NE((*done)[1].passed_over[0].second.find("not installed"), std::string::npos) << (*done)[1].passed_over[0].second;
}

TEST(Expand, OneLevelAtATime) {
    ir::Sdfg g = matrix_product({}, code::Scalar::Float64, false);
    const auto done = expand_library_nodes(g, {.recursive = false});
    ASSERT_TRUE(done.ok() && done->size() == 1);
    bool found = false;
    for (const auto& [id, node] : ir::as_state(g.body.blocks[ir::BlockId(0)])->nodes)
        if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind)) found = library->operation == "Gemm";
    EXPECT_TRUE(found);
    EXPECT_TRUE(ir::verify(g).empty());
}

TEST(Expand, AProductInASequentialMapCallsTheLibrary) {
    ir::Sdfg g = matrix_product({}, code::Scalar::Float64, true);
    for (const auto& [id, block] : g.body.blocks) {
        ir::State& state = std::get<Cow<ir::State>>(g.body.blocks[id].kind).edit();
        for (auto [node_id, node] : state.nodes)
            if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) map->schedule = ir::Schedule::Sequential;
    }
    EXPECT_EQ(steps(g), "specialize OpenBLAS");
}

TEST(Expand, RefusesWhatItDoesNotKnow) {
    ir::Sdfg g{.name = "g"};
    ir::add_array(g, "A", code::Scalar::Float64, {4});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library("FFT", "fft", {"_inp"}, {"_out"});
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).classpath = "dace.libraries.fft.nodes.fft.FFT";
    state.edge(state.access("A"), "", node, "_inp", ir::memlet("A"));
    state.edge(node, "_out", state.access("A"), "", ir::memlet("A"));
    const auto done = expand_library_nodes(g);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, "B001");
    EXPECT_NE(done.error().message.find("dace.libraries.fft.nodes.fft.FFT"), std::string::npos);
    EXPECT_EQ(done.error().path, "g/main/n0");
    EXPECT_TRUE(std::holds_alternative<ir::LibraryNode>(ir::as_state(g.body.blocks[ir::BlockId(0)])->nodes[node].kind));
}

TEST(Expand, RefusesMissingConnectorsAndImplementations) {
    ir::Sdfg g{.name = "alone"};
    ir::add_array(g, "A", code::Scalar::Float64, {4});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library("Reduce", "sum", {}, {}, {{"wcr", std::string("lambda a, b: a + b")}});
    state.edge(state.access("A"), "", node, "", ir::memlet("A[0:4]"));
    const auto incomplete = expand_library_nodes(g);
    ASSERT_FALSE(incomplete.ok());
    EXPECT_EQ(incomplete.error().code, "B002");
    EXPECT_NE(incomplete.error().message.find("one input and one output"), std::string::npos) << incomplete.error().message;

    for (const auto& [implementation, says] : {std::pair("cuBLAS", "has no implementation cuBLAS")}) {
        ir::Sdfg product{.name = "product"};
        for (const char* name : {"A", "B", "C"}) ir::add_array(product, name, code::Scalar::Float64, {4, 4});
        ir::StateBuilder one = ir::add_state(product, "main");
        const ir::NodeId matmul = one.library("MatMul", "product", {"_a", "_b"}, {"_c"}, {});
        std::get<ir::LibraryNode>(one.state().nodes[matmul].kind).implementation = implementation;
        one.edge(one.access("A"), "", matmul, "_a", ir::memlet("A[0:4, 0:4]"));
        one.edge(one.access("B"), "", matmul, "_b", ir::memlet("B[0:4, 0:4]"));
        one.edge(matmul, "_c", one.access("C"), "", ir::memlet("C[0:4, 0:4]"));
        const ir::Sdfg before = product;
        const auto done = expand_library_nodes(product);
        ASSERT_FALSE(done.ok()) << implementation;
        EXPECT_EQ(done.error().code, "B004");
        EXPECT_NE(done.error().message.find(says), std::string::npos) << done.error().message;
        EXPECT_FALSE(done.error().remedy.empty());
        EXPECT_EQ(product, before);
    }
}

TEST(Expand, RefusesProductsThatDoNotFit) {
    ir::Sdfg g{.name = "g"};
    ir::add_array(g, "A", code::Scalar::Float64, {4, 5});
    ir::add_array(g, "B", code::Scalar::Float64, {4, 5});
    ir::add_array(g, "C", code::Scalar::Float64, {4, 5});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library("MatMul", "product", {"_a", "_b"}, {"_c"});
    state.edge(state.access("A"), "", node, "_a", ir::memlet("A"));
    state.edge(state.access("B"), "", node, "_b", ir::memlet("B"));
    state.edge(node, "_c", state.access("C"), "", ir::memlet("C"));
    const auto done = expand_library_nodes(g);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, "B003");
}

}  // namespace
}  // namespace sluice::library
