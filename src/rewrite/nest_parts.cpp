#include "rewrite/nest_parts.h"

#include <algorithm>

#include "analysis/edge_accesses.h"
#include "analysis/symbols.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "rewrite/wires.h"

namespace sluice::rewrite {

ir::Memlet whole_memlet(const std::string& name, const ir::Container& container) {
    ir::Memlet memlet;
    memlet.data = name;
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (array && array->offset.empty()) memlet.subset = symbolic::Subset::extents(container.shape);
    if (std::holds_alternative<ir::Scalar>(container.kind)) memlet.subset = symbolic::Subset{};
    memlet.volume = memlet.subset ? symbolic::num_elements(*memlet.subset) : symbolic::Expr(0);
    return memlet;
}

namespace {

/// The container as an argument of the nested SDFG.
ir::Container as_argument(ir::Container container, bool may_alias) {
    container.transient = false;
    container.binding = ir::Binding::Own;
    container.lifetime = ir::Lifetime::Scope;
    if (container.storage == ir::Storage::Register) container.storage = ir::Storage::Default;
    container.metadata.guid.clear();
    if (auto* array = std::get_if<ir::Array>(&container.kind)) {
        array->pool = false;
        array->may_alias = array->may_alias || may_alias;
    }
    return container;
}

/// Root containers by how access nodes of a region use them. A write that resolves conflicts reads as well.
struct Uses {
    Names read, written;
};

void collect_uses(const ir::Sdfg& sdfg, const ir::State& state, Uses& uses) {
    const analysis::EdgeAccesses edges(sdfg, state, analysis::assumptions_of(sdfg));
    const ir::Adjacency& adjacency = edges.adjacency();
    for (const auto& [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        const std::string root(ir::root_name(access->data));
        if (!adjacency.out(id).empty()) uses.read.insert(root);
        if (!adjacency.in(id).empty() || access->setzero) uses.written.insert(root);
        for (const ir::EdgeId edge : adjacency.in(id))
            if (const auto write = edges.at(edge, access->data, false); write && write->updates) uses.read.insert(root);
    }
}

bool has_foreign_code(const ir::Region& region) {
    bool found = false;
    ir::for_each_state(region, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind))
                found = found || tasklet->code.language != ir::Language::Python;
    });
    return found;
}

}  // namespace

MadeNested make_nested(const ir::Sdfg& sdfg, ir::Region body, const std::string& label, const Names& inside,
                       const std::map<std::string, code::DType>& types) {
    MadeNested made;
    ir::Sdfg inner{.name = label};
    inner.body = std::move(body);
    Uses uses;
    ir::edit_each_state(inner.body, erase_isolated_accesses);
    ir::for_each_state(std::as_const(inner.body), [&](const ir::State& state) { collect_uses(sdfg, state, uses); });
    made.in = uses.read;
    made.out = uses.written;
    // Nobody writes a constant: what leads to its node is order.
    for (const auto& [name, constant] : sdfg.constants)
        if (made.in.erase(name) + made.out.erase(name) > 0) inner.constants.set(name, constant);
    bool aliases = false;
    for (const Names* names : {&made.in, &made.out})
        for (const std::string& name : *names)
            aliases = aliases || (sdfg.containers.at(name).binding != ir::Binding::Own && !inside.contains(name));
    for (const auto& [name, container] : sdfg.containers)
        if (made.in.contains(name) || made.out.contains(name))
            inner.containers.set(name, inside.contains(name) ? container : as_argument(container, aliases));
    release_wires(sdfg, inner.body,
                  [&](const std::string& name) { return !inner.containers.contains(name) && !inner.constants.contains(name); });
    inner.symbols = types;
    if (has_foreign_code(inner.body)) inner.constants = sdfg.constants;
    // What the text of conditions, ranges and shapes reads beside symbols: constants, and scalars that are passed as well.
    for (bool again = true; again;) {
        again = false;
        for (const std::string& name : analysis::free_symbols(inner)) {
            if (const ir::Constant* constant = sdfg.constants.find(name))
                inner.constants.set(name, *constant);
            else if (const ir::Container* container = sdfg.containers.find(name); container && !inner.containers.contains(name)) {
                inner.containers.set(name, as_argument(*container, aliases));
                made.in.insert(name);
            } else
                continue;
            again = true;
        }
    }
    // Of the containers that access nodes use, the text may read some that they only write.
    for (const auto& [name, container] : inner.containers)
        if (!made.in.contains(name) && used_in_control(inner, name)) made.in.insert(name);
    const Names free = analysis::free_symbols(inner);
    const std::vector<std::string> assigned = ir::assigned_symbols(inner);
    for (const auto& [name, type] : types)
        if (!free.contains(name) && !std::ranges::binary_search(assigned, name)) inner.symbols.erase(name);
    for (const std::string& name : free) {
        inner.symbols.emplace(name, code::Scalar::Int64);
        made.nested.symbol_mapping.emplace(name, symbolic::symbol(name));
    }
    for (const std::string& name : inside) {
        made.in.erase(name);
        made.out.erase(name);
    }
    made.nested.label = label;
    made.nested.sdfg = std::move(inner);
    return made;
}

code::DType symbol_type(const ir::Container& container) {
    return container.dtype.is_scalar() && code::is_integer(container.dtype.scalar) ? container.dtype
                                                                                   : code::DType(code::Scalar::Int64);
}

std::optional<std::string> why_nothing_nests(const ir::Sdfg& sdfg) {
    for (const auto& [place, code] : sdfg.global_code)
        if (!code.text.empty()) return "the SDFG declares code of its own, which a nested SDFG would not see";
    for (const auto& [name, type] : sdfg.symbols)
        if (type.compound && type.compound->kind == code::CompoundKind::Callback) return "the symbol " + name + " is a callback";
    return {};
}

}  // namespace sluice::rewrite
