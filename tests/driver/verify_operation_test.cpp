// Every operation of ours is what its reference says, whichever expansion carries it out; and a wrong one is found.
#include "driver/verify_operation.h"

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

#include "driver/element_bytes.h"
#include "driver/operation_samples.h"
#include "interchange/json.h"
#include "interpret/interpret.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "library/environment.h"
#include "library/expand.h"
#include "library/extern_call.h"
#include "library/reference.h"
#include "library/registry.h"
#include "library/shared/element_wise.h"

namespace sluice::driver {
namespace {

class Verified : public testing::TestWithParam<std::string> {};

std::vector<std::string> builtin_names() {
    std::vector<std::string> names;
    for (const library::Operation& operation : library::builtin_operations())
        if (!operation.expansions.empty() && !operation.name.starts_with("MPI_"))
            names.push_back(operation.name);  // One process has no ranks.
    return names;
}

TEST_P(Verified, EveryExpansionIsTheReference) {
    const library::Operation& operation = *library::operations().find(GetParam());
    const auto report = verify_operation(operation);
    ASSERT_TRUE(report.ok()) << render(report.error());
    bool native = false;
    for (const OperationCheck& check : report->checks) {
        for (const std::string& difference : check.differences) ADD_FAILURE() << check.expansion << ": " << difference;
        native = native || (check.expansion == "native" && check.samples > 0);
        const auto expansion = std::ranges::find(operation.expansions, check.expansion, &library::Expansion::name);
        const library::Environment* needed = library::find_environment(expansion->requirement.environment);
        const bool installed = !needed || library::link_words(*needed);
        EXPECT_TRUE(!installed || check.samples > 0) << check.expansion << " suits no sample";
    }
    EXPECT_TRUE(native) << "an operation without native code depends on a vendor's library";
}
INSTANTIATE_TEST_SUITE_P(Operations, Verified, testing::ValuesIn(builtin_names()), [](const auto& one) { return one.param; });

TEST_P(Verified, NothingNeedsALibrary) {
    const library::Operation& operation = *library::operations().find(GetParam());
    CompileOptions without;
    const std::vector<std::string> all = library::environment_names();
    const auto is_library = [](const std::string& name) { return !library::find_environment(name)->library_files.empty(); };
    std::ranges::copy_if(all, std::inserter(without.expansions.missing, without.expansions.missing.end()), is_library);
    const auto report = verify_operation(operation, without);
    ASSERT_TRUE(report.ok()) << render(report.error());
    for (const OperationCheck& check : report->checks)
        for (const std::string& difference : check.differences) ADD_FAILURE() << check.expansion << ": " << difference;
    ir::Sdfg program = sample_program(operation, samples_of(operation, 1)).sdfg;
    const auto steps = library::expand_library_nodes(program, without.expansions);
    EXPECT_TRUE(steps.ok()) << render(steps.error());
}

/// The memory of a sample program after the interpreter, without a finding.
std::map<std::string, std::vector<std::byte>> interpreted(const SampleProgram& program, const ir::Sdfg& sdfg) {
    auto memory = program.memory;
    interpret::Arguments arguments;
    for (auto& [name, bytes] : memory) arguments.memory.emplace(name, bytes.data());
    for (const auto& [name, value] : program.symbols) arguments.symbols.emplace(name, value);
    const auto report = interpret::interpret(sdfg, arguments, {.library = library::meaning_of});
    if (!report.ok()) ADD_FAILURE() << render(report.error());
    if (report.ok())
        for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
    return memory;
}

// Loops, calls of libraries and other operations in a node's place are to the interpreter what the node is.
TEST_P(Verified, EveryExpansionIsInterpretedAsTheReference) {
    const library::Operation& operation = *library::operations().find(GetParam());
    const SampleProgram program = sample_program(operation, samples_of(operation, 3));
    const auto expected = interpreted(program, program.sdfg);
    for (const library::Expansion& expansion : operation.expansions) {
        ir::Sdfg expanded = program.sdfg;
        const auto steps = library::expand_library_nodes(expanded, {.implementation = expansion.name});
        ASSERT_TRUE(steps.ok()) << render(steps.error());
        const auto got = interpreted(program, expanded);
        for (const auto& [name, bytes] : expected) {
            const code::Scalar type = program.sdfg.containers.at(name).dtype.scalar;
            const std::size_t size = code::size_in_bytes(type);
            const bool narrow = type == code::Scalar::Float32 || type == code::Scalar::Complex64;
            for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
                const std::complex<double> wanted = load_number(type, bytes.data() + at).complex(),
                                           found = load_number(type, got.at(name).data() + at).complex();
                if (wanted == found || (wanted != wanted && found != found)) continue;
                EXPECT_LE(std::abs(wanted - found), (narrow ? 1e-4 : 1e-11) * std::max(1.0, std::abs(wanted)))
                    << expansion.name << ": element " << at / size << " of " << name;
            }
        }
    }
}

/// y = 3 * x, right or wrong.
library::Operation tripled(const std::string& name, const std::string& code) {
    return {.name = name,
            .classpath = "",
            .summary = "y = 3 * x.",
            .forms = {library::form("_x[N] -> _y[N]")},
            .element_wise = true,
            .reference =
                [](library::ReferenceCall& call) {
                    for (std::size_t i = 0; i < call.output("_y").values.size(); ++i)
                        call.output("_y").values[i] = ir::Number(std::int64_t{3}) * call.input("_x").values[i];
                },
            .expansions = {
                {.name = "map", .expand = [code](library::NodeDraft& draft) { library::expand_element_wise(draft, code); }}}};
}

ir::Sdfg around(const std::string& operation) {
    ir::Sdfg g{.name = "around_" + operation};
    for (const char* name : {"A", "B"}) ir::add_array(g, name, code::Scalar::Float64, {4});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library(operation, "node", {"_x"}, {"_y"});
    state.edge(state.access("A"), "", node, "_x", ir::memlet("A"));
    state.edge(node, "_y", state.access("B"), "", ir::memlet("B"));
    return g;
}

TEST(VerifyOperation, AWrongExpansionIsFoundAtItsFirstUse) {
    library::operations().add(tripled("Tripled", "__o = 3 * __x"));
    library::operations().add(tripled("Doubled", "__o = 2 * __x"));
    const auto good = compile(around("Tripled"));
    EXPECT_TRUE(good.ok()) << render(good.error());
    const auto bad = compile(around("Doubled"));
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.error().code, "B008");
    EXPECT_NE(bad.error().message.find("the expansion map of Doubled"), std::string::npos) << bad.error().message;
    CompileOptions off;
    off.verify_operations = false;
    EXPECT_TRUE(compile(around("Doubled"), off).ok());
}

// A graph whose nodes have become calls of a library is kept as text and as a file, its sizes as expressions.
TEST(VerifyOperation, CallsOfLibrariesAreKept) {
    ir::Sdfg g{.name = "product"};
    for (const char* name : {"M", "N", "K"}) ir::add_symbol(g, name);
    ir::add_array(g, "X", code::Scalar::Float64, {symbolic::symbol("M"), symbolic::symbol("K")});
    ir::add_array(g, "Y", code::Scalar::Float64, {symbolic::symbol("K"), symbolic::symbol("N")});
    ir::add_array(g, "Z", code::Scalar::Float64, {symbolic::symbol("M"), symbolic::symbol("N")});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library("Gemm", "product", {"_a", "_b"}, {"_c"}, {{"alpha", 2.5}});
    state.edge(state.access("X"), "", node, "_a", ir::memlet("X"));
    state.edge(state.access("Y"), "", node, "_b", ir::memlet("Y"));
    state.edge(node, "_c", state.access("Z"), "", ir::memlet("Z"));
    library::expand_library_nodes(g, {.implementation = "OpenBLAS"}).or_fail();
    const auto call_of = [&](const ir::Sdfg& graph) {
        return library::extern_call(std::get<ir::LibraryNode>(ir::as_state(graph.body.blocks[ir::BlockId(0)])->nodes[node].kind));
    };
    ASSERT_EQ(call_of(g).arguments.size(), 17u);
    EXPECT_EQ(std::get<library::ExternCall::Constant>(call_of(g).arguments[0]).value, 2.5);
    EXPECT_EQ(std::get<library::ExternCall::Address>(call_of(g).arguments[1]).connector, "_a");
    EXPECT_EQ(std::get<ir::Expr>(call_of(g).arguments[2]), symbolic::symbol("M"));
    EXPECT_EQ(call_of(ir::parse_text(ir::to_text(g)).or_fail()), call_of(g));
    EXPECT_EQ(call_of(interchange::from_json(interchange::to_json(g)).or_fail()), call_of(g));
}

TEST(VerifyOperation, WhatCannotBeChecked) {
    library::Operation operation = tripled("Unchecked", "__o = 3 * __x");
    operation.reference = nullptr;
    const auto report = verify_operation(operation);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "B007");
}

}  // namespace
}  // namespace sluice::driver
