// An operation outside of Sluice, with two expansions: _out = _x * _x * _x, by one map or by the operation Einsum. Compiled to a
// shared library:
//     g++ -std=c++20 -O2 -fPIC -shared -I src examples/operations/cubed.cpp -o cubed.so
//     sluice verify-operation --load cubed.so
#include "library/contract.h"
#include "library/plugin.h"

using namespace sluice;

namespace {

void cube(library::ReferenceCall& call) {
    const ir::Operand& x = call.input("_x");
    for (std::size_t i = 0; i < x.values.size(); ++i) call.output("_out").values[i] = x.values[i] * x.values[i] * x.values[i];
}

void expand_one_map(library::NodeDraft& draft) {
    const library::Binding binding = library::bind(draft);
    const library::BoundOperand &x = binding.input("_x"), &out = binding.output("_out");
    ir::Sdfg body{.name = "cubed"};
    library::declare_operand(draft, body, "_x", x.edge, x.dims);
    library::declare_operand(draft, body, "_out", out.edge, out.dims);
    ir::add_state(body, "cube")
        .mapped_tasklet("cube", {{"__i", "0:" + symbolic::to_string(binding.sizes.at("N"))}}, {{"__x", "_x[__i]"}},
                        "__o = __x * __x * __x", {{"__o", "_out[__i]"}});
    library::replace_by(draft, std::move(body), {{x.edge, "_x"}}, {{out.edge, "_out"}});
}

/// The same container three times: `i,i,i->i`.
void expand_einsum(library::NodeDraft& draft) {
    const library::Binding binding = library::bind(draft);
    const library::BoundOperand &x = binding.input("_x"), &out = binding.output("_out");
    ir::Sdfg body{.name = "cubed"};
    library::declare_operand(draft, body, "_x", x.edge, x.dims);
    library::declare_operand(draft, body, "_out", out.edge, out.dims);
    ir::StateBuilder state = ir::add_state(body, "product");
    const ir::NodeId product =
        state.library("Einsum", "product", {"_a", "_b", "_c"}, {"_d"}, {{"einsum_str", std::string("i,i,i->i")}});
    const ir::NodeId source = state.access("_x");
    for (const char* connector : {"_a", "_b", "_c"}) state.edge(source, "", product, connector, ir::memlet("_x"));
    state.edge(product, "_d", state.access("_out"), "", ir::memlet("_out"));
    library::replace_by(draft, std::move(body), {{x.edge, "_x"}}, {{out.edge, "_out"}});
}

}  // namespace

SLUICE_OPERATIONS(registry) {
    registry.add({.name = "Cubed",
                  .classpath = "",
                  .summary = "_out = _x * _x * _x.",
                  .forms = {library::form("_x[N] -> _out[N]")},
                  .element_wise = true,
                  .reference = cube,
                  .expansions = {{.name = "one_map", .expand = expand_one_map}, {.name = "einsum", .expand = expand_einsum}}});
}
