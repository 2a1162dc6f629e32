#include "transform/state/inlining.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/legality/by_value.h"
#include "analysis/symbols.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/strides.h"
#include "ir/walk.h"
#include "support/words.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using symbolic::Expr;
using symbolic::Subset;

namespace {

bool same(const Expr& a, const Expr& b) {
    return a == b || symbolic::is_yes(symbolic::decide(symbolic::equal(a, b)));
}

ir::Container with_symbols(ir::Container container, const symbolic::Substitution& mapping) {
    rewrite::substitute(container, mapping);
    return container;
}

bool is_data(const ir::Container& container) {
    return std::holds_alternative<ir::Array>(container.kind) || std::holds_alternative<ir::Scalar>(container.kind);
}

}  // namespace

Inlining::Inlining(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, NodeId nested)
    : sdfg_(sdfg),
      state_(state),
      view_(view),
      id_(nested),
      nested_(std::get<ir::NestedSdfg>(state.nodes[nested].kind)),
      inner_(*nested_.sdfg),
      mapping_(nested_.symbol_mapping.begin(), nested_.symbol_mapping.end()) {
    for (NodeId at = view.scopes.parent(nested); at.valid(); at = view.scopes.parent(at)) {
        const ir::Node& entry = state.nodes[at];
        if (const auto* map = std::get_if<ir::MapEntry>(&entry.kind)) scope_names_.insert(map->params.begin(), map->params.end());
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) scope_names_.insert(consume->pe_index);
        for (const auto& [connector, type] : entry.in)
            if (!ir::is_port_in(connector)) scope_names_.insert(connector);
    }
    for (const EdgeId edge : view.adjacency.in(nested))
        if (!problem_) problem_ = connect(edge, state.edges[edge].dst_connector);
    for (const EdgeId edge : view.adjacency.out(nested))
        if (!problem_) problem_ = connect(edge, state.edges[edge].src_connector);
}

// ---- arguments ----------------------------------------------------------------------------------------------------------
std::optional<std::string> Inlining::connect(EdgeId id, const std::string& connector) {
    const ir::Memlet& memlet = state_.edges[id].memlet;
    if (connector.empty()) return {};
    if (memlet.empty()) return connector + " takes a value straight from code";
    if (memlet.wcr) return "what is written to " + connector + " is combined with what is there";
    Argument argument;
    if (auto problem = align(connector, memlet, argument)) return problem;
    const auto [at, added] = arguments_.emplace(connector, argument);
    if (!added && (at->second.data != argument.data || at->second.begin != argument.begin))
        return connector + " is read from one place and written to another";
    return {};
}

std::optional<std::string> Inlining::align(const std::string& connector, const ir::Memlet& memlet, Argument& argument) const {
    const ir::Container& inside = inner_.containers.at(connector);
    const ir::Container* outside = ir::find_container(sdfg_, memlet.data);
    if (!outside || memlet.data != ir::root_name(memlet.data)) return connector + " is a member of a structure";
    argument.data = memlet.data;
    for (const Expr& extent : inside.shape) argument.extents.push_back(symbolic::substitute(extent, mapping_));
    const bool same_shape = outside->shape == argument.extents;
    if (!is_data(inside) || !is_data(*outside)) {
        // Streams and structures move as a whole, under another name.
        if (inside.kind.index() != outside->kind.index() || !same_shape) return connector + " is not the whole of " + memlet.data;
        if (memlet.subset && !symbolic::is_yes(symbolic::covers(*memlet.subset, Subset::extents(outside->shape))))
            return connector + " is not the whole of " + memlet.data;
        argument.begin.assign(outside->shape.size(), Expr(0));
        for (std::size_t d = 0; d < outside->shape.size(); ++d) argument.dimension.emplace_back(d);
        return {};
    }
    const auto* layout = std::get_if<ir::Array>(&inside.kind);
    if (layout && (!layout->offset.empty() || !layout->start_offset.is_integer(0))) return connector + " has an offset inside";
    const auto* outer_layout = std::get_if<ir::Array>(&outside->kind);
    if (outer_layout && !outer_layout->offset.empty() && !memlet.subset) return memlet.data + " has an offset";
    if (!(inside.dtype == outside->dtype)) return connector + " has another element type outside";
    if (std::holds_alternative<ir::Scalar>(outside->kind)) {
        for (const Expr& extent : argument.extents)
            if (!extent.is_integer(1)) return connector + " is larger than " + memlet.data;
        argument.plain = std::holds_alternative<ir::Scalar>(inside.kind);
        return {};
    }
    const Subset window = memlet.subset ? *memlet.subset : Subset::extents(outside->shape);
    std::vector<std::size_t> wide;
    for (std::size_t d = 0; d < window.rank(); ++d) {
        const symbolic::Range& range = window.dims[d];
        if (!range.is_index() && !(range.step.is_integer(1) && range.tile.is_integer(1)))
            return connector + " takes every " + symbolic::to_string(range.step) + "th element of " + memlet.data;
        argument.begin.push_back(range.begin);
        if (!range.is_index()) wide.push_back(d);
    }
    const std::size_t rank = argument.extents.size();
    if (std::holds_alternative<ir::Scalar>(inside.kind)) {
        argument.dimension.assign(window.rank(), std::nullopt);
        argument.plain = false;
        return {};
    }
    const std::vector<Expr> outer_strides = ir::strides_of(*outside),
                            inner_strides = ir::strides_of(with_symbols(inside, mapping_));
    const auto fits = [&](const std::vector<std::size_t>& dims) {
        if (dims.size() != rank) return false;
        for (std::size_t k = 0; k < rank; ++k)
            if (!argument.extents[k].is_integer(1) && !same(inner_strides[k], outer_strides[dims[k]])) return false;
        return true;
    };
    std::vector<std::size_t> all(window.rank());
    for (std::size_t d = 0; d < all.size(); ++d) all[d] = d;
    const std::vector<std::size_t>* chosen = fits(all) ? &all : fits(wide) ? &wide : nullptr;
    if (!chosen) return connector + " has other strides inside than in " + memlet.data;
    argument.dimension.assign(window.rank(), std::nullopt);
    for (std::size_t k = 0; k < rank; ++k) argument.dimension[(*chosen)[k]] = k;
    const bool at_origin = std::ranges::all_of(argument.begin, [](const Expr& e) { return e.is_integer(0); });
    argument.plain = rank == window.rank() && at_origin && same_shape;
    return {};
}

Subset Inlining::placed(const Argument& argument, const std::optional<Subset>& inner) const {
    const bool scalar_inside = std::ranges::none_of(argument.dimension, [](const auto& d) { return d.has_value(); });
    const Subset subset = inner ? *inner : Subset::extents(argument.extents);
    Subset result;
    for (std::size_t d = 0; d < argument.begin.size(); ++d) {
        const Expr& begin = argument.begin[d];
        if (scalar_inside || !argument.dimension[d]) {
            result.dims.push_back(symbolic::Range::index(begin));
            continue;
        }
        symbolic::Range range = subset.dims[*argument.dimension[d]];
        range.begin = range.begin + begin;
        range.end = range.end + begin;
        result.dims.push_back(range);
    }
    return result;
}

/// Would memlets of the container have the same dimensions outside? A scalar has none that anybody counts.
bool Inlining::keeps_dimensions(const std::string& data) const {
    const auto at = arguments_.find(std::string(ir::root_name(data)));
    if (at == arguments_.end() || at->second.extents.empty()) return true;
    const Argument& argument = at->second;
    if (argument.dimension.size() != argument.extents.size()) return false;
    for (std::size_t d = 0; d < argument.dimension.size(); ++d)
        if (argument.dimension[d] != d) return false;
    return true;
}

std::optional<std::string> Inlining::why_not_aligned() const {
    if (problem_) return problem_;
    std::optional<std::string> problem;
    ir::for_each_state(inner_.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        for (const auto& [id, edge] : state.edges) {
            if (edge.memlet.empty() || problem) continue;
            const std::vector<EdgeId> path = rewrite::memlet_path(state, adjacency, id);
            for (const NodeId end : {state.edges[path.front()].src, state.edges[path.back()].dst}) {
                if (std::holds_alternative<ir::LibraryNode>(state.nodes[end].kind) && !keeps_dimensions(edge.memlet.data))
                    problem = "a library node counts the dimensions of " + edge.memlet.data;
                const auto* access = std::get_if<ir::Access>(&state.nodes[end].kind);
                const auto at = access ? arguments_.find(access->data) : arguments_.end();
                if (at == arguments_.end() || at->second.plain || edge.memlet.data == access->data) continue;
                if (!edge.memlet.other_subset) problem = "a copy inside does not say which part of " + access->data + " it moves";
            }
        }
    });
    if (problem) return problem;
    for (const auto& [name, container] : inner_.containers) {
        const auto at = arguments_.find(name);
        if (container.binding == ir::Binding::Reference) return name + " is a reference";
        if (at == arguments_.end() ? false : !at->second.plain && rewrite::used_in_control(inner_, name))
            return "expressions inside read " + name + ", which is only a part of " + at->second.data;
    }
    return {};
}

// ---- values -------------------------------------------------------------------------------------------------------------
namespace {

/// A scalar that the call only reads, out of a container that it writes: its connector. The memlets leave open whether it changes.
std::optional<std::string> value_that_may_change(const ir::State& state, const ir::Adjacency& adjacency, NodeId nested,
                                                 const symbolic::Assumptions& known) {
    const ir::Sdfg& inner = *std::get<ir::NestedSdfg>(state.nodes[nested].kind).sdfg;
    for (const EdgeId in : adjacency.in(nested)) {
        const ir::Edge& taken = state.edges[in];
        const ir::Container* inside = inner.containers.find(taken.dst_connector);
        if (!inside || !std::holds_alternative<ir::Scalar>(inside->kind)) continue;
        if (adjacency.out_at(nested, taken.dst_connector)) continue;
        for (const EdgeId out : adjacency.out(nested)) {
            const ir::Memlet &read = taken.memlet, &written = state.edges[out].memlet;
            if (written.empty() || ir::root_name(read.data) != ir::root_name(written.data)) continue;
            const bool apart = read.data == written.data && read.subset && written.subset &&
                               symbolic::is_yes(symbolic::disjoint(*read.subset, *written.subset, known));
            if (!apart) return taken.dst_connector;
        }
    }
    return {};
}

}  // namespace

std::optional<rewrite::Refusal> why_not_by_value(const rewrite::Site& site, const std::string& code) {
    const NodeId nested = site.node("nested");
    const auto connector =
        value_that_may_change(site.state(), site.view().adjacency, nested, site.assumptions(site.view().scopes.parent(nested)));
    if (!connector) return {};
    const analysis::Verdict verdict = analysis::values_kept(site.sdfg(), site.state(), nested, site.assumptions());
    if (verdict.yes()) return {};
    rewrite::Refusal refusal{
        .code = code, .why = *connector + " is taken by value, out of what the call writes: " + verdict.why, .nodes = {nested}};
    return refusal;
}

// ---- names --------------------------------------------------------------------------------------------------------------
/// Would the node's code read something else with the symbols replaced?
std::optional<std::string> Inlining::why_code_differs(const ir::Node& node) const {
    const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
    if (!tasklet) return {};
    const std::vector<std::string_view> found = words_in(tasklet->code.text);
    std::set<std::string> words(found.begin(), found.end());
    for (const auto* connectors : {&node.in, &node.out})
        for (const auto& [name, type] : *connectors) words.insert(name);
    for (const auto& [name, value] : mapping_) {
        if (!words.contains(name) || value.is_symbol(name)) continue;
        for (const std::string& outer : symbolic::free_symbols(value))
            if (words.contains(outer))
                return "`" + outer + "` in the code of " + tasklet->label + " would be the symbol of the state";
        const auto type = inner_.symbols.find(name);
        const auto of_value = value.is_symbol() ? sdfg_.symbols.find(value.name()) : sdfg_.symbols.end();
        const code::DType outer_type = of_value == sdfg_.symbols.end() ? code::DType(code::Scalar::Int64) : of_value->second;
        if (type != inner_.symbols.end() && !(type->second == outer_type))
            return "the symbol " + name + ", which " + tasklet->label + " reads, has another type than its value";
    }
    if (tasklet->code.language != ir::Language::Python) return {};
    const Result<code::Body> body = ir::parsed_body(tasklet->code);
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg_);
    for (const std::string& name : body.ok() ? ir::assigned_names(*body) : std::set<std::string>()) {
        if (node.out.contains(name) || node.in.contains(name)) continue;
        if (sdfg_.symbols.contains(name) || scope_names_.contains(name) || std::ranges::binary_search(assigned, name))
            return "`" + name + "`, to which the code of " + tasklet->label + " gives a value, is a symbol outside";
    }
    return {};
}

std::optional<std::string> Inlining::why_not_named() const {
    for (const auto* code : {&inner_.global_code, &inner_.init_code, &inner_.exit_code})
        for (const auto& [place, block] : *code)
            if (!block.text.empty()) return "the nested SDFG declares code of its own";
    for (const auto& [name, value] : mapping_)
        for (const std::string& symbol : symbolic::free_symbols(value))
            if (sdfg_.containers.contains(std::string(ir::root_name(symbol))))
                return "the value of the symbol " + name + " is data";
    for (const auto& [name, constant] : inner_.constants) {
        const ir::Constant* outer = sdfg_.constants.find(name);
        if (outer ? !(*outer == constant)
                  : sdfg_.containers.contains(name) || sdfg_.symbols.contains(name) || scope_names_.contains(name))
            return "the constant " + name + " is something else outside";
    }
    std::set<std::string> moving = scope_names_;
    for (const auto& [name, value] : mapping_) moving.merge(symbolic::free_symbols(value));
    std::optional<std::string> problem;
    ir::for_each_state(inner_.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            if (!problem) problem = why_code_differs(node);
            if (!std::holds_alternative<ir::MapEntry>(node.kind)) continue;
            for (const auto& [connector, type] : node.in)
                if (!problem && !ir::is_port_in(connector) && moving.contains(connector))
                    problem = "the dynamic input " + connector + " of a map has the name of a symbol outside";
        }
    });
    return problem;
}

std::optional<std::string> Inlining::why_not_allocated() const {
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg_);
    for (const auto& [name, container] : inner_.containers) {
        if (!container.transient) continue;
        if (container.lifetime != ir::Lifetime::Scope && (!scope_names_.empty() || container.lifetime != ir::Lifetime::State))
            return "the transient " + name + " outlives the call";
        for (const std::string& symbol : analysis::free_symbols(with_symbols(container, mapping_)))
            if (scope_names_.contains(symbol) || std::ranges::binary_search(assigned, symbol))
                return "the size of " + name + " depends on " + symbol + ", which is not known where the SDFG allocates";
    }
    return {};
}

// ---- the edit -----------------------------------------------------------------------------------------------------------
std::map<std::string, std::string> Inlining::new_names(ir::Sdfg& target) const {
    std::map<std::string, std::string> names;
    for (const auto& [name, argument] : arguments_) names.emplace(name, argument.data);
    for (const auto& [name, container] : inner_.containers) {
        if (!container.transient) continue;
        std::string base = name;
        while (inner_.containers.contains(rewrite::fresh_symbol(target, base)) && rewrite::fresh_symbol(target, base) != name)
            base += "_0";
        const std::string fresh = rewrite::fresh_symbol(target, base);
        ir::Container copy = with_symbols(container, mapping_);
        copy.metadata.guid.clear();
        target.containers.set(fresh, std::move(copy));
        names.emplace(name, fresh);
    }
    for (const auto& [name, constant] : inner_.constants)
        if (!target.constants.contains(name)) target.constants.set(name, constant);
    return names;
}

void Inlining::translate(ir::State& state, const std::map<std::string, std::string>& names) const {
    const ir::Adjacency adjacency(state);
    struct Edit {
        EdgeId edge;
        ir::Memlet memlet;
    };
    std::vector<Edit> edits;
    for (const auto& [id, edge] : state.edges) {
        if (edge.memlet.empty()) continue;
        ir::Memlet memlet = edge.memlet;
        const std::vector<EdgeId> path = rewrite::memlet_path(state, adjacency, id);
        std::set<std::string> ends;
        for (const NodeId end : {state.edges[path.front()].src, state.edges[path.back()].dst})
            if (const auto* access = std::get_if<ir::Access>(&state.nodes[end].kind)) ends.insert(access->data);
        const std::string root(ir::root_name(memlet.data));
        const auto own = arguments_.find(root);
        if (own != arguments_.end() && !(own->second.plain)) memlet.subset = placed(own->second, memlet.subset);
        for (const std::string& data : ends) {
            const auto at = arguments_.find(data);
            const bool other_end = data != memlet.data || ends.size() == 1;
            if (at != arguments_.end() && other_end && memlet.other_subset && !at->second.plain)
                memlet.other_subset = placed(at->second, memlet.other_subset);
        }
        if (const auto renamed = names.find(root); renamed != names.end())
            memlet.data = renamed->second + memlet.data.substr(root.size());
        edits.push_back({id, std::move(memlet)});
    }
    for (Edit& edit : edits) state.edges[edit.edge].memlet = std::move(edit.memlet);
    const auto rename = [&](std::string& data) {
        const std::string root(ir::root_name(data));
        if (const auto renamed = names.find(root); renamed != names.end()) data = renamed->second + data.substr(root.size());
    };
    // A private copy of a part would be one of all that it is a part of.
    const auto is_part = [&](const std::string& data) {
        const auto at = arguments_.find(data);
        return at != arguments_.end() && !at->second.plain;
    };
    for (auto [id, node] : state.nodes) {
        if (auto* access = std::get_if<ir::Access>(&node.kind)) rename(access->data);
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) {
            std::erase_if(map->private_updates, is_part);
            std::ranges::for_each(map->private_updates, rename);
        }
    }
}

namespace {

/// Gives parameters of the state's scopes other names, where `taken` holds theirs.
void rename_parameters(ir::State& state, const std::set<std::string>& taken, const ir::Sdfg& outer, const ir::Sdfg& inner) {
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    std::set<std::string> chosen;
    const auto fresh = [&](const std::string& base) {
        for (std::size_t i = 0;; ++i) {
            const std::string name = fmt::format("{}_{}", base, i);
            if (rewrite::fresh_symbol(outer, name) == name && rewrite::fresh_symbol(inner, name) == name &&
                chosen.insert(name).second)
                return name;
        }
    };
    for (const NodeId entry : ir::topological_order(state, adjacency)) {
        std::vector<std::string*> names;
        if (auto* map = std::get_if<ir::MapEntry>(&state.nodes[entry].kind))
            for (std::string& name : map->params) names.push_back(&name);
        if (auto* consume = std::get_if<ir::ConsumeEntry>(&state.nodes[entry].kind)) names.push_back(&consume->pe_index);
        for (std::string* name : names) {
            if (!taken.contains(*name)) continue;
            const symbolic::Substitution replacement{{*name, symbolic::symbol(fresh(*name))}};
            const std::vector<NodeId> within = rewrite::nodes_inside(scopes, entry);
            std::vector<EdgeId> edges;
            for (const auto& [id, edge] : state.edges)
                if (edge.src == entry || std::ranges::find(within, edge.src) != within.end()) edges.push_back(id);
            rewrite::substitute(state, within, edges, replacement);
            const std::string old = *name;
            *name = replacement.begin()->second.name();
            if (auto* map = std::get_if<ir::MapEntry>(&state.nodes[entry].kind))
                map->range = symbolic::substitute(map->range, replacement);
        }
    }
}

}  // namespace

ir::Region Inlining::translated_region(ir::Sdfg& target) const {
    const std::map<std::string, std::string> names = new_names(target);
    ir::Region region = inner_.body;
    std::set<std::string> taken = scope_names_;
    for (const auto& [name, value] : mapping_)
        if (!value.is_symbol(name)) taken.merge(symbolic::free_symbols(value));
    for (const auto& [name, argument] : arguments_)
        for (const Expr& begin : argument.begin) taken.merge(symbolic::free_symbols(begin));
    for (const auto& [name, container] : target.containers) taken.insert(name);
    ir::edit_each_state(region, [&](ir::State& state) { rename_parameters(state, taken, target, inner_); });
    // Symbols first: arguments are placed in outer terms.
    symbolic::Substitution values;
    for (const auto& [name, value] : mapping_)
        if (!value.is_symbol(name)) values.emplace(name, value);
    rewrite::substitute(region, values);
    ir::edit_each_state(region, [&](ir::State& state) { translate(state, names); });
    // Access nodes and memlets are renamed; what is left are names in expressions.
    symbolic::Substitution renamed;
    for (const auto& [from, to] : names)
        if (from != to && rewrite::used_in_control(inner_, from)) renamed.emplace(from, symbolic::symbol(to));
    if (!renamed.empty()) rewrite::substitute(region, renamed);
    return region;
}

ir::State Inlining::translated(ir::Sdfg& target) const {
    ir::Region region = translated_region(target);
    return *ir::as_state((*region.blocks.begin()).second);
}

}  // namespace sluice::transform
