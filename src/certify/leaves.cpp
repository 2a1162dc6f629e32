// Tasklets and library nodes.
#include <algorithm>

#include "certify/reader.h"
#include "certify/tasklet.h"
#include "ir/code_block.h"
#include "ir/messages.h"
#include "ir/query.h"

namespace sluice::certify {

using ir::NodeId;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

bool is_element(const Subset& subset) {
    return std::ranges::all_of(subset.dims, [](const Range& range) { return symbolic::count(range).is_integer(1); });
}

/// The element at these positions within the subset, counted in its dimensions, or in those that are no single index.
std::optional<std::vector<Expr>> within(const Subset& subset, const std::vector<Expr>& positions) {
    std::vector<Expr> indices;
    std::size_t next = 0;
    for (const Range& range : subset.dims) {
        const bool skipped = range.is_index() && positions.size() != subset.rank();
        if (!skipped && next >= positions.size()) return std::nullopt;
        indices.push_back(skipped ? range.begin : range.begin + positions[next++] * range.step);
    }
    if (next != positions.size()) return std::nullopt;
    return indices;
}

std::vector<Expr> begins_of(const Subset& subset) {
    std::vector<Expr> indices;
    for (const Range& range : subset.dims) indices.push_back(range.begin);
    return indices;
}

std::string text_of(const ir::Property& property) {
    struct Text {
        std::string operator()(std::monostate) const { return "None"; }
        std::string operator()(bool value) const { return value ? "True" : "False"; }
        std::string operator()(std::int64_t value) const { return std::to_string(value); }
        std::string operator()(double value) const { return std::to_string(value); }
        std::string operator()(const std::string& value) const { return "'" + value + "'"; }
        std::string operator()(const Expr& value) const { return symbolic::to_string(value); }
        std::string operator()(const std::vector<std::int64_t>& values) const {
            std::string all = "[";
            for (const std::int64_t value : values) all += std::to_string(value) + " ";
            return all + "]";
        }
    };
    return std::visit(Text{}, property);
}

}  // namespace

/// The element that a lane takes of the subset, the elements of which lie along one dimension.
Subset ModelReader::lane_of(const Subset& subset, const Expr& lane, std::uint32_t lanes, const std::string& label,
                            const Span& where) {
    Subset element = subset;
    int wide = 0;
    for (Range& range : element.dims) {
        const Expr size = symbolic::count(range);
        if (size.is_integer(1)) continue;
        if (!size.is_integer(static_cast<std::int64_t>(lanes)) || ++wide > 1) refuse("the vectors of " + label, where);
        range = Range::index(range.begin + lane * range.step);
    }
    if (wide == 0) refuse("the vectors of " + label, where);
    return element;
}

void ModelReader::tasklet(Frame frame, StateWalk& walk, NodeId id) {
    const ir::Node& node = walk.state.nodes[id];
    const auto& tasklet = std::get<ir::Tasklet>(node.kind);
    const Span& where = node.metadata.where;
    if (ir::has_side_effects(tasklet)) refuse("the side effects of " + tasklet.label, where);
    if (tasklet.code.language != ir::Language::Python) refuse("the tasklet " + tasklet.label + ", which is not in Python", where);
    const Result<code::Body> body = ir::parsed_body(tasklet.code, where);
    if (!body.ok()) refuse("the code of " + tasklet.label, where);
    const std::optional<Expr> lane = count_lanes(frame, node, where);
    std::vector<Port> inputs, outputs;
    for (const bool reading : {true, false})
        for (const ir::EdgeId at : reading ? walk.adjacency.in(id) : walk.adjacency.out(id)) {
            const ir::Edge& edge = walk.state.edges[at];
            const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
            if (connector.empty()) continue;
            const NodeId end = far_end(walk, at, reading);
            if (edge.memlet.empty() || !end.valid())
                refuse("what " + tasklet.label + " hands over at `" + connector + "` without a container", where);
            const std::string& data = data_of(walk, end);
            Port port{connector, data, side(frame, edge.memlet, data, reading, where)};
            const ir::Connectors& types = reading ? node.in : node.out;
            if (const auto type = types.find(connector); type != types.end()) port.type = type->second;
            if (port.type.is_vector()) port.subset = lane_of(port.subset, *lane, port.type.lanes, tasklet.label, where);
            port.type.lanes = 1;
            if (!reading) port.resolution = resolution_along(walk, at);
            (reading ? inputs : outputs).push_back(std::move(port));
        }
    // One set of trees for each output: their iterators are the assignment's.
    for (const Port& output : outputs) {
        Assignment& assignment = add(frame, tasklet.label, where);
        const TaskletTrees trees = trees_of(*body, names_in(frame, inputs, outputs));
        if (!trees.why.empty()) refuse("the tasklet " + tasklet.label + ": " + trees.why, where);
        const auto stored = std::ranges::find(trees.stores, output.connector, &Stored::connector);
        if (stored == trees.stores.end())
            refuse("the tasklet " + tasklet.label + ", which stores no `" + output.connector + "`", where);
        const auto indices =
            stored->positions.empty() ? std::optional(begins_of(output.subset)) : within(output.subset, stored->positions);
        if (!indices || (is_element(output.subset) && !stored->positions.empty()))
            refuse("the element that " + tasklet.label + " stores", where);
        for (const Port& input : inputs)
            if (is_element(input.subset))
                assignment.touched.push_back(read_tree(frame, model_.assignments.size() - 1, input.data, begins_of(input.subset)));
        const TreePtr value = output.type.is_scalar() ? cast_tree(stored->value, output.type) : stored->value;
        store(frame, assignment, output.data, *indices, value, output.resolution);
    }
}

/// One more iterator where connectors are vectors, which all have as many lanes.
std::optional<Expr> ModelReader::count_lanes(Frame& frame, const ir::Node& node, const Span& where) {
    std::uint32_t lanes = 1;
    for (const auto* types : {&node.in, &node.out})
        for (const auto& [connector, type] : *types) {
            if (!type.is_vector()) continue;
            if (lanes > 1 && lanes != type.lanes) refuse("vectors of several lengths", where);
            lanes = type.lanes;
        }
    if (lanes == 1) return std::nullopt;
    return count_elements(frame, {{Range::extent(Expr(static_cast<std::int64_t>(lanes)))}}, where)[0];
}

/// What the code of the latest assignment knows.
TaskletNames ModelReader::names_in(const Frame& frame, const std::vector<Port>& inputs, const std::vector<Port>& outputs) {
    TaskletNames names{.values = frame.values, .owner = model_.assignments.size() - 1};
    for (const auto& [name, type] : frame.sdfg->symbols) names.symbols.insert(name);
    for (const auto& [name, value] : frame.values) names.symbols.insert(name);
    names.symbols.insert(model_.symbols.begin(), model_.symbols.end());
    for (const Port& output : outputs) names.outputs.try_emplace(output.connector, container(frame, output.data, {}).dtype);
    for (const Port& input : inputs)
        names.inputs[input.connector] = [&, owner = names.owner](const std::vector<Expr>& positions) {
            const bool alone =
                positions.empty() || (is_element(input.subset) && positions.size() == 1 && positions[0].is_integer(0));
            if (alone && !is_element(input.subset)) return unknown_tree(owner, "all elements of " + input.data);
            const auto indices = alone ? std::optional(begins_of(input.subset)) : within(input.subset, positions);
            if (!indices) return unknown_tree(owner, "the element of " + input.data);
            const TreePtr tree = read_tree(frame, owner, input.data, *indices);
            return input.type.is_scalar() ? cast_tree(tree, input.type) : tree;
        };
    return names;
}

/// The element of an output is an uninterpreted function of its position and of all elements of the operands.
void ModelReader::library(const Frame& frame, StateWalk& walk, NodeId id) {
    const ir::Node& node = walk.state.nodes[id];
    const auto& library = std::get<ir::LibraryNode>(node.kind);
    const Span& where = node.metadata.where;
    if (library.operation == ir::kExternCall || ir::is_message(library)) refuse("the call " + library.label, where);
    std::string name = library.operation;
    for (const auto& [key, value] : library.properties) name += " " + key + "=" + text_of(value);
    struct Operand {
        std::string connector;
        std::size_t assignment;
        std::vector<Expr> sizes;
    };
    std::vector<Operand> operands;
    const auto add_operand = [&](const ir::EdgeId at, bool reading) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.empty()) return;
        const NodeId end = far_end(walk, at, reading);
        if (!end.valid()) refuse("an operand of " + library.label, where);
        const std::string data = data_of(walk, end);
        const Subset subset = side(frame, edge.memlet, data, reading, where);
        Frame inner = frame;
        outer_iterators_ = frame.iterators.size();
        const std::vector<Expr> indices = count_elements(inner, subset, where);
        Assignment& assignment = add(inner, "operand of " + library.label, where);
        const std::size_t number = model_.assignments.size() - 1;
        assignment.value = read_tree(inner, number, data, indices);
        operands.push_back({(reading ? edge.dst_connector : "old " + edge.src_connector), number, symbolic::sizes(subset)});
    };
    for (const ir::EdgeId at : walk.adjacency.in(id)) add_operand(at, true);
    if (ir::updates_output(library))
        for (const ir::EdgeId at : walk.adjacency.out(id)) add_operand(at, false);
    std::ranges::sort(operands, {}, &Operand::connector);
    for (const ir::EdgeId at : walk.adjacency.out(id)) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.empty()) continue;
        const NodeId end = far_end(walk, at, false);
        if (!end.valid()) refuse("an output of " + library.label, where);
        const std::string data = data_of(walk, end);
        const Subset subset = side(frame, edge.memlet, data, false, where);
        Frame inner = frame;
        outer_iterators_ = frame.iterators.size();
        const std::vector<Expr> indices = count_elements(inner, subset, where);
        Assignment& assignment = add(inner, library.label, where);
        const std::size_t owner = model_.assignments.size() - 1;
        std::vector<TreePtr> parts;
        for (const Operand& operand : operands) {
            parts.push_back(std::make_shared<const Tree>(
                Tree{.kind = Tree::Kind::Operand, .owner = owner, .name = operand.connector, .operand = operand.assignment}));
            for (const Expr& size : operand.sizes) parts.push_back(index_tree(owner, size));
        }
        for (std::size_t p = frame.iterators.size(); p < inner.iterators.size(); ++p)
            parts.push_back(index_tree(owner, symbolic::symbol(inner.iterators[p])));
        for (const Expr& size : symbolic::sizes(subset)) parts.push_back(index_tree(owner, size));
        const code::DType type = container(frame, data, where).dtype;
        store(inner, assignment, data, indices, apply_tree(owner, name + " " + edge.src_connector, std::move(parts), {type}),
              resolution_along(walk, at));
    }
}

}  // namespace sluice::certify
