#include "lower/tasklets.h"

#include "code/assignments.h"
#include "ir/code_block.h"
#include "loop/identifier.h"
#include "lower/element_types.h"
#include "lower/extern.h"
#include "lower/statements.h"
#include "lower/streams.h"
#include "lower/writes.h"
#include "support/words.h"

namespace sluice::lower {

namespace {

bool carries_wire(const StateContext& state, ir::EdgeId edge) {
    const ir::Edge& e = state.state.edges[edge];
    return state.wires.contains({e.src, e.src_connector});
}

// The type of a connector: declared, or its container's.
DType connector_type(const DType& declared, const std::optional<Location>& location) {
    if (declared.compound && declared.compound->kind == code::CompoundKind::Pointer && location) return location->element_type();
    if (!declared.is_void()) return declared;
    return location ? location->element_type() : DType();
}

// A vector of neighbours in an array of scalars.
bool takes_lanes(const DType& connector, const Location& location) {
    return connector.is_vector() && location.slot->kind == Slot::Kind::Buffer && location.element_type() == DType(connector.scalar);
}

InputConnector input_connector(StateContext& state, NodeId node, ir::EdgeId id, const std::string& name, bool pointer, Body& body) {
    const ir::Edge& edge = state.state.edges[id];
    const DType declared = state.node(node).in.at(name);
    InputConnector connector{id, declared, nullptr, std::nullopt};
    if (carries_wire(state, id)) {
        const ValuePtr wire = state.wires.at({edge.src, edge.src_connector});
        connector.type = declared.is_void() ? wire->type : declared;
        connector.value = convert(wire, connector.type);
        return connector;
    }
    connector.location = locate(state, edge.memlet.data, edge.memlet.subset, node);
    connector.type = connector_type(declared, connector.location);
    const bool stream = connector.location->slot->kind == Slot::Kind::Stream;
    if (stream && edge.memlet.dynamic) return connector;
    if (takes_lanes(declared, *connector.location)) {
        const std::string variable = state.function.names.fresh(name);
        const ValuePtr first = loop::index_value(connector.location->first());
        emit(body, loop::Declare{variable, declared, loop::load(connector.location->slot->name, first, declared), true});
        connector.value = loop::variable(variable, declared);
        return connector;
    }
    if (!stream && (pointer || !connector.location->single() || edge.memlet.dynamic)) return connector;
    const ValuePtr value = read_edge(state, id, name, body);
    if (stream) {
        connector.value = convert(value, connector.type);
        return connector;
    }
    const std::string variable = state.function.names.fresh(name);
    emit(body, loop::Declare{variable, connector.type, convert(value, connector.type), true});
    connector.value = loop::variable(variable, connector.type);
    return connector;
}

std::map<std::string, OutputConnector> output_connectors(StateContext& state, NodeId node) {
    std::map<std::string, OutputConnector> result;
    for (const ir::EdgeId id : state.adjacency.out(node)) {
        const ir::Edge& edge = state.state.edges[id];
        if (edge.src_connector.empty()) continue;
        OutputConnector& connector = result[edge.src_connector];
        connector.edges.push_back(id);
        if (!edge.memlet.empty() && state.function.slots.contains(edge.memlet.data) && !connector.location)
            connector.location = locate(state, edge.memlet.data, edge.memlet.subset, node);
        connector.type = connector_type(state.node(node).out.at(edge.src_connector), connector.location);
    }
    return result;
}

bool feeds_code(const StateContext& state, const OutputConnector& connector) {
    for (const ir::EdgeId edge : connector.edges) {
        const ir::Node& node = state.node(state.state.edges[edge].dst);
        if (std::holds_alternative<ir::Tasklet>(node.kind) || std::holds_alternative<ir::NestedSdfg>(node.kind)) return true;
    }
    return false;
}

bool is_dynamic(const StateContext& state, const OutputConnector& connector) {
    for (const ir::EdgeId edge : connector.edges)
        if (state.state.edges[edge].memlet.dynamic) return true;
    return connector.location && connector.location->slot->kind == Slot::Kind::Stream;
}

// Results that wait for the end of the tasklet get a local; others are written where they are assigned.
void choose_locals(StateContext& state, ConnectorTable& table, const code::Body& code, const std::set<std::string>& subscripted) {
    for (auto& [name, connector] : table.out) {
        const bool lanes = connector.location && takes_lanes(connector.type, *connector.location);
        const bool pointer = subscripted.contains(name) || (connector.location && !connector.location->single() && !lanes);
        const bool late = !pointer && !is_dynamic(state, connector) && code::assigned_on_every_path(code, name);
        if (late || feeds_code(state, connector)) connector.variable = state.function.names.fresh(name);
    }
}

/// What an update combines: the expression that the tasklet ends with, so that a sum sees the products in it; else the variable.
ValuePtr update_value(const StateContext& state, const OutputConnector& connector, Body& body) {
    const auto* last = body.empty() ? nullptr : std::get_if<loop::Declare>(&body.back().node);
    if (!last || last->name != connector.variable || !last->value || !(last->type == connector.type)) return nullptr;
    if (connector.edges.size() != 1 || !state.state.edges[connector.edges[0]].memlet.wcr) return nullptr;
    const ValuePtr value = last->value;
    body.pop_back();
    return value;
}

void write_results(StateContext& state, NodeId node, const ConnectorTable& table, Body& body) {
    for (const auto& [name, connector] : table.out) {
        if (connector.variable.empty()) continue;
        const ValuePtr direct = update_value(state, connector, body);
        const ValuePtr value = direct ? direct : loop::variable(connector.variable, connector.type);
        for (const ir::EdgeId edge : connector.edges) {
            const ir::Node& target = state.node(state.state.edges[edge].dst);
            if (std::holds_alternative<ir::Tasklet>(target.kind) || std::holds_alternative<ir::NestedSdfg>(target.kind))
                state.wires.insert_or_assign({node, name}, value);
            else
                write_edge(state, edge, nullptr, value, body);
        }
    }
}

void lower_python(StateContext& state, NodeId node, const ir::Tasklet& tasklet, Body& body) {
    const code::Body code = ir::parsed_body(tasklet.code, state.node(node).metadata.where).or_fail();
    const std::set<std::string> subscripted = subscripted_names(code);
    ConnectorTable table;
    for (const ir::EdgeId edge : state.adjacency.in(node)) {
        const std::string& name = state.state.edges[edge].dst_connector;
        if (!name.empty()) table.in.emplace(name, input_connector(state, node, edge, name, subscripted.contains(name), body));
    }
    table.out = output_connectors(state, node);
    choose_locals(state, table, code, subscripted);
    PythonTasklet(state, node, table, code).lower(body);
    write_results(state, node, table, body);
}

// ---- the target's language ----------------------------------------------------------------------------------------------

// The user's text knows connectors and symbols by their own names; where a name is taken outside, a reference carries it in, or a
// macro, where the language has no references. A text that says `int` means the type, whatever is called so in the graph.
class VerbatimText {
public:
    explicit VerbatimText(ir::Language language) : references_(language == ir::Language::CPP) {}

    std::string local_name(FunctionContext& function, const std::string& name) {
        const std::string local = function.names.fresh(name);
        rename(name, local);
        return local;
    }
    void rename(const std::string& name, const std::string& local) {
        if (local == name || !loop::is_identifier(name)) return;
        prefix_ += references_ ? "auto& " + name + " = " + local + ";\n" : "#define " + name + " " + local + "\n";
        if (!references_) suffix_ += "\n#undef " + name;
    }
    std::string with(const std::string& code) const { return prefix_ + code + suffix_; }

private:
    bool references_;
    std::string prefix_, suffix_;
};

void bind_pointer(StateContext& state, VerbatimText& text, const std::string& name, const Location& location, Body& body) {
    if (location.slot->kind == Slot::Kind::Stream || location.slot->kind == Slot::Kind::Variable)
        return text.rename(name, location.slot->name);
    emit(body, loop::Alias{text.local_name(state.function, name), location.element_type(), address_of(location), false});
}

bool wants_pointer(const DType& declared, const Location& location) {
    const bool pointer = declared.compound && declared.compound->kind == code::CompoundKind::Pointer;
    const bool structure = std::holds_alternative<ir::Structure>(location.slot->container->kind);
    return pointer || structure || !location.single() || location.slot->kind == Slot::Kind::Stream;
}

void lower_verbatim(StateContext& state, NodeId node, const ir::Tasklet& tasklet, Body& body) {
    VerbatimText text(tasklet.code.language);
    for (const ir::EdgeId id : state.adjacency.in(node)) {
        const ir::Edge& edge = state.state.edges[id];
        const std::string& name = edge.dst_connector;
        if (name.empty()) continue;
        if (!carries_wire(state, id)) {
            const Location location = locate(state, edge.memlet.data, edge.memlet.subset, node);
            const bool popped = location.slot->kind == Slot::Kind::Stream && !edge.memlet.dynamic;
            if (!popped && wants_pointer(state.node(node).in.at(name), location)) {
                bind_pointer(state, text, name, location, body);
                continue;
            }
        }
        const ValuePtr value = read_edge(state, id, name + "_in", body);
        const DType declared = state.node(node).in.at(name);
        const DType type = declared.is_void() ? value->type : declared;
        emit(body, loop::Declare{text.local_name(state.function, name), type, convert(value, type), false});
    }
    ConnectorTable table;
    table.out = output_connectors(state, node);
    for (auto& [name, connector] : table.out) {
        const DType declared = state.node(node).out.at(name);
        if (connector.location && wants_pointer(declared, *connector.location)) {
            bind_pointer(state, text, name, *connector.location, body);
            continue;
        }
        connector.variable = text.local_name(state.function, name);
        const bool keeps = is_dynamic(state, connector) && connector.location && !state.state.edges[connector.edges[0]].memlet.wcr;
        emit(body, loop::Declare{connector.variable, connector.type,
                                 keeps ? convert(read(*connector.location), connector.type) : nullptr, false});
    }
    for (const auto& [name, symbol] : state.function.symbols)
        if (symbol.name != name && mentions_word(tasklet.code.text, name)) text.rename(name, symbol.name);
    for (const auto& [name, constant] : state.function.sdfg.constants)
        if (const auto slot = state.function.slots.find(name);
            slot != state.function.slots.end() && slot->second.name != name && mentions_word(tasklet.code.text, name))
            text.rename(name, slot->second.name);
    emit(body, loop::Verbatim{text.with(tasklet.code.text)}, state.node(node).metadata.where);
    write_results(state, node, table, body);
}

void add_text(std::string& code, const std::string& text) {
    if (!text.empty() && code.find(text) == std::string::npos) code += text + "\n";
}

}  // namespace

ValuePtr read_edge(StateContext& state, ir::EdgeId id, const std::string& name_hint, Body& body) {
    const ir::Edge& edge = state.state.edges[id];
    if (carries_wire(state, id)) return state.wires.at({edge.src, edge.src_connector});
    const Location location = locate(state, edge.memlet.data, edge.memlet.subset, edge.dst);
    if (location.slot->kind == Slot::Kind::Stream) {
        const PathEnd source = path_source(state, id);
        const ir::Edge& outer = state.state.edges[source.edge];
        if (const auto wire = state.wires.find({outer.src, outer.src_connector}); wire != state.wires.end()) return wire->second;
        return pop(state, location, name_hint, body);
    }
    return read(location);
}

void lower_tasklet(StateContext& state, NodeId node, Body& body) {
    const auto& tasklet = std::get<ir::Tasklet>(state.node(node).kind);
    for (const ir::EdgeId id : state.adjacency.in(node)) {
        const ir::Memlet& memlet = state.state.edges[id].memlet;
        if (!memlet.prefetch || carries_wire(state, id)) continue;
        const Location later = locate(state, memlet.data, memlet.prefetch, node);
        if (later.slot->kind == Slot::Kind::Buffer) emit(body, loop::Prefetch{address_of(later)});
    }
    for (const auto* connectors : {&state.node(node).in, &state.node(node).out})
        for (const auto& [name, type] : *connectors)
            require_computable(type, "connector `" + name + "`", state.node(node).metadata.where, state.path_of(node));
    for (const std::string& field : tasklet.state_fields)
        add_text(state.function.module.state_fields, field.ends_with(';') ? field : field + ";");
    add_text(state.function.module.module.global_code, tasklet.code_global.text);
    add_text(state.function.module.module.init_code, tasklet.code_init.text);
    add_text(state.function.module.module.exit_code, tasklet.code_exit.text);
    for (const std::string& environment : tasklet.environments) use_environment(state, node, environment);
    if (tasklet.code.language == ir::Language::Python) return lower_python(state, node, tasklet, body);
    lower_verbatim(state, node, tasklet, body);
}

}  // namespace sluice::lower
