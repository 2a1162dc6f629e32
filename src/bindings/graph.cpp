// The SDFG from Python: declarations, control flow, reading and writing.
#include "bindings/graph.h"

#include <fstream>

#include "bindings/fields.h"
#include "bindings/marks.h"
#include "bindings/start.h"
#include "driver/compile.h"
#include "driver/construction.h"
#include "driver/formats.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::bindings {

// ---- paths --------------------------------------------------------------------------------------------------------------
namespace {

/// The region that holds what the path names, for writing if the SDFG is; null where it names none.
template <class Region, class SdfgType> Region* find_region(SdfgType& sdfg, const Path& path) {
    Region* region = &sdfg.body;
    for (std::size_t at = 0; at + 1 < path.size(); at += 2) {
        if (!region->blocks.contains(ir::BlockId(path[at]))) return nullptr;
        auto& block = region->blocks[ir::BlockId(path[at])];
        if (auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
            region = &loop->body;
        else if (auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind);
                 conditional && path[at + 1] < conditional->branches.size())
            region = &conditional->branches[path[at + 1]].body;
        else if (auto* named = std::get_if<ir::NamedRegion>(&block.kind))
            region = &named->body;
        else
            return nullptr;
    }
    return region;
}

template <class Region, class SdfgType> Region& region_of(SdfgType& sdfg, const Path& path) {
    auto* region = find_region<Region>(sdfg, path);
    if (!region) refuse_removed("region");
    return *region;
}

/// The nested graph of a node; null where there is no such node, or another one.
const ir::NestedSdfg* find_nested(const ir::Sdfg& sdfg, const Path& path, std::uint32_t node) {
    const auto* region = find_region<const ir::Region>(sdfg, path);
    const ir::BlockId block(path.back());
    const ir::State* state = region && region->blocks.contains(block) ? ir::as_state(region->blocks[block]) : nullptr;
    return state && state->nodes.contains(ir::NodeId(node)) ? std::get_if<ir::NestedSdfg>(&state->nodes[ir::NodeId(node)].kind)
                                                            : nullptr;
}

}  // namespace

const ir::Region& Graph::region(const Path& path) const {
    return region_of<const ir::Region>(sdfg, path);
}

bool Graph::has_region(const Path& path) const {
    return find_region<const ir::Region>(sdfg, path) != nullptr;
}

const ir::Block& Graph::block(const Path& path) const {
    check(!path.empty(), "an empty path names no block");
    return present(region(Path(path.begin(), path.end() - 1)).blocks, ir::BlockId(path.back()), "block");
}

const ir::State& Graph::state(const Path& path) const {
    const ir::State* state = ir::as_state(block(path));
    check(state != nullptr, "the block is not a state");
    return *state;
}

const ir::Node& Graph::node(const Path& path, std::uint32_t id) const {
    return present(state(path).nodes, ir::NodeId(id), "node");
}

const ir::Edge& Graph::edge(const Path& path, std::uint32_t id) const {
    return present(state(path).edges, ir::EdgeId(id), "edge");
}

ir::Region& Graph::edit_region(const Path& path) {
    ++version;
    return region_of<ir::Region>(sdfg, path);
}

ir::Block& Graph::edit_block(const Path& path) {
    check(!path.empty(), "an empty path names no block");
    return present(edit_region(Path(path.begin(), path.end() - 1)).blocks, ir::BlockId(path.back()), "block");
}

ir::State& Graph::edit_state(const Path& path) {
    ir::State* state = ir::as_state(edit_block(path));
    check(state != nullptr, "the block is not a state");
    return *state;
}

ir::Node& Graph::edit_node(const Path& path, std::uint32_t id) {
    return present(edit_state(path).nodes, ir::NodeId(id), "node");
}

ir::Edge& Graph::edit_edge(const Path& path, std::uint32_t id) {
    return present(edit_state(path).edges, ir::EdgeId(id), "edge");
}

void fill_ports(ir::State& state) {
    using Arriving = std::pair<ir::NodeId, std::string>;  // at a scope node, the data of a container
    std::map<Arriving, int> portless;
    for (auto [id, edge] : state.edges)
        if (const ir::Node& node = state.nodes[edge.dst]; ir::is_entry(node) || ir::is_exit(node))
            portless[{edge.dst, edge.memlet.data}] += edge.dst_connector.empty();
    std::map<Arriving, std::string> ports;
    for (auto [id, edge] : state.edges) {
        ir::Node& node = state.nodes[edge.dst];
        const std::string& data = edge.memlet.data;
        const auto count = portless.find({edge.dst, data});
        if (!data.empty() && edge.dst_connector.empty() && count != portless.end() && count->second == 1) {
            std::string port = data;
            for (int number = 1; node.in.contains(ir::port_in(port)); ++number) port = data + "_" + std::to_string(number);
            edge.dst_connector = ir::port_in(port);
        }
        if (edge.dst_connector.empty()) continue;
        node.in.emplace(edge.dst_connector, code::DType());
        if (ir::is_port_in(edge.dst_connector)) ports.try_emplace({edge.dst, data}, ir::across(edge.dst_connector));
    }
    for (auto [id, edge] : state.edges) {
        if (const auto port = ports.find({edge.src, edge.memlet.data}); edge.src_connector.empty() && port != ports.end())
            edge.src_connector = port->second;
        if (!edge.src_connector.empty()) state.nodes[edge.src].out.emplace(edge.src_connector, code::DType());
    }
}

void Graph::declare_mapped() {
    for (const std::string& name : driver::free_symbols(sdfg))
        if (!sdfg.symbols.contains(name) && !sdfg.containers.contains(name)) {
            ++version;
            sdfg.symbols.insert_or_assign(name, code::DType(code::Scalar::Int64));
        }
}

void Graph::adopt() {
    for (Called& one : called) {
        auto& inner = nb::cast<Graph&>(one.graph);
        inner.propagate();
        if (inner.version != one.version) inner.declare_mapped();
        if (inner.version == one.version) continue;
        one.version = inner.version;
        auto& nested = std::get<ir::NestedSdfg>(edit_node(one.path, one.node).kind);
        nested.sdfg = inner.sdfg;
        for (const std::string& name : driver::free_symbols(inner.sdfg))
            nested.symbol_mapping.try_emplace(name, symbolic::symbol(name));
    }
}

void Graph::release() {
    std::set<const Graph*> taken;
    std::erase_if(called, [&](Called& one) {
        const ir::NestedSdfg* nested = find_nested(sdfg, one.path, one.node);
        if (!nested) return true;
        auto& inner = nb::cast<Graph&>(one.graph);
        const bool same = inner.sdfg == *nested->sdfg;
        if (!taken.insert(&inner).second) return !same;
        if (!same) {
            inner.sdfg = *nested->sdfg;
            ++inner.version;
            inner.release();
        }
        one.version = inner.version;
        return false;
    });
}

void Graph::propagate() {
    adopt();
    for (const Path& path : std::exchange(portless, {})) fill_ports(edit_state(path));
    for (const Path& path : std::exchange(unpropagated, {})) driver::propagate(sdfg, edit_state(path));
}

void Graph::validate() {
    propagate();
    expect_starts();
    std::vector<Diagnostic> violations = ir::verify(sdfg);
    if (!violations.empty()) fail(std::move(violations.front()));
}

namespace {

// ---- declarations -------------------------------------------------------------------------------------------------------
void set_container_field(ir::Container& container, const std::string& name, nb::handle value) {
    if (set_field(container, name, value)) return;
    const bool found = std::visit([&](auto& kind) { return set_field(kind, name, value); }, container.kind);
    if (!found) throw nb::attribute_error(("the container has no property " + name).c_str());
}

nb::object get_container_field(ir::Container& container, const std::string& name) {
    nb::object result = nb::none();
    if (get_field(container, name, result)) return result;
    if (name == "kind") {
        static constexpr const char* kKinds[] = {"Array", "Scalar", "Stream", "Structure", "ContainerArray", "Foreign"};
        if (container.binding != ir::Binding::Own) return nb::cast(std::string(ir::to_string(container.binding)));
        return nb::cast(kKinds[container.kind.index()]);
    }
    const bool found = std::visit([&](auto& kind) { return get_field(kind, name, result); }, container.kind);
    if (!found) throw nb::attribute_error(("the container has no property " + name).c_str());
    return result;
}

std::string add_container(Graph& graph, const std::string& kind, std::string name, nb::handle dtype, nb::handle shape,
                          bool find_new_name, nb::dict properties) {
    const bool taken = graph.sdfg.containers.contains(name) || graph.sdfg.symbols.contains(name);
    if (taken && !find_new_name) throw nb::value_error(("the SDFG has a container or symbol named " + name + " already").c_str());
    if (taken) name = ir::fresh_name(graph.sdfg, name);
    ++graph.version;
    const code::DType type = dtype_from(dtype);
    ir::Container* container = nullptr;
    if (kind == "Scalar")
        container = &ir::add_scalar(graph.sdfg, name, type);
    else if (kind == "Stream")
        container = &ir::add_stream(graph.sdfg, name, type, 0, exprs_from(shape));
    else if (kind == "View")
        container = &ir::add_view(graph.sdfg, name, type, exprs_from(shape));
    else
        container = &ir::add_array(graph.sdfg, name, type, exprs_from(shape));
    if (kind == "Reference") {
        container->binding = ir::Binding::Reference;
        container->transient = true;
    }
    for (const auto [key, value] : properties)
        if (!value.is_none()) set_container_field(*container, nb::cast<std::string>(key), value);
    return name;
}

void add_constant(Graph& graph, const std::string& name, nb::handle value) {
    const driver::python::ArgumentType type = argument_type_of(value);
    ir::Constant constant;
    constant.container.dtype = type.dtype;
    if (type.shape)
        constant.container.shape = *type.shape;
    else
        constant.container.kind = ir::Scalar{};
    const nb::object flat = nb::module_::import_("numpy").attr("ravel")(value);
    const bool integral = code::is_integer(type.dtype.scalar) || type.dtype.scalar == code::Scalar::Bool;
    for (const nb::handle element : flat.attr("tolist")()) {
        if (integral)
            constant.integers.push_back(PyBool_Check(element.ptr()) ? (element.ptr() == Py_True) : nb::cast<std::int64_t>(element));
        else if (PyComplex_Check(element.ptr()))
            constant.values.emplace_back(PyComplex_RealAsDouble(element.ptr()), PyComplex_ImagAsDouble(element.ptr()));
        else
            constant.values.emplace_back(nb::cast<double>(element), 0.0);
    }
    ++graph.version;
    graph.sdfg.constants.set(name, std::move(constant));
}

void bind_declarations(nb::class_<Graph>& type) {
    type.def("add_container", &add_container)
        .def("add_symbol",
             [](Graph& graph, const std::string& name, nb::handle dtype) {
                 ++graph.version;
                 graph.sdfg.symbols.insert_or_assign(name, dtype_from(dtype));
             })
        .def("constant",
             [](const Graph& graph, const std::string& name) {
                 const ir::Constant& constant = graph.sdfg.constants.at(name);
                 nb::list shape;
                 for (const symbolic::Expr& extent : constant.container.shape) shape.append(PyExpr{extent, {}});
                 return nb::make_tuple(constant.container.dtype, shape, constant.integers, constant.values);
             })
        .def("remove_symbol",
             [](Graph& graph, const std::string& name) {
                 ++graph.version;
                 graph.sdfg.symbols.erase(name);
             })
        .def("add_constant", &add_constant)
        .def("remove_container",
             [](Graph& graph, const std::string& name) {
                 ++graph.version;
                 graph.sdfg.containers.erase(name);
             })
        .def("containers",
             [](const Graph& graph) {
                 std::vector<std::string> names;
                 for (const auto& [name, container] : graph.sdfg.containers) names.push_back(name);
                 return names;
             })
        .def("symbols", [](const Graph& graph) { return graph.sdfg.symbols; })
        .def("constants",
             [](const Graph& graph) {
                 std::vector<std::string> names;
                 for (const auto& [name, constant] : graph.sdfg.constants) names.push_back(name);
                 return names;
             })
        .def("get_container", [](Graph& graph, const std::string& name,
                                 const std::string& field) { return get_container_field(graph.sdfg.containers.at(name), field); })
        .def("set_container",
             [](Graph& graph, const std::string& name, const std::string& field, const std::optional<nb::object>& value) {
                 ++graph.version;
                 set_container_field(graph.sdfg.containers.at(name), field, value.value_or(nb::none()));
             })
        .def("fresh_name", [](const Graph& graph, const std::string& base) { return ir::fresh_name(graph.sdfg, base); })
        .def("free_symbols",
             [](Graph& graph) {
                 graph.adopt();
                 const std::set<std::string> names = driver::free_symbols(graph.sdfg);
                 return std::vector<std::string>(names.begin(), names.end());
             })
        .def("arguments",
             [](Graph& graph) {
                 graph.adopt();
                 return driver::argument_order(graph.sdfg);
             })
        .def_prop_rw(
            "arg_names", [](const Graph& graph) { return graph.sdfg.arg_names; },
            [](Graph& graph, std::vector<std::string> names) {
                ++graph.version;
                graph.sdfg.arg_names = std::move(names);
            });
}

// ---- control flow -------------------------------------------------------------------------------------------------------
std::string unique_label(const ir::Region& region, const std::string& label) {
    const auto taken = [&](const std::string& name) {
        for (auto [id, block] : region.blocks)
            if (block.label == name) return true;
        return false;
    };
    std::string name = label;
    for (int suffix = 0; taken(name); ++suffix) name = label + "_" + std::to_string(suffix);
    return name;
}

std::uint32_t add_block(Graph& graph, const Path& path, const std::string& label, decltype(ir::Block::kind) kind, bool start) {
    ir::Region& region = graph.edit_region(path);
    const ir::BlockId id =
        ir::add_block(region, ir::Block{.label = unique_label(region, label), .kind = std::move(kind), .metadata = {}});
    if (start)
        give_start(graph, path, id);
    else
        imply_start(graph, path, id);
    return id.value;
}

std::optional<ir::CodeBlock> python_code(const std::optional<std::string>& text) {
    return text ? std::optional(ir::CodeBlock{*text, ir::Language::Python}) : std::nullopt;
}

std::uint32_t add_loop(Graph& graph, const Path& path, const std::string& label, const std::string& condition,
                       const std::string& variable, const std::optional<std::string>& init,
                       const std::optional<std::string>& update, bool inverted, bool start) {
    ir::LoopRegion loop;
    loop.variable = variable;
    loop.condition = python_code(condition);
    loop.init = python_code(init);
    loop.update = python_code(update);
    loop.inverted = inverted;
    return add_block(graph, path, label, std::move(loop), start);
}

/// Moves a block of a graph into a region of another one.
std::uint32_t take_block(Graph& graph, const Path& path, Graph& from, const Path& block_path, bool start) {
    ir::Block& block = from.edit_block(block_path);
    const std::uint32_t added = add_block(graph, path, block.label, std::move(block.kind), start);
    Path place = path;
    place.push_back(added);
    take_marks(graph, place, from, block_path);
    return added;
}

/// Makes a block, a plain region, a branch of a conditional block of another graph.
std::uint32_t take_branch(Graph& graph, const Path& path, const std::optional<std::string>& condition, Graph& from,
                          const Path& block_path) {
    auto* conditional = std::get_if<ir::ConditionalBlock>(&graph.edit_block(path).kind);
    auto* region = std::get_if<ir::NamedRegion>(&from.edit_block(block_path).kind);
    check(conditional != nullptr && region != nullptr, "a branch is a plain region of a conditional block");
    ir::Branch branch;
    branch.condition = python_code(condition);
    branch.body = std::move(region->body);
    conditional->branches.push_back(std::move(branch));
    Path place = path, body = block_path;
    place.push_back(static_cast<std::uint32_t>(conditional->branches.size() - 1));
    body.push_back(0);
    take_marks(graph, place, from, body);
    return place.back();
}

decltype(ir::Block::kind) plain_block(const std::string& kind) {
    if (kind == "state") return Cow<ir::State>();
    if (kind == "conditional") return ir::ConditionalBlock{};
    if (kind == "break") return ir::BreakBlock{};
    if (kind == "continue") return ir::ContinueBlock{};
    if (kind == "return") return ir::ReturnBlock{};
    check(kind == "region", "no block of kind ", kind);
    return ir::NamedRegion{};
}

std::string block_kind(const ir::Block& block) {
    static constexpr const char* kKinds[] = {"state", "loop", "conditional", "break", "continue", "return", "region"};
    return kKinds[block.kind.index()];
}

void bind_control_flow(nb::class_<Graph>& type) {
    type.def("add_block", [](Graph& graph, const Path& path, const std::string& kind, const std::string& label,
                             bool start) { return add_block(graph, path, label, plain_block(kind), start); })
        .def("remove_block",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 graph.adopt();
                 ir::Region& region = graph.edit_region(path);
                 present(region.blocks, ir::BlockId(id), "block");
                 std::vector<ir::TransitionId> touching;
                 for (auto [edge, transition] : region.transitions)
                     if (transition.src.value == id || transition.dst.value == id) touching.push_back(edge);
                 for (const ir::TransitionId edge : touching) region.transitions.erase(edge);
                 region.blocks.erase(ir::BlockId(id));
                 Path removed = path;
                 removed.push_back(id);
                 forget_marks(graph, removed);
                 if (region.start.value == id) region.start = {};
                 settle_start(graph, path);
                 graph.release();
             })
        .def("remove_branch",
             [](Graph& graph, const Path& path, std::uint32_t at) {
                 graph.adopt();
                 auto& branches = std::get<ir::ConditionalBlock>(graph.edit_block(path).kind).branches;
                 branches.erase(branches.begin() + at);
                 forget_branch(graph, path, at);
                 std::erase_if(graph.called, [&](Graph::Called& one) {
                     if (one.path.size() <= path.size() || !std::equal(path.begin(), path.end(), one.path.begin())) return false;
                     const bool removed = one.path[path.size()] == at;
                     one.path[path.size()] -= one.path[path.size()] > at;
                     return removed;
                 });
             })
        .def("add_loop", &add_loop)
        .def("take_block", &take_block)
        .def("take_branch", &take_branch)
        .def("add_transition",
             [](Graph& graph, const Path& path, std::uint32_t src, std::uint32_t dst, const std::string& condition,
                const std::vector<std::pair<std::string, std::string>>& assignments) {
                 ir::Region& region = graph.edit_region(path);
                 for (const std::uint32_t end : {src, dst}) present(region.blocks, ir::BlockId(end), "block");
                 const ir::TransitionId id = ir::add_transition(region, ir::BlockId(src), ir::BlockId(dst), condition, assignments);
                 settle_start(graph, path);
                 return id.value;
             })
        .def("transitions",
             [](Graph& graph, const Path& path) {
                 nb::list found;
                 for (auto [id, transition] : graph.region(path).transitions)
                     found.append(nb::make_tuple(id.value, transition.src.value, transition.dst.value, transition.condition.text,
                                                 transition.assignments));
                 return found;
             })
        .def("remove_transition",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 auto& transitions = graph.edit_region(path).transitions;
                 present(transitions, ir::TransitionId(id), "edge");
                 transitions.erase(ir::TransitionId(id));
                 settle_start(graph, path);
             })
        .def("blocks",
             [](Graph& graph, const Path& path) {
                 nb::list found;
                 for (auto [id, block] : graph.region(path).blocks) found.append(nb::make_tuple(id.value, block_kind(block)));
                 return found;
             })
        .def("branches",
             [](Graph& graph, const Path& path) {
                 const auto* conditional = std::get_if<ir::ConditionalBlock>(&graph.block(path).kind);
                 return conditional ? conditional->branches.size() : std::size_t(1);
             })
        .def("branch_condition",
             [](Graph& graph, const Path& path, std::size_t at) -> std::optional<std::string> {
                 const auto& condition = std::get<ir::ConditionalBlock>(graph.block(path).kind).branches.at(at).condition;
                 return condition ? std::optional(condition->text) : std::nullopt;
             })
        .def("set_branch_condition",
             [](Graph& graph, const Path& path, std::size_t at, const std::optional<std::string>& text) {
                 std::get<ir::ConditionalBlock>(graph.edit_block(path).kind).branches.at(at).condition = python_code(text);
             })
        .def("label", [](Graph& graph, const Path& path) { return graph.block(path).label; })
        .def("set_label", [](Graph& graph, const Path& path, const std::string& label) { graph.edit_block(path).label = label; })
        .def("start",
             [](Graph& graph, const Path& path) -> std::optional<std::uint32_t> {
                 const ir::BlockId start = graph.region(path).start;
                 return start.valid() ? std::optional(start.value) : std::nullopt;
             })
        .def("set_start", [](Graph& graph, const Path& path, std::uint32_t block) { give_start(graph, path, ir::BlockId(block)); });
}

// ---- whole graphs -------------------------------------------------------------------------------------------------------
std::string to_json(Graph& graph, bool readable, bool compressed, const std::string& dialect) {
    driver::JsonOptions options{.readable = readable, .compressed = compressed};
    if (dialect != "legacy" && dialect != "dollar") throw nb::value_error("the dialect is `legacy` or `dollar`");
    options.dialect = dialect == "legacy" ? driver::JsonOptions::Dialect::legacy : driver::JsonOptions::Dialect::dollar;
    graph.propagate();
    return driver::to_json(graph.sdfg, options);
}

}  // namespace

/// The C++ of the program at file scope, or what runs when it is initialised or finalised, by location.
auto& edit_code(Graph& graph, const std::string& which) {
    ++graph.version;
    return which == "init" ? graph.sdfg.init_code : which == "exit" ? graph.sdfg.exit_code : graph.sdfg.global_code;
}

void bind_graph(nb::module_& module) {
    nb::class_<Graph> type(module, "Graph", "The value behind sluice.SDFG.");
    type.def("__init__",
             [](Graph* self, const std::string& name) {
                 new (self) Graph();
                 self->sdfg.name = name;
             })
        .def("copy",
             [](Graph& graph) {
                 graph.adopt();
                 Graph copy(graph);
                 copy.called.clear();
                 return copy;
             })
        .def("assign",
             [](Graph& graph, const Graph& other) {
                 const std::uint64_t version = graph.version;
                 auto called = std::move(graph.called);
                 graph = other;
                 graph.version = version + 1;
                 graph.called = std::move(called);
                 graph.release();
                 graph.work.reset();
             })
        .def_prop_ro("version",
                     [](Graph& graph) {
                         graph.adopt();
                         return graph.version;
                     })
        .def_prop_rw(
            "name", [](const Graph& graph) { return graph.sdfg.name; },
            [](Graph& graph, const std::string& name) {
                ++graph.version;
                graph.sdfg.name = name;
            })
        .def("validate", &Graph::validate)
        .def("propagate",
             [](Graph& graph) {
                 graph.propagate();
                 driver::propagate(graph.sdfg);
             })
        .def("to_json",
             [](Graph& graph, bool readable, const std::string& dialect) { return to_json(graph, readable, false, dialect); })
        .def("to_bytes",
             [](Graph& graph, bool compressed, const std::string& dialect) {
                 const std::string bytes = to_json(graph, false, compressed, dialect);
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("text",
             [](Graph& graph) {
                 graph.propagate();
                 return ir::to_text(graph.sdfg);
             })
        .def("equals", [](const Graph& a, const Graph& b) { return a.sdfg == b.sdfg; })
        .def("set_code",
             [](Graph& graph, const std::string& which, const std::string& text, const std::string& location) {
                 edit_code(graph, which)[location] = {text, ir::Language::CPP};
             })
        .def("add_code", [](Graph& graph, const std::string& which, const std::string& text, const std::string& location) {
            ir::CodeBlock& code = edit_code(graph, which).try_emplace(location, ir::CodeBlock{"", ir::Language::CPP}).first->second;
            code.text += (code.text.empty() ? "" : "\n") + text;
        });
    bind_declarations(type);
    bind_control_flow(type);
    module.def("graph_from_json", [](nb::bytes bytes) {
        Graph graph;
        graph.sdfg = unwrap(driver::from_json(std::string_view(bytes.c_str(), bytes.size())));
        return graph;
    });
    module.def("graph_from_text", [](const std::string& text) {
        Graph graph;
        graph.sdfg = unwrap(ir::parse_text(text));
        return graph;
    });
    module.def("read_graphs", [](const std::string& path) {
        std::vector<Graph> graphs;
        for (const driver::Session& session : unwrap(driver::Session::read(path))) {
            graphs.emplace_back();
            graphs.back().sdfg = session.program();
        }
        return graphs;
    });
}

}  // namespace sluice::bindings
