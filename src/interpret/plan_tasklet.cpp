// Tasklets to programs: where each connector's value comes from and goes to.
#include <algorithm>

#include "code/assignments.h"
#include "code/walk.h"
#include "interpret/access.h"
#include "interpret/plan_builder.h"
#include "ir/code_block.h"
#include "support/words.h"

namespace sluice::interpret {

namespace {

template <class Visit> void each_expression(const code::Body& body, const Visit& visit) {
    for (const code::StmtPtr& s : body) {
        std::visit(code::Overloaded{
                       [&](const code::AssignStmt& n) {
                           for (const code::ExprPtr& target : n.targets) visit(*target);
                           visit(*n.value);
                       },
                       [&](const code::AugAssignStmt& n) { visit(*n.target), visit(*n.value); },
                       [&](const code::AnnAssignStmt& n) {
                           visit(*n.target);
                           if (n.value) visit(*n.value);
                       },
                       [&](const code::ExprStmt& n) { visit(*n.value); },
                       [&](const code::IfStmt& n) { visit(*n.condition); },
                       [&](const code::ForStmt& n) { visit(*n.iterable); },
                       [&](const code::WhileStmt& n) { visit(*n.condition); },
                       [](const auto&) {},
                   },
                   s->node);
        code::for_each_body(*s, [&](const code::Body& inner) { each_expression(inner, visit); });
    }
}

void subscripted(const code::Expr& e, std::set<std::string>& names) {
    if (const auto* subscript = std::get_if<code::SubscriptExpr>(&e.node)) names.insert(code::dotted_name(*subscript->object));
    code::for_each_child(e, [&](const code::ExprPtr& child) { subscripted(*child, names); });
}

bool is_pointer(const DType& type) {
    return type.compound && type.compound->kind == code::CompoundKind::Pointer;
}

}  // namespace

/// The connectors of a Python tasklet.
class TaskletNames : public GlobalNames {
public:
    struct In {
        DType type;
        std::optional<Value> value;
        std::uint32_t port = 0, container = 0;
    };
    struct Out {
        DType type;
        std::optional<Value> value;                                  ///< Written at the end.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;  ///< Port, container: written where it is assigned.
    };
    using GlobalNames::GlobalNames;

    std::optional<code::Type> type_of(const std::string& name) override {
        if (const auto at = in.find(name); at != in.end()) return code::Type{at->second.type, false};
        if (const auto at = out.find(name); at != out.end())
            return at->second.type.is_void() ? std::nullopt : std::optional(code::Type{at->second.type, false});
        return local.contains(name) ? std::nullopt : GlobalNames::type_of(name);
    }
    std::optional<Value> name(CodeCompiler& compiler, const std::string& name) override {
        if (in.contains(name) || out.contains(name)) {
            const auto at = in.find(name);
            const std::optional<Value>& value = at != in.end() ? at->second.value : out.at(name).value;
            return value ? value : element(compiler, name, {});
        }
        return GlobalNames::name(compiler, name);
    }
    std::optional<Value> element(CodeCompiler& compiler, const std::string& name, const std::vector<Value>& indices) override {
        std::uint32_t port = 0, container = 0;
        DType type;
        if (const auto at = in.find(name); at != in.end()) {
            if (at->second.value) return std::nullopt;
            port = at->second.port, container = at->second.container, type = at->second.type;
        } else if (const auto found = out.find(name); found != out.end()) {
            if (found->second.ports.empty()) return std::nullopt;
            port = found->second.ports[0].first, container = found->second.ports[0].second, type = found->second.type;
        } else {
            return GlobalNames::element(compiler, name, indices);
        }
        const ContainerPlan& plan = builder_.plan_of(container);
        if (plan.kind != ContainerPlan::Kind::Memory) return std::nullopt;
        const std::uint32_t first = compiler.as_indices(indices);
        const Value value = compiler.fresh(DType(plan.scalar, plan.lanes));
        compiler.emit(load_port(), value.registers[0], port, first, static_cast<std::uint32_t>(indices.size()));
        return compiler.convert(value, type);
    }
    std::optional<Value> length(CodeCompiler& compiler, const std::string& name) override {
        const auto at = in.find(name);
        if (at == in.end() || at->second.value) return GlobalNames::length(compiler, name);
        const Value value = compiler.fresh(Scalar::Int64, true);
        compiler.emit(stream_length(), value.registers[0], at->second.container);
        return value;
    }
    bool assign(CodeCompiler& compiler, const std::string& name, const Value& value) override {
        const auto at = out.find(name);
        if (at == out.end()) return false;
        const Value result = compiler.convert(value, at->second.type);
        if (at->second.value) compiler.copy(result, *at->second.value);
        for (const auto& [port, container] : at->second.ports) store(compiler, port, container, result, 0, 0);
        return true;
    }
    bool assign_element(CodeCompiler& compiler, const std::string& name, const std::vector<Value>& indices,
                        const Value& value) override {
        const auto at = out.find(name);
        if (at == out.end() || at->second.ports.empty()) return false;
        const std::uint32_t first = compiler.as_indices(indices);
        for (const auto& [port, container] : at->second.ports)
            store(compiler, port, container, compiler.convert(value, at->second.type), first,
                  static_cast<std::uint32_t>(indices.size()));
        return true;
    }

    std::map<std::string, In> in;
    std::map<std::string, Out> out;
    std::set<std::string> local;  ///< Given a value by the code: no names of the graph's, whatever it declares.

private:
    void store(CodeCompiler& compiler, std::uint32_t port, std::uint32_t container, const Value& value, std::uint32_t first,
               std::uint32_t count) {
        const ContainerPlan& plan = builder_.plan_of(container);
        const DType type(plan.scalar, plan.lanes);
        const Value stored = compiler.fresh(type);
        compiler.copy(compiler.convert(value, type), stored);
        compiler.emit(store_port(), stored.registers[0], port, first, count);
    }
};

const Wire* PlanBuilder::wire(const StateView& view, ir::EdgeId edge) const {
    const ir::Edge& first = view.state.edges[view.first_edge(edge)];
    const auto found = wires_.find({&view.state, first.src, first.src_connector});
    return found == wires_.end() ? nullptr : &found->second;
}

Wire& PlanBuilder::add_wire(const StateView& view, ir::NodeId node, const std::string& connector, Scalar scalar,
                            std::uint32_t lanes) {
    Wire& wire = wires_[{&view.state, node, connector}];
    wire = {plan_->wires, scalar, lanes};
    plan_->wires += lanes;
    return wire;
}

namespace {

/// A vector out of an array of scalars.
bool takes_lanes(const DType& connector, const ContainerPlan& container) {
    return connector.is_vector() && container.kind == ContainerPlan::Kind::Memory && container.lanes == 1 &&
           container.scalar == connector.scalar;
}

}  // namespace

TaskletPlan PlanBuilder::tasklet(const StateView& view, ir::NodeId id, const std::string& path) {
    const ir::Node& node = view.node(id);
    const auto& source = std::get<ir::Tasklet>(node.kind);
    if (source.code.language != ir::Language::Python) return foreign_tasklet(view, id, path);
    const code::Body body = ir::parsed_body(source.code, node.metadata.where).or_fail();
    std::set<std::string> indexed;
    each_expression(body, [&](const code::Expr& e) { subscripted(e, indexed); });
    TaskletPlan plan;
    plan.program = std::make_shared<Program>();
    TaskletNames names(*this);
    names.local = ir::assigned_names(body);
    CodeCompiler compiler(*plan.program, names, path);
    for (const ir::EdgeId e : view.adjacency.in(id)) {
        const ir::Edge& edge = view.state.edges[e];
        if (edge.dst_connector.empty()) continue;
        const DType declared = node.in.at(edge.dst_connector);
        InputPlan input;
        input.name = edge.dst_connector;
        TaskletNames::In in;
        if (const Wire* from = wire(view, e)) {
            input.kind = InputPlan::Kind::Wire;
            input.source = from->first, input.from_type = from->scalar, input.lanes = from->lanes;
            in.type = declared.is_void() || declared.compound ? DType(from->scalar, from->lanes) : declared;
        } else {
            input.section = section(edge.memlet.data, edge.memlet.subset, path);
            input.section.allow_oob = edge.memlet.allow_oob;
            in.container = input.section.container;
            const ContainerPlan& container = plan_of(in.container);
            in.type = declared.is_void() || declared.compound ? DType(container.scalar, container.lanes) : declared;
            input.from_type = container.scalar, input.lanes = container.lanes;
            const bool stream = container.kind == ContainerPlan::Kind::Stream;
            const bool port =
                stream ? edge.memlet.dynamic
                       : indexed.contains(input.name) || !input.section.single || edge.memlet.dynamic || is_pointer(declared);
            input.kind = port ? InputPlan::Kind::Port : stream ? InputPlan::Kind::Pop : InputPlan::Kind::Element;
            if (port && !edge.memlet.dynamic && !indexed.contains(input.name) && takes_lanes(declared, container)) {
                input.kind = InputPlan::Kind::Lanes;
                input.lanes = declared.lanes;
            }
        }
        input.to_type = in.type.scalar;
        if (input.kind == InputPlan::Kind::Port)
            input.to = in.port = plan.port_count++;
        else {
            in.value = compiler.fresh(DType(in.type.scalar, input.lanes));
            input.to = in.value->registers[0];
        }
        names.in.emplace(input.name, in);
        plan.inputs.push_back(std::move(input));
    }
    // Outputs: types first, as the code may decide them.
    for (const auto& [name, declared] : node.out) {
        TaskletNames::Out out;
        if (!declared.is_void() && !declared.compound)
            out.type = declared;
        else
            for (const ir::EdgeId e : view.adjacency.out(id))
                if (out.type.is_void() && view.state.edges[e].src_connector == name && !view.state.edges[e].memlet.empty())
                    if (const auto at = container(view.state.edges[e].memlet.data))
                        out.type = DType(plan_of(*at).scalar, plan_of(*at).lanes);
        names.out.emplace(name, out);
    }
    Result<std::map<std::string, code::Type>> inferred =
        code::infer_locals(body, [&](const std::string& name) { return names.type_of(name); });
    if (!inferred) {
        Diagnostic diagnostic = inferred.error();
        if (diagnostic.path.empty()) diagnostic.path = path;
        fail(std::move(diagnostic));
    }
    for (auto& [name, out] : names.out)
        if (const auto type = inferred->find(name); out.type.is_void() && type != inferred->end()) out.type = type->second.dtype;
    for (const ir::EdgeId e : view.adjacency.out(id)) {
        const ir::Edge& edge = view.state.edges[e];
        if (edge.src_connector.empty()) continue;
        const std::string& name = edge.src_connector;
        TaskletNames::Out& out = names.out.at(name);
        OutputPlan output;
        output.name = name;
        output.lanes = out.type.lanes;
        output.from_type = out.type.scalar;
        const ir::Node& target = view.node(edge.dst);
        const bool stored = std::holds_alternative<ir::Access>(target.kind) || view.is_exit(edge.dst);
        if (!stored) {
            const Wire* known = wire(view, e);
            const Wire& to = known ? *known : add_wire(view, id, name, out.type.scalar, out.type.lanes);
            output.kind = OutputPlan::Kind::Wire;
            output.target = to.first;
        } else {
            output.section = section(edge.memlet.data, edge.memlet.subset, path);
            output.section.allow_oob = edge.memlet.allow_oob;
            output.resolution = resolution(edge.memlet.wcr, output.section.container, path);
            const bool stream = plan_of(output.section.container).kind == ContainerPlan::Kind::Stream;
            const bool lanes = takes_lanes(out.type, plan_of(output.section.container));
            const bool late = !stream && !edge.memlet.dynamic && (output.section.single || lanes) && !indexed.contains(name) &&
                              code::assigned_on_every_path(body, name);
            output.kind = late ? OutputPlan::Kind::Element : OutputPlan::Kind::Port;
            if (late && lanes) output.kind = OutputPlan::Kind::Lanes;
        }
        if (output.kind == OutputPlan::Kind::Port) {
            output.from = plan.port_count++;
            out.ports.emplace_back(output.from, output.section.container);
        } else {
            if (!out.value) out.value = compiler.fresh(out.type);
            output.from = out.value->registers[0];
        }
        plan.outputs.push_back(std::move(output));
    }
    compiler.body(body);
    compiler.finish();
    return plan;
}

namespace {}  // namespace

TaskletPlan PlanBuilder::foreign_tasklet(const StateView& view, ir::NodeId id, const std::string& path) {
    const ir::Node& node = view.node(id);
    const auto& source = std::get<ir::Tasklet>(node.kind);
    if (!options_.compile_tasklet || source.code.language != ir::Language::CPP)
        fail({"I007",
              "tasklet `" + source.label + "` is written in " + std::string(ir::to_string(source.code.language)),
              node.metadata.where,
              path,
              "write it in Python, or give the interpreter a compiler",
              {}});
    TaskletPlan plan;
    plan.program = std::make_shared<Program>();
    ForeignTasklet foreign{source.label, source.code.language, source.code.text, source.code_global.text, {}};
    const auto add = [&](const std::string& name, const DType& type, bool pointer, bool constant, TaskletPlan::ForeignName at) {
        foreign.names.push_back({name, type, pointer, constant});
        plan.foreign_names.push_back(at);
    };
    const auto add_register = [&] {
        plan.program->registers.emplace_back();
        return static_cast<std::uint32_t>(plan.program->registers.size() - 1);
    };
    const auto element_type = [&](const DType& declared, Scalar scalar, std::uint32_t lanes) {
        if (lanes > 1)
            fail({"I007", "a vector enters the tasklet `" + source.label + "`", {}, path, "write the tasklet in Python", {}});
        return declared.is_void() || declared.compound ? DType(scalar) : declared;
    };
    for (const ir::EdgeId e : view.adjacency.in(id)) {
        const ir::Edge& edge = view.state.edges[e];
        if (edge.dst_connector.empty()) continue;
        const DType declared = node.in.at(edge.dst_connector);
        InputPlan input;
        input.name = edge.dst_connector;
        DType type;
        if (const Wire* from = wire(view, e)) {
            input.kind = InputPlan::Kind::Wire;
            input.source = from->first, input.from_type = from->scalar;
            type = element_type(declared, from->scalar, from->lanes);
        } else {
            input.section = section(edge.memlet.data, edge.memlet.subset, path);
            const ContainerPlan& container = plan_of(input.section.container);
            const bool stream = container.kind == ContainerPlan::Kind::Stream;
            if (stream && edge.memlet.dynamic)
                fail({"I007", "a C++ tasklet pops from a stream by itself", {}, path, "write it in Python", {}});
            type = element_type(declared, container.scalar, container.lanes);
            input.from_type = container.scalar;
            input.kind = stream                                          ? InputPlan::Kind::Pop
                         : is_pointer(declared) || !input.section.single ? InputPlan::Kind::Port
                                                                         : InputPlan::Kind::Element;
        }
        input.to_type = type.scalar;
        const bool port = input.kind == InputPlan::Kind::Port;
        input.to = port ? plan.port_count++ : add_register();
        add(input.name, type, port, true, {port, false, input.to});
        plan.inputs.push_back(std::move(input));
    }
    std::map<std::string, std::uint32_t> places;
    for (const ir::EdgeId e : view.adjacency.out(id)) {
        const ir::Edge& edge = view.state.edges[e];
        if (edge.src_connector.empty()) continue;
        const DType declared = node.out.at(edge.src_connector);
        OutputPlan output;
        output.name = edge.src_connector;
        DType type = declared;
        if (std::holds_alternative<ir::Access>(view.node(edge.dst).kind) || view.is_exit(edge.dst)) {
            output.section = section(edge.memlet.data, edge.memlet.subset, path);
            const ContainerPlan& container = plan_of(output.section.container);
            if (container.kind == ContainerPlan::Kind::Stream)
                fail({"I007", "a C++ tasklet pushes to a stream by itself", {}, path, "write it in Python", {}});
            type = element_type(declared, container.scalar, container.lanes);
            output.resolution = resolution(edge.memlet.wcr, output.section.container, path);
            output.kind = is_pointer(declared) || !output.section.single ? OutputPlan::Kind::Port : OutputPlan::Kind::Element;
        } else {
            if (!declared.is_scalar()) fail({"I007", "the connector " + output.name + " has no type", {}, path, "give it one", {}});
            output.kind = OutputPlan::Kind::Wire;
            const Wire* known = wire(view, e);
            output.target = (known ? *known : add_wire(view, id, output.name, type.scalar, 1)).first;
        }
        output.from_type = type.scalar;
        const bool port = output.kind == OutputPlan::Kind::Port;
        const auto [place, added] = places.try_emplace(output.name, 0u);
        if (added || port) {
            place->second = port ? plan.port_count++ : add_register();
            if (added) add(output.name, type, port, false, {port, false, place->second});
        }
        output.from = place->second;
        plan.outputs.push_back(std::move(output));
    }
    for (const std::string& name : std::set<std::string>(visible_.begin(), visible_.end()))
        if (mentions_word(source.code.text, name) && !node.in.contains(name) && !node.out.contains(name))
            add(name, symbol(name).type, false, true, {false, true, slot(name)});
    plan.foreign = options_.compile_tasklet(foreign).or_fail();
    plan.program->instructions.push_back({});
    return plan;
}

}  // namespace sluice::interpret
