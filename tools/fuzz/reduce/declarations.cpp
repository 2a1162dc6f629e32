// Fewer, smaller and plainer containers; fewer and smaller symbols.
#include <algorithm>

#include "fuzz/reduce/edits.h"
#include "ir/query.h"

namespace sluice::fuzz {

namespace {

bool mentions(const ir::Region& region, const std::string& name) {
    for (auto [id, block] : region.blocks) {
        const ir::State* state = ir::as_state(block);
        if (!state) continue;
        for (auto [node_id, node] : state->nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            if (access && ir::root_name(access->data) == name) return true;
        }
    }
    return false;
}

bool is_used(TestCase& test, const std::string& name) {
    return std::ranges::any_of(regions_of(test.sdfg), [&](const ir::Region* region) { return mentions(*region, name); });
}

/// All at once: what the graph lost the use of.
bool drop_unused(TestCase& test, std::size_t at) {
    if (at > 0) return false;
    for (ir::Sdfg* graph : graphs_of(test.sdfg)) {
        std::vector<std::string> gone;
        for (const auto& [name, container] : graph->containers)
            if ((graph == &test.sdfg || container.transient) && !is_used(test, name)) gone.push_back(name);
        for (const std::string& name : gone) {
            graph->containers.erase(name);
            std::erase(graph->arg_names, name);
        }
    }
    return true;
}

bool drop_container(TestCase& test, std::size_t at) {
    for (ir::Sdfg* graph : graphs_of(test.sdfg)) {
        if (at >= graph->containers.size()) {
            at -= graph->containers.size();
            continue;
        }
        std::string name;
        for (const auto& [each, container] : graph->containers)
            if (at-- == 0) name = each;
        graph->containers.erase(name);
        std::erase(graph->arg_names, name);
        return true;
    }
    return false;
}

/// The same type and shape for containers of one name in every graph that a call hands on is not known here: edits that break calls
/// are refused by the verifier.
bool plainer(TestCase& test, std::size_t at) {
    for (ir::Sdfg* graph : graphs_of(test.sdfg))
        for (auto& [name, container] : graph->containers) {
            constexpr std::size_t kOptions = 6;
            const std::size_t options = kOptions + 2 * container.shape.size();
            if (at >= options) {
                at -= options;
                continue;
            }
            auto* array = std::get_if<ir::Array>(&container.kind);
            if (at == 0) container.dtype = code::Scalar::Int64;
            if (at == 1) container.dtype = code::Scalar::Float64;
            if (at == 2) container.storage = ir::Storage::Default;
            if (at == 3) container.lifetime = ir::Lifetime::Scope;
            if (at == 4 && array) *array = {};
            if (at == 5 && container.binding == ir::Binding::Own && !std::holds_alternative<ir::Stream>(container.kind))
                container.transient = false, container.lifetime = ir::Lifetime::Scope;
            if (at >= kOptions) {
                ir::Expr& extent = container.shape[(at - kOptions) / 2];
                if (array) *array = {};
                extent = (at - kOptions) % 2 == 0 ? 1 : 2;
            }
            return true;
        }
    return false;
}

bool smaller_values(TestCase& test, std::size_t at) {
    if (at == 0) {
        test.inputs = 1;
        return true;
    }
    --at;
    for (auto& [name, value] : test.symbols) {
        if (at >= 2) {
            at -= 2;
            continue;
        }
        value = at == 0 ? 1 : 2;
        return true;
    }
    return false;
}

bool drop_symbol(TestCase& test, std::size_t at) {
    for (ir::Sdfg* graph : graphs_of(test.sdfg)) {
        if (at >= graph->symbols.size()) {
            at -= graph->symbols.size();
            continue;
        }
        const std::string name = std::next(graph->symbols.begin(), static_cast<std::ptrdiff_t>(at))->first;
        graph->symbols.erase(name);
        if (graph == &test.sdfg) test.symbols.erase(name);
        return true;
    }
    return false;
}

}  // namespace

std::vector<EditFamily> declaration_edits() {
    return {{"drop what is unused", drop_unused},
            {"drop containers", drop_container},
            {"drop symbols", drop_symbol},
            {"plainer containers", plainer},
            {"smaller values", smaller_values}};
}

}  // namespace sluice::fuzz
