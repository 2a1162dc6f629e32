#include "ir/query.h"

#include <algorithm>
#include <set>

#include "code/walk.h"
#include "ir/walk.h"
#include "support/words.h"

namespace sluice::ir {

namespace {

const Structure* members_of(const Container& container) {
    if (const auto* structure = std::get_if<Structure>(&container.kind)) return structure;
    const auto* array = std::get_if<ContainerArray>(&container.kind);
    return array && array->element ? members_of(**array->element) : nullptr;
}

}  // namespace

std::string_view root_name(std::string_view dotted) {
    return dotted.substr(0, dotted.find('.'));
}

const Container* find_container(const Sdfg& sdfg, std::string_view dotted) {
    const Container* container = sdfg.containers.find(root_name(dotted));
    while (container && dotted.find('.') != std::string_view::npos) {
        dotted.remove_prefix(dotted.find('.') + 1);
        const Structure* structure = members_of(*container);
        const Cow<Container>* member = structure ? structure->members.find(root_name(dotted)) : nullptr;
        container = member ? &**member : nullptr;
    }
    return container;
}

DType structure_type(const Structure& structure) {
    std::vector<std::pair<std::string, DType>> fields;
    for (const auto& [name, member] : structure.members) {
        const bool by_value = std::holds_alternative<Scalar>(member->kind) || std::holds_alternative<Structure>(member->kind);
        fields.emplace_back(name, by_value ? member->dtype : DType::pointer(member->dtype));
    }
    return DType::pointer(DType::structure(structure.name, std::move(fields)));
}

bool has_side_effects(const Tasklet& tasklet) {
    return tasklet.side_effects.value_or(tasklet.code.text.find("printf(") != std::string::npos);
}

bool is_entry(const Node& node) {
    return std::holds_alternative<MapEntry>(node.kind) || std::holds_alternative<ConsumeEntry>(node.kind);
}

bool is_exit(const Node& node) {
    return std::holds_alternative<MapExit>(node.kind) || std::holds_alternative<ConsumeExit>(node.kind);
}

NodeId entry_of_exit(const Node& node) {
    if (const auto* map = std::get_if<MapExit>(&node.kind)) return map->entry;
    if (const auto* consume = std::get_if<ConsumeExit>(&node.kind)) return consume->entry;
    return {};
}

bool updates_output(const LibraryNode& node) {
    const auto property = [&](const char* name) {
        const auto at = node.properties.find(name);
        return at == node.properties.end() ? Property() : at->second;
    };
    if (node.operation == "Reduce") return std::holds_alternative<std::monostate>(property("identity"));
    return std::visit(code::Overloaded{
                          [](std::monostate) { return false; },
                          [](bool beta) { return beta; },
                          [](std::int64_t beta) { return beta != 0; },
                          [](double beta) { return beta != 0; },
                          [](const std::string& beta) { return beta != "0" && beta != "0.0"; },
                          [](const Expr& beta) { return !beta.is_integer(0); },
                          [](const std::vector<std::int64_t>&) { return true; },
                      },
                      property("beta"));
}

std::vector<std::string> assigned_symbols(const Sdfg& sdfg) {
    const std::set<std::string> names = assigned_symbols(sdfg.body);
    return {names.begin(), names.end()};
}

std::vector<std::string> arguments(const Sdfg& sdfg) {
    std::vector<std::string> result = sdfg.arg_names;
    const std::set<std::string> listed(result.begin(), result.end());
    const std::vector<std::string> assigned = assigned_symbols(sdfg);
    std::set<std::string> rest;
    for (const auto& [name, container] : sdfg.containers)
        if (!container.transient && !listed.contains(name)) rest.insert(name);
    for (const auto& [name, type] : sdfg.symbols)
        if (!listed.contains(name) && !sdfg.constants.contains(name) && !std::ranges::binary_search(assigned, name))
            rest.insert(name);
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}

bool lies_in_constant_memory(const Container& container) {
    const auto found = container.location.find(kMemoryLocation);
    return found != container.location.end() && found->second == kConstantMemory;
}

bool is_identifier(std::string_view name) {
    return !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, is_word_part);
}

}  // namespace sluice::ir
