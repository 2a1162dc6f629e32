// Dataflow from Python: nodes, edges and memlets of a state.
#include "bindings/fields.h"
#include "bindings/graph.h"
#include "bindings/properties.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"

namespace sluice::bindings {

namespace {

// ---- memlets ------------------------------------------------------------------------------------------------------------
std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// `A[i, 0:N]`, `A`, `[0:N]`: the name (maybe empty) and the subset.
std::pair<std::string, std::optional<symbolic::Subset>> parse_side(std::string_view text) {
    text = trimmed(text);
    const std::size_t bracket = text.find('[');
    std::string name(trimmed(text.substr(0, bracket)));
    if (bracket == std::string_view::npos) return {name, std::nullopt};
    if (text.back() != ']')
        fail({.code = "X101",
              .message = "the memlet `" + std::string(text) + "` lacks its closing bracket",
              .where = {},
              .path = {},
              .remedy = "write a memlet as `A[i, 0:N]`",
              .notes = {}});
    return {name, unwrap(symbolic::parse_subset(text.substr(bracket + 1, text.size() - bracket - 2)))};
}

/// `A[s]`, `A[s] -> [t]`, `[t] -> A[s]`, `A[s] -> B[t]`; also `A(1)[s]` and `A(-1)[s]`: a volume, -1 for dynamic.
ir::Memlet parse_memlet(const std::string& text) {
    ir::Memlet memlet;
    const std::size_t arrow = text.find("->");
    auto [data, subset] = parse_side(std::string_view(text).substr(0, arrow));
    if (arrow != std::string::npos) {
        auto [other_data, other_subset] = parse_side(std::string_view(text).substr(arrow + 2));
        if (data.empty()) {
            std::swap(data, other_data);
            std::swap(subset, other_subset);
            memlet.is_data_src = false;
        }
        memlet.other_subset = std::move(other_subset);
    }
    if (const std::size_t parenthesis = data.find('('); parenthesis != std::string::npos && data.back() == ')') {
        const symbolic::Expr volume = unwrap(symbolic::parse(data.substr(parenthesis + 1, data.size() - parenthesis - 2)));
        memlet.dynamic = volume.is_integer(-1);
        memlet.volume = memlet.dynamic ? symbolic::Expr(0) : volume;
        data = std::string(trimmed(data.substr(0, parenthesis)));
    }
    memlet.data = std::move(data);
    memlet.subset = std::move(subset);
    if (memlet.subset && memlet.volume.is_integer(0) && !memlet.dynamic) memlet.volume = symbolic::num_elements(*memlet.subset);
    return memlet;
}

/// `A[i, 0:N] -> [0, 1]`.
std::string memlet_text(const ir::Memlet& memlet) {
    return memlet.data + (memlet.subset ? "[" + symbolic::to_string(*memlet.subset) + "]" : "") +
           (memlet.other_subset ? " -> [" + symbolic::to_string(*memlet.other_subset) + "]" : "");
}

void bind_memlet(nb::module_& module) {
    nb::class_<ir::Memlet> type(module, "MemletValue", "Data movement along an edge; sluice.Memlet derives from it.");
    type.def("__init__",
             [](ir::Memlet* self, const std::optional<std::string>& text) {
                 new (self) ir::Memlet(text && !text->empty() ? parse_memlet(*text) : ir::Memlet());
             })
        .def("assign", [](ir::Memlet& self, const ir::Memlet& other) { self = other; })
        .def("get",
             [](ir::Memlet& self, const std::string& name) {
                 nb::object result;
                 if (!get_field(self, name, result)) throw nb::attribute_error(name.c_str());
                 return result;
             })
        .def("set",
             [](ir::Memlet& self, const std::string& name, const std::optional<nb::object>& value) {
                 if (!set_field(self, name, value.value_or(nb::none()))) throw nb::attribute_error(name.c_str());
             })
        .def("is_empty", &ir::Memlet::empty, "Whether the memlet only orders its two nodes.")
        .def("num_elements",
             [](const ir::Memlet& self) {
                 return PyExpr{self.subset ? symbolic::num_elements(*self.subset) : symbolic::Expr(0), {}};
             })
        .def("__eq__",
             [](const ir::Memlet& a, nb::handle other) {
                 ir::Memlet* b = nullptr;
                 return nb::try_cast(other, b) && b && a == *b;
             })
        .def("__str__", &memlet_text)
        .def("__repr__", [](const ir::Memlet& self) { return self.empty() ? "Memlet()" : "Memlet('" + memlet_text(self) + "')"; });
}

// ---- nodes --------------------------------------------------------------------------------------------------------------
ir::Connectors connectors_from(nb::handle object) {
    ir::Connectors connectors;
    if (object.is_none()) return connectors;
    if (PyDict_Check(object.ptr())) {
        for (const auto [name, type] : nb::cast<nb::dict>(object))
            connectors.emplace(nb::cast<std::string>(name), type.is_none() ? code::DType() : dtype_from(type));
        return connectors;
    }
    for (const nb::handle name : object) connectors.emplace(nb::cast<std::string>(name), code::DType());
    return connectors;
}

/// `{"i": "0:N"}` or a subset's text beside names.
ir::MapRanges params_from(nb::dict ranges) {
    ir::MapRanges params;
    for (const auto [name, range] : ranges) {
        const symbolic::Subset subset = PyTuple_Check(range.ptr()) || PyList_Check(range.ptr()) ? subset_from(nb::make_tuple(range))
                                                                                                : subset_from(nb::str(range));
        params.emplace_back(nb::cast<std::string>(name), symbolic::to_string(subset));
    }
    return params;
}

std::uint32_t add_tasklet(Graph& graph, const Path& path, const std::string& label, nb::handle in, nb::handle out,
                          const std::string& code, nb::handle language, nb::dict properties) {
    const auto lang = FromObject<ir::Language>::get(language);
    if (lang == ir::Language::Python) unwrap(ir::parsed_body({code, lang}));
    const ir::NodeId id = graph.edit(path).tasklet(label, connectors_from(in), connectors_from(out), code, lang);
    auto& tasklet = std::get<ir::Tasklet>(graph.edit_node(path, id.value).kind);
    for (const auto [key, value] : properties) {
        const std::string name = nb::cast<std::string>(key);
        if (name == "code_global" || name == "code_init" || name == "code_exit") {
            ir::CodeBlock& block = name == "code_global" ? tasklet.code_global
                                   : name == "code_init" ? tasklet.code_init
                                                         : tasklet.code_exit;
            block = {nb::cast<std::string>(value), ir::Language::CPP};
        } else if (!set_field(tasklet, name, value)) {
            throw nb::type_error(("a tasklet has no property " + name).c_str());
        }
    }
    return id.value;
}

/// The code of a tasklet parses in its language, whichever of the two is set.
void set_code(ir::Tasklet& tasklet, ir::CodeBlock code) {
    if (code.language == ir::Language::Python) unwrap(ir::parsed_body(code));
    tasklet.code = std::move(code);
}

void set_node_field(ir::Node& node, const std::string& name, nb::handle value) {
    if (auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
        if (name == "code") return set_code(*tasklet, {nb::cast<std::string>(value), tasklet->code.language});
        if (name == "language") return set_code(*tasklet, {tasklet->code.text, FromObject<ir::Language>::get(value)});
    }
    const bool found = std::visit(
        [&](auto& kind) {
            if constexpr (requires { kind.fields(); }) return set_field(kind, name, value);
            return false;
        },
        node.kind);
    if (!found) throw nb::attribute_error((std::string(ir::kind_name(node)) + " has no property " + name).c_str());
}

nb::object get_node_field(const ir::Node& node, const std::string& name) {
    nb::object result;
    if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind); tasklet && name == "language")
        return to_object(tasklet->code.language);
    const bool found = std::visit(
        [&](auto& kind) {
            if constexpr (requires { kind.fields(); }) return get_field(kind, name, result);
            return false;
        },
        node.kind);
    if (!found) throw nb::attribute_error((std::string(ir::kind_name(node)) + " has no property " + name).c_str());
    return result;
}

}  // namespace

ir::Property property_from(nb::handle value) {
    if (value.is_none()) return std::monostate{};
    if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
    if (PyLong_Check(value.ptr())) return nb::cast<std::int64_t>(value);
    if (PyFloat_Check(value.ptr())) return nb::cast<double>(value);
    if (PyTuple_Check(value.ptr()) || PyList_Check(value.ptr())) return nb::cast<std::vector<std::int64_t>>(value);
    if (nb::isinstance<PyExpr>(value)) return expr_from(value);
    if (PyUnicode_Check(value.ptr())) return nb::cast<std::string>(value);
    return nb::cast<double>(nb::float_(value));
}

nb::object property_object(const ir::Property& property) {
    if (const auto* flag = std::get_if<bool>(&property)) return nb::cast(*flag);
    if (const auto* integer = std::get_if<std::int64_t>(&property)) return nb::cast(*integer);
    if (const auto* real = std::get_if<double>(&property)) return nb::cast(*real);
    if (const auto* text = std::get_if<std::string>(&property)) return nb::cast(*text);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&property)) return nb::cast(*list);
    if (const auto* e = std::get_if<ir::Expr>(&property)) return nb::cast(PyExpr{*e, {}});
    return nb::none();
}

namespace {

std::uint32_t add_library(Graph& graph, const Path& path, const std::string& operation, const std::string& classpath,
                          const std::string& label, const std::vector<std::string>& in, const std::vector<std::string>& out,
                          nb::dict properties) {
    std::map<std::string, ir::Property> values;
    for (const auto [key, value] : properties) values.emplace(nb::cast<std::string>(key), property_from(value));
    const ir::NodeId id = graph.edit(path).library(operation, label, in, out, std::move(values));
    std::get<ir::LibraryNode>(graph.edit_node(path, id.value).kind).classpath = classpath;
    return id.value;
}

void forget_called(Graph& graph, const Path& path, std::uint32_t node) {
    std::erase_if(graph.called, [&](const Graph::Called& one) { return one.path == path && one.node == node; });
}

/// Is it the graph, or does it call the graph, however deep?
bool reaches(const Graph& from, const Graph& graph) {
    return &from == &graph || std::ranges::any_of(from.called, [&](const Graph::Called& one) {
        return reaches(nb::cast<const Graph&>(one.graph), graph);
    });
}

void refuse_recursion(const Graph& graph, const Graph& called) {
    if (reaches(called, graph)) throw nb::value_error("a graph cannot call itself: give the node a copy (copy.deepcopy)");
}

/// Moves nodes of a graph, without their edges, into a state of another one; returns their numbers there.
std::vector<std::uint32_t> take_nodes(Graph& graph, const Path& path, Graph& from, const Path& place,
                                      const std::vector<std::uint32_t>& ids) {
    std::map<std::uint32_t, ir::NodeId> taken;
    for (const std::uint32_t id : ids) taken.emplace(id, graph.edit_state(path).nodes.add(std::move(from.edit_node(place, id))));
    std::vector<std::uint32_t> result;
    for (const std::uint32_t id : ids) {
        ir::Node& node = graph.edit_node(path, taken.at(id).value);
        if (auto* exit = std::get_if<ir::MapExit>(&node.kind)) exit->entry = taken.at(exit->entry.value);
        if (auto* exit = std::get_if<ir::ConsumeExit>(&node.kind)) exit->entry = taken.at(exit->entry.value);
        result.push_back(taken.at(id).value);
    }
    for (Graph::Called& one : std::exchange(from.called, {}))
        if (one.path == place && taken.contains(one.node))
            graph.called.push_back({path, taken.at(one.node).value, one.graph, one.version});
    return result;
}

void bind_nodes(nb::class_<Graph>& type) {
    type.def("add_access",
             [](Graph& graph, const Path& path, const std::string& data) { return graph.edit(path).access(data).value; })
        .def("take_nodes", &take_nodes)
        .def("add_tasklet", &add_tasklet)
        .def("add_map",
             [](Graph& graph, const Path& path, const std::string& label, nb::dict ranges, nb::handle schedule) {
                 const auto [entry, exit] =
                     graph.edit(path).map(label, params_from(ranges), FromObject<ir::Schedule>::get(schedule));
                 return std::pair(entry.value, exit.value);
             })
        .def("add_consume",
             [](Graph& graph, const Path& path, const std::string& label, const std::string& pe, nb::handle num_pes,
                const std::optional<std::string>& condition) {
                 const auto [entry, exit] = graph.edit(path).consume(label, pe, expr_from(num_pes), condition);
                 return std::pair(entry.value, exit.value);
             })
        .def("add_nested",
             [](Graph& graph, const Path& path, const std::string& label, const nb::object& called,
                const std::vector<std::string>& in, const std::vector<std::string>& out, nb::dict mapping) {
                 auto& inner = nb::cast<Graph&>(called);
                 refuse_recursion(graph, inner);
                 inner.propagate();
                 inner.declare_mapped();
                 std::map<std::string, symbolic::Expr> symbols;
                 for (const auto [name, value] : mapping) symbols.emplace(nb::cast<std::string>(name), expr_from(value));
                 const std::uint32_t node = graph.edit(path).nested(label, inner.sdfg, in, out, std::move(symbols)).value;
                 graph.called.push_back({path, node, called, inner.version});
                 return node;
             })
        .def("add_library", &add_library)
        .def("nested_graph",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 for (const Graph::Called& one : graph.called)
                     if (one.path == path && one.node == id) return one.graph;
                 Graph inner;
                 inner.sdfg = *std::get<ir::NestedSdfg>(graph.node(path, id).kind).sdfg;
                 nb::object called = nb::cast(std::move(inner));
                 graph.called.push_back({path, id, called, 0});
                 return called;
             })
        .def("set_nested_graph",
             [](Graph& graph, const Path& path, std::uint32_t id, const nb::object& called) {
                 auto& inner = nb::cast<Graph&>(called);
                 refuse_recursion(graph, inner);
                 inner.propagate();
                 inner.declare_mapped();
                 std::get<ir::NestedSdfg>(graph.edit_node(path, id).kind).sdfg = inner.sdfg;
                 forget_called(graph, path, id);
                 graph.called.push_back({path, id, called, inner.version});
             })
        .def("library_operation", [](Graph& graph, const Path& path,
                                     std::uint32_t id) { return std::get<ir::LibraryNode>(graph.node(path, id).kind).operation; })
        .def("library_classpath", [](Graph& graph, const Path& path,
                                     std::uint32_t id) { return std::get<ir::LibraryNode>(graph.node(path, id).kind).classpath; })
        .def("library_properties",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 nb::dict found;
                 for (const auto& [name, value] : std::get<ir::LibraryNode>(graph.node(path, id).kind).properties)
                     found[name.c_str()] = property_object(value);
                 return found;
             })
        .def("set_library_property",
             [](Graph& graph, const Path& path, std::uint32_t id, const std::string& name, const std::optional<nb::object>& value) {
                 std::get<ir::LibraryNode>(graph.edit_node(path, id).kind).properties[name] =
                     property_from(value.value_or(nb::none()));
             })
        .def("nodes",
             [](Graph& graph, const Path& path) {
                 nb::list found;
                 for (auto [id, node] : graph.state(path).nodes)
                     found.append(nb::make_tuple(id.value, std::string(ir::kind_name(node))));
                 return found;
             })
        .def("node_kind", [](const Graph& graph, const Path& path,
                             std::uint32_t id) { return std::string(ir::kind_name(graph.node(path, id))); })
        .def("node_label",
             [](Graph& graph, const Path& path, std::uint32_t id) { return ir::label_of(graph.state(path), ir::NodeId(id)); })
        .def("get_node", [](Graph& graph, const Path& path, std::uint32_t id,
                            const std::string& name) { return get_node_field(graph.node(path, id), name); })
        .def("set_node",
             [](Graph& graph, const Path& path, std::uint32_t id, const std::string& name, const std::optional<nb::object>& value) {
                 set_node_field(graph.edit_node(path, id), name, value.value_or(nb::none()));
             })
        .def("connectors", [](Graph& graph, const Path& path, std::uint32_t id,
                              bool in) { return in ? graph.node(path, id).in : graph.node(path, id).out; })
        .def("add_connector",
             [](Graph& graph, const Path& path, std::uint32_t id, const std::string& name, bool in,
                const std::optional<nb::object>& dtype) {
                 ir::Node& node = graph.edit_node(path, id);
                 return (in ? node.in : node.out).emplace(name, dtype ? dtype_from(*dtype) : code::DType()).second;
             })
        .def("set_connectors",
             [](Graph& graph, const Path& path, std::uint32_t id, bool in, nb::handle connectors) {
                 ir::Node& node = graph.edit_node(path, id);
                 (in ? node.in : node.out) = connectors_from(connectors);
             })
        .def("entry_of",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 const ir::Node& node = graph.node(path, id);
                 if (const auto* exit = std::get_if<ir::MapExit>(&node.kind)) return exit->entry.value;
                 if (const auto* exit = std::get_if<ir::ConsumeExit>(&node.kind)) return exit->entry.value;
                 return id;
             })
        .def("remove_node",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 ir::State& state = graph.edit_state(path);
                 present(state.nodes, ir::NodeId(id), "node");
                 forget_called(graph, path, id);
                 std::vector<ir::EdgeId> touching;
                 for (auto [edge_id, edge] : state.edges)
                     if (edge.src.value == id || edge.dst.value == id) touching.push_back(edge_id);
                 for (const ir::EdgeId edge : touching) state.edges.erase(edge);
                 state.nodes.erase(ir::NodeId(id));
             })
        .def("fill_connectors", [](Graph& graph, const Path& path) {
            fill_ports(graph.edit_state(path));
            graph.portless.erase(path);
        });
}

bool is_scope_node(const ir::Node& node) {
    return ir::is_entry(node) || ir::is_exit(node);
}

// ---- edges --------------------------------------------------------------------------------------------------------------
using Connector = std::optional<std::string>;

/// DaCe writes `a[0]` for a scalar's only element; here a scalar has no dimensions.
ir::Memlet without_scalar_index(const Graph& graph, ir::Memlet memlet) {
    const ir::Container* container = graph.sdfg.containers.find(memlet.data);
    if (container && std::holds_alternative<ir::Scalar>(container->kind) && memlet.subset && memlet.subset->rank() == 1)
        memlet.subset->dims.clear();
    return memlet;
}

void bind_edges(nb::class_<Graph>& type) {
    type.def("add_edge",
             [](Graph& graph, const Path& path, std::uint32_t src, const Connector& src_connector, std::uint32_t dst,
                const Connector& dst_connector, const ir::Memlet& memlet) {
                 for (const std::uint32_t end : {src, dst}) graph.node(path, end);
                 const ir::EdgeId edge = graph.edit(path).edge(ir::NodeId(src), src_connector.value_or(""), ir::NodeId(dst),
                                                               dst_connector.value_or(""), without_scalar_index(graph, memlet));
                 const ir::State& state = graph.state(path);
                 if (!memlet.empty() && ((!src_connector && is_scope_node(state.nodes[ir::NodeId(src)])) ||
                                         (!dst_connector && is_scope_node(state.nodes[ir::NodeId(dst)]))))
                     graph.portless.insert(path);
                 return edge.value;
             })
        .def("add_memlet_path",
             [](Graph& graph, const Path& path, const std::vector<std::uint32_t>& nodes, const Connector& src_connector,
                const Connector& dst_connector, const ir::Memlet& memlet) {
                 if (nodes.size() < 2) throw nb::value_error("a memlet path needs two nodes");
                 std::vector<ir::NodeId> ids;
                 for (const std::uint32_t node : nodes) {
                     graph.node(path, node);
                     ids.push_back(ir::NodeId(node));
                 }
                 graph.edit(path).memlet_path(ids, src_connector.value_or(""), dst_connector.value_or(""),
                                              without_scalar_index(graph, memlet));
                 graph.unpropagated.insert(path);
             })
        .def("edges",
             [](Graph& graph, const Path& path) {
                 std::vector<std::uint32_t> ids;
                 for (auto [id, edge] : graph.state(path).edges) ids.push_back(id.value);
                 return ids;
             })
        .def("edge",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 const ir::Edge& edge = graph.edge(path, id);
                 const auto connector = [](const std::string& name) {
                     return name.empty() ? nb::none() : nb::object(nb::cast(name));
                 };
                 return nb::make_tuple(edge.src.value, connector(edge.src_connector), edge.dst.value,
                                       connector(edge.dst_connector));
             })
        .def("memlet",
             [](Graph& graph, const Path& path, std::uint32_t id) {
                 if (graph.unpropagated.contains(path)) graph.propagate();
                 return ir::Memlet(graph.edge(path, id).memlet);
             })
        .def("set_memlet", [](Graph& graph, const Path& path, std::uint32_t id,
                              const ir::Memlet& memlet) { graph.edit_edge(path, id).memlet = memlet; })
        .def("remove_edge", [](Graph& graph, const Path& path, std::uint32_t id) {
            graph.edge(path, id);
            graph.edit_state(path).edges.erase(ir::EdgeId(id));
        });
}

}  // namespace

void bind_graph_nodes(nb::module_& module) {
    bind_memlet(module);
    nb::class_<Graph> type = nb::borrow<nb::class_<Graph>>(module.attr("Graph"));
    bind_nodes(type);
    bind_edges(type);
}

}  // namespace sluice::bindings
