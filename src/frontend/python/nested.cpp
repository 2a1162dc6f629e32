#include "frontend/python/nested.h"

#include "analysis/symbols.h"
#include "frontend/array/diagnostics.h"
#include "ir/code_block.h"
#include "ir/views.h"
#include "ir/walk.h"

namespace sluice::frontend {

using ir::Expr;

namespace {

class Touches {
public:
    explicit Touches(const ir::Sdfg& sdfg) : sdfg_(sdfg) {
        ir::for_each_state(sdfg.body, [&](const ir::State& state) { visit(state); });
        ir::for_each_region(sdfg.body, [&](const ir::Region& region) {
            ir::for_each_code(
                region, [&](const ir::CodeBlock& statement) { read_block(statement); },
                [&](const std::string& expression) { read_text(expression); });
        });
    }
    Touched result;

private:
    void read_text(const std::string& text) {
        const auto tree = ir::parsed_expr(text);
        if (!tree.ok()) return;
        for (const std::string& name : ir::free_names(**tree)) note(name, result.reads);
    }
    void read_block(const ir::CodeBlock& block) {
        const auto body = ir::parsed_body(block);
        if (!body.ok()) return;
        for (const std::string& name : ir::free_names(*body)) note(name, result.reads);
    }
    void note(const std::string& name, std::set<std::string>& into) {
        const ir::Container* container = sdfg_.containers.find(name);
        if (container && !container->transient) into.insert(name);
    }
    void visit(const ir::State& state) {
        for (const auto& [id, edge] : state.edges) {
            const auto* source = std::get_if<ir::Access>(&state.nodes[edge.src].kind);
            const auto* target = std::get_if<ir::Access>(&state.nodes[edge.dst].kind);
            if (source && !edge.memlet.empty()) note(source->data, result.reads);
            if (target && !edge.memlet.empty()) note(target->data, result.writes);
        }
    }

    const ir::Sdfg& sdfg_;
};

}  // namespace

Touched containers_touched(const ir::Sdfg& sdfg) {
    return Touches(sdfg).result;
}

std::vector<std::pair<Expr, Expr>> match_sizes(const ir::Container& formal, const std::vector<Expr>& shape,
                                               std::map<std::string, Expr>& mapping, const std::string& argument,
                                               const std::string& program, const Span& span,
                                               const symbolic::Assumptions& assumptions) {
    std::vector<std::pair<Expr, Expr>> open;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        const Expr& size = formal.shape[dim];
        const std::set<std::string> symbols = symbolic::free_symbols(size);
        if (symbols.size() == 1 && !mapping.contains(*symbols.begin())) {  // `bins + 1`
            const Expr symbol = symbolic::symbol(*symbols.begin()), rest = size - symbol;
            if (rest.is_integer() && mapping.try_emplace(symbol.name(), shape[dim] - rest).second) continue;
        }
        const symbolic::Substitution known(mapping.begin(), mapping.end());
        open.emplace_back(symbolic::substitute(size, known), shape[dim]);
        if (symbolic::is_no(symbolic::decide(symbolic::equal(symbolic::substitute(size, known), shape[dim]), assumptions)))
            refuse("F011",
                   "the argument " + argument + " of " + program + " has size " + symbolic::to_string(shape[dim]) + " where " +
                       symbolic::to_string(size) + " is wanted",
                   span, "pass an array of the declared size");
    }
    return open;
}

void give_strides(ir::Sdfg& inner, const std::string& name, const std::vector<Expr>& strides,
                  std::map<std::string, Expr>& mapping) {
    auto& layout = std::get<ir::Array>(inner.containers.at(name).kind);
    layout.strides.clear();
    for (std::size_t dim = 0; dim < strides.size(); ++dim) {
        if (strides[dim].is_integer()) {
            layout.strides.push_back(strides[dim]);
            continue;
        }
        const std::string symbol = ir::fresh_name(inner, name + "_stride" + std::to_string(dim));
        ir::add_symbol(inner, symbol);
        mapping[symbol] = strides[dim];
        layout.strides.push_back(symbolic::symbol(symbol));
    }
    // Elements from the first to the last, gaps included.
    Expr extent = 1;
    const auto& shape = inner.containers.at(name).shape;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) extent = extent + layout.strides[dim] * (shape[dim] - 1);
    layout.total_size = extent;
}

bool relies_on_layout(const ir::Sdfg& inner, const std::string& name) {
    bool relies = false;
    const auto is_nested = [](const ir::State& state, ir::NodeId node) {
        return std::holds_alternative<ir::NestedSdfg>(state.nodes[node].kind);
    };
    ir::for_each_state(inner.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        for (const auto& [id, edge] : state.edges) {
            const bool of_name = edge.memlet.data == name;
            relies = relies || (of_name && (is_nested(state, edge.src) || is_nested(state, edge.dst) ||
                                            ir::is_view_edge(inner, state, adjacency, id)));
        }
    });
    return relies;
}

void map_symbols(const ir::Sdfg& inner, std::map<std::string, Expr>& mapping, const Span&) {
    for (const std::string& name : analysis::free_symbols(inner)) mapping.try_emplace(name, symbolic::symbol(name));
    for (auto at = mapping.begin(); at != mapping.end();)
        at = inner.symbols.contains(at->first) ? std::next(at) : mapping.erase(at);
}

}  // namespace sluice::frontend
