#include "fuzz/tolerance.h"

#include <algorithm>

#include "code/reduction.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"

namespace sluice::fuzz {

namespace {

using Levels = std::map<std::string, Exactness>;

bool depends_on_order(code::ReductionType type) {
    switch (type) {
        case code::ReductionType::Sum:
        case code::ReductionType::Product:
        case code::ReductionType::Sub:
        case code::ReductionType::Div:
        case code::ReductionType::Custom:
            return true;
        case code::ReductionType::Min:
        case code::ReductionType::Max:
        case code::ReductionType::LogicalAnd:
        case code::ReductionType::LogicalOr:
        case code::ReductionType::LogicalXor:
        case code::ReductionType::BitwiseAnd:
        case code::ReductionType::BitwiseOr:
        case code::ReductionType::BitwiseXor:
        case code::ReductionType::Exchange:
            return false;
    }
    return false;
}

bool rounds(const ir::Container& container) {
    return code::is_floating(container.dtype.scalar) || code::is_complex(container.dtype.scalar);
}

class Levelling {
public:
    Levelling(const ir::Sdfg& sdfg, Levels& levels) : sdfg_(sdfg), levels_(levels) {}

    void run() {
        do {
            changed_ = false;
            ir::for_each_state(sdfg_.body, [&](const ir::State& state) { visit(state); });
        } while (changed_);
    }

private:
    Exactness level(const std::string& data) const {
        const auto found = levels_.find(std::string(ir::root_name(data)));
        return found == levels_.end() ? Exactness::Exact : found->second;
    }
    void raise(const std::string& data, Exactness to) {
        const ir::Container* container = ir::find_container(sdfg_, data);
        if (to == Exactness::Exact || !container || level(data) >= to) return;
        levels_[std::string(ir::root_name(data))] = to;
        changed_ = true;
    }

    void visit(const ir::State& state) {
        const ir::Adjacency adjacency(state);
        std::map<ir::NodeId, Exactness> computed;  // by code node: is what it read exact?
        for (const ir::NodeId id : ir::topological_order(state, adjacency)) {
            const ir::Node& node = state.nodes[id];
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) {
                visit(state, adjacency, id, *nested);
                continue;
            }
            Exactness read = Exactness::Exact;
            for (const ir::EdgeId in : adjacency.in(id)) {
                const ir::Edge& edge = state.edges[in];
                if (edge.memlet.empty()) continue;
                const auto from = computed.find(edge.src);
                if (from != computed.end() ? from->second != Exactness::Exact : level(edge.memlet.data) != Exactness::Exact)
                    read = Exactness::Derived;
            }
            if (std::holds_alternative<ir::Tasklet>(node.kind)) computed[id] = read;
            if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind))
                write(state, adjacency, id, of_library(*library, read));
            if (std::holds_alternative<ir::Tasklet>(node.kind)) write(state, adjacency, id, read);
            if (const auto* access = std::get_if<ir::Access>(&node.kind)) copies(state, adjacency, id, *access);
        }
        for (const auto& [id, edge] : state.edges) resolved(edge);
    }

    static Exactness of_library(const ir::LibraryNode& library, Exactness read) {
        if (library.operation != "Reduce" || read != Exactness::Exact) return Exactness::Derived;
        const auto wcr = library.properties.find("wcr");
        const auto* text = wcr == library.properties.end() ? nullptr : std::get_if<std::string>(&wcr->second);
        return text && !depends_on_order(ir::Resolution(*text).type()) ? Exactness::Exact : Exactness::Reassociated;
    }

    void write(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node, Exactness to) {
        for (const ir::EdgeId out : adjacency.out(node)) {
            const ir::Edge& edge = state.edges[out];
            const ir::Container* container = edge.memlet.empty() ? nullptr : ir::find_container(sdfg_, edge.memlet.data);
            if (container && (rounds(*container) || to == Exactness::Derived) && stored(state, edge)) raise(edge.memlet.data, to);
        }
    }
    static bool stored(const ir::State& state, const ir::Edge& edge) {
        const ir::Node& target = state.nodes[edge.dst];
        return std::holds_alternative<ir::Access>(target.kind) || ir::is_exit(target);
    }

    /// Between two access nodes, and between a view and what it views (both ways).
    void copies(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node, const ir::Access& access) {
        for (const ir::EdgeId in : adjacency.in(node)) {
            const ir::Edge& edge = state.edges[in];
            const auto* from = std::get_if<ir::Access>(&state.nodes[edge.src].kind);
            const std::string source = from ? from->data : edge.memlet.data;
            if (edge.memlet.empty() || source == access.data) continue;
            raise(access.data, level(source));
            const ir::Container *one = ir::find_container(sdfg_, source), *other = ir::find_container(sdfg_, access.data);
            if (one && other && (one->binding != ir::Binding::Own || other->binding != ir::Binding::Own))
                raise(source, level(access.data));
        }
    }

    void resolved(const ir::Edge& edge) {
        const ir::Container* container = edge.memlet.wcr ? ir::find_container(sdfg_, edge.memlet.data) : nullptr;
        if (container && rounds(*container) && depends_on_order(edge.memlet.wcr->type()))
            raise(edge.memlet.data, Exactness::Reassociated);
    }

    void visit(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId id, const ir::NestedSdfg& nested) {
        Levels inner;
        for (const ir::EdgeId in : adjacency.in(id)) {
            const ir::Edge& edge = state.edges[in];
            if (!edge.memlet.empty()) inner[edge.dst_connector] = level(edge.memlet.data);
        }
        Levelling(*nested.sdfg, inner).run();
        for (const ir::EdgeId out : adjacency.out(id)) {
            const ir::Edge& edge = state.edges[out];
            const auto found = inner.find(edge.src_connector);
            if (!edge.memlet.empty() && found != inner.end()) raise(edge.memlet.data, found->second);
        }
    }

    const ir::Sdfg& sdfg_;
    Levels& levels_;
    bool changed_ = false;
};

/// What takes the place of a resolution in the twin.
std::string magnitudes(const ir::Resolution& wcr) {
    switch (wcr.type()) {
        case code::ReductionType::Sum:
        case code::ReductionType::Sub:
            return "lambda a, b: abs(a) + abs(b)";
        case code::ReductionType::Product:
            return "lambda a, b: max(abs(a), 1.0) * max(abs(b), 1.0)";
        default:
            return wcr;
    }
}

void replace_resolutions(ir::Sdfg& sdfg) {
    ir::edit_each_state(sdfg.body, [&](ir::State& state) {
        for (auto [id, edge] : state.edges) {
            const ir::Container* container = edge.memlet.wcr ? ir::find_container(sdfg, edge.memlet.data) : nullptr;
            if (container && rounds(*container)) edge.memlet.wcr = magnitudes(*edge.memlet.wcr);
        }
        for (auto [id, node] : state.nodes) {
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) replace_resolutions(nested->sdfg.edit());
            auto* library = std::get_if<ir::LibraryNode>(&node.kind);
            if (!library || !library->properties.contains("wcr")) continue;
            auto* wcr = std::get_if<std::string>(&library->properties["wcr"]);
            if (wcr) *wcr = magnitudes(*wcr);
        }
    });
}

}  // namespace

std::map<std::string, Exactness> exactness_of(const ir::Sdfg& sdfg) {
    Levels levels;
    Levelling(sdfg, levels).run();
    std::erase_if(levels, [](const auto& entry) { return entry.second == Exactness::Exact; });
    return levels;
}

bool has_complex(const ir::Sdfg& sdfg) {
    bool found =
        std::ranges::any_of(sdfg.containers, [](const auto& entry) { return code::is_complex(entry.second.dtype.scalar); });
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) found = found || has_complex(*nested->sdfg);
    });
    return found;
}

ir::Sdfg magnitude_twin(const ir::Sdfg& sdfg) {
    ir::Sdfg twin = sdfg;
    replace_resolutions(twin);
    return twin;
}

}  // namespace sluice::fuzz
